"""Controls of records: the one in the row, card or post that has some words; in all such, or in some of them."""

from __future__ import annotations

import re

from deskhand.core.action import At, Click, OnElement, Scroll, Wait
from deskhand.core.geometry import Point
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Act, Ask, Done, Fail, Move, Turn
from deskhand.models.literal.ownership import ALL, Owned, owned
from deskhand.models.literal.records import Record, ends_with_controls, records, with_words
from deskhand.models.literal.sight import has, look_again, said
from deskhand.models.literal.skills.scrolling import of_task
from deskhand.perception.ground import Choice, find
from deskhand.perception.scene import Scene

_TURN = 1
"""Notches of the wheel by which one goes on in a list; less than it shows at a time."""
_MOST_TURNS = 60
_LATE = 3
_RECORD = re.compile(r"\brecord of\b")
_MORE = ("more", "more options", "options", "menu", "actions", "⋮", "…", "...")
NOTHING = Choice(())


def in_record(turn: Turn, words: str, otherwise: Element | Choice = NOTHING) -> Element | Move | None:
    """Give the control of the one record that words speak of; None where they speak of none, or nothing repeats here.

    `otherwise` is what they mean when no record has the words.
    """
    meant = owned(words)
    shown = _records(turn) if meant else []
    if meant is None or (not shown and not turn.memo.get("at")):
        return None
    from_top = _from_top(turn, shown)
    if from_top is not None:
        return from_top
    fitting = with_words(shown, meant.who)
    if not fitting and isinstance(otherwise, Element) and not _RECORD.search(words):
        return None
    found = [control for record in fitting if (control := control_of(record, meant.what)) is not None]
    if len(fitting) == 1 and found:
        return found[0]
    if len(fitting) == 1 and (behind := _behind_more(turn, fitting[0], meant.what)) is not None:
        return behind
    if len(fitting) > 1:
        listed = "; ".join(said(record.elements[0], turn.scene) for record in fitting[:4])
        return Ask(f"“{turn.clause.text}”: {len(fitting)} of them have {meant.who!r}: {listed}. Which one is meant?")
    further = _go_on(turn, shown, meant)
    if further is not None or not fitting:
        return further or Ask(f"“{turn.clause.text}”: nothing here has {meant.who!r}. Which one is meant?")
    return Ask(f"“{turn.clause.text}”: what has {meant.who!r} has no {meant.what}. Which control is meant?")


def _from_top(turn: Turn, shown: list[Record]) -> Act | None:
    """Go to the top of a list of which one sees only a stretch that does not tell where its records begin."""
    if (
        not shown
        or turn.memo.get("last")
        or turn.memo.get("topped")
        or ends_with_controls(Scene(of_task(turn))) is not None
    ):
        return None
    place = At(point=shown[0].elements[0].box.center)
    return turn.prepare(Scroll(clicks=100, target=place), thought="go to the top of the list", topped="1")


def _behind_more(turn: Turn, record: Record, what: str) -> Element | Move | None:
    """Look into the menu that a record keeps its other controls in."""
    opened = turn.memo.get("more")
    if opened:
        choice = find(what, turn.scene)
        return choice.only
    for name in _MORE:
        opener = control_of(record, name)
        if opener is not None:
            click = Click(target=OnElement(id=opener.id))
            return turn.prepare(click, thought=f"look for {what} behind {opener.name!r}", more=opener.id)
    return None


def _records(turn: Turn) -> list[Record]:
    known = turn.memo.get("last")
    return records(Scene(of_task(turn)), controls_last=None if known is None else known == "1")


def control_of(record: Record, what: str) -> Element | None:
    """Give the control of a record that is called so; the record itself where nothing is said."""
    inside = [e for e in record.elements if e is not record.owner]
    if not what:
        head = next((e for e in record.elements if e.role == "link"), record.elements[0])
        return record.owner or head
    choice: Choice = find(what, Scene(inside))
    return choice.only if choice.only is not None and not has(choice.only, "covered", "offscreen") else None


def click_each(turn: Turn, meant: Owned) -> Move:
    """Click the control in all records that have some words, or in so many of them, scrolling through the list."""
    if turn.failed:
        return Fail(f"clicking {meant.what} failed: {turn.failed}")
    clicked = turn.memo.get("clicked", "").split()
    wanted = meant.times if meant.times != ALL else 10**6
    shown = _records(turn)
    from_top = _from_top(turn, shown)
    if from_top is not None:
        return from_top
    found = [control for record in with_words(shown, meant.who) if (control := control_of(record, meant.what))]
    fresh = [control for control in found if control.id not in clicked][: wanted - len(clicked)]
    if fresh:
        ids = " ".join([*clicked, *(control.id for control in fresh)])
        clicks = tuple(Click(target=OnElement(id=control.id)) for control in fresh)
        thought = f"click {meant.what} of {len(fresh)} that have {meant.who!r}"
        return turn.act(*clicks, thought=thought, clicked=ids)
    if len(clicked) >= wanted:
        return Done(f"clicked {meant.what} of {len(clicked)} that have {meant.who!r}")
    further = _go_on(turn, shown, meant)
    if further is not None:
        return further
    if clicked and meant.times == ALL:
        return Done(f"clicked {meant.what} of all {len(clicked)} that have {meant.who!r}")
    return Ask(f"“{turn.clause.text}”: only {len(clicked)} of them have {meant.who!r}. Is that what is meant?")


def _go_on(turn: Turn, shown: list[Record], meant: Owned) -> Act | None:
    """Scroll on in the list; None when it is at its end."""
    if not turn.memo.get("at") and not shown:
        return look_again(turn, meant.who)
    reads = " ".join(e.id for record in shown for e in record.elements)
    times = turn.count("turns")
    if turn.memo.get("reads") == reads or times >= _MOST_TURNS:
        if turn.count("still") >= _LATE:
            return _once_more(turn, meant) if times < _MOST_TURNS else None
        return turn.again(Wait(seconds=0.15), "look whether there are more", still=str(turn.count("still") + 1))
    first = shown[0].elements[0].box.center if shown else None
    at = turn.memo.get("at") or (f"{first.x},{first.y}" if first else "")
    wheel = Scroll(clicks=-_TURN, target=At(point=Point(*map(int, at.split(",")))))
    thought = f"scroll on to look for {meant.who}"
    last = turn.memo.get("last") or str(int(ends_with_controls(Scene(of_task(turn))) is not False))
    return turn.prepare(wheel, thought=thought, at=at, reads=reads, turns=str(times + 1), still="0", last=last)


def _once_more(turn: Turn, meant: Owned) -> Act | None:
    """Go to the top of a list whose end is reached: one may have begun in its middle."""
    if turn.memo.get("again"):
        return None
    place = At(point=Point(*map(int, turn.memo["at"].split(","))))
    thought = f"look for {meant.who} from the top"
    return turn.prepare(Scroll(clicks=100, target=place), thought=thought, again="1", still="0", reads="")


def several(turn: Turn) -> Owned | None:
    """Read that a clause is about a control of several records: it says so, or speaks of more than one."""
    meant = owned(turn.clause.target)
    plural = meant is not None and (meant.times != 1 or bool(re.search(r"(?i)\b(?:1|one|any)\b", turn.clause.target)))
    return meant if plural else None
