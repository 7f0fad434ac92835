"""A window with one text field of a toolkit, which says when it holds what is expected and when it was pressed.

Run as `field.py gtk3`, `gtk4` or `qt5` by the system's Python. Reads one JSON value a line: a text empties the field
and says what is expected next, null asks for what it holds. Every answer is one line with `what` it is and `at`,
seconds of the monotonic clock: first "ready", then "cleared", "complete", "pressed" or "text".
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from typing import Any


class Reporter:
    """What is expected of the field, and what is told about it."""

    def __init__(self) -> None:
        self.expected: str | None = None

    def say(self, what: str, **more: object) -> None:
        print(json.dumps({"at": time.monotonic(), "what": what, **more}), flush=True)

    def changed(self, text: str) -> None:
        if text == self.expected:
            self.say("complete")

    def pressed(self) -> None:
        self.say("pressed")


def hear(reporter: Reporter, set_text: Callable[[str], None], text: Callable[[], str]) -> Callable[[str], None]:
    def answer(line: str) -> None:
        asked = json.loads(line)
        if asked is None:
            reporter.say("text", text=text())
            return
        reporter.expected = None
        set_text("")
        reporter.expected = asked
        reporter.say("cleared")

    return answer


def gtk3(reporter: Reporter) -> None:
    import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

    gi.require_version("Gtk", "3.0")
    from gi.repository import GLib, Gtk  # type: ignore[import-not-found]

    window = Gtk.Window(title="Field gtk3", default_width=800, default_height=600)
    view = Gtk.TextView()
    buffer = view.get_buffer()

    def text() -> str:
        return str(buffer.get_text(buffer.get_start_iter(), buffer.get_end_iter(), True))

    buffer.connect("changed", lambda _: reporter.changed(text()))
    view.connect("button-press-event", lambda *_: reporter.pressed())
    window.add(view)
    window.connect("destroy", Gtk.main_quit)
    window.show_all()
    view.grab_focus()
    listen(hear(reporter, buffer.set_text, text), GLib.idle_add)
    GLib.idle_add(lambda: reporter.say("ready"))
    Gtk.main()


def gtk4(reporter: Reporter) -> None:
    import gi

    gi.require_version("Gtk", "4.0")
    from gi.repository import GLib, Gtk

    window = Gtk.Window(title="Field gtk4", default_width=800, default_height=600)
    view = Gtk.TextView()
    buffer = view.get_buffer()

    def text() -> str:
        return str(buffer.get_text(buffer.get_start_iter(), buffer.get_end_iter(), True))

    buffer.connect("changed", lambda _: reporter.changed(text()))
    window.set_child(view)
    window.present()
    view.grab_focus()
    listen(hear(reporter, buffer.set_text, text), GLib.idle_add)
    GLib.idle_add(lambda: reporter.say("ready"))
    GLib.MainLoop().run()


def qt5(reporter: Reporter) -> None:
    from PyQt5.QtCore import QTimer, pyqtSignal  # type: ignore[import-not-found]
    from PyQt5.QtWidgets import QApplication, QMainWindow, QPlainTextEdit  # type: ignore[import-not-found]

    class Field(QPlainTextEdit):  # type: ignore[misc]
        heard = pyqtSignal(str)

        def mousePressEvent(self, event: Any) -> None:
            reporter.pressed()
            super().mousePressEvent(event)

    application = QApplication(sys.argv[:1])
    field = Field()
    window = QMainWindow()
    window.setWindowTitle("Field qt5")
    window.setCentralWidget(field)
    window.resize(800, 600)
    field.textChanged.connect(lambda: reporter.changed(field.toPlainText()))
    field.heard.connect(hear(reporter, field.setPlainText, field.toPlainText))
    window.show()
    field.setFocus()
    listen(field.heard.emit, lambda emit, line: emit(line))
    QTimer.singleShot(0, lambda: reporter.say("ready"))
    application.exec()


def listen(answer: Callable[[str], None], soon: Callable[..., object]) -> None:
    def read() -> None:
        for line in sys.stdin:
            soon(answer, line)

    threading.Thread(target=read, daemon=True).start()


TOOLKITS: dict[str, Callable[[Reporter], None]] = {"gtk3": gtk3, "gtk4": gtk4, "qt5": qt5}

if __name__ == "__main__":
    TOOLKITS[sys.argv[1]](Reporter())
