"""Very many rows, as a list of widgets or as a table; run by the system's Python, which has GTK."""

from __future__ import annotations

import sys

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402

kind, count = sys.argv[1], int(sys.argv[2])
window = Gtk.Window(title="Rows", default_width=400, default_height=300)
window.connect("destroy", Gtk.main_quit)
scrolled = Gtk.ScrolledWindow()
window.add(scrolled)
if kind == "table":
    rows = Gtk.ListStore(str, int)
    for number in range(count):
        rows.append([f"row {number} 😀", number])
    view = Gtk.TreeView(model=rows)
    for column, title in enumerate(("Name", "Number")):
        view.append_column(Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=column))
    view.set_cursor(Gtk.TreePath(count // 2))
else:
    view = Gtk.ListBox()
    for number in range(count):
        view.add(Gtk.Label(label=f"row {number} 😀"))
scrolled.add(view)
window.show_all()
if kind == "table":
    view.scroll_to_cell(Gtk.TreePath(count // 2), None, True, 0.5, 0)
Gtk.main()
