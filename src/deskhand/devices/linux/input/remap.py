"""Keys that mean nothing, lent for a while to keysyms that no key gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import xcffib
import xcffib.xkb

from deskhand.devices.linux.display import Display
from deskhand.devices.linux.input.extensions import xkb_of
from deskhand.devices.linux.input.keymap import CORE_KEYBOARD, Binding, Keymap

_ONE_LEVEL = b"\0\0\0\0"


def bind(display: Display, keymap: Keymap, keysyms: Mapping[int, int]) -> None:
    """Give free keycodes a keysym each, whatever modifiers are on, in a single request.

    One request is one notice to every client. Window managers grab all their keys anew at each, so a request
    for every character would keep them busy for minutes.
    """
    lent = {code: Binding(_ONE_LEVEL, 1, 1, (keysym,)) for code, keysym in keysyms.items()}
    _set(display, keymap, lent)


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
        xkb_of(display).SetMap(
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
        )
        display.conn.flush()
    except xcffib.ConnectionException as error:
        raise display.lost() from error


def _entry(binding: Binding) -> Any:
    return xcffib.xkb.KeySymMap.synthetic(  # type: ignore[no-untyped-call]  # xcffib has no annotations
        list(binding.types), binding.groups, binding.width, len(binding.keysyms), list(binding.keysyms)
    )
