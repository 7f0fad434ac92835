"""The cells of a spreadsheet, which completes and corrects what is typed there: going to one, writing into it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

import anyio

from deskhand.core.action import ActionResult, Outcome, Write
from deskhand.core.errors import TargetNotFound
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.acting.verify import POLL, receiver_of, rested
from deskhand.devices.linux.input.strokes import refuse_controls
from deskhand.devices.linux.input.text import paste_text
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.seeing.scene import called

CALC = "libreoffice-calc"
"""What its windows are called."""
_ALL = "ctrl+shift+Home"
"""Selects all that stands before the caret."""
_READING = 2.0
"""Seconds that reading the editor of a cell may take."""
_LATE = 3.0
"""Seconds that the editor has to show what was put into it."""


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
    if open_already is None and not await _opened(rig, window):
        text = f"nothing was entered: {called(cell)} did not open for writing; look what the program waits for"
        return ActionResult(outcome="failed", text=text, receiver=receiver_of(window, cell))
    await rested(rig, partial(_put, rig, action.message, ["ctrl+End", *([] if before else [_ALL])]))
    wanted = before + action.message
    held = await _edited_until(rig, window, lambda held: held == wanted)
    result = _judged(len(action.message), wanted, held)
    return result.model_copy(update={"receiver": receiver_of(window, cell)})


def is_cell(window: Window | None, element: Element) -> bool:
    """Tell whether an element is a cell of a spreadsheet, and not one of a list with columns."""
    return window is not None and window.app.casefold() == CALC and element.role == "cell"


def is_editor(window: Window, element: Element) -> bool:
    """Tell whether an element is a paragraph of the editor in which a cell is written, which is open then."""
    return window.app.casefold() == CALC and _is_edited(element)


def _is_edited(element: Element) -> bool:
    return element.role == "paragraph" and "active" in element.states  # as those of other texts are not


async def go_to_cell(rig: Rig, name: str, window: Window) -> ActionResult:
    """Go to a cell that is in view, by its name, such as "B7".

    Raises:
        TargetNotFound: it is not in view.
    """
    reading = await rig.read(window, rig.windows(), _READING)
    rig.remember(reading.elements)
    wanted = [each for each in reading.elements if is_cell(window, each)]
    cell = next((each for each in wanted if each.name.casefold() == name.casefold()), None)
    if cell is None:
        seen = f"{wanted[0].name} to {wanted[-1].name}" if wanted else "none"
        raise TargetNotFound(
            f"there is no cell {name!r} in view, only {seen}: scroll there, or write its name into the box above"
        )
    there = await rested(rig, partial(rig.controls.focus, cell.id))
    text = f"the keyboard is at {called(cell)}" if there else f"{called(cell)} did not take the keyboard: click it"
    return ActionResult(outcome="done" if there else "failed", text=text, receiver=receiver_of(window, cell))


async def set_cell(rig: Rig, cell: Element, value: str, window: Window) -> ActionResult:
    """Put a number, a text or a formula into a cell and take it over; say what it shows then.

    Raises:
        Correctable: the value holds what cannot be entered.
    """
    if not await rested(rig, partial(rig.controls.focus, cell.id)):
        text = f"{called(cell)} did not take the keyboard: click it, write, and press Return"
        return ActionResult(outcome="failed", text=text, receiver=receiver_of(window, cell))
    entered = await write_in_cell(rig, Write(message=value, replace=True), window, cell)
    if entered.outcome == "failed":
        return entered
    await rested(rig, partial(rig.keyboard.press, ["Return"]))
    now = await rig.controls.live(cell.id)
    outcome, text = _taken(called(cell), value.strip(), now.value if now else "")
    return ActionResult(outcome=outcome, text=text, receiver=receiver_of(window, cell))


def _taken(cell: str, value: str, shown: str) -> tuple[Outcome, str]:
    if shown or not value:
        return "done" if bool(shown) == bool(value) else "failed", f"{cell} shows {shown!r} now"
    if value.startswith("="):  # of mistakes in formulas nothing is told
        return "unverified", f"{cell} was given {value!r}, and has no value now: look whether the formula is right"
    return "failed", f"{cell} is empty: it did not take {value!r}"


async def _put(rig: Rig, text: str, keys: Sequence[str]) -> None:
    """Press keys that choose the place in the editor, and put text there."""
    await rig.keyboard.press(keys)
    if text:
        await paste_text(rig.keyboard, rig.clipboard, text)
    # What the program has added to complete it goes. Then all is selected, since nothing is corrected then when the
    # editor is left, as the word at the caret would be.
    await rig.keyboard.press(["Delete", "ctrl+End", _ALL])


async def _edited(rig: Rig, window: Window) -> str | None:
    """Give what the editor of a cell holds; None when none is open, or nothing can be read."""
    reading = await rig.read(window, rig.windows(), _READING)
    paragraphs = [each for each in reading.elements if _is_edited(each)]
    if not paragraphs:
        return None
    return "\n".join([await rig.controls.text(each.id) or "" for each in paragraphs])


async def _opened(rig: Rig, window: Window) -> bool:
    """Open the editor of the cell that has the keyboard.

    What follows must not be sent before: pasted beside an editor it counts for cells, and Delete empties them.
    """
    await rig.keyboard.press(["F2"])
    return await _edited_until(rig, window, lambda held: held is not None) is not None


async def _edited_until(rig: Rig, window: Window, there: Callable[[str | None], bool]) -> str | None:
    """Read the editor until something is there: the tree follows the screen late where the machine is busy."""
    deadline = time.monotonic() + _LATE
    while not there(held := await _edited(rig, window)) and time.monotonic() < deadline:  # noqa: ASYNC110
        await anyio.sleep(POLL)
    return held


def _judged(size: int, wanted: str, held: str | None) -> ActionResult:
    entered = f"{size} character{'' if size == 1 else 's'} pasted into the editor of the cell"
    if held is None:
        return ActionResult(outcome="unverified", text=f"{entered}; it cannot be read back")
    if held != wanted:
        return ActionResult(outcome="failed", text=f"{entered}, but it holds something else; press Escape to leave it")
    return ActionResult(outcome="done", text=f"{entered} and read back; press Return to take it over")
