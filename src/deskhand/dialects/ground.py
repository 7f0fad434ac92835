"""The `ground` dialect: a picture and words for a place in it go out, a point comes back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from deskhand.core.action import Action, At, Click, Swipe
from deskhand.core.decision import AppDecision, HostDecision
from deskhand.core.errors import UnreadableReply
from deskhand.core.family import SCALECUA, Family
from deskhand.core.geometry import RATIO, Frame, Space
from deskhand.core.message import ModelRequest, NotesPart, Part, Reply, Role
from deskhand.core.status import AppAgentStatus
from deskhand.dialects.binding import bind
from deskhand.dialects.calls import Calls, find_calls
from deskhand.dialects.grammar import shown
from deskhand.dialects.json_reply import turn_of
from deskhand.dialects.layout import without_thinking
from deskhand.dialects.points import NUMBER, Pair, number_of, point_of
from deskhand.dialects.prompt import Prompts, counted_in
from deskhand.dialects.reading import said_in
from deskhand.dialects.render import render_parts, task_of
from deskhand.dialects.unreadable import CutOff, Unreadable

_SIZE = r"\d+(?:\.\d+)?"
_TRIES = 50
_TOOL = re.compile(r"[\"'](?:computer|mobile)_use[\"']")
_TAGGED = re.compile(r"<\|?(?P<name>box|point|bbox|box_start|point_start)\|?>(?P<inside>[^<>]*)", re.IGNORECASE)
_BY_NAME = (
    re.compile(rf"(?<!\w)x\s*[=:]\s*(?P<x>{NUMBER})[\s,;]*(?:and\s+)?y\s*[=:]\s*(?P<y>{NUMBER})", re.IGNORECASE),
    re.compile(rf"(?<!\w)y\s*[=:]\s*(?P<y>{NUMBER})[\s,;]*(?:and\s+)?x\s*[=:]\s*(?P<x>{NUMBER})", re.IGNORECASE),
)
_SQUARE = re.compile(r"\[[\[\]\d\s,.+eE-]*\]")
_ROUND = re.compile(r"\([\s\d,.+eE-]*\)")
_BESIDE = re.compile(rf"(?<![\w.-])(?P<x>{_SIZE})(?:\s?px)?\s*[,;]\s*(?P<y>{_SIZE})(?:\s?px)?(?![\w])")
_BREAKS_OFF = re.compile(r"[(\[{][^()\[\]{}]*\d\s*\Z")
"""A number at the end, in a bracket that is not closed: it may lack digits."""
_PAIR = re.compile(r"\[[^\[\]]*\]")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}


class Pointing(NamedTuple):
    """A point, or where a swipe begins and ends, in the model's own space."""

    point: Pair
    to: Pair | None = None
    repaired: bool = False
    space: str = ""
    """What they are counted in, where it is no number of pixels: `0-1` or `0-1000`."""
    by_tool: bool = False
    """The reply is a call of a tool for using a computer."""


class GroundReply:
    """Asks for a point and reads it in any of the forms in which models give one. Keeps nothing from call to call."""

    name = "ground"
    marked = False

    def __init__(self, family: Family = SCALECUA, *, prompts: Prompts | None = None) -> None:
        self._family = family
        self._prompts = prompts or Prompts()

    def compose(self, role: Role, parts: tuple[Part, ...]) -> ModelRequest:
        """Show the picture and the words: those of the subtask or the request among the parts."""
        system = self._prompts.filled("ground", coordinates=counted_in(self._family.space))
        wrong = render_parts([part for part in parts if isinstance(part, NotesPart)])
        text = f"{self._prompts.filled('ground_user', description=task_of(parts))}\n\n{wrong}".strip()
        return ModelRequest(role=role, system=system, parts=parts, turns=(turn_of(parts, text),))

    def parse(self, role: Role, reply: Reply, frame: Frame) -> HostDecision | AppDecision:
        """Read a point as a click on it.

        Raises:
            UnreadableReply: there is no point in the reply, or it lies outside the picture.
        """
        return AppDecision(status=AppAgentStatus.CONTINUE, actions=(self.point(reply.text, frame),))

    def point(self, text: str, frame: Frame) -> Action:
        """Read a point as a click on it, and two as a swipe; raises as `parse`."""
        pointing = self.read(text, frame)
        own = Frame(frame.device, self._space(pointing).grid(frame.shown))
        start = At(point=own.to_device(*pointing.point))
        if pointing.to is None:
            return Click(target=start)
        return Swipe(from_coord=start, to_coord=At(point=own.to_device(*pointing.to)))

    def read(self, text: str, frame: Frame) -> Pointing:
        """Give the point in the model's own space; `frame.shown` is the size of the picture that was shown.

        Raises:
            UnreadableReply: as `parse`.
        """
        text = said_in(text)
        pointing = _pointing(without_thinking(text)[1])
        pointing = pointing._replace(by_tool=_TOOL.search(text) is not None)
        space = self._space(pointing)
        for x, y in (pointing.point, *([pointing.to] if pointing.to else [])):
            try:
                Frame(frame.device, space.grid(frame.shown)).fraction(x, y)
            except ValueError as error:
                raise Unreadable("out_of_range", f"{error}; give a point inside the picture") from error
        return pointing._replace(space=space.name)

    def _space(self, pointing: Pointing) -> Space:
        numbers = [*pointing.point, *(pointing.to or ())]
        fractions = all(0 <= n <= 1 for n in numbers) and any(isinstance(n, float) for n in numbers)
        tool_space = self._family.tool_space if pointing.by_tool else None
        return RATIO if fractions else tool_space or self._family.space


def _pointing(text: str) -> Pointing:
    """Read the point by the surest form that there is.

    Raises:
        UnreadableReply: there is none.
    """
    plain = text.translate(_FULL_WIDTH)
    if _BREAKS_OFF.search(plain):
        raise CutOff(f"{shown(plain[-300:])} breaks off in the middle; answer with a point, like click(x=10, y=20)")
    for form in _FORMS:
        if (found := form(plain)) is not None:
            return found
    raise _no_point(text)


def _no_point(text: str) -> Unreadable:
    said = " ".join(text.split())[:300]
    return Unreadable("no_point", f"the reply holds no point; answer with one, like click(x=10, y=20). It was: {said}")


def _called(text: str) -> Pointing | None:
    """Read the first call that has a place.

    Raises:
        UnreadableReply: it breaks off, so that a number in it may have lost digits.
    """
    try:
        found = find_calls(text, cut=True)
        bound = [bind(call) for call in found.calls]
    except CutOff:
        raise
    except UnreadableReply:
        return None
    for one in bound:
        start, end = one.params.get("from_coord"), one.params.get("to_coord")
        if isinstance(start, list) and isinstance(end, list):
            return Pointing((start[0], start[1]), (end[0], end[1]), found.mended)
        point = point_of([one.params.get("x"), one.params.get("y")])
        if point is not None:
            return Pointing(point, repaired=found.mended)
    if bound and not _beside(found):
        raise _no_point(text)  # numbers in its texts are no place
    return None


def _beside(found: Calls) -> bool:
    """Tell whether there are numbers besides the calls of a text."""
    return any(re.search(r"\d", gap) for gap in found.gaps)


def _tagged(text: str) -> Pointing | None:
    return next((Pointing(p) for found in _TAGGED.finditer(text) if (p := _first(found["inside"]))), None)


def _object(text: str) -> Pointing | None:
    """Read the first JSON object, or list of them, that says a point."""
    for found in islice(re.finditer(r"[\[{]", text), _TRIES):
        try:
            value, _ = json.JSONDecoder(strict=False).raw_decode(text, found.start())
        except (ValueError, RecursionError):
            continue
        for item in _objects(value):
            if (point := point_of(item)) is not None:
                return Pointing(point)
    return None


def _objects(value: object) -> Iterator[dict[str, object]]:
    """Give an object and those inside it."""
    if isinstance(value, dict):
        yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for item in inner:
        yield from _objects(item)


def _by_name(text: str) -> Pointing | None:
    for form in _BY_NAME:
        if (found := form.search(text)) is not None:
            x, y = number_of(found["x"]), number_of(found["y"])
            return None if x is None or y is None else Pointing((x, y))
    return None


def _whole(text: str) -> Pointing | None:
    """Read a text that holds nothing but the numbers of one point or box."""
    point = point_of(text.strip(" \n.`"))
    return Pointing(point) if point is not None else None


def _squared(text: str) -> Pointing | None:
    points = [point for found in _SQUARE.finditer(text) if (point := _first(found[0]))]
    return Pointing(points[-1]) if points else None


def _rounded(text: str) -> Pointing | None:
    points = [point for found in _ROUND.finditer(text) if (point := point_of(found[0]))]
    return Pointing(points[-1]) if points else None


def _bare(text: str) -> Pointing | None:
    """Read two numbers that stand beside each other, with no other number in the text."""
    pair = _BESIDE.search(text)
    if pair is None or len(re.findall(r"\d+", text)) > len(re.findall(r"\d+", pair[0])):
        return None
    point = point_of([pair["x"], pair["y"]])
    return Pointing(point, repaired=True) if point is not None else None


def _first(text: str) -> Pair | None:
    """Read a point or box; of several boxes, the first."""
    return point_of(text) or next((point for found in _PAIR.finditer(text) if (point := point_of(found[0]))), None)


_FORMS: tuple[Callable[[str], Pointing | None], ...] = (
    _called,
    _tagged,
    _object,
    _by_name,
    _whole,
    _squared,
    _rounded,
    _bare,
)
