"""Tasks over two and three applications."""

from __future__ import annotations

from deskhand.bench.desktop import chromium
from deskhand.bench.desktop.home import Home
from deskhand.bench.desktop.office import documents, open_document, stored, used_before
from deskhand.bench.desktop.task import Task, differs, first, on, saved_as

NOTES = "Meeting on Monday at ten. Bring the figures."


async def _notes(home: Home) -> None:
    await used_before(home)
    await home.open("mousepad", home.write("Documents/notes.txt", f"{NOTES}\n"))


async def _shop_and_sheet(home: Home) -> None:
    await chromium.shop(home)
    made = documents("openpyxl").Workbook()
    made.active.append(("Article", "Price"))
    made.save(home.path / "Documents/prices.xlsx")
    await open_document(home, "calc", home.path / "Documents/prices.xlsx")


async def _folder_and_terminal(home: Home) -> None:
    home.write("Documents/notes.txt", NOTES)
    await home.open("terminal")


def _document_is_there(home: Home) -> str:
    read = documents("docx").Document(stored(home, "Documents/notes.docx"))
    return differs(" ".join(each.text for each in read.paragraphs).strip(), NOTES, "the document")


def _prices_are_there(home: Home) -> str:
    sheet = documents("openpyxl").load_workbook(stored(home, "Documents/prices.xlsx")).worksheets[0]
    rows = [row[:2] for row in sheet.iter_rows(values_only=True)]
    return differs(rows, [("Article", "Price"), ("Mug", 7.25), ("Plate", 11.5), ("Bowl", 9.8)], "the sheet")


def _backed_up(home: Home) -> str:
    return first(
        differs(home.text("Backup/notes.txt"), NOTES, "the copy"),
        differs(home.text("Documents/notes.txt"), NOTES, "the notes"),
    )


TASKS = (
    Task(
        "page-to-text",
        "Write the order number that the shop's page shows into a new text file order.txt in my Documents folder.",
        ("chromium", "mousepad"),
        chromium.shop,
        lambda home: differs(home.lines("Documents/order.txt"), ["MM-40917"], "the file"),
        (on("org.xfce.mousepad", 'write(message="MM-40917")', *saved_as("~/Documents/order.txt")),),
        pages=chromium.PAGES,
        told="Read the order number on the page, then write it into a new text file and save that as "
        "{home}/Documents/order.txt.",
    ),
    Task(
        "text-to-document",
        "Copy the text of the notes that are open in the editor into a new Writer document and save that as the Word "
        "document notes.docx in Documents.",
        ("mousepad", "writer"),
        _notes,
        _document_is_there,
        (
            on("Mousepad", 'hotkey("ctrl", "a")', 'hotkey("ctrl", "c")'),
            on("libreoffice-writer", 'hotkey("ctrl", "v")', *saved_as("~/Documents/notes.docx")),
        ),
        told="Press Ctrl+A and Ctrl+C in the text editor, open LibreOffice Writer, press Ctrl+V and save the "
        "document as {home}/Documents/notes.docx.",
    ),
    Task(
        "page-to-sheet",
        "Put the articles and prices of the shop's page into the open sheet, a row each below the headings, and save "
        "it.",
        ("chromium", "calc"),
        _shop_and_sheet,
        _prices_are_there,
        (
            on(
                "Calc",
                *(
                    f'write(message="{text}", element="{cell}")'
                    for cell, text in (
                        *(("A2", "Mug"), ("B2", "7.25")),
                        *(("A3", "Plate"), ("B3", "11.50")),
                        *(("A4", "Bowl"), ("B4", "9.80")),
                    )
                ),
                'press("enter")',
                'hotkey("ctrl", "s")',
            ),
        ),
        pages=chromium.PAGES,
        told="In the sheet, type Mug into A2 and 7.25 into B2, Plate into A3 and 11.50 into B3, Bowl into A4 "
        "and 9.80 into B4, and save the file.",
    ),
    Task(
        "files-and-terminal",
        "Make a folder called Backup in my home with the file manager, then copy Documents/notes.txt into it with the "
        "terminal.",
        ("thunar", "terminal"),
        _folder_and_terminal,
        _backed_up,
        (
            on(
                "thunar",
                'hotkey("ctrl", "shift", "n")',
                'hotkey("ctrl", "a")',
                'write(message="Backup")',
                'press("enter")',
            ),
            on("xfce4-terminal", r'write(message="cp Documents/notes.txt Backup/\n")'),
        ),
        told="Open the file manager, choose File > Create Folder, type Backup as the name and click Create. "
        'Then type "cp Documents/notes.txt Backup/" in the terminal and press Enter.',
    ),
    Task(
        "page-calculator-text",
        "Look up what a mug costs on the shop's page, work out with the calculator what twelve of them cost, and save "
        "that number in mugs.txt in my Documents folder with the text editor.",
        ("chromium", "galculator", "mousepad"),
        chromium.shop,
        lambda home: differs([float(line) for line in home.lines("Documents/mugs.txt")], [87.0], "the file"),
        (
            on("galculator", 'press(["1", "2", "*", "7", ".", "2", "5", "enter"])'),
            on("org.xfce.mousepad", 'write(message="87")', *saved_as("~/Documents/mugs.txt")),
        ),
        pages=chromium.PAGES,
        told="Open the calculator, type 12*7.25, press Enter and read the result. Then write it into a new "
        "text file and save that as {home}/Documents/mugs.txt.",
    ),
)
