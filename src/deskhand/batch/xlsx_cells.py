"""Texts put into cells of a workbook's sheet, in its XML: all else in the file, charts say, stays as it is."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import escape

_ROW = re.compile(r"<(?P<p>(?:\w+:)?)row\b(?P<about>[^>]*?)(?:/>|>(?P<cells>.*?)</(?P=p)row>)", re.DOTALL)
_CELL = re.compile(r"<(?P<p>(?:\w+:)?)c\b(?P<about>[^>]*?)(?:/>|>.*?</(?P=p)c>)", re.DOTALL)
_NUMBER = re.compile(r"""\br=["'](\d+)["']""")
_COLUMN = re.compile(r"""\br=["']([A-Z]+)\d+["']""")
_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST = 32_767
"""Characters of a cell."""


def write_copy(source: bytes, target: Path, texts: Mapping[int, Mapping[int, str]]) -> None:
    """Copy a workbook with `texts` in the cells of its first sheet, by row and column from 1; rows must be there.

    Raises:
        OSError: it cannot be written, or the workbook is not built as it should be.
    """
    try:
        with zipfile.ZipFile(BytesIO(source)) as packed, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
            sheet = _first_sheet(packed)
            for entry in packed.infolist():
                data = packed.read(entry)
                copy.writestr(entry, _with_texts(data.decode(), texts).encode() if entry.filename == sheet else data)
    except (KeyError, ValueError, ElementTree.ParseError, zipfile.BadZipFile) as error:
        raise OSError(f"it is built in a way that nothing can be put into: {error}") from error


def _first_sheet(packed: zipfile.ZipFile) -> str:
    """Give the part of a workbook that holds its first sheet of cells."""
    (book,) = (part for kind, part in _related(packed, "").values() if kind == "officeDocument")
    parts = _related(packed, book)
    for sheet in ElementTree.fromstring(packed.read(book)).iterfind(".//{*}sheet"):
        kind, part = parts[next((value for name, value in sheet.attrib.items() if name.endswith("}id")), "")]
        if kind == "worksheet":
            return part
    raise ValueError("it has no sheet with cells")


def _related(packed: zipfile.ZipFile, part: str) -> dict[str, tuple[str, str]]:
    """Give the parts that a part names, or the file itself as "", by their ids: the kind of each, and its name."""
    folder, name = posixpath.split(part)
    related = ElementTree.fromstring(packed.read(posixpath.join(folder, "_rels", f"{name}.rels")))
    return {
        each.attrib["Id"]: (
            posixpath.basename(each.attrib["Type"]),
            posixpath.normpath(posixpath.join("/", folder, each.attrib["Target"])).lstrip("/"),
        )
        for each in related
    }


def _with_texts(xml: str, texts: Mapping[int, Mapping[int, str]]) -> str:
    last = 0

    def filled(row: re.Match[str]) -> str:
        nonlocal last
        said = _NUMBER.search(row["about"])
        last = int(said[1]) if said else last + 1  # it need not be said
        if last not in texts:
            return row[0]
        cells = _merged(
            row["cells"] or "", {column: _cell(row["p"], column, last, text) for column, text in texts[last].items()}
        )
        return f"<{row['p']}row{row['about']}>{cells}</{row['p']}row>"

    return _ROW.sub(filled, xml)


def _merged(cells: str, ours: Mapping[int, str]) -> str:
    """Put our cells among those of a row, in the place of any that are there; they must stand in order."""
    kept: list[tuple[int, str]] = []
    column = 0
    for cell in _CELL.finditer(cells):
        said = _COLUMN.search(cell["about"])
        column = _count(said[1]) if said else column + 1
        if column not in ours:
            kept.append((column, cell[0]))
    return "".join(cell for _, cell in sorted([*kept, *ours.items()])) + _CELL.sub("", cells)


def _cell(prefix: str, column: int, row: int, text: str) -> str:
    said = escape(_NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)[:_LONGEST])
    p = prefix
    return (
        f'<{p}c r="{_letters(column)}{row}" t="inlineStr">'
        f'<{p}is><{p}t xml:space="preserve">{said}</{p}t></{p}is></{p}c>'
    )


def _letters(column: int) -> str:
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _count(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
