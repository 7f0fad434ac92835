"""Tasks in the word processor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deskhand.bench.desktop.home import Home
from deskhand.bench.desktop.office import documents, open_document, stored, used_before
from deskhand.bench.desktop.task import Task, differs, first, on, saved_as

if TYPE_CHECKING:
    from docx.document import Document

REPORT = ("Annual report", "The year was good. Sales rose in spring.", "In May sales fell.")
CENTRED = 1
"""What the packages that read documents call it."""


async def _report(home: Home) -> None:
    made = documents("docx").Document()
    for text in REPORT:
        made.add_paragraph(text)
    made.save(str(home.path / "Documents/report.docx"))
    await open_document(home, "writer", home.path / "Documents/report.docx")


def _read(home: Home, name: str = "Documents/report.docx") -> Document:
    document: Document = documents("docx").Document(stored(home, name))
    return document


def _texts(document: Document) -> list[str]:
    return [each.text.strip() for each in document.paragraphs if each.text.strip()]


def _letter_is_there(home: Home) -> str:
    wanted = ["Dear Ms Li,", "thank you for your order.", "Ben Okri"]
    lines = [line for text in _texts(_read(home, "Documents/letter.docx")) for line in text.splitlines()]
    return differs(lines, wanted, "the letter")


def _only_title_is_bold(home: Home) -> str:
    document = _read(home)
    bold = [[bool(run.bold) for run in each.runs if run.text.strip()] for each in document.paragraphs[:3]]
    return first(
        differs(_texts(document), [*REPORT], "the text"),
        differs([set(each) for each in bold], [{True}, {False}, {False}], "what is bold"),
    )


def _title_is_centred(home: Home) -> str:
    document = _read(home)
    centred = [each.alignment == CENTRED for each in document.paragraphs[:3]]
    return first(
        differs(_texts(document), [*REPORT], "the text"),
        differs(centred, [True, False, False], "what is centred"),
    )


def _title_is_heading(home: Home) -> str:
    document = _read(home)
    styles = [each.style.name if each.style else "" for each in document.paragraphs[:3]]
    return first(
        differs(_texts(document), [*REPORT], "the text"),
        differs([style == "Heading 1" for style in styles], [True, False, False], "what is a heading"),
    )


def _sales_are_replaced(home: Home) -> str:
    wanted = [text.replace("Sales", "Income").replace("sales", "income").lower() for text in REPORT]
    return differs([text.lower() for text in _texts(_read(home))], wanted, "the text")


def _table_is_there(home: Home) -> str:
    sizes = [(len(table.rows), len(table.columns)) for table in _read(home).tables]
    return differs(sizes, [(3, 4)], "the tables, by rows and columns,")


def _pdf_is_there(home: Home) -> str:
    data = (home.path / "Documents/report.pdf").read_bytes()
    return first(
        differs(data[:5], b"%PDF-", "how it begins"),
        differs(data.count(b"/Type/Page") - data.count(b"/Type/Pages"), 1, "the number of pages"),
        differs(_texts(_read(home)), [*REPORT], "the document"),
    )


TASKS = (
    Task(
        "writer-letter",
        'Write a letter with three lines in Writer: "Dear Ms Li,", "thank you for your order." and "Ben Okri". Save it '
        "in Documents as the Word document letter.docx.",
        ("writer",),
        used_before,
        _letter_is_there,
        (
            on(
                "libreoffice-writer",
                r'write(message="Dear Ms Li,\nthank you for your order.\nBen Okri")',
                *saved_as("~/Documents/letter.docx"),
            ),
        ),
        told='Open LibreOffice Writer, type "Dear Ms Li,", press Enter, type "thank you for your order.", '
        'press Enter, type "Ben Okri" and save it as {home}/Documents/letter.docx.',
    ),
    Task(
        "writer-bold-title",
        "Make the first line of the report bold, and save the document.",
        ("writer",),
        _report,
        _only_title_is_bold,
        (
            on(
                "Writer",
                'hotkey("ctrl", "home")',
                'hotkey("shift", "end")',
                'hotkey("ctrl", "b")',
                'hotkey("ctrl", "s")',
            ),
        ),
        told="Press Ctrl+Home, then Shift+End, click Bold and save the document.",
    ),
    Task(
        "writer-centre-title",
        'Centre the title "Annual report" and save.',
        ("writer",),
        _report,
        _title_is_centred,
        (on("Writer", 'hotkey("ctrl", "home")', 'click(element="Center")', 'hotkey("ctrl", "s")'),),
        told="Press Ctrl+Home, click the Center button and save the document.",
    ),
    Task(
        "writer-heading",
        'Give the line "Annual report" the paragraph style Heading 1. Save the document.',
        ("writer",),
        _report,
        _title_is_heading,
        (on("Writer", 'hotkey("ctrl", "home")', 'hotkey("ctrl", "1")', 'hotkey("ctrl", "s")'),),
        told="Press Ctrl+Home, choose Styles > Heading 1 and save the document.",
    ),
    Task(
        "writer-replace-all",
        'Put "income" in the place of "sales" in the whole report and save it.',
        ("writer",),
        _report,
        _sales_are_replaced,
        (
            on(
                "Writer",
                'hotkey("ctrl", "h")',
                'write(message="sales", element="text field in Search For", replace=True)',
                'write(message="income", element="text field in Replace With", replace=True)',
                'click(element="Replace All")',
                'press("enter")',
                'press("escape")',
                'hotkey("ctrl", "s")',
            ),
        ),
        told='Press Ctrl+H, type "sales" into "Find" and "income" into "Replace", click Replace All, close the '
        "dialog and save the document.",
    ),
    Task(
        "writer-table",
        "Insert a table of 4 columns and 3 rows at the end of the report, then save it.",
        ("writer",),
        _report,
        _table_is_there,
        (
            on(
                "Writer",
                'hotkey("ctrl", "end")',
                'hotkey("ctrl", "f12")',
                'write(message="4", element="Columns:", replace=True)',
                "write(message='3', element='\"Rows:\" spin button', replace=True)",
                'click(element="Insert button")',
                'hotkey("ctrl", "s")',
            ),
        ),
        told="Press Ctrl+End, choose Table > Insert Table, set Columns to 4 and Rows to 3, click Insert and "
        "save the document.",
    ),
    Task(
        "writer-pdf",
        "Export the report as report.pdf into the same folder.",
        ("writer",),
        _report,
        _pdf_is_there,
        (on("Writer", *saved_as("~/Documents/report.pdf", 'click(element="Export Directly as PDF")')),),
        told='Click "Export Directly as PDF", type {home}/Documents/report.pdf as the name and click Export.',
    ),
)
