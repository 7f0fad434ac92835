"""A window that opens, hides and closes another one; run by the system's Python, which has GTK."""

from __future__ import annotations

from typing import Any

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402

opened: list[Any] = []


def column_of(title: str, names: list[str]) -> Any:
    window = Gtk.Window(title=title)
    column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for name in names:
        button = Gtk.Button(label=name)
        button.connect("clicked", pressed, name)
        column.pack_start(button, False, False, 0)
    window.add(column)
    window.show_all()
    return window


def pressed(_button: Any, name: str) -> None:
    match name:
        case "Open":
            opened.append(column_of("Second", [f"B{number}" for number in range(20)]))
        case "Hide":
            opened[-1].hide()
        case "Show":
            opened[-1].show()
        case "Close":
            opened.pop().destroy()


column_of("First", ["Open", "Hide", "Show", "Close"]).connect("destroy", Gtk.main_quit)
Gtk.main()
