"""What must hold for the form of every family: replies mean what they say, and what is told is read again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deskhand.core.action import (
    Action,
    ArrangeWindow,
    At,
    CallTool,
    CallUser,
    Click,
    CloseWindow,
    Described,
    DoubleClick,
    DragTo,
    FocusWindow,
    GoBackward,
    GoForward,
    Hotkey,
    KeyDown,
    KeyUp,
    LongPress,
    MoveTo,
    NavigateBack,
    NavigateHome,
    OnElement,
    OpenApp,
    OpenUrl,
    Press,
    Respond,
    RightClick,
    RunCommand,
    Scroll,
    SelectOption,
    SetValue,
    Swipe,
    Terminate,
    Wait,
    Write,
)
from deskhand.core.errors import UnreadableReply
from deskhand.core.family import FAMILIES, Family, family_called
from deskhand.core.geometry import Frame, Point, Size
from deskhand.core.keys import find_key
from deskhand.core.message import PastStep
from deskhand.dialects.actions import spell
from deskhand.dialects.ground import GroundReply
from deskhand.dialects.own_form import OwnReply, words_of
from deskhand.dialects.prompt import Platform
from deskhand.dialects.vocabularies import USUAL, form_of
from deskhand.dialects.words import Form

CASES = Path(__file__).resolve().parent.parent / "tests" / "cases" / "families.jsonl"
PHONE = Size(1080, 2400)
SCREENS = (
    *(Size(1280, 800), Size(1366, 768), Size(1920, 1080), Size(2560, 1440), Size(3840, 2160)),
    PHONE,
)
TEXTS = (
    *("report.txt", 'it\'s "done"', "a\nb", "submitted\n", "\n", "\n\n", " x ", "C:\\Users\\new", "你好，世界", "😀"),
    *(
        "</tool_call>",
        "</parameter>",
        "</function>",
        "<function=f>",
        "Action: click(x=1, y=2)",
        "```",
        "[1, 2]",
        '{"a": 1}',
        "123",
        "12.50",
        "true",
    ),
)


def platform_of(screen: Size) -> Platform:
    return "linux" if screen.width > screen.height else "android"


def own_forms() -> Iterator[tuple[Form, Family]]:
    """Give every family with each form that it has words in, and each form with a family that has none."""
    for family in FAMILIES.values():
        if form := form_of(family):
            yield form, family
    for form in USUAL:
        yield form, FAMILIES["gpt"]


def pointing_on(screen: Size) -> Iterator[Action]:
    """Give actions over the whole of a screen."""
    right, bottom = screen.width - 1, screen.height - 1
    places = [At(point=Point(x, y)) for x in (0, 1, right // 3, right // 2, right) for y in (0, bottom // 7, bottom)]
    yield from (Click(target=place) for place in places)
    yield from (DragTo(target=to, start=at) for at, to in zip(places[::2], places[::-2], strict=False))
    yield from (Scroll(clicks=-3, target=place) for place in places[::4])
    yield Click(target=places[7], modifiers=("ctrl",))
    yield Swipe(from_coord=places[7], to_coord=places[8])


def actions_on(screen: Size) -> Iterator[Action]:
    """Give actions of every kind, over the whole of a screen."""
    yield from pointing_on(screen)
    right, bottom = screen.width - 1, screen.height - 1
    at, to = At(point=Point(right // 3, bottom // 7)), At(point=Point(right, bottom // 7))
    for target in (at, None, OnElement(id="e12"), Described(text="the blue Save button")):
        yield from _clicks(target)
    yield from (MoveTo(target=at), DragTo(target=to), DragTo(target=to, start=at), DragTo(target=to, button="right"))
    yield DragTo(target=to, start=at, path=(Point(3, 4), Point(right // 2, bottom // 2)))
    for target in (None, at):
        yield from (Scroll(clicks=clicks, target=target) for clicks in (-30, -5, -3, -1, 1, 2, 5, 10))
        yield from (Scroll(right=right, target=target) for right in (-7, -5, -1, 1, 5, 12))
        yield Scroll(clicks=-2, right=3, target=target)
    yield from _texts(at)
    yield from _keys()
    yield from _others(at, to)


def _clicks(target: At | OnElement | Described | None) -> Iterator[Action]:
    yield from (DoubleClick(target=target), RightClick(target=target), DoubleClick(target=target, button="middle"))
    for modifiers in ((), ("ctrl",), ("ctrl", "shift")):
        yield from (Click(target=target, clicks=clicks, modifiers=modifiers) for clicks in (1, 2, 3))
        yield Click(target=target, button="right", modifiers=modifiers)
        yield Click(target=target, button="middle", clicks=2, modifiers=modifiers)


def _texts(at: At) -> Iterator[Action]:
    yield from (Write(message=text) for text in TEXTS)
    yield from (Write(message="a", target=at), Write(message="a\n", replace=True), Write(message="b", replace=True))


def _keys() -> Iterator[Action]:
    yield from (Press(keys=(key,)) for key in ("enter", "a", "+", "-", "[", " ", "space", "f5", "page_down", "menu"))
    yield from (Press(keys=("down", "down", "enter")), Press(keys=("tab",), presses=3))
    yield from (Hotkey(keys=keys) for keys in (("ctrl", "c"), ("ctrl", "+"), ("ctrl", "-"), ("ctrl", "shift", "t")))
    yield from (Hotkey(keys=("ctrl", "k", "s")), Hotkey(keys=("alt", " ")), Hotkey(keys=("ctrl", "alt")))
    yield from (KeyDown(key="shift"), KeyUp(key="shift"), Hotkey(keys=("ctrl", "[")), Hotkey(keys=("super",)))


def _others(at: At, to: At) -> Iterator[Action]:
    yield from (Swipe(from_coord=at, to_coord=to), Swipe(direction="down", amount=0.25), Swipe())
    yield from (LongPress(target=at), LongPress(target=at, duration=8), LongPress(target=at, duration=2.5))
    yield from (SelectOption(target=at, value="A4"), SetValue(target=OnElement(id="e3"), value="on"))
    yield from (OpenApp(app_name="Text Editor"), FocusWindow(window="w3"), CloseWindow(window="w3"))
    yield ArrangeWindow(window="w3", how="move", corner=Point(10, 20))
    yield ArrangeWindow(window="w3", how="resize", size=Size(640, 480))
    yield from (OpenUrl(url="https://example.org/?a=b"), GoBackward(), GoForward(), NavigateHome(), NavigateBack())
    yield from (Wait(seconds=seconds) for seconds in (1, 2.5, 3, 5))
    yield from (CallUser(question="which?"), CallUser(), Respond(answer="42"))
    yield from (Terminate(status=status, info=info) for status in ("success", "failure") for info in (None, "why"))
    yield from (RunCommand(command="ls -l | head"), CallTool(tool="ls", arguments={"path": ["/", 1, None, True]}))


def broken_on_the_way(form: Form, family: Family, screen: Size) -> Iterator[str]:
    """Say which actions are not the same after they were told in a family's form and read again."""
    dialect, frame = OwnReply(form, family, platform=platform_of(screen)), Frame(screen, screen)
    told_in = Frame(screen, family.space.grid(screen))
    several: list[Action] = []
    own = screen == PHONE and words_of(form, family, "android") is not words_of(form, family, "linux")
    for action in actions_on(screen) if own or screen == SCREENS[2] else pointing_on(screen):
        several.append(action)
        for actions in ([action], several[-4:] if len(several) % 5 == 0 else []):
            text = dialect.retold(PastStep(step=1, thought="Do it", actions=tuple(actions)), told_in)
            try:
                read = dialect.read(text, frame).actions if actions else ()
            except UnreadableReply as error:
                yield f"{form} {family.name} {screen.width}: {actions} was told {text!r}: {error}"
                continue
            same = len(read) == len(actions) and all(map(_same, actions, read))
            if not same:
                yield f"{form} {family.name} {screen.width}: {actions} was told {text!r} and read {read}"


def _same(one: Action, other: Action) -> bool:
    mine, its = _plain(one), _plain(other)
    return mine.keys() == its.keys() and all(_near(mine[key], its[key]) for key in mine)


def _plain(action: Action) -> dict[str, Any]:
    """Give an action as values; what has two names has one here."""
    match action:
        case RightClick():
            action = Click(target=action.target, button="right")
        case DoubleClick():
            action = Click(target=action.target, button=action.button, clicks=2)
        case Hotkey(keys=(key,)):
            action = Press(keys=(key,))
    values = action.model_dump()
    for name in values.keys() & {"keys", "modifiers"}:
        values[name] = [found.name if (found := find_key(key)) else key for key in values[name]]
    return values


def _near(one: object, other: object) -> bool:
    """Tell whether values are the same, but for places, which may be a pixel apart."""
    match one, other:
        case dict(), dict():
            return one.keys() == other.keys() and all(_near(one[key], other[key]) for key in one)
        case [int(), int()], [int(), int()]:
            return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= 1
        case ((list() | tuple()), (list() | tuple())):
            return len(one) == len(other) and all(_near(a, b) for a, b in zip(one, other, strict=True))
        case _:
            return one == other


def cases() -> list[dict[str, Any]]:
    """Give replies as models write them, each with what it means."""
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def misread(case: dict[str, Any]) -> str:
    """Say how a reply is read otherwise than it is meant; "" when it is read right."""
    width, _, height = case.get("screen", "1920x1080").partition("x")
    size = Size(int(width), int(height))
    family = family_called(case["family"])
    try:
        found = _read(case, family, Frame(size, size))
    except UnreadableReply as error:
        found = {"error": getattr(error, "code", "")}
    wanted = {key: value for key, value in case.items() if key in ("actions", "instruction", "thought", "error")}
    return "" if found | wanted == found else f"{case['id']}: {found}, not {wanted}"


def _read(case: dict[str, Any], family: Family, frame: Frame) -> dict[str, Any]:
    if case["dialect"] == "ground":
        return {"actions": [spell(GroundReply(family).point(case["raw"], frame))]}
    dialect = OwnReply(case["dialect"], family, platform=platform_of(frame.device))
    read = dialect.read(case["raw"], frame)
    return {"actions": [*map(spell, read.actions)], "instruction": read.instruction, "thought": read.thought}
