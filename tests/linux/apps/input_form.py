"""A form whose every field can be asked for; run by the system's Python, which has GTK.

Writes one JSON object a line: first {"ready": ...}, then an answer for every line that it reads. "state" is
answered with all texts and events so far, "focus NAME" gives a field the keyboard, "hang SECONDS" freezes, "draw" puts
a picture on the clipboard, and "picture" is answered with the one that is there.
"""

from __future__ import annotations

import json
import random
import sys
import time
from typing import Any

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GdkPixbuf, GLib, Gtk  # type: ignore[import-not-found]  # noqa: E402

MODIFIERS = (
    (Gdk.ModifierType.CONTROL_MASK, "ctrl"),
    (Gdk.ModifierType.SHIFT_MASK, "shift"),
    (Gdk.ModifierType.MOD1_MASK, "alt"),
)
PRESSES = {
    Gdk.EventType.BUTTON_PRESS: "press",
    Gdk.EventType._2BUTTON_PRESS: "double",
    Gdk.EventType._3BUTTON_PRESS: "triple",
    Gdk.EventType.BUTTON_RELEASE: "release",
}

events: list[str] = []
keysyms: list[int] = []
moves: list[tuple[int, int, float]] = []
presses: list[int] = []
"""The X server's time of each, in milliseconds."""


def modifiers(state: Any) -> str:
    return "".join(f"{name}+" for mask, name in MODIFIERS if state & mask)


def on_key(window: Any, event: Any) -> bool:
    if event.type == Gdk.EventType.KEY_PRESS:
        events.append(modifiers(event.state) + Gdk.keyval_name(event.keyval))
        keysyms.append(event.keyval)
    return isinstance(window.get_focus(), Gtk.DrawingArea)  # the pad logs keys, and nothing else happens


def on_button(_widget: Any, event: Any) -> bool:
    if event.type == Gdk.EventType.BUTTON_PRESS:
        presses.append(event.time)
    events.append(
        f"{modifiers(event.state)}{PRESSES[event.type]} {event.button} at {event.x_root:.0f},{event.y_root:.0f}"
    )
    return False


def on_scroll(_widget: Any, event: Any) -> bool:
    events.append(f"scroll {event.direction.value_nick}")
    return False


def on_motion(_widget: Any, event: Any) -> bool:
    moves.append((int(event.x_root), int(event.y_root), time.monotonic()))
    return False


def build() -> tuple[Any, dict[str, Any], Any]:
    window = Gtk.Window(title="Form")
    window.move(0, 0)
    window.set_default_size(600, 500)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    view = Gtk.TextView()
    fields = {"entry": Gtk.Entry(), "password": Gtk.Entry(visibility=False), "view": view}
    fields |= {"limited": Gtk.Entry(max_length=5), "unpasteable": Gtk.Entry(), "completing": completing()}
    fields["unpasteable"].connect("paste-clipboard", lambda entry: entry.stop_emission_by_name("paste-clipboard"))
    pad = Gtk.DrawingArea(can_focus=True)
    pad.set_size_request(600, 200)
    pad.add_events(
        Gdk.EventMask.BUTTON_PRESS_MASK
        | Gdk.EventMask.BUTTON_RELEASE_MASK
        | Gdk.EventMask.SCROLL_MASK
        | Gdk.EventMask.POINTER_MOTION_MASK
    )
    pad.connect("realize", lambda area: area.get_window().set_event_compression(False))
    pad.connect("button-press-event", on_button)
    pad.connect("button-release-event", on_button)
    pad.connect("scroll-event", on_scroll)
    pad.connect("motion-notify-event", on_motion)
    for field in (pad, *fields.values()):
        box.pack_start(field, field is view, True, 0)
    fields["entry"].connect("activate", lambda _entry: events.append("activate"))
    window.add(box)
    window.connect("key-press-event", on_key)
    window.connect("destroy", Gtk.main_quit)
    return window, {**fields, "pad": pad}, pad


def completing() -> Any:
    words = Gtk.ListStore(str)
    words.append(["hello world"])
    completion = Gtk.EntryCompletion(model=words, inline_completion=True, popup_completion=False)
    completion.set_text_column(0)
    return Gtk.Entry(completion=completion)


def text_of(field: Any) -> str:
    if isinstance(field, Gtk.TextView):
        buffer = field.get_buffer()
        return str(buffer.get_text(buffer.get_start_iter(), buffer.get_end_iter(), True))
    return str(field.get_text()) if isinstance(field, Gtk.Entry) else ""


def selection_of(field: Any) -> list[int]:
    if isinstance(field, Gtk.TextView):
        buffer = field.get_buffer()
        bounds = buffer.get_selection_bounds()
        places = bounds or [buffer.get_iter_at_mark(buffer.get_insert())]
        return [place.get_offset() for place in places]
    if not isinstance(field, Gtk.Entry):
        return [0]
    return list(field.get_selection_bounds() or [field.get_position()])


def picture() -> Any:
    """Make a picture that is large however well it is packed."""
    noise = GLib.Bytes.new(random.Random(1).randbytes(500 * 400 * 3))
    return GdkPixbuf.Pixbuf.new_from_bytes(noise, GdkPixbuf.Colorspace.RGB, False, 8, 500, 400, 500 * 3)


def say(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def main() -> None:
    window, fields, pad = build()

    def answer(source: Any, _condition: Any) -> bool:
        command, _, argument = source.readline().strip().partition(" ")
        if command == "focus":
            fields[argument].grab_focus()
        elif command == "copy":
            Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).set_text(json.loads(argument), -1)
        elif command == "draw":
            Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).set_image(picture())
        elif command == "picture":
            found = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).wait_for_image()
            say({"same": bool(found) and found.get_pixels() == picture().get_pixels()})
            return True
        elif command == "hang":
            say({})
            time.sleep(float(argument))
            return True
        texts = {name: text_of(field) for name, field in fields.items()}
        selections = {name: selection_of(field) for name, field in fields.items()}
        happened = {"events": events, "keysyms": keysyms, "moves": moves, "presses": presses}
        say({"texts": texts, "selections": selections, **happened})
        return bool(command)

    def ready() -> bool:
        if window.is_active():
            x, y = pad.get_window().get_origin()[1:]
            say({"ready": [x, y]})
        return not window.is_active()

    GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, answer)
    GLib.timeout_add(5, ready)
    window.show_all()
    fields[sys.argv[1]].grab_focus()
    Gtk.main()


main()
