"""How what is copied goes from the owner of a selection to whoever asks for it (ICCCM 2), both ways."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple

import xcffib
import xcffib.xproto

from deskhand.devices.linux.x11.asking import names_of, numbers
from deskhand.devices.linux.x11.display import Display

_PIECE = 128 * 1024
"""Bytes handed over at once; what is longer goes in pieces (INCR)."""
_MOST = 64 << 20
"""Bytes above which something copied is not kept."""

_READ_TARGETS = ("UTF8_STRING", "text/plain;charset=utf-8", "STRING")
_UTF8_TARGETS = ("UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "TEXT")
_RICH_TARGETS = (
    "text/html",
    "text/rtf",
    "application/rtf",
    "text/uri-list",
    "x-special/gnome-copied-files",
    "application/x-kde-cutselection",
)
_ABOUT = ("TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE", "INSERT_SELECTION", "INSERT_PROPERTY")
"""Targets that are no content; asking for some of them has effects."""
_MOST_TARGETS = 200
_OTHERS = 2
"""How many targets are taken of what is copied in none of the ways above."""

_NAMES = (*_UTF8_TARGETS, *_READ_TARGETS, *_ABOUT, "ATOM", "INTEGER", "INCR")
_CHANGE_PROPERTY = 18
_PROPERTY_CHANGE = xcffib.xproto.EventMask.PropertyChange


class Form(NamedTuple):
    """What was copied, in one of the ways it can be had."""

    kind: int
    """The atom of its type."""
    bits: int
    """Of one of its units: 8, 16 or 32."""
    data: bytes


Content = Mapping[int, Form]
"""What was copied, by the atoms of the targets it can be had as."""


class Kept(NamedTuple):
    """What was found on a clipboard."""

    content: Content | None = None
    """None when it is empty, or nothing of it could be had."""
    text: str | None = None
    """The text in it; None when there is none."""
    lost: str = ""
    """What is on it though nothing of it could be had: its kinds."""


def content_of(display: Display, text: str) -> Content:
    """Give a text in all the ways in which programs ask for one."""
    string, utf8, *others = display.atoms("STRING", *_UTF8_TARGETS)
    text_target = display.atom("TEXT")
    data = text.encode()
    forms = {target: Form(utf8 if target == text_target else target, 8, data) for target in (utf8, *others)}
    latin = text.encode("latin-1", "ignore")
    return {**forms, string: Form(string, 8, latin)} if len(latin) == len(text) else forms


def text_of(display: Display, content: Content | None) -> str | None:
    """Give the text there is in what was copied."""
    targets = display.atoms(*_READ_TARGETS)
    target = next((target for target in targets if content and target in content), None)
    if content is None or target is None:
        return None
    return content[target].data.decode("latin-1" if target == targets[-1] else "utf-8", "replace")


class Sender:
    """Answers requests for what we own.

    `on_taking` is told the window that gets the last of it, just before: what its program does next must find that
    counted. What it gives is called when all is sent.
    """

    def __init__(self, display: Display, on_taking: Callable[[int], Callable[[], None]]) -> None:
        self._core = display.conn.core
        self._atom = dict(zip(_NAMES, display.atoms(*_NAMES), strict=True))
        self._on_taking = on_taking
        self._under_way: dict[tuple[int, int], tuple[Form, Iterator[bytes]]] = {}

    def answer(self, request: Any, content: Content | None, since: int) -> None:
        """Hand over what is asked for, or say that we cannot."""
        place = request.requestor, request.property or request.target  # older clients name no property
        form = content.get(request.target) if content else None
        sent = None
        if form is not None:
            sent = self._hand_over(place, form)
        elif content is not None and request.target == self._atom["TARGETS"]:
            offered = (self._atom["TARGETS"], self._atom["TIMESTAMP"], *content)
            self._put(place, Form(self._atom["ATOM"], 32, struct.pack(f"={len(offered)}I", *offered)))
        elif content is not None and request.target == self._atom["TIMESTAMP"]:
            self._put(place, Form(self._atom["INTEGER"], 32, struct.pack("=I", since)))
        else:
            place = request.requestor, 0
        notice = struct.pack(
            "=BxHIIIIIxxxxxxxx", 31, 0, request.time, request.requestor, request.selection, request.target, place[1]
        )
        self._core.SendEvent(False, request.requestor, 0, notice)
        if sent:
            sent()

    def go_on(self, window: int, prop: int) -> None:
        """Send the next piece: the last one has been fetched."""
        if (window, prop) not in self._under_way:
            return
        form, pieces = self._under_way[window, prop]
        piece = next(pieces)
        if piece:
            self._put((window, prop), form._replace(data=piece))
            return
        del self._under_way[window, prop]  # the empty one is the end
        self._listen(window, 0)
        sent = self._on_taking(window)
        self._put((window, prop), form._replace(data=piece))
        sent()

    def _hand_over(self, place: tuple[int, int], form: Form) -> Callable[[], None] | None:
        """Put it where it is awaited; give what is to be called when that has been told, None if more follows."""
        if len(form.data) <= _PIECE:
            sent = self._on_taking(place[0])
            self._put(place, form)
            return sent
        self._under_way[place] = form, _pieces(form.data)
        self._listen(place[0], _PROPERTY_CHANGE)
        self._put(place, Form(self._atom["INCR"], 32, struct.pack("=I", len(form.data))))
        return None

    def _put(self, place: tuple[int, int], form: Form) -> None:
        window, prop = place
        units = len(form.data) * 8 // form.bits
        head = struct.pack("=xB2xIIIB3xI", 0, window, prop, form.kind, form.bits, units)
        # By hand, since the binding packs data one byte at a time.
        self._core.send_request(_CHANGE_PROPERTY, io.BytesIO(head + form.data))

    def _listen(self, window: int, mask: int) -> None:
        self._core.ChangeWindowAttributes(window, xcffib.xproto.CW.EventMask, [mask])


class Reader:
    """Asks the owner of the clipboard for what was copied; `answer` gets it."""

    def __init__(self, display: Display, window: int, when: int, answer: Future[Kept]) -> None:
        self._display = display
        self._core = display.conn.core
        self._window = window
        self._when = when
        self._answer = answer
        self._offered: Sequence[int] = ()
        self._found: dict[int, Form] = {}
        self._asked = 0
        self._pieces: list[bytes] | None = None
        self._targets = [display.atom("TARGETS")]
        self._ask()

    def hear(self, notice: Any) -> None:
        """Take the owner's answer."""
        if self._answer.done() or notice.time != self._when or notice.target != self._targets[0]:
            return  # of a question that was given up
        form = self._fetch() if notice.property else None
        if form is None or form.kind != self._display.atom("INCR"):
            self._take(form if form and form.kind else None)
        elif _number(form) > _MOST:
            self._take(None)
        else:
            self._pieces = []

    def go_on(self, prop: int) -> None:
        """Take the next piece, if it comes in pieces."""
        if self._pieces is None or prop != self._landing:
            return
        form = self._fetch()
        if form.data and sum(map(len, self._pieces)) < _MOST:
            self._pieces.append(form.data)
        elif form.kind:
            self._take(form._replace(data=b"".join(self._pieces)) if not form.data else None)

    def give_up(self) -> None:
        """Stop listening: the owner has not answered, and a new question is to be asked."""
        if not self._answer.done():
            self._answer.set_result(Kept())

    @property
    def _landing(self) -> int:
        """The property of our window where the answer arrives; each has its own, since an old one may still come."""
        return self._display.atom(f"DESKHAND_SELECTION_{self._asked}")

    def _ask(self) -> None:
        self._pieces = None
        self._asked += 1
        clipboard = self._display.atom("CLIPBOARD")
        self._core.ConvertSelection(self._window, clipboard, self._targets[0], self._landing, self._when)

    def _take(self, form: Form | None) -> None:
        """Take the answer to one question, and ask the next."""
        target = self._targets.pop(0)
        if target == self._display.atom("TARGETS"):
            self._offered = numbers(form.data)[:_MOST_TARGETS] if form else ()
            self._targets = self._choose()
        elif form is not None:
            self._found[target] = form
        if self._targets:
            self._ask()
            return
        text = text_of(self._display, self._found)
        content = {**self._found, **(content_of(self._display, text) if text is not None else {})}
        kinds = [name for name in names_of(self._display, self._offered) if name not in _ABOUT]
        self._answer.set_result(Kept(content or None, text, "" if content else ", ".join(kinds[:3])))

    def _choose(self) -> list[int]:
        """Choose what to keep: the text, what goes with it, one picture; something else only where there is none."""
        display = self._display
        named = dict(zip(self._offered, names_of(display, self._offered), strict=True))
        text = [target for target in display.atoms(*_READ_TARGETS) if target in named or not named]
        rich = [target for target in display.atoms(*_RICH_TARGETS) if target in named]
        pictures = [target for target, name in named.items() if name.startswith("image/")]
        pictures.sort(key=lambda target: named[target] != "image/png")
        chosen = [*text[:1], *rich, *pictures[:1]] if named else text
        others = [target for target, name in named.items() if name and name not in _ABOUT]
        return chosen or others[:_OTHERS]

    def _fetch(self) -> Form:
        # Fetching deletes the property, which asks for the next piece.
        reply = self._core.GetProperty(True, self._window, self._landing, 0, 0, 0x1FFFFFFF).reply()
        return Form(int(reply.type), int(reply.format) or 8, bytes(reply.value.buf()))


def _number(form: Form) -> int:
    return next(iter(numbers(form.data)), 0)


def _pieces(data: bytes) -> Iterator[bytes]:
    for start in range(0, len(data), _PIECE):
        yield data[start : start + _PIECE]
    yield b""
