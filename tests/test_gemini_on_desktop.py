"""A whole run on a real application with Gemini's tool: one model that opens, points and types."""

from __future__ import annotations

from pathlib import Path

from deskhand.core.event import UserAsked
from deskhand.core.observation import Observation
from deskhand.core.status import RunOutcome
from deskhand.testing.server import Act, Answer, Say
from tests.vendor_tools import on_desktop

TEXT = "naïve – 你好"


def mind(seen: Observation, _: int) -> Answer:
    text = next((e for e in seen.elements if e.role == "textbox"), None)
    if text is None:
        return Act(({"name": "open_app", "args": {"app_name": "mousepad"}},))
    if TEXT in text.value:
        return Say(f"It says {text.value}")
    at = text.box.center
    place = {"x": at.x * 1000 // seen.screen.size.width, "y": at.y * 1000 // seen.screen.size.height}
    typing = {"name": "type", "args": {"text": TEXT, "press_enter": False, "intent": "Write it."}}
    return Act(({"name": "click", "args": place}, typing), checks=("It writes a note.",), thought="An empty page.")


def test_one_model_writes_into_an_editor_that_it_opened_itself(tmp_path: Path) -> None:
    own = ["model=gemini-computer:gemini-3.5-flash", "models.default.base_url={url}", "models.default.key=k"]
    result, server, session = on_desktop(mind, f"Write {TEXT}", tmp_path, *own)

    assert (result.outcome, result.answer) == (RunOutcome.FINISHED, f"It says {TEXT}")
    (asked,) = [r.event.question for r in session.context.journal.records() if isinstance(r.event, UserAsked)]
    assert "It writes a note." in asked
    answers = [
        part["functionResponse"]
        for content in server.requests[-1].body["contents"]
        for part in content["parts"]
        if "functionResponse" in part
    ]
    assert [one["name"] for one in answers] == ["open_app", "click", "type"]
    assert [one["response"].get("safety_acknowledgement") for one in answers] == [None, "true", None]
    assert "mousepad" in answers[0]["response"]["output"].lower()
