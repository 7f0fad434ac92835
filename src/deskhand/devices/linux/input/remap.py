"""Keys that mean nothing, lent for a while to keysyms that no key gives."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import xcffib
import xcffib.xkb

from deskhand.core.errors import Correctable
from deskhand.devices.linux.input.extensions import xkb_of
from deskhand.devices.linux.input.keymap import CORE_KEYBOARD, Binding, Keymap, Stroke
from deskhand.devices.linux.x11.display import Display

ALPHABETIC = bytes([2, 0, 0, 0])
"""The type of letters, which every server has at this place."""


def capacity(keymap: Keymap) -> int:
    """Give the number of keysyms that can be lent a key at the same time."""
    return len(keymap.free) * len(keymap.spare.holding)


def lend(keymap: Keymap, keysyms: Iterable[int]) -> dict[int, Stroke]:
    """Choose a key for each keysym; modifiers are needed only when there are more than free keys."""
    places = product(keymap.spare.holding, keymap.free)
    return {keysym: Stroke(code, holding) for keysym, (holding, code) in zip(keysyms, places, strict=False)}


def bind(display: Display, keymap: Keymap, lent: Mapping[int, Stroke]) -> None:
    """Give free keys the keysyms they were lent to, in a single request.

    One request is one notice to every client. Window managers grab all their keys anew at each, which takes
    tens of milliseconds: a request for every character would keep them busy for minutes.
    """
    levels: defaultdict[int, list[int]] = defaultdict(lambda: [0] * keymap.spare.width)
    for keysym, stroke in lent.items():
        levels[stroke.keycode][keymap.spare.holding.index(stroke.holding)] = keysym
    _set(display, keymap, {code: _binding(keymap, keysyms) for code, keysyms in levels.items()})


def _binding(keymap: Keymap, keysyms: Sequence[int]) -> Binding:
    """Spread keysyms over the levels of a key; a single one is given with Shift as well."""
    if not any(keysyms[1:]):
        return Binding(ALPHABETIC, 1, 2, (keysyms[0], keysyms[0]))
    return Binding(bytes([keymap.spare.kind, 0, 0, 0]), 1, keymap.spare.width, tuple(keysyms))


def give_back(display: Display, keymap: Keymap) -> None:
    """Put all free keycodes back to what they were when `keymap` was read, in a single request."""
    _set(display, keymap, {})


def _set(display: Display, keymap: Keymap, lent: Mapping[int, Binding]) -> None:
    # The request covers a range; keys in use that lie within it are sent along as they are.
    first, last = min(keymap.free), max(keymap.free)
    bindings = [lent.get(code, keymap.bindings[code - keymap.first]) for code in range(first, last + 1)]
    entries = [_entry(binding) for binding in bindings]
    total = sum(len(b.keysyms) for b in bindings)
    lowest = keymap.first
    highest = keymap.first + len(keymap.bindings) - 1
    try:
        xkb_of(display).SetMapChecked(
            CORE_KEYBOARD,
            xcffib.xkb.MapPart.KeySyms,
            0,
            lowest,
            highest,
            0,
            0,
            first,
            len(entries),
            total,
            *[0] * 16,
            [entries],
        ).check()
    except xcffib.Error as error:
        raise Correctable(f"this keyboard has no such keys, and the X server lends none ({error!r})") from error
    except xcffib.ConnectionException as error:
        raise display.lost() from error


def _entry(binding: Binding) -> Any:
    return xcffib.xkb.KeySymMap.synthetic(  # type: ignore[no-untyped-call]  # xcffib has no annotations
        list(binding.types), binding.groups, binding.width, len(binding.keysyms), list(binding.keysyms)
    )
