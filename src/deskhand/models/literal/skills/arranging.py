"""Windows put away, made to fill the screen, moved and resized, as requests say it."""

from __future__ import annotations

import re

from deskhand.core.action import ArrangeWindow
from deskhand.core.geometry import Point, Size
from deskhand.core.observation import Window
from deskhand.models.literal.moves import Ask, Done, Fail, Move, Turn
from deskhand.models.literal.sight import window_called
from deskhand.perception.quoting import mask

_OWN = re.compile(r"^(?:(?:the|this|its|it)\b\s*)?(?:window)?$", re.IGNORECASE)
_NOUN = re.compile(r"(?i)\s+window$")
_PAIR = re.compile(r"(\d+)\D+(\d+)")
_HOWS = {"minimise": "minimize", "maximise": "maximize", "unmaximize": "restore", "unmaximise": "restore"}


def window(turn: Turn) -> Move:
    """Arrange a window, and take the device's word for what came of it."""
    if turn.done:
        return Done(turn.evidence)
    if turn.tries:
        return Fail(f"“{turn.clause.text}”: {turn.failed or turn.evidence}")
    words = mask(turn.clause.target).plain.strip()
    meant = _meant(turn, words)
    if meant is None:
        return Ask(f"“{turn.clause.text}”: which window is meant? None is called {words!r}.")
    how = _HOWS.get(turn.clause.mode.casefold(), turn.clause.mode.casefold())
    pair = _PAIR.search(turn.clause.value)
    thought = f"{how} the window {meant.title!r}"
    match how, pair:
        case ("minimize" | "maximize" | "restore") as state, _:
            return turn.act(ArrangeWindow(window=meant.id, how=state), thought=thought)
        case "move", re.Match():
            corner = Point(int(pair[1]), int(pair[2]))
            return turn.act(ArrangeWindow(window=meant.id, how="move", corner=corner), thought=thought)
        case "resize", re.Match():
            size = Size(max(1, int(pair[1])), max(1, int(pair[2])))
            return turn.act(ArrangeWindow(window=meant.id, how="resize", size=size), thought=thought)
        case _:
            return Ask(f"“{turn.clause.text}”: to which two numbers of pixels?")


def _meant(turn: Turn, words: str) -> Window | None:
    """Give the window of the application at hand, or the one whose title or application is named."""
    if _OWN.match(words):
        return turn.own_window
    return window_called(turn.windows, _NOUN.sub("", words))
