"""A window that draws a text itself, which it tells nobody of, beside a button that it tells of."""

from __future__ import annotations

from typing import Any

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402

window = Gtk.Window(title="Drawn", default_width=420, default_height=240)
window.connect("destroy", Gtk.main_quit)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
window.add(box)
box.pack_start(Gtk.Button(label="Known button"), False, False, 0)


def draw(_: Any, paper: Any) -> None:
    paper.set_source_rgb(1, 1, 1)
    paper.paint()
    paper.set_source_rgb(0, 0, 0)
    paper.select_font_face("DejaVu Sans")
    paper.set_font_size(20)
    paper.move_to(40, 90)
    paper.show_text("Quarterly figures")


area = Gtk.DrawingArea(vexpand=True)
area.connect("draw", draw)
box.pack_start(area, True, True, 0)
window.show_all()
Gtk.main()
