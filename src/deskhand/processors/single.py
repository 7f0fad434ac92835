"""The step of an agent that works alone on the whole device: it looks at whatever is active, decides and acts."""

from __future__ import annotations

from typing import ClassVar

from deskhand.core.message import Part, Role
from deskhand.processors.app import AppAgentProcessor, AppLLMInteraction
from deskhand.processors.context import Context, ProcessingPhase
from deskhand.processors.parts import memory_parts, request_part


class SingleLLMInteraction(AppLLMInteraction):
    """Ask the planner what to do next; its task is the user's request itself."""

    role: ClassVar[Role] = "planner"

    def told(self, session: Context, agent: str) -> tuple[Part, ...]:
        return (request_part(session.view), *memory_parts(session, agent))


class SingleAgentProcessor(AppAgentProcessor):
    """An app agent's step without a host above it."""

    def _setup_strategies(self) -> None:
        super()._setup_strategies()
        self.strategies[ProcessingPhase.LLM_INTERACTION] = SingleLLMInteraction(fail_fast=True)
