"""A GTK 3 window with switches: one that its label is tied to, one that is named, one with neither."""

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402

grid = Gtk.Grid(column_spacing=8, row_spacing=8)
for row, name in enumerate(("Wireless", "Lamp", "Sound")):
    label, switch = Gtk.Label(label=name), Gtk.Switch(active=row == 0)
    grid.attach(label, 0, row, 1, 1)
    grid.attach(switch, 1, row, 1, 1)
    if name == "Wireless":
        label.set_mnemonic_widget(switch)
    if name == "Lamp":
        switch.get_accessible().set_name("Light")
window = Gtk.Window(title="Switches")
window.add(grid)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
