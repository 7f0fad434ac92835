"""What is known about services and models by their names. Prices are not among it: they change, users set them."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from deskhand.core.geometry import Size, smart_resize

PATCH = 28
"""Pixels a side of what most vision models see at once; pictures are brought to multiples of it."""
_SIZE = re.compile(r"(\d+)x(\d+)")


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
    """How a family of models is best asked, and in what grid it points."""

    name: str
    pattern: str
    """A regular expression that its models' names match, in lower case."""
    dialect: str = "json"
    coordinates: str = "pixels"
    patch: int = PATCH
    max_pixels: int = 16384 * PATCH * PATCH
    """The area beyond which it shrinks a picture, for those whose grid is the resized picture."""
    sends_temperature: bool = True


PROFILES: tuple[Profile, ...] = (
    Profile("literal", r"literal"),
    Profile("scalecua", r"scale-?cua", "native", "resized", max_pixels=2_109_744),
    Profile("ui-tars-1.5", r"ui-?tars-1\.5", "native", "resized"),
    Profile("ui-tars", r"ui-?tars|seed-1\.[5-9]", "native", "thousandths"),
    Profile("opencua", r"opencua", "native", "resized", max_pixels=12_845_056),
    Profile("qwen2.5-vl", r"qwen-?2\.5-?vl|holo1|fara|gta1|ui-ins|gelato", "json", "resized", max_pixels=12_845_056),
    Profile("qwen3-vl", r"qwen-?3(?:\.\d)?(?:-?vl)?|mai-ui", "json", "thousandths"),
    Profile("glm-v", r"glm-?\d(?:\.\d)?v|autoglm", "json", "thousandths"),
    Profile("gemini", r"gemini", "json", "thousandths"),
    Profile("internvl", r"internvl", "json", "thousandths"),
    Profile("kimi", r"kimi", "json", "ratios"),
    Profile("minimax", r"minimax", "json", "thousandths"),
    Profile("moondream", r"moondream", "json", "ratios"),
    Profile("gpt-5", r"gpt-5|\bo[134](?:-|$)", sends_temperature=False),
    Profile("gpt", r"gpt|chatgpt"),
    Profile("claude", r"claude"),
)
ANY = Profile("any", "")
"""For models of no known family."""


def profile_of(model: str) -> Profile:
    """Give the profile of a spec or a model's name, or the profile of that name itself."""
    named = next((p for p in PROFILES if p.name == model.lower()), None)
    return named or next((p for p in PROFILES if re.search(p.pattern, model.lower())), ANY)


def is_grid(coordinates: str) -> bool:
    """Whether a word names a grid that models point in."""
    return coordinates in ("pixels", "thousandths", "ratios", "resized") or bool(_SIZE.fullmatch(coordinates))


def grid(profile: Profile, picture: Size, coordinates: str = "") -> Size:
    """Give the extent of the grid in which a model points at a picture of this size: a frame's `shown`."""
    match coordinates or profile.coordinates:
        case "thousandths":
            return Size(1000, 1000)
        case "ratios":
            return Size(1, 1)
        case "resized":
            return smart_resize(*picture, factor=profile.patch, max_pixels=profile.max_pixels)
        case fixed if found := _SIZE.fullmatch(fixed):
            return Size(int(found[1]), int(found[2]))
        case _:
            return picture
