"""Days and times of day as people write them."""

from __future__ import annotations

import re
from datetime import date, time
from typing import NamedTuple

MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_NAME = r"(?P<name>jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_WRITTEN = (
    re.compile(rf"(?:(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?,?\s+)?{_NAME}\s+{_DAY},?\s+{_YEAR}", re.I),
    re.compile(
        rf"(?:(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?,?\s+)?(?:the\s+)?{_DAY}\s+(?:of\s+)?{_NAME},?\s+{_YEAR}",
        re.I,
    ),
    re.compile(r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})"),
    re.compile(r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4})"),
)
_SLASHED = re.compile(r"(?P<one>\d{1,2})[/-](?P<two>\d{1,2})[/-](?P<year>\d{4})")
_TIME = re.compile(
    r"(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?(?::\d\d)?\s*(?P<half>[ap]\.?\s?m\.?)?(?:\s+o'clock)?", re.I
)
_HEADER = re.compile(rf"\b{_NAME}(?=\W|$)", re.IGNORECASE)


class Month(NamedTuple):
    """A month that a calendar shows."""

    year: int
    month: int

    def until(self, other: date) -> int:
        """Count the months from this one to the one of a day; negative when that is before."""
        return (other.year - self.year) * 12 + other.month - self.month


def read_day(text: str) -> date | None:
    """Read a day with its year; 04/08/2016 is the 8th of April, as in the language of these requests."""
    plain = " ".join(text.split()).rstrip(".,")
    for form in _WRITTEN:
        found = form.fullmatch(plain)
        if found:
            parts = found.groupdict()
            month = _month(parts["name"]) if parts.get("name") else int(parts["month"])
            return _day(int(parts["year"]), month, int(parts["day"]))
    slashed = _SLASHED.fullmatch(plain)
    if slashed is None:
        return None
    one, two, year = int(slashed["one"]), int(slashed["two"]), int(slashed["year"])
    return _day(year, two, one) if one > 12 else _day(year, one, two)


def read_time(text: str) -> time | None:
    """Read a time of day: 7:55 PM, 19:55, 7 pm; a bare number is none."""
    found = _TIME.fullmatch(" ".join(text.split()))
    if found is None or not (found["minute"] or found["half"]):
        return None
    hour, half = int(found["hour"]), (found["half"] or "").lower()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    minute = int(found["minute"] or 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None


def read_month(text: str) -> Month | None:
    """Read the month that stands over a calendar: "October 2016"; None unless there are one month and one year."""
    names = {_month(found["name"]) for found in _HEADER.finditer(text)}
    years = set(re.findall(r"\b(?:19|20)\d\d\b", text))
    return Month(int(years.pop()), names.pop()) if len(names) == len(years) == 1 else None


def _month(name: str) -> int:
    return next(place for place, month in enumerate(MONTHS, 1) if month.startswith(name.lower()[:3]))


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:  # the 31st of February
        return None
