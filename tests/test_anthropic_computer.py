"""Anthropic's own tools for the screen: what is offered, and what their calls mean.

Titles in brackets name the section of the sheet of facts about wire formats that an example is from.
"""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from deskhand.core.action import (
    Action,
    Click,
    DoubleClick,
    DragTo,
    GoBackward,
    Hotkey,
    KeyDown,
    KeyUp,
    MoveTo,
    OnElement,
    OpenApp,
    OpenUrl,
    Press,
    RightClick,
    Scroll,
    SetValue,
    Wait,
    Write,
)
from deskhand.core.errors import UnreadableReply
from deskhand.core.family import ANTHROPIC
from deskhand.core.foreign import named
from deskhand.core.geometry import Frame, Size
from tests.anthropic_calls import (
    FULL_HD,
    OLD,
    SPEC,
    at,
    decided,
    dialect,
    sent,
    shown,
    use,
)


@pytest.mark.parametrize(
    ("model", "tool", "beta"),
    [
        ("claude-3-5-sonnet-20241022", "computer_20241022", "computer-use-2024-10-22"),
        ("claude-3-7-sonnet-20250219", "computer_20250124", "computer-use-2025-01-24"),
        ("claude-sonnet-4-20250514", "computer_20250124", "computer-use-2025-01-24"),
        ("claude-opus-4-1-20250805", "computer_20250124", "computer-use-2025-01-24"),
        ("claude-haiku-4-5-20251001", "computer_20250124", "computer-use-2025-01-24"),
        ("claude-opus-4-5-20251101", "computer_20251124", "computer-use-2025-11-24"),
        ("claude-sonnet-4-6", "computer_20251124", "computer-use-2025-11-24"),
        ("claude-opus-4-8", "computer_toolset_20260801", None),
        ("claude-fable-5-2", "computer_toolset_20260801", None),
    ],
)
def test_each_model_is_offered_its_tool_with_the_size_that_is_sent(model: str, tool: str, beta: str | None) -> None:
    """[2.2 Anthropic: versions, headers, tool entries]"""
    request = dialect().compose("planner", shown(size=FULL_HD))
    (received,) = sent(request, spec=f"anthropic-computer:{model}")

    own, *functions = received.body["tools"]
    assert (own["type"], received.headers.get("anthropic-beta")) == (tool, beta)
    assert [p.size for p in received.pictures] == [Size(1456, 819)]
    assert [own.get(name) for name in ("display_width_px", "display_height_px")] == (
        [1456, 819] if beta else [None] * 2
    )
    assert own.get("enable_zoom") == (True if tool == "computer_20251124" else None)
    assert [f["name"] for f in functions] == [
        "open_app", "focus_window", "close_window", "open_url", "call_user", "terminate"
    ]  # fmt: skip


def test_a_version_can_be_set_and_a_page_has_tools_of_its_own() -> None:
    request = dialect("web").compose("planner", shown())
    of_page, of_old, of_set = (
        sent(request, spec=spec, **options)[0].body["tools"][0]
        for spec, options in ((SPEC, {}), (OLD, {}), (SPEC, {"tool": "computer_20250124"}))
    )

    assert of_page["type"] == "browser_toolset_20260801"
    assert of_page["configs"]["javascript_exec"] == {"enabled": False}
    assert [of_old["type"], of_set["type"]] == ["computer_20250124"] * 2


@pytest.mark.parametrize(
    ("screen", "fitted"),
    [
        ((1456, 819), (1456, 819)),
        ((1268, 951), (1268, 951)),
        ((1092, 1092), (1092, 1092)),
        ((1024, 768), (1024, 768)),
        ((1280, 800), (1280, 800)),
        ((1366, 768), (1366, 768)),
        ((3840, 2160), (1456, 819)),
        # Not ours: examples of the vendor's documentation, as tests of AutoControl and of claude-quickstarts have them.
        ((1920, 1080), (1456, 819)),
        ((1075, 1520), (924, 1307)),
        ((3456, 2234), (1372, 887)),
        ((1568, 1014), (1372, 887)),
        ((800, 600), (800, 600)),
    ],
)
def test_pictures_are_brought_to_what_the_service_takes(screen: tuple[int, int], fitted: tuple[int, int]) -> None:
    """[2.2 Anthropic: documented fit sizes]"""
    assert ANTHROPIC.grid(Size(*screen)) == fitted


MEANT: list[tuple[str, dict[str, Any], tuple[Action, ...]]] = [
    ("2.0 drag", use("left_click_drag", start_coordinate=[100, 150], coordinate=[200, 250]),
     (DragTo(target=at(200, 250), start=at(100, 150)),)),
    ("2.0 held", use("left_click", coordinate=[10, 20], text="ctrl"), (Click(target=at(10, 20), modifiers=("ctrl",)),)),
    ("2.0 triple_click", use("triple_click", coordinate=[1, 2]), (Click(target=at(1, 2), clicks=3),)),
    ("2.0 hold_key", use("hold_key", text="shift", duration=2),
     (KeyDown(key="shift"), Wait(seconds=2), KeyUp(key="shift"))),
    ("2.0 wait", use("wait", duration=2), (Wait(seconds=2),)),
    ("2.0 scroll down 3", use("scroll", coordinate=[5, 6], scroll_direction="down", scroll_amount=3),
     (Scroll(clicks=-3, target=at(5, 6)),)),
    ("2.0 ctrl+-", use("key", text="ctrl+-"), (Hotkey(keys=("ctrl", "-")),)),
    ("2.2 old", use("left_click", toolset="", coordinate=[512, 300]), (Click(target=at(512, 300)),)),
    ("2.2 toolset", use("left_click", coordinate=[7, 8], text="ctrl"), (Click(target=at(7, 8), modifiers=("ctrl",)),)),
    ("2.2 no coordinate", use("left_click"), (Click(),)),
    ("2.2 repeat", use("key", text="Page_Down", repeat=3), (Press(keys=("page_down",), presses=3),)),
    ("2.2 Return", use("key", text="Return"), (Press(keys=("return",)),)),
    ("2.2 ctrl+s", use("key", text="ctrl+s"), (Hotkey(keys=("ctrl", "s")),)),
    ("2.2 super", use("key", text="super"), (Press(keys=("super",)),)),
    ("2.2 drag", use("left_click_drag", toolset="", start_coordinate=[1, 2], coordinate=[3, 4]),
     (DragTo(target=at(3, 4), start=at(1, 2)),)),
    ("2.2 mouse_move", use("mouse_move", toolset="", coordinate=[3, 4]), (MoveTo(target=at(3, 4)),)),
    ("2.2 double_click", use("double_click", toolset="", coordinate=[3, 4]), (DoubleClick(target=at(3, 4)),)),
    ("2.2 right_click", use("right_click", toolset="", coordinate=[3, 4]), (RightClick(target=at(3, 4)),)),
    ("2.2 middle_click", use("middle_click", coordinate=[3, 4]), (Click(target=at(3, 4), button="middle"),)),
    ("2.2 left", use("scroll", scroll_direction="left", scroll_amount=2), (Scroll(right=-2),)),
    ("2.2 type", use("type", toolset="", text="two\nlines\n"), (Write(message="two\nlines"), Press(keys=("enter",)))),
    ("browser ref", use("left_click", toolset="browser", target={"type": "ref", "ref": "e7"}),
     (Click(target=OnElement(id="e7")),)),
    ("browser point", use("double_click", toolset="browser", target={"type": "coordinate", "x": 3, "y": 4},
                          modifiers="ctrl+shift"), (Click(target=at(3, 4), clicks=2, modifiers=("ctrl", "shift")),)),
    ("browser drag", {**use("left_click_drag", toolset="browser"), "input": {
        "from": {"type": "coordinate", "x": 1, "y": 2}, "target": {"type": "coordinate", "x": 3, "y": 4}}},
     (DragTo(target=at(3, 4), start=at(1, 2)),)),
    ("browser scroll", use("scroll", toolset="browser", scroll_direction="up",
                           target={"type": "coordinate", "x": 3, "y": 4}), (Scroll(clicks=3, target=at(3, 4)),)),
    ("browser keys", use("key", toolset="browser", text="BackSpace BackSpace ctrl+a"),
     (Press(keys=("backspace",)), Press(keys=("backspace",)), Hotkey(keys=("ctrl", "a")))),
    ("browser form", use("form_input", toolset="browser", target={"type": "ref", "ref": "e3"}, value=True),
     (SetValue(target=OnElement(id="e3"), value="on"),)),
    ("browser number", use("form_input", toolset="browser", target={"type": "ref", "ref": "e3"}, value=3.0),
     (SetValue(target=OnElement(id="e3"), value="3"),)),
    ("browser nothing", use("form_input", toolset="browser", target={"type": "ref", "ref": "e3"}, value=""),
     (Write(message="", target=OnElement(id="e3"), replace=True),)),
    ("keys one by one", use("key", toolset="", text="Tab Tab"), (Press(keys=("tab",)), Press(keys=("tab",)))),
    ("browser back", use("navigate", toolset="browser", url="back"), (GoBackward(),)),
    ("browser reload", use("navigate", toolset="browser", url="reload"), (Press(keys=("f5",)),)),
    ("browser url", use("navigate", toolset="browser", url="example.org"), (OpenUrl(url="example.org"),)),
    ("function", use("open_app", toolset="", app_name="x") | {"name": "open_app", "input": {"app_name": "mousepad"}},
     (OpenApp(app_name="mousepad"),)),
    # Not ours: a call of another harness's check, and one of claude-quickstarts' test of interrupted turns.
    ("foreign toolset", {"type": "tool_use", "id": "toolu_check", "name": "mouse_move", "toolset_name": "computer",
                         "input": {"coordinate": [200, 200]}}, (MoveTo(target=at(200, 200)),)),
    ("foreign quickstart", {"type": "tool_use", "id": "toolu_1", "name": "left_click", "input": {"coordinate": [1, 2]},
                            "toolset_name": "computer"}, (Click(target=at(1, 2)),)),
]  # fmt: skip


@pytest.mark.parametrize(("piece", "actions"), [m[1:] for m in MEANT], ids=[m[0] for m in MEANT])
def test_a_call_means_what_it_says(piece: dict[str, Any], actions: tuple[Action, ...]) -> None:
    """[2.0 and 2.2 Anthropic]"""
    assert decided(piece).actions == actions


def test_places_are_pixels_of_the_picture_that_was_sent() -> None:
    """[2.2 Anthropic: coordinates] The middle of what was sent is the middle of the screen."""
    middle = decided(use("left_click", coordinate=[728, 409]), frame=Frame(FULL_HD, FULL_HD))

    assert middle.actions == (Click(target=at(960, 539)),)


@pytest.mark.parametrize(
    "pieces",
    [
        (use("left_click", coordinate=[5000, 5]),),
        (use("left_click", coordinate=[5, 5]), use("mouse_move")),
        (use("left_click", coordinate=[5, 5]), use("left_mouse_down", 1), use("type", 2, text="x")),
        (use("scroll", coordinate=[5, 5], scroll_amount=3),),
        (use("left_click", toolset="browser", target="the button"),),
        ({**use("key", toolset=""), "input": {"text": "x"}},),
        ({"type": "text", "text": " "},),
    ],
)
def test_a_batch_is_read_wholly_before_any_of_it_is_done(pieces: tuple[dict[str, Any], ...]) -> None:
    """[2.0: any missing x or y; 2.6: empty message]"""
    with pytest.raises(UnreadableReply):
        decided(*pieces)


def _sample(schema: dict[str, Any]) -> dict[str, Any]:
    """Make an input that the SDK's own type of a call takes."""
    values: dict[str, Any] = {"coordinate": [3, 4], "start_coordinate": [1, 2], "region": [0, 0, 9, 9], "text": "a"}
    values |= {"scroll_direction": "down", "scroll_amount": 2, "duration": 1, "url": "example.org", "query": "x"}
    values |= {"from": {"type": "coordinate", "x": 1, "y": 2}, "value": "Green", "tab_id": "t1", "repeat": 2}
    pointed = "BrowserRefTarget" in str(schema.get("target")) and "Coordinate" not in str(schema.get("target"))
    values["target"] = {"type": "ref", "ref": "e1"} if pointed else {"type": "coordinate", "x": 3, "y": 4}
    return {name: values[name] for name in schema if name in values}


@pytest.mark.parametrize("toolset", ["computer", "browser"])
def test_every_call_that_the_sdk_knows_is_read_or_not_offered(toolset: str) -> None:
    union = named(f"anthropic.types:{toolset.title()}ToolUseBlock", "type of an SDK")
    offered = sent(dialect("web" if toolset == "browser" else "linux").compose("planner", shown()))[0].body["tools"][0]
    withheld = {name for name, config in (offered.get("configs") or {}).items() if config == {"enabled": False}}
    read = set()
    for block in union.__origin__.__args__:
        name = block.model_fields["name"].annotation.__args__[0]
        fields = getattr(block.model_fields["input"].annotation, "model_fields", {})
        given: dict[str, Any] = _sample({field.alias or key: field.annotation for key, field in fields.items()})
        TypeAdapter(union).validate_python(use(name, toolset=toolset, **given) | {"caller": {"type": "direct"}})
        if name not in withheld and name not in ("left_mouse_down", "left_mouse_up"):
            assert decided(use(name, toolset=toolset, **given)) is not None
            read.add(name)

    assert len(read) == {"computer": 15, "browser": 25}[toolset]
