"""The dialects of families that were trained on a form of their own, told and read in their own words."""

from __future__ import annotations

from deskhand.core.decision import AppDecision, HostDecision
from deskhand.core.family import Family
from deskhand.core.geometry import PICTURE_PIXELS, RATIO, Frame
from deskhand.core.message import (
    CameOf,
    ElementsPart,
    ModelRequest,
    Part,
    PastStep,
    Reply,
    Role,
    ToolsPart,
    WindowsPart,
)
from deskhand.dialects.answering import came_of
from deskhand.dialects.binding import bind, with_checked_keys
from deskhand.dialects.chain import Keeping, Telling, chain, without_replies
from deskhand.dialects.forms import WAYS, Said, nothing_in, read_own_tool
from deskhand.dialects.hearing import heard, heard_apart
from deskhand.dialects.json_reply import JsonReply
from deskhand.dialects.marks import legend
from deskhand.dialects.native import TOLD, bounded, size_of
from deskhand.dialects.prompt import PLATFORM_NAMES, Platform, Prompts, counted_in
from deskhand.dialects.reading import Reading, aim, decision_of, said_in
from deskhand.dialects.render import render_parts, shown_frame, task_of
from deskhand.dialects.telling import told
from deskhand.dialects.tools import with_tools
from deskhand.dialects.vocabularies import USUAL, WORDS
from deskhand.dialects.word_list import example, functions, listed, schema
from deskhand.dialects.words import Form, Words

_STEPS = 30
"""So many of the last steps are kept word for word."""
_CHUNK = 4
"""So many pictures go at a time where a reply is given back unchanged, so that the service can keep the rest."""


class OwnReply:
    """Tells a model what to do in the form and the words of its family, and reads it.

    It has no form for handing out subtasks: a host is asked as in the `json` dialect.
    """

    def __init__(
        self, form: Form, family: Family, *, platform: Platform = "linux", prompts: Prompts | None = None
    ) -> None:
        self.name = form
        self._way = WAYS[form]
        self._family = family
        self._words = words_of(form, family, platform)
        self.marked = self._words.marked
        """Whether pictures are to show the numbers of the elements."""
        self._platform: Platform = platform
        self._prompts = prompts or Prompts()
        self._keeping = Keeping(steps=_STEPS, pictures=family.pictures, chunk=_CHUNK if family.own_tool else 1)
        self.earlier = self._keeping.most_pictures - 1
        """How many pictures of earlier steps are to be among the parts."""
        self._host = JsonReply(family.space, platform=platform, prompts=prompts)

    def compose(self, role: Role, parts: tuple[Part, ...]) -> ModelRequest:
        """Say what can be done, then the conversation so far in the family's own words and coordinates."""
        if role == "host":
            return self._host.compose(role, parts)
        frame = shown_frame(parts, self._family.space)
        now = render_parts([bounded(part) for part in parts if isinstance(part, TOLD)], frame, parts)
        question, news = self._prompts.filled("plan_user"), f"{now}\n\n{self._numbers(parts)}".strip()
        turns = chain(parts, Telling(question, news, self.retold, self._came_of), frame, self._keeping)
        if self._family.own_tool:
            more = ("call_tool",) if any(isinstance(part, ToolsPart) and part.tools for part in parts) else ()
            system, own = self._by_tool(parts), functions(self._words, self._platform, more)
            request = ModelRequest(role=role, system=system, parts=without_replies(parts), turns=turns, functions=own)
            return request.model_copy(update={"platform": self._platform})
        system = self._in_words(parts, frame)
        return ModelRequest(role=role, system=system, parts=parts, turns=turns, stop=self._family.stop)

    def _in_words(self, parts: tuple[Part, ...], frame: Frame | None) -> str:
        """Give the instructions of a model that is told of actions, and writes them."""
        return self._prompts.filled(
            self.name,
            actions=with_tools(lambda more: listed(self._words, self._platform, more), parts),
            tools=schema(self._words, self._platform),
            example=self._way.write("what you do next", [example(self._words, frame)], self._words),
            platform=self._prompts.filled(f"platform_{self._platform}"),
            platform_name=PLATFORM_NAMES[self._platform],
            coordinates=counted_in(self._family.space),
            size=size_of(frame),
            task=task_of(parts),
        )

    def _by_tool(self, parts: tuple[Part, ...]) -> str:
        """Give the instructions of a model whose service tells it of actions, and takes them apart from its text."""
        return self._prompts.filled(
            "computer",
            actions=with_tools(lambda more: "## Other tools, by call_tool" if more else "", parts),
            platform=self._prompts.filled(f"platform_{self._platform}"),
            platform_name=PLATFORM_NAMES[self._platform],
            task=task_of(parts),
        )

    def _numbers(self, parts: tuple[Part, ...]) -> str:
        """List the controls by their numbers, for those who name them so."""
        windows = next((part.windows for part in parts if isinstance(part, WindowsPart)), ())
        lists = [legend(part.elements, part.truncated, windows) for part in parts if isinstance(part, ElementsPart)]
        return "\n\n".join(lists) if self.marked else ""

    def parse(self, role: Role, reply: Reply, frame: Frame) -> HostDecision | AppDecision:
        """Read the whole reply before anything of it is done.

        Raises:
            UnreadableReply: there is no action, or one cannot be read.
        """
        if role == "host":
            return self._host.parse(role, reply, frame)
        return decision_of(self.read(reply.text, frame))

    def read(self, text: str, frame: Frame) -> Reading:
        """Do the same, and also say what was repaired; `frame.shown` is the size of the picture that was shown."""
        said = self._said(text)
        if not said.calls:
            raise nothing_in(text, self._way.name)
        bound = tuple(with_checked_keys(bind(call)) for call in heard(said.calls, self._words))
        # Who counts in parts of the picture may also say pixels; parts are known by being fractions.
        space = PICTURE_PIXELS if self._family.space == RATIO else self._family.space
        aimed = aim(bound, frame, space)
        return Reading(said.thought, said.instruction, bound, aimed.actions, space=aimed.space)

    def _said(self, text: str) -> Said:
        return read_own_tool(said_in(text)) if self._family.own_tool else self._way.read(said_in(text))

    def _came_of(self, step: PastStep) -> tuple[CameOf, ...]:
        """Tell what came of each call of the reply that a step was decided by."""
        calls = self._said(step.reply.text).calls if step.reply is not None else ()
        return came_of(step, heard_apart(calls, self._words), len(calls))

    def retold(self, step: PastStep, frame: Frame | None) -> str:
        """Write a step as the model would have."""
        calls = [told(action, self._words, frame) for action in step.actions]
        return self._way.write(" ".join(step.thought.split()) or "Go on", calls, self._words)


def words_of(form: Form, family: Family, platform: Platform) -> Words:
    """Give the words of a family for a platform where they have this form, else those that are usual in it."""
    name = family.words or family.name
    own = WORDS.get(f"{name}-phone", WORDS.get(name)) if platform == "android" else WORDS.get(name)
    return own if own is not None and own.form == form else WORDS[USUAL[form]]
