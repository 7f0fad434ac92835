"""The keyboard in a page, and what else enters values: lists to choose from, files to hand over."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from playwright.async_api import Error as PlaywrightError

from deskhand.core.action import ActionResult, Click, Hotkey, KeyDown, KeyUp, Press, SelectOption, SetValue, Write
from deskhand.core.errors import TargetNotFound
from deskhand.core.keys import chord, key
from deskhand.devices.browser.chromium import first_line
from deskhand.devices.browser.documents import Node
from deskhand.devices.browser.pointing import aim, click
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.verify import verified

_NAMES = {
    "Return": "Enter",
    "BackSpace": "Backspace",
    "Page_Up": "PageUp",
    "Page_Down": "PageDown",
    "Left": "ArrowLeft",
    "Right": "ArrowRight",
    "Up": "ArrowUp",
    "Down": "ArrowDown",
    "Control_L": "Control",
    "Control_R": "ControlRight",
    "Shift_L": "Shift",
    "Alt_L": "Alt",
    "Super_L": "Meta",
    "Meta_L": "Meta",
    "Menu": "ContextMenu",
    "space": "Space",
}
"""What the DOM calls keys that X calls otherwise."""


def key_of(name: str) -> str:
    """Give the DOM's name of a key.

    Raises:
        TargetNotFound: there is no such key.
    """
    found = key(name).name
    return _NAMES.get(found, found)


async def press(browser: Browser, action: Press) -> ActionResult:
    page = browser.tabs.front.page

    async def go() -> None:
        for _ in range(action.presses):
            for name in action.keys:
                await page.keyboard.press(key_of(name))

    return await _keyed(browser, go)


async def hotkey(browser: Browser, action: Hotkey) -> ActionResult:
    page = browser.tabs.front.page
    return await _keyed(browser, lambda: page.keyboard.press("+".join(map(key_of, chord(action.keys)))))


async def hold(browser: Browser, action: KeyDown | KeyUp) -> ActionResult:
    keyboard = browser.tabs.front.page.keyboard
    name = key_of(action.key)
    return await _keyed(browser, lambda: keyboard.down(name) if isinstance(action, KeyDown) else keyboard.up(name))


async def _keyed(browser: Browser, go: Callable[[], Awaitable[object]]) -> ActionResult:
    try:
        return await verified(browser, go)
    except PlaywrightError as error:
        raise TargetNotFound(f"the keyboard has no such key: {first_line(error)}") from error


async def write(browser: Browser, action: Write) -> ActionResult:
    """Enter text where the focus is or into an element, and read it back."""
    page = browser.tabs.front.page
    node: Node | None = None
    if action.target is not None:
        aimed = await aim(browser, action.target)
        assert aimed is not None
        node = aimed.node
        if node is not None:
            await node.document.ask("focus", node.number)
        else:
            await page.mouse.click(aimed.x, aimed.y)
    if node is None:
        node = await _focused(browser)
    before = await node.document.ask("about", node.number) if node is not None else {}
    if action.replace and node is not None:
        await node.document.ask("selectAll", node.number)
        if not action.message:
            await page.keyboard.press("Delete")
    result = await verified(browser, lambda: page.keyboard.insert_text(action.message), node)
    if node is None:
        return result
    return await _read_back(node, before.get("value", ""), action, result)


async def _read_back(node: Node, before: str, action: Write, result: ActionResult) -> ActionResult:
    try:
        now = await node.document.ask("about", node.number)
    except PlaywrightError:  # what was entered made the page another
        return result
    if now.get("gone") or now["role"] == "password":
        return result
    value = now["value"]
    arrived = value == action.message if action.replace else action.message in value and value != before
    if arrived:
        return ActionResult(outcome="done", text=f"{len(action.message)} characters entered and read back")
    if value == before:
        return ActionResult(outcome="failed", text=f"the {now['role']} {now['name']!r} did not take it")
    return ActionResult(outcome="failed", text=f"the {now['role']} holds {value[:200]!r} instead")


async def _focused(browser: Browser) -> Node | None:
    tab = browser.tabs.front
    for document in tab.documents.values():
        number = await document.ask("active")
        if number:
            return Node(document, number)
    return None


async def select(browser: Browser, action: SelectOption) -> ActionResult:
    """Choose an option of a list by its name."""
    aimed = await aim(browser, action.target)
    if aimed is None or aimed.node is None:
        raise TargetNotFound("select_option wants an element")
    node = aimed.node
    options = await node.document.ask("options", node.number)
    if not options:
        raise TargetNotFound(f"this is no list of options; click it, then click {action.value!r} in what opens")
    wanted = action.value.casefold().strip()
    found = next((o for o in options if o[0].casefold() == wanted), None)
    if found is None:
        raise TargetNotFound(f"there is no option {action.value!r}; there are {', '.join(o[0] for o in options[:30])}")
    if found[2]:
        raise TargetNotFound(f"the option {found[0]!r} is disabled")
    handle = (await node.document.walker.evaluate_handle("(w, n) => w.node(n)", node.number)).as_element()
    assert handle is not None
    result = await verified(browser, lambda: handle.select_option(label=found[0]), node)
    now = await node.document.ask("about", node.number)
    if found[0] in now.get("value", ""):
        return ActionResult(outcome="done", text=f"{found[0]!r} is chosen")
    return result


async def set_value(browser: Browser, action: SetValue) -> ActionResult:
    """Set a slider, spin button or switch."""
    aimed = await aim(browser, action.target)
    if aimed is None or aimed.node is None:
        raise TargetNotFound("set_value wants an element")
    node = aimed.node
    about = await node.document.ask("about", node.number)
    if action.value in ("on", "off"):
        if ("checked" in about["states"]) == (action.value == "on"):
            return ActionResult(outcome="done", text=f"it is {action.value} already")
        return await click(browser, Click(target=action.target))
    handle = (await node.document.walker.evaluate_handle("(w, n) => w.node(n)", node.number)).as_element()
    assert handle is not None
    result = await verified(browser, lambda: handle.fill(action.value), node)
    now = await node.document.ask("about", node.number)
    if now.get("value") == action.value:
        return ActionResult(outcome="done", text=f"its value is {action.value}")
    return result.model_copy(update={"outcome": "failed", "text": f"its value is {now.get('value')!r}"})
