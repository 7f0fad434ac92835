"""Pages of GTK 4 of which one is in front; run by the system's Python when it has GTK 4."""

from __future__ import annotations

from typing import Any

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Gtk", "4.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402


def build(application: Any) -> None:
    window = Gtk.ApplicationWindow(application=application, title="Pages", default_width=300, default_height=200)
    column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    stack = Gtk.Stack(vexpand=True)
    for title in ("One", "Two"):
        page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        page.append(Gtk.Button(label=f"On page {title}"))
        stack.add_titled(page, title, title)
        button = Gtk.Button(label=f"Show {title}")
        button.connect("clicked", lambda _, title=title: stack.set_visible_child_name(title))
        column.append(button)
    column.append(stack)
    window.set_child(column)
    window.present()


application = Gtk.Application(application_id="org.example.Pages")
application.connect("activate", build)
application.run()
