"""The `native` dialect: thinking, an operation in words, and actions as calls, each in a tag of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from deskhand.core.action import ActionResult
from deskhand.core.decision import AppDecision, HostDecision
from deskhand.core.family import SCALECUA, Family
from deskhand.core.geometry import Frame
from deskhand.core.message import (
    AnswersPart,
    ApplicationsPart,
    BlackboardPart,
    BudgetPart,
    HistoryPart,
    ModelRequest,
    NotesPart,
    Part,
    PastStep,
    Reply,
    ReportsPart,
    Role,
    WindowsPart,
)
from deskhand.dialects.actions import spell
from deskhand.dialects.binding import bind, with_checked_keys
from deskhand.dialects.calls import find_calls
from deskhand.dialects.grammar import Call
from deskhand.dialects.json_calls import ToolCall, calls_of_json
from deskhand.dialects.json_reply import JsonReply, turn_of
from deskhand.dialects.layout import Sections, fenced, labelled, sections
from deskhand.dialects.prompt import PLATFORM_NAMES, Platform, Prompts, counted_in
from deskhand.dialects.quoting import quoted, screen_data
from deskhand.dialects.reading import Reading, aim, decision_of, said_in
from deskhand.dialects.render import LONGEST_LATEST, outcome, render_parts, shown_frame, task_of
from deskhand.dialects.signatures import stubs
from deskhand.dialects.tools import with_tools
from deskhand.dialects.unreadable import Unreadable

_WANTED = "answer with <operation>what you do next</operation> and <action>, for example click(x=10, y=20), </action>"

_MOST_OPERATIONS = 20
_LONGEST_OPERATION = 300
_LONGEST_CALL = 120
_LONGEST_OUTCOME = 150
_MOST_WINDOWS = 10
_ID = re.compile(r" \(e\d+\)")
"""The ids of elements, which are not told of here."""
TOLD = (AnswersPart, ReportsPart, BlackboardPart, ApplicationsPart, WindowsPart, BudgetPart, NotesPart)
"""What is told besides the task and the operations, where there is something to tell."""


class NativeReply:
    """Tells a model that plans and points by itself what to answer, and reads it.

    It has no form for handing out subtasks: a host is asked as in the `json` dialect.
    """

    name = "native"
    marked = False

    def __init__(
        self,
        family: Family = SCALECUA,
        *,
        thinking: bool = True,
        platform: Platform = "linux",
        prompts: Prompts | None = None,
    ) -> None:
        self._family = family
        self._thinking = thinking
        self._platform: Platform = platform
        self._prompts = prompts or Prompts()
        self._host = JsonReply(family.space, platform=platform, prompts=prompts)

    def compose(self, role: Role, parts: tuple[Part, ...]) -> ModelRequest:
        """Say who the model is, then show the picture as it is now, the task, and what was done, in words."""
        if role == "host":
            return self._host.compose(role, parts)
        frame = shown_frame(parts, self._family.space)
        system = self._prompts.filled(
            "native_thinking" if self._thinking else "native",
            actions=with_tools(lambda more: stubs(self._platform, more), parts),
            platform=self._prompts.filled(f"platform_{self._platform}"),
            platform_name=PLATFORM_NAMES[self._platform],
            coordinates=counted_in(self._family.space),
            size=size_of(frame),
        )
        steps = next((part.steps for part in parts if isinstance(part, HistoryPart)), ())
        text = self._prompts.filled("native_user", task=task_of(parts), operations=_operations(steps, frame))
        more = render_parts([bounded(part) for part in parts if isinstance(part, TOLD)], frame, parts)
        said = "\n\n".join(filter(None, (text, _given(steps), more)))
        return ModelRequest(role=role, system=system, parts=parts, turns=(turn_of(parts, said),))

    def parse(self, role: Role, reply: Reply, frame: Frame) -> HostDecision | AppDecision:
        """Read the actions of a reply; what stands in thinking is never one.

        Raises:
            UnreadableReply: there is none, or one cannot be read.
        """
        if role == "host":
            return self._host.parse(role, reply, frame)
        return decision_of(self.read(reply.text, frame))

    def read(self, text: str, frame: Frame) -> Reading:
        """Do the same, and also say what was repaired. `frame.shown` is the size of the picture that was shown."""
        text = said_in(text)
        parts = sections(text)
        calls, thought, repaired = _calls(parts)
        if not calls:
            shown = " ".join(text.split())
            raise Unreadable("no_action", f"the reply holds no action; {_WANTED}. It was: {shown[:300]}")
        bound = tuple(with_checked_keys(bind(call)) for call in calls)
        tool = any(isinstance(call, ToolCall) for call in calls) and self._family.tool_space
        aimed = aim(bound, frame, tool or self._family.space)
        return Reading(
            thought=parts.thought or thought,
            instruction=parts.operation,
            bound=bound,
            actions=aimed.actions,
            repaired=repaired or (not tool and any(one.repaired for one in bound)),
            space=aimed.space,
        )


def _operations(steps: Sequence[PastStep], frame: Frame | None) -> str:
    """Number the operations of the past; those that failed say so, and what was never done is no operation."""
    done = [step for step in steps if step.thought or step.actions]
    lines = [f"Step {number}: {_operation(step, frame)}" for number, step in enumerate(done, 1)]
    if len(lines) > _MOST_OPERATIONS:
        lines = [f"... {len(lines) - _MOST_OPERATIONS} more before", *lines[-_MOST_OPERATIONS:]]
    return "\n".join(lines) or "None"


def _operation(step: PastStep, frame: Frame | None) -> str:
    """Tell what was meant, then what was done for it, and what came of that unless it was seen to be done."""
    meant = " ".join(step.thought.split())[:_LONGEST_OPERATION]
    acts = "; ".join(
        f"{spell(action, frame)[:_LONGEST_CALL]}{_came_of(result)}"
        for action, result in zip_longest(step.actions, step.results)
    )
    return f"{meant} [{acts}]" if meant and acts else meant or acts


def _came_of(result: ActionResult | None) -> str:
    if result is not None and result.outcome == "done":
        told = result.text if result.value in result.text else result.value
        return f" -> {_in_a_line(told)}" if result.value else ""
    return f" -> {_in_a_line(outcome(result))}"


def _in_a_line(told: str) -> str:
    """Give what may quote the screen, which must not close or open a tag."""
    return " ".join(told.replace("<", "\u2039").split())[:_LONGEST_OUTCOME]


def _given(steps: Sequence[PastStep]) -> str:
    """Give what the last step yielded where that does not fit into a line, and what the screen shows since."""
    values = [result.value for result in steps[-1].results] if steps else []
    long = [quoted(value, LONGEST_LATEST) for value in values if len(value) > _LONGEST_OUTCOME]
    changed = [_ID.sub("", told) for told in steps[-1].since] if steps else []
    return "\n\n".join(
        filter(None, (screen_data("What the last operation gave", long), screen_data("Since then", changed)))
    )


def bounded(part: Part) -> Part:
    return WindowsPart(windows=part.windows[:_MOST_WINDOWS]) if isinstance(part, WindowsPart) else part


def size_of(frame: Frame | None) -> str:
    """Say how large the screenshot is, in the pixels in which the model points."""
    if frame is None:
        return ""
    size = frame.device if frame.shown == (1, 1) else frame.shown
    return f", {size.width} by {size.height} pixels"


def _calls(parts: Sections) -> tuple[tuple[Call, ...], str, bool]:
    """Give the calls, the thought before them where it is in no tag, and whether anything was repaired."""
    if parts.blocks:
        last = len(parts.blocks) - 1
        read = [_of_block(block, parts.cut and index == last) for index, block in enumerate(parts.blocks)]
        return tuple(c for calls, _ in read for c in calls), "", parts.repaired or any(mended for _, mended in read)
    if (by_label := labelled(parts.outside)) is not None:
        thought, rest = by_label
        calls, _ = _of_block(rest, cut=True)
        return calls, thought, True
    if (objects := calls_of_json(parts.outside)) is not None:
        return objects.calls, "", True
    block = fenced(parts.outside)
    if block is not None and (objects := calls_of_json(block[0])) is not None:
        return objects.calls, parts.outside.partition("```")[0].strip(), True
    found = find_calls(parts.outside, loose=True, cut=True)
    return found.calls, found.gaps[0].partition("```")[0].strip(), True


def _of_block(block: str, cut: bool) -> tuple[tuple[Call, ...], bool]:
    objects = calls_of_json(block)
    if objects is not None:
        return objects.calls, not objects.exact
    found = find_calls(block, cut=cut)
    return found.calls, found.repaired
