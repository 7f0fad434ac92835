"""Models and agents as ScaleCUA and UFO describe them in YAML, read as settings."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deskhand.core.errors import SettingsError
from deskhand.core.family import family_of
from deskhand.models.catalog import SERVICES
from deskhand.yaml_files import read_yaml

_logger = logging.getLogger(__name__)

_SCALECUA = {"planner_model": "planner", "ui_grounding_model": "grounder"}
_UFO = {"HOST_AGENT": "host", "APP_AGENT": "app", "BACKUP_AGENT": "backup", "EVALUATION_AGENT": "evaluator"}
_UFO_MANNERS = {"MAX_TOKENS": "max_tokens", "TEMPERATURE": "temperature", "TIMEOUT": "seconds", "MAX_RETRY": "attempts"}
_UFO_PROMPTS = ("PROMPT", "EXAMPLE_PROMPT_AS", "EXAMPLE_PROMPT")
"""Of the two files of examples, the one for several actions a reply is taken where it is named."""

_SERVICES = {
    "openai": "openai",
    "azure": "azure",
    "aoai": "azure",
    "anthropic": "anthropic",
    "claude": "anthropic",
    "gemini": "gemini",
    "open_router": "openrouter",
    "openrouter": "openrouter",
    "vllm": "vllm",
    "ollama": "ollama",
    "huggingface": "openai",
    "parasail": "openai",
    "qwen": "openai",
    "deepseek": "openai",
    "custom": "openai",
}
"""Their kinds of services, by ours; those that are compatible with OpenAI's have a URL of their own."""
_URLS = {"qwen": "https://dashscope.aliyuncs.com/compatible-mode/v1", "deepseek": "https://api.deepseek.com"}
_VARIABLE = re.compile(r"\$\{(\w+)\}|\$(\w+)")


@dataclass
class _Block:
    """One table of a file; whatever was never asked for is unknown."""

    name: str
    fields: Mapping[str, Any]
    left: set[str] = field(init=False)

    def __post_init__(self) -> None:
        self.left = set(self.fields)

    def take(self, key: str) -> Any:
        """Give a value; None where there is none, or only the sample's words for one."""
        self.left.discard(key)
        value = self.fields.get(key)
        return None if isinstance(value, str) and (not value.strip() or "YOUR_" in value) else value

    def text(self, *keys: str) -> str:
        """Give the first of several texts that is there."""
        found = [str(value) for key in keys if (value := self.take(key)) is not None]
        return found[0] if found else ""

    def no(self, key: str) -> bool:
        """Whether a switch is there, and off."""
        return self.take(key) is False


def read_agent_config(path: Path) -> dict[str, Any]:
    """Read a ScaleCUA agent file or UFO's agents.yaml as a tree of settings.

    Keys that mean nothing here are named in one warning. A key for a service is taken from the file, as the user named
    it; one that is written as `${NAME}` is the environment variable that holds it.

    Raises:
        SettingsError: it cannot be read, or is neither.
    """
    tree = read_yaml(path)
    if _SCALECUA.keys() & tree.keys():
        settings, unknown = _of_scalecua(tree, path)
    elif _UFO.keys() & tree.keys():
        settings, unknown = _of_ufo(tree, path)
    else:
        raise SettingsError(
            f"{path}: it has none of {', '.join((*_SCALECUA, *_UFO))}; give a ScaleCUA agent file or UFO's agents.yaml"
        )
    if unknown:
        _logger.warning("%s: not used here: %s", path, ", ".join(sorted(unknown)))
    return settings


def _blocks(tree: Mapping[str, Any], names: Mapping[str, str]) -> list[_Block]:
    blocks = [_Block(name, tree[name]) for name in names if isinstance(tree.get(name), dict)]
    if not blocks:
        raise SettingsError(f"{', '.join(names)}: each is a table of its own")
    return blocks


def _unknown(tree: Mapping[str, Any], blocks: list[_Block], known: set[str]) -> set[str]:
    outside = tree.keys() - {block.name for block in blocks} - known
    return outside | {f"{block.name}.{key}" for block in blocks for key in block.left}


def _of_scalecua(tree: Mapping[str, Any], path: Path) -> tuple[dict[str, Any], set[str]]:
    blocks = _blocks(tree, _SCALECUA)
    if blocks[0].name != "planner_model":
        raise SettingsError(f"{path}: it has no planner_model")
    alone = len(blocks) == 1
    models = {_SCALECUA[block.name]: _scalecua_model(block, path) for block in blocks}
    models["planner"]["dialect"] = "native" if alone else "plan"
    for role, block in zip(models, blocks, strict=True):
        if (points := _scalecua_coordinates(block)) and (alone or role == "grounder"):
            models[role]["coordinates"] = points
    return {"agent": "native" if alone else "workflow", "models": models}, _unknown(tree, blocks, set())


def _scalecua_model(block: _Block, path: Path) -> dict[str, Any]:
    kind = block.text("engine_type") or "openai"
    url = block.text("base_url", "azure_endpoint", "endpoint_url")
    model = _model(block, kind, block.text("model", "model_name"), url)
    _set_key(model, block.text("api_key"))
    model |= {"api_version": version} if (version := block.text("api_version")) else {}
    model |= {"thinking": False} if block.no("enable_thinking") else {}
    if (rate := block.take("rate_limit")) not in (None, -1):  # which is theirs for none
        model["requests_per_minute"] = rate
    if template := block.text("prompt_template"):
        model["prompts"] = str(_beside(path, template))
    return model


def _scalecua_coordinates(block: _Block) -> str:
    """Say what the points of a model are counted in: as resized for it, unless that is off, then its own grid."""
    off = [block.no("resize_corrds"), block.no("smart_resize")]  # both are spelled like this
    width, height = block.take("grounding_width"), block.take("grounding_height")
    width, height = (side or block.take("grounding_coord") or 1000 for side in (width, height))
    if not any(off):
        family = family_of(block.text("model", "model_name"))
        return family.name if family.space.factor else "scalecua"
    return {(1, 1): "0-1", (1000, 1000): "0-1000"}.get((width, height), f"{width}x{height}")


def _beside(path: Path, name: str) -> Path:
    """Find a file that is named as seen from some folder above; where there is none, give it as it is named."""
    places = [Path(name), *(folder / name for folder in path.resolve().parents)]
    return next((place for place in places if place.is_file()), Path(name))


def _of_ufo(tree: Mapping[str, Any], path: Path) -> tuple[dict[str, Any], set[str]]:
    blocks = _blocks(tree, _UFO)
    manners = {ours: tree[theirs] for theirs, ours in _UFO_MANNERS.items() if tree.get(theirs) is not None}
    models = {_UFO[block.name]: _ufo_model(block) | manners for block in blocks}
    missing: list[str] = []
    for block in blocks:
        if files := _ufo_prompts(block, path, missing):
            models[_UFO[block.name]]["prompts"] = os.pathsep.join(map(str, files))
    if missing:
        named = ", ".join(sorted(set(missing)))
        _logger.warning("%s: not there, so that built-in prompts are used: %s", path, named)
    return {"agent": "host", "models": models}, _unknown(tree, blocks, {*_UFO_MANNERS, "TOP_P"})


def _ufo_prompts(block: _Block, path: Path, missing: list[str]) -> list[Path]:
    """Give the template of an agent and its examples, as far as they are there; what is not goes to `missing`."""
    mode = "nonvisual" if block.no("VISUAL_MODE") else "visual"
    named = [block.text(key).replace("{mode}", mode) for key in _UFO_PROMPTS]
    files = [_beside(path, name) for name in (named[0], named[1] or named[2]) if name]
    missing += [str(file) for file in files if not file.is_file()]
    there = [file for file in files if file.is_file()]
    return there if named[0] and there[:1] == files[:1] else []


def _ufo_model(block: _Block) -> dict[str, Any]:
    kind, name = (block.text("API_TYPE") or "openai").lower(), block.text("API_MODEL")
    if (deployment := block.text("API_DEPLOYMENT_ID")) and kind == "aoai":
        name = deployment
    model = _model(block, kind, name, block.text("API_BASE"))
    _set_key(model, block.text("API_KEY"))
    if (version := block.text("API_VERSION")) and kind == "aoai":
        model["api_version"] = version
    if block.no("VISUAL_MODE"):
        model["images"] = 0
    for told_by_the_service in ("REASONING_MODEL", "USE_RESPONSES", "JSON_SCHEMA"):
        block.take(told_by_the_service)
    return model


def _model(block: _Block, kind: str, name: str, url: str) -> dict[str, Any]:
    if kind not in _SERVICES:
        raise SettingsError(f"{block.name}: there is no service {kind!r} here; there are {', '.join(_SERVICES)}")
    if not name:
        raise SettingsError(f"{block.name}: it names no model")
    service, url = _SERVICES[kind], url or _URLS.get(kind, "")
    model: dict[str, Any] = {"model": f"{service}:{name}"}
    if service == "gemini" and "googleapis.com" in url:
        url = ""  # of Google's own API, which has another form
    if url and url.rstrip("/").removesuffix("/chat/completions") != SERVICES[service].url:
        model["base_url"] = url
    return model


def _set_key(model: dict[str, Any], key: str) -> None:
    if variable := _VARIABLE.fullmatch(key):
        model["key_variable"] = variable[1] or variable[2]
    elif key:
        model["key"] = key
