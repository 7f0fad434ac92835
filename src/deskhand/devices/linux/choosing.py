"""Setting controls to what is wanted: options, numbers, on and off."""

from __future__ import annotations

import math
from difflib import get_close_matches
from functools import partial

from deskhand.core.action import ActionResult, OnElement, SelectOption, SetValue, Target
from deskhand.core.errors import TargetNotFound
from deskhand.core.geometry import Point
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.input.text import TextEntry, enter_text
from deskhand.devices.linux.pointing import needed, up_for
from deskhand.devices.linux.reach import PATIENCE, Spot, find_element, place_of
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.scene import called
from deskhand.devices.linux.verify import receiver_of, rested

ON = {"on": True, "true": True, "yes": True, "1": True, "off": False, "false": False, "no": False, "0": False}
SWITCHES = {
    "checkbox": "checked",
    "switch": "checked",
    "radio": "checked",
    "menuitemcheckbox": "checked",
    "menuitemradio": "checked",
    "button": "pressed",
    "treeitem": "expanded",
}
"""Roles that are on or off, and the state that says so."""


ARROW = 10
"""Pixels from the right edge of a combo box to the arrow that unfolds it."""


async def select(rig: Rig, action: SelectOption, window_id: str) -> ActionResult:
    window = await up_for(rig, action.target, window_id)
    element = await _element(rig, action.target)
    receiver = receiver_of(window, element)
    if await _chosen(rig, element, action.value):
        return ActionResult(outcome="done", text=f"{action.value!r} was chosen already", receiver=receiver)
    if not await rested(rig, partial(rig.controls.select, element.id, action.value)):
        options = await rig.controls.options(element.id)
        option = _named(action.value, options)
        if options and option is None:
            near = get_close_matches(action.value, options, 10, 0.0)
            raise TargetNotFound(
                f"{called(element)} has no option {action.value!r}; it has: {', '.join(map(repr, near))}"
            )
        if not await _select_by_hand(rig, element, option or action.value, window):
            text = f"{action.value!r} could not be chosen in {called(element)}: open it and click the option"
            return ActionResult(outcome="failed", text=text, receiver=receiver)
    text = f"{action.value!r} is chosen in {called(element)}"
    return ActionResult(outcome="done", text=text, receiver=receiver)


async def set_value(rig: Rig, action: SetValue, window_id: str) -> ActionResult:
    window = await up_for(rig, action.target, window_id)
    element = await _element(rig, action.target)
    if "disabled" in element.states:
        raise TargetNotFound(f"{called(element)} is disabled: it cannot be set now")
    receiver = receiver_of(window, element)
    state = SWITCHES.get(element.role)
    if state and action.value.casefold() in ON:
        result = await _switch(rig, element, state, ON[action.value.casefold()])
    elif "set_value" in element.actions or await rig.controls.number(element.id) is not None:
        result = await _set_number(rig, element, action.value)
    else:
        raise TargetNotFound(f"{called(element)} has no value to set: click it, or write into it")
    return result.model_copy(update={"receiver": receiver})


async def _element(rig: Rig, target: Target) -> Element:
    if not isinstance(target, OnElement):
        raise TargetNotFound("this needs the id of an element; a point does not say which control is meant")
    return await find_element(rig, target.id)


async def _switch(rig: Rig, element: Element, state: str, wanted: bool) -> ActionResult:
    word = "on" if wanted else "off"
    if (state in element.states) == wanted:
        return ActionResult(outcome="done", text=f"{called(element)} was {word} already")
    if "press" in element.actions:
        await rested(rig, partial(rig.controls.press, element.id))
    else:
        await _click(rig, element)
    now = await rig.controls.live(element.id)
    if now and (state in now.states) == wanted:
        return ActionResult(outcome="done", text=f"{called(element)} is {word} now")
    text = f"{called(element)} is {'gone' if now is None else 'still ' + ('off' if wanted else 'on')}; click it instead"
    return ActionResult(outcome="failed", text=text)


async def _set_number(rig: Rig, element: Element, value: str) -> ActionResult:
    try:
        number = float(value.replace(",", ".").removesuffix("%"))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise TargetNotFound(f"{value!r} is no number, and {called(element)} takes nothing else")
    if await rested(rig, partial(rig.controls.set_value, element.id, number)):
        return ActionResult(outcome="done", text=f"{called(element)} is at {number:g} now")
    if element.role == "spinbutton":
        await _type_number(rig, element, value)
    now = await rig.controls.number(element.id)
    if now is not None and math.isclose(now, number, rel_tol=1e-6, abs_tol=1e-9):
        return ActionResult(outcome="done", text=f"{called(element)} is at {number:g} now")
    where = "cannot be read" if now is None else f"stands at {now:g}"
    return ActionResult(outcome="failed", text=f"{called(element)} {where}, it did not take {number:g}")


async def _type_number(rig: Rig, element: Element, value: str) -> None:
    """Set a spin button as a person would: write the number and press Return."""
    if not await rig.controls.focus(element.id):
        await _click(rig, element)
    await enter_text(TextEntry(multiline=False, replace=True), value, rig.keyboard, rig.clipboard)
    await rested(rig, partial(rig.keyboard.press, ["Return"]))


async def _select_by_hand(rig: Rig, element: Element, option: str, window: Window | None) -> bool:
    """Open a combo box and click the option in the list that comes up."""
    if window is None:
        return False
    if element.role == "combobox" and "expanded" not in element.states:
        await _unfold(rig, element)
    reading = await rig.read(window, rig.windows(), PATIENCE)
    rig.remember(reading.elements)
    found = [each for each in reading.elements if each.name == option and each.role in _OPTIONS and not each.box.empty]
    if not found:
        return False
    await _click(rig, found[-1])
    return await _chosen(rig, element, option)


_OPTIONS = ("option", "listitem", "menuitem", "menuitemradio", "treeitem", "row", "cell", "tab", "radio")


async def _unfold(rig: Rig, combo: Element) -> None:
    """Click the arrow of a combo box: one that can be written in shows its list only there."""
    middle = needed(Spot(await place_of(rig, combo), combo))
    now = await rig.controls.live(combo.id) or combo
    reach = min(ARROW, now.box.width // 2)
    point = Point(now.box.right - reach, middle.y) if now.box.right - reach > middle.x else middle
    await rested(rig, partial(rig.pointer.click, point))


async def _click(rig: Rig, element: Element) -> None:
    point = needed(Spot(await place_of(rig, element), element))
    await rested(rig, partial(rig.pointer.click, point))


async def _chosen(rig: Rig, element: Element, option: str) -> bool:
    now = await rig.controls.live(element.id)
    if now is None:
        return False
    return now.role == "combobox" and now.value.casefold() == option.casefold()


def _named(wanted: str, options: tuple[str, ...]) -> str | None:
    exact = [option for option in options if option == wanted]
    return next(iter(exact or [option for option in options if option.casefold() == wanted.casefold()]), None)
