"""An icon view of GTK 3 and a tool that only its holder describes; run by the system's Python, which has GTK."""

from __future__ import annotations

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Gtk", "3.0")
from gi.repository import GdkPixbuf, Gtk  # type: ignore[import-not-found]  # noqa: E402

window = Gtk.Window(title="Icons", default_width=400, default_height=200)
window.connect("destroy", Gtk.main_quit)
model = Gtk.ListStore(str, GdkPixbuf.Pixbuf)
picture = GdkPixbuf.Pixbuf.new(GdkPixbuf.Colorspace.RGB, False, 8, 32, 32)
picture.fill(0x2060A0FF)
for name in ("Letters", "Music"):
    model.append([name, picture])
tool = Gtk.ToolItem(tooltip_text="Paint with a brush")
tool.add(Gtk.ToggleButton(image=Gtk.Image.new_from_pixbuf(picture)))
bar = Gtk.Toolbar()
bar.add(tool)
parts = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
parts.add(bar)
parts.add(Gtk.IconView(model=model, text_column=0, pixbuf_column=1))
window.add(parts)
window.show_all()
Gtk.main()
