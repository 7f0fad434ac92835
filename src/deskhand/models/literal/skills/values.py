"""Values: read off the screen, and worked out by a calculator."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from deskhand.core.action import Action, Click, OnElement, Press, Wait, Write
from deskhand.core.observation import Element
from deskhand.models.literal.arithmetic import Sum, agrees, read_number, read_sum
from deskhand.models.literal.moves import Done, Fail, Move, Turn
from deskhand.models.literal.operators import key_names
from deskhand.models.literal.sight import (
    ask_which,
    dialog_message,
    dialogs,
    editables,
    has,
    has_digit_keys,
    look_again,
    pick,
    said,
    text_area,
)
from deskhand.models.literal.skills.terminals import last_output, terminal
from deskhand.perception.ground import Choice, find
from deskhand.perception.naming import NO_MATCH, distance, fold
from deskhand.perception.quoting import mask
from deskhand.perception.scene import FIELDS, LABELS, TRIGGERS

_CUT = re.compile(r"… \(\d+ of \d+ characters\)$")
_READABLE = FIELDS | {
    "status",
    "progressbar",
    "cell",
    "document",
    "paragraph",
    "checkbox",
    "switch",
    "radio",
    "terminal",
}
_DISPLAY = re.compile(
    r"(?i)^(?:the\s+)?(?:calculator'?s?\s+)?(?:display|result|screen|value|number|answer|it|output|readout)$"
)
_TEXT = re.compile(r"(?i)^(?:the\s+)?(?:whole\s+|entire\s+|full\s+)?(?:text|document|content|contents|file|page)$")
_TITLE = re.compile(r"(?i)^(?:the\s+)?(?:window'?s?\s+)?title(?: of the window| bar)?$|^title of (?:the )?window$")
_MESSAGE = re.compile(
    r"(?i)^(?:the\s+|its\s+)?(?:message|warning|alert|error(?: message)?|notice|dialog(?:ue)?|question|prompt|pop-?up|"
    r"notification)(?: box| dialog)?(?:'s)?(?: text| message)?$"
)
_OUTPUT = re.compile(
    r"(?i)^(?:the\s+|its\s+)?(?:command'?s?\s+|terminal'?s?\s+)?(?:output|result|answer|it|that|this)"
    r"(?: of (?:the|this|that) command| of it)?$"
)
_IT = re.compile(r"(?i)^(?:it|that|this)$")
_RIGHT = 600
_TOUCHING = 2
"""Pixels by which texts in one line may overlap."""
_LATE = 2
"""How often it is looked again for a result."""
_ENTER = Press(keys=("enter",))


def read(turn: Turn) -> Move:
    """Read a value off the screen, word for word."""
    words = turn.clause.target
    plain = mask(words).plain.strip()
    if _TITLE.match(plain) and turn.own_window:
        return Done(f"the window is called {turn.own_window.title!r}", turn.own_window.title)
    if _MESSAGE.match(plain) and dialogs(turn):
        text = dialog_message(turn)
        return Done(f"it says {text!r}", text)
    shell = terminal(turn)
    if shell is not None and _OUTPUT.match(plain):
        output = last_output(shell.value)
        waiting = look_again(turn, "the end of the output") if output is None else None
        return waiting or _value(turn, shell, shell.value if output is None else output)
    shown = _well_known(turn, plain)
    return _value(turn, *shown) if shown else _named_value(turn, words)


def _well_known(turn: Turn, plain: str) -> tuple[Element, str] | None:
    """Give what a window is there to show: an editor's text, a calculator's number."""
    area = text_area(turn)
    editor = area is not None and has(area, "multiline") and not has_digit_keys(turn)
    if area is not None and (_TEXT.match(plain) or (editor and _IT.match(plain))):
        return area, area.value
    display = _display(turn) if _DISPLAY.match(plain) else None
    return (display, _shown_number(display)) if display is not None else None


def _named_value(turn: Turn, words: str) -> Move:
    found = pick(turn, words, _READABLE)
    if isinstance(found, Element):
        return _value(turn, found, _state(found, mask(words).plain))
    beside = _after_label(turn, mask(words).plain)
    if beside is not None:
        element, text = beside
        return _value(turn, element, text)
    if found.best:
        return ask_which(turn, words, found)
    anything = pick(turn, words)
    if isinstance(anything, Element) and not _is_only_called(anything, mask(words).plain):
        return _value(turn, anything, anything.value or anything.name)
    waiting = look_again(turn, words)
    if waiting is None and isinstance(anything, Element):
        return Fail(f"the {said(anything, turn.scene)} shows no value that could be read")
    return waiting or ask_which(turn, words, anything if isinstance(anything, Choice) else Choice(()))


def _is_only_called(element: Element, words: str) -> bool:
    """Tell whether all there is to read of an element is the name by which it was found: that is no value."""
    if element.value:
        return False
    said_so = distance(words, element.name) < NO_MATCH
    return said_so and (element.role in TRIGGERS or fold(words) == fold(element.name))


def _state(element: Element, words: str) -> str:
    if element.role in ("checkbox", "switch", "radio"):
        return "on" if has(element, "checked", "pressed") else "off"
    # A cell called C5 that is empty does not hold "C5".
    named = element.role in ("cell", "paragraph", "status") and distance(words, element.name) == NO_MATCH
    return element.value or (element.name if named else "")


def _value(turn: Turn, element: Element, text: str) -> Move:
    if _CUT.search(text):
        return Fail(f"the text in the {said(element, turn.scene)} is too long to be read whole ({_CUT.search(text)})")
    if not text and turn.count("looked") < 1:
        return turn.again(Wait(seconds=0.3), "looking for its value", looked="1")
    return Done(f"the {said(element, turn.scene)} reads {text[:200]!r}", text)


def _after_label(turn: Turn, words: str) -> tuple[Element, str] | None:
    """Find "Total: 42", or a label "Total" with the value beside or below it."""
    labels = [e for e in turn.scene.elements if e.role in (*LABELS, "status", "listitem", "cell") and e.name.strip()]
    for label in labels:
        head, sign, tail = label.name.partition(":")
        if sign and tail.strip() and fold(head) == fold(words):
            return label, tail.strip()
    choice = find(words, turn.scene, frozenset(LABELS))
    if choice.only is None or choice.distance >= 60:
        return None
    label = choice.only
    head, sign, tail = label.name.partition(":")
    if sign and tail.strip():
        return label, tail.strip()
    others = [e for e in turn.scene.elements if e.id != label.id and e.role in (*LABELS, *FIELDS)]
    beside = [e for e in others if re.search(r"\w", e.value or e.name) and _beside(label, e)]
    nearest = min(beside, key=lambda e: (e.box.left - label.box.right, e.box.top), default=None)
    return (nearest, nearest.value or nearest.name) if nearest else None


def _beside(label: Element, other: Element) -> bool:
    overlap = min(label.box.bottom, other.box.bottom) - max(label.box.top, other.box.top)
    return (
        overlap * 2 > min(label.box.height, other.box.height)
        and -_TOUCHING <= other.box.left - label.box.right < _RIGHT
    )


def _display(turn: Turn) -> Element | None:
    """Find what a calculator shows its number in: the largest field with a number, else the largest such label."""
    shows = [e for e in turn.scene.elements if _shown_number(e) and not has(e, "offscreen")]
    fields = [e for e in shows if e.role in ("textbox", "status", "document", "paragraph") and e.value]
    labels = [e for e in shows if e.role in LABELS]
    best = fields or labels
    return max(best, key=lambda e: (e.box.height, e.box.area)) if best else None


def _shown_number(element: Element) -> str:
    """Give the last line that is a number, of what an element shows; "" when there is none."""
    if element.role not in ("textbox", "status", "document", "paragraph", *LABELS):
        return ""
    for line in reversed((element.value or element.name).strip().splitlines()):
        text = line.strip().rpartition("=")[2].strip()
        if text and read_number(text) is not None:
            return text
    return ""


def compute(turn: Turn) -> Move:
    """Have a calculator work a sum out, and read what it shows; what it shows is checked."""
    total = read_sum(turn.clause.value)
    if total is None:
        return Fail(f"{turn.clause.value!r} is no sum that can be read")
    if turn.tries:
        return _after_computing(turn, total)
    return (
        _next_way(turn, total)
        or look_again(turn, "the calculator's keys")
        or Fail("there are no keys here to work out a sum with")
    )


def _next_way(turn: Turn, total: Sum) -> Move | None:
    """Try the ways to enter a sum one after the other: written, by buttons, by keys."""
    tried = turn.memo.get("ways", "").split()
    entry = next((e for e in editables(turn) if e.role == "textbox"), None)
    written = total.written.replace("√", "sqrt")
    done: tuple[Action, ...]
    if entry is not None and "entry" not in tried:
        done, way = (Write(message=written, target=OnElement(id=entry.id), replace=True), _ENTER), "entry"
    elif "buttons" not in tried and (buttons := _buttons(turn, ("clear", *total.written, "="))):
        done, way = tuple(Click(target=OnElement(id=b.id)) for b in buttons), "buttons"
    elif "keys" not in tried and has_digit_keys(turn):
        done, way = (Press(keys=("esc",)), Press(keys=tuple(written)), _ENTER), "keys"
    else:
        return None
    return turn.act(*done, thought=f"work out {written} by {way}", ways=" ".join([*tried, way]), waited="0")


def _buttons(turn: Turn, signs: Sequence[str]) -> list[Element] | None:
    """Give the buttons to press for signs; None when one of them is not there."""
    by_name = {fold(e.name): e for e in turn.scene.top if e.role == "button" and not has(e, "disabled")}
    pressed = []
    for sign in signs:
        names = key_names().get(sign, (sign,))
        button = next((by_name[fold(name)] for name in names if fold(name) in by_name), None)
        if button is None:
            return None
        pressed.append(button)
    return pressed


def _after_computing(turn: Turn, total: Sum) -> Move:
    shown = _agreeing(turn, total.value)
    if shown is not None:
        return Done(f"the calculator shows {shown}", shown)
    if turn.count("waited") < _LATE and not turn.failed:
        return turn.again(Wait(seconds=0.3), "looking for the result", waited=str(turn.count("waited") + 1))
    other = _next_way(turn, total)
    if other is not None:
        return other
    display = _display(turn)
    reads = f"it shows {_shown_number(display)!r}" if display else "no number can be read"
    why = f" ({turn.failed})" if turn.failed else ""
    return Fail(f"the calculator does not show what {turn.clause.value} makes: {reads}{why}")


def _agreeing(turn: Turn, value: Fraction | float) -> str | None:
    """Give what is shown that agrees with a value: in the display if it is there, else anywhere but on keys."""
    display = _display(turn)
    places = ([display] if display else []) + [e for e in turn.scene.elements if e.role not in ("button", "menuitem")]
    return next((text for e in places if (text := _shown_number(e)) and agrees(text, value)), None)


def operate(turn: Turn) -> Move:
    """Go on working with the number that a calculator shows: "multiply by 6"; what it shows then is checked."""
    clause = turn.clause
    if turn.tries:
        return _after_operating(turn)
    display = _display(turn)
    start = read_number(_shown_number(display)) if display else None
    if start is None:
        return look_again(turn, "a number to work with") or Fail("no number is shown here that could be worked with")
    total = read_sum(f"({start}) {clause.mode} {clause.value}")
    if total is None:
        return Fail(f"{start} {clause.mode} {clause.value} cannot be worked out")
    memo = {"goal": str(Fraction(total.value)), "sum": f"{start} {clause.mode} {clause.value}"}
    keys = (clause.mode, *clause.value, "=")
    buttons = _buttons(turn, keys)
    if buttons:
        clicks = tuple(Click(target=OnElement(id=button.id)) for button in buttons)
        return turn.act(*clicks, thought=f"press {' '.join(keys)}", **memo)
    if not has_digit_keys(turn):
        return Fail("there are no keys here to work with numbers")
    return turn.act(Press(keys=keys[:-1]), _ENTER, thought=f"type {' '.join(keys)}", **memo)


def _after_operating(turn: Turn) -> Move:
    shown = _agreeing(turn, Fraction(turn.memo["goal"]))
    if shown is not None and not turn.failed:
        return Done(f"the calculator shows {shown}", shown)
    if turn.count("waited") < _LATE and not turn.failed:
        return turn.again(Wait(seconds=0.3), "looking for the result", waited=str(turn.count("waited") + 1))
    display = _display(turn)
    reads = f"it shows {_shown_number(display)!r}" if display else "no number can be read"
    return Fail(f"the calculator does not show what {turn.memo['sum']} makes: {reads}. {turn.failed}".strip())
