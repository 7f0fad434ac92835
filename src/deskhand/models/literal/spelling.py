"""Actions in the form of the `json` dialect: a function and its arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping

from deskhand.core.action import Action, At, Described, OnElement, Target

_ID = re.compile(r"e\d+")


def spelled(action: Action) -> Mapping[str, object]:
    """Write an action the way a language model answers it."""
    arguments: dict[str, object] = {}
    for name, field in type(action).model_fields.items():
        value = getattr(action, name)
        if name == "target":
            arguments |= _place(value)
        elif isinstance(value, At | OnElement | Described):
            arguments[name] = _place(value)
        elif name != "kind" and value != field.default:
            arguments[name] = list(value) if isinstance(value, tuple) else value
    return {"function": action.kind, "arguments": arguments}


def _place(target: Target | None) -> dict[str, object]:
    match target:
        case None:
            return {}
        case At(point=point):
            return {"x": point.x, "y": point.y}
        case OnElement(id=element):
            return {"element" if _ID.fullmatch(element) else "id": element}
        case Described(text=text):
            return {"described": text}
