"""A form with one of everything; run by the system's Python, which has GTK.

Its first argument is a file: what has been done stands there as JSON, so that a test need not trust the screen.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # type: ignore[import-not-found]  # noqa: E402

STATE = Path(sys.argv[1])
state: dict[str, Any] = {"clicked": []}


def keep(name: str, value: Any) -> None:
    state[name] = value
    whole = STATE.with_suffix(".new")
    whole.write_text(json.dumps(state))
    whole.rename(STATE)


def clicked(name: str) -> None:
    keep("clicked", [*state["clicked"], name])
    status.set_text(f"{name} clicked, {len(state['clicked'])} in all")


def activated(name: str) -> None:
    keep("activated", name)
    keep("activations", state.get("activations", 0) + 1)
    status.set_text(f"{name} activated, {state['activations']} in all")


def labelled(grid: Any, row: int, text: str, widget: Any) -> Any:
    label = Gtk.Label(label=text, xalign=0)
    grid.attach(label, 0, row, 1, 1)
    grid.attach(widget, 1, row, 1, 1)
    if row % 2 == 0:  # every other label is not tied to its field, as in many real forms
        label.set_mnemonic_widget(widget)
    return widget


def check(text: str, box: Any, active: bool = False) -> Any:
    button = Gtk.CheckButton(label=text, active=active)
    button.connect("toggled", lambda b: keep(text, b.get_active()))
    box.add(button)
    return button


def push(text: str, box: Any) -> Any:
    button = Gtk.Button(label=text)
    button.connect("clicked", lambda _: clicked(text))
    box.add(button)
    return button


def menus(window: Any) -> Any:
    bar = Gtk.MenuBar()
    for title, items in (
        ("_File", ("_New Order", "_Export Order…", "_Quit Form")),
        ("_View", ("[_Details]", "Zoom >In,Out,Normal Size")),
        ("_Help", ("_About This Form",)),
    ):
        menu = Gtk.Menu()
        for text in items:
            menu.append(menu_item(text))
        top = Gtk.MenuItem.new_with_mnemonic(title)
        top.set_submenu(menu)
        bar.append(top)
    del window
    return bar


def menu_item(text: str) -> Any:
    name = text.strip("[]").replace("_", "")
    if text.startswith("["):
        item = Gtk.CheckMenuItem.new_with_mnemonic(text.strip("[]"))
        item.connect("toggled", lambda i: keep(name, i.get_active()))
        return item
    if ">" in text:
        title, _, inner = text.partition(" >")
        item, menu = Gtk.MenuItem(label=title), Gtk.Menu()
        for each in inner.split(","):
            menu.append(menu_item(each))
        item.set_submenu(menu)
        return item
    item = Gtk.MenuItem.new_with_mnemonic(text)
    item.connect("activate", lambda _: about() if "About" in name else clicked(name))
    return item


def about() -> None:
    dialog = Gtk.MessageDialog(transient_for=window, modal=True, buttons=Gtk.ButtonsType.OK, text="Order Form 1.0")
    keep("about", "open")
    dialog.run()
    dialog.destroy()
    keep("about", "closed")


def general() -> Any:
    grid = Gtk.Grid(row_spacing=4, column_spacing=8, border_width=8)
    for row, text in enumerate(("Full name:", "E-mail:", "Phone:")):
        entry = labelled(grid, row, text, Gtk.Entry())
        entry.connect("changed", lambda e, text=text: keep(text, e.get_text()))
        entry.connect("activate", lambda _, text=text: keep("entered", text))
    quantity = labelled(grid, 3, "Quantity", Gtk.SpinButton.new_with_range(1, 20, 1))
    quantity.connect("value-changed", lambda s: keep("Quantity", s.get_value()))
    colour = labelled(grid, 4, "Colour", Gtk.ComboBoxText())
    for option in ("Red", "Green", "Dark Blue"):
        colour.append_text(option)
    colour.set_active(0)
    colour.connect("changed", lambda c: keep("Colour", c.get_active_text()))
    volume = labelled(grid, 5, "Volume", Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1))
    volume.connect("value-changed", lambda s: keep("Volume", s.get_value()))
    sizes = Gtk.Box(spacing=6)
    first = None
    for text in ("Small", "Medium", "Large"):
        first = first or Gtk.RadioButton(label=text)
        radio = first if text == "Small" else Gtk.RadioButton(label=text, group=first)
        radio.connect("toggled", lambda r, text=text: keep("Size", text) if r.get_active() else None)
        sizes.add(radio)
    labelled(grid, 6, "Size", sizes)
    notes = Gtk.TextView(height_request=60)
    buffer = notes.get_buffer()
    buffer.connect("changed", lambda b: keep("Comments", b.get_text(*b.get_bounds(), True)))
    labelled(grid, 7, "Comments", notes)
    return grid


def advanced() -> Any:
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, border_width=8)
    check("Verbose logging", box)
    check("Autosave", box, active=True)
    switch = Gtk.Switch(halign=Gtk.Align.START)
    switch.connect("notify::active", lambda s, _: keep("Express", s.get_active()))
    row = Gtk.Box(spacing=8)
    row.add(Gtk.Label(label="Express delivery"))
    row.add(switch)
    box.add(row)
    stubborn = Gtk.CheckButton(label="Stubborn")
    stubborn.connect("toggled", lambda b: GLib.idle_add(b.set_active, False))
    box.add(stubborn)
    return box


def goods() -> Any:
    rows = Gtk.ListBox()
    for text in ("Apple", "Banana", "Cherry", *(f"Item {n}" for n in range(1, 60))):
        rows.add(Gtk.Label(label=text, xalign=0))
    rows.connect("row-selected", lambda _, row: keep("chosen", row.get_child().get_text() if row else None))
    rows.connect("row-activated", lambda _, row: activated(row.get_child().get_text()))
    scrolled = Gtk.ScrolledWindow(height_request=120, min_content_width=200)
    scrolled.add(rows)
    return scrolled


def later(_: Any) -> None:
    def show() -> bool:
        result.set_text("Done")
        total.set_text("Total: 42.50 EUR")
        return False

    result.set_text("Working…")
    GLib.timeout_add(900, show)


window = Gtk.Window(title="Order Form", default_width=560)
window.connect("destroy", Gtk.main_quit)
column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4)
window.add(column)
status = Gtk.Label(label="ready", xalign=0)
column.add(menus(window))
tabs = Gtk.Notebook()
for title, page in (("General", general()), ("Advanced", advanced()), ("Goods", goods())):
    tabs.append_page(page, Gtk.Label(label=title))
tabs.connect("switch-page", lambda _, __, number: keep("tab", number))
column.add(tabs)
two = Gtk.Box(spacing=6, border_width=6)
for place in ("Billing", "Delivery"):
    frame = Gtk.Frame(label=place)
    inner = Gtk.Box(spacing=4)
    remove = Gtk.Button(label="Edit")
    remove.connect("clicked", lambda _, place=place: clicked(f"Edit {place}"))
    inner.add(remove)
    frame.add(inner)
    two.add(frame)
check("Subscribe to news", two)
check("Gift wrap", two)
column.add(two)
buttons = Gtk.Box(spacing=6, border_width=6)
calculate = Gtk.Button(label="Calculate")
calculate.connect("clicked", later)
buttons.add(calculate)
push("Save Draft", buttons)
push("Place Order", buttons).set_sensitive(False)
push("Cancel", buttons)
result, total = Gtk.Label(label="idle"), Gtk.Label(label="")
for label in (result, total):
    buttons.add(label)
column.add(buttons)
column.add(status)
keep("open", True)
window.show_all()
Gtk.main()
