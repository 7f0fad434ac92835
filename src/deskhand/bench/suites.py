"""The suites there are, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from deskhand.bench.suite import Suite
from deskhand.core.errors import SettingsError
from deskhand.core.foreign import named
from deskhand.settings import Settings


class Offer(NamedTuple):
    """A suite that can be asked for."""

    maker: str
    """`module:Name` of what makes the suite of the settings and the folder that was named, which may be ""."""
    device: str = ""
    """Where its tasks are carried out unless `--device` says otherwise; "" for where all else is."""
    parts: Mapping[str, frozenset[str]] = {}
    """Parts of it that others report on, by name: the tasks that each leaves out."""
    note: str = ""
    """What must be said wherever its figures stand."""


SUITES: Mapping[str, Offer] = {
    "miniwob": Offer(
        "deskhand.bench.miniwob:MiniWob",
        "browser:size=500x320",
        {"browsergym": frozenset(("button-delay", "chase-circle", "hover-shape", "moving-items", "simon-says"))},
    ),
    "desktop": Offer("deskhand.bench.desktop.suite:DesktopSuite", "linux:virtual"),
    "osworld": Offer(
        "deskhand.bench.osworld:OsWorld",
        "linux:virtual",
        note="no OSWorld score: other programs, other versions, and a part of the tasks only",
    ),
}


def offer_of(name: str) -> Offer:
    """Give what is offered under a name: a suite of ours, or `module:Name` of what makes somebody else's.

    Raises:
        SettingsError: nothing is.
    """
    if name not in SUITES and ":" not in name:
        raise SettingsError(f"there is no suite {name!r}; there are: {', '.join(SUITES)}, or module:Name of your own")
    return SUITES.get(name) or Offer(name)


def make_suite(offer: Offer, settings: Settings, folder: str) -> Suite:
    """Make a suite.

    Raises:
        SettingsError: it cannot be imported, or lacks what it needs.
    """
    suite: Suite = named(offer.maker, "suite")(settings, folder)
    return suite


def chosen_tasks(suite: Suite, wanted: str) -> list[str]:
    """Give the tasks of a suite that names and patterns stand for; raises as `chosen_names`."""
    return chosen_names(suite.tasks, wanted, suite.name, suite.skipped)


def chosen_names(names: Sequence[str], wanted: str, of: str, skipped: Mapping[str, str] = {}) -> list[str]:
    """Give the names that names and patterns such as `click-*`, with commas between them, stand for; "" for all.

    Raises:
        SettingsError: one of them fits no task `of` a suite, or only one that can't run here.
    """
    if not wanted:
        return list(names)
    patterns = [pattern for pattern in (part.strip() for part in wanted.split(",")) if pattern]
    for pattern in patterns:
        if not any(fnmatchcase(task, pattern) for task in names):
            why = next((f" here: {why}" for task, why in skipped.items() if fnmatchcase(task, pattern)), "")
            raise SettingsError(f"--tasks {pattern}: {of} has no such task{why}")
    return [task for task in names if any(fnmatchcase(task, pattern) for pattern in patterns)]


def chosen_seeds(wanted: str) -> list[int]:
    """Read seeds, such as `0-4` or `0,3,7`.

    Raises:
        SettingsError: they are not written so.
    """
    seeds: dict[int, None] = {}
    for part in wanted.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()) or int(last or first) < int(first):
            raise SettingsError(f"--seeds {wanted}: write them like 0-4 or 0,3,7")
        seeds |= dict.fromkeys(range(int(first), int(last or first) + 1))
    return list(seeds)
