"""Which way text goes into a field, and whether it has arrived."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import anyio

from deskhand.core.action import ActionResult
from deskhand.core.errors import Correctable
from deskhand.devices.linux.input.clipboard import Clipboard
from deskhand.devices.linux.input.keyboard import Keyboard
from deskhand.devices.linux.input.strokes import refuse_controls

_SHORT = 50
"""Characters up to which keys are as quick as the clipboard."""
_RECEIPT = 2.0
"""Seconds a program may take to fetch a paste."""
_SLOW_RECEIPT = 10.0
"""The same for one that is pasted into because typing would not do; it may be laying out what it got before."""
_POLL = 0.01
_NOTHING_COMES = 2.0
"""Seconds after which text of which nothing has arrived counts as lost."""
_NO_MORE_COMES = 1.0
"""Seconds without a change after which what has arrived is all; browsers tell of a burst after 0.8."""
_MOST_CROWDED = 4.0
"""How many times longer than these is waited at most where many programs share a processor."""


class Contents(NamedTuple):
    """What a field holds, in characters, and where text would go."""

    text: str
    start: int | None = None
    """Where the selection begins, the caret when nothing is selected; None when that is not known."""
    end: int | None = None
    gaps: int = 0
    """How many lines of it are not told, and are taken for right."""


@dataclass(frozen=True, slots=True)
class TextEntry:
    """Where text is to go; it has the keyboard already."""

    kind: Literal["field", "password", "terminal"] = "field"
    multiline: bool | None = None
    """Whether it holds line breaks; None when that is not known."""
    replace: bool = False
    """Put the text in place of all that is there, not at the caret."""
    insert: Callable[[str], Awaitable[bool]] | None = None
    """Its accessibility interface: put text at the caret, or in place of all if `replace`. False: it refused."""
    select: Callable[[], Awaitable[bool]] | None = None
    """What selects all that is to be replaced, where ctrl+a would select more. False: it is not selected."""
    read: Callable[[], Awaitable[Contents | None]] | None = None
    """What it holds now; None when that cannot be read."""
    corrects: bool = False
    """Whether its program changes what is typed, as AutoCorrect does; it is pasted then."""
    pasted: Sequence[str] = ()
    """What is to be pasted for the text, one after the other, where that is not the text itself."""


async def enter_text(entry: TextEntry, text: str, keyboard: Keyboard, clipboard: Clipboard) -> ActionResult:
    r"""Put text where the keyboard is, exactly as it stands, by the surest way that the place allows.

    In order: its accessibility interface; key presses for passwords and terminals and for short plain text;
    a paste with a receipt; key presses again where no paste is taken. Passwords never touch the clipboard.
    A line break is refused where there is only one line, since pressing Return there would submit the form.
    In a terminal it is the Return key.

    `done` when the place was read back and holds the text; `unverified` when nothing can be read back, or the text
    went in elsewhere than at the caret. What is told of text never quotes it: it may be a secret, and a piece of one
    is not known for one any more.
    """
    return await Entering(entry, text, keyboard, clipboard).run()


class Paste(NamedTuple):
    """What came of a paste."""

    taken: bool
    """Whether the program that has the keyboard fetched the text."""
    frozen: bool
    """Whether it has not, and does not answer either: it may still do so."""
    lost: str
    """What was on the clipboard and cannot be put back."""


async def paste_text(keyboard: Keyboard, clipboard: Clipboard, text: str, receipt: float = _RECEIPT) -> Paste:
    """Lend text to the clipboard and press ctrl+v; the program has `receipt` seconds to fetch it."""
    async with clipboard.offering(text) as offer:
        offer.wanted = True
        await keyboard.hotkey(["ctrl", "v"])
        taken = await offer.taken(receipt)
        answers = None if taken else await keyboard.kept_up(_RECEIPT)
        offer.wanted = not (taken or answers)  # one that has read the keys and asked for nothing will not do so
        return Paste(taken, answers is False, offer.lost)


def _refuse_unfit(entry: TextEntry, text: str) -> None:
    one_line = entry.multiline is False or entry.kind == "password"
    if one_line and "\n" in text:
        raise Correctable(
            f"nothing was entered: the field has one line and the text {text.count(chr(10)) + 1}; "
            "write without line breaks, and press Return to submit"
        )
    if entry.kind == "password" and "\t" in text:
        raise Correctable("nothing was entered: a tab would leave the password field; press Tab by itself")
    if entry.kind == "terminal" and entry.replace:
        raise Correctable("nothing was entered: what a terminal shows cannot be replaced; write without `replace`")


class Entering:
    """One entry of text: `run` it, and `look_again` when its program has had time to put something else there."""

    def __init__(self, entry: TextEntry, text: str, keyboard: Keyboard, clipboard: Clipboard) -> None:
        self._entry = entry
        self._text = text
        self._keyboard = keyboard
        self._clipboard = clipboard
        self._before: Contents | None = None
        self._pasted = False

    async def run(self) -> ActionResult:
        try:
            refuse_controls(self._text)
            _refuse_unfit(self._entry, self._text)
            return await self._enter()
        except Correctable as error:
            return ActionResult(outcome="failed", text=str(error))

    async def _enter(self) -> ActionResult:
        self._before = await self._read()
        if not self._goes_by_keys and self._entry.insert:
            taken = await self._entry.insert(self._text)
            touched = await self._touched()
            if taken or touched:
                result = await self._verify("set through its interface")
                if touched or result.outcome != "failed" or await self._touched():
                    return result
        if self._entry.replace:
            await self._select_all()
            if not self._text:
                await self._keyboard.press(["BackSpace"])
        result = await self._verify(await self._send())
        if result.outcome == "failed" and await self._takes_only_keys():
            await self._keyboard.type(self._text)
            return await self._verify("typed, since nothing of a paste was there")
        return result

    async def _takes_only_keys(self) -> bool:
        """Say whether a page has thrown a paste away: it stands as it was, and what was to go in can be typed."""
        safe = self._pasted and not self._entry.corrects and not {"\n", "\t"} & set(self._text)
        now = await self._read() if safe else None
        return bool(now and self._before and now.text == self._before.text)

    async def _select_all(self) -> None:
        if self._entry.select is None:
            await self._keyboard.hotkey(["ctrl", "a"])
        elif not await self._entry.select():
            raise Correctable("nothing was entered: what is there cannot be selected; select it with keys, then write")

    @property
    def _goes_by_keys(self) -> bool:
        """Whether the user wants it typed, and no key in it could leave or submit the field."""
        return bool(self._keyboard.delay) and not {"\n", "\t"} & set(self._text)

    async def _send(self) -> str:
        """Send the text by keys or paste; give the way it went, for the result."""
        text, entry = self._text, self._entry
        plain = len(text) <= _SHORT and text.isascii() and text.isprintable() and not entry.corrects
        if entry.kind != "field" or self._goes_by_keys or (plain and self._keyboard.can_type(text)):
            await self._keyboard.type(text)
            return "typed"
        paste = await self._paste()
        self._pasted = paste.taken
        lost = f" (the clipboard has lost what it held: {paste.lost})" if paste.lost else ""
        if paste.taken or await self._changed():
            return f"pasted{lost}"
        if paste.frozen or entry.corrects:
            raise Correctable(
                f"the application has not reacted to the paste for {self._patience:g} s; "
                "it may still take the text later: wait and look again"
            )
        if "\t" in text or ("\n" in text and entry.multiline is not True):
            raise Correctable(
                "nothing was entered: the field takes no paste, and typed line breaks or tabs could leave or "
                "submit it; write the text piece by piece"
            )
        await self._keyboard.type(text)
        return f"typed, since no paste was taken{lost}"

    @property
    def _patience(self) -> float:
        return _SLOW_RECEIPT if self._entry.corrects else _RECEIPT

    async def _paste(self) -> Paste:
        paste = Paste(taken=True, frozen=False, lost="")
        for part in self._entry.pasted or (self._text,):
            if paste.taken:
                lost = paste.lost
                paste = await paste_text(self._keyboard, self._clipboard, part, self._patience)
                paste = paste._replace(lost=paste.lost or lost)
        return paste

    async def _read(self) -> Contents | None:
        return await self._entry.read() if self._entry.read else None

    async def look_again(self, result: ActionResult) -> ActionResult:
        """Say whether text that was read back is still there; some programs put back what was there before."""
        now = await self._read() if result.outcome == "done" else None
        if now is None or self._before is None or self._still_there(now.text, self._before):
            return result
        why = f"but its program has put something else there since: it holds {_counted(now.text)}; look at it"
        return ActionResult(outcome="failed", text=f"{result.text}, {why}")

    def _still_there(self, held: str, before: Contents) -> bool:
        more = held.count(self._text) > before.text.count(self._text) if self._text else True
        return self._is_right(held, before) or (more and not self._entry.replace)

    async def _touched(self) -> bool:
        """Say whether the place holds something else than before, or can no longer be read: it took something."""
        now = await self._read()
        return self._before is not None and (now is None or now.text != self._before.text)

    async def _changed(self) -> bool:
        """Say whether the place is known to hold something else than before."""
        now = await self._read()
        return bool(now and self._before and now.text != self._before.text)

    async def _verify(self, way: str) -> ActionResult:
        size = _counted(self._text)
        if self._before is None:
            why = "a password cannot be read back" if self._entry.kind == "password" else "it cannot be read back"
            return ActionResult(outcome="unverified", text=f"{size} {way}; {why}")
        now = await self._settled(self._before)
        if now is None:
            return ActionResult(outcome="unverified", text=f"{size} {way}; it can no longer be read back")
        held = now.text
        if now.gaps:
            unread = (
                f"{now.gaps} of its lines are out of sight and cannot be read back, the others are as they should be"
            )
            return ActionResult(outcome="unverified", text=f"{size} {way}; {unread}")
        if self._is_right(held, self._before):
            gone = len(self._before.text) + len(self._text) - len(held)
            instead = f", in place of the {gone} that were selected" if gone > 0 and not self._entry.replace else ""
            return ActionResult(outcome="done", text=f"{size} {way} and read back{instead}")
        if held == self._before.text:
            why = "the field holds what it held before" if self._entry.replace else "nothing has arrived"
            return ActionResult(outcome="failed", text=f"{size} {way}, but {why}")
        if not self._entry.replace and self._is_within(held, self._before.text):
            why = "elsewhere than where the caret was said to be: see whether that is the right place"
            return ActionResult(outcome="unverified", text=f"{size} {way} and read back, {why}")
        at = _agreement(held, self._text if self._entry.replace else _inserted(self._before, self._text))
        what = f"from character {at} on it holds something else; look at it, then correct it or undo it with ctrl+z"
        return ActionResult(outcome="failed", text=f"{size} {way}, but {what}")

    async def _settled(self, before: Contents) -> Contents | None:
        """Read until the text is there, or no more of it comes."""
        last, waited, asked, cut = before, 0.0, time.monotonic(), False
        while True:
            now = await self._read()
            if now is None or self._is_right(now.text, before):
                return now
            if not cut and self._is_completed(now, before):
                cut = True
                await self._keyboard.press(["Delete"])
            waited += (time.monotonic() - asked) / _crowding()
            asked = time.monotonic()
            if now.text != last.text:
                last, waited = now, 0.0
            if waited > (_NOTHING_COMES if last.text == before.text else _NO_MORE_COMES):
                return last
            await anyio.sleep(_POLL)

    def _is_right(self, held: str, before: Contents) -> bool:
        if self._entry.replace:
            # Editors of pages keep an empty line.
            return _same(held, self._text) or (not self._text and held == "\n")
        # A field that takes the keyboard often selects all it holds, and the text goes in its place.
        if self._text != before.text and _same(held, self._text):
            return True
        if before.start is None:
            return self._is_within(held, before.text)
        unselected = [Contents(before.text, at, at) for at in (before.start, before.end or before.start)]
        wanted = [_inserted(place, self._text) for place in (before, *unselected)]
        if before.text.endswith("\n") and not self._text.endswith("\n"):
            wanted += [text.removesuffix("\n") for text in wanted]
        return any(_same(held, text) for text in wanted)

    def _is_completed(self, now: Contents, before: Contents) -> bool:
        """Say whether the program has added something, and selected it so that the next key takes its place."""
        start, end = now.start or 0, now.end or 0
        return start < end and bool(self._text) and self._is_right(now.text[:start] + now.text[end:], before)

    def _is_within(self, held: str, rest: str) -> bool:
        """Say whether the text stands somewhere in what was there before."""
        first = len(rest) - _agreement(held[::-1], rest[::-1])
        last = _agreement(held, rest)
        grown = len(held) == len(rest) + len(self._text)
        return grown and any(held.startswith(self._text, at) for at in range(first, last + 1))


def _crowding() -> float:
    """Give how many programs share a processor at this moment: each gets on so many times slower."""
    running = int(Path("/proc/loadavg").read_text().split()[3].partition("/")[0])
    return min(max(1.0, running / (os.cpu_count() or 1)), _MOST_CROWDED)


def _counted(text: str) -> str:
    return f"{len(text)} character{'' if len(text) == 1 else 's'}"


def _inserted(before: Contents, text: str) -> str:
    start = len(before.text) if before.start is None else before.start
    end = start if before.end is None else max(start, before.end)
    return before.text[:start] + text + before.text[end:]


def _same(held: str, wanted: str) -> bool:
    """Compare; browsers tell a line break too many after one that ends what a field holds."""
    return held == wanted or (wanted.endswith("\n") and held == f"{wanted}\n")


def _agreement(one: str, other: str) -> int:
    """Give the number of characters at the beginning that are the same in both."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
