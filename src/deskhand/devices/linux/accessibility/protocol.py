"""The calls of AT-SPI and of the D-Bus daemon that we make."""

from __future__ import annotations

from typing import Any, NamedTuple

from deskhand.devices.linux.accessibility.bus import Answer, Failure
from deskhand.devices.linux.accessibility.wire import Call

ACCESSIBLE = "org.a11y.atspi.Accessible"
ACTION = "org.a11y.atspi.Action"
APPLICATION = "org.a11y.atspi.Application"
CACHE = "org.a11y.atspi.Cache"
COLLECTION = "org.a11y.atspi.Collection"
COMPONENT = "org.a11y.atspi.Component"
EDITABLE_TEXT = "org.a11y.atspi.EditableText"
SELECTION = "org.a11y.atspi.Selection"
TABLE = "org.a11y.atspi.Table"
TEXT = "org.a11y.atspi.Text"
VALUE = "org.a11y.atspi.Value"
_PROPERTIES = "org.freedesktop.DBus.Properties"
_DAEMON = "org.freedesktop.DBus"

ROOT = "/org/a11y/atspi/accessible/root"
NULL = "/org/a11y/atspi/null"
REGISTRY = "org.a11y.atspi.Registry"

SCREEN, WINDOW = 0, 1
"""Which corner extents are counted from."""


class Ref(NamedTuple):
    """An accessible: the application's name on the bus, and its path there."""

    bus: str
    path: str


def ask(ref: Ref, interface: str, member: str, signature: str = "", *body: Any) -> Call:
    return Call(ref.bus, ref.path, interface, member, signature, body)


def prop(ref: Ref, interface: str, name: str) -> Call:
    return Call(ref.bus, ref.path, _PROPERTIES, "Get", "ss", (interface, name))


def set_prop(ref: Ref, interface: str, name: str, signature: str, value: Any) -> Call:
    return Call(ref.bus, ref.path, _PROPERTIES, "Set", "ssv", (interface, name, (signature, value)))


def daemon(member: str, name: str) -> Call:
    return Call(_DAEMON, "/org/freedesktop/DBus", _DAEMON, member, "s", (name,))


def children_with(ref: Ref, state: int) -> Call:
    """Ask for the children that are in a state. Only for what can go through all its children quickly."""
    every, in_order = 1, 1
    anything = ((), every, (), every, (), every, False)
    rule = ((1 << state, 0) if state < 32 else (0, 1 << state - 32), every, *anything)
    return ask(ref, COLLECTION, "GetMatches", "(aiia{ss}iaiiasib)uib", rule, in_order, 0, False)


def text_of(answer: Answer) -> str:
    value = _first(answer)
    return value if isinstance(value, str) else ""


def number_of(answer: Answer) -> int | None:
    """A whole number; None where there is none."""
    value = _first(answer)
    return int(value) if isinstance(value, int) else None


def real_of(answer: Answer) -> float | None:
    value = _first(answer)
    return float(value) if isinstance(value, int | float) else None


def states_of(answer: Answer) -> int | None:
    """The set of states as one number; None where there is none."""
    value = _first(answer)
    if not isinstance(value, list) or not all(isinstance(part, int) for part in value):
        return None
    return sum(int(part) << (32 * place) for place, part in enumerate(value))


def extents_of(answer: Answer) -> tuple[int, int, int, int] | None:
    """Left, top, width, height in the toolkit's pixels; None where there are none."""
    value = _first(answer)
    if isinstance(value, tuple) and len(value) == 4:
        left, top, width, height = value
        # Toolkits put what is not shown at the smallest number there is; Java says -1 for what it does not know.
        if left > -(1 << 30) and width >= 0 and height >= 0:
            return left, top, width, height
    return None


def ref_of(answer: Answer) -> Ref | None:
    """A reference to an accessible; None for AT-SPI's null."""
    return _ref(_first(answer))


def refs_of(answer: Answer) -> list[Ref]:
    value = _first(answer)
    found = [_ref(item) for item in value] if isinstance(value, list) else []
    return [ref for ref in found if ref]


def relations_of(answer: Answer, kind: int) -> list[Ref]:
    """The targets of the relations of one kind."""
    value = _first(answer)
    found = []
    for relation, targets in value if isinstance(value, list) else []:
        found += [_ref(target) for target in targets] if relation == kind else []
    return [ref for ref in found if ref]


def numbers_of(answer: Answer) -> tuple[int, ...]:
    """All whole numbers and flags of an answer."""
    return () if isinstance(answer, Failure) else tuple(value for value in answer if isinstance(value, int))


def attributes_of(answer: Answer) -> dict[str, str]:
    value = _first(answer)
    return {str(key): str(text) for key, text in value} if isinstance(value, list) else {}


def words_of(answer: Answer) -> tuple[str, ...]:
    value = _first(answer)
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def _first(answer: Answer) -> Any:
    return None if isinstance(answer, Failure) or not answer else answer[0]


def _ref(value: Any) -> Ref | None:
    if not isinstance(value, tuple) or len(value) != 2 or not value[0] or value[1] in ("", NULL):
        return None
    return Ref(value[0], value[1])
