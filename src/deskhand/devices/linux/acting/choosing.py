"""Setting controls to what is wanted: options, numbers, on and off. Nothing is done before it has stayed so."""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable, Sequence
from difflib import get_close_matches
from functools import partial

import anyio

from deskhand.core.action import ActionResult, OnElement, SelectOption, SetValue, Target
from deskhand.core.errors import TargetNotFound
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.accessibility.choices import MOST_OPTIONS, WAYS, Option
from deskhand.devices.linux.acting.by_hand import choose, click, fold, type_number
from deskhand.devices.linux.acting.cells import go_to_cell, is_cell, set_cell
from deskhand.devices.linux.acting.dates import write_date
from deskhand.devices.linux.acting.pointing import up_for
from deskhand.devices.linux.acting.reach import find_element
from deskhand.devices.linux.acting.verify import BEGINNING, POLL, kept, receiver_of, rested
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.seeing.scene import ITEMS, called

ON = {"on": True, "true": True, "yes": True, "1": True, "off": False, "false": False, "no": False, "0": False}
SWITCHES = {
    "checkbox": "checked",
    "switch": "checked",
    "radio": "checked",
    "menuitemcheckbox": "checked",
    "menuitemradio": "checked",
    "menuitem": "checked",
    "button": "pressed",
    "treeitem": "expanded",
}
"""Roles that are on or off, and the state that says so."""
_NAMED = 10
"""How many options are named where the one that is wanted is missing."""


async def select(rig: Rig, action: SelectOption, window_id: str) -> ActionResult:
    window, element = await _reached(rig, action.target, window_id)
    if window and (is_cell(window, element) or any(is_cell(window, each) for each in rig.within(element, "cell"))):
        return await go_to_cell(rig, action.value, window)
    receiver = receiver_of(window, element)
    together = element.role == "group" and rig.within(element, "textbox")  # as LibreOffice puts boxes together
    options = [] if together else await _offered(rig, element)
    option = _meant(element, action.value, options)
    name = option.name if option else action.value
    if await _is_chosen(rig, element, name):
        return ActionResult(outcome="done", text=f"{name!r} was chosen already", receiver=receiver)
    took = await _by_interface(rig, element, name)
    if took is None:
        text = f"{name!r} was chosen in {called(element)}, which went back at once: look whether it did what it should"
        return ActionResult(outcome="unverified", text=text, receiver=receiver)
    if not took:
        await choose(rig, element, name, [each.name for each in options], window)
        if not await _comes_true(partial(_is_chosen, rig, element, name)):
            text = f"{name!r} could not be chosen in {called(element)}: open it and click the option"
            return ActionResult(outcome="failed", text=text, receiver=receiver)
    result = await kept(f"{name!r} is chosen in {called(element)}", partial(_is_chosen, rig, element, name))
    return result.model_copy(update={"receiver": receiver})


async def _by_interface(rig: Rig, element: Element, option: str) -> bool | None:
    """Choose an option by interfaces; None when a combo box took it and is back at once.

    Some are menus, in truth: trying in another way what they took would have it done twice, or take it back.
    """
    for way in range(WAYS):
        async with rig.watcher.changes() as watched:
            chosen = await rig.controls.select(element.id, option, way)
            if chosen is None:
                continue
            drawn = (await watched.rest()).drawn
        if chosen:
            return True
        if drawn and not drawn.clipped(element.box).empty:
            return await _is_chosen(rig, element, option) or (None if element.role == "combobox" else False)
    return False


async def set_value(rig: Rig, action: SetValue, window_id: str) -> ActionResult:
    window, element = await _reached(rig, action.target, window_id)
    if window and is_cell(window, element):
        return await set_cell(rig, element, action.value, window)
    receiver = receiver_of(window, element)
    state, wanted = _switch_of(element), ON.get(action.value.strip().casefold())
    if state and wanted is not None:
        result = await _switch(rig, element, state, wanted)
    elif "set_value" in element.actions or await rig.controls.number(element.id) is not None:
        result = await _set_number(rig, element, action.value)
    elif (dated := await write_date(rig, window, element, action.value)) is not None:
        result = dated
    else:
        raise TargetNotFound(f"{called(element)} has no value to set: click it, or write into it")
    return result.model_copy(update={"receiver": receiver})


async def _offered(rig: Rig, element: Element) -> list[Option]:
    """List what can be chosen; nothing where that is not known before it unfolds."""
    options = await rig.controls.options(element.id)
    return [] if element.role == "combobox" and len(options) == 1 else options  # libadwaita has the chosen one there


async def _reached(rig: Rig, target: Target, window_id: str) -> tuple[Window | None, Element]:
    """Bring the window up and find the element that is to be set.

    Raises:
        TargetNotFound: it is gone, disabled or read-only, or none is meant.
    """
    window = await up_for(rig, target, window_id)
    if not isinstance(target, OnElement):
        raise TargetNotFound("this needs the id of an element; a point does not say which control is meant")
    element = await find_element(rig, target.id)
    for state, word in (("disabled", "disabled"), ("readonly", "read-only")):
        if state in element.states:
            raise TargetNotFound(f"{called(element)} is {word}: it cannot be set now")
    return window, element


def _meant(element: Element, wanted: str, options: Sequence[Option]) -> Option | None:
    """Find the option that is meant; None when nothing is known of the options.

    Raises:
        TargetNotFound: there is no such option, or it cannot be chosen.
    """
    if not options:
        return None
    found = _called(wanted, options)
    if found is None:
        near = get_close_matches(wanted, [option.name for option in options], _NAMED, 0.0)
        known = f"the first {len(options)}" if len(options) >= MOST_OPTIONS else "it has"
        raise TargetNotFound(f"{called(element)} has no option {wanted!r}; {known}: {', '.join(map(repr, near))}")
    if not found.usable:
        raise TargetNotFound(f"the option {found.name!r} of {called(element)} is disabled: it cannot be chosen now")
    return found


def _called(wanted: str, options: Sequence[Option]) -> Option | None:
    for spell in (str, str.casefold):
        found = [option for option in options if spell(option.name) == spell(wanted)]
        if found:
            return next((option for option in found if option.usable), found[0])
    return None


async def _is_chosen(rig: Rig, element: Element, option: str) -> bool:
    names = [*await rig.controls.chosen(element.id)]
    if element.role == "combobox" and len(options := await rig.controls.options(element.id)) == 1:
        names.append(options[0].name)
    shown = [element.id] if element.role == "combobox" else [each.id for each in rig.within(element, "textbox")]
    for each in shown:  # GTK 4 only shows what is chosen, and so do the boxes that LibreOffice puts together
        now = await rig.controls.live(each)
        names.append(now.value if now else "")
    return option.casefold() in [name.casefold() for name in names]


def _switch_of(element: Element) -> str | None:
    """Give the state that is meant by "on" for an element; None when it is no switch."""
    folds = {"expanded", "collapsed"} & {*element.states} and element.role not in ("combobox", "checkbox", "switch")
    return "expanded" if folds else SWITCHES.get(element.role, "checked" if element.role in ITEMS else None)


async def _switch(rig: Rig, element: Element, state: str, wanted: bool) -> ActionResult:
    word = _word(state, wanted)
    if _is_on(element, state) is wanted:
        return ActionResult(outcome="done", text=f"{called(element)} was {word} already")
    row = element.role in ITEMS and state == "checked" and "press" not in element.actions
    silent = element.role == "menuitem" or row
    if silent and not await rig.controls.tells_of_checks(element.id):
        raise TargetNotFound(
            f"{called(element)} does not say whether it is on: look at the mark beside it, and click it if need be"
        )

    async def there() -> bool:
        now = await rig.controls.live(element.id)
        return now is not None and _is_on(now, state) is wanted

    for way in await _ways(rig, element, state, wanted):
        await rested(rig, way)
        if await _comes_true(there):
            return await kept(f"{called(element)} is {word} now", there)
    now = await rig.controls.live(element.id)
    half = now is not None and _is_on(now, state) is None
    stands = "gone" if now is None else "neither on nor off" if half else f"still {_word(state, not wanted)}"
    return ActionResult(outcome="failed", text=f"{called(element)} is {stands}; click it instead")


async def _comes_true(there: Callable[[], Awaitable[bool]]) -> bool:
    """Give an effect time to begin: GTK 4 shows a button that is used by its interface as pressed for 0.25 s first."""
    deadline = time.monotonic() + BEGINNING
    while not await there():
        if time.monotonic() >= deadline:
            return False
        await anyio.sleep(POLL)
    return True


def _is_on(element: Element, state: str) -> bool | None:
    """Tell whether it is on; None when it is neither that nor off, whatever else its toolkit calls it then."""
    return None if state == "checked" and "mixed" in element.states else state in element.states


def _word(state: str, on: bool) -> str:
    return ("expanded" if on else "collapsed") if state == "expanded" else "on" if on else "off"


async def _ways(rig: Rig, element: Element, state: str, wanted: bool) -> list[Callable[[], Awaitable[object]]]:
    """Give what switches an element, the better ways first: a later one is for when those before had no effect."""
    by_click = partial(click, rig, element)
    if element.role not in ITEMS:
        # What is neither may have to pass through off.
        clicks: list[Callable[[], Awaitable[object]]] = [by_click] * (2 if "mixed" in element.states else 1)
        heard = element.box.empty or not await rig.controls.hears_clicks_only(element.id)
        return [partial(rig.controls.press, element.id), *clicks] if heard and "press" in element.actions else clicks
    if state == "expanded":
        return [partial(rig.controls.fold, element.id), partial(fold, rig, element, open_it=wanted)]
    return [by_click, partial(rig.keyboard.press, ["space"])]  # the click may only have gone to the row


async def _set_number(rig: Rig, element: Element, value: str) -> ActionResult:
    try:
        number = float(value.replace(",", ".").removesuffix("%"))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise TargetNotFound(f"{value!r} is no number, and {called(element)} takes nothing else")

    async def there() -> bool:
        now = await rig.controls.number(element.id)
        return now is not None and math.isclose(now, number, rel_tol=1e-6, abs_tol=1e-9)

    if await there():
        return ActionResult(outcome="done", text=f"{called(element)} was at {number:g} already")
    await rested(rig, partial(rig.controls.set_value, element.id, number))
    if not await there() and element.role == "spinbutton":
        await type_number(rig, element, number)
    if await there():
        result = await kept(f"{called(element)} is at {number:g} now", there)
        if element.role == "slider":
            await _have_told_anew(rig, element)
        if await there() or result.outcome == "failed":
            return result
    now = await rig.controls.number(element.id)
    where = "cannot be read" if now is None else f"stands at {now:g}"
    return ActionResult(outcome="failed", text=f"{called(element)} {where}, it did not take {number:g}")


async def _have_told_anew(rig: Rig, element: Element) -> None:
    """Have a page tell the value of a slider again: Chromium keeps to itself what a script has set, until then."""
    above = rig.shown(element.parent)
    while above and above.role != "document":
        above = rig.shown(above.parent)
    if above:
        await rig.controls.focus(above.id)
        await rig.controls.focus(element.id)
