"""Clauses that say what is to come of them, put the way they are done: "drag it so that it is inside"."""

from __future__ import annotations

import re

_SO = r"\s*,?\s+(?:so\s+that|such\s+that|so|until)\s+"
_PLACED = re.compile(
    rf"^(?P<do>(?:drag|move|pull|push|slide|shift|put|place)\s+.+?){_SO}(?:it|they|that|this)\s+"
    r"(?:is|are|lies?|sits?|ends?\s+up|fits?|goes)\s+(?:(?:completely|fully|entirely|wholly|all|exactly|right)\s+)*"
    r"(?P<how>inside|within|in|on\s+top\s+of|on|over)\s+(?:of\s+)?(?P<where>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_BY_MOUSE = re.compile(
    r"\s+(?:by\s+(?:dragging|moving|using)|with)\s+(?:the|your|a)\s+(?:mouse|pointer|cursor)(?=$|\s)", re.IGNORECASE
)
_LARGER = r"larger|bigger|greater|longer|taller|higher|wider|broader|smaller|shorter|lower|narrower|less|thinner"
_SIZED = re.compile(
    rf"^(?:resize|re-size|change|adjust|drag|make|stretch|shrink|enlarge|scale)\s+(?P<what>.+?){_SO}"
    r"(?:its|the|their|it'?s?)\s*(?:(?P<side>height|width|size)\s+)?(?:is|becomes|gets|will be|turns)?\s*"
    rf"(?P<how>{_LARGER})(?:\s+than\s+.+)?$",
    re.IGNORECASE | re.DOTALL,
)
_CHANGED = re.compile(
    r"^(?P<way>increase|enlarge|raise|reduce|decrease|shrink)\s+the\s+(?P<side>height|width|size)\s+of\s+(?P<what>.+)$",
    re.IGNORECASE | re.DOTALL,
)

_COMES_UP = re.compile(
    r"^(?P<do>(?:click|press|choose|hit|push|tap|select|confirm)\b.+?)\s+(?:in|of|on)\s+(?:the|any)\s+(?:next\s+)?"
    r"(?:dialog(?:ue)?|window|message|box|pop-?up|question)(?:\s+box)?\s+(?:that|which)\s+(?:then\s+)?"
    r"(?:comes\s+up|appears|opens|pops\s+up|shows(?:\s+up)?|follows|is\s+shown)$",
    re.IGNORECASE | re.DOTALL,
)
"""What comes up is on top, where it is looked for first anyway."""


def as_done(text: str) -> str:
    """Put a clause the way it is done; others as they are."""
    text = _COMES_UP.sub(r"\g<do>", _BY_MOUSE.sub("", text))
    if placed := _PLACED.match(text):
        into = "onto" if placed["how"].lower().startswith(("on", "over")) else "into"
        return f"{placed['do']} {into} {placed['where']}"
    if sized := _SIZED.match(text):
        side = f"the {sized['side'].lower()} of " if sized["side"] else ""
        return f"make {side}{sized['what']} {sized['how'].lower()}"
    if changed := _CHANGED.match(text):
        larger = changed["way"].lower() in ("increase", "enlarge", "raise")
        return f"make the {changed['side'].lower()} of {changed['what']} {'larger' if larger else 'smaller'}"
    return text
