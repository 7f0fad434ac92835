"""A player as GTK 4 applications are: menus behind buttons, a window of settings longer than itself.

Its first argument is a file: what has been done stands there as JSON, so that a test need not trust the screen.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, Gtk  # type: ignore[import-not-found]  # noqa: E402

STATE = Path(sys.argv[1])
state: dict[str, Any] = {}


def keep(name: str, value: Any) -> None:
    state[name] = value
    whole = STATE.with_suffix(".new")
    whole.write_text(json.dumps(state))
    whole.rename(STATE)


def line(text: str, widget: Any) -> Any:
    box = Gtk.Box(spacing=12)
    box.append(Gtk.Label(label=text, hexpand=True, xalign=0))
    box.append(widget)
    return box


def settings(window: Any) -> None:
    column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=12)
    for number in range(16):
        column.append(line(f"Setting {number}", Gtk.Switch(valign=Gtk.Align.CENTER)))
    night = Gtk.Switch(valign=Gtk.Align.CENTER)
    night.connect("notify::active", lambda s, _: keep("Night Light", s.get_active()))
    column.append(line("Night Light", night))
    scrolled = Gtk.ScrolledWindow(child=column, vexpand=True)
    dialog = Gtk.Window(title="Preferences", transient_for=window, modal=True, default_width=320, default_height=300)
    dialog.set_child(scrolled)
    dialog.present()
    keep("settings", "open")
    dialog.connect("close-request", lambda _: keep("settings", "closed"))


def menus(window: Any, bar: Any) -> None:
    main = Gio.Menu()
    main.append("Preferences", "win.settings")
    bar.pack_end(Gtk.MenuButton(icon_name="open-menu-symbolic", menu_model=main, tooltip_text="Main menu"))
    modes = Gio.Menu()
    for mode in ("Basic", "Expert", "Karaoke"):
        modes.append(mode, f"win.mode::{mode}")
    bar.pack_start(Gtk.MenuButton(label="Basic", menu_model=modes))
    opening = Gio.SimpleAction.new("settings", None)
    opening.connect("activate", lambda *_: settings(window))
    mode_action = Gio.SimpleAction.new_stateful("mode", GLib.VariantType("s"), GLib.Variant("s", "Basic"))

    def choose(action: Any, mode: Any) -> None:
        action.set_state(mode)
        keep("mode", mode.get_string())

    mode_action.connect("activate", choose)
    window.add_action(opening)
    window.add_action(mode_action)


def build(application: Any) -> None:
    window = Gtk.ApplicationWindow(application=application, title="Player", default_width=460, default_height=240)
    bar = Gtk.HeaderBar()
    window.set_titlebar(bar)
    menus(window, bar)
    column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
    column.append(Gtk.Button(label="Ignore Me"))
    window.set_child(column)
    window.present()
    keep("open", True)


application = Gtk.Application(application_id="org.example.Player")
application.connect("activate", build)
application.run()
