"""The `native` dialect: thinking, an operation in words, and actions as calls, each in a tag of its own."""

from __future__ import annotations

from deskhand.core.decision import AppDecision, HostDecision
from deskhand.core.geometry import Frame
from deskhand.core.message import ModelRequest, Part, Reply, Role
from deskhand.dialects.binding import bind, with_checked_keys
from deskhand.dialects.calls import find_calls
from deskhand.dialects.grammar import Call
from deskhand.dialects.json_calls import ToolCall, calls_of_json
from deskhand.dialects.json_reply import JsonReply
from deskhand.dialects.layout import Sections, fenced, labelled, sections
from deskhand.dialects.profiles import SCALECUA, Profile
from deskhand.dialects.reading import Reading, aim, check_there_is_something, decision_of
from deskhand.dialects.unreadable import Unreadable

_WANTED = "answer with <operation>what you do next</operation> and <action>, for example click(x=10, y=20), </action>"


class NativeReply:
    """Tells a model that plans and points by itself what to answer, and reads it.

    It has no form for handing out subtasks: a host is asked as in the `json` dialect.
    """

    name = "native"

    def __init__(self, profile: Profile = SCALECUA) -> None:
        self._profile = profile
        self._host = JsonReply()

    def compose(self, role: Role, parts: tuple[Part, ...]) -> ModelRequest:
        return self._host.compose(role, parts)

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
        check_there_is_something(text)
        parts = sections(text)
        calls, thought, repaired = _calls(parts)
        if not calls:
            shown = " ".join(text.split())
            raise Unreadable("no_action", f"the reply holds no action; {_WANTED}. It was: {shown[:300]}")
        bound = tuple(with_checked_keys(bind(call)) for call in calls)
        tool = any(isinstance(call, ToolCall) for call in calls) and self._profile.tool_space
        aimed = aim(bound, frame, tool or self._profile.space)
        return Reading(
            thought=parts.thought or thought,
            instruction=parts.operation,
            bound=bound,
            actions=aimed.actions,
            repaired=repaired or (not tool and any(one.repaired for one in bound)),
            space=aimed.space,
        )


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
        return objects, "", True
    block = fenced(parts.outside)
    if block is not None and (objects := calls_of_json(block[0])) is not None:
        return objects, parts.outside.partition("```")[0].strip(), True
    found = find_calls(parts.outside, loose=True, cut=True)
    return found.calls, found.gaps[0].partition("```")[0].strip(), True


def _of_block(block: str, cut: bool) -> tuple[tuple[Call, ...], bool]:
    objects = calls_of_json(block)
    if objects is not None:
        return objects, not all(isinstance(call, ToolCall) for call in objects)
    found = find_calls(block, cut=cut)
    return found.calls, found.repaired
