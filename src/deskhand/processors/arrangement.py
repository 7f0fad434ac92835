"""Which agents and dialects a model's family asks for."""

from __future__ import annotations

from typing import Literal

from deskhand.core.family import family_of
from deskhand.core.message import Role
from deskhand.core.ports import Dialect
from deskhand.dialects.factory import Wanted, make_dialect
from deskhand.dialects.forms import WAYS
from deskhand.dialects.prompt import Platform, Prompts
from deskhand.models.choice import points_of
from deskhand.models.options import ModelSettings

Arrangement = Literal["host", "native", "workflow"]

_OF_ONE = frozenset({"native", "computer", *WAYS})
"""The dialects of models that plan and point by themselves."""
_ALONE = {"native": "native", "workflow": "plan"}
"""The dialect of the planner in each arrangement of one agent, unless its settings say otherwise."""


def arrangement_for(planner: ModelSettings) -> Arrangement:
    """Give the arrangement that the planner's family is made for."""
    dialect = planner.dialect or family_of(planner.model).dialect
    return "native" if dialect in _OF_ONE else "workflow" if dialect == "plan" else "host"


def dialect_for(
    role: Role, options: ModelSettings, arrangement: Arrangement, platform: Platform, prompts: Prompts
) -> Dialect:
    """Make the dialect in which the model of a role is spoken to, about a device of a platform.

    Raises:
        SettingsError: nobody knows what the model counts in when it points.
    """
    alone = _ALONE.get(arrangement, "") if role == "planner" else ""
    own = family_of(options.model).dialect
    name = options.dialect or (own if alone == "native" and own in _OF_ONE else alone) or own
    return make_dialect(name, Wanted(points_of(options), options.thinking, prompts, platform, options.earlier_pictures))
