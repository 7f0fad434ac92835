"""What an agent can report after a step. What each status means is said by the state of that name."""

from __future__ import annotations

from enum import StrEnum


class AgentStatus(StrEnum):
    """Every status there is."""

    CONTINUE = "CONTINUE"
    FINISH = "FINISH"
    PENDING = "PENDING"
    FAIL = "FAIL"
    ERROR = "ERROR"
    ASSIGN = "ASSIGN"
    CONFIRM = "CONFIRM"
    SCREENSHOT = "SCREENSHOT"


class HostAgentStatus(StrEnum):
    """What a host agent can report: only it hands out subtasks."""

    CONTINUE = "CONTINUE"
    FINISH = "FINISH"
    PENDING = "PENDING"
    FAIL = "FAIL"
    ERROR = "ERROR"
    ASSIGN = "ASSIGN"


class AppAgentStatus(StrEnum):
    """What an app agent can report: only it touches controls, so only it confirms and looks again."""

    CONTINUE = "CONTINUE"
    FINISH = "FINISH"
    PENDING = "PENDING"
    FAIL = "FAIL"
    ERROR = "ERROR"
    CONFIRM = "CONFIRM"
    SCREENSHOT = "SCREENSHOT"


class RunningMode(StrEnum):
    """How a session gets its requests and where its app agents hand back to."""

    REQUEST = "request"
    """One request, given at the start."""
    NORMAL = "normal"
    """After each round the next request is asked for."""
    FOLLOWER = "follower"
    """A written plan is followed step by step."""
    BATCH = "batch"
    """One session a plan, over a folder of plans."""
    OPERATOR = "operator"
    """A vendor's computer-use model works in the application."""
    SERVICE = "service"
    """Requests arrive over HTTP."""


class RunOutcome(StrEnum):
    """How a round or a session ended."""

    FINISHED = "finished"
    FAILED = "failed"
    NEEDS_USER = "needs_user"
    STUCK = "stuck"
    LIMIT = "limit"
    ERROR = "error"
    INTERRUPTED = "interrupted"
