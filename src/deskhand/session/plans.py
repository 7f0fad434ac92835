"""Reads plans: JSON objects with `task`, `steps` and `object`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from deskhand.core.errors import SettingsError
from deskhand.core.nearest import hint
from deskhand.core.plan import Plan
from deskhand.core.text import is_blank

LONGEST = 1 << 20
"""Bytes of a plan's file."""
MOST_STEPS = 1000
_FORM = 'write it as {"task": "...", "steps": ["...", "..."], "object": "APPLICATION"}'


def read_plan(path: Path) -> Plan:
    """Read the plan in a file.

    Raises:
        SettingsError: it cannot be read or holds no plan; says what is wrong where.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SettingsError(f"the plan {path} cannot be read: {(error.strerror or str(error)).lower()}") from error
    if len(data) > LONGEST:
        raise SettingsError(f"the plan {path} has {len(data)} bytes; {LONGEST} are the most")
    try:
        fields = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"the plan {path} is no JSON ({error}); {_FORM}") from error
    return plan_of(fields, str(path))


def plan_of(fields: object, where: str) -> Plan:
    """Make a plan of a JSON value; `where` it stood is for the message.

    Raises:
        SettingsError: it is none.
    """
    if not isinstance(fields, dict):
        raise SettingsError(f"{where} holds no plan but a {type(fields).__name__}; {_FORM}")
    known = list(Plan.model_fields)
    if unknown := next((key for key in fields if key not in known), None):
        raise SettingsError(f"{where}: a plan has no {unknown!r}; {hint(unknown, known)}")
    return Plan(
        task=_text(fields, "task", where),
        steps=_steps(fields, where),
        object=_text(fields, "object", where, needed=False),
    )


def _text(fields: Mapping[str, object], key: str, where: str, *, needed: bool = True) -> str:
    value = fields.get(key, "")
    if not isinstance(value, str):
        raise SettingsError(f"{where}: {key} is a text, not a {type(value).__name__}")
    if needed and is_blank(value):
        raise SettingsError(f"{where}: {key} is missing or empty; say in a few words what the plan is for")
    return value.strip()


def _steps(fields: Mapping[str, object], where: str) -> tuple[str, ...]:
    if "steps" not in fields:
        return ()
    steps = fields["steps"]
    if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
        raise SettingsError(f"{where}: steps is a list of texts")
    if not steps or len(steps) > MOST_STEPS:
        raise SettingsError(f"{where}: a plan has from 1 to {MOST_STEPS} steps, not {len(steps)}")
    if blank := next((number for number, step in enumerate(steps, 1) if is_blank(step)), 0):
        raise SettingsError(f"{where}: step {blank} is empty; say what is to be done, or leave it out")
    return tuple(steps)
