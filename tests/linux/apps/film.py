"""A window with a film that goes on and on, a button that says something late, and one that does nothing."""

from __future__ import annotations

import itertools

import gi  # type: ignore[import-not-found]  # the system's Python has it

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # type: ignore[import-not-found]  # noqa: E402 -- as above, once it is required

window = Gtk.Window(title="Film", default_width=500, default_height=400)
column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
said = Gtk.Label(label="nothing yet")
late, inert = Gtk.Button(label="Late"), Gtk.Button(label="Inert")
film = Gtk.DrawingArea()
shades = itertools.count()


def paint(_: object, pen: object) -> None:
    pen.set_source_rgb(next(shades) % 50 / 50, 0.5, 0.5)  # type: ignore[attr-defined]  # cairo's
    pen.paint()  # type: ignore[attr-defined]  # cairo's


def go_on() -> bool:
    film.queue_draw()
    return True


late.connect("clicked", lambda _: GLib.timeout_add(120, lambda: said.set_text(said.get_text() + "!")))
film.connect("draw", paint)
GLib.timeout_add(40, go_on)
for widget in (said, late, inert):
    column.pack_start(widget, False, False, 0)
column.pack_start(film, True, True, 0)
window.add(column)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
