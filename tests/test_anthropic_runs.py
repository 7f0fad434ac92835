"""Whole runs through Anthropic's tools: a real editor on a screen that is too large to be sent, and a real page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from deskhand.core.family import ANTHROPIC
from deskhand.core.geometry import Frame, Size
from deskhand.core.observation import Element, Observation
from deskhand.core.status import RunOutcome
from deskhand.testing.server import Act, Answer
from tests.browser.site import Site
from tests.vendor_tools import on_desktop

pytestmark = pytest.mark.device

SCREEN = Size(1920, 1080)
TEXT = "naïve – 你好\nsecond line"
FORM = """<title>Order</title><form onsubmit="out.textContent='thanks '+[n.value,c.value,k.checked];return false">
<label>Name <input id=n></label> <label><input type=checkbox id=k> Agree</label>
<label>Colour <select id=c><option>Red<option>Green</select></label> <button>Save</button></form><p id=out></p>"""


def calls(*given: tuple[str, dict[str, Any]]) -> Act:
    return Act(tuple({"name": name, "input": arguments} for name, arguments in given), thought="so be it")


def place(element: Element) -> list[int]:
    """Give the middle of an element as the model sees it in the picture that was sent."""
    return [round(one) for one in Frame(SCREEN, ANTHROPIC.grid(SCREEN)).to_shown(element.box.center)]


def writing(seen: Observation, turn: int) -> Answer:
    match turn:
        case 1:
            return calls(("open_app", {"app_name": "mousepad"}))
        case 2:
            field = place(next(e for e in seen.elements if e.role == "textbox"))
            typed = ("type", {"text": TEXT})
            return calls(("zoom", {"region": [0, 0, 728, 409]}), ("left_click", {"coordinate": field}), typed)
        case 3:
            return calls(("key", {"text": "ctrl+Home"}), ("type", {"text": "above\n"}), ("screenshot", {}))
        case _:
            return next(e.value for e in seen.elements if e.role == "textbox")


def test_an_editor_is_used_with_mouse_and_keys(tmp_path: Path) -> None:
    options = ["device=linux:virtual,size=1920x1080", "models.default.base_url={url}", "models.default.key=k"]
    spec = "models.default.model=anthropic-computer:claude-opus-4-6"

    result, server, _ = on_desktop(writing, f"Write {TEXT}", tmp_path, *options, spec)

    assert (result.outcome, result.answer) == (RunOutcome.FINISHED, f"above\n{TEXT}")
    assert [picture.size for picture in server.requests[1].pictures] == [Size(1456, 819)] * 2


def ordering(seen: Observation, turn: int) -> Answer:
    def ref(name: str) -> dict[str, object]:
        return {"type": "ref", "ref": next(e.id for e in seen.elements if e.name == name)}

    if turn == 1:
        return calls(("new_tab", {}), ("list_tabs", {}))
    if turn == 2:
        first = next(window.id for window in seen.windows if window.title.startswith("Order"))
        return calls(("switch_tab", {"tab_id": first}), ("read_page", {"filter": "interactive"}))
    if turn == 3:
        name = next(e for e in seen.elements if e.name == "Name").box.center
        return calls(
            ("left_click", {"target": {"type": "coordinate", "x": name.x, "y": name.y}}),
            ("type", {"text": "Ann"}),
            ("form_input", {"target": ref("Agree"), "value": True}),
            ("form_input", {"target": ref("Colour"), "value": "Green"}),
            ("left_click", {"target": ref("Save")}),
            ("get_page_text", {}),
        )
    return next(e.name for e in seen.elements if e.name.startswith("thanks"))


def test_a_form_on_a_page_is_filled_by_its_elements(tmp_path: Path) -> None:
    options = ["models.default.model=anthropic-computer:claude-opus-5", "models.default.base_url={url}", "yes=true"]
    with Site() as site:
        page = f"device=browser:url={site.page(FORM)}"
        result, server, _ = on_desktop(ordering, "Order green", tmp_path, page, *options)

    assert (result.outcome, result.answer) == (RunOutcome.FINISHED, "thanks Ann,Green,true")
    assert "t1: Order" in server.requests[1].text
    assert 'textbox "Name"' in server.requests[2].text
    assert '"thanks Ann,Green,true"' in server.requests[3].text
