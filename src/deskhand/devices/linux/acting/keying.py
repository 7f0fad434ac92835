"""What is done with the keyboard: keys, chords and text."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from deskhand.core.action import ActionResult, Hotkey, KeyDown, KeyUp, OnElement, Press, Write
from deskhand.core.errors import TargetNotFound
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.accessibility.acts import go_behind
from deskhand.devices.linux.acting.cells import is_cell, is_editor, write_in_cell
from deskhand.devices.linux.acting.corrections import press_in
from deskhand.devices.linux.acting.dates import PARTED, write_date
from deskhand.devices.linux.acting.documents import DRAWINGS, Paragraphs, in_blocks, is_paragraph, to_paste
from deskhand.devices.linux.acting.editing import opens
from deskhand.devices.linux.acting.pointing import hover, needed, up_for
from deskhand.devices.linux.acting.reach import bring_up, keep_up, spot
from deskhand.devices.linux.acting.shapes import open_shape, shape_of
from deskhand.devices.linux.acting.verify import Reader, receiver_of, rested, scene, verified
from deskhand.devices.linux.input.keys import borrowed
from deskhand.devices.linux.input.text import Contents, Entering, TextEntry
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.seeing.scene import called, picture_change
from deskhand.devices.linux.seeing.settle import QUIET

TERMINALS = frozenset(
    {
        "xterm",
        "uxterm",
        "urxvt",
        "xfce4-terminal",
        "gnome-terminal",
        "konsole",
        "lxterminal",
        "st",
        "alacritty",
        "kitty",
    }
)

ENTERED = 0.2
"""Seconds without a change after text was entered: what depends on it is switched on or off a little later.

GTK's file dialog switches its button on after 0.16.
"""
CHECKED = 0.4
"""The same for a line of a form that can be read back: its program may check it, and put back what was there."""
CORRECTING = "libreoffice"
"""What the windows of programs are called that change what is typed."""


async def press(rig: Rig, action: Press, window_id: str) -> ActionResult:
    window = await bring_up(rig, window_id)
    taken = rig.keyboard.taken(action.keys)
    strike = partial(press_in, rig, window, action.keys, action.presses)
    result = await verified(rig, partial(_send, rig, window, strike), window, _focus(rig, window))
    return _explained(result, action.keys, taken)


async def hotkey(rig: Rig, action: Hotkey, window_id: str) -> ActionResult:
    window = await bring_up(rig, window_id)
    taken = rig.keyboard.taken(["+".join(action.keys)])
    strike = partial(rig.keyboard.hotkey, action.keys)
    result = await verified(rig, partial(_send, rig, window, strike), window, _focus(rig, window))
    return _explained(result, action.keys, taken)


def _explained(result: ActionResult, keys: Sequence[str], taken: str) -> ActionResult:
    """Add who took them, if not the application, and what keys are here that were named as on another system."""
    by_others = f"{taken} is a shortcut of the desktop, which takes it before any application" if taken else ""
    told = "; ".join(filter(None, (result.text, by_others, borrowed(keys))))
    return result.model_copy(update={"text": told})


async def _send(rig: Rig, window: Window | None, strike: Callable[[], Awaitable[None]]) -> None:
    """Press keys, after making sure once more that they go where they are meant for."""
    if window:
        await keep_up(rig, window.id)
    await strike()


async def key_down(rig: Rig, action: KeyDown, window_id: str) -> ActionResult:
    window = await bring_up(rig, window_id)
    await rested(rig, partial(rig.keyboard.down, action.key))
    return ActionResult(outcome="done", text=f"{action.key} is held down", receiver=receiver_of(window, None))


async def key_up(rig: Rig, action: KeyUp) -> ActionResult:
    await rested(rig, partial(rig.keyboard.up, action.key))
    return ActionResult(outcome="done", text=f"{action.key} is released")


async def write(rig: Rig, action: Write, window_id: str) -> ActionResult:
    window = await up_for(rig, action.target, window_id)
    if window is None:
        raise TargetNotFound("no window has the keyboard; bring one up first")
    shown = rig.shown(action.target.id) if isinstance(action.target, OnElement) else None
    if shown and shown.role == PARTED and (dated := await write_date(rig, window, shown, action.message)):
        return dated.model_copy(update={"receiver": receiver_of(window, shown)})
    element = await _take_keyboard(rig, action, window)
    if element and "disabled" in element.states:
        raise TargetNotFound(f"{called(element)} is disabled: nothing can be written there now")
    if element and "readonly" in element.states:
        return await _type_at(rig, action, window, element)
    await keep_up(rig, window.id)  # the focus may have been taken away in the meantime
    if element and (is_cell(window, element) or is_editor(window, element)):
        return await write_in_cell(rig, action, window, element)
    in_list = element is not None and element.role == "cell" and not _is_of_page(rig, element)
    if element and in_list and not await opens(rig, element):
        raise TargetNotFound(f"nothing was entered: {called(element)} does not open for writing")
    if is_paragraph(window, element) and len(blocks := in_blocks(action.message)) > 1:
        result = await _write_blocks(rig, action, window, element, blocks)
        return result.model_copy(update={"receiver": receiver_of(window, element)})
    entry = _entry(rig, action, window, element)
    before = await scene(rig)
    result = await _enter(rig, entry, action.message)
    if (
        element is None
        and entry.kind == "field"
        and entry.read is None
        and result.outcome == "unverified"
        and action.message.strip()
    ):
        result = _seen(result, picture_change(before, await scene(rig)))
    return result.model_copy(update={"receiver": receiver_of(window, element)})


async def _write_blocks(
    rig: Rig, action: Write, window: Window, element: Element | None, blocks: Sequence[str]
) -> ActionResult:
    """Write a long text into a document part by part, each read back, as far as it is told, before the next."""
    results: list[ActionResult] = []
    for block in blocks:
        part = action.model_copy(update={"message": block, "replace": action.replace and not results})
        results.append(await _enter(rig, _into_paragraph(rig, part, window, None if results else element), block))
        if results[-1].outcome == "failed":
            break
    doubtful = [at for at, result in enumerate(results) if result.outcome != "done"]
    if not doubtful:
        told = f"{len(action.message)} characters in {len(blocks)} parts; the last: {results[-1].text}"
        return results[-1].model_copy(update={"text": told})
    at = doubtful[-1]
    return results[at].model_copy(update={"text": f"part {at + 1} of {len(blocks)}: {results[at].text}"})


def _is_of_page(rig: Rig, element: Element) -> bool:
    """Tell whether an element is part of a document, where tables may take keys themselves."""
    above: Element | None = element
    while above is not None and above.role != "document":
        above = rig.shown(above.parent)
    return above is not None


async def _enter(rig: Rig, entry: TextEntry, text: str) -> ActionResult:
    """Enter text, wait until the screen rests and see that it is still there."""
    quiet = ENTERED if entry.read is None or entry.kind != "field" else QUIET if entry.multiline else CHECKED
    entering = Entering(entry, text, rig.keyboard, rig.clipboard)
    return await entering.look_again(await rested(rig, entering.run, quiet))


def _seen(result: ActionResult, drawn: str) -> ActionResult:
    """Say what can be seen of a text in a window that tells nothing of itself; without a trace it is not there."""
    if drawn:
        return result.model_copy(update={"text": f"{result.text}; {drawn}"})
    text = f"{result.text}, and nothing on the screen has changed: nothing there takes text"
    return ActionResult(outcome="failed", text=text)


async def _type_at(rig: Rig, action: Write, window: Window, element: Element) -> ActionResult:
    """Type as a person would where nothing can be written: some programs take keys and show them in such a field.

    Raises:
        TargetNotFound: the text was meant to stand in that very field, or its keys could do something else.
    """
    if action.target or action.replace:
        raise TargetNotFound(f"{called(element)} is read-only: press keys or click what changes it instead")
    if not action.message.isprintable():
        raise TargetNotFound(f"{called(element)} is read-only and takes keys only: press line breaks and tabs by name")
    strike = partial(rig.keyboard.type, action.message)
    return await verified(rig, partial(_send, rig, window, strike), window, _focus(rig, window))


async def _take_keyboard(rig: Rig, action: Write, window: Window) -> Element | None:
    """Give the keyboard to the target; without one, give what has it."""
    if action.target is None:
        return await rig.controls.focused(window.pid)
    place = await spot(rig, action.target)
    element = place.element
    if element and (shape := shape_of(rig, window, element)):
        return await open_shape(rig, window, shape, needed(place), replace=action.replace)
    if element and "focused" in element.states:
        return element
    if element and "focus" in element.actions and await rig.controls.focus(element.id):
        if element.role == "textbox" and not action.replace:
            await rig.controls.use(element.id, go_behind)
        return element
    point = needed(place)
    await hover(rig, point)
    await rested(rig, partial(rig.pointer.click, point))
    if not isinstance(action.target, OnElement):
        return await rig.controls.focused(window.pid)
    now = await rig.controls.live(action.target.id)
    focused = now if now and "focused" in now.states else await rig.controls.focused(window.pid)
    if focused and element and focused.id != element.id and focused.parent != element.id:
        raise TargetNotFound(
            f"nothing was entered: {called(element)} does not take the keyboard, {called(focused)} has it"
        )
    return focused or now


def _entry(rig: Rig, action: Write, window: Window, element: Element | None) -> TextEntry:
    """Describe the place that takes the text."""
    if is_paragraph(window, element):
        return _into_paragraph(rig, action, window, element)
    corrects = window.app.casefold().startswith(CORRECTING)
    if element is None:
        terminal = window.app.casefold() in TERMINALS
        return TextEntry(kind="terminal" if terminal else "field", replace=action.replace, corrects=corrects)
    if element.role in ("password", "terminal"):
        return TextEntry(kind="password" if element.role == "password" else "terminal", replace=action.replace)
    above = rig.shown(element.parent)
    if element.role in ("cell", PARTED) or (above and above.role == PARTED):
        # What is typed stands in an editor of its own, and in the cell once that is left.
        return TextEntry(replace=action.replace)
    controls = rig.controls
    put = controls.set_text if action.replace else controls.insert_text
    numeric = element.role == "spinbutton" and "set_text" not in element.actions

    async def read() -> Contents | None:
        text = await (_number(rig, element) if numeric else controls.text(element.id))
        return None if text is None else Contents(text, *(await controls.selection(element.id) or ()))

    multiline = "multiline" in element.states if element.role in ("textbox", "combobox", "spinbutton") else None
    insert = partial(put, element.id) if "set_text" in element.actions else None
    return TextEntry(multiline=multiline, replace=action.replace, insert=insert, read=read, corrects=corrects)


async def _number(rig: Rig, element: Element) -> str | None:
    """Give the text of a number in a page. Browsers may tell an old one, while its value is right."""
    text, now = await rig.controls.text(element.id), await rig.controls.live(element.id)
    try:
        return now.value if now and float(now.value) != float(text or 0) else text
    except ValueError:  # one of them is no number
        return text


def _into_paragraph(rig: Rig, action: Write, window: Window, element: Element | None) -> TextEntry:
    """Describe a paragraph of a document. Its interface would not make new paragraphs of line breaks."""
    text, controls = action.message, rig.controls
    drawn = window.app.casefold() in DRAWINGS
    put = controls.set_text if action.replace else controls.insert_text
    return TextEntry(
        multiline=True,
        replace=action.replace,
        insert=partial(put, element.id) if element and "\n" not in text and not drawn else None,
        select=partial(controls.select_all, element.id) if element else None,
        read=Paragraphs(rig, window, text, replace=action.replace).read,
        corrects=True,
        pasted=to_paste(window, text),
    )


def _focus(rig: Rig, window: Window | None) -> Reader:
    return partial(rig.controls.focused, window.pid if window else 0)
