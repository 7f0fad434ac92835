"""Choosing and setting with pointer and keys, as a person would, what interfaces only claim to do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import partial

from deskhand.core.geometry import Box, Point
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.acting.pointing import NOTCH, needed
from deskhand.devices.linux.acting.reach import PATIENCE, Spot, place_of
from deskhand.devices.linux.acting.verify import rested
from deskhand.devices.linux.input.text import TextEntry, enter_text
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.seeing.scene import ITEMS
from deskhand.devices.linux.windows.listing import pop_ups

ARROW = 10
"""Pixels from the right edge of a combo box to the arrow that unfolds it."""
_OPTIONS = ITEMS | {"option", "menuitem", "menuitemradio", "tab", "radio", "label"}
_TURNS = 24
"""How often a list is scrolled further at most."""
_FARTHEST = 60
"""Notches of one turn at most."""


async def click(rig: Rig, element: Element) -> None:
    """Click an element.

    Raises:
        TargetNotFound: it is hidden.
    """
    point = needed(Spot(await place_of(rig, element), element))
    await rested(rig, partial(rig.pointer.click, point))


async def choose(rig: Rig, element: Element, option: str, options: Sequence[str], window: Window | None) -> None:
    """Click an option: of a combo box in the list that comes up, else where it is; scroll there if need be.

    `options` are all names in their order, as far as they are known.
    """
    if window is None:
        return
    combo = element.role == "combobox" or bool(rig.within(element, "textbox"))
    if combo and "expanded" not in element.states:
        await _unfold(rig, element)
    shown = await _bring_into_view(rig, element, option, options, window)
    if shown:
        await click(rig, shown)
    elif combo:
        await rested(rig, partial(rig.keyboard.press, ["Escape"]))


async def _bring_into_view(
    rig: Rig, element: Element, option: str, options: Sequence[str], window: Window
) -> Element | None:
    """Turn the wheel over a list until an option can be seen; None when it does not come."""
    before: list[str] = []
    notches = 0
    for _ in range(_TURNS):
        shown = await _options_shown(rig, element, window)
        listed = _together([each for each in shown if each.name in options], pop_ups(rig.display, window.pid))
        found = [each for each in listed or shown[::-1] if each.name == option]
        if found:
            return found[0]
        names = [each.name for each in listed]
        if not names or option not in options or names == before:
            return None
        before, notches = names, _way_to(option, names, options, listed, notches)
        middle = listed[len(listed) // 2].box.center
        await rested(rig, partial(rig.pointer.scroll, middle, -notches, 0))
    return None


def _together(options: Sequence[Element], unfolded: Sequence[Box]) -> list[Element]:
    """Give those of one list, which may be `unfolded`: what is elsewhere may be called like an option, too."""
    inside = [each for each in options if any(box.holds(each.box.center) for box in unfolded)] or options
    lists = Counter(each.parent for each in inside).most_common(1)
    return [each for each in inside if each.parent == lists[0][0]] if lists else []


def _way_to(option: str, names: Sequence[str], options: Sequence[str], shown: Sequence[Element], before: int) -> int:
    """Give the notches to turn the wheel by, downwards; fewer than last time when that went too far."""
    first, last, wanted = options.index(names[0]), options.index(names[-1]), options.index(option)
    rows = wanted - last if wanted > last else wanted - first
    height = max(1, sum(each.box.height for each in shown) // len(shown))
    notches = min(_FARTHEST, max(1, abs(rows) * height // NOTCH)) * (1 if rows > 0 else -1)
    if notches * before < 0:
        return max(1, abs(before) // 2) * (1 if rows > 0 else -1)
    return notches


async def _options_shown(rig: Rig, element: Element, window: Window) -> list[Element]:
    reading = await rig.read(window, rig.windows(), PATIENCE)
    rig.remember(reading.elements)
    now = await rig.controls.live(element.id) or element
    drops_down = element.role == "combobox" or rig.within(element, "textbox")
    options = [each for each in reading.elements if each.role in _OPTIONS and not each.box.empty and each.name]
    if drops_down:
        return options
    beside = ITEMS if element.role in ITEMS else {"radio", "tab"} & {element.role}  # an option itself
    inside = [each for each in options if each.box.clipped(now.box) == each.box or each.role in beside]
    # Of what is nearly scrolled out of view, a line may be left that belongs to the frame.
    least = max((each.box.height for each in inside), default=0) // 3
    return [each for each in inside if each.box.height > least]


async def _unfold(rig: Rig, combo: Element) -> None:
    """Click the arrow of a combo box: one that can be written in shows its list only there."""
    middle = needed(Spot(await place_of(rig, combo), combo))
    now = await rig.controls.live(combo.id) or combo
    reach = min(ARROW, now.box.width // 2)
    point = Point(now.box.right - reach, middle.y) if now.box.right - reach > middle.x else middle
    await rested(rig, partial(rig.pointer.click, point))


async def fold(rig: Rig, row: Element, *, open_it: bool) -> None:
    """Expand or collapse a row by the keys for that, which are the same in lists of GTK and Qt."""
    await click(rig, row)
    await rig.keyboard.press(["plus" if open_it else "minus"])


async def type_number(rig: Rig, element: Element, number: float) -> None:
    """Write a number into a spin button, with a comma where what it shows has one, and press Return."""
    comma = re.search(r",\d*\D*$", await rig.controls.text(element.id) or "")
    value = f"{number:.15g}".replace(".", "," if comma else ".")
    if not await rig.controls.focus(element.id):
        await click(rig, element)
    await enter_text(TextEntry(multiline=False, replace=True), value, rig.keyboard, rig.clipboard)
    await rested(rig, partial(rig.keyboard.press, ["Return"]))
