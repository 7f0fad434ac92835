"""Takes a reply apart: what is thinking, what is an intention, what is to be done."""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from deskhand.dialects.unreadable import Unreadable

_THINKING = {"think", "thinking", "reasoning", "gui_think", "seed:think", "thought"}
_DOING = {"action", "tool_call", "answer", "actions"}
_AS_ASKED = {"think", "operation", "action", "tool_call"}
_NAMES = "|".join([*map(re.escape, sorted(_THINKING | _DOING | {"operation"}, reverse=True)), r"think(?:t|_\w+)"])
"""Those of thinking go by more names than can be listed: `thinkt`, `think_never_used_51bce0`."""
_TAG = re.compile(
    rf"[<＜]\s*(?P<close>[/／]?)\s*(?P<name>{_NAMES})\s*[>＞]|◁(?P<shut>/?)(?P<kimi>think)▷", re.IGNORECASE
)
_ACTION_LABEL = re.compile(r"^[ \t#*_]*(?:next )?actions?[ \t*_]*[:：][ \t*_]*", re.IGNORECASE | re.MULTILINE)
_THOUGHT_LABEL = re.compile(r"^[ \t#*_]*thoughts?[ \t*_]*[:：][ \t*_]*", re.IGNORECASE)
_TAGS_AT_MOST = 200
_FENCE = re.compile(r"```[ \t]*[\w+-]*[ \t]*\n(?P<code>.*?)(?P<end>^[ \t]*```|\Z)", re.DOTALL | re.MULTILINE)


class Sections(NamedTuple):
    """The parts of a reply in tags. `blocks` is what is to be done, `outside` all that is in no tag."""

    thought: str
    operation: str
    blocks: tuple[str, ...]
    outside: str
    repaired: bool
    """A tag was not closed, or not written as it should be."""
    cut: bool
    """The reply ends inside a block."""


class _Tag(NamedTuple):
    start: int
    end: int
    name: str
    closes: bool
    exact: bool


def sections(text: str) -> Sections:
    """Part a reply by its tags, whatever their case; what stands in thinking, closed or not, is nothing but thought."""
    tags = _tags(text)
    thoughts: list[str] = []
    operations: list[str] = []
    blocks: list[str] = []
    outside: list[str] = []
    repaired = cut = False
    at = 0
    while (tag := next((t for t in tags if t.start >= at), None)) is not None:
        outside.append(text[at : tag.start])
        repaired |= not tag.exact
        if tag.name in _THINKING and tag.closes:
            # Its beginning was said by the server: all before it was thought.
            thoughts = [text[: tag.start]]
            operations, blocks, outside, at = [], [], [], tag.end
            continue
        if tag.closes:
            at = tag.end
            continue
        end, at, closed = _end_of(tag, tags, text)
        content = text[tag.end : end]
        (thoughts if tag.name in _THINKING else operations if tag.name == "operation" else blocks).append(content)
        repaired |= not closed
        cut = not closed and tag.name in _DOING and end == len(text)
    outside.append(text[at:])
    operation = next((o.strip() for o in operations if o.strip()), "")
    thought = "\n".join(t.strip() for t in thoughts if t.strip())
    return Sections(thought, operation, tuple(blocks), "\n".join(outside), repaired, cut)


def without_thinking(text: str) -> tuple[str, str]:
    """Give the thinking, and all the rest."""
    tags = [tag for tag in _tags(text) if tag.name in _THINKING]
    thoughts, rest, at = [], [], 0
    while (tag := next((t for t in tags if t.start >= at), None)) is not None:
        rest.append(text[at : tag.start])
        if tag.closes:
            thoughts, rest, at = [text[: tag.start]], [], tag.end
            continue
        end, at, _ = _end_of(tag, tags, text)
        thoughts.append(text[tag.end : end])
    return "\n".join(t.strip() for t in thoughts), "\n".join((*rest, text[at:]))


def labelled(text: str) -> tuple[str, str] | None:
    """Part `Thought: ... Action: ...`; None when no line begins with a label for what is to be done."""
    label = _ACTION_LABEL.search(text)
    if label is None:
        return None
    return _THOUGHT_LABEL.sub("", text[: label.start()]).strip(), text[label.end() :]


def fenced(text: str) -> tuple[str, bool] | None:
    """Give the first block of code that holds something, and whether its fence is closed."""
    found = next((fence for fence in _FENCE.finditer(text) if fence["code"].strip()), None)
    return None if found is None else (found["code"], bool(found["end"]))


def _tags(text: str) -> list[_Tag]:
    """Find all tags.

    Raises:
        UnreadableReply: there are so many that no reply can be meant.
    """
    tags = [
        _Tag(
            found.start(),
            found.end(),
            _name(found["name"] or found["kimi"]),
            bool(found["close"] or found["shut"]),
            found["kimi"] is not None
            or (found["name"] in _AS_ASKED and found[0] == f"<{found['close']}{found['name'].lower()}>"),
        )
        for found in islice(_TAG.finditer(text), _TAGS_AT_MOST + 1)
    ]
    if len(tags) > _TAGS_AT_MOST:
        raise Unreadable("syntax_error", f"the reply holds more than {_TAGS_AT_MOST} tags; give each once")
    return tags


def _name(said: str) -> str:
    return "think" if said.lower().startswith("think") else said.lower()


def _end_of(tag: _Tag, tags: list[_Tag], text: str) -> tuple[int, int, bool]:
    """Say where the content of a tag ends, where the text goes on behind it, and whether it was closed."""
    behind = [t for t in tags if t.start >= tag.end]
    if tag.name in _THINKING:
        return _end_of_thinking(behind, text)
    opened = next(
        (t for t in behind if not t.closes and t.name in ({tag.name} if tag.name in _DOING else _DOING)), None
    )
    limit = opened.start if opened else len(text)
    closers = [t for t in behind if t.closes and t.name == tag.name and t.start < limit]
    if closers:
        # A text to be written may hold such a tag, so the last one counts; thinking may not.
        last = closers[-1] if tag.name in _DOING else closers[0]
        return last.start, last.end, True
    stop = next((t for t in behind if t.name != tag.name or not t.closes), None)
    end = stop.start if stop else len(text)
    return end, end, False


def _end_of_thinking(behind: list[_Tag], text: str) -> tuple[int, int, bool]:
    depth = 1
    for tag in behind:
        if tag.name in _THINKING:
            depth += -1 if tag.closes else 1
        if depth == 0:
            return tag.start, tag.end, True
    return len(text), len(text), False
