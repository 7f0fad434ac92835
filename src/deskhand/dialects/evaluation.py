"""What an evaluator is told of a round that is over, and how its judgement is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast, get_args

from deskhand.core.event import Evaluated, Score
from deskhand.core.message import HistoryPart, ModelRequest, Part, PastStep
from deskhand.dialects.json_calls import folded
from deskhand.dialects.json_reply import turn_of
from deskhand.dialects.json_text import one_object
from deskhand.dialects.prompt import Prompts
from deskhand.dialects.quoting import cut, screen_data
from deskhand.dialects.render import acts_of, in_brief, render_parts
from deskhand.dialects.unreadable import Unreadable

Verdict = Literal["yes", "no", "unsure"]
VERDICT = {"type": "string", "enum": list(get_args(Verdict))}
_SCORE = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "evaluation": VERDICT},
    "required": ["name", "evaluation"],
    "additionalProperties": False,
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "sub_scores": {"type": "array", "items": _SCORE},
        "reason": {"type": "string"},
        "complete": VERDICT,
    },
    "required": ["sub_scores", "reason", "complete"],
    "additionalProperties": False,
}
_IN_FULL = 30
"""So many of the last steps are told with all they did; of those before, a line each."""


class EvaluationReply:
    """Asks for a judgement as one JSON object, and reads it. Keeps nothing from call to call."""

    def __init__(self, prompts: Prompts | None = None) -> None:
        self._prompts = prompts or Prompts()

    def compose(self, parts: tuple[Part, ...]) -> ModelRequest:
        """Put what is known of the round into words; the steps in the history are all agents'."""
        system = self._prompts.filled("json_evaluator")
        turn = turn_of(parts, told_in_words(parts))
        return ModelRequest(role="evaluator", system=system, parts=parts, turns=(turn,), reply_schema=dict(SCHEMA))

    def read(self, text: str) -> Evaluated:
        """Read the one JSON object of a reply.

        Raises:
            UnreadableReply: there is none, or it lacks the judgement.
        """
        fields = folded(one_object(text))
        scores = fields.get("subscores") or []
        if not isinstance(scores, list):
            raise Unreadable("type_error", "`sub_scores` is a list of objects with `name` and `evaluation`")
        return Evaluated(
            complete=verdict_of(fields.get("complete"), "complete"),
            sub_scores=tuple(map(_score, scores)),
            reason=_text(fields.get("reason")),
        )


def told_in_words(parts: Sequence[Part]) -> str:
    """Write what is known of a round; of the latest steps with all they did."""
    told = [_done(part.steps) if isinstance(part, HistoryPart) else render_parts([part], among=parts) for part in parts]
    return "\n\n".join(filter(None, told))


def _score(item: object) -> Score:
    if not isinstance(item, dict):
        raise Unreadable("type_error", "each of `sub_scores` is an object with `name` and `evaluation`")
    fields = folded(item)
    return Score(name=_text(fields.get("name")), evaluation=verdict_of(fields.get("evaluation"), "evaluation"))


def verdict_of(said: object, name: str) -> Verdict:
    """Read a verdict.

    Raises:
        UnreadableReply: it is none; says what `name` must be.
    """
    word = {True: "yes", False: "no"}.get(said) if isinstance(said, bool) else str(said or "").strip().lower()
    if word not in get_args(Verdict):
        raise Unreadable("invalid_status", f'`{name}` is {said!r}; give "yes", "no" or "unsure"')
    return cast("Verdict", word)  # it is one of them


def _text(said: object) -> str:
    return said if isinstance(said, str) else "" if said is None else str(said)


def _done(steps: Sequence[PastStep]) -> str:
    brief, full = steps[:-_IN_FULL], steps[-_IN_FULL:]
    rows = [f"step {step.step}: {cut(in_brief(step, None))}" for step in brief]
    for step in full:
        rows.append(f"step {step.step}: {cut(step.thought)}")
        rows += [f"  {told}" for told in acts_of(step, None)]
    return screen_data("What was done", rows, empty="nothing")
