"""Controls of GTK 4; run by the system's Python when it has GTK 4. What was done is said by a label."""

from __future__ import annotations

from typing import Any

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Gtk", "4.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402


def build(application: Any) -> None:
    window = Gtk.ApplicationWindow(application=application, title="Controls", default_width=400, default_height=500)
    column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
    said = Gtk.Label(label="nothing yet")
    name = Gtk.Entry()
    label = Gtk.Label(label="_Name:", use_underline=True, mnemonic_widget=name)
    ok = Gtk.Button(label="OK")
    ok.connect("clicked", lambda _: said.set_label("OK pressed"))
    rows = Gtk.ListBox()
    for number in range(60):
        rows.append(Gtk.Label(label=f"row {number}"))
    scrolled = Gtk.ScrolledWindow(vexpand=True, child=rows)
    for widget in (said, label, name, ok, Gtk.Switch(halign=Gtk.Align.START), scrolled):
        column.append(widget)
    column.insert_child_after(Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1), ok)
    column.insert_child_after(Gtk.DropDown.new_from_strings(["Red", "Green", "Blue"]), ok)
    shade = Gtk.DropDown.new_from_strings(["Light", "Dark"])
    for widget in (Gtk.Label(label="Shade", mnemonic_widget=shade), shade):
        column.append(widget)
    window.set_child(column)
    window.present()


application = Gtk.Application(application_id="org.example.Controls")
application.connect("activate", build)
application.run()
