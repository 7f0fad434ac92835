"""Requests and interfaces in Chinese, on real applications: what was asked for is there in the end."""

from __future__ import annotations

import shutil
from pathlib import Path

import anyio
import pytest

from deskhand.app import run
from deskhand.core.status import RunOutcome
from deskhand.settings import Settings

TRANSLATED = Path("/usr/share/locale/zh_CN/LC_MESSAGES")
pytestmark = [
    pytest.mark.skipif(not shutil.which("mousepad"), reason="needs mousepad"),
    pytest.mark.skipif(not shutil.which("galculator"), reason="needs galculator"),
]


def carry_out(request: str, folder: Path) -> tuple[RunOutcome, str]:
    settings = Settings(device="linux:virtual,size=1280x900", runs=str(folder / "runs"))
    result = anyio.run(lambda: run(request, settings=settings))
    return result.outcome, result.answer or ""


@pytest.mark.parametrize(
    ("request_", "written"),
    [
        ("请打开 galculator，计算 3 加 4，然后把结果写到 mousepad 里，最后另存为“{}”。", "7"),
        ("打开 mousepad 输入“猫和狗，猫”，把所有“猫”替换成“鸟”，保存到{}", "鸟和狗，鸟"),
        ("開啟 mousepad，在「檢視」選單裡勾選行號，輸入「你好」兩次，儲存為「{}」", "你好你好"),
    ],
)
def test_what_was_written_stands_in_the_file(request_: str, written: str, tmp_path: Path) -> None:
    file = tmp_path / "笔记.txt"

    outcome, answer = carry_out(request_.format(file), tmp_path)

    assert outcome is RunOutcome.FINISHED, answer
    assert file.read_text(encoding="utf-8").rstrip("\n") == written


@pytest.mark.skipif(
    not all((TRANSLATED / f"{name}.mo").exists() for name in ("mousepad", "gtk30")),
    reason="needs the translations of mousepad and GTK",
)
@pytest.mark.parametrize(
    "request_",
    [
        "open mousepad, type “abc”, check Line Numbers in the View menu, save it under “{}”",
        "打开 mousepad，输入“abc”，在“查看”菜单里勾选行号，另存为“{}”",
    ],
)
def test_an_interface_in_chinese_is_worked_in_by_requests_in_either_language(
    request_: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    file = tmp_path / "a.txt"

    outcome, answer = carry_out(request_.format(file), tmp_path)

    assert outcome is RunOutcome.FINISHED, answer
    assert file.read_text(encoding="utf-8").rstrip("\n") == "abc"


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        ("在 galculator 里按7，再乘以6，按等号，读取显示屏", "42"),
        ("打开 mousepad，打开首选项，勾选“显示行号”，关闭自动换行，然后关闭首选项对话框", "'Show line numbers'"),
        ("打开 galculator，最大化窗口，然后还原窗口，再把窗口移动到 100，80", "is at (100, 80)"),
    ],
)
def test_what_was_asked_for_is_seen_on_the_screen(request_: str, says: str, tmp_path: Path) -> None:
    outcome, answer = carry_out(request_, tmp_path)

    assert outcome is RunOutcome.FINISHED, answer
    assert says in answer
