"""Getting what a page has put up over a control out of the way, as a person does: Escape, else a click beside it."""

from __future__ import annotations

from deskhand.core.action import Action, At, Click, OnElement, Press
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Act, Turn
from deskhand.models.literal.sight import has, said
from deskhand.perception.scene import LABELS


def uncover(turn: Turn, element: Element) -> Act | None:
    """Clear the way to what could not be clicked because something lies over it; None when that is not so.

    What lies over it is never clicked in its place.
    """
    tried = turn.count("uncovered")
    first = (Press(keys=("esc",)), _beside(turn))[tried] if tried < 2 and "covered" in turn.failed else None
    if first is None or element.source != "dom":
        return None
    actions: tuple[Action, ...] = (first, Click(target=OnElement(id=element.id)))
    thought = f"clear the way to the {said(element, turn.scene)}: {turn.failed}"
    return turn.prepare(*actions, thought=thought, uncovered=str(tried + 1))


def _beside(turn: Turn) -> Click | None:
    """Click where nothing is: on a mere text."""
    texts = [e for e in turn.scene.top if e.role in LABELS and not e.actions and not has(e, "covered", "offscreen")]
    alone = [e for e in texts if not turn.scene.children(e) and not any(a.actions for a in turn.scene.above(e))]
    if turn.asked_at is not None:
        return Click(target=At(point=turn.asked_at.center))
    return Click(target=At(point=alone[0].box.center)) if alone else None
