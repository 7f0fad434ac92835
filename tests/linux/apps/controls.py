"""One of each kind of control; run by the system's Python, which has GTK. What was done is said by a label."""

from __future__ import annotations

import sys
from typing import Any

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402

window = Gtk.Window(title="Controls", default_width=420, default_height=200)
window.connect("destroy", Gtk.main_quit)
column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, border_width=8)
window.add(column)


def put(widget: Any) -> Any:
    column.pack_start(widget, False, False, 0)
    return widget


said = put(Gtk.Label(label="nothing yet"))
label = put(Gtk.Label.new_with_mnemonic("_Name:"))
name = put(Gtk.Entry())
label.set_mnemonic_widget(name)
put(Gtk.Entry(placeholder_text="Search here"))
secret = put(Gtk.Entry(visibility=False, text="geheim"))
text = put(Gtk.TextView())
put(Gtk.CheckButton(label="Tick"))
put(Gtk.Switch())
put(Gtk.ToggleButton(label="Bold"))
put(Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1))
put(Gtk.SpinButton.new_with_range(0, 100, 1))
colour = Gtk.ComboBoxText()
for option in ("Red", "Green", "Blue"):
    colour.append_text(option)
colour.set_active(0)
colour_label = put(Gtk.Label(label="Colour"))
colour_label.set_mnemonic_widget(colour)
put(colour)
put(Gtk.Button(tooltip_text="Save it"))
tabs = put(Gtk.Notebook())
for title in ("One", "Two"):
    tabs.append_page(Gtk.Label(label=f"page {title}"), Gtk.Label(label=title))

menu = Gtk.Menu()
for title in ("Alpha", "Beta"):
    item = Gtk.MenuItem(label=title)
    item.connect("activate", lambda _, title=title: said.set_text(f"{title} chosen"))
    menu.append(item)
menu.show_all()
more = Gtk.MenuItem(label="More")
more.set_submenu(menu)
bar = put(Gtk.MenuBar())
bar.append(more)

buttons = put(Gtk.Box())
ok = Gtk.Button(label="OK")
ok.connect("clicked", lambda _: said.set_text("OK pressed"))
buttons.pack_end(ok, False, False, 0)


def disorder(_: Any) -> None:
    cancel = Gtk.Button(label="Cancel", visible=True)
    cancel.connect("clicked", lambda _: said.set_text("Cancel pressed"))
    buttons.pack_start(cancel, False, False, 0)
    buttons.reorder_child(cancel, 0)
    said.set_text("disordered")


def remove(_: Any) -> None:
    ok.destroy()
    said.set_text("removed")


def ask(_: Any) -> None:
    dialog = Gtk.MessageDialog(transient_for=window, modal=True, buttons=Gtk.ButtonsType.YES_NO, text="Really?")
    said.set_text("yes" if dialog.run() == Gtk.ResponseType.YES else "no")
    dialog.destroy()


def churn(_: Any) -> None:
    for _count in range(30):
        dialog = Gtk.Dialog(transient_for=window, title="Brief")
        dialog.show_all()
        dialog.destroy()
    said.set_text("churned")


for title, act in (("Disorder", disorder), ("Remove", remove), ("Ask", ask), ("Churn", churn)):
    button = Gtk.Button(label=title)
    button.connect("clicked", act)
    buttons.pack_end(button, False, False, 0)

name.set_text(sys.argv[1] if len(sys.argv) > 1 else "")
window.show_all()
Gtk.main()
