"""Questions about what is drawn: how many there are of something, what a figure is; also where choices answer them."""

from __future__ import annotations

import re

from deskhand.core.action import Click, OnElement
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Ask, Done, Fail, Move, Turn
from deskhand.models.literal.questions import read_question
from deskhand.models.literal.sight import has, look_again, said
from deskhand.models.literal.skills.pointing import after_click
from deskhand.perception.looks import drawn_shape, looking_so, read_looks
from deskhand.perception.quoting import mask
from deskhand.perception.scene import PRESSABLE, Scene

_SIDES = {
    "triangle": 3,
    "square": 4,
    "rectangle": 4,
    "quadrilateral": 4,
    "pentagon": 5,
    "hexagon": 6,
    "heptagon": 7,
    "octagon": 8,
}
_KEYS = frozenset("+-−*×/÷=")


def count(turn: Turn) -> Move:
    """Count what is described; where the page offers numbers to answer with, give the answer there."""
    found = counted(turn, turn.clause.target)
    if not isinstance(found, Done) or found.value is None:
        return found
    if turn.tries:
        clicked = after_click(turn, turn.memo.get("what", found.value))
        return found if isinstance(clicked, Done) else clicked
    choice = [e for e in _number_choices(turn.scene) if e.name.strip() == found.value]
    return _give(turn, choice[0], found.note) if len(choice) == 1 else found


def counted(turn: Turn, words: str) -> Move:
    """Count what looks as described."""
    looks = read_looks(mask(words).plain)
    if looks is None or not any(e.drawn for e in turn.scene.elements):
        return look_again(turn, words) or Ask(f"“{turn.clause.text}”: nothing here is drawn that could be counted.")
    number = len(looking_so(looks._replace(how_many="all"), turn.scene, _figures(turn.scene)))
    return Done(f"there are {number} of {words}", str(number))


def answer(turn: Turn) -> Move:
    """Choose the answer that fits what is drawn."""
    if turn.tries:
        return after_click(turn, turn.memo.get("what", "answer"))
    question = read_question(mask(turn.clause.target).plain)
    if question is None:
        return Fail(f"“{turn.clause.text}” asks for nothing that can be seen")
    if question.asks == "many":
        number = counted(turn, question.about)
        return _choose_number(turn, number.value) if isinstance(number, Done) else number
    figure = _the_figure(turn, question.about)
    if figure is None:
        return look_again(turn, question.about) or Ask(f"“{turn.clause.text}”: which figure is meant?")
    if question.asks == "sides":
        sides = _SIDES.get(drawn_shape(figure))
        return _choose_number(turn, str(sides) if sides else None)
    fitting = [e for e in _choices(turn.scene) if _is_called(figure, e.name)]
    exactly = [e for e in fitting if e.name.casefold() == drawn_shape(figure)]
    for choice in (fitting, exactly):
        if len(choice) == 1:
            return _give(turn, choice[0], f"it is a {figure.drawn}")
    return Ask(f"“{turn.clause.text}”: it is a {figure.drawn}; which answer says so?")


def _choose_number(turn: Turn, number: str | None) -> Move:
    choice = [e for e in _number_choices(turn.scene) if e.name.strip() == number]
    if number is None or len(choice) != 1:
        return Ask(f"“{turn.clause.text}”: no answer here is {number or 'a number that could be seen'}. Which is it?")
    return _give(turn, choice[0], f"it is {number}")


def _give(turn: Turn, choice: Element, why: str) -> Move:
    what = said(choice, turn.scene)
    return turn.act(Click(target=OnElement(id=choice.id)), thought=f"{why}: click the {what}", what=what)


def _figures(scene: Scene) -> list[Element]:
    """Leave out controls that only have a colour: a blue button that says something is no figure."""
    return [e for e in scene.top if e.drawn and (e.name == e.drawn or e.role not in PRESSABLE or _is_sign(e))]


def _is_sign(element: Element) -> bool:
    return drawn_shape(element) in ("letter", "digit", "sign")


def _the_figure(turn: Turn, words: str) -> Element | None:
    looks = read_looks(words)
    found = looking_so(looks, turn.scene, _figures(turn.scene)) if looks else ()
    inner = [e for e in found if e.parent] or found
    return inner[0] if len(inner) == 1 else None


def _is_called(figure: Element, name: str) -> bool:
    looks = read_looks(name)
    return looks is not None and bool(looking_so(looks, Scene([figure])))


def _number_choices(scene: Scene) -> list[Element]:
    pressed = [e for e in scene.top if e.role in PRESSABLE and not _is_sign(e) and not has(e, "disabled")]
    if any(e.name.strip() in _KEYS for e in pressed if e.name.strip()):
        return []  # the keys of a calculator answer nothing
    numbers = [e for e in pressed if re.fullmatch(r"\d{1,3}", e.name.strip())]
    return numbers if len(numbers) > 1 else []


def _choices(scene: Scene) -> list[Element]:
    pressed = [e for e in scene.top if e.role in PRESSABLE and e.name and not has(e, "disabled")]
    return [e for e in pressed if e.name != e.drawn and not _is_sign(e)]
