"""The first sheet of an XLSX workbook."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import openpyxl  # type: ignore[import-untyped]  # it says nothing of its types

from deskhand.batch.table import MOST_ROWS, RESULTS
from deskhand.batch.xlsx_cells import write_copy
from deskhand.core.errors import SettingsError

UNPACKED = 100 << 20
"""Bytes of all that is packed in a workbook."""


class XlsxTable:
    """Reads the values that were stored last, also of formulas. A copy has the results, and all else as it was.

    Raises:
        SettingsError: it is broken, locked with a password, or too large.
    """

    def __init__(self, path: Path) -> None:
        _check(path)
        self._data = path.read_bytes()
        sheet = _open(path)
        if (sheet.max_row or 0) > MOST_ROWS * 10:
            raise SettingsError(f"{path} has {sheet.max_row} rows; {MOST_ROWS} are the most")
        lines = [[_text(cell) for cell in line] for line in sheet.iter_rows(values_only=True)]
        self._head = next((number for number, line in enumerate(lines, 1) if any(line)), 0)
        if not self._head:
            raise SettingsError(f"{path} is empty; its first row names the columns")
        self.columns: Sequence[str] = [name.strip() for name in lines[self._head - 1]]
        below = enumerate(lines[self._head :], self._head + 1)
        self.rows: Sequence[tuple[int, Mapping[str, str]]] = [
            (number, {name: cell for name, cell in zip(self.columns, line, strict=False) if name})
            for number, line in below
            if any(line)
        ]

    def write(self, path: Path, added: Mapping[int, Sequence[str]]) -> None:
        before = [index for index, name in enumerate(self.columns, 1) if name in RESULTS]
        columns = before if len(before) == len(RESULTS) else range(len(self.columns) + 1, len(self.columns) + 4)
        rows = {self._head: RESULTS, **added}
        write_copy(self._data, path, {row: dict(zip(columns, values, strict=True)) for row, values in rows.items()})


def _check(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as packed:
            size = sum(entry.file_size for entry in packed.infolist())
    except PermissionError as error:
        raise SettingsError(f"{path} may not be read") from error
    except (OSError, zipfile.BadZipFile) as error:
        raise SettingsError(f"{path} is no XLSX workbook: it is broken, or locked with a password") from error
    if size > UNPACKED:
        raise SettingsError(f"{path} unpacks to {size} bytes; {UNPACKED} are the most")


def _open(path: Path) -> Any:
    try:
        book = openpyxl.load_workbook(path, data_only=True)
    except Exception as error:  # openpyxl raises whatever a broken file makes it stumble over
        raise SettingsError(f"{path} is no XLSX workbook that can be read ({type(error).__name__}: {error})") from error
    if not book.worksheets:
        raise SettingsError(f"{path} has no sheet with cells")
    return book.worksheets[0]


def _text(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).upper()
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case datetime() if value.time() == time():
            return value.date().isoformat()
        case datetime():
            return value.isoformat(" ", "minutes" if not value.second else "seconds")
        case date() | time():
            return value.isoformat()
        case _:
            return str(value)
