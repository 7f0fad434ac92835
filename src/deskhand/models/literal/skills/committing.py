"""Sending off what was entered, where the button for it has another name than the one that was said."""

from __future__ import annotations

import re

from deskhand.core.observation import Element
from deskhand.models.literal.moves import Turn
from deskhand.models.literal.sight import has
from deskhand.perception.naming import fold
from deskhand.perception.quoting import mask

_COMMIT = re.compile(
    r"(?:submit|log ?in|sign ?in|log ?on|sign ?on|ok|okay|done|go|send|search|find|finish|apply|confirm|continue|enter|"
    r"next|order|checkout|place order|submit order|order now)"
)


def only_commit_button(turn: Turn, words: str) -> Element | None:
    """Give the only button there is, when it sends off what was entered and another such name was said for it."""
    said = re.sub(r"^the | button$", "", fold(mask(words).plain))
    buttons = [
        e for e in turn.scene.top if e.role == "button" and e.name.strip() and not has(e, "offscreen", "covered")
    ]
    if len(buttons) != 1 or not _COMMIT.fullmatch(said) or not _COMMIT.fullmatch(fold(buttons[0].name).strip(" !>→")):
        return None
    return None if has(buttons[0], "disabled") else buttons[0]
