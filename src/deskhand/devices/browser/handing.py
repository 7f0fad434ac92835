"""Handing files over to a page."""

from __future__ import annotations

from deskhand.core.action import ActionResult
from deskhand.core.errors import TargetNotFound
from deskhand.devices.browser.dialogs import files_of
from deskhand.devices.browser.documents import Node
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.verify import verified


async def hand_over(browser: Browser, node: Node, typed: str) -> ActionResult:
    """Put the files whose paths are given, one a line, into a file field.

    Raises:
        TargetNotFound: there is no such file, or there are too many.
    """
    about = await node.ask("about")
    paths, trouble = files_of(typed, several=about["multiple"])
    if trouble:
        raise TargetNotFound(trouble)
    element = (await node.document.handle(node.number)).as_element()
    assert element is not None
    result = await verified(browser, lambda: element.set_input_files(paths), node)
    now = await node.ask("about")
    if now.get("value") == ", ".join(path.name for path in paths):
        return ActionResult(outcome="done", text=f"the {about['role']} {about['name']!r} holds {now['value']}")
    return result
