"""Text in shapes of slides and drawings, which have to be opened for writing: what is pasted beside makes a new one."""

from __future__ import annotations

import time
from functools import partial

import anyio

from deskhand.core.errors import TargetNotFound
from deskhand.core.geometry import Point
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.acting.documents import DRAWINGS, is_paragraph
from deskhand.devices.linux.acting.verify import POLL, rested
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.seeing.scene import called

_OPENS = 1.0
"""Seconds that a shape may take to open, or the caret to move."""


def shape_of(rig: Rig, window: Window, element: Element) -> Element | None:
    """Give the shape that an element is, or whose text it is; None when it is neither."""
    if window.app.casefold() not in DRAWINGS:
        return None
    above = rig.shown(element.parent)
    if above and above.role == "document" and element.role == "textbox":
        return element
    return above if above and is_paragraph(window, element) else None


async def open_shape(rig: Rig, window: Window, shape: Element, point: Point, *, replace: bool) -> Element:
    """Open a shape for writing by a double click at a point of it; give the paragraph that has the caret then.

    That is behind all that the shape holds; with `replace` it holds nothing any more. A shape that is being written in
    is left first: after a paste LibreOffice has a wrong idea of where its text ends, also when it is opened by a key.

    Raises:
        TargetNotFound: it takes no text.
    """
    await rested(rig, partial(rig.keyboard.press, ["Escape", "Escape"]))
    await rested(rig, partial(rig.controls.focus, shape.id))
    await rested(rig, partial(rig.pointer.click, point, 2))
    await _caret_in(rig, window, shape, at_end=False)
    for keys in (["ctrl", "a"], ["Delete" if replace else "Right"]):
        await rested(rig, partial(rig.keyboard.hotkey, keys))
    return await _caret_in(rig, window, shape, at_end=True)


async def _caret_in(rig: Rig, window: Window, shape: Element, *, at_end: bool) -> Element:
    """Wait for the caret in a shape, which may be told of a little later than it is drawn.

    Raises:
        TargetNotFound: it does not come.
    """
    deadline = time.monotonic() + _OPENS
    while time.monotonic() < deadline:
        paragraph = await rig.controls.focused(window.pid)
        if paragraph and paragraph.parent == shape.id and is_paragraph(window, paragraph):
            around = await rig.controls.around(paragraph.id, 0, 1)
            if around and not (at_end and any(around.after)):
                return paragraph
        await anyio.sleep(POLL)
    raise TargetNotFound(f"nothing was entered: {called(shape)} does not open for writing")
