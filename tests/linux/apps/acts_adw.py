"""Rows of libadwaita that write down what becomes of them, a line `name=value` each: `acts_adw.py LOG`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Gtk", "4.0")
gi.require_version("Adw", "1")
from gi.repository import Adw, Gtk  # type: ignore[import-not-found]  # noqa: E402

LOG = Path(sys.argv[1])
FRUIT = ["Apple", "Banana", "Cherry", "Date"]


def log(name: str, value: object) -> None:
    with LOG.open("a") as file:
        file.write(f"{name}={value}\n")


def show(application: Any) -> None:
    window = Adw.ApplicationWindow(application=application, title="Acts Adw", default_width=420)
    group = Adw.PreferencesGroup()
    fruit = Adw.ComboRow(title="Fruit", model=Gtk.StringList.new(FRUIT))
    fruit.connect("notify::selected", lambda row, _: log("Fruit", row.get_selected_item().get_string()))
    group.add(fruit)
    sync = Adw.ActionRow(title="Sync")
    switch = Gtk.Switch(valign=Gtk.Align.CENTER)
    switch.connect("notify::active", lambda each, _: log("Sync", each.get_active()))
    sync.add_suffix(switch)
    group.add(sync)
    name = Adw.EntryRow(title="Name")
    name.connect("notify::text", lambda row, _: log("Name", row.get_text()))
    group.add(name)
    more = Adw.ExpanderRow(title="More")
    more.add_row(Adw.ActionRow(title="Inner"))
    more.connect("notify::expanded", lambda row, _: log("More", row.get_expanded()))
    group.add(more)
    window.set_content(group)
    window.present()


made = Adw.Application()
made.connect("activate", show)
made.run([])
