"""A form that writes down what really happens to it; run by the system's Python, which has GTK.

`form.py TITLE LOG [shout] [strict]`: every event that reaches a control is appended to LOG as a line. With `shout` the
fields make capitals of what is entered, with `strict` they are empty again 0.3 seconds later.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # type: ignore[import-not-found]  # noqa: E402

TITLE, LOG = sys.argv[1], Path(sys.argv[2])
window = Gtk.Window(title=TITLE, default_width=500, default_height=640)
window.connect("destroy", Gtk.main_quit)
columns = Gtk.Box(border_width=6, spacing=6)
window.add(columns)
left, right = (Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4) for _ in range(2))
columns.pack_start(left, True, True, 0)
columns.pack_start(right, True, True, 0)
said = Gtk.Label(label="nothing yet")
left.pack_start(said, False, False, 0)


def log(line: str) -> None:
    with LOG.open("a") as file:
        file.write(line + "\n")


def say(line: str) -> None:
    log(line)
    said.set_text(line)


def button(name: str, act: Any = None, box: Any = left) -> Any:
    made = Gtk.Button(label=name)
    if act:
        made.connect("clicked", lambda _: act(name))
    box.pack_start(made, False, False, 0)
    return made


def labelled(name: str, widget: Any) -> Any:
    label = Gtk.Label.new_with_mnemonic(name)
    label.set_mnemonic_widget(widget)
    right.pack_start(label, False, False, 0)
    right.pack_start(widget, False, False, 0)
    return widget


def ask(_name: str) -> None:
    dialog = Gtk.Dialog(title="Question", transient_for=window, modal=True)
    dialog.add_buttons("Yes", Gtk.ResponseType.YES, "No", Gtk.ResponseType.NO)
    dialog.get_content_area().add(Gtk.Label(label="Really?"))

    def answered(_dialog: Any, answer: int) -> None:
        say(f"answered {int(answer)}")
        dialog.destroy()

    dialog.connect("response", answered)
    dialog.show_all()


def insert(_name: str) -> None:
    new = Gtk.Button(label="New")
    new.connect("clicked", lambda _: say("New"))
    row.pack_start(new, True, True, 0)
    row.reorder_child(new, 0)
    new.show()


def later(_name: str) -> None:
    GLib.timeout_add(250, lambda: off.set_sensitive(True))


def spin(_name: str) -> None:
    spinner.show()
    spinner.start()


row = Gtk.Box()
left.pack_start(row, False, False, 0)
ok = button("OK", say, row)
cancel = button("Cancel", say, row)
button("Insert", insert)
button("Remove", lambda _: ok.destroy())
button("Dead")
button("Ask", ask)
button("Hang", lambda _: time.sleep(8))
button("Later", later)
off = button("Off", say)
off.set_sensitive(False)
spinner = Gtk.Spinner(no_show_all=True)
button("Spin", spin)
left.pack_start(spinner, False, False, 0)

pad = Gtk.DrawingArea()
pad.set_size_request(200, 120)
pad.add_events(Gdk.EventMask.BUTTON_PRESS_MASK | Gdk.EventMask.BUTTON_RELEASE_MASK | Gdk.EventMask.BUTTON_MOTION_MASK)
pad.get_accessible().set_name("Pad")


def on_button(_widget: Any, event: Any) -> bool:
    kinds = {Gdk.EventType.BUTTON_PRESS: "press", Gdk.EventType.BUTTON_RELEASE: "release"}
    kinds[Gdk.EventType._2BUTTON_PRESS] = "double"
    modifier = "shift+" if event.state & Gdk.ModifierType.SHIFT_MASK else ""
    say(f"{modifier}{kinds.get(event.type, 'more')} {event.button} at {event.x:.0f},{event.y:.0f}")
    return True


pad.connect("button-press-event", on_button)
pad.connect("button-release-event", on_button)
pad.connect("motion-notify-event", lambda _, event: log(f"motion {event.x:.0f},{event.y:.0f}"))
left.pack_start(pad, False, False, 0)

for place, shown in (("_First", True), ("_Second", True), ("_Password", False)):
    entry = labelled(place, Gtk.Entry(visibility=shown))
    entry.connect("changed", lambda each, name=place[1:]: log(f"{name}={each.get_text()}"))
    if "shout" in sys.argv:
        entry.connect("changed", lambda each: each.set_text(each.get_text().upper()))
    if "strict" in sys.argv:
        entry.connect("changed", lambda each: GLib.timeout_add(300, lambda: each.set_text("")))
    entry.connect("activate", lambda _, name=place[1:]: say(f"{name} entered"))
tick = Gtk.CheckButton(label="Tick")
tick.connect("toggled", lambda each: say(f"tick {each.get_active()}"))
right.pack_start(tick, False, False, 0)
labelled("_Level", Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1)).connect(
    "value-changed", lambda each: log(f"level {each.get_value():g}")
)
labelled("_Count", Gtk.SpinButton.new_with_range(0, 100, 1)).connect(
    "value-changed", lambda each: log(f"count {each.get_value():g}")
)
colours = Gtk.ComboBoxText()
for name in ("Red", "Green", "Blue"):
    colours.append_text(name)
colours.set_active(0)
labelled("C_olour", colours).connect("changed", lambda each: log(f"colour {each.get_active_text()}"))

rows = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
for number in range(1, 61):
    button(f"Row {number}", say, rows)
scrolled = Gtk.ScrolledWindow()
scrolled.add(rows)
scrolled.get_vadjustment().connect("value-changed", lambda each: log(f"scrolled {each.get_value():.0f}"))
right.pack_start(scrolled, True, True, 0)

window.show_all()
Gtk.main()
