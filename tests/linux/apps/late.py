"""A window that shows a spinner, and after as many seconds as are said a form above it, which logs what is pressed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # type: ignore[import-not-found]  # noqa: E402

TITLE, DELAY, LOG = sys.argv[1], float(sys.argv[2]), Path(sys.argv[3])
window = Gtk.Window(title=TITLE, default_width=360)
window.connect("destroy", Gtk.main_quit)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
window.add(box)
spinner = Gtk.Spinner(active=True, width_request=40, height_request=40)
box.pack_end(spinner, False, False, 0)


def log(button: Any) -> None:
    with LOG.open("a") as file:
        file.write(f"{TITLE}={button.get_label()}\n")


def fill() -> None:
    """Put the form up a row at a time, so that it moves while it comes."""
    for number in range(12):
        button = Gtk.Button(label="Save" if number == 9 else f"Choice {number}")
        button.connect("clicked", log)
        box.pack_start(button, False, False, 0)
        button.show()
        while Gtk.events_pending():
            Gtk.main_iteration()


GLib.timeout_add(int(1000 * DELAY), fill)
window.show_all()
Gtk.main()
