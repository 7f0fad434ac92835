"""Controls of GTK 3 that write down what becomes of them; run by the system's Python, which has GTK.

`acts_gtk3.py LOG`: every change is appended to LOG as a line `name=value`. Some are traps: "Off" is disabled, "Dead"
and "Idle" do nothing, and "Bound", "Unwilling" and "Restless" are put back 0.3 s after they were changed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # type: ignore[import-not-found]  # noqa: E402

LOG = Path(sys.argv[1])
FRUIT = ("Apple", "Banana", "Cherry", "Date", "Elderberry")
TITLE = "Acts GTK"
PUT_BACK = 300


def log(name: str, value: object, *, when: object = True) -> None:
    if not when:
        return
    with LOG.open("a") as file:
        file.write(f"{name}={value}\n")


window = Gtk.Window(title=TITLE, default_width=760, default_height=640)
window.connect("destroy", Gtk.main_quit)
whole = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
window.add(whole)
bar = Gtk.MenuBar()
whole.pack_start(bar, False, False, 0)
columns = Gtk.Box(border_width=6, spacing=8)
whole.pack_start(columns, True, True, 0)
left, middle, right = (Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4) for _ in range(3))
for column in (left, middle, right):
    columns.pack_start(column, True, True, 0)


def menu(name: str, *items: Any) -> None:
    top, below = Gtk.MenuItem(label=name), Gtk.Menu()
    for item in items:
        below.append(item)
    top.set_submenu(below)
    bar.append(top)


def check_item(name: str) -> Any:
    item = Gtk.CheckMenuItem(label=name)
    item.connect("toggled", lambda each: log(name, each.get_active()))
    return item


def item(name: str) -> Any:
    made = Gtk.MenuItem(label=name)
    made.connect("activate", lambda _: log(name, "chosen"))
    return made


small = Gtk.RadioMenuItem(label="Small")
large = Gtk.RadioMenuItem(label="Large", group=small)
large.connect("toggled", lambda each: log("Large", each.get_active()))
menu("View", check_item("Ruler"), check_item("Grid"), Gtk.SeparatorMenuItem(), small, large)
menu("Edit", item("Refresh"), Gtk.MenuItem(label="Idle"), item("Remove Record…"))


def labelled(name: str, widget: Any, box: Any) -> Any:
    label = Gtk.Label(label=name, xalign=0)
    label.set_mnemonic_widget(widget)
    box.pack_start(label, False, False, 0)
    box.pack_start(widget, False, False, 0)
    return widget


def button(name: str, act: Any, kind: Any = Gtk.Button) -> Any:
    made = kind(label=name)
    made.connect("clicked", act)
    left.pack_start(made, False, False, 0)
    return made


said = Gtk.Label(label="nothing yet")


def went(_: Any) -> None:
    log("Go", "pressed")
    said.set_text("Go was pressed")


button("Go", went)
button("Dead", lambda _: None)
button("Off", lambda _: log("Off", "pressed")).set_sensitive(False)
left.pack_start(said, False, False, 0)
bold = Gtk.ToggleButton(label="Bold")
bold.connect("toggled", lambda each: log("Bold", each.get_active()))
left.pack_start(bold, False, False, 0)
wrap = Gtk.CheckButton(label="Wrap")
wrap.connect("toggled", lambda each: log("Wrap", each.get_active()))
left.pack_start(wrap, False, False, 0)


def put_back(widget: Any, name: str, value: Any, wanted: Any) -> None:
    log(name, value)
    if value != wanted:
        GLib.timeout_add(PUT_BACK, lambda: widget.set_property("active", wanted))


unwilling = Gtk.CheckButton(label="Unwilling")
unwilling.connect("toggled", lambda each: put_back(each, "Unwilling", each.get_active(), False))
left.pack_start(unwilling, False, False, 0)
restless = Gtk.ToggleButton(label="Restless")
restless.connect("toggled", lambda each: put_back(each, "Restless", each.get_active(), False))
slow = Gtk.Button(label="Slow")
slow.connect("clicked", lambda _: GLib.timeout_add(250, lambda: said.set_text("Slow came")))
more = Gtk.Expander(label="More", margin_start=4)
put_away = Gtk.Grid()
put_away.add(Gtk.Button(label="Put away"))
more.add(put_away)
shelf = Gtk.ScrolledWindow(min_content_height=60)
shelf.add(more)
more.connect("notify::expanded", lambda each, _: log("More", each.get_expanded()))
flow = Gtk.FlowBox()
for name in ("Oak", "Elm"):
    flow.add(Gtk.Label(label=name))
flow.connect(
    "selected-children-changed", lambda each: log("tree", each.get_selected_children()[0].get_child().get_text())
)
flow.get_accessible().set_name("Trees")
for widget in (restless, slow, shelf, flow):
    right.pack_start(widget, False, False, 0)
sync = Gtk.Switch(halign=Gtk.Align.START)
sync.connect("notify::active", lambda each, _: log("Sync", each.get_active()))
labelled("Sync", sync, left)
cash = Gtk.RadioButton(label="Cash")
card = Gtk.RadioButton(label="Card", group=cash)
for radio in (cash, card):
    radio.connect("toggled", lambda each: log("pay", each.get_label(), when=each.get_active()))
    left.pack_start(radio, False, False, 0)
fruit = labelled("Fruit", Gtk.ComboBoxText(), left)
city = labelled("City", Gtk.ComboBoxText.new_with_entry(), left)
for name in FRUIT:
    fruit.append_text(name)
for name in ("Athens", "Berlin", "Cairo"):
    city.append_text(name)
fruit.set_active(0)
fruit.connect("changed", lambda each: log("Fruit", each.get_active_text()))
city.connect("changed", lambda each: log("City", each.get_active_text()))
count = labelled("Count", Gtk.SpinButton.new_with_range(0, 100, 1), left)
count.connect("value-changed", lambda each: log("Count", f"{each.get_value():g}"))
level = labelled("Level", Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1), left)
level.connect("value-changed", lambda each: log("Level", f"{each.get_value():g}"))
bound = labelled("Bound", Gtk.SpinButton.new_with_range(0, 100, 1), left)
bound.set_value(10)


def bring_back(each: Any) -> None:
    log("Bound", f"{each.get_value():g}")
    if each.get_value() != 10:
        GLib.timeout_add(PUT_BACK, lambda: each.set_value(10))


bound.connect("value-changed", bring_back)

book = Gtk.Notebook()
for name in ("General", "Details", "About"):
    book.append_page(Gtk.Label(label=f"the page {name}"), Gtk.Label(label=name))
book.connect("switch-page", lambda _, _page, number: log("page", ("General", "Details", "About")[number]))
middle.pack_start(book, False, False, 0)
rooms = Gtk.ListBox()
for number in range(40):
    rooms.add(Gtk.Label(label=f"Room {number}", xalign=0))
rooms.connect("row-selected", lambda _, row: log("room", row and row.get_child().get_text(), when=row))
rooms.get_accessible().set_name("Rooms")
scrolled = Gtk.ScrolledWindow(vexpand=True)
scrolled.add(rooms)
middle.pack_start(scrolled, True, True, 0)

store = Gtk.TreeStore(str, bool, bool)
for number in range(30):
    parent = store.append(None, [f"Folder {number}", False, number == 2])
    for letter in "ab":
        store.append(parent, [f"File {number}{letter}", False, False])
tree = Gtk.TreeView(model=store)
tree.get_accessible().set_name("Files")
text, tick = Gtk.CellRendererText(), Gtk.CellRendererToggle()
tree.append_column(Gtk.TreeViewColumn("Name", text, text=0, editable=2))
tree.append_column(Gtk.TreeViewColumn("Keep", tick, active=1))


def ticked(_cell: Any, path: str) -> None:
    store[path][1] = not store[path][1]
    log(f"keep {store[path][0]}", store[path][1])


def renamed(_cell: Any, path: str, name: str) -> None:
    store[path][0] = name
    log("renamed", name)


tick.connect("toggled", ticked)
text.connect("edited", renamed)
tree.connect("row-expanded", lambda _, row, _path: log(f"expanded {store[row][0]}", True))
tree.connect("row-collapsed", lambda _, row, _path: log(f"expanded {store[row][0]}", False))


def chosen(selection: Any) -> None:
    _, row = selection.get_selected()
    if row:
        log("file", store[row][0])


tree.get_selection().connect("changed", chosen)
below = Gtk.ScrolledWindow(vexpand=True)
below.add(tree)
right.pack_start(below, True, True, 0)
window.show_all()
Gtk.main()
