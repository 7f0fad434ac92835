"""A window and an agent of the embedded model at work in it, without a desktop."""

from __future__ import annotations

import anyio

from deskhand.core.action import Action, ActionResult, Wait
from deskhand.core.decision import AppDecision
from deskhand.core.geometry import Box, Frame, Size
from deskhand.core.message import (
    AnswersPart,
    BlackboardEntry,
    BlackboardPart,
    ElementsPart,
    HistoryPart,
    ModelRequest,
    PastStep,
    PlanPart,
    SubtaskPart,
    WindowsPart,
)
from deskhand.core.observation import Element, Image, Window
from deskhand.core.status import AppAgentStatus
from deskhand.dialects.json_reply import JsonReply
from deskhand.models.literal import LiteralModel

PIXELS = Frame(Size(800, 600), Size(800, 600))
DONE = ActionResult(outcome="done", text="the screen changed")
UNVERIFIED = ActionResult(outcome="unverified", text="nothing changed")


class NoPictures:
    def read(self, image: Image) -> bytes:
        raise AssertionError(f"{image} was asked for")


class Scene:
    """A window and an agent at work in it: what is remembered goes round by the request's parts alone."""

    def __init__(
        self, subtask: str, *elements: Element, title: str = "Form", board: dict[str, str] | None = None
    ) -> None:
        self.subtask = subtask
        self.elements: tuple[Element, ...] = elements
        self.windows: tuple[Window, ...] = (Window(id="w", title=title, app="form", box=Box(0, 0, 9, 9), active=True),)
        self.board = board or {}
        self.answers: list[tuple[str, str]] = []
        self._plan: tuple[str, ...] = ()
        self._steps: list[PastStep] = []

    def decide(self) -> AppDecision:
        entries = tuple(BlackboardEntry(key=key, value=value) for key, value in self.board.items())
        parts = (
            SubtaskPart(text=self.subtask, application="form", window="w"),
            BlackboardPart(entries=entries),
            HistoryPart(steps=tuple(self._steps)),
            PlanPart(steps=self._plan),
            AnswersPart(answers=tuple(self.answers)),
            WindowsPart(windows=self.windows),
            ElementsPart(elements=self.elements),
        )
        reply = anyio.run(LiteralModel().ask, ModelRequest(role="app", parts=parts), NoPictures())
        decision = JsonReply().parse("app", reply, PIXELS)
        assert isinstance(decision, AppDecision)
        self._plan = decision.plan
        self.board.update(decision.blackboard)
        self._steps.append(PastStep(step=len(self._steps) + 1, actions=decision.actions))
        return decision

    def acts(self, *results: ActionResult) -> tuple[Action, ...]:
        """Let it decide, and let what it does come to these results; the last one holds for all that follow."""
        decision = self.decide()
        assert decision.status is AppAgentStatus.CONTINUE, decision
        came = [results[min(i, len(results) - 1)] if results else DONE for i in range(len(decision.actions))]
        self._steps[-1] = self._steps[-1].model_copy(update={"results": tuple(came)})
        return decision.actions

    def ends(self, most: int = 12) -> AppDecision:
        """Let it look again as long as it only waits; give what it decides then."""
        for _ in range(most):
            decision = self.decide()
            if not decision.actions or not all(isinstance(action, Wait) for action in decision.actions):
                return decision
            self._steps[-1] = self._steps[-1].model_copy(update={"results": (DONE,)})
        raise AssertionError("it waits for ever")

    def becomes(self, element_id: str, **update: object) -> None:
        self.elements = tuple(e.model_copy(update=update) if e.id == element_id else e for e in self.elements)


def element(spec: str, y: int = 0, **more: object) -> Element:
    number, role, name = (*spec.split(" ", 2), "")[:3]
    return Element(id=number, role=role, name=name, box=Box.at(0, y, 80, 20), window="w", **more)  # type: ignore[arg-type]  # what a test says
