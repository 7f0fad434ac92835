"""Keys that end a word where a program corrects it then: the word stays as it was written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from deskhand.core.keys import chord
from deskhand.core.observation import Window
from deskhand.devices.linux.acting.documents import LABEL, Paragraphs, is_paragraph, to_paste
from deskhand.devices.linux.acting.verify import rested
from deskhand.devices.linux.input.text import paste_text
from deskhand.devices.linux.rig import Rig

_ENDS = {"Return": "\n", "KP_Enter": "\n", " ": " ", "Tab": "\t"}
"""What the keys put there, by name."""
_AS_FAR = 250
"""Characters before the caret that are compared."""


async def press_in(rig: Rig, window: Window | None, keys: Sequence[str], presses: int) -> None:
    """Press keys; where one of them has a word processor change what stands before the caret, take that back.

    Raises:
        TargetNotFound: one of them is no key; then none is pressed.
    """
    strokes = [(name, _end_of(name)) for name in keys]
    if (
        window is None
        or not any(end for _, end in strokes)
        or not is_paragraph(window, await rig.controls.focused(window.pid))
    ):
        await rig.keyboard.press(keys, presses)
        return
    for name, end in strokes * presses:
        await (_end_word(rig, window, name, end) if end else rig.keyboard.press([name]))


def _end_of(key: str) -> str:
    names = chord(key)
    return _ENDS.get(names[0], "") if len(names) == 1 else ""


async def _end_word(rig: Rig, window: Window, name: str, end: str) -> None:
    before = await _before_caret(rig, window)
    await rested(rig, partial(rig.keyboard.press, [name]))  # slides tell of what is drawn, not of what is done
    if not before or before[-1].isspace():
        return
    wanted = _near(before + end)
    now = re.sub(f"{LABEL}$", "", await _before_caret(rig, window) or "")  # a line of a list may have begun
    if now == wanted or not now.endswith(end):  # Tab goes to the next cell of a table
        return
    await rig.keyboard.hotkey(["ctrl", "z"])
    if await _before_caret(rig, window) not in (before, wanted):  # the caret is at what was put back, or selects it
        await rig.keyboard.press(["End"])
    left = await _before_caret(rig, window)
    if left not in (before, wanted):
        await rig.keyboard.hotkey(["ctrl", "y"])
    elif left == before:  # the key was taken back as well
        for part in to_paste(window, end):
            await paste_text(rig.keyboard, rig.clipboard, part)


async def _before_caret(rig: Rig, window: Window) -> str | None:
    now = await Paragraphs(rig, window, "", replace=False).before_caret()
    return None if now is None else _near(now)


def _near(text: str) -> str:
    return text[-_AS_FAR:]
