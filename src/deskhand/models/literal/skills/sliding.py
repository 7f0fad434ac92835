"""Sliders that a page draws itself: moved by keys, and by looking which number on the page goes with them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from deskhand.core.action import Action, At, Click, DragTo, OnElement, Press
from deskhand.core.geometry import Point
from deskhand.core.observation import Element
from deskhand.models.literal.arithmetic import read_number
from deskhand.models.literal.moves import Done, Fail, Instead, Move, Turn
from deskhand.models.literal.sight import ask_which, has, look_again
from deskhand.perception.description import read_description
from deskhand.perception.ground import Choice, find
from deskhand.perception.scene import LABELS, Scene

_LARGEST_HANDLE = 44
_HANDLES = frozenset({"button", "link", "img", "slider"})
_ONE_NUMBER = re.compile(r"^\D*?(?<![\d.])([-+−]?\d+(?:\.\d+)?)\D*$")
_MOST_PRESSES = 250
_MOST_TRIES = 8
_ORDINALS = ("1st", "2nd", "3rd")
_PULLED = 12
"""Pixels by which a handle is pulled first, to see how far a number goes."""


def is_slider(words: str) -> bool:
    """Tell whether a description is about a slider."""
    return read_description(words)[-1].kind == "slider"


def each_slider(turn: Turn) -> Instead | None:
    """Take "the sliders to 10, 18 and 15" apart, one number a slider."""
    if not re.search(r"(?i)\b(?:sliders|scales|knobs|dials)\b", turn.clause.target):
        return None
    numbers = re.findall(r"[-+]?\d+(?:\.\d+)?", turn.clause.value)
    sliders = [e for e in turn.scene.top if e.role == "slider"] or _handles(turn.scene)
    if len(numbers) < 2 or len(numbers) != len(sliders):
        return None
    which = [_ORDINALS[place] if place < 3 else f"{place + 1}th" for place in range(len(numbers))]
    clauses = tuple(f"set the {nth} slider to {number}" for nth, number in zip(which, numbers, strict=True))
    return Instead(clauses, f"{len(numbers)} sliders are meant")


def slide(turn: Turn) -> Move:
    """Move the handle of a slider until the number that goes with it is the one that is wanted."""
    wanted = read_number(turn.clause.value.rstrip("%"))
    if wanted is None:
        return Fail(f"{turn.clause.value!r} is no number, and a slider takes nothing else")
    known = turn.scene.get(turn.memo.get("id", ""))
    found = known or _handle(turn)
    if not isinstance(found, Element):
        return found
    if not turn.tries:
        return _try(turn, found, "right")
    shown = _readout(turn, found)
    if shown is None:
        return _other_way(turn, found)
    readout, before, now = shown
    if now == wanted:
        return Done(f"the slider is at {turn.clause.value}")
    if turn.tries >= _MOST_TRIES:
        return Fail(f"the slider stands at {float(now):g} and does not come to {turn.clause.value}")
    if turn.memo.get("pulled"):
        return _pull_on(turn, found, readout, (now - before) / int(turn.memo["pulled"]), wanted - now)
    step = (now - before) / int(turn.memo["pressed"]) if now != before else Fraction(turn.memo.get("step", "1"))
    presses = round((wanted - now) / step)
    if not presses:
        return Fail(f"the slider goes from {float(before):g} to {float(now):g} and not to {turn.clause.value}")
    return _press(turn, found, presses, readout=readout.id, step=str(step))


def _press(turn: Turn, handle: Element, presses: int, **memo: str) -> Move:
    key, times = ("right", presses) if presses > 0 else ("left", -presses)
    times = min(times, _MOST_PRESSES)
    memo = {**memo, "pressed": str(times if key == "right" else -times), "numbers": _noted(turn.scene), "id": handle.id}
    return turn.act(Press(keys=(key,), presses=times), thought=f"move the slider {times} steps to the {key}", **memo)


def _try(turn: Turn, handle: Element, key: str) -> Move:
    """Move a handle by one step, to see which number changes."""
    actions: tuple[Action, ...] = (Click(target=OnElement(id=handle.id)), Press(keys=(key,)))
    memo = {"pressed": "1" if key == "right" else "-1", "numbers": _noted(turn.scene), "id": handle.id}
    return turn.act(*actions, thought=f"move the slider a step to the {key}, to see what it sets", **memo)


def _other_way(turn: Turn, handle: Element) -> Move:
    """Try the other key, then pull the handle with the mouse: it may be at its end, or know no keys."""
    if turn.memo.get("pressed") == "1" and not turn.memo.get("readout"):
        return _try(turn, handle, "left")
    if turn.memo.get("pulled", "0") in ("0", str(_PULLED)):
        by = _PULLED if not turn.memo.get("pulled") else -_PULLED
        return _pull(turn, handle, by)
    return Fail("no number here goes with the slider" + (f": {turn.failed}" if turn.failed else ""))


def _pull(turn: Turn, handle: Element, by: int, **memo: str) -> Move:
    x, y = handle.box.center
    place = At(point=Point(max(x + by, 0), y))
    noted = {**memo, "pulled": str(by), "numbers": _noted(turn.scene), "id": handle.id}
    return turn.act(DragTo(start=OnElement(id=handle.id), target=place), thought=f"pull it by {by}", **noted)


def _pull_on(turn: Turn, handle: Element, readout: Element, a_pixel: Fraction, rest: Fraction) -> Move:
    if not a_pixel:
        return Fail("the slider does not go further")
    by = round(rest / a_pixel) or (1 if rest / a_pixel > 0 else -1)
    return _pull(turn, handle, by, readout=readout.id)


def _handle(turn: Turn) -> Element | Move:
    words = turn.clause.target
    handles = _handles(turn.scene)
    wanted = read_description(words)[-1]
    if wanted.name:
        label = find(wanted.name, turn.scene, frozenset(LABELS)).only
        beside = sorted(handles, key=lambda e: abs(e.box.center.y - label.box.center.y)) if label else []
        if beside:
            return beside[0]
    if wanted.ordinal:
        place = wanted.ordinal - 1 if wanted.ordinal > 0 else wanted.ordinal
        if -len(handles) <= place < len(handles):
            return handles[place]
    elif len(handles) == 1 and not wanted.name:
        return handles[0]
    return look_again(turn, words) or ask_which(turn, words, Choice(tuple(handles) if not wanted.name else ()))


def _handles(scene: Scene) -> Sequence[Element]:
    """Give what looks like handles to pull: small, pressed, without a word, in reading order."""
    small = [
        e
        for e in scene.top
        if e.role in _HANDLES
        and not has(e, "disabled", "covered", "offscreen", "hidden")
        and (not e.name or e.name == e.drawn)
        and ("press" in e.actions or "focus" in e.actions)
        and min(e.box.width, e.box.height) >= 4
        and max(e.box.width, e.box.height) <= _LARGEST_HANDLE
    ]
    return sorted(small, key=lambda e: (round(e.box.center.y / 8), e.box.left))


def _numbers(scene: Scene) -> Mapping[str, Fraction]:
    """Give the texts and fields that are one number, by their ids."""
    found = {}
    for e in scene.top:
        number = _ONE_NUMBER.match(e.value or e.name) if e.role not in ("button", "link", "option") else None
        if number and len(e.name) < 40:
            found[e.id] = Fraction(number.group(1).replace("−", "-"))
    return found


def _noted(scene: Scene) -> str:
    return " ".join(f"{name}={number}" for name, number in _numbers(scene).items())


def _readout(turn: Turn, handle: Element) -> tuple[Element, Fraction, Fraction] | None:
    """Give the number that has changed with the slider, as it was and as it is; the nearest when there are several."""
    then = {name: Fraction(number) for name, _, number in (n.partition("=") for n in turn.memo["numbers"].split())}
    now = _numbers(turn.scene)
    known = turn.memo.get("readout", "")
    if known in now and known in then:
        element = turn.scene.get(known)
        return (element, then[known], now[known]) if element is not None else None
    changed = [e for e in turn.scene.top if e.id in then and e.id in now and then[e.id] != now[e.id]]
    if not changed:
        return None
    nearest = min(changed, key=lambda e: _apart(e, handle))
    return nearest, then[nearest.id], now[nearest.id]


def _apart(one: Element, other: Element) -> float:
    return abs(one.box.center.y - other.box.center.y) * 2 + abs(one.box.center.x - other.box.center.x)
