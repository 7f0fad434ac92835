"""What values are set with, by the words for it: sliders, colour pickers, fields for days and times."""

from __future__ import annotations

import re

from deskhand.models.literal.days import read_day, read_time

_DATED = re.compile(
    r"(?i)\b(?:date|day|time|hour|calendar|birthday|when|clock|arrival|departure|deadline)\b|(?:date|time)[ -]?picker"
)
_INSTRUMENT = re.compile(
    r"(?i)(?:\S+\s+)*(?:slider|scale|knob|dial|spinner|spin (?:box|button)|spinbox|spinbutton|stepper|counter|"
    r"number field|colou?r[ -]?(?:picker|wheel|chooser|selector|palette|field|box))"
)
_OWN_WAY = re.compile(
    r"(?i)\b(?:window|cursor|caret|mouse|pointer|focus|slider|scroll ?bar|knob|thumb|page|view|volume|file|it|"
    r"selection)$"
)


def is_instrument(words: str) -> bool:
    """Tell whether words name what a number or a colour is set with."""
    return bool(_INSTRUMENT.fullmatch(words))


def is_moment(value: str, place: str) -> bool:
    """Tell whether a value is a day or a time, and the place one for such."""
    return bool((read_day(value) or read_time(value)) and _DATED.search(place))


def is_movable(words: str) -> bool:
    """Tell whether words name a thing on the screen that can be dragged, not what has ways of its own to be moved."""
    return not _OWN_WAY.search(words)
