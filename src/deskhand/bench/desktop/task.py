"""A task on real applications: what is there, what is asked for, what must have come of it, and how it can be done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from deskhand.bench.desktop.home import Home


class Subtask(NamedTuple):
    """A part of a scripted solution: calls of the action space, a step each, in one application."""

    application: str
    """As the host would name it, or a part of the title of a window that is open."""
    steps: tuple[str, ...]
    brings: str = ""
    """A part of the title of a window that is there when it is over."""


def on(application: str, *steps: str, brings: str = "") -> Subtask:
    return Subtask(application, steps, brings)


def saved_as(path: str, opened: str = 'hotkey("ctrl", "s")') -> tuple[str, ...]:
    """Give the steps that fill in the dialog for saving, which is `opened` with its name field ready to be typed in."""
    return opened, 'hotkey("ctrl", "a")', f'write(message="{path}")', 'press("enter")'


@dataclass(frozen=True)
class Task:
    """A task; in `request` and `solution`, `{home}` and `{site}` stand for this attempt's."""

    name: str
    request: str
    needs: tuple[str, ...]
    """Names of the programs in `PROGRAMS` that it cannot do without."""
    prepare: Callable[[Home], Awaitable[None]]
    """Puts files into the home and opens what is open at the beginning."""
    check: Callable[[Home], str]
    """Say what is wrong with the files and settings; "" when nothing is. It raises what reading a broken file does."""
    solution: tuple[Subtask, ...]
    told: str = ""
    """The same asked for by saying how it is done, as a person does who knows the application; a task of its own."""
    ends_first: str = ""
    """The window class of an application that writes its settings down only when it ends: it is ended for the check."""
    writes_late: bool = False
    """Whether the application takes seconds to write down what it was told."""
    pages: Mapping[str, str] = field(default_factory=dict)
    """The task's own pages, by their paths, such as "/order.html"."""
    seconds: float = 120
    steps: int = 40


async def nothing(home: Home) -> None:
    """Leave the home as it is: nothing is open at the beginning."""


def differs(found: object, wanted: object, what: str) -> str:
    """Say how something is not as it should be; "" when it is."""
    return "" if found == wanted else f"{what} is {_short(found)}, not {_short(wanted)}"


def first(*wrongs: str) -> str:
    """Give the first thing that is wrong."""
    return next(filter(None, wrongs), "")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + "…"
