"""Five buttons of 12 x 12 pixels, far from each other; run by the system's Python. A label says which was hit."""

from __future__ import annotations

import gi  # type: ignore[import-not-found]  # the system's

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402  # after the version

STYLE = "button { min-width: 12px; min-height: 12px; padding: 0; border: none; background: rgb(200, 0, 40); }"
NAMES = ("Bold", "Italic", "Underline", "Strike", "Code")

window, said = Gtk.Window(title="Small"), Gtk.Label(label="none hit")
row = Gtk.Box(spacing=60, border_width=60)
for name in NAMES:
    button, paint = Gtk.Button(valign=Gtk.Align.CENTER), Gtk.CssProvider()
    paint.load_from_data(STYLE.encode())
    button.get_style_context().add_provider(paint, Gtk.STYLE_PROVIDER_PRIORITY_USER)
    button.get_accessible().set_name(name)
    button.connect("clicked", lambda _, name=name: said.set_text(f"{name} hit"))
    row.add(button)
row.add(said)
window.add(row)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
