"""Sending off what was entered by the only button for it, whatever it is called; so are tasks of pages handed in."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deskhand.core.geometry import Box
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Turn
from deskhand.models.literal.sight import has
from deskhand.perception.naming import fold
from deskhand.perception.quoting import mask, quote
from deskhand.perception.scene import Scene

_COMMIT = re.compile(
    r"(?:submit|log ?in|sign ?in|log ?on|sign ?on|ok|okay|done|go|send|search|find|finish|apply|confirm|continue|enter|"
    r"next|check|save|order|checkout|place order|submit order|order now)"
)
_ENTERED = ("entered ", "dragged ", "arranged ")
_CLICKED = "clicked "


def only_commit_button(turn: Turn, words: str) -> Element | None:
    """Give the only button there is, when it sends off what was entered and another such name was said for it."""
    said = re.sub(r"^the | button$", "", fold(mask(words).plain))
    return _only(turn.scene) if _COMMIT.fullmatch(said) else None


def handing_in(scene: Scene, asked_at: Box | None, notes: Sequence[str]) -> str:
    """Say how a task is handed in that a page has set: an entry is its answer once the only button has sent it off.

    "" where nothing was entered last, a button was clicked already, or the request does not stand on the page.
    """
    if asked_at is None or not notes or not notes[-1].startswith(_ENTERED):
        return ""
    button = None if any(note.startswith(_CLICKED) for note in notes) else _only(scene)
    return f"press {quote(button.name.strip())}" if button is not None else ""


def _only(scene: Scene) -> Element | None:
    pressed = [e for e in scene.top if e.role == "button" and e.name.strip() and e.name != e.drawn]
    buttons = [e for e in pressed if not has(e, "offscreen", "covered")]
    if len(buttons) != 1 or has(buttons[0], "disabled"):
        return None
    return buttons[0] if _COMMIT.fullmatch(fold(buttons[0].name).strip(" !>→")) else None
