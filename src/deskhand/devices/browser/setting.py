"""Choosing from lists, and setting sliders, fields of numbers and dates, and switches: with mouse and keys alone."""

from __future__ import annotations

import re
from typing import Any

from deskhand.core.action import ActionResult, Click, OnElement, SelectOption, SetValue, Write
from deskhand.core.errors import TargetNotFound
from deskhand.devices.browser.documents import Node
from deskhand.devices.browser.finding import Aimed, aim
from deskhand.devices.browser.keying import write
from deskhand.devices.browser.pointing import click, noted
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.verify import verified

_DATES = {
    "date": (r"(\d{4})-(\d\d)-(\d\d)", "{1}{2}{0}"),
    "month": (r"(\d{4})-(0[1-9]|1[0-2])", "{1}\t{0}"),
    "week": (r"(\d{4})-W(\d\d)", "{1}{0}"),
    "time": (r"(\d\d):(\d\d)", "{0}{1}"),
    "datetime-local": (r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)", "{1}{2}{0}\t{3}{4}"),
}
"""How a value is written, and what is typed for it in the order of the fields' parts; hours come as 12 and AM or PM."""
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
"""What a field of a month is told, which takes no number."""
_MOST = 500
"""Steps that a slider is moved by keys."""


async def select(browser: Browser, action: SelectOption) -> ActionResult:
    """Choose an option of a list by its name, as with mouse and keys."""
    if not isinstance(action.target, OnElement):
        raise TargetNotFound("select_option wants an element")
    aimed = await aim(browser, action.target)
    assert aimed.node is not None
    options = await aimed.node.ask("options")
    if not options:
        raise TargetNotFound(f"this is no list of options; click it, then click {action.value!r} in what opens")
    wanted = _option(options, action.value)
    if options[wanted][3] and not aimed.about["multiple"]:
        return ActionResult(outcome="done", text=f"{options[wanted][0]!r} is chosen already")
    if aimed.about["role"] == "listbox":
        return await _click_option(browser, aimed, options[wanted], several=aimed.about["multiple"])
    usable = [index for index, option in enumerate(options) if not option[2]]
    page = browser.tabs.front.page

    async def choose() -> None:
        await page.mouse.click(aimed.x, aimed.y)
        await page.keyboard.press("Home")
        for _ in range(usable.index(wanted)):
            await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")

    browser.pointer = aimed.x, aimed.y
    result = await verified(browser, choose, aimed.node)
    return noted(aimed, await _chosen(aimed.node, options[wanted][0], result))


def _option(options: list[list[Any]], value: str) -> int:
    """Find an option by its name, as it is written first, then in any case."""
    wanted = " ".join(value.split())
    exact = [index for index, option in enumerate(options) if option[0] == wanted]
    alike = [index for index, option in enumerate(options) if option[0].casefold() == wanted.casefold()]
    for found in (exact, alike):
        if found:
            usable = next((index for index in found if not options[index][2]), None)
            if usable is None:
                raise TargetNotFound(f"the option {options[found[0]][0]!r} is disabled")
            return usable
    names = ", ".join(repr(option[0]) for option in options[:30])
    raise TargetNotFound(f"there is no option {value!r}; there are {names}")


async def _click_option(browser: Browser, aimed: Aimed, option: list[Any], *, several: bool) -> ActionResult:
    assert aimed.node is not None
    if option[3]:
        return ActionResult(outcome="done", text=f"{option[0]!r} is chosen already")
    name = browser.names.of(aimed.node.document, option[1])
    held = ("ctrl",) if several else ()
    result = await click(browser, Click(target=OnElement(id=name), modifiers=held))
    return await _chosen(aimed.node, option[0], result)


async def _chosen(node: Node, name: str, result: ActionResult) -> ActionResult:
    """Judge by what the list holds; where it is gone, or a question is up, by what came of it."""
    if result.outcome == "failed" or not result.text or "the page asks" in result.text or "the page is" in result.text:
        return result
    now = await node.ask("about")
    if now.get("gone"):
        return result
    if name in now["value"].split(", ") or now["value"] == name:
        more = f"; {result.text}" if "is shown" in result.text else ""
        return ActionResult(outcome="done", text=f"{name!r} is chosen{more}")
    return ActionResult(outcome="failed", text=f"{name!r} was not chosen; the list holds {now['value']!r}")


async def set_value(browser: Browser, action: SetValue) -> ActionResult:
    """Set a slider, spin button, date or switch."""
    if not isinstance(action.target, OnElement):
        raise TargetNotFound("set_value wants an element")
    aimed = await aim(browser, action.target)
    assert aimed.node is not None
    about, kind = aimed.about, aimed.about["type"]
    if action.value in ("on", "off"):
        is_on = bool({"checked", "pressed", "expanded"} & set(about["states"]))
        if is_on == (action.value == "on"):
            return ActionResult(outcome="done", text=f"it is {action.value} already")
        return await click(browser, Click(target=action.target))
    if kind in _DATES:
        return await _date(browser, aimed, action.value)
    if about["role"] == "slider":
        return await _slide(browser, aimed, action.value)
    if kind == "select":
        return await select(browser, SelectOption(target=action.target, value=action.value))
    if kind == "color":
        return await _colour(browser, aimed, action.value)
    return await write(browser, Write(message=action.value, target=action.target, replace=True))


async def _date(browser: Browser, aimed: Aimed, value: str) -> ActionResult:
    form, typed = _DATES[aimed.about["type"]]
    if not (found := re.fullmatch(form, value.strip())):
        example = {"date": "2026-01-31", "month": "2026-01", "week": "2026-W05", "time": "15:30"}
        raise TargetNotFound(f"{value!r} is not written as {example.get(aimed.about['type'], '2026-01-31T15:30')}")
    parts = list(found.groups())
    if aimed.about["type"] == "month":
        parts[1] = _MONTHS[int(parts[1]) - 1]
    if aimed.about["type"] in ("time", "datetime-local"):
        hour = int(parts[-2])
        parts[-2], parts[-1] = f"{hour % 12 or 12:02}", f"{parts[-1]}{'AM' if hour < 12 else 'PM'}"
    page = browser.tabs.front.page
    first, _, second = typed.format(*parts).partition("\t")

    async def enter() -> None:
        await page.mouse.click(aimed.about["left"] + 12 + aimed.x - _middle(aimed), aimed.y)
        await page.keyboard.press("Control+a")
        await page.keyboard.press("Delete")
        await page.keyboard.type(first)
        if second:
            await page.keyboard.press("ArrowRight")
            await page.keyboard.type(second)

    assert aimed.node is not None
    await verified(browser, enter, aimed.node)
    return await _holds(aimed.node, value.strip().replace(" ", "T"))


def _middle(aimed: Aimed) -> float:
    """Give the x that the element's document knows the place by; the page's differs from it for frames."""
    return float(aimed.about["x"])


async def _slide(browser: Browser, aimed: Aimed, value: str) -> ActionResult:
    """Move a slider by arrow keys, a step first to see how far one goes."""
    if not re.fullmatch(r"-?\d+(\.\d+)?", value.strip()):
        raise TargetNotFound(f"{value!r} is no number")
    node, wanted = aimed.node, float(value)
    assert node is not None
    page = browser.tabs.front.page

    async def now() -> float:
        return float((await node.ask("about"))["value"] or 0)

    async def go() -> None:
        # A click gives it the keyboard and moves it; keys then go on from there.
        await page.mouse.click(aimed.x, aimed.y)
        at = await now()
        for _ in range(4):
            if at == wanted:
                return
            key = "ArrowRight" if wanted > at else "ArrowLeft"
            await page.keyboard.press(key)
            step = abs(await now() - at)
            at = await now()
            if not step:
                return
            for _ in range(min(_MOST, round(abs(wanted - at) / step))):
                await page.keyboard.press("ArrowRight" if wanted > at else "ArrowLeft")
            at = await now()

    await verified(browser, go, node)
    return await _holds(node, f"{wanted:g}")


async def _colour(browser: Browser, aimed: Aimed, value: str) -> ActionResult:
    """Set a field of a colour, whose picker is no part of the page and takes neither mouse nor keys of ours."""
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", value.strip()):
        raise TargetNotFound(f"{value!r} is no colour; write it like #3366ff")
    assert aimed.node is not None
    element = (await aimed.node.document.handle(aimed.node.number)).as_element()
    assert element is not None
    await verified(browser, lambda: element.fill(value.strip().lower()), aimed.node)
    return await _holds(aimed.node, value.strip().lower())


async def _holds(node: Node, value: str) -> ActionResult:
    now = await node.ask("about")
    if now.get("value") == value:
        return ActionResult(outcome="done", text=f"its value is {value}")
    return ActionResult(outcome="failed", text=f"its value is {now.get('value')!r}, not {value!r}")
