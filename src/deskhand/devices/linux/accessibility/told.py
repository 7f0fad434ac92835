"""What an application tells of all its accessibles in a few answers, kept as answers to what would be asked of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from deskhand.devices.linux.accessibility.bus import Failure
from deskhand.devices.linux.accessibility.protocol import (
    CACHE,
    COMPONENT,
    SCREEN,
    Ref,
    ask,
    extents_of,
    states_of,
)
from deskhand.devices.linux.accessibility.roles import State
from deskhand.devices.linux.accessibility.walk import Node, Told, Walk

_CACHE = "/org/a11y/atspi/cache"
_AT_ONCE = 400
_SMALL = 1500
"""An application that tells of more than that is asked again only if most of it was of use."""


class _Item(NamedTuple):
    """One accessible, as `GetItems` has it."""

    ref: tuple[str, str]
    application: tuple[str, str]
    parent: tuple[str, str]
    place: int
    children: int
    """How many; -1 where they are made up as they are asked for."""
    interfaces: list[str]
    name: str
    role: int
    description: str
    states: list[int]


def listen(walk: Walk, tops: Sequence[Node]) -> None:
    """Let the application tell what it has at hand, when that is cheap and right.

    It is what the toolkit knows at this moment. What GTK 3 leaves out, menus and pop-ups, is asked for as ever.
    """
    program = walk.program
    tells = program.gtk3 or (program.chromium and walk.hidden)
    if not tells or program.root.bus in walk.memory.telling_too_much:
        return
    answer = walk.ask_all([ask(Ref(program.root.bus, _CACHE), CACHE, "GetItems")])[0]
    if isinstance(answer, Failure) or not answer or not isinstance(answer[0], list):
        return
    items = [_Item(*item) for item in answer[0] if len(item) == len(_Item._fields)]
    walk.telling = len(items)
    families: dict[tuple[str, str], list[_Item]] = {}
    for item in items:
        families.setdefault(item.parent, []).append(item)
    roots = {top.ref for top in tops}
    wanted = _keep(walk, [item for item in items if item.ref in roots], families)
    shown = [item for item in wanted if State.SHOWING.within(item.states[0])]
    if all(top.place.corner == SCREEN for top in tops):
        known = [Ref(*item.ref) for item in shown[:_AT_ONCE]]
        answers = walk.ask_all([ask(ref, COMPONENT, "GetExtents", "u", SCREEN) for ref in known])
        for ref, answer in zip(known, answers, strict=True):
            walk.told[ref].extents = extents_of(answer)


def _keep(walk: Walk, tops: list[_Item], families: Mapping[tuple[str, str], list[_Item]]) -> list[_Item]:
    """Keep what is known of all below `tops` that the walk will ask for, and list it."""
    found = tops
    for item in found:
        family = sorted(families.get(item.ref, ()), key=_place)
        walk.told[Ref._make(item.ref)] = Told(
            states=states_of((item.states,)),
            role=item.role,
            name=item.name,
            child_count=item.children if item.children >= 0 else None,
            children=[Ref._make(each.ref) for each in family] if len(family) == item.children else None,
            interfaces=item.interfaces,
        )
        for each in family:
            if walk.hidden or State.SHOWING.within(each.states[0]):
                found.append(each)
            else:
                walk.told[Ref._make(each.ref)] = Told(states=states_of((each.states,)))
    return found


def judge(walk: Walk) -> None:
    """Take note, after the walk, of an application that told much that was not wanted."""
    if walk.telling > max(_SMALL, 4 * walk.seen):
        walk.memory.telling_too_much.add(walk.program.root.bus)


def _place(item: _Item) -> int:
    return item.place
