"""Which options hold for which role: its own, then the planner's for host and app, then those of every role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from deskhand.core.errors import SettingsError
from deskhand.core.family import Family, family_called, family_of
from deskhand.core.message import Role
from deskhand.models.options import ModelSettings, Section

BUILT_IN = "literal"
_ACCESS = frozenset({"base_url", "key", "key_variable", "api_version"})
"""Belongs to a place: a key must not go where it was not meant for."""
_OF_MODEL = frozenset({"prices", "images", "dialect", "coordinates", "tool", "thinking", "prompts", "extra"})
"""Belongs to one model and tells nothing about another."""


def options_of(role: Section, named: str, sections: Mapping[Section, ModelSettings]) -> ModelSettings:
    """Give the options of a role, with `model` filled in; `named` is the setting `model`, "" where it is not set.

    Raises:
        SettingsError: it falls back to a section that is not there.
    """
    above: tuple[Section, ...] = ("planner", role) if role in ("host", "app") else (role,)
    layers = [sections.get("default"), ModelSettings(model=named) if named else None]
    layers += [sections.get(section) for section in above if section != "default"]
    chosen = ModelSettings()
    for layer in layers:
        chosen = chosen if layer is None else _over(chosen, layer)
    if not chosen.model:
        chosen = chosen.model_copy(update={"model": BUILT_IN})
    if chosen.fallback not in ("", "backup") and chosen.fallback not in sections:
        known = ", ".join(sections) or "none"
        raise SettingsError(f"models.{role}.fallback: models has no section {chosen.fallback!r}; it has {known}")
    return chosen


def points_of(options: ModelSettings) -> Family:
    """Give the family whose way of pointing holds for a model.

    Raises:
        SettingsError: nobody knows the coordinates that are set.
    """
    return family_called(options.coordinates) if options.coordinates else family_of(options.model)


def roles() -> tuple[Role, ...]:
    return get_args(Role)


def _over(below: ModelSettings, above: ModelSettings) -> ModelSettings:
    """Lay what was set above over what was set below, without what belongs to another place or model."""
    kept: dict[str, Any] = {name: getattr(below, name) for name in below.model_fields_set}
    moved = bool(above.base_url) and above.base_url != below.base_url
    other = "" not in (above.model, below.model) and above.model != below.model
    service = above.model.partition(":")[0]
    if moved or (other and service != below.model.partition(":")[0]):
        kept = {name: value for name, value in kept.items() if name not in _ACCESS}
    if moved or other:
        kept = {name: value for name, value in kept.items() if name not in _OF_MODEL}
    own = {name: getattr(above, name) for name in above.model_fields_set}
    if not own.get("model"):
        own.pop("model", None)
    return ModelSettings(**(kept | own))
