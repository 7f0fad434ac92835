"""Anthropic's own tools for the screen: what is offered, what calls mean, how each is answered, what is kept of it.

Titles in brackets name the section of the sheet of facts about wire formats that an example is from.
"""

from __future__ import annotations

import io
import json
from itertools import pairwise
from typing import Any

import anyio
import pytest
from anthropic.types import BrowserToolUseBlock, ComputerToolUseBlock
from anthropic.types.beta.message_create_params import MessageCreateParamsNonStreaming
from PIL import Image as Pil
from pydantic import TypeAdapter

from deskhand.core.action import (
    Action,
    ActionResult,
    At,
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
from deskhand.core.decision import AppDecision
from deskhand.core.errors import ModelRefused, UnreadableReply
from deskhand.core.event import Judged, UserAsked
from deskhand.core.family import ANTHROPIC, family_of
from deskhand.core.geometry import Box, Frame, Point, Size
from deskhand.core.message import (
    ElementsPart,
    HistoryPart,
    ModelRequest,
    Part,
    PastStep,
    PicturePart,
    Reply,
    RequestPart,
    Verbatim,
)
from deskhand.core.observation import Element, Image
from deskhand.core.ports import Dialect
from deskhand.core.status import AppAgentStatus, RunningMode, RunOutcome
from deskhand.dialects.factory import Wanted, make_dialect
from deskhand.dialects.prompt import Platform
from deskhand.models.factory import opened
from deskhand.testing import PaperDesk, ScriptedUser
from deskhand.testing.received import Received
from deskhand.testing.server import Act, Fail, Line, Raw, Say, ScriptedServer
from tests.paper import assign, context, events, host, session
from tests.services import ALBUM, model_at, picture, replied

SPEC = "anthropic-computer:claude-opus-5"
OLD = "anthropic-computer:claude-sonnet-4-5"
FULL_HD = Size(1920, 1080)
FRAME = Frame(Size(1280, 800), Size(1280, 800))
REQUEST = TypeAdapter(MessageCreateParamsNonStreaming)


def dialect(platform: Platform = "linux", spec: str = SPEC, earlier: int | None = None) -> Dialect:
    return make_dialect("computer", Wanted(family_of(spec), platform=platform, earlier=earlier))


def use(name: str, number: int = 0, toolset: str = "computer", **given: Any) -> dict[str, Any]:
    """A call of a set of tools; without a set, of the one tool for computers."""
    made = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given, "toolset_name": toolset}
    return made if toolset else {**made, "name": "computer", "input": {"action": name, **given}, "toolset_name": None}


def reply(*pieces: dict[str, Any], by: str = SPEC) -> Reply:
    return Reply(text="-", verbatim=Verbatim(by=by, pieces=pieces))


def decided(*pieces: dict[str, Any], frame: Frame = FRAME) -> AppDecision:
    decision = dialect().parse("app", reply(*pieces), frame)
    assert isinstance(decision, AppDecision)
    return decision


def at(x: int, y: int) -> At:
    return At(point=Point(x, y))


def step(number: int, *pieces: dict[str, Any], results: tuple[ActionResult, ...] = (), **more: Any) -> PastStep:
    """A step as it is remembered, done as far as there are results."""
    given = reply(*pieces)
    decision = dialect().parse("app", given, FRAME)
    assert isinstance(decision, AppDecision)
    told = {"thought": decision.thought, "actions": decision.actions[: len(results)], "results": results, **more}
    return PastStep(step=number, reply=given, **told)


def shown(*steps: PastStep, size: Size = FRAME.device, more: tuple[Part, ...] = ()) -> tuple[Part, ...]:
    """What is told: the steps with the picture that each was decided on, and that of now."""
    before = [PicturePart(image=picture(s.step, size), of=f"step {s.step}") for s in steps]
    now = PicturePart(image=picture(255, size))
    return (RequestPart(text="Save the file"), HistoryPart(steps=steps), *more, *before, now)


def sent(*requests: ModelRequest, spec: str = SPEC, **options: Any) -> list[Received]:
    """Send requests over real HTTP; each must be what the SDK says can be sent."""
    with ScriptedServer(always="Done.") as server:
        replied(server, *requests, spec=spec, key="k", **options)
    for received in server.requests:
        betas = received.headers.get("anthropic-beta")
        REQUEST.validate_python({**received.body, **({"betas": betas.split(",")} if betas else {})}, extra="forbid")
    return server.requests


def told(*steps: PastStep, spec: str = SPEC, platform: Platform = "linux", **more: Any) -> list[dict[str, Any]]:
    """Give the messages that tell of steps."""
    (received,) = sent(dialect(platform, spec).compose("planner", shown(*steps, **more)), spec=spec)
    return list(received.body["messages"])


def answers(message: dict[str, Any]) -> list[tuple[str, bool, int]]:
    """Give each answer's text, whether it is an error, and how many pictures are in it."""
    results = [block for block in message["content"] if block["type"] == "tool_result"]
    pictures = [sum(part["type"] == "image" for part in result["content"]) for result in results]
    return [(r["content"][0]["text"], r["is_error"], count) for r, count in zip(results, pictures, strict=True)]


OK = ActionResult(outcome="done", text="seen")
FAILED = ActionResult(outcome="failed", text="there is nothing")


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


def test_a_button_that_is_pressed_moved_and_let_go_drags() -> None:
    calls = [
        use("mouse_move", 0, coordinate=[1, 2]),
        use("left_mouse_down", 1),
        use("mouse_move", 2, coordinate=[9, 9]),
    ]
    drag = step(1, *calls, use("left_mouse_up", 3), results=(OK, FAILED))

    assert drag.actions == (MoveTo(target=at(1, 2)), DragTo(target=at(9, 9)))
    assert [failed for _, failed, _ in answers(told(drag)[2])] == [False, True, True, True]


def _sample(schema: dict[str, Any]) -> dict[str, Any]:
    """Make an input that the SDK's own type of a call takes."""
    values: dict[str, Any] = {"coordinate": [3, 4], "start_coordinate": [1, 2], "region": [0, 0, 9, 9], "text": "a"}
    values |= {"scroll_direction": "down", "scroll_amount": 2, "duration": 1, "url": "example.org", "query": "x"}
    values |= {"from": {"type": "coordinate", "x": 1, "y": 2}, "value": "Green", "tab_id": "t1", "repeat": 2}
    pointed = "BrowserRefTarget" in str(schema.get("target")) and "Coordinate" not in str(schema.get("target"))
    values["target"] = {"type": "ref", "ref": "e1"} if pointed else {"type": "coordinate", "x": 3, "y": 4}
    return {name: values[name] for name in schema if name in values}


@pytest.mark.parametrize(("union", "toolset"), [(ComputerToolUseBlock, "computer"), (BrowserToolUseBlock, "browser")])
def test_every_call_that_the_sdk_knows_is_read_or_not_offered(union: Any, toolset: str) -> None:
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

    assert len(read) == {"computer": 15, "browser": 21}[toolset]


def test_each_call_is_answered_in_order_and_what_follows_a_failure_was_not_run() -> None:
    """[2.2 Anthropic: several blocks a turn, stop at the first failure, mark the rest not run]"""
    calls = [use("left_click", 0, coordinate=[1, 2]), use("type", 1, text="a\n"), use("key", 2, text="ctrl+s")]
    looks = [use("zoom", 3, region=[0, 0, 9, 9]), use("cursor_position", 4)]
    failing = step(1, *calls, *looks, results=(OK, OK, FAILED))
    not_run = ("Not executed: an earlier computer action in this turn failed.", True, 0)

    message = told(failing)[2]

    assert [block["tool_use_id"] for block in message["content"][:5]] == [f"toolu_{n}" for n in range(5)]
    assert [block["toolset_name"] for block in message["content"][:5]] == ["computer"] * 5
    assert answers(message) == [
        ("done: seen", False, 0),
        ("done: seen; failed: there is nothing", True, 0),
        not_run,
        not_run,
        not_run,
    ]
    assert message["content"][5]["type"] == "image", "an error holds none"


def test_the_picture_is_in_the_last_answer_and_the_pointer_is_where_it_was_put() -> None:
    """[2.2 Anthropic: feed]"""
    moved = step(1, use("mouse_move", 0, coordinate=[30, 40]), use("cursor_position", 1), results=(OK,))
    looked = step(2, use("screenshot", 2))

    messages = told(moved, looked)

    assert answers(messages[2]) == [("done: seen", False, 0), ("X=30,Y=40", False, 1)]
    assert answers(messages[4]) == [("The screen is shown below.", False, 1)]
    assert [block["type"] for block in messages[4]["content"]] == ["tool_result"]
    assert answers(told(step(1, use("cursor_position")))[2])[0][0].startswith("It is not known")


def striped(number: int) -> Image:
    """A picture of a large screen, with fine stripes at its upper left."""
    screen = Pil.new("RGB", FULL_HD, (number, 0, 0))
    for x in range(0, 40, 2):
        screen.paste((255, 255, 255), (x, 0, x + 1, 40))
    file = io.BytesIO()
    screen.save(file, "PNG")
    return Image(sha256=ALBUM.keep(file.getvalue()), size=FULL_HD)


@pytest.mark.parametrize(
    ("first", "seen"), [(use("zoom", 0, region=[0, 0, 60, 30]), 1), (use("wait", 0, duration=1), 2)]
)
def test_a_zoom_shows_the_screens_own_pixels_of_before_or_after_what_was_done(first: dict[str, Any], seen: int) -> None:
    """[2.0 and 2.2 Anthropic: zoom in the space of the picture, cut from native pixels]"""
    zoomed = step(1, first, use("zoom", 1, region=[0, 0, 60, 30]), results=(OK,) * (seen - 1))
    before, after = striped(1), striped(2)
    parts = (HistoryPart(steps=(zoomed,)), PicturePart(image=before, of="step 1"), PicturePart(image=after))

    (received,) = sent(dialect().compose("planner", parts))

    (text, failed, pictures) = answers(received.body["messages"][2])[1]
    assert (failed, pictures) == (False, 2), text
    enlarged = Pil.open(io.BytesIO(received.pictures[-2].data)).convert("RGB")
    assert enlarged.width > 1456 // 2
    row: list[Any] = [enlarged.getpixel((x, 100)) for x in range(enlarged.width)]
    edges = sum((one[1] > 128) != (other[1] > 128) for one, other in pairwise(row))
    assert edges >= 38, "stripes of one pixel are told apart"
    assert row[-1] == (seen, 0, 0)


def test_pages_are_read_by_their_elements_which_can_be_aimed_at() -> None:
    save = Element(id="e7", role="button", name="Save all", box=Box(0, 0, 9, 9))
    elements = ElementsPart(elements=(save, Element(id="e8", role="link", name="Help", box=Box(0, 9, 9, 18))))
    calls = [("read_page", {}), ("find", {"query": "save button"}), ("get_page_text", {}), ("find", {"query": "xyz"})]
    reading = step(1, *(use(name, n, "browser", **given) for n, (name, given) in enumerate(calls)))

    whole, found, text, nothing = answers(told(reading, platform="web", more=(elements,))[2])

    assert "e7 button" in whole[0]
    assert "e8" in whole[0]
    assert ("e7" in found[0], "e8" in found[0]) == (True, False)
    assert '"Save all"\n"Help"' in text[0]
    assert nothing[0] == "nothing like that was found"
    assert answers(told(reading, platform="web")[2])[0] == ("nothing can be read here; go by the picture", True, 0)


def thought(number: int) -> dict[str, Any]:
    return {"type": "thinking", "thinking": f"hm {number}", "signature": f"sig{number}=="}


def test_thoughts_come_back_unchanged_and_not_to_another_model() -> None:
    """[2.2 Anthropic: thinking blocks replayed unchanged]"""
    sealed = {"type": "redacted_thinking", "data": "abc"}
    taken = step(1, thought(1), sealed, use("wait", duration=1), results=(OK,))

    assert told(taken)[1]["content"] == [thought(1), sealed, use("wait", duration=1)]
    other = told(taken, spec=OLD)
    assert [block["type"] for block in other[1]["content"]] == ["text"]
    assert "wait" in other[1]["content"][0]["text"]


def test_old_pictures_go_in_chunks_so_that_the_beginning_can_be_kept() -> None:
    """[2.2 Anthropic: drop in chunks; breakpoints on the system and the last three user turns]"""
    steps = [step(n, use("wait", n, duration=1), results=(OK,)) for n in range(1, 46)]
    speaking = dialect()
    requests = [speaking.compose("planner", shown(*steps[max(0, n - 30) : n], size=Size(8, 6))) for n in range(1, 46)]
    with ScriptedServer(always="Done.") as server:
        replied(server, *requests, spec=SPEC, key="k")
    plain = [[_unmarked(m) for m in received.body["messages"]] for received in server.requests]
    counts = [sum(len(turn.pictures) for turn in request.turns) for request in requests]

    # All but what is told last stays the same, save where a chunk goes.
    kept = [later[: len(before) - 1] == before[:-1] for before, later in pairwise(plain)]
    assert [n + 2 for n, same in enumerate(kept) if not same] == [20, 30, 40]
    assert (min(counts[10:]), max(counts)) == (11, 20)
    assert "Done before:" in plain[-1][0]["content"][-1]["text"]
    last = server.requests[-1]
    marked = [n for n, message in enumerate(last.body["messages"]) if "cache_control" in json.dumps(message)]
    assert (marked, "cache_control" in last.body["system"][0]) == ([len(plain[-1]) - at for at in (5, 3, 1)], True)
    assert speaking.compose("planner", shown(steps[0])).turns[-1].speaker == "user"
    assert sum(len(t.pictures) for t in dialect(earlier=0).compose("planner", shown(*steps[:9])).turns) == 1


def _unmarked(message: dict[str, Any]) -> dict[str, Any]:
    text = json.dumps(message).replace(', "cache_control": {"type": "ephemeral"}', "")
    made: dict[str, Any] = json.loads(text)
    return made


@pytest.mark.parametrize(
    ("said", "status", "result"),
    [
        ("The file is saved.", AppAgentStatus.FINISH, "The file is saved."),
        ("The page asks me to buy it. Shall I go on?", AppAgentStatus.PENDING, ""),
    ],
)
def test_the_last_words_are_the_answer_or_a_question(said: str, status: AppAgentStatus, result: str) -> None:
    with ScriptedServer(said) as server:
        (given,) = replied(server, dialect().compose("planner", shown()), spec=SPEC, key="k")
    decision = dialect().parse("planner", given, FRAME)

    assert isinstance(decision, AppDecision)
    assert (decision.status, decision.result) == (status, result)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([Say("I will not.", "refusal")], "the model declined: 'I will not.'"),
        ([Say("", "length"), Say("", "length")], "the reply was cut off twice"),
        ([Raw(json.dumps({"content": [], "stop_reason": "model_context_window_exceeded"}))] * 2, "cut off twice"),
        ([Fail(400, "'claude-opus-5' does not support tool types: computer_20250124")], "does not support tool types"),
    ],
)
def test_whatever_else_ends_a_reply_is_said(answer: list[Line], message: str) -> None:
    with ScriptedServer(*answer) as server, pytest.raises(ModelRefused, match=message):
        replied(server, dialect().compose("planner", shown()), spec=SPEC, key="k")


def on_paper(*lines: Line, spec: str = SPEC, **given: Any) -> tuple[Any, list[Received], PaperDesk]:
    """Run an operator on a desk of paper, behind a real server that sees to the rules of the wire."""
    desk = PaperDesk()
    with ScriptedServer(*lines) as server:
        made = context(model_at(server, spec, key="k"), desk=desk, mode=RunningMode.OPERATOR, **given)
        made.dialects = {"operator": dialect(spec=spec), "host": dialect(spec=spec)}

        async def scene() -> None:
            async with opened(list(made.models.values())):
                await session(made).run()

        anyio.run(scene)
    return made, server.requests, desk


def calls(*given: tuple[str, dict[str, Any]], thought: str = "hm") -> Act:
    return Act(tuple({"name": name, "input": arguments} for name, arguments in given), thought=thought)


@pytest.mark.parametrize("spec", [SPEC, OLD])
def test_an_operator_works_asks_and_ends_with_it(spec: str) -> None:
    lines: list[Line] = [
        assign("editor", "write a"),
        calls(("type", {"text": "a"}), ("zoom", {"region": [0, 0, 20, 20]}), ("left_click", {"coordinate": [40, 25]})),
        calls(("call_user", {"question": "Which colour?"})),
        calls(("type", {"text": "!"})),
        calls(("terminate", {"status": "success", "info": "blue"})),
        host("FINISH", "done"),
    ]
    user = ScriptedUser(requests=["do it"], answers=["blue"], confirms=[False])

    made, requests, desk = on_paper(*lines, spec=spec, user=user)

    assert made.view.rounds[0].outcome is RunOutcome.FINISHED
    assert desk.windows[0].text == "a!"
    asked = [event.question for event in events(made, UserAsked)]
    assert asked == ["Which colour?"]
    assert [judged.allowed for judged in events(made, Judged)] == [False]
    assert desk.windows[0].presses == 0, "Delete was not allowed"
    results = [answers(received.body["messages"][-1]) for received in requests[2:5]]
    assert [(text.partition(":")[0], failed) for text, failed, _ in results[0]] == [
        ("done", False), ("The region, enlarged; places are still those of the whole screen.", False), ("failed", True)
    ]  # fmt: skip
    assert results[1] == [("The user answered: blue", False, 1)]
    assert "tools" not in requests[0].body


def test_what_cannot_be_read_is_said_and_the_reply_is_forgotten() -> None:
    lines: list[Line] = [
        assign("editor", "write a"),
        calls(("left_click", {"coordinate": [5000, 1]})),
        lambda received: "over" if "lies outside" in received.text else "not told",
        host("FINISH", "done"),
    ]

    made, requests, _ = on_paper(*lines, user=ScriptedUser(requests=["do it"]))

    assert made.view.rounds[0].reports[0].result == "over"
    assert [m["role"] for m in requests[2].body["messages"]] == ["user"]
