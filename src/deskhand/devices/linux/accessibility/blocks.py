"""The text of a page's editor, whose lines are elements of their own."""

from __future__ import annotations

import re

from deskhand.devices.linux.accessibility.apps import Program
from deskhand.devices.linux.accessibility.protocol import ACCESSIBLE, TEXT, Ref, ask, number_of, refs_of, text_of
from deskhand.devices.linux.accessibility.roles import Role

OBJECT = "\ufffc"
"""Stands in a text for an element."""
_BLOCKS = frozenset({Role.SECTION, Role.PARAGRAPH, Role.HEADING, Role.LIST_ITEM, Role.BLOCK_QUOTE, Role.LIST})
_DEEPEST = 6


def with_blocks(program: Program, ref: Ref, text: str, until: float, depth: int = 0) -> str:
    """Put in place of the marks in a text what its elements hold: blocks are lines; of pictures the mark stays."""
    if OBJECT not in text or depth == _DEEPEST:
        return text
    children = refs_of(program.line.call(ask(ref, ACCESSIBLE, "GetChildren"), until))
    roles = program.line.calls([ask(child, ACCESSIBLE, "GetRole") for child in children], until)
    texts = program.line.calls([ask(child, TEXT, "GetText", "ii", 0, -1) for child in children], until)
    told = ((child, number_of(role), text_of(held)) for child, role, held in zip(children, roles, texts, strict=True))
    elements = iter([each for each in told if each[1] != Role.STATIC])
    lines = [""]
    for part in re.split(f"({OBJECT})", text):
        child, role, held = next(elements, (ref, None, "")) if part == OBJECT else (ref, None, part)
        inner = with_blocks(program, child, held, until, depth + 1) if child != ref else held
        if role in _BLOCKS:
            # An empty line holds a break, lest it have no height.
            lines += [inner.removesuffix("\n"), ""]
        else:
            lines[-1] += inner or part
    return "\n".join(line for at, line in enumerate(lines) if line or at % 2)
