"""Which top-levels are no more, so that what is known of their controls can be let go of."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from deskhand.devices.linux.accessibility.apps import Registry
from deskhand.devices.linux.accessibility.bus import Answer, Failure
from deskhand.devices.linux.accessibility.protocol import ACCESSIBLE, Ref, ask, daemon, states_of
from deskhand.devices.linux.accessibility.roles import State
from deskhand.devices.linux.accessibility.walk import Walk


class Departed:
    """Finds them when an application's list of top-levels, or the list of applications, has changed."""

    def __init__(self) -> None:
        self._listed: dict[str, Collection[Ref]] = {}
        """The top-levels of each application, by its name on the bus, when they were last gone through."""

    def among(self, tops: Iterable[Ref], walk: Walk, registry: Registry) -> set[Ref]:
        """Give those of `tops` that are no more; asks for those that are not listed: they may only be hidden."""
        known = [*tops]
        return self._closed(known, walk) | self._ended(known, walk, registry)

    def _closed(self, known: Iterable[Ref], walk: Walk) -> set[Ref]:
        bus = walk.program.root.bus
        if self._listed.get(bus) == walk.listed or walk.over:
            return set()
        missing = [ref for ref in known if ref.bus == bus and ref not in walk.listed]
        # GTK 4 forgets a window that is hidden, but not what is in it.
        parts = {ref: top for ref, top in walk.memory.parents.items() if top in missing}
        asked = [*missing, *parts]
        answers = walk.ask_all([ask(ref, ACCESSIBLE, "GetState") for ref in asked])
        if walk.silent or walk.gone:
            return set()
        self._listed[bus] = walk.listed
        living = {ref for ref, answer in zip(asked, answers, strict=True) if _lives(answer)}
        return {top for top in missing if top not in living} - {parts[ref] for ref in living if ref in parts}

    def _ended(self, known: Iterable[Ref], walk: Walk, registry: Registry) -> set[Ref]:
        unlisted = [bus for bus in self._listed if bus not in registry.there]
        if not unlisted:
            return set()
        owned = registry.bus.calls([daemon("NameHasOwner", bus) for bus in unlisted], walk.until)
        ended = {bus for bus, answer in zip(unlisted, owned, strict=True) if answer == (False,)}
        for bus in ended:
            del self._listed[bus]
        return {ref for ref in known if ref.bus in ended}


def _lives(answer: Answer) -> bool:
    states = None if isinstance(answer, Failure) else states_of(answer)
    return bool(states) and not State.DEFUNCT.within(states or 0)
