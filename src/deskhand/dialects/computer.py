"""The dialect of services with tools of their own for the screen: their calls are read, and each is answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from deskhand.core.action import CallUser, Terminate
from deskhand.core.decision import AppDecision, HostDecision
from deskhand.core.family import ANTHROPIC, Family
from deskhand.core.geometry import Frame
from deskhand.core.message import (
    Answers,
    HistoryPart,
    ModelRequest,
    Part,
    PastStep,
    PicturePart,
    Reply,
    Role,
    ToolsPart,
    Turn,
)
from deskhand.core.observation import Image
from deskhand.dialects.binding import bind, with_checked_keys
from deskhand.dialects.chain import Keeping, without_replies
from deskhand.dialects.json_reply import JsonReply
from deskhand.dialects.native import TOLD, bounded
from deskhand.dialects.own_form import OwnReply
from deskhand.dialects.prompt import PLATFORM_NAMES, Platform, Prompts
from deskhand.dialects.quoting import screen_data
from deskhand.dialects.reading import Reading, aim, decision_of
from deskhand.dialects.render import OF_STEP, in_brief, render_parts, shown_frame, since, task_of
from deskhand.dialects.tool_answers import Seen, answers_to
from deskhand.dialects.tool_uses import heard_of, uses_in
from deskhand.dialects.tools import with_tools
from deskhand.dialects.unreadable import Unreadable
from deskhand.dialects.vocabularies import WORDS
from deskhand.dialects.word_list import functions

_CHUNK = 10
"""So many steps go at a time: until then, what a request begins with stays the same, and the service can keep it."""


class ComputerReply:
    """Gives a service the task and what came of each call so far, and reads the calls that it gives back.

    It has no form for handing out subtasks: a host is asked as in the `json` dialect.
    """

    name = "computer"
    marked = False

    def __init__(self, family: Family, *, platform: Platform = "linux", prompts: Prompts | None = None) -> None:
        family = family._replace(space=ANTHROPIC)  # its wire makes pictures so, whatever the family
        self._space = family.space
        self._platform: Platform = platform
        self._prompts = prompts or Prompts()
        self._keeping = Keeping(steps=_CHUNK, pictures=family.pictures, chunk=_CHUNK)
        self.earlier = self._keeping.most_pictures - 1
        """How many pictures of earlier steps are to be among the parts."""
        self._plain = OwnReply("tool_call", family, platform=platform, prompts=prompts)
        """For replies of other models, and for telling others of a step."""
        self._host = JsonReply(family.space, platform=platform, prompts=prompts)

    def compose(self, role: Role, parts: tuple[Part, ...]) -> ModelRequest:
        """Say what the task is, then what the model called and what came of it."""
        if role == "host":
            return self._host.compose(role, parts)
        tools = any(isinstance(part, ToolsPart) and part.tools for part in parts)
        words = WORDS["anthropic-browser" if self._platform == "web" else "anthropic-computer"]
        system = self._prompts.filled(
            "computer",
            actions=with_tools(lambda more: "## Other tools, by call_tool" if more else "", parts),
            platform=self._prompts.filled(f"platform_{self._platform}"),
            platform_name=PLATFORM_NAMES[self._platform],
            task=task_of(parts),
        )
        return ModelRequest(
            role=role,
            system=system,
            parts=without_replies(parts),
            turns=self._turns(parts, shown_frame(parts, self._space)),
            functions=functions(words, self._platform, ("call_tool",) if tools else ()),
            platform=self._platform,
        )

    def parse(self, role: Role, reply: Reply, frame: Frame) -> HostDecision | AppDecision:
        """Read the whole reply before anything of it is done.

        Raises:
            UnreadableReply: a call cannot be read, or nothing is said at all.
        """
        if role == "host":
            return self._host.parse(role, reply, frame)
        if reply.verbatim is not None:
            return self._decision(reply.verbatim.pieces, frame)
        if "<tool_call>" in reply.text:
            return self._plain.parse(role, reply, frame)
        return _last_words(reply.text.strip())

    def _decision(self, pieces: Sequence[Mapping[str, Any]], frame: Frame) -> AppDecision:
        said, uses = _texts(pieces, "text"), uses_in(pieces)
        if not uses:
            return _last_words(said)
        bound = tuple(with_checked_keys(bind(heard.call)) for heard in heard_of(uses))
        aimed = aim(bound, frame, self._space)
        # Who looks elsewhere does not do the same again.
        looks = "; ".join(str(use) for use in uses if use.looks)
        instruction = " ".join(filter(None, (said, looks)))
        return decision_of(Reading(_texts(pieces, "thinking"), instruction, bound, aimed.actions, space=aimed.space))

    def _turns(self, parts: Sequence[Part], frame: Frame | None) -> tuple[Turn, ...]:
        """Make the conversation: each reply as it was given, what came of each of its calls, and the next picture.

        What else is told now comes last, in a turn of its own, so that all before stays the same in the next request.
        """
        past = self._past(parts)
        opening = past.brief(frame) or self._prompts.filled("plan_user")
        turns = [_user(opening, past.picture(0))]
        for place, step in enumerate(past.steps, 1):
            now = tuple(parts) if place == len(past.steps) else ()
            seen = Seen(self._space, past.picture(place - 1), past.picture(place), now)
            verbatim = step.reply.verbatim if step.reply is not None else None
            turns.append(Turn(speaker="assistant", text=self._plain.retold(step, frame), verbatim=verbatim))
            turns.append(_user(*answers_to(step, past.steps[: place - 1], seen)))
        news = screen_data("Seen since then", since(past.steps[-1])) if past.steps else ""
        now_told = render_parts([bounded(part) for part in parts if isinstance(part, TOLD)], frame, parts)
        told = "\n\n".join(filter(None, (news, now_told)))
        return (*turns, Turn(speaker="user", text=told)) if told else tuple(turns)

    def _past(self, parts: Sequence[Part]) -> _Past:
        history = next((part.steps for part in parts if isinstance(part, HistoryPart)), ())
        steps = [step for step in history if step.reply is not None or step.actions or step.thought]
        latest = steps[-1].step if steps else 0
        first = self._keeping.first(latest, _CHUNK)
        pictured = self._keeping.first(latest + 1, self._keeping.pictures) if self._keeping.pictures > 1 else latest
        shown = [part for part in parts if isinstance(part, PicturePart)]
        of_steps = {int(of[1]): part.image for part in shown if (of := OF_STEP.fullmatch(part.of))}
        return _Past(
            tuple(step for step in steps if step.step > first),
            tuple(step for step in steps if first - _CHUNK < step.step <= first),
            {step: image for step, image in of_steps.items() if step > pictured},
            next((part.image for part in reversed(shown) if not OF_STEP.fullmatch(part.of)), None),
        )


class _Past(NamedTuple):
    """What is told of the steps so far."""

    steps: tuple[PastStep, ...]
    """Those that are told call by call."""
    before: tuple[PastStep, ...]
    """Those before, which are told in a line each."""
    pictures: Mapping[int, Image]
    """What was seen before a step, by its number, as far as that is still shown."""
    now: Image | None

    def picture(self, place: int) -> Image | None:
        """Give what was seen before a step, by its place among those that are told."""
        return self.pictures.get(self.steps[place].step) if place < len(self.steps) else self.now

    def brief(self, frame: Frame | None) -> str:
        return (
            "\n".join(["Done before:", *(f"- {in_brief(s, frame)[:200]}" for s in self.before)]) if self.before else ""
        )


def _user(text: str, image: Image | None, answers: Answers | None = None) -> Turn:
    shown = (image,) if image is not None else ()
    return Turn(speaker="user", text=text, pictures=shown, cache=True, answers=answers)


def _texts(pieces: Sequence[Mapping[str, Any]], kind: str) -> str:
    said = [piece[kind] for piece in pieces if piece.get("type") == kind and isinstance(piece.get(kind), str)]
    return "\n".join(said).strip()


def _last_words(said: str) -> AppDecision:
    """Take a reply without a call for what it is: a question, or the answer."""
    if not said:
        raise Unreadable("empty_response", "the reply says nothing and calls nothing; call one of the tools")
    over = CallUser(question=said) if said.endswith(("?", "？")) else Terminate(info=said)
    return decision_of(Reading(instruction=said, actions=(over,)))
