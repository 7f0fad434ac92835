"""The `plan` dialect: one line in words for whoever points, and one action without a place."""

from __future__ import annotations

import re
from typing import NamedTuple

from deskhand.core.action import Described, OnElement, Target
from deskhand.core.decision import AppDecision, HostDecision
from deskhand.core.geometry import PICTURE_PIXELS, Frame, Space
from deskhand.core.message import (
    AnswersPart,
    ApplicationsPart,
    BlackboardPart,
    BudgetPart,
    ElementsPart,
    ModelRequest,
    NotesPart,
    Part,
    Reply,
    ReportsPart,
    Role,
    WindowsPart,
)
from deskhand.dialects.actions import ELEMENT_ID
from deskhand.dialects.binding import Bound, bind, signature_of, with_checked_keys
from deskhand.dialects.calls import Calls, find_calls
from deskhand.dialects.chain import Keeping, Telling, chain
from deskhand.dialects.grammar import Call
from deskhand.dialects.json_reply import JsonReply, in_order
from deskhand.dialects.layout import fenced, sections, without_thinking
from deskhand.dialects.prompt import Platform, Prompts
from deskhand.dialects.reading import Reading, aim, decision_of, said_in
from deskhand.dialects.render import render_parts, shown_frame, task_of
from deskhand.dialects.signatures import PLACE_WORDS, without_places
from deskhand.dialects.tools import with_tools
from deskhand.dialects.unreadable import Unreadable

KEEPING = Keeping()
_TOLD = (
    AnswersPart,
    ReportsPart,
    BlackboardPart,
    ApplicationsPart,
    WindowsPart,
    ElementsPart,
    BudgetPart,
    NotesPart,
)
"""What is told at the end of the conversation, as it is now."""
GROUNDER = "<grounder>"
"""What stands for coordinates that are still to be found."""
_WANTED = "answer with two lines: # what to do, in words; then one action, for example click()"
_WHERE_THE_POINTER_IS = frozenset({"scroll", "write"})
"""Actions that have a place only when they are given one."""
_COMMENT = re.compile(
    r"^[ \t*>-]*(?:`+\w*)?[ \t*>-]*(?:\d+[.)、][ \t]*)?(?:[\#＃]+|//)[ \t]*(?P<text>[^\n]*?)[ \t`]*$", re.MULTILINE
)
_MARKUP = re.compile(
    r"\A[\s*_\"'`]*(?:(?:instruction|step|plan|thought)\s*\d*\s*[:：])?[\s*_\"'`]*|[\s*_\"'`]*\Z", re.IGNORECASE
)
"""What stands around an instruction that has no sign of its own."""
_TRAILING = re.compile(r"\A[ \t;]*(?:\#+|//)[ \t]*(?P<text>[^\n]*)")


class _Plan(NamedTuple):
    instructions: tuple[str, ...]
    """One a call."""
    calls: tuple[Call, ...]
    repaired: bool


class PlanReply:
    """Tells a model that plans, while another one points, what to answer, and reads it.

    It has no form for handing out subtasks: a host is asked as in the `json` dialect.
    """

    name = "plan"
    marked = False

    def __init__(
        self,
        space: Space = PICTURE_PIXELS,
        *,
        platform: Platform = "linux",
        prompts: Prompts | None = None,
        keeping: Keeping = KEEPING,
    ) -> None:
        self._space = space
        self._platform = platform
        self._prompts = prompts or Prompts()
        self._keeping = keeping
        self.earlier = keeping.most_pictures - 1
        """How many pictures of earlier steps are to be among the parts."""
        self._host = JsonReply(space, platform=platform, prompts=prompts)

    def compose(self, role: Role, parts: tuple[Part, ...]) -> ModelRequest:
        """Say the task once, then the conversation so far, then what is to be seen now."""
        if role == "host":
            return self._host.compose(role, parts)
        frame = shown_frame(parts, self._space)
        system = self._prompts.filled(
            "plan",
            actions=with_tools(lambda more: without_places(self._platform, more), parts),
            platform=self._prompts.filled(f"platform_{self._platform}"),
            task=task_of(parts),
        )
        now = render_parts([part for part in in_order(parts) if isinstance(part, _TOLD)], frame, parts)
        turns = chain(parts, Telling(self._prompts.filled("plan_user"), now), frame, self._keeping)
        return ModelRequest(role=role, system=system, parts=parts, turns=turns)

    def parse(self, role: Role, reply: Reply, frame: Frame) -> HostDecision | AppDecision:
        """Read instruction and actions; what has a place is aimed at what the instruction describes.

        Raises:
            UnreadableReply: the instruction or the action is missing, or cannot be read.
        """
        if role == "host":
            return self._host.parse(role, reply, frame)
        return decision_of(self.read(reply.text, frame))

    def read(self, text: str, frame: Frame) -> Reading:
        """Do the same, and also say what was repaired; `bound` has `<grounder>` for places that are to be found."""
        text = said_in(text)
        thought, rest = without_thinking(text)
        rest, in_tags = _without_tags(rest)
        block = fenced(rest)
        code, closed = block or (rest, False)
        plan = _plan(find_calls(code, loose=block is None, cut=not closed), rest)
        bound, targets = [], []
        for call, instruction in zip(plan.calls, plan.instructions, strict=True):
            one, target = _bound(call, instruction)
            bound.append(one)
            targets.append(target)
        actions = aim([_unplaced(one) for one in bound], frame, self._space, targets).actions
        repaired = plan.repaired or in_tags or (block is not None and not closed) or any(one.repaired for one in bound)
        before = rest[: rest.find(code)] if block else ""
        return Reading(
            thought=thought or before.partition("```")[0].strip(),
            instruction=plan.instructions[0],
            bound=tuple(bound),
            actions=actions,
            repaired=repaired,
        )


def _without_tags(text: str) -> tuple[str, bool]:
    """Write a reply in the tags of the `native` dialect as two lines; also say whether it was one."""
    parts = sections(text)
    if not (parts.operation and parts.blocks):
        return text, False
    return f"# {' '.join(parts.operation.split())}\n{parts.blocks[0]}", True


def _plan(found: Calls, reply: str) -> _Plan:
    """Give each call the words before it, or those of the call before.

    Raises:
        UnreadableReply: there is no call, or no words.
    """
    if not found.calls:
        shown = " ".join(reply.split())[:300]
        raise Unreadable("no_action", f"the reply holds no action; {_WANTED}. It was: {shown}")
    first = _words(found.gaps[0])
    repaired = found.repaired
    if not first:
        first, repaired = _elsewhere(found), True
    if not first:
        raise Unreadable("no_instruction", f"the reply has an action and no instruction; {_WANTED}")
    instructions = [first]
    for gap in found.gaps[1:-1]:
        instructions.append(_words(gap.partition("\n")[2]) or instructions[-1])
    return _Plan(tuple(instructions), found.calls, repaired)


def _words(gap: str) -> str:
    """Join the comment lines of a text."""
    return " ".join(text for found in _COMMENT.finditer(gap) if (text := found["text"].strip()))


def _elsewhere(found: Calls) -> str:
    """Look for the instruction behind the first call, or as the one line before it, without a sign."""
    trailing = _TRAILING.match(found.gaps[1])
    after = (trailing["text"].strip() if trailing else "") or _words(found.gaps[1])
    if after:
        return after
    lines = [line.strip() for line in found.gaps[0].split("\n")[:-1] if line.strip("`~ \t\r")]
    return _MARKUP.sub("", lines[0]) if len(lines) == 1 and re.search(r"\w", lines[0]) else ""


def _bound(call: Call, instruction: str) -> tuple[Bound, Target | None]:
    """Bind a call whatever it says of its place; also give the place it is to be aimed at."""
    signature = signature_of(call.name)
    if "x" not in signature.names:
        return with_checked_keys(bind(call)), None
    rest = Call(call.name, call.args, {k: v for k, v in call.kwargs.items() if k not in ("x", "y")})
    placed = len(rest.kwargs) < len(call.kwargs)
    if signature.names[0] == "x" and call.args:
        names = dict(zip(signature.names, call.args, strict=False))
        placed = True
        rest = Call(call.name, (), {**{k: v for k, v in names.items() if k not in ("x", "y")}, **rest.kwargs})
    one = with_checked_keys(bind(rest, placed=False))
    said = {key: value for key, value in one.params.items() if key in PLACE_WORDS and value is not None}
    if isinstance(element := said.get("element"), str):
        return one, OnElement(id=element) if ELEMENT_ID.fullmatch(element) else Described(text=element)
    if not (placed or said) and one.name in _WHERE_THE_POINTER_IS:
        return one, None
    params = {**{k: v for k, v in one.params.items() if k not in PLACE_WORDS}, "x": GROUNDER, "y": GROUNDER}
    return one._replace(params=params), Described(text=instruction)


def _unplaced(one: Bound) -> Bound:
    return one._replace(params={k: v for k, v in one.params.items() if v != GROUNDER or k not in ("x", "y")})
