"""Cells of spreadsheets by their names, and the table that stands in a sheet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from deskhand.core.observation import Element
from deskhand.perception.naming import fold, stem, words

_CELL = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})$")
_RANGE = re.compile(
    r"(?:(?:the\s+)?cells?\s+)?(?:from\s+)?([A-Z]{1,3}[1-9]\d{0,6})\s*(?:to|:|through|until|till|-|–)\s*"
    r"(?:cell\s+)?([A-Z]{1,3}[1-9]\d{0,6})$",
    re.IGNORECASE,
)


_IN_SHEET = re.compile(
    r"(?P<cell>(?:cell\s+)?[A-Z]{1,3}[1-9]\d{0,5})\s+(?:in|of|on)\s+(?:the\s+|this\s+|that\s+)?(?:open\s+|current\s+)?"
    r"(?:spread)?(?:sheet|table)$",
    re.IGNORECASE,
)


class Place(NamedTuple):
    """A cell by its column and row, from 1."""

    column: int
    row: int

    @property
    def name(self) -> str:
        letters, column = "", self.column
        while column:
            column, letter = divmod(column - 1, 26)
            letters = chr(ord("A") + letter) + letters
        return f"{letters}{self.row}"


def read_cell(name: str) -> Place | None:
    """Read "B6"; None for what is no cell's name."""
    found = _CELL.match(name.strip().upper())
    if found is None:
        return None
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return Place(column, int(found[2]))


def read_range(text: str) -> tuple[Place, Place] | None:
    """Read "A1 to B1"; None for all else."""
    found = _RANGE.match(text.strip())
    first, last = (read_cell(found[1]), read_cell(found[2])) if found else (None, None)
    return (first, last) if first and last else None


def cell_named(words: str) -> str:
    """Take "in the sheet" off the name of a cell; give all else as it is."""
    found = _IN_SHEET.match(words)
    return found["cell"] if found else words


class Sheet:
    """What the cells of a sheet hold, as far as they are shown, and the table that begins in its top row."""

    def __init__(self, elements: Sequence[Element]) -> None:
        self.cells = {place: e for e in elements if e.role == "cell" and (place := read_cell(e.name)) is not None}

    def text(self, place: Place) -> str:
        cell = self.cells.get(place)
        return cell.value.strip() if cell else ""

    @property
    def headings(self) -> list[str]:
        """The texts of the first row, from its first column as far as there are any."""
        found: list[str] = []
        while text := self.text(Place(len(found) + 1, 1)):
            found.append(text)
        return found

    @property
    def last(self) -> int:
        """The last row of the table; 0 where there is none, or its end is not to be seen."""
        row = 1
        while any(self.text(Place(column + 1, row)) for column in range(len(self.headings))):
            row += 1
        return row - 1 if Place(1, row) in self.cells else 0

    def column(self, said: str) -> int | None:
        """Give the only column whose heading is named: "amounts" for "Amount"."""
        wanted = {stem(word) for word in words(fold(said))}
        found = [at for at, name in enumerate(self.headings, 1) if {stem(word) for word in words(fold(name))} & wanted]
        return found[0] if len(found) == 1 else None

    def rows_with(self, said: str) -> list[int]:
        """Give the rows of the table below its headings that have a cell with these words."""
        wanted = set(words(fold(said)))
        return [
            row
            for row in range(2, self.last + 1)
            if any(
                wanted and wanted <= set(words(fold(self.text(Place(at, row)))))
                for at in range(1, len(self.headings) + 1)
            )
        ]
