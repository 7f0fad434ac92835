"""Writing into the cells of a spreadsheet that completes and corrects what is typed there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from deskhand.core.action import ActionResult, Write
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.input.strokes import refuse_controls
from deskhand.devices.linux.input.text import paste_text
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.verify import receiver_of, rested

CALC = "libreoffice-calc"
"""What its windows are called."""
_ALL = "ctrl+shift+Home"
"""Selects all that stands before the caret."""
_READING = 2.0
"""Seconds that reading the editor of a cell may take."""


async def write_in_cell(rig: Rig, action: Write, window: Window, cell: Element) -> ActionResult:
    """Put text into the editor of the cell that has the keyboard, which is left open: Return takes the text over.

    It goes in place of what the cell holds, as what is typed there does; behind what was written into the editor
    before, if that is still open and not to be replaced.

    Raises:
        Correctable: the text holds what cannot be entered.
    """
    refuse_controls(action.message)
    open_already = await _edited(rig, window)
    before = "" if action.replace else open_already or ""
    opening = ["F2"] if open_already is None else []
    await rested(rig, partial(_put, rig, action.message, [*opening, "ctrl+End", *([] if before else [_ALL])]))
    result = _judged(len(action.message), before + action.message, await _edited(rig, window))
    return result.model_copy(update={"receiver": receiver_of(window, cell)})


async def _put(rig: Rig, text: str, keys: Sequence[str]) -> None:
    """Press keys that open the editor and choose the place, and put text there."""
    await rig.keyboard.press(keys)
    if text:
        await paste_text(rig.keyboard, rig.clipboard, text)
    # What the program has added to complete it goes. Then all is selected, since nothing is corrected then when the
    # editor is left, as the word at the caret would be.
    await rig.keyboard.press(["Delete", "ctrl+End", _ALL])


async def _edited(rig: Rig, window: Window) -> str | None:
    """Give what the editor of a cell holds; None when none is open, or nothing can be read."""
    reading = await rig.read(window, rig.windows(), _READING)
    # The paragraphs of an editor are active, those of other texts are not.
    paragraphs = [each for each in reading.elements if each.role == "paragraph" and "active" in each.states]
    if not paragraphs:
        return None
    return "\n".join([await rig.controls.text(each.id) or "" for each in paragraphs])


def _judged(size: int, wanted: str, held: str | None) -> ActionResult:
    entered = f"{size} character{'' if size == 1 else 's'} pasted into the editor of the cell"
    if held is None:
        return ActionResult(outcome="unverified", text=f"{entered}; it cannot be read back")
    if held != wanted:
        return ActionResult(outcome="failed", text=f"{entered}, but it holds something else; press Escape to leave it")
    return ActionResult(outcome="done", text=f"{entered} and read back; press Return to take it over")
