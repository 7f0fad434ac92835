"""Days and times: set in fields of their own kind, chosen in calendars that open, else written as they were said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from deskhand.core.action import Click, OnElement, SetValue
from deskhand.core.observation import Element
from deskhand.models.literal.days import Month, read_day, read_month, read_time
from deskhand.models.literal.moves import Done, Fail, Instead, Move, Turn
from deskhand.models.literal.sight import ask_which, has, look_again, pick, said
from deskhand.perception.naming import same_concept
from deskhand.perception.quoting import quote
from deskhand.perception.scene import FIELDS, Scene

_DAYS = frozenset({"link", "button", "cell", "option", "label", "listitem"})
_FEWEST_DAYS = 28
_MOST_MONTHS = 48
_EARLIER = re.compile(r"(?i)^(?:<|‹|«|◀|◄|←|prev|previous|previous month|earlier)$")
_LATER = re.compile(r"(?i)^(?:>|›|»|▶|►|→|next|next month|later)$")
_KIND_AFTER = re.compile(r"(?i)(?<=\w)\s+(?:date|day|time|field|picker|calendar)$")
_DATED = re.compile(r"(?i)\b(?:date|day|calendar|when|birthday|dd|mm|yyyy)\b")
_TIMED = re.compile(r"(?i)\b(?:time|hour|clock)\b")


class Calendar(NamedTuple):
    """A month that is shown day by day."""

    month: Month
    days: Sequence[Element]
    """In their order, those of the months before and after left out."""
    earlier: Element | None
    later: Element | None


def enter(turn: Turn) -> Move:
    """Bring a field to a day or a time, in the way it takes one."""
    day, hour = read_day(turn.clause.value), read_time(turn.clause.value)
    known = turn.scene.get(turn.memo.get("id", ""))
    if turn.memo.get("chosen") and day is not None:
        return _after_day(turn, known, day)
    field = known or _field(turn)
    calendar = find_calendar(turn.scene) if day is not None else None
    if calendar is not None and day is not None and (not isinstance(field, Element) or turn.memo.get("opened")):
        return _in_calendar(turn, calendar, day)
    if not isinstance(field, Element):
        return field
    if "set_value" in field.actions and field.role == "textbox":
        written = day.isoformat() if day is not None else f"{hour:%H:%M}"
        return _set(turn, field, written)
    if has(field, "readonly") or field.role == "button":
        return _open(turn, field)
    return Instead((f"enter the text {quote(turn.clause.value)} into {turn.clause.target}",), "it takes text")


def _field(turn: Turn) -> Element | Move:
    """Find the field that is named; a word for its kind alone stands for the only one that takes such a value."""
    words = turn.clause.target
    found = pick(turn, words, FIELDS)
    if isinstance(found, Element):
        return found
    bare = _KIND_AFTER.sub("", words)
    named = pick(turn, bare, FIELDS) if bare != words and not found.best else None
    if isinstance(named, Element):
        return named
    fields = [e for e in turn.scene.top if e.role == "textbox" and not has(e, "disabled", "covered", "hidden")]
    kind = _DATED if read_day(turn.clause.value) else _TIMED
    if not found.best and len(fields) == 1 and kind.fullmatch(words):
        return fields[0]
    return look_again(turn, words) or ask_which(turn, words, found)


def _set(turn: Turn, field: Element, written: str) -> Move:
    if field.value == written:
        return Done(f"the {said(field, turn.scene)} is at {written}")
    if turn.tries:
        return Fail(f"the {said(field, turn.scene)} does not take {written}: {turn.failed or field.value!r}")
    thought = f"set the {said(field, turn.scene)} to {written}"
    return turn.act(SetValue(target=OnElement(id=field.id), value=written), thought=thought, id=field.id)


def _open(turn: Turn, field: Element) -> Move:
    if turn.memo.get("opened"):
        return look_again(turn, "a calendar") or Fail(f"no calendar came up for the {said(field, turn.scene)}")
    thought = f"open the calendar of the {said(field, turn.scene)}"
    return turn.prepare(Click(target=OnElement(id=field.id)), thought=thought, opened="1", id=field.id, looked="0")


def _in_calendar(turn: Turn, calendar: Calendar, day: date) -> Move:
    months = calendar.month.until(day)
    if months == 0:
        chosen = next((e for e in calendar.days if e.name.strip().lstrip("0") == str(day.day)), None)
        if chosen is None or has(chosen, "disabled"):
            return Fail(f"the calendar does not let one choose the {day.day}th")
        return turn.act(Click(target=OnElement(id=chosen.id)), thought=f"choose {day.isoformat()}", chosen="1")
    way = calendar.earlier if months < 0 else calendar.later
    turned = turn.count("turned")
    stuck = turned > 0 and turn.memo.get("shown") == repr(calendar.month)
    if way is None or has(way, "disabled") or turned >= _MOST_MONTHS or (stuck and turn.count("looked") > 1):
        return Fail(f"the calendar does not go from {calendar.month.month}/{calendar.month.year} to {day.isoformat()}")
    if stuck:
        return look_again(turn, "another month") or Fail("the calendar stays at its month")
    memo = {"turned": str(turned + 1), "shown": repr(calendar.month), "looked": "0", "opened": "1"}
    return turn.prepare(Click(target=OnElement(id=way.id)), thought=f"go on to {day:%B %Y}", **memo)


def _after_day(turn: Turn, field: Element | None, day: date) -> Move:
    if turn.failed:
        return Fail(f"the day could not be chosen: {turn.failed}")
    if field is not None and read_day(field.value) == day:
        return Done(f"the {said(field, turn.scene)} is at {field.value}")
    if field is None or read_day(field.value) is None:
        waiting = look_again(turn, day.isoformat()) if field is not None and not field.value else None
        return waiting or (Done(f"chose {day.isoformat()}") if turn.done or turn.changed else Fail("nothing changed"))
    return Fail(f"the {said(field, turn.scene)} shows {field.value!r}, not {day.isoformat()}")


def find_calendar(scene: Scene) -> Calendar | None:
    """Find a month that is shown day by day, with what leads to the months before and after it."""
    numbers = [e for e in scene.top if e.role in _DAYS and re.fullmatch(r"0?[1-9]|[12]\d|3[01]", e.name.strip())]
    days = _in_order([e for e in numbers if not has(e, "covered")])
    if len(days) < _FEWEST_DAYS:
        return None
    left, right = min(e.box.left for e in days), max(e.box.right for e in days)
    top = min(e.box.top for e in days)
    ids = {e.id for e in days}
    above = [
        e
        for e in scene.top
        if e.id not in ids
        and left - 40 <= e.box.left
        and e.box.right <= right + 40
        and top - 120 <= e.box.bottom <= top + 4
    ]
    month = read_month(" ".join(f"{e.value if e.role == 'combobox' else e.name}" for e in above))
    if month is None:
        return None
    return Calendar(month, days, _leading(above, "previous", _EARLIER), _leading(above, "next", _LATER))


def _in_order(numbers: Sequence[Element]) -> Sequence[Element]:
    """Give the days of the month that is shown: from the first 1 on, each one more than the one before."""
    rows = sorted(numbers, key=lambda e: (round(e.box.center.y / 6), e.box.left))
    best: list[Element] = []
    for start, first in enumerate(rows):
        if int(first.name) != 1:
            continue
        run = [first]
        for e in rows[start + 1 :]:
            if int(e.name) == len(run) + 1:
                run.append(e)
        best = max(best, run, key=len)
    return best


def _leading(above: Sequence[Element], concept: str, sign: re.Pattern[str]) -> Element | None:
    named = [e for e in above if sign.match(e.name.strip()) or same_concept(concept, e.name)]
    named += [e for e in above if e not in named and re.match(rf"(?i){concept}\b.*\bmonth\b", e.name)]
    return named[0] if named else None
