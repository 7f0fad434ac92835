"""Tasks in the calculator, and over it and another application."""

from __future__ import annotations

from deskhand.bench.desktop.home import Home
from deskhand.bench.desktop.task import Task, differs, nothing, on, saved_as


async def _calculator(home: Home) -> None:
    await home.open("galculator")


async def _bill(home: Home) -> None:
    await home.open("mousepad", home.write("Documents/bill.txt", "dinner 86.40\ntaxi 13.60\n"))
    await home.open("galculator")


def _setting(home: Home, key: str) -> str:
    """Read a setting of the calculator, which writes them down when it is closed."""
    pairs = (
        line.partition("=") for line in (home.config / "galculator/galculator.conf").read_text("utf-8").splitlines()
    )
    return next((value.strip() for name, _, value in pairs if name.strip() == key), "")


TASKS = (
    Task(
        "calculator-product",
        "Work out 128 times 46 with the calculator and save the result as a text file called product.txt in Documents.",
        ("galculator", "mousepad"),
        nothing,
        lambda home: differs(home.lines("Documents/product.txt"), ["5888"], "the file"),
        (
            on("galculator", 'press(["1", "2", "8", "*", "4", "6", "enter"])'),
            on("org.xfce.mousepad", 'write(message="5888")', *saved_as("~/Documents/product.txt")),
        ),
        told="Open the calculator, type 128*46, press Enter and read the result. Then write it into a new "
        "text file and save that as {home}/Documents/product.txt.",
    ),
    Task(
        "calculator-bill",
        'Add up the amounts in the open bill with the calculator and write the sum as a new line "total" at the end '
        "of the bill, like the other lines. Save it.",
        ("galculator", "mousepad"),
        _bill,
        lambda home: differs(home.lines("Documents/bill.txt")[2:], ["total 100"], "what comes last"),
        (
            on("galculator", 'press(["8", "6", ".", "4", "0", "+", "1", "3", ".", "6", "0", "enter"])'),
            on("org.xfce.mousepad", 'hotkey("ctrl", "end")', 'write(message="total 100")', 'hotkey("ctrl", "s")'),
        ),
        told="In the calculator, type 86.40+13.60 and press Enter. Then go to the text editor, press "
        'Ctrl+End, type "total 100" and save.',
    ),
    Task(
        "calculator-scientific",
        "Switch the calculator to scientific mode and close it.",
        ("galculator",),
        _calculator,
        lambda home: differs(_setting(home, "mode"), "1", "the mode"),
        (
            on(
                "galculator",
                'click(element="View")',
                'click(element="Scientific Mode")',
                'hotkey("ctrl", "q")',
            ),
        ),
        told="Choose View > Scientific Mode in the calculator and press Ctrl+Q.",
    ),
)
