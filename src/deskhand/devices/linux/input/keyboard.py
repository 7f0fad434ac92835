"""Keys by synthetic events of the X server, right under any layout."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import anyio
import anyio.lowlevel
import xcffib

from deskhand.core.errors import Correctable, TargetNotFound
from deskhand.core.keys import Key, chord, key, keysym_of
from deskhand.devices.linux.input.extensions import xkb_of, xtest_of
from deskhand.devices.linux.input.grabs import key_is_taken
from deskhand.devices.linux.input.held import Held
from deskhand.devices.linux.input.keymap import CORE_KEYBOARD, LOCK, Keymap, Stroke, read_keymap
from deskhand.devices.linux.input.ping import Ping
from deskhand.devices.linux.input.releasing import LOCK_AGAIN, UNBIND
from deskhand.devices.linux.input.remap import bind, capacity, give_back, lend
from deskhand.devices.linux.input.strokes import batches, refuse_controls
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.x11.display import Display
from deskhand.devices.linux.x11.focus import around_focus, hearing

_KEY_PRESS, _KEY_RELEASE = 2, 3

_CHUNK = 64
"""Characters sent before the application is asked whether it has kept up."""
_FOCUS_COMES = 0.5
"""Seconds for a window that is being brought up to get the focus."""
_BLIND_SETTLE = 0.05
"""Seconds for an application that cannot be asked, on top of the moment when it was seen asleep."""


@dataclass
class _Typing:
    """How far a text has been typed, and to which window."""

    of: int
    into: list[int]
    """The outermost window around the focus; none when that has closed in the meantime."""
    sent: int = 0

    def check_heard(self, display: Display) -> None:
        """Leave the rest of a text untyped when another window has come up: it is not for that one."""
        if around_focus(display)[-1:] != self.into:
            raise Correctable(
                f"another window has the keyboard now: {self.sent} of {self.of} characters were typed, the last of "
                "them perhaps there, and the rest was not; look at both"
            )


class Keyboard:
    """The display's keyboard. Nothing stays down but what `down` was asked to hold, nor lent, also when we are killed.

    An application that reads no keys for `patience` seconds counts as frozen. With a `delay`, text is entered by key
    presses wherever it can be, so many seconds apart.
    """

    def __init__(self, display: Display, patience: float = 5.0, delay: float = 0.0) -> None:
        self._display = display
        self._xtest = xtest_of(display)
        self._ping = Ping(display.name)
        self._patience = patience
        self.delay = delay
        self._held: dict[str, tuple[int, ...]] = {}
        self._down = Held(display.name)

    async def press(self, keys: Sequence[str], presses: int = 1) -> None:
        """Press and release keys one after the other; "ctrl+s" among them is pressed as a chord.

        Raises:
            TargetNotFound: one of them is no key; then none is pressed.
        """
        chords = [chord(name) for name in keys]
        for _ in range(presses):
            for names in chords:
                await self._strike(names)
                await anyio.lowlevel.checkpoint()

    async def hotkey(self, keys: Sequence[str]) -> None:
        """Press keys in order and release them in reverse, all in one burst.

        Raises:
            TargetNotFound: one of them is no key; then none is pressed.
        """
        await self._strike(chord(keys))

    def taken(self, keys: Sequence[str]) -> str:
        """Give the chord among "ctrl+s", "Tab" that another program gets before the one with the keyboard; "" if none.

        Raises:
            TargetNotFound: one of them is no key.
        """
        keymap = read_keymap(self._display)
        return next((text for text in keys if self._is_taken(keymap, chord(text))), "")

    def _is_taken(self, keymap: Keymap, names: Sequence[str]) -> bool:
        found = [self._find(keymap, key(name), alone=len(names) == 1) for name in names]
        strokes = [stroke for stroke in found if stroke]
        if not strokes or len(strokes) < len(found):
            return False
        held = [code for stroke in strokes[:-1] for code in (*stroke.holding, stroke.keycode)]
        return key_is_taken(self._display, strokes[-1].keycode, keymap.mask([*held, *strokes[-1].holding]))

    async def down(self, name: str) -> None:
        """Hold a key until `up` or `release_all`."""
        wanted = key(name)
        stroke = self._find(read_keymap(self._display, LOCK), wanted, alone=False)
        if stroke is None:
            raise TargetNotFound(f"this keyboard has no {wanted.name}")
        keycodes = (*stroke.holding, stroke.keycode)
        self._held[wanted.name] = keycodes
        self._down.add((_KEY_RELEASE, code) for code in keycodes)
        self._send([(_KEY_PRESS, code) for code in keycodes])

    async def up(self, name: str) -> None:
        """Release a key, also one that somebody else holds down."""
        wanted = key(name)
        keycodes = self._held.pop(wanted.name, ())
        if not keycodes:
            stroke = self._find(read_keymap(self._display, LOCK), wanted, alone=False)
            keycodes = (stroke.keycode,) if stroke else ()
        self._release(keycodes)

    async def type(self, text: str, delay: float | None = None) -> None:
        r"""Type text as key presses and wait until the application has read them; `delay` instead of its own.

        `\n` is the Return key and `\t` the Tab key. Characters without a key are lent free ones, a batch at a time,
        until they have been read; when cancelled, the rest is not typed and the layout is put back.

        Raises:
            Correctable: the text holds other control characters, no window has the focus, a modifier is held down,
                the application has stopped reading keys or another window has taken them; the message says after how
                many characters.
        """
        refuse_controls(text)
        delay = self.delay if delay is None else delay
        keymap = read_keymap(self._display, LOCK)
        if keymap.held:
            raise Correctable("a modifier key is held down, it would make commands of the text: release it first")
        if not await until(self._somebody_hears, _FOCUS_COMES, every=0.005):
            raise Correctable("nothing was typed: no window has the keyboard; bring one up first")
        typing = _Typing(len(text), around_focus(self._display)[-1:])
        with self._caps_lock_off(keymap.caps_lock):
            async with self._lending(keymap) as lend_keys:
                for batch in batches(text, keymap):
                    await lend_keys(batch.lent)
                    await self._tap(batch.strokes, delay, typing)

    async def _tap(self, strokes: Sequence[Stroke], delay: float, typing: _Typing) -> None:
        for some in _chunks(strokes, 1 if delay else _CHUNK):
            typing.check_heard(self._display)
            self._send(_taps(some))
            typing.sent += len(some)
            await anyio.sleep(delay)
            await self._check_kept_up(typing)

    async def _check_kept_up(self, typing: _Typing) -> None:
        if await self.kept_up(self._patience) is False:
            raise Correctable(
                f"the application has stopped reading keys: {typing.sent} of {typing.of} characters were sent to it; "
                "it may take them later"
            )

    def can_type(self, text: str) -> bool:
        """Say whether every character has a key of its own in the layout that is active."""
        return not read_keymap(self._display, LOCK).missing(text)

    async def kept_up(self, seconds: float) -> bool | None:
        """Say whether the application with the keyboard reads all that was sent; None when it cannot be asked."""
        self._round_trip()
        return await self._ping.answered(seconds)

    def release_all(self, everything: bool = False) -> None:
        """Release the keys we hold; with `everything` all that the server counts as down, whoever pressed them."""
        keycodes = [code for codes in self._held.values() for code in codes]
        if everything:
            keycodes += self._down_on_server()
        self._held.clear()
        self._release(keycodes)

    def close(self) -> None:
        """Release what we hold and close the connection that is ours."""
        self.release_all()
        self._ping.close()

    async def _strike(self, names: Sequence[str]) -> None:
        alone = len(names) == 1
        keymap = read_keymap(self._display, 0 if alone else LOCK)
        keys = [key(name) for name in names]
        found = [self._find(keymap, wanted, alone=alone) for wanted in keys]
        missing = [wanted.keysym for wanted, stroke in zip(keys, found, strict=True) if stroke is None]
        lacking = [wanted.name for wanted, stroke in zip(keys, found, strict=True) if wanted.is_modifier and not stroke]
        if lacking and not alone:
            raise TargetNotFound(f"this keyboard has no {', '.join(lacking)}; leave that modifier out")
        if len(missing) > capacity(keymap):
            raise TargetNotFound(f"this keyboard has no {', '.join(names)}")
        lent = lend(keymap, dict.fromkeys(missing))
        keycodes: dict[int, None] = {}
        for wanted, stroke in zip(keys, found, strict=True):
            used = stroke or lent[wanted.keysym]
            keycodes |= dict.fromkeys((*used.holding, used.keycode))
        # Caps Lock would make a capital of a letter that was lent a key.
        with self._caps_lock_off(bool(lent) and keymap.caps_lock):
            async with self._lending(keymap) as lend_keys:
                await lend_keys(lent)
                self._send(
                    [(_KEY_PRESS, code) for code in keycodes] + [(_KEY_RELEASE, code) for code in reversed(keycodes)]
                )

    @staticmethod
    def _find(keymap: Keymap, wanted: Key, *, alone: bool) -> Stroke | None:
        if alone:
            return keymap.stroke(wanted)
        # In a chord a letter names the key, not the capital; under a layout of another script the key that
        # gives the letter in the user's Latin one, since that is where programs look for it as well.
        lower = wanted.char.lower()
        letter = Key(lower, keysym_of(lower)) if len(lower) == 1 else wanted
        found = keymap.stroke(letter) or keymap.elsewhere.get(letter.keysym) or keymap.other_side(wanted)
        # Shift gives the digits of the keypad, where Num Lock is off, and would be one modifier too many.
        return None if found and found.holding and wanted.name.startswith("KP_") else found

    @asynccontextmanager
    async def _lending(self, keymap: Keymap) -> AsyncIterator[Callable[[dict[int, Stroke]], Awaitable[None]]]:
        """Lend keys, one batch after the other, and take them back in the end; at once when cancelled."""
        lent: dict[tuple[int, int], None] = {}

        async def lend_keys(strokes: dict[int, Stroke]) -> None:
            if lent:
                await self._settle()
            if strokes:
                lent.update(dict.fromkeys((UNBIND, stroke.keycode) for stroke in strokes.values()))
                self._down.add(lent)
                bind(self._display, keymap, strokes)
                await self._settle()

        try:
            yield lend_keys
            if lent:
                await self._settle()
        finally:
            if lent:
                give_back(self._display, keymap)
                self._down.remove(lent)

    async def _settle(self) -> None:
        """Wait until the application has taken in the keys it was sent, or what they have come to mean.

        Asked twice: Chromium answers on one connection and looks keys up on another, read in the turn between.
        """
        for _ in range(2):
            if await self.kept_up(self._patience) is None:
                await anyio.sleep(_BLIND_SETTLE)
                return

    @contextmanager
    def _caps_lock_off(self, on: bool) -> Iterator[None]:
        if not on:
            yield
            return
        self._down.add([(LOCK_AGAIN, LOCK)])
        self._set_caps_lock(False)
        try:
            yield
        finally:
            self._set_caps_lock(True)
            self._down.remove([(LOCK_AGAIN, LOCK)])

    def _set_caps_lock(self, on: bool) -> None:
        xkb = xkb_of(self._display)
        xkb.LatchLockState(CORE_KEYBOARD, LOCK, LOCK if on else 0, False, 0, 0, False, 0)
        self._send([])

    def _send(self, events: Iterable[tuple[int, int]]) -> None:
        """Send key events, all of them in one go: a program that dies cannot die between a press and its release."""
        for kind, keycode in events:
            self._xtest.FakeInput(kind, keycode, 0, 0, 0, 0, 0)
        try:
            self._display.conn.flush()
        except xcffib.ConnectionException as error:
            raise self._display.lost() from error

    def _release(self, keycodes: Sequence[int]) -> None:
        releases = [(_KEY_RELEASE, code) for code in reversed(keycodes)]
        self._send(releases)
        self._down.remove(releases)

    def _round_trip(self) -> None:
        try:
            self._display.conn.core.GetInputFocus().reply()
        except xcffib.ConnectionException as error:
            raise self._display.lost() from error

    def _somebody_hears(self) -> bool:
        """Tell whether a window has the focus of the X server, which comes a moment after it is called active."""
        return bool(hearing(self._display))

    def _down_on_server(self) -> list[int]:
        try:
            bits = self._display.conn.core.QueryKeymap().reply().keys
        except xcffib.ConnectionException as error:
            raise self._display.lost() from error
        return [code for code in range(8, 256) if bits[code >> 3] & 1 << (code & 7)]


def _chunks(strokes: Sequence[Stroke], size: int) -> Iterator[Sequence[Stroke]]:
    for start in range(0, len(strokes), size):
        yield strokes[start : start + size]


def _taps(strokes: Iterable[Stroke]) -> Iterator[tuple[int, int]]:
    for stroke in strokes:
        yield from ((_KEY_PRESS, code) for code in (*stroke.holding, stroke.keycode))
        yield from ((_KEY_RELEASE, code) for code in (stroke.keycode, *reversed(stroke.holding)))
