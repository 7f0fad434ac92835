"""A CSV file, with whichever separator it uses."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from deskhand.batch.table import RESULTS
from deskhand.core.errors import SettingsError

_SEPARATORS = ",;\t|"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class CsvTable:
    """Keeps every line as it was read, to write it again.

    Raises:
        SettingsError: it is no CSV in UTF-8, or a row has more cells than there are names.
    """

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        self._mark = data.startswith(codecs.BOM_UTF8)
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise SettingsError(f"{path} is no UTF-8 ({error.reason}); save it as CSV in UTF-8") from error
        self._ending = "\r\n" if "\r\n" in text else "\n"
        head = text.lstrip("\r\n").partition("\n")[0]
        self._separator = max(_SEPARATORS, key=head.count)
        try:
            self._lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=self._separator, strict=True))
        except csv.Error as error:
            raise SettingsError(f"{path} is no CSV: {error}") from error
        self._head = next((number for number, line in enumerate(self._lines, 1) if any(line)), 0)
        if not self._head:
            raise SettingsError(f"{path} is empty; its first row names the columns")
        self.columns: Sequence[str] = [name.strip() for name in self._lines[self._head - 1]]
        self.rows = [self._row(number, path) for number in range(self._head + 1, len(self._lines) + 1)]
        self.rows = [(number, row) for number, row in self.rows if any(row.values())]

    def _row(self, number: int, path: Path) -> tuple[int, Mapping[str, str]]:
        cells = self._lines[number - 1]
        if len(cells) > len(self.columns):
            raise SettingsError(
                f"{path}: row {number} has {len(cells)} cells, there are {len(self.columns)} names; "
                "put a value with the separator in it in quotes"
            )
        return number, dict(zip(self.columns, cells, strict=False))

    def write(self, path: Path, added: Mapping[int, Sequence[str]]) -> None:
        out = io.StringIO(newline="")
        writer = csv.writer(out, delimiter=self._separator, lineterminator=self._ending)
        kept = [index for index, name in enumerate(self.columns) if name not in RESULTS]
        for number, cells in enumerate(self._lines, 1):
            own = [cells[index] if index < len(cells) else "" for index in kept]
            if number == self._head:
                writer.writerow([*own, *RESULTS])
            elif number in added:
                writer.writerow([*own, *map(_harmless, added[number])])
            else:
                writer.writerow(cells)
        path.write_bytes((codecs.BOM_UTF8 if self._mark else b"") + out.getvalue().encode(errors="replace"))


def _harmless(value: str) -> str:
    """Keep a spreadsheet from taking what a screen said for a formula."""
    return f"'{value}" if value.startswith(_FORMULA) and not _is_number(value) else value


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True
