"""The step of a vendor's computer-use model: it is shown pictures, and points at them."""

from __future__ import annotations

from typing import ClassVar

from deskhand.core.message import Part, PicturePart, Role
from deskhand.core.observation import Image
from deskhand.processors.app import AppAgentProcessor, AppLLMInteraction
from deskhand.processors.context import ProcessingContext, ProcessingPhase
from deskhand.processors.key import AGENT_NAME
from deskhand.processors.parts import earlier_pictures

EARLIER = 3
"""At least so many pictures of earlier steps go along, for dialects that keep the conversation."""


class OperatorLLMInteraction(AppLLMInteraction):
    """Ask the operator what to do next. What it wants acknowledged before it is done, it says with CONFIRM."""

    role: ClassVar[Role] = "operator"

    def shown(self, context: ProcessingContext, picture: Image) -> tuple[Part, ...]:
        session = context.global_context
        most = max(EARLIER, getattr(session.dialect_of(self.role), "earlier", 0))
        earlier = earlier_pictures(session.view, context.get(AGENT_NAME), most)
        return (*earlier, PicturePart(image=picture))


class OperatorProcessor(AppAgentProcessor):
    """An app agent's step with an operator's model."""

    def _setup_strategies(self) -> None:
        super()._setup_strategies()
        self.strategies[ProcessingPhase.LLM_INTERACTION] = OperatorLLMInteraction(fail_fast=True)
