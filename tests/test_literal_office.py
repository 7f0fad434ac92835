"""The embedded model asked for documents, sheets, slides, files and settings: one thing said in many ways."""

from __future__ import annotations

import pytest

from deskhand.core.geometry import Box
from deskhand.core.observation import Application, Window
from deskhand.models.literal import explain
from deskhand.models.literal.applications import Desktop
from deskhand.models.literal.clauses import Clause, read_clause
from deskhand.models.literal.planning import plan_request

APPLICATIONS = (
    Application(
        id="org.xfce.mousepad", name="Mousepad", categories=("Utility", "TextEditor"), default_for=("text/plain",)
    ),
    Application(id="galculator", name="Galculator", categories=("Calculator",)),
    Application(id="org.gnome.Calculator", name="Calculator", categories=("Calculator",)),
    Application(id="thunar", name="Thunar File Manager", categories=("FileManager",), default_for=("inode/directory",)),
    Application(id="xfce4-terminal", name="Xfce Terminal", categories=("TerminalEmulator",)),
    Application(id="libreoffice-writer", name="LibreOffice Writer", categories=("Office", "WordProcessor")),
    Application(id="chromium", name="Chromium", categories=("WebBrowser",), default_for=("text/html",)),
)
FRONT = Window(id="0x1", title="draft.txt - Mousepad", app="org.xfce.mousepad", box=Box(0, 0, 9, 9), active=True)


def read(text: str) -> Clause:
    clause = read_clause(text)
    assert clause is not None, text
    return clause


def lines(request: str, front: Window = FRONT) -> list[str]:
    found = explain(request, APPLICATIONS, (front,))
    assert all(line.understood for line in found), found
    return [line.text for line in found]


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("Save the open document under the name final.txt in the same folder", "final.txt"),
        ("Save this text as final.txt in the folder where it is", "final.txt"),
        ("Keep a copy of the text as final.txt, in the same folder", "final.txt"),
        ("save it in my Documents folder as shopping.txt", "~/Documents/shopping.txt"),
        ("Save it in Documents as the Word document letter.docx", "~/Documents/letter.docx"),
        ("Save a copy of the picture that is open as turned.png in the Pictures folder", "~/Pictures/turned.png"),
        ("Export the costs to a CSV file called costs.csv in my Documents folder", "~/Documents/costs.csv"),
        ("Save the costs as costs.csv in Documents, with commas between the fields", "~/Documents/costs.csv"),
        ("Make a PDF of the report called report.pdf in the same folder", "report.pdf"),
        ("export it to my home folder as “a b.png”", "~/a b.png"),
        ("save it as a.txt in the folder /tmp", "/tmp/a.txt"),
    ],
)
def test_a_folder_said_in_words_and_a_name_are_one_path(said: str, path: str) -> None:
    clause = read(said)

    assert (clause.kind, clause.value) == ("save_as", path)


@pytest.mark.parametrize(
    "said", ["save it as a.txt in the folder of the year", "Save the sheet as a.csv in Documents, as CSV with tabs"]
)
def test_what_is_said_after_a_name_is_no_part_of_it(said: str) -> None:
    assert read_clause(said) is None


@pytest.mark.parametrize(
    ("said", "kind", "target"),
    [
        ("Make the first line of the report bold", "dress", "first line of the report"),
        ("The first line should be bold", "dress", "first line"),
        ("Align the title “Plan” to the center", "dress", "title “Plan”"),
        ("Set the header row in bold", "dress", "header row"),
        ("Give the line “Plan” the paragraph style Heading 1", "paragraph_style", "line “Plan”"),
        ("Make “Plan” a Heading 1", "paragraph_style", "“Plan”"),
        ("Add a table with 3 rows and 4 columns at the end of the report", "insert_table", "report"),
        ("Put a 3 by 4 table at the end of the report", "insert_table", "report"),
        ("Remove the line “b” from the to-do list that is open", "delete_line", "to-do list that is open"),
        ("Put everything in capitals", "recase", "everything"),
        ("Put “a” in the place of “b” in the whole report", "substitute", "whole report"),
        ("Put “a” at the end of the list as a new line", "write", "list"),
        ("Put the sum of all amounts below the last one with a formula", "total", "amounts"),
        ("Write a formula for the sum of the amounts below the last amount", "total", "amounts"),
        ("Add Phone with an amount of 60 below the other costs", "add_row", "Phone"),
        ("Delete the row about the bus", "delete_row", "bus"),
        ("Sort the costs by amount, the highest first", "sort_rows", "amount"),
        ("Sort the table by the column Amount from the highest to the lowest", "sort_rows", "Amount"),
        ("Change the name of Sheet1 to Budget", "rename", "Sheet1"),
        ("Remove the second slide of the presentation", "slide", "second"),
        ("Delete old.log permanently", "delete", "old.log"),
        ("Put a copy of notes.txt into my Downloads folder", "copy_file", "notes.txt"),
        ("Put report.txt into the folder Archive", "drag", "report.txt"),
        ("Move the picture that is shown to the trash", "delete_shown", "picture"),
        ("type Mug into A2 in the sheet", "write", "A2"),
        ("Go to chrome://settings/appearance", "open_url", ""),
        ("leave the old one as it is", "nothing", "old one"),
    ],
)
def test_what_documents_are_asked_for_is_read(said: str, kind: str, target: str) -> None:
    clause = read(said)

    assert (clause.kind, clause.target) == (kind, target)


@pytest.mark.parametrize(
    "said",
    [
        "Write the sum of all amounts in the list",
        "Type the name that stands above",
        "Insert a row for the phone at the end",
        "Write the number of the invoice you see",
    ],
)
def test_a_value_that_is_only_described_is_asked_for_or_read_and_never_typed(said: str) -> None:
    plan = plan_request(said, Desktop(APPLICATIONS, (FRONT,)))
    typed = [read(text) for task in plan.tasks for text in task.clauses]

    assert plan.questions or plan.unread or all(clause.kind != "write" or clause.references for clause in typed)


def test_one_text_below_the_other_is_typed_line_by_line() -> None:
    made = lines("Write a list with milk and two eggs in the text editor, one below the other.")

    assert made == ["start a new text file", "type “milk”", "press Enter", "type “two eggs”"]


def test_what_a_page_shows_is_read_there_before_it_is_written() -> None:
    request = "Write the order number that the shop's page shows into a new text file order.txt in my Documents folder."
    plan = plan_request(request, Desktop(APPLICATIONS, (FRONT,)))

    assert [(task.application, task.clauses) for task in plan.tasks] == [
        ("org.xfce.mousepad", ("start a new text file",)),
        ("chromium", ("read the order number (call it {{order number}})",)),
        ("org.xfce.mousepad", ("write {{order number}}", "save it under “~/Documents/order.txt”")),
    ]


@pytest.mark.parametrize(
    ("request_", "read_as"),
    [
        ("Make the terminal keep unlimited scrollback.", ["turn on unlimited scrollback"]),
        ("Stop the browser from offering to save passwords.", ["turn off offer to save passwords"]),
        ("Don't let Chromium offer to save passwords.", ["turn off offer to save passwords"]),
        ("Put the calculator into scientific mode.", ["click scientific mode"]),
        ("In the terminal, make the script a.sh executable.", ["run “chmod +x -- a.sh”"]),
        (
            "Make a folder called Backup in my home with the file manager, then copy a.txt into it with the terminal.",
            ["Make a folder called Backup in my home", "run “cp -r -v -n -- a.txt ~/Backup”"],
        ),
        (
            "Take the whole text from the text editor into a new Writer document.",
            ["select all", "copy", "start a new document", "paste"],
        ),
        ("Press Ctrl+A and Ctrl+C in the text editor.", ["Press Ctrl+A and Ctrl+C"]),
        ("Click OK in the dialog that comes up.", ["Click OK"]),
        ("Turn on the bell in the terminal's preferences.", ["open the preferences", "Turn on the bell"]),
    ],
)
def test_what_an_application_is_to_do_is_put_as_what_is_done_there(request_: str, read_as: list[str]) -> None:
    assert lines(request_) == read_as


def test_an_open_application_of_a_kind_is_meant_before_one_that_could_be_started() -> None:
    front = Window(id="0x2", title="galculator", app="galculator", box=Box(0, 0, 9, 9), active=True)

    meant = Desktop(APPLICATIONS, (front,)).meant("the calculator")

    assert meant is not None
    assert meant.id == "galculator"
