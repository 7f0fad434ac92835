"""Numbers that come up by chance or by themselves: made anew, or waited for, until one is as it was asked for."""

from __future__ import annotations

from deskhand.core.action import Click, OnElement, Wait
from deskhand.core.observation import Element
from deskhand.models.literal.arithmetic import read_number
from deskhand.models.literal.conditions import Condition, amount, read_condition
from deskhand.models.literal.moves import Ask, Done, Fail, Move, Turn
from deskhand.models.literal.sight import has, look_again, pick, said
from deskhand.models.literal.skills.reading import belonging_to, captioned
from deskhand.perception.naming import fold
from deskhand.perception.scene import LABELS, Scene

_SHOWS = LABELS | {"status", "cell", "textbox", "document"}
_MOST = 60
"""How often a number is made at most."""
_PAUSE = 0.15
_MOST_LOOKS = 400


def generate(turn: Turn) -> Move:
    """Press what makes a number until the one it shows is as asked for."""
    condition = read_condition(turn.clause.target)
    if condition is None:
        return Fail(f"“{turn.clause.target}” is no condition on a number that can be read")
    maker = pick(turn, turn.clause.mode, frozenset({"button", "link"}))
    if not isinstance(maker, Element):
        return look_again(turn, turn.clause.mode) or Ask(
            f"“{turn.clause.text}”: nothing here is called {turn.clause.mode!r}. Which control makes the number?"
        )
    display = _display(turn)
    if display is not None:
        number = read_number(_text(display))
        if number is not None and condition.holds(number):
            return Done(f"{_text(display)} shows", _text(display))
    if turn.failed or turn.tries >= _MOST or has(maker, "disabled"):
        return Fail(turn.failed or f"no such number came up in {turn.tries} tries")
    if turn.tries and display is None and turn.count("late") < _MOST_LOOKS // 100:
        return turn.again(Wait(seconds=0.2), "looking for the number", late=str(turn.count("late") + 1))
    before = "\n".join(f"{e.id} {_text(e)}" for e in _numbers(turn.scene)) if not turn.tries else turn.memo["before"]
    known = {"display": display.id} if display is not None else {}
    place = OnElement(id=maker.id)
    return turn.act(Click(target=place), thought=f"press the {said(maker, turn.scene)}", before=before, **known)


def _display(turn: Turn) -> Element | None:
    """Give what shows the number that was made: what has changed by it; None before one was made."""
    if not turn.tries:
        return None
    known = turn.scene.get(turn.memo.get("display", ""))
    if known is not None:
        return known
    before = set(turn.memo["before"].split("\n"))
    changed = [e for e in _numbers(turn.scene) if f"{e.id} {_text(e)}" not in before]
    return changed[0] if len(changed) == 1 else None


def _numbers(scene: Scene) -> list[Element]:
    return [e for e in scene.elements if e.role in _SHOWS and read_number(_text(e)) is not None]


def _text(element: Element) -> str:
    return (element.value or element.name).strip()


def await_number(turn: Turn) -> Move:
    """Wait until a number on the screen is as asked for."""
    condition = read_condition(turn.clause.target)
    if condition is None:
        return Fail(f"“{turn.clause.target}” is no condition on a number that can be read")
    shown = _called(turn.scene, condition)
    if shown is not None and condition.holds(amount(shown)):
        return Done(f"{condition.what} is {shown}")
    looks = turn.count("looks")
    if (shown is None and looks > _MOST_LOOKS // 20) or looks >= _MOST_LOOKS:
        return Fail(f"{turn.clause.target} did not come true; it is {shown}" if shown else f"no {condition.what} shows")
    return turn.prepare(Wait(seconds=_PAUSE), thought=f"wait until {turn.clause.target}", looks=str(looks + 1))


def _called(scene: Scene, condition: Condition) -> str | None:
    """Give the number of that name: "Stock price: $53.10" for the price."""
    exact = belonging_to(scene, condition.what)
    if exact:
        return exact
    words = set(fold(condition.what).split())
    captions = [e.name for e in scene.elements if e.role in _SHOWS] + [head for head, _ in captioned(scene)]
    named = {belonging_to(scene, caption) for caption in captions if words <= set(fold(caption).split())}
    values = {text for text in named if any(sign.isdigit() for sign in text)}
    return values.pop() if len(values) == 1 else None
