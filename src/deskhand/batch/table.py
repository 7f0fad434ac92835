"""Tables whose rows fill the `{placeholders}` of a request or plan, and get the results beside them, in a copy."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Protocol

from deskhand.batch.job import Job
from deskhand.core.errors import SettingsError
from deskhand.core.foreign import require
from deskhand.core.plan import Plan
from deskhand.core.secret import PLACEHOLDER

LARGEST = 50 << 20
"""Bytes of a table's file."""
MOST_ROWS = 10_000
RESULTS = ("deskhand_outcome", "deskhand_answer", "deskhand_run")
"""The columns that a copy has beside the user's own."""
_PLACE = re.compile(r"(?<!\{)\{([^{}]+)\}(?!\})")


class Table(Protocol):
    """A file of rows under a row of names."""

    @property
    def columns(self) -> Sequence[str]: ...

    @property
    def rows(self) -> Sequence[tuple[int, Mapping[str, str]]]:
        """Give the rows that are not empty: each with its number in the file, from 1, and its values by column."""
        ...

    def write(self, path: Path, added: Mapping[int, Sequence[str]]) -> None:
        """Write a copy with the columns `RESULTS`, whose values are given by the row's number.

        Raises:
            OSError: it cannot be written.
        """
        ...


def read_table(path: Path) -> Table:
    """Read a CSV or XLSX file.

    Raises:
        SettingsError: it cannot be read, or is no such table; says why.
    """
    try:
        size = path.stat().st_size
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from error
    if size > LARGEST:
        raise SettingsError(f"{path} has {size} bytes; {LARGEST} are the most")
    kinds = {".csv": "csv_table:CsvTable", ".tsv": "csv_table:CsvTable", ".xlsx": "xlsx_table:XlsxTable"}
    if (kind := kinds.get(path.suffix.lower())) is None:
        raise SettingsError(f"{path} is no table that is known; there are {', '.join(kinds)}")
    if path.suffix.lower() == ".xlsx":
        require("openpyxl", "xlsx", str(path))
    module, _, name = kind.partition(":")
    table: Table = getattr(import_module(f"deskhand.batch.{module}"), name)(path)
    return _checked(table, path)


def _checked(table: Table, path: Path) -> Table:
    if not table.rows:
        raise SettingsError(f"{path} has no rows below its names")
    if len(table.rows) > MOST_ROWS:
        raise SettingsError(f"{path} has {len(table.rows)} rows; {MOST_ROWS} are the most")
    names = [name for name in table.columns if name]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise SettingsError(f"{path}: two columns are called {twice!r}; rename one")
    return table


def jobs_of(task: str | Plan, table: Table, path: Path) -> list[Job]:
    """Make a job of each row; one that lacks a value says so in its `trouble`.

    Raises:
        SettingsError: nothing is filled in, or a placeholder is none of the columns.
    """
    places = list(dict.fromkeys(_PLACE.findall("\n".join(_texts(task)))))
    if not places:
        raise SettingsError(f"the request has no {{placeholder}} for {path}; its columns are {_listed(table.columns)}")
    if unknown := next((place for place in places if place not in table.columns), ""):
        raise SettingsError(f"{path} has no column {unknown!r}; it has {_listed(table.columns)}")
    return [_job(task, places, number, row) for number, row in table.rows]


def _job(task: str | Plan, places: Sequence[str], number: int, row: Mapping[str, str]) -> Job:
    filled, trouble = _filled(task, row), ""
    if lacking := [place for place in places if not row.get(place, "").strip()]:
        trouble = f"row {number} has no value for {_listed(lacking)}"
    elif _secrets_in(filled) != _secrets_in(task):
        trouble = f"row {number} names a secret; only the request itself may"
    return Job(f"row-{number}", filled, trouble)


def _secrets_in(task: str | Plan) -> list[str]:
    return [name for text in _texts(task) for name in PLACEHOLDER.findall(text)]


def _filled(task: str | Plan, row: Mapping[str, str]) -> str | Plan:
    def fill(text: str) -> str:
        return _PLACE.sub(lambda place: row.get(place[1], ""), text)

    if isinstance(task, str):
        return fill(task)
    return Plan(task=fill(task.task), steps=tuple(map(fill, task.steps)), object=fill(task.object))


def _texts(task: str | Plan) -> Iterator[str]:
    if isinstance(task, str):
        yield task
    else:
        yield from (task.task, *task.steps, task.object)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in names if name)


def write_results(table: Table, path: Path, added: Mapping[int, Sequence[str]], otherwise: Path) -> Path:
    """Write the copy beside the user's file, or into the folder `otherwise` where that cannot be; give its path.

    It comes into being whole; the user's file is not touched, nor is a file that is no such copy.

    Raises:
        OSError: it can be written nowhere.
    """
    try:
        return _written(table, path.parent, path, added)
    except OSError:
        return _written(table, otherwise, path, added)


def _written(table: Table, folder: Path, path: Path, added: Mapping[int, Sequence[str]]) -> Path:
    target = folder / f"{path.stem}.results{path.suffix}"
    number = 2
    while target.exists() and not _is_ours(target):
        target = folder / f"{path.stem}.results-{number}{path.suffix}"
        number += 1
    draft = target.with_name(f".{target.stem}.{os.getpid()}{target.suffix}")
    try:
        table.write(draft, added)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return target


def _is_ours(path: Path) -> bool:
    try:
        return set(RESULTS) <= set(read_table(path).columns)
    except SettingsError:
        return False
