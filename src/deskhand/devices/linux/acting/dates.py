"""Dates and times in pages, which take them in parts, in the order of the user's language; asked for as in HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Literal

from deskhand.core.action import ActionResult
from deskhand.core.errors import TargetNotFound
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.accessibility.dates import Part, focus_part, list_parts
from deskhand.devices.linux.acting.reach import keep_up
from deskhand.devices.linux.acting.verify import kept, rested
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.seeing.scene import called

PARTED = "date editor"
"""What dates and times in pages are: they take keys and tell no text, and so do the parts right inside."""

Unit = Literal["year", "month", "week", "day", "hour", "half", "minute", "second", "millisecond"]

_DAY = r"(?P<year>\d{4,6})-(?:W(?P<week>\d\d)|(?P<month>\d\d)(?:-(?P<day>\d\d))?)"
_TIME = r"(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:\.(?P<millisecond>\d{3}))?)?"
_WRITTEN = re.compile(f"(?:{_DAY})?(?:(?:(?<=.)[T ])?{_TIME})?")
_NOON, _NO_YEAR = 12, 999
_HIGHEST: dict[int, Unit] = {
    **dict.fromkeys((1, 2), "half"),
    **dict.fromkeys((11, _NOON, 23, 24), "hour"),
    **dict.fromkeys((52, 53), "week"),
    31: "day",
    59: "minute",
    _NO_YEAR: "millisecond",
}
"""What the parts are by their highest numbers; that of hours may be a month's, and that of minutes the seconds'."""
_LEFT_OUT: frozenset[Unit] = frozenset({"second", "millisecond"})
"""Units that are 0 where they are not said."""


async def write_date(rig: Rig, window: Window | None, element: Element, text: str) -> ActionResult | None:
    """Set a date or time; None where it has no parts, or the text is none, so that it can only be typed.

    `text` is written as pages write their values: `2026-12-24`, `14:30`, `2026-12-24T14:30`, `2026-12`, `2026-W52`.

    Raises:
        TargetNotFound: it is a date or time of another kind, or there is no such day.
    """
    said = _units(text)
    parts = await rig.controls.use(element.id, list_parts) or []
    if said is None or not parts:
        return None
    units = [unit for unit in _what_they_are(parts) if unit]
    if len(units) < len(parts):
        raise TargetNotFound(f"it is limited what {called(element)} takes: set each of its numbers by itself")
    if {*units} - {"half"} - _LEFT_OUT != {*said} - _LEFT_OUT:
        raise TargetNotFound(f"{text!r} has other parts than {called(element)}: that is written like {_example(units)}")
    wanted = [(part, _number(unit, part, said)) for unit, part in zip(units, parts, strict=True)]

    async def there() -> bool:
        now = await rig.controls.use(element.id, list_parts) or []
        return [part.now for part in now] == [number for _, number in wanted]

    if window:
        await keep_up(rig, window.id)
    await rested(rig, partial(_type, rig, element, wanted))
    if not await there():
        return ActionResult(outcome="failed", text=f"{called(element)} did not take {text}; look at what it shows now")
    return await kept(f"{called(element)} is at {text} now", there)


async def _type(rig: Rig, element: Element, wanted: Sequence[tuple[Part, int]]) -> None:
    """Type each part into its place: pages take them in no other way. Zeros in front have each count as complete."""
    for part, number in wanted:
        if await rig.controls.use(element.id, partial(focus_part, part=part)):
            await rig.keyboard.type(f"{number:0{len(str(min(part.highest, 9999)))}}")


def _units(text: str) -> dict[Unit, int] | None:
    """Read a date or time; None when it is none.

    Raises:
        TargetNotFound: it looks like one, but there is no such day.
    """
    found = _WRITTEN.fullmatch(text.strip())
    if not found or not found[0]:
        return None
    said: dict[Unit, int] = {unit: int(number) for unit, number in found.groupdict().items() if number}  # type: ignore[misc]  # the groups are called so
    try:
        if "week" in said:
            date.fromisocalendar(said["year"], said["week"], 1)
        elif "year" in said:
            date(said["year"], said["month"], said.get("day", 1))
    except ValueError as error:
        raise TargetNotFound(f"{text!r} is no date: {error}") from error
    return said


def _what_they_are(parts: Sequence[Part]) -> list[Unit | None]:
    """Tell what each part is by its highest number, None where that is limited: their names are in any language."""
    dated, units = any(part.highest > _NO_YEAR for part in parts), []
    for part in parts:
        unit: Unit | None = "year" if part.highest > _NO_YEAR else _HIGHEST.get(part.highest)
        if unit == "hour" and part.highest == _NOON and dated and "month" not in units:
            unit = "month"
        elif unit == "minute" and "minute" in units:
            unit = "second"
        units.append(unit)
    return units


def _number(unit: Unit, part: Part, said: dict[Unit, int]) -> int:
    if unit == "half":
        return part.lowest + (said["hour"] >= _NOON)
    number = said.get(unit, 0)
    if unit == "hour" and part.highest <= _NOON:
        number %= _NOON
        return number or (_NOON if part.highest == _NOON else 0)
    if unit == "hour" and part.lowest == 1:
        return number or part.highest
    return number


def _example(units: Sequence[Unit]) -> str:
    if "week" in units:
        return "2026-W52"
    day = "2026-12-24" if "day" in units else "2026-12" if "month" in units else ""
    time = "14:30" if "hour" in units else ""
    return "T".join(filter(None, (day, time)))
