"""Tables whose rows are jobs of a batch, and the copies that results are written into."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

import openpyxl.chart  # type: ignore[import-untyped]  # it says nothing of its types
import pytest

from deskhand.batch.table import RESULTS, jobs_of, read_table, write_results
from deskhand.core.errors import SettingsError
from deskhand.core.plan import Plan

TABLE = 'name;text\r\nAnna;"a;\r\nb"\r\n\r\nBert;\r\nÇa;{{secret:pin}}\r\n'


def test_rows_fill_placeholders_and_one_without_its_value_says_so(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TABLE, newline="")
    plan = Plan(task="for {name}", steps=("write {text} {{secret:pin}}",), object="{name}")

    jobs = jobs_of(plan, read_table(path), path)

    assert [(j.name, j.trouble) for j in jobs] == [
        ("row-2", ""),
        ("row-4", "row 4 has no value for {text}"),
        ("row-5", "row 5 names a secret; only the request itself may"),
    ]
    filled = Plan(task="for Anna", steps=("write a;\r\nb {{secret:pin}}",), object="Anna")
    assert jobs[0].task == filled


def test_braces_in_a_value_are_not_filled_in_again(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n{b},x\n")

    assert jobs_of("write {a} {b}", read_table(path), path)[0].task == "write {b} x"


@pytest.mark.parametrize(
    ("text", "request_", "said"),
    [
        ("a,b\n1,2\n", "write it", "no {placeholder}"),
        ("a,b\n1,2\n", "write {c}", "no column 'c'"),
        ("a,b\n", "write {a}", "no rows"),
        ("", "write {a}", "is empty"),
        ("\n\n", "write {a}", "is empty"),
        ("a,a\n1,2\n", "write {a}", "two columns"),
        ("a,b\n1,2,3\n", "write {a}", "row 2 has 3 cells"),
        ('a,b\n"1,2\n', "write {a}", "no CSV"),
        ("a\n" + "x" * 200_000, "write {a}", "no CSV"),
    ],
)
def test_a_table_that_does_not_fit_says_what_is_wrong(text: str, request_: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)

    with pytest.raises(SettingsError, match=said):
        jobs_of(request_, read_table(path), path)


@pytest.mark.parametrize("name", ["t.csv", "t.xlsx", "t.ods", "none.csv"])
def test_what_is_no_table_is_named(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if not name.startswith("none"):
        path.write_bytes("näh\nä".encode("latin-1"))

    with pytest.raises(SettingsError, match=name):
        read_table(path)


def test_results_stand_beside_the_rows_in_a_copy_that_is_a_csv_like_the_first(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"\xef\xbb\xbf" + TABLE.encode())
    before = path.read_bytes()
    added = {2: ("finished", "=HYPERLINK(1)", "/runs/1"), 4: ("failed", "-5", ""), 5: ("not begun", "", "")}

    copy = write_results(read_table(path), path, added, tmp_path / "otherwise")

    assert copy == tmp_path / "t.results.csv"
    assert path.read_bytes() == before
    assert copy.read_bytes().decode("utf-8") == (
        "\ufeffname;text;deskhand_outcome;deskhand_answer;deskhand_run\r\n"
        'Anna;"a;\r\nb";finished;\'=HYPERLINK(1);/runs/1\r\n'
        "\r\n"
        "Bert;;failed;-5;\r\n"
        "Ça;{{secret:pin}};not begun;;\r\n"
    )
    again = write_results(read_table(copy), copy, {2: ("failed", "", "")}, tmp_path)
    assert again.read_text().splitlines()[0].count("deskhand_outcome") == 1


def test_a_file_that_happens_to_have_the_name_of_the_copy_is_not_replaced(tmp_path: Path) -> None:
    path, other = tmp_path / "t.csv", tmp_path / "t.results.csv"
    path.write_text("a\n1\n")
    other.write_text("mine\n1\n")

    copy = write_results(read_table(path), path, {2: ("finished", "", "")}, tmp_path)

    assert (copy.name, other.read_text()) == ("t.results-2.csv", "mine\n1\n")
    assert write_results(read_table(path), path, {2: ("failed", "", "")}, tmp_path) == copy
    assert sorted(p.name for p in tmp_path.iterdir()) == ["t.csv", "t.results-2.csv", "t.results.csv"]


def a_workbook(path: Path, *rows: Sequence[object]) -> Path:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.active["A1"].font = openpyxl.styles.Font(bold=True)
    book.active.add_chart(openpyxl.chart.BarChart(), "H2")
    book.save(path)
    return path


def test_a_workbook_is_read_and_its_copy_keeps_what_it_looks_like(tmp_path: Path) -> None:
    path = a_workbook(tmp_path / "t.xlsx", ["name", "count", None], ["Anna", 3.0, "note"], [], ["Bert", True])
    before = path.read_bytes()
    table = read_table(path)

    assert [j.task for j in jobs_of("{name} {count}", table, path)] == ["Anna 3", "Bert TRUE"]
    copy = write_results(table, path, {2: ("finished", "=1+1", "x\x00y"), 4: ("failed", "", "")}, tmp_path)

    assert path.read_bytes() == before
    with zipfile.ZipFile(path) as packed, zipfile.ZipFile(copy) as again:
        differ = [name for name in packed.namelist() if packed.read(name) != again.read(name)]
        assert (packed.namelist(), differ) == (again.namelist(), ["xl/worksheets/sheet1.xml"])
    sheet = openpyxl.load_workbook(copy).active
    assert [c.value for c in sheet[1]] == ["name", "count", None, *RESULTS]
    assert [c.value for c in sheet[2]] == ["Anna", 3, "note", "finished", "=1+1", "x\ufffdy"]
    assert sheet["E2"].data_type == "s"
    assert sheet["A1"].font.bold
    sheet.move_range("A1:F4", cols=2)
    sheet["A1"], sheet["I1"] = "before", "behind"
    sheet.parent.save(copy)
    moved = write_results(read_table(copy), copy, {2: ("failed", "<&>", "y")}, tmp_path)
    row = openpyxl.load_workbook(moved).active[2]
    assert [c.value for c in row] == [None, None, "Anna", 3, "note", "failed", "<&>", "y", None]


def test_a_broken_or_locked_or_swollen_workbook_says_so(tmp_path: Path) -> None:
    good = a_workbook(tmp_path / "good.xlsx", ["a"], [1]).read_bytes()
    cases = {"cut.xlsx": good[: len(good) // 2], "locked.xlsx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(4096)}
    for name, data in cases.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(SettingsError, match="broken, or locked"):
            read_table(tmp_path / name)
    with zipfile.ZipFile(tmp_path / "zip.xlsx", "w") as packed:
        packed.writestr("a", "b")
    with pytest.raises(SettingsError, match="no XLSX workbook"):
        read_table(tmp_path / "zip.xlsx")
    with zipfile.ZipFile(tmp_path / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as packed, packed.open("a", "w") as file:
        for _ in range(101):
            file.write(bytes(1 << 20))
    with pytest.raises(SettingsError, match="unpacks to"):
        read_table(tmp_path / "bomb.xlsx")
