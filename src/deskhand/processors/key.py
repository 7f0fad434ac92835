"""Names of values that carry their type, so that a type checker knows what `context.get(KEY)` is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from deskhand.core.action import Action, ActionResult
from deskhand.core.decision import AppDecision, HostDecision
from deskhand.core.message import BlackboardEntry, Part, SubtaskReport
from deskhand.core.observation import Element, Image, Observation, Window
from deskhand.core.status import AgentStatus, RunningMode

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Key(Generic[T]):
    """The name of a value; equal only to itself."""

    name: str

    def __repr__(self) -> str:
        return self.name


class ContextNames:
    """The values of a session that every step can read; the seeds' global context, with types."""

    MODE: Key[RunningMode] = Key("mode")
    PLATFORM: Key[str] = Key("platform")
    REQUEST: Key[str] = Key("request")
    CURRENT_ROUND_ID: Key[int] = Key("current_round_id")
    CURRENT_ROUND_STEP: Key[int] = Key("current_round_step")
    CURRENT_ROUND_COST: Key[float] = Key("current_round_cost")
    SESSION_STEP: Key[int] = Key("session_step")
    SESSION_COST: Key[float] = Key("session_cost")
    SUBTASK: Key[str] = Key("subtask")
    PREVIOUS_SUBTASKS: Key[tuple[SubtaskReport, ...]] = Key("previous_subtasks")
    HOST_MESSAGE: Key[tuple[str, ...]] = Key("host_message")
    APPLICATION: Key[str] = Key("application")
    APPLICATION_WINDOW: Key[str] = Key("application_window")
    BLACKBOARD: Key[tuple[BlackboardEntry, ...]] = Key("blackboard")


# What strategies give each other within one step.
AGENT_NAME: Key[str] = Key("agent_name")
OBSERVATION: Key[Observation] = Key("observation")
SCREENSHOT: Key[Image] = Key("screenshot")
WINDOWS: Key[tuple[Window, ...]] = Key("windows")
CONTROL_INFO: Key[tuple[Element, ...]] = Key("control_info")
TARGET_INFO: Key[tuple[Part, ...]] = Key("target_info")
HOST_RESPONSE: Key[HostDecision] = Key("host_response")
PARSED_RESPONSE: Key[AppDecision] = Key("parsed_response")
LLM_COST: Key[float] = Key("llm_cost")
EXECUTION_RESULT: Key[tuple[ActionResult, ...]] = Key("execution_result")
ACTION_LOG: Key[tuple[Action, ...]] = Key("action_log")
STATUS: Key[AgentStatus] = Key("status")
UPDATED_BLACKBOARD: Key[tuple[str, ...]] = Key("updated_blackboard")
