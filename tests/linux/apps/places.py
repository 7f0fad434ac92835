"""Twenty buttons of different colours, in GTK 3, GTK 4 or Qt 5; run by the system's Python. A label counts those hit.

`places.py gtk3|gtk3-header|gtk4|qt5`; button N has the colour (N * 12, 255 - N * 12, 40).
"""

from __future__ import annotations

import sys
from typing import Any

COLUMNS, COUNT = 4, 20
kind = sys.argv[1]
hit: set[int] = set()


def style(number: int) -> str:
    return f"background: rgb({number * 12}, {255 - number * 12}, 40); border: none; padding: 6px 20px;"


def count(number: int) -> str:
    hit.add(number)
    return f"{len(hit)} of {COUNT} hit"


def show_qt() -> None:
    from PyQt5.QtWidgets import (  # type: ignore[import-not-found]  # of one toolkit only
        QApplication,
        QGridLayout,
        QLabel,
        QPushButton,
        QWidget,
    )

    application = QApplication([])
    window, grid, said = QWidget(), QGridLayout(), QLabel("none hit")
    window.setWindowTitle("Places")
    for number in range(COUNT):
        button = QPushButton(f"Place {number}")
        button.setStyleSheet(style(number))
        button.clicked.connect(lambda _, number=number: said.setText(count(number)))
        grid.addWidget(button, number // COLUMNS, number % COLUMNS)
    grid.addWidget(said, COUNT, 0)
    window.setLayout(grid)
    window.show()
    application.exec()


def show_gtk(version: str) -> None:
    import gi  # type: ignore[import-not-found]  # of one toolkit only

    gi.require_version("Gtk", version)
    from gi.repository import Gtk  # type: ignore[import-not-found]

    application = Gtk.Application(application_id="org.example.Places")
    application.connect("activate", lambda application: fill(Gtk, Gtk.ApplicationWindow(application=application)))
    application.run()


def fill(gtk: Any, window: Any) -> None:
    window.set_title("Places")
    if kind == "gtk3-header":
        window.set_titlebar(gtk.HeaderBar(title="Places", show_close_button=True))
    grid, said = gtk.Grid(), gtk.Label(label="none hit")
    if kind == "gtk4":
        window.set_titlebar(gtk.HeaderBar())  # and a border of its own with it
    if kind == "gtk3":
        within = gtk.Button(label="Within", visible=True)
        within.connect("clicked", lambda _: within.set_label("Found within"))
        more = gtk.MenuButton(label="More", popover=gtk.Popover(child=within))
        grid.attach(more, 0, COUNT + 1, 1, 1)
    for number in range(COUNT):
        button = gtk.Button(label=f"Place {number}")
        paint = gtk.CssProvider()
        paint.load_from_data(f"button {{ {style(number)} border-radius: 0; box-shadow: none; }}".encode())
        button.get_style_context().add_provider(paint, 800)
        button.connect("clicked", lambda _, number=number: said.set_text(count(number)))
        grid.attach(button, number % COLUMNS, number // COLUMNS, 1, 1)
    grid.attach(said, 0, COUNT, COLUMNS, 1)
    window.set_child(grid) if kind == "gtk4" else window.add(grid)
    window.show() if kind == "gtk4" else window.show_all()


if kind == "qt5":
    show_qt()
else:
    show_gtk("4.0" if kind == "gtk4" else "3.0")
