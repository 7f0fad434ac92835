"""Requests for a journey: "book the cheapest flight from A to B on 24 December 2026"."""

from __future__ import annotations

import re

from deskhand.models.literal.days import read_day
from deskhand.perception.quoting import quote

_TRIP = re.compile(
    r"^(?P<verb>book|buy|reserve|get|order|find|search for|look for)\s+(?:me\s+|us\s+)?"
    r"(?P<what>(?:[\w-]+\s+)*?(?:flight|train|bus|coach|ferry|ticket|trip|journey|connection|ride|seat)s?)\s+"
    r"from\s*:?\s+(?P<origin>.+?)\s+to\s*:?\s+(?P<destination>.+?)\s+"
    r"(?:on|for|at|departing(?:\s+on)?|leaving(?:\s+on)?)\s*:?\s+(?P<day>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_LOOKING = frozenset({"find", "search for", "look for"})
ENDS = {
    "origin": ("origin", "from", "departure city", "departure airport", "leaving from", "flying from", "start"),
    "destination": ("destination", "to", "arrival city", "arrival airport", "going to", "flying to", "where to"),
}
"""What the fields for the two ends of a journey are called."""


def read_trip(text: str) -> tuple[str, ...]:
    """Take a journey apart into what is done for it on a page; nothing when it is none, or its day cannot be read."""
    found = _TRIP.match(text)
    if found is None or read_day(found["day"]) is None:
        return ()
    ends = [f"fill in the {end} with {quote(found[end].strip(' ,'))} as suggested" for end in ENDS]
    sought = (*ends, f"set the date to {found['day']}", "click search")
    return sought if found["verb"].lower() in _LOOKING else (*sought, f"{found['verb']} {found['what']}")
