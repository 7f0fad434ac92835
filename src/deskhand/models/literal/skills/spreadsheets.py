"""Spreadsheets: cells selected, sums put below them, rows added, deleted and sorted, sheets renamed."""

from __future__ import annotations

import re
from dataclasses import replace

from deskhand.core.action import Action, Click, KeyDown, KeyUp, OnElement, Press
from deskhand.models.literal.arithmetic import read_number
from deskhand.models.literal.moves import Ask, Done, Fail, Instead, Move, Turn
from deskhand.models.literal.sheets import Place, Sheet, read_range
from deskhand.models.literal.sight import has, look_again
from deskhand.models.literal.skills.items import delete as delete_item
from deskhand.models.literal.skills.items import rename as rename_item
from deskhand.models.literal.skills.pointing import sort as sort_by_header
from deskhand.perception.quoting import mask, quote

_FORMULAS = {"sum": "SUM", "total": "SUM", "average": "AVERAGE", "mean": "AVERAGE", "maximum": "MAX", "minimum": "MIN"}
_NO_SHEET = "there is no sheet here whose cells can be read"


def select_cells(turn: Turn) -> Move:
    """Go to the first cell, then select as far as the last by the arrow keys."""
    meant, sheet = read_range(turn.clause.value), Sheet(turn.scene.elements)
    if meant is None or meant[0] not in sheet.cells:
        return look_again(turn, turn.clause.value) or Fail(_NO_SHEET if not sheet.cells else "no such cells are shown")
    first, last = meant
    if turn.tries:
        return Fail(turn.failed) if turn.failed else Done(f"selected {first.name} to {last.name}")
    cell = sheet.cells[first]
    if not has(cell, "focused") and not turn.memo.get("at"):
        return turn.prepare(Click(target=OnElement(id=cell.id)), thought=f"go to {first.name}", at="1")
    right, down = last.column - first.column, last.row - first.row
    keys = [("right" if right > 0 else "left", abs(right)), ("down" if down > 0 else "up", abs(down))]
    presses = tuple(Press(keys=(key,), presses=times) for key, times in keys if times)
    marking: tuple[Action, ...] = (KeyDown(key="shift"), *presses, KeyUp(key="shift"))
    return turn.act(*marking, thought=f"select as far as {last.name}")


def total(turn: Turn) -> Move:
    """Put a formula for all numbers of a column below the last of them."""
    sheet = Sheet(turn.scene.elements)
    column = sheet.column(mask(turn.clause.target).plain) or _only_numbers(sheet)
    if column is None or sheet.last < 2:
        return look_again(turn, turn.clause.target) or Ask(f"“{turn.clause.text}”: which column is meant?")
    first, last = Place(column, 2), Place(column, sheet.last)
    formula = f"={_FORMULAS[turn.clause.what]}({first.name}:{last.name})"
    return Instead((f"type {quote(formula)} into cell {Place(column, sheet.last + 1).name}",), "that is where it goes")


def _only_numbers(sheet: Sheet) -> int | None:
    """Give the only column that has numbers in all rows."""
    found = [
        at
        for at in range(1, len(sheet.headings) + 1)
        if all(read_number(sheet.text(Place(at, row))) is not None for row in range(2, sheet.last + 1))
    ]
    return found[0] if len(found) == 1 else None


def add_row(turn: Turn) -> Move:
    """Write a row below the last: what is named goes into the first column, each value under its heading."""
    sheet = Sheet(turn.scene.elements)
    column = sheet.column(mask(turn.clause.what).plain)
    if column is None or column == 1 or sheet.last < 1:
        return look_again(turn, turn.clause.what) or Ask(
            f"“{turn.clause.text}”: no column is called so. Which is meant?"
        )
    row = sheet.last + 1
    entries = (
        (Place(1, row), mask(turn.clause.target).plain.strip()),
        (Place(column, row), mask(turn.clause.value).plain.strip() or f"{turn.clause.amount:g}"),
    )
    return Instead(tuple(f"type {quote(text)} into cell {place.name}" for place, text in entries), "a row of its own")


def delete_row(turn: Turn) -> Move:
    """Delete the only row of a sheet that has some words, so that the rows below move up."""
    sheet = Sheet(turn.scene.elements)
    if not sheet.cells:
        words = re.sub(r"(?i)^\s*\w+(?:\s+out)?\s+(?:the|a|an|my)\s+\w+\s+", "", turn.clause.text)
        return delete_item(replace(turn, clause=turn.clause._replace(target=words)))
    rows = sheet.rows_with(re.sub(r"(?i)^(?:the|a|an|my)\s+", "", mask(turn.clause.target).plain.strip()))
    if len(rows) != 1:
        waiting = look_again(turn, turn.clause.target)
        return waiting or Ask(f"“{turn.clause.text}”: {len(rows)} rows have that. Which row is meant?")
    return Instead((f"click cell {Place(1, rows[0]).name}", "choose Sheet > Delete Rows"), f"it is row {rows[0]}")


def sort_rows(turn: Turn) -> Move:
    """Sort the table of a sheet by a column, its headings staying on top; other tables by their headers."""
    sheet = Sheet(turn.scene.elements)
    if not sheet.cells:
        return sort_by_header(turn)
    column = sheet.column(mask(turn.clause.target).plain)
    if column is None or sheet.last < 2:
        return look_again(turn, turn.clause.target) or Ask(f"“{turn.clause.text}”: which column is meant?")
    way = "Sort Descending" if turn.clause.mode in _FALLING else "Sort Ascending"
    return Instead((f"click cell {Place(column, 2).name}", f"click “{way}”"), f"by column {sheet.headings[column - 1]}")


_FALLING = frozenset({"highest", "largest", "biggest", "greatest", "most", "newest", "latest", "descending", "falling"})


def _sheet_tab(turn: Turn, words: str) -> str:
    """Give the name of the sheet that is called so, or that is shown where only "the sheet" is said; "" for none."""
    tabs = [e for e in turn.scene.elements if e.role == "tab"] if Sheet(turn.scene.elements).cells else []
    shown = (
        [e for e in tabs if has(e, "selected")] if words.casefold() in ("sheet", "current sheet", "open sheet") else []
    )
    return next((e.name for e in shown or tabs if shown or e.name.casefold() == words.casefold()), "")


def rename(turn: Turn) -> Move:
    """Rename a sheet by the menu for sheets; all else the way lists do it."""
    words = mask(turn.clause.target).plain.strip()
    sheet = _sheet_tab(turn, words)
    if not sheet:
        return rename_item(turn)
    old, new = quote(sheet), quote(turn.clause.value)
    steps = (f"click the {old} tab", "choose Sheet > Rename Sheet", f"fill in “Name” with {new}", "click OK")
    return Instead((*steps, f"check that there is {new}"), "it is a sheet")
