"""Very many rows: a list, a table, or labels that are scrolled to their middle; run by the system's Python."""

from __future__ import annotations

import sys

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # type: ignore[import-not-found]  # noqa: E402

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
elif kind == "labels":
    view = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    for number in range(count):
        view.add(Gtk.Label(label=f"row {number} 😀"))
else:
    view = Gtk.ListBox()
    for number in range(count):
        view.add(Gtk.Label(label=f"row {number} 😀"))
scrolled.add(view)
window.show_all()
if kind == "table":
    view.scroll_to_cell(Gtk.TreePath(count // 2), None, True, 0.5, 0)
if kind == "labels":
    middle = scrolled.get_vadjustment()
    GLib.idle_add(lambda: middle.set_value(middle.get_upper() / 2), priority=GLib.PRIORITY_LOW)
Gtk.main()
