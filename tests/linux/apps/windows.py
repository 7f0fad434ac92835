"""An application with several windows; run by the system's Python, which has GTK.

`windows.py LOG`: every key and button that reaches one is appended to LOG as a line.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # type: ignore[import-not-found]  # noqa: E402

LOG = Path(sys.argv[1])
opened: dict[str, Any] = {}


def log(line: str) -> None:
    with LOG.open("a") as file:
        file.write(line + "\n")


def open_window(title: str) -> None:
    window = Gtk.Window(title=title)
    opened[title] = window
    column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, border_width=12, spacing=12)
    acts = {"More": lambda: open_window("Second"), "Leave": opened["First"].destroy, "Ask": lambda: ask(window)}
    for name, act in acts.items():
        button = Gtk.Button(label=f"{name} of {title}")
        button.connect("clicked", pressed, f"{name} of {title}", act)
        column.pack_start(button, False, False, 0)
    window.add(column)
    window.connect("key-press-event", lambda _, event: log(f"{title}: {Gdk.keyval_name(event.keyval)}"))
    window.connect("destroy", closed, title)
    window.show_all()


def pressed(_button: Any, name: str, act: Any) -> None:
    log(name)
    act()


def ask(window: Any) -> None:
    """Cover a window with a dialog of its own."""
    dialog = Gtk.Dialog(title="Question", transient_for=window, default_width=500, default_height=400)
    dialog.add_button("Well", Gtk.ResponseType.OK)
    dialog.show_all()


def closed(_window: Any, title: str) -> None:
    del opened[title]
    if not opened:
        Gtk.main_quit()


open_window("First")
Gtk.main()
