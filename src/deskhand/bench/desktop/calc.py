"""Tasks in the spreadsheet."""

from __future__ import annotations

import csv
from typing import Any

from deskhand.bench.desktop.home import Home
from deskhand.bench.desktop.office import documents, open_document, stored
from deskhand.bench.desktop.task import Task, differs, first, on, saved_as

COSTS = (("Item", "Amount"), ("Rent", 900), ("Bus", 75), ("Food", 310), ("Books", 42))
FILE = "Documents/costs.xlsx"


async def _costs(home: Home) -> None:
    made = documents("openpyxl").Workbook()
    made.active.title = "Sheet1"
    for row in COSTS:
        made.active.append(row)
    made.save(home.path / FILE)
    await open_document(home, "calc", home.path / FILE)


def _read(home: Home, *, values: bool = True) -> Any:
    """Read the sheet; `values` are what formulas came to when it was saved, else the formulas themselves."""
    return documents("openpyxl").load_workbook(stored(home, FILE), data_only=values)


def _rows(home: Home, *, values: bool = True) -> list[tuple[object, ...]]:
    sheet = _read(home, values=values).worksheets[0]
    return [row[:2] for row in sheet.iter_rows(values_only=True) if any(cell is not None for cell in row)]


def _sum_is_there(home: Home) -> str:
    formulas = [str(cell) for row in _rows(home, values=False)[5:] for cell in row]
    return first(
        differs(_rows(home)[:5], [*COSTS], "the rows above"),
        differs([row[1] for row in _rows(home)[5:]], [1327], "what stands in B6"),
        differs(any(text.startswith("=") for text in formulas), True, "whether it is worked out by a formula"),
    )


def _row_is_added(home: Home) -> str:
    return differs(_rows(home), [*COSTS, ("Phone", 60)], "the sheet")


def _row_is_gone(home: Home) -> str:
    return differs(_rows(home), [row for row in COSTS if row[0] != "Bus"], "the sheet")


def _is_sorted(home: Home) -> str:
    wanted = [COSTS[0], *sorted(COSTS[1:], key=lambda row: -int(row[1]))]
    return differs(_rows(home), wanted, "the sheet")


def _sheet_is_renamed(home: Home) -> str:
    return first(
        differs(_read(home).sheetnames, ["Budget"], "the names of the sheets"),
        differs(_rows(home), [*COSTS], "the sheet"),
    )


def _header_is_bold(home: Home) -> str:
    rows = _read(home).worksheets[0].iter_rows(max_row=3, max_col=2)
    return differs(
        [[bool(cell.font.b) for cell in row] for row in rows], [[True] * 2, [False] * 2, [False] * 2], "bold"
    )


def _csv_is_there(home: Home) -> str:
    with (home.path / "Documents/costs.csv").open(encoding="utf-8", newline="") as file:
        return differs([*csv.reader(file)], [[str(cell) for cell in row] for row in COSTS], "the file")


TASKS = (
    Task(
        "calc-sum",
        "Put the sum of all amounts below the last one with a formula and save the sheet.",
        ("calc",),
        _costs,
        _sum_is_there,
        (
            on(
                "Calc",
                'write(message="=SUM(B2:B5)", element="B6")',
                'press("enter")',
                'hotkey("ctrl", "s")',
            ),
        ),
        told="Type =SUM(B2:B5) into cell B6, press Enter and save the file.",
    ),
    Task(
        "calc-add-row",
        "Add Phone with an amount of 60 below the other costs, and save.",
        ("calc",),
        _costs,
        _row_is_added,
        (
            on(
                "Calc",
                'write(message="Phone", element="A6")',
                'write(message="60", element="B6")',
                'press("enter")',
                'hotkey("ctrl", "s")',
            ),
        ),
        told="Type Phone into A6 and 60 into B6, then save the file.",
    ),
    Task(
        "calc-delete-row",
        "Delete the row about the bus, so that no gap is left. Save the file.",
        ("calc",),
        _costs,
        _row_is_gone,
        (
            on(
                "Calc",
                'click(element="A3")',
                'hotkey("shift", "space")',
                'hotkey("ctrl", "-")',
                'hotkey("ctrl", "s")',
            ),
        ),
        told="Click cell A3, choose Sheet > Delete Rows and save the file.",
    ),
    Task(
        "calc-sort",
        "Sort the costs by amount, the highest first. The header stays on top. Then save.",
        ("calc",),
        _costs,
        _is_sorted,
        (
            on(
                "Calc",
                'click(element="B2")',
                'click(element="Sort Descending")',
                'hotkey("ctrl", "s")',
            ),
        ),
        told="Click cell B2, click Sort Descending in the toolbar and save the file.",
    ),
    Task(
        "calc-rename-sheet",
        "Rename Sheet1 to Budget and save the file.",
        ("calc",),
        _costs,
        _sheet_is_renamed,
        (
            on(
                "Calc",
                'click(element="Sheet menu")',
                'click(element="Rename Sheet")',
                'hotkey("ctrl", "a")',
                'write(message="Budget")',
                'press("enter")',
                'hotkey("ctrl", "s")',
            ),
        ),
        told="Choose Sheet > Rename Sheet, type Budget as the name, click OK and save the file.",
    ),
    Task(
        "calc-bold-header",
        "Make the two headings in the first row bold, and save.",
        ("calc",),
        _costs,
        _header_is_bold,
        (
            on(
                "Calc",
                'click(element="A1")',
                'hotkey("shift", "right")',
                'hotkey("ctrl", "b")',
                'hotkey("ctrl", "s")',
            ),
        ),
        told="Select the cells A1 to B1, click Bold and save the file.",
    ),
    Task(
        "calc-csv",
        "Save the costs as a CSV file named costs.csv in the Documents folder, with commas between the fields.",
        ("calc",),
        _costs,
        _csv_is_there,
        (
            on(
                "Calc",
                *saved_as("~/Documents/costs.csv", 'hotkey("ctrl", "shift", "s")'),
                'press("enter")',
            ),
        ),
        told="Save the file as {home}/Documents/costs.csv and click OK in the dialog that comes up.",
    ),
)
