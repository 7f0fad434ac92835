"""Actions in words, for the user who is asked and for the journal."""

from __future__ import annotations

from deskhand.core.action import (
    Action,
    ArrangeWindow,
    At,
    CallTool,
    CloseWindow,
    Described,
    FocusWindow,
    Hotkey,
    KeyDown,
    KeyUp,
    OnElement,
    Press,
    RunCommand,
    target_of,
)
from deskhand.core.observation import Observation
from deskhand.processors.landing import carried_text

LONGEST = 300
"""Characters of a text that are shown to the user who is to agree to its being entered."""


def in_words(action: Action, seen: Observation | None, window: str = "") -> str:
    """Say what would be done, to what and in which window: `click on button 'Delete' in 'a.txt - Editor'`."""
    words: list[str] = [action.kind]
    if carried := _carried(action, seen):
        words.append(carried)
    if place := aimed_at(action, seen):
        words.append(f"on {place}")
    if isinstance(target := target_of(action), At):
        words.append(f"at ({target.point.x}, {target.point.y})")
    if title := _title(seen, window):
        words.append(f"in {title!r}")
    return " ".join(words)


def aimed_at(action: Action, seen: Observation | None) -> str:
    """Name the element an action is aimed at, or that lies under its point; "" when there is none."""
    target = target_of(action)
    match target:
        case OnElement(id=element_id):
            element = seen.element(element_id) if seen is not None else None
        case At(point=point):
            element = seen.under(point) if seen is not None else None
        case Described(text=text):
            return repr(text)
        case None:
            return ""
    if element is None:
        return target.id if isinstance(target, OnElement) else ""
    return f"{element.role} {element.name!r}"


def _carried(action: Action, seen: Observation | None) -> str:
    match action:
        case Press(keys=keys):
            return ", ".join(map(repr, keys))
        case Hotkey(keys=keys):
            return repr("+".join(keys))
        case KeyDown(key=key) | KeyUp(key=key):
            return repr(key)
        case FocusWindow(window=window) | CloseWindow(window=window):
            return repr(_title(seen, window) or window)
        case ArrangeWindow(window=window, how=how):
            return f"{how} {_title(seen, window) or window!r}"
    text = carried_text(action)
    if isinstance(action, RunCommand | CallTool):
        return repr(text)  # whole: what matters may stand at its end
    more = f"… ({len(text)} characters)" if len(text) > LONGEST else ""
    return f"{text[:LONGEST]!r}{more}" if text else ""


def _title(seen: Observation | None, window: str) -> str:
    if seen is None:
        return ""
    wanted = window or seen.window
    return next((w.title for w in seen.windows if w.id == wanted), "")
