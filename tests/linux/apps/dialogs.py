"""A window that opens and closes thirty dialogs by itself, over and over; run by the system's Python, which has GTK."""

from __future__ import annotations

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # type: ignore[import-not-found]  # noqa: E402

MANY = 30
window = Gtk.Window(title="Dialogs", default_width=300, default_height=200)
window.connect("destroy", Gtk.main_quit)
window.add(Gtk.Button(label="Here"))
window.show_all()
opened: list[Gtk.Dialog] = []


def turn() -> bool:
    if len(opened) < MANY:
        dialog = Gtk.Dialog(title=f"Dialog {len(opened)}", transient_for=window)
        dialog.get_content_area().add(Gtk.Label(label=f"number {len(opened)}"))
        dialog.show_all()
        opened.append(dialog)
    else:
        while opened:
            opened.pop().destroy()
    return True


GLib.timeout_add(5, turn)
Gtk.main()
