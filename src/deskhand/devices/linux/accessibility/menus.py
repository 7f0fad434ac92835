"""Finding an item of a menu that need not be open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from deskhand.devices.linux.accessibility.protocol import ACCESSIBLE, Ref, ask, number_of, prop, refs_of, text_of
from deskhand.devices.linux.accessibility.roles import MENUS, Role
from deskhand.devices.linux.accessibility.walk import Walk

_DEEPEST_BAR = 8
_MOST_ITEMS = 300


class Item(NamedTuple):
    """A menu or an item of one."""

    ref: Ref
    role: int
    name: str
    child_count: int


def find_item(walk: Walk, top: Ref, names: Sequence[str]) -> Item | None:
    """Follow names from the menu bar of a top-level: ("File", "Save As..."); None when one is not there."""
    level = _bars(walk, top)
    item = None
    for name in names:
        candidates = _items(walk, level)
        item = next((each for each in candidates if _plain(each.name) == _plain(name)), None)
        if not item:
            return None
        level = [item]
    return item


def _plain(name: str) -> str:
    return name.strip().removesuffix("…").removesuffix("...").rstrip().casefold()


def _bars(walk: Walk, top: Ref) -> list[Item]:
    level = [Item(top, 0, "", 1)]
    for _ in range(_DEEPEST_BAR):
        level = _below(walk, level)
        bars = [item for item in level if item.role == Role.MENU_BAR]
        if bars or walk.over:
            return bars
    return []


def _items(walk: Walk, holders: Sequence[Item]) -> list[Item]:
    """List the items of menus, also where a nameless menu lies between a menu's title and its items."""
    below = _below(walk, holders)
    nameless = [item for item in below if item.role in MENUS and not item.name]
    return [item for item in below if item.name] + (_items(walk, nameless) if nameless else [])


def _below(walk: Walk, parents: Sequence[Item]) -> list[Item]:
    parents = [item for item in parents if 0 < item.child_count <= _MOST_ITEMS]
    answers = walk.ask_all([ask(item.ref, ACCESSIBLE, "GetChildren") for item in parents])
    refs = [ref for answer in answers for ref in refs_of(answer)]
    calls = []
    for ref in refs:
        calls += [ask(ref, ACCESSIBLE, "GetRole"), prop(ref, ACCESSIBLE, "Name"), prop(ref, ACCESSIBLE, "ChildCount")]
    answers = walk.ask_all(calls)
    return [
        Item(
            ref,
            number_of(answers[3 * at]) or 0,
            text_of(answers[3 * at + 1]).strip(),
            number_of(answers[3 * at + 2]) or 0,
        )
        for at, ref in enumerate(refs)
    ]
