"""What can be set for a model: how it is reached, how it is asked, what it may cost."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from deskhand.core.message import Role
from deskhand.core.value import Value

Section = Literal[Role, "default", "backup"]
"""Whose options: a role's, those of every role, or those of the model that steps in for another."""


ToolVersion = Literal[
    "",
    "computer_20241022",
    "computer_20250124",
    "computer_20251124",
    "computer_toolset_20260801",
    "browser_toolset_20260801",
]
"""Tools that a service has of its own for using a screen."""


class Prices(Value):
    """US dollars for a million tokens; there is no price list in here, and what is not set costs nothing."""

    input: float = Field(default=0.0, ge=0)
    output: float = Field(default=0.0, ge=0)
    cached: float | None = Field(default=None, ge=0)
    """For input that the service had kept; as `input` unless set."""
    cache_write: float | None = Field(default=None, ge=0)
    """For input that the service is to keep; as `input` unless set."""


class ModelSettings(Value):
    """Options of one model. What is not set is taken over from `models.planner` (host and app), `models.default`."""

    model: str = ""
    """SERVICE[:NAME], or module:Name of your own; `literal` needs neither network nor key."""
    base_url: str = ""
    """Where the service is, unless it is the service's own: root, /v1, the full path, or any of Azure's forms."""
    key: str = ""
    """The key itself; better leave it out of files and name a variable."""
    key_variable: str = ""
    """The environment variable that holds the key. None is ever read without being named here."""
    api_version: str = ""
    """Azure's `api-version`, where the base URL has none."""
    temperature: float | None = Field(default=None, ge=0)
    """As low as can be unless set; not sent to a model that takes none."""
    max_tokens: int | None = Field(default=None, ge=1)
    """The longest reply, thinking included; the service's own limit unless set (Anthropic: 8192)."""
    extra: dict[str, Any] = Field(default_factory=dict)
    """Fields that are put into every request as they are, such as `reasoning_effort`."""
    structured: bool = True
    """Hold the model to the schema of the reply, where the service can."""
    images: int | None = Field(default=None, ge=0)
    """How many pictures a request may carry, the latest; 0 for a model that sees none."""
    earlier_pictures: int | None = Field(default=None, ge=0)
    """How many pictures of earlier steps go along, too; unless set, one in `json` and `marks`, as many as the family
    is used to in its own form, none in the others."""
    seconds: float = Field(default=120.0, gt=0)
    """For one try, from the first byte sent to the last received."""
    attempts: int = Field(default=4, ge=1)
    """How often one call is tried."""
    max_wait: float = Field(default=120.0, ge=0)
    """Seconds that one call may wait between its tries, in all."""
    requests_per_minute: int = Field(default=0, ge=0)
    """0 for no limit; calls wait for their turn."""
    tokens_per_minute: int = Field(default=0, ge=0)
    """Likewise, tokens read and written."""
    large_request: int = Field(default=100_000, ge=1)
    """Tokens of one request from which on a warning says so."""
    prices: Prices = Prices()
    budget_usd: float | None = Field(default=None, gt=0)
    """What this model may cost in one session; needs `prices`."""
    budget_tokens: int | None = Field(default=None, ge=1)
    """How many tokens it may read and write in one session."""
    fallback: str = "backup"
    """The section of the model that answers when this one cannot, in the same dialect and coordinates; "" for none."""
    dialect: str = ""
    """How it is told about actions: json, native, plan, marks, tool_call, thought_action, pyautogui, objects,
    computer, or module:Name of one's own; by profile unless set."""
    coordinates: str = ""
    """What it counts in when it points: the name of a family, or pixels, 0-1000, 0-1; by its profile unless set."""
    tool: ToolVersion = ""
    """The version of Anthropic's own tools for the screen; by the model's name unless set."""
    thinking: bool = True
    """Ask it to think before it says what it does (`native`)."""
    prompts: str = ""
    """A folder of prompts of its own, or a ScaleCUA template; as the setting `prompts` unless set."""
    record: str = ""
    """A file that every request and reply is appended to."""
    replay: str = ""
    """A file of recorded replies that answer instead of the service."""
    replay_by: Literal["request", "order"] = "request"
    """Whether a request must equal the recorded one, or replies come in their order."""

    def shared(self, among: int, at_a_time: int) -> ModelSettings:
        """Give the options in each of `among` sessions, so many `at_a_time`, that keep to its budgets together."""
        of_all = {"budget_usd": self.budget_usd and self.budget_usd / among}
        of_all |= {"budget_tokens": self.budget_tokens and max(1, self.budget_tokens // among)}
        for name in ("requests_per_minute", "tokens_per_minute"):
            a_minute = getattr(self, name)
            of_all |= {name: a_minute and max(1, a_minute // at_a_time)}
        return self.model_copy(update={name: value for name, value in of_all.items() if value})
