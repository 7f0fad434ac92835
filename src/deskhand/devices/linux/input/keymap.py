"""The server's keymap as it is now: which keys to press for a keysym or a character."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

import xcffib
import xcffib.xkb

from deskhand.core.keys import Key, keysym_of
from deskhand.devices.linux.input.extensions import xkb_of
from deskhand.devices.linux.x11.display import Display

CORE_KEYBOARD = 0x100
"""XkbUseCoreKbd."""
SHIFT, LOCK = 1, 2

_LENT_LEVELS = 4
_LEVEL_SHIFTS = (0xFFE1, 0xFFE2, 0xFE03, 0xFE11, 0xFF7E)
"""Keys that only choose a level and let go of it: Shift, ISO_Level3_Shift, ISO_Level5_Shift, Mode_switch."""
_OTHER_SIDE = {
    left + side: left + 1 - side for left in (0xFFE1, 0xFFE3, 0xFFE7, 0xFFE9, 0xFFEB, 0xFFED) for side in (0, 1)
}
"""Shift, Control, Meta, Alt, Super and Hyper of the left, and of the right."""
_LEGACY_SETS = {1: "iso8859-2", 2: "iso8859-3", 3: "iso8859-4", 5: "iso8859-6", 6: "koi8-r", 7: "iso8859-7"}
_LEGACY_SETS |= {0x0C: "iso8859-8", 0x0D: "tis-620", 0x13: "iso8859-15"}
_LEGACY_RUNS = {
    0x6A1: "ђѓёєѕіїјљњћќґўџ№ЂЃЁЄЅІЇЈЉЊЋЌҐЎЏ",
    0x7A1: "ΆΈΉΊΪ\0ΌΎΫ\0Ώ",
    0x7B1: "άέήίϊΐόύϋΰώ",
    0x7D2: "Σ",
    0x7F2: "σς",
    0x20AC: "€",
}
"""Where the old keysyms differ from the character set that they otherwise follow."""
_LEGACY = {first + i: char for first, run in _LEGACY_RUNS.items() for i, char in enumerate(run) if char != "\0"}


class Stroke(NamedTuple):
    """A key to press while others are held; keycodes."""

    keycode: int
    holding: tuple[int, ...] = ()


class Spare(NamedTuple):
    """How a key that means nothing can be made to mean several things, one a level."""

    kind: int
    """The number of its type, which says what chooses a level."""
    width: int
    """The levels of that type, used or not."""
    holding: tuple[tuple[int, ...], ...]
    """The keycodes to hold for each level."""


class Binding(NamedTuple):
    """What the server has for one key: enough to put it back exactly."""

    types: bytes
    groups: int
    width: int
    keysyms: tuple[int, ...]


class _Level(NamedTuple):
    """Which modifiers a type of key looks at, and the level that each combination of them gives."""

    mask: int
    levels: dict[int, int]
    width: int


@dataclass(frozen=True, slots=True)
class Keymap:
    """A snapshot; read it anew for every action, since people change layouts."""

    first: int
    bindings: tuple[Binding, ...]
    """Of the keycodes from `first` on."""
    held: int
    """The mask of modifiers that some key holds down or latches."""
    locked: int
    """The mask of modifiers that are locked: Caps Lock is 2, Num Lock mostly 16."""
    caps_lock: bool
    free: tuple[int, ...]
    """Keycodes that mean nothing."""
    spare: Spare
    """What those can be made to mean."""
    keys: dict[int, Stroke]
    """What gives a keysym in the group that is active."""
    elsewhere: dict[int, Stroke]
    """What would give a keysym in another group."""
    characters: dict[str, Stroke]
    modifiers: dict[int, int]
    """The mask of the modifier that a keycode is."""

    def stroke(self, key: Key) -> Stroke | None:
        """Find the key that gives this one in the active group."""
        found = self.keys.get(key.keysym)
        return found or (self.characters.get(key.char) if key.char else None)

    def other_side(self, key: Key) -> Stroke | None:
        """Find the same modifier on the other side of the keyboard."""
        return self.keys.get(_OTHER_SIDE.get(key.keysym, 0))

    def mask(self, keycodes: Iterable[int]) -> int:
        """Give the mask of modifiers that is in force while some more keys are held."""
        return reduce(or_, (self.modifiers.get(code, 0) for code in keycodes), self.locked | self.held)

    def missing(self, text: str) -> set[str]:
        """Give the characters that no key gives in the active group. Line breaks and tabs are keys."""
        return {char for char in set(text) - {"\n", "\t"} if char not in self.characters}


def read_keymap(display: Display, ignoring: int = 0) -> Keymap:
    """Ask the server, in about 2 ms; locks in the mask `ignoring` count as off.

    Raises:
        Unsupported: the server has no XKB.
        DeviceLost: the server is gone.
    """
    parts = xcffib.xkb.MapPart
    xkb = xkb_of(display)
    try:
        present = parts.KeyTypes | parts.KeySyms | parts.ModifierMap
        asked = xkb.GetMap(CORE_KEYBOARD, present, *[0] * 16)
        state = xkb.GetState(CORE_KEYBOARD).reply()
        return _snapshot(asked.reply(), state, ignoring)
    except xcffib.ConnectionException as error:
        raise display.lost() from error


def _snapshot(reply: Any, state: Any, ignoring: int) -> Keymap:
    first = int(reply.firstKeySym)
    bindings = tuple(
        Binding(bytes(entry.kt_index), entry.groupInfo, entry.width, tuple(entry.syms)) for entry in reply.syms_rtrn
    )
    types = [
        _Level(kind.mods_mask, {entry.mods_mask: entry.level for entry in kind.map if entry.active}, kind.numLevels)
        for kind in reply.types_rtrn
    ]
    used = {entry.keycode: entry.mods for entry in reply.modmap_rtrn}
    locked = state.lockedMods & ~ignoring
    holders = _level_holders(first, bindings, used)
    active: dict[int, Stroke] = {}
    elsewhere: dict[int, Stroke] = {}
    for index, binding in enumerate(bindings):
        for group in range(binding.groups & 0x0F):
            into = active if group == _wrapped(state.group, binding.groups) else elsewhere
            for keysym, holding in _reachable(binding, group, types[binding.types[group]], (locked, holders)):
                _offer(into, keysym, Stroke(first + index, holding))
    return Keymap(
        first=first,
        bindings=bindings,
        held=state.baseMods | state.latchedMods,
        locked=locked,
        caps_lock=bool(state.lockedMods & LOCK),
        spare=_spare(types, holders),
        free=tuple(first + i for i, b in enumerate(bindings) if not any(b.keysyms) and first + i not in used),
        keys=active,
        elsewhere=elsewhere,
        characters=_by_character(active),
        modifiers=used,
    )


def _level_holders(first: int, bindings: tuple[Binding, ...], used: dict[int, int]) -> dict[int, int]:
    """Give, by the mask of its modifier, a key that selects levels only while it is held."""
    holders: dict[int, int] = {}
    for keycode, mods in used.items():
        keysyms = bindings[keycode - first].keysyms
        if keysyms and keysyms[0] in _LEVEL_SHIFTS and mods not in holders:
            holders[mods] = keycode
    return holders


def _spare(types: list[_Level], holders: dict[int, int]) -> Spare:
    """Give the type of key with the most levels that keys can choose, up to four; every server has one."""
    choices = _combinations(holders)
    spares: list[Spare] = []
    for number, kind in enumerate(types):
        holding = {kind.levels.get(mask & kind.mask, 0): keys for mask, keys in reversed(choices)}
        used = next(level for level in range(_LENT_LEVELS + 1) if level not in holding or level == _LENT_LEVELS)
        spares.append(Spare(number, kind.width, tuple(holding[level] for level in range(used))))
    return max(spares, key=lambda spare: (len(spare.holding), -spare.width))


def _combinations(holders: dict[int, int]) -> list[tuple[int, tuple[int, ...]]]:
    """Give each combination of modifiers with the keys to hold for it, those with fewer keys first."""
    found: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    for mask, keycode in holders.items():
        found += [(held | mask, (*keys, keycode)) for held, keys in found]
    return sorted(found, key=lambda one: len(one[1]))


def _wrapped(group: int, info: int) -> int:
    """Give the group a key really uses; one with fewer groups wraps, clamps or names one (XKB, groupInfo)."""
    count = info & 0x0F
    if group < count or not count:
        return group
    how = info & 0xC0
    if how == 0x40:
        return count - 1
    if how == 0x80:
        named = (info >> 4) & 0x03
        return named if named < count else 0
    return group % count


def _reachable(
    binding: Binding, group: int, kind: _Level, modifiers: tuple[int, dict[int, int]]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Give each keysym of a key with the keys to hold for it, as long as the locks allow."""
    locked, holders = modifiers
    for held, keys in _combinations({mask: code for mask, code in holders.items() if mask & kind.mask}):
        level = kind.levels.get((locked | held) & kind.mask, 0)
        at = group * binding.width + level
        if level < binding.width and binding.keysyms[at]:
            yield binding.keysyms[at], keys


def _offer(strokes: dict[int, Stroke], keysym: int, stroke: Stroke) -> None:
    known = strokes.get(keysym)
    if known is None or len(stroke.holding) < len(known.holding):
        strokes[keysym] = stroke


def _by_character(strokes: dict[int, Stroke]) -> dict[str, Stroke]:
    found: dict[str, Stroke] = {}
    for keysym, stroke in strokes.items():
        char = _character(keysym)
        # A character's own keysym wins over an old name for it.
        if char and (char not in found or keysym == keysym_of(char)):
            found[char] = stroke
    return found


def _character(keysym: int) -> str:
    """Give what a keysym writes, "" when that is nothing or not known to be the same everywhere."""
    if 0x20 <= keysym < 0x7F or 0xA0 <= keysym < 0x100:
        return chr(keysym)
    if 0x01000100 <= keysym <= 0x0110FFFF:
        return chr(keysym - 0x01000000)
    if keysym in _LEGACY:
        return _LEGACY[keysym]
    codec = _LEGACY_SETS.get(keysym >> 8)
    return bytes([keysym & 0xFF]).decode(codec, "ignore") if codec and keysym & 0xFF >= 0xA0 else ""
