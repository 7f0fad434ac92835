"""What is known about services by their names. Prices are not among it: they change, users set them."""

from __future__ import annotations

from typing import Literal, NamedTuple


class ServiceKind(NamedTuple):
    """A service that a spec can name."""

    wire: Literal["openai", "anthropic", "responses", "gemini"]
    url: str
    """Its base URL; "" where only the user knows."""
    key_variable: str = ""
    """Where people usually keep its key. It is looked at to mention it, and not used unless named in the settings."""
    needs_key: bool = False
    limit_field: str = ""
    """What it calls the longest reply, where that is not `max_tokens`."""
    key_header: str = ""
    """The header that the key goes in, where that is not the usual one."""
    version: str = "v1"
    """What a base URL without a path stands for."""


SERVICES: dict[str, ServiceKind] = {
    "openai": ServiceKind("openai", "https://api.openai.com/v1", "OPENAI_API_KEY", True, "max_completion_tokens"),
    "openai-computer": ServiceKind("responses", "https://api.openai.com/v1", "OPENAI_API_KEY", needs_key=True),
    "anthropic": ServiceKind("anthropic", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", needs_key=True),
    "anthropic-computer": ServiceKind("anthropic", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", needs_key=True),
    "azure": ServiceKind("openai", "", "AZURE_OPENAI_API_KEY", needs_key=True),
    "openrouter": ServiceKind("openai", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", needs_key=True),
    "gemini": ServiceKind(
        "openai", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY", needs_key=True
    ),
    "gemini-computer": ServiceKind(
        "gemini",
        "https://generativelanguage.googleapis.com/v1beta",
        "GEMINI_API_KEY",
        needs_key=True,
        key_header="x-goog-api-key",
        version="v1beta",
    ),
    "vllm": ServiceKind("openai", "http://127.0.0.1:8000/v1"),
    "sglang": ServiceKind("openai", "http://127.0.0.1:30000/v1"),
    "ollama": ServiceKind("openai", "http://127.0.0.1:11434/v1"),
    "llamacpp": ServiceKind("openai", "http://127.0.0.1:8080/v1"),
    "lmstudio": ServiceKind("openai", "http://127.0.0.1:1234/v1"),
}
