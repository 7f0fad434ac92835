"""What is known about services and models by their names. Prices are not among it: they change, users set them."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple


class ServiceKind(NamedTuple):
    """A service that a spec can name."""

    wire: Literal["openai", "anthropic"]
    url: str
    """Its base URL; "" where only the user knows."""
    key_variable: str = ""
    """Where people usually keep its key. It is looked at to mention it, and not used unless named in the settings."""
    needs_key: bool = False
    limit_field: str = ""
    """What it calls the longest reply, where that is not `max_tokens`."""


SERVICES: dict[str, ServiceKind] = {
    "openai": ServiceKind("openai", "https://api.openai.com/v1", "OPENAI_API_KEY", True, "max_completion_tokens"),
    "anthropic": ServiceKind("anthropic", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", needs_key=True),
    "azure": ServiceKind("openai", "", "AZURE_OPENAI_API_KEY", needs_key=True),
    "openrouter": ServiceKind("openai", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", needs_key=True),
    "gemini": ServiceKind(
        "openai", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY", needs_key=True
    ),
    "vllm": ServiceKind("openai", "http://127.0.0.1:8000/v1"),
    "sglang": ServiceKind("openai", "http://127.0.0.1:30000/v1"),
    "ollama": ServiceKind("openai", "http://127.0.0.1:11434/v1"),
    "llamacpp": ServiceKind("openai", "http://127.0.0.1:8080/v1"),
    "lmstudio": ServiceKind("openai", "http://127.0.0.1:1234/v1"),
}


class Profile(NamedTuple):
    """How a family of models is best asked. Its prices are not in here."""

    name: str
    pattern: str
    """A regular expression that its models' names match, in lower case."""
    dialect: str = "json"
    coordinates: str = "pixels"
    """What its models count in when they point, by the name that the dialects have for it."""
    sends_temperature: bool = True


PROFILES: tuple[Profile, ...] = (
    Profile("scalecua", r"scale-?cua", "native", "scalecua"),
    Profile("ui-tars-1.5", r"ui-?tars-1\.5", "native", "ui-tars-1.5"),
    Profile("ui-tars", r"ui-?tars|seed-1\.[5-9]", "native", "ui-tars"),
    Profile("opencua", r"opencua", "native", "opencua"),
    Profile("qwen2.5-vl", r"qwen-?2\.5-?vl|fara", coordinates="qwen2.5-vl"),
    Profile("qwen2-vl", r"qwen-?2-?vl", coordinates="qwen2-vl"),
    Profile("qwen3-vl", r"qwen-?3(?:\.\d)?|mai-ui", coordinates="qwen3-vl"),
    Profile("glm-v", r"glm-?\d(?:\.\d)?v|autoglm", coordinates="glm-4.5v"),
    Profile("internvl", r"internvl", coordinates="internvl"),
    Profile("gemini", r"gemini", coordinates="0-1000"),
    Profile("minimax", r"minimax", coordinates="0-1000"),
    Profile("kimi", r"kimi", coordinates="0-1"),
    Profile("moondream", r"moondream", coordinates="0-1"),
    Profile("gpt-5", r"gpt-5|\bo[134](?:-|$)", sends_temperature=False),
    Profile("gpt", r"gpt"),
    Profile("claude", r"claude"),
)
ANY = Profile("any", "")
"""For models of no known family."""


def profile_of(model: str) -> Profile:
    """Give the profile that a spec or a model's name belongs to."""
    return next((p for p in PROFILES if re.search(p.pattern, model.lower())), ANY)
