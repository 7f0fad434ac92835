"""Several actions of one reply, in the forms of families: all are read first, and nothing stays pressed."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from deskhand.core.action import KeyDown, KeyUp, Write
from deskhand.core.event import Corrected
from deskhand.testing import PaperDesk
from deskhand.testing.server import ScriptedServer
from tests.paper import assign, events, host
from tests.vendor_tools import Slippery, operated

SHIFT, UP = {"action": "key_down", "keys": "shift"}, {"action": "key_up", "keys": "shift"}
CLICK = {"action": "left_click", "coordinate": [204, 521]}
NEVER = {"action": "type", "text": "never"}
END = {"action": "terminate", "status": "success"}


def batch(*acts: Mapping[str, object]) -> str:
    calls = [json.dumps({"name": "computer_use", "arguments": arguments}) for arguments in acts]
    return "\n".join(f"<tool_call>\n{call}\n</tool_call>" for call in calls)


@pytest.mark.parametrize(
    ("acts", "keys"),
    [
        ((SHIFT, CLICK, UP, NEVER), ["keyDown", "keyUp"]),
        ((SHIFT, CLICK, NEVER), ["keyDown", "keyUp"]),
        ((SHIFT, CLICK), ["keyDown", "keyUp"]),
        ((SHIFT, UP, CLICK), ["keyDown", "keyUp"]),
        ((SHIFT,), ["keyDown"]),
    ],
    ids=["and lets go later", "and never lets go", "at its last", "and has let go", "not at all"],
)
def test_keys_that_are_held_are_let_go_where_a_batch_breaks_off(
    acts: tuple[Mapping[str, object], ...], keys: list[str]
) -> None:
    desk = Slippery()
    with ScriptedServer(assign(), batch(*acts), batch(END), host()) as server:
        operated(server, "openai:qwen3.5", desk)

    assert [action.kind for action in desk.done if isinstance(action, KeyDown | KeyUp)] == keys
    assert not any(isinstance(action, Write) for action in desk.done)


def test_of_a_reply_that_cannot_all_be_read_nothing_is_done() -> None:
    desk = PaperDesk()
    half = batch(NEVER, {"action": "left_click", "coordinate": ""})
    with ScriptedServer(assign(), half, batch({"action": "type", "text": "b"}), batch(END), host()) as server:
        _, made = operated(server, "openai:qwen3.5", desk)

    assert [action.message for action in desk.done if isinstance(action, Write)] == ["b"]
    assert "is no place" in events(made, Corrected)[0].text
