"""A window with menus of items that tick and of one that does nothing; run by the system's Python, which has GTK."""

from __future__ import annotations

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402

window = Gtk.Window(title="Menus", default_width=400, default_height=300)
window.connect("destroy", Gtk.main_quit)
bar = Gtk.MenuBar()
head = Gtk.MenuItem(label="View")
menu = Gtk.Menu()
head.set_submenu(menu)
bar.append(head)
for item in (Gtk.CheckMenuItem(label="Numbers"), Gtk.MenuItem(label="Nothing")):
    menu.append(item)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
box.pack_start(bar, False, False, 0)
window.add(box)
window.show_all()
Gtk.main()
