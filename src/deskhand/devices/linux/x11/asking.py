"""Asking an X server about what may vanish while it is asked about."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import Any

import xcffib
from xcffib.xproto import GetPropertyType

from deskhand.devices.linux.x11.display import Display


def value(display: Display, window: int, atom: int) -> bytes:
    """Give a property of a window; nothing when it has none, or is gone."""
    reply = answer(display.conn.core.GetProperty(False, window, atom, GetPropertyType.Any, 0, 4096))
    return read(reply) if reply else b""


def read(reply: Any) -> bytes:
    """Give what the reply to a request for a property holds."""
    return bytes(reply.value.buf())


def numbers(held: bytes) -> tuple[int, ...]:
    """Read what a property holds as the numbers, atoms or windows that it lists."""
    return struct.unpack(f"={len(held) // 4}I", held[: len(held) // 4 * 4])


def answer(cookie: Any) -> Any:
    """Wait for a reply; None when the thing that was asked about is gone."""
    try:
        return cookie.reply()
    except xcffib.Error:
        return None


def checked(cookie: Any) -> bool:
    """Wait until a request is done; tell whether the thing it was about was there."""
    try:
        cookie.check()
    except xcffib.Error:
        return False
    return True


def names_of(display: Display, atoms: Iterable[int]) -> list[str]:
    """Name atoms, in one round trip for those not named before; "" for what is none."""
    wanted, known = list(atoms), display.atom_names
    asked = {atom: display.conn.core.GetAtomName(atom) for atom in wanted if atom not in known}
    answers = {atom: answer(cookie) for atom, cookie in asked.items()}
    known.update((atom, bytes(each.name.buf()).decode("latin-1")) for atom, each in answers.items() if each)
    return [known.get(atom, "") for atom in wanted]
