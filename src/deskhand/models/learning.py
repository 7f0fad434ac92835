"""What a refusal teaches about a service, so that the same is not refused twice."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from deskhand.models.judging import Fault
from deskhand.models.wire import Shape

TEACHES = frozenset({400, 404, 413, 415, 422, 500, 501})
_NEVER_DROPPED = frozenset({"model", "messages", "system", "input", "tools", "contents", "systemInstruction"})
_PICTURES = re.compile(r"image|picture|vision|multi-?modal|media", re.I)
_MANY = re.compile(r"too many|at most|max|limit|up to|more than|exceed|only \w+ (?:image|picture)", re.I)
_OF_SIZE = re.compile(r"\b(?:[km]i?b|bytes?|pixels?|dimensions?|resolution|tokens?)\b|\d[km]b", re.I)
_TAKES_NONE = re.compile(
    r"not support|unsupported|only supported by|no endpoints found|valid string|must be (?:a )?string"
    r"|expected (?:a )?(?:`?text|string)|unknown variant|invalid type|not (?:a )?(?:multi|vision)"
    r"|only (?:supports? )?text|text[- ]only|cannot (?:accept|take|see)|missing data",
    re.I,
)
_AS_TEXT = re.compile(r"content\b.{0,40}(?:must be|should be|expected|valid).{0,20}str", re.I)
_SCHEMA = re.compile(r"response_format|json_?schema|json_object|structured|output_config|output_format|grammar", re.I)
_SYSTEM = re.compile(r"system.{0,20}(?:role|message|prompt)|(?:role|message).{0,20}system", re.I)
_SUM = re.compile(r"(\d+)\s*\+\s*\d+\s*>\s*(\d+)")
_NUMBER = re.compile(r"\d+")
_DATED = re.compile(r"_\d{8}$")
"""How versions of tools end."""


class Lesson(NamedTuple):
    """What the service takes from now on, and how to say it."""

    shape: Shape
    learned: str


def learn(shape: Shape, fault: Fault, body: Mapping[str, Any], pictures: int) -> Lesson | None:
    """See what to leave out of a request that was refused; None when nothing explains the refusal.

    `body` is what was sent, with so many pictures in it. Every lesson takes something away, so there is an end.
    """
    if fault.status not in TEACHES:
        return None
    lesson = _of_pictures(shape, fault, pictures) if pictures else None
    if lesson is None and fault.status in (400, 422):
        lesson = (
            _of_schema(shape, fault, body)
            or _of_system(shape, fault)
            or _of_tool(shape, fault, body)
            or _of_length(shape, fault, body)
            or _of_fields(shape, fault, body)
        )
    return lesson if lesson is not None and lesson.shape != shape else None


def _of_pictures(shape: Shape, fault: Fault, sent: int) -> Lesson | None:
    said = f"{fault.message} {fault.param}"
    if fault.status == 413:
        return _at_most(shape, sent // 2) if sent > 1 else None
    if _AS_TEXT.search(said) or (_PICTURES.search(said) and _TAKES_NONE.search(said) and not _MANY.search(said)):
        return _at_most(shape, 0)
    if _PICTURES.search(said) and _MANY.search(said) and not _OF_SIZE.search(said) and fault.status != 500:
        smaller = [number for number in map(int, _NUMBER.findall(fault.message)) if number < sent]
        return _at_most(shape, max(smaller, default=sent // 2))
    return None


def _at_most(shape: Shape, count: int) -> Lesson:
    if count == 0:
        return Lesson(replace(shape, pictures=0), "takes no pictures; going on with text alone")
    return Lesson(replace(shape, pictures=count), f"takes at most {count} pictures; earlier ones are left out")


def _of_schema(shape: Shape, fault: Fault, body: Mapping[str, Any]) -> Lesson | None:
    said = f"{fault.message} {fault.param}"
    field = next((name for name in ("response_format", "output_config") if name in body), None)
    if field is None and "responseJsonSchema" in body.get("generationConfig", ()):
        field = "responseJsonSchema"
    if field is None or not (_SCHEMA.search(said) or (fault.param and "schema" in fault.param)):
        return None
    if shape.schema == "schema" and field == "response_format" and "json_object" in said:
        return Lesson(replace(shape, schema="object"), "takes no schema; asking for a JSON object instead")
    return Lesson(replace(shape, schema="none"), f"takes no {field}; asking for JSON in words alone")


def _of_system(shape: Shape, fault: Fault) -> Lesson | None:
    if not (_SYSTEM.search(fault.message) and re.search(r"not support|unsupported|alternate", fault.message, re.I)):
        return None
    return Lesson(replace(shape, system=False), "takes no system message; instructions go into the first turn")


def _of_tool(shape: Shape, fault: Fault, body: Mapping[str, Any]) -> Lesson | None:
    """See whether the version of a tool for computers is refused, by a model that knows another."""
    dated = [str(tool.get("type")) for tool in body.get("tools", ()) if _DATED.search(str(tool.get("type")))]
    named = next((version for version in dated if version in fault.message), None)
    if named is None:
        return None
    return Lesson(replace(shape, refused=shape.refused | {named}), f"takes no {named}; offering another version")


def _of_length(shape: Shape, fault: Fault, body: Mapping[str, Any]) -> Lesson | None:
    """Read a refusal of the longest reply: called otherwise, or too long."""
    field = next((name for name in ("max_tokens", "max_completion_tokens") if name in body), None)
    if field is None or not re.search(r"max_(?:completion_)?tokens|output tokens", f"{fault.message} {fault.param}"):
        return None
    other = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}[field]
    if re.search(rf"\b{other}\b", fault.message) and "large" not in fault.message:
        return Lesson(replace(shape, limit_field=other), f"wants {other} for {field}")
    if found := _SUM.search(fault.message):
        return _no_longer(shape, int(found[2]) - int(found[1]))
    if "context" in fault.message and "system" not in body:
        return Lesson(replace(shape, dropped=shape.dropped | {field}), f"takes no {field} of {body[field]}")
    smaller = [number for number in map(int, _NUMBER.findall(fault.message)) if 0 < number < body[field]]
    return _no_longer(shape, max(smaller)) if smaller else None


def _no_longer(shape: Shape, limit: int) -> Lesson | None:
    return Lesson(replace(shape, limit=limit), f"writes at most {limit} tokens") if limit > 0 else None


def _of_fields(shape: Shape, fault: Fault, body: Mapping[str, Any]) -> Lesson | None:
    """Drop the one field that is named as being at fault."""
    optional = [name for name in body if name not in _NEVER_DROPPED]
    named = [n for n in optional if fault.param.partition(".")[0] == n] or [
        n for n in optional if re.search(rf"\b{re.escape(n)}\b", fault.message)
    ]
    if not named:
        return None
    return Lesson(replace(shape, dropped=shape.dropped | {named[0]}), f"takes no {named[0]}; leaving it out")
