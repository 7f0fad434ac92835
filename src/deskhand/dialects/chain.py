"""The whole conversation with a planner, as far as it is kept, made again from what it did and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from deskhand.core.action import Action, At, Described
from deskhand.core.geometry import Frame
from deskhand.core.message import Answers, CameOf, HistoryPart, Part, PastStep, PicturePart, Turn
from deskhand.core.observation import Image
from deskhand.dialects.actions import spell
from deskhand.dialects.quoting import LONGEST_TEXT, screen_data
from deskhand.dialects.render import LONGEST_LATEST, OF_STEP, in_brief, outcome, since

_LONGEST = 500
_MOST_BRIEF = 12


class Keeping(NamedTuple):
    """How much of the past a request holds.

    What is too old goes `chunk` steps at a time, so that a service that keeps the beginning of a conversation can.
    """

    steps: int = 8
    """At least so many of the last steps word for word; of those before, a line each."""
    pictures: int = 1
    """At least so many of the last pictures, that of now included."""
    chunk: int = 8

    @property
    def most_pictures(self) -> int:
        """So many pictures are kept at most, that of now included."""
        return 1 if self.pictures <= 1 else self.pictures + self.chunk - 1

    def first(self, count: int, keep: int) -> int:
        """Give the index of the first of `count` that is kept, when at least `keep` are to be."""
        return max(0, (count - keep) // self.chunk * self.chunk)


def in_code(step: PastStep, frame: Frame | None) -> str:
    """Tell a step as a line in words and its actions, as code, each with the place that the planner gave it, if any."""
    calls = [spell(_as_said(action, step.thought), frame) for action in step.said or step.actions]
    said = " ".join(step.thought.split()) or "Go on"
    return "\n".join(["```python", f"# {said[:_LONGEST]}", *(call[:_LONGEST] for call in calls), "```"])


class Telling(NamedTuple):
    """What stands in the turns of a conversation."""

    question: str
    """At the end of the user's first turn and of the last, and where nothing else is to be said."""
    now: str = ""
    """What is told in the last one."""
    answer: Callable[[PastStep, Frame | None], str] = in_code
    """How a step is told as the model's answer."""
    came: Callable[[PastStep], tuple[CameOf, ...]] | None = None
    """How what came of a step is told call by call, to services that want it so."""


def chain(parts: Sequence[Part], telling: Telling, frame: Frame | None, keeping: Keeping) -> tuple[Turn, ...]:
    """Make the turns of a conversation: in each, what came of the last action, then the answer.

    A picture of which it is said that it is `of` "step N" is the one that step was decided on.
    """
    question = telling.question
    history = next((part.steps for part in parts if isinstance(part, HistoryPart)), ())
    steps = [step for step in history if step.thought or step.actions or step.reply is not None]
    first = keeping.first(len(steps), keeping.steps)
    pictures = _pictures(parts, steps, keeping)
    turns: list[Turn] = []
    said, answers = _before(steps[:first], frame), None
    for step in steps[first:]:
        shown = (pictures[step.step],) if step.step in pictures else ()
        text = said or question if turns else _joined(said, question)
        turns.append(Turn(speaker="user", text=text, pictures=shown, answers=answers))
        verbatim = step.reply.verbatim if step.reply is not None else None
        turns.append(Turn(speaker="assistant", text=telling.answer(step, frame), verbatim=verbatim))
        said = _came_of(step, LONGEST_LATEST if step is steps[-1] else LONGEST_TEXT)
        answers = _answers(step, telling) if verbatim is not None else None
    if turns:
        turns[-1] = turns[-1].model_copy(update={"cache": True})
    latest = tuple(p.image for p in parts if isinstance(p, PicturePart) and not OF_STEP.fullmatch(p.of))
    if answers is not None:
        answers = answers.model_copy(update={"besides": _joined(answers.besides, telling.now)})
    text = _joined(said, telling.now, question)
    return (*turns, Turn(speaker="user", text=text, pictures=latest, answers=answers))


def without_replies(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Leave out of the history what the turns hold already, which can be large."""
    return tuple(_without_replies(part) if isinstance(part, HistoryPart) else part for part in parts)


def _without_replies(history: HistoryPart) -> HistoryPart:
    return HistoryPart(steps=tuple(step.model_copy(update={"reply": None}) for step in history.steps))


def _pictures(parts: Sequence[Part], steps: Sequence[PastStep], keeping: Keeping) -> Mapping[int, Image]:
    """Give the pictures of earlier steps that are still shown, by the step."""
    of_steps = {int(of[1]): p.image for p in parts if isinstance(p, PicturePart) and (of := OF_STEP.fullmatch(p.of))}
    if keeping.pictures <= 1:
        return {}
    kept = steps[keeping.first(len(steps), keeping.pictures - 1) :]
    return {step.step: of_steps[step.step] for step in kept if step.step in of_steps}


def _before(steps: Sequence[PastStep], frame: Frame | None) -> str:
    if not steps:
        return ""
    shown = steps[-_MOST_BRIEF:]
    lines = [f"... {len(steps) - len(shown)} more before"] if len(shown) < len(steps) else []
    lines += [f"- {in_brief(step, frame)[:120]}" for step in shown]
    return "\n".join(["Done before:", *lines])


def _as_said(action: Action, thought: str) -> Action:
    """Take a place away that the planner did not give: a point, or what only the line in words describes."""
    match getattr(action, "target", None):
        case At():
            return action.model_copy(update={"target": None})
        case Described(text=text) if text == thought:
            return action.model_copy(update={"target": None})
        case _:
            return action


def _came_of(step: PastStep, longest: int) -> str:
    if not step.actions:
        return ""
    results = [*step.results, *([None] * (len(step.actions) - len(step.results)))]
    told = [outcome(result, longest)[: longest + _LONGEST] for result in results[: len(step.actions)]]
    return screen_data("What came of it", [*told, *since(step)])


def _answers(step: PastStep, telling: Telling) -> Answers | None:
    if telling.came is None:
        return None
    changed = screen_data("What came of it", since(step))
    return Answers(calls=telling.came(step), leave=step.leave, besides=changed)


def _joined(*texts: str) -> str:
    return "\n\n".join(text for text in texts if text)
