"""Reading what words describe by where it stands: a part of a text, what belongs to a caption, the text on a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from deskhand.core.geometry import Box
from deskhand.core.observation import Element
from deskhand.models.literal.described import counted, text_part
from deskhand.models.literal.lines import lines, read_line
from deskhand.models.literal.moves import Ask, Done, Move, Turn
from deskhand.models.literal.sight import look_again
from deskhand.models.literal.skills import counting, values
from deskhand.perception.naming import fold
from deskhand.perception.quoting import mask
from deskhand.perception.scene import FIELDS, LABELS, Scene

_SHOWN = re.compile(
    r"(?i)^(?:the\s+|this\s+)?(?:distorted\s+|displayed\s+|shown\s+|given\s+)?(?:text|word|words|letters|characters|code|string|"
    r"captcha)(?:\s+(?:that is |which is )?(?:shown|displayed|given|written|printed))?\s+"
    r"(?:below|above|here|on the (?:page|screen))$"
)
_PASSAGE = re.compile(r"(?i)^(?:the\s+|this\s+)?(?:paragraph|passage|text)(?:\s+(?:below|above|here|on the page))?$")
_WORDS_OF_PASSAGE = 2
_BELONGING = re.compile(
    r"(?i)^(?:the\s+)?(?:value|text|number|entry|word|content|name)\s+(?:that stands\s+|that is\s+)?"
    r"(?:next to|beside|right of|to the right of|of|for|belonging to)\s+(?:the\s+)?(?P<caption>.+)$"
)
_CAPTIONS = frozenset({"cell", "rowheader", "columnheader", *LABELS})


def read(turn: Turn) -> Move:
    """Read what is described; what it is called by is never its value."""
    words = mask(turn.clause.target).plain.strip()
    things = counted(words)
    if things is not None:
        return counting.counted(turn, things)
    part = text_part(words)
    if part is not None:
        held = read(_about(turn, part.holder))
        if not isinstance(held, Done) or held.value is None:
            return held
        text = part.of(held.value)
        return Done(f"it is {text!r}", text) if text is not None else Ask(f"“{turn.clause.text}”: it has no such part.")
    if _SHOWN.match(words):
        return _text_on_page(turn)
    passage = only_passage(turn, words)
    if passage is not None:
        return Done(f"it reads {passage.name[:200]!r}", passage.name)
    named = _BELONGING.match(words)
    beside = belonging_to(turn.scene, words) or (belonging_to(turn.scene, named["caption"]) if named else "")
    return Done(f"{words} is {beside!r}", beside) if beside else values.read(turn)


def _about(turn: Turn, words: str) -> Turn:
    return replace(turn, clause=turn.clause._replace(target=words))


def _text_on_page(turn: Turn) -> Move:
    """Read the only text there is, besides what names controls; what a request on the page points at is under it."""
    captions = {e.name for e in turn.scene.elements if e.role in FIELDS}
    texts = [e for e in turn.scene.elements if e.role in LABELS and e.name.strip() and e.name not in captions]
    texts = [e for e in texts if not e.name.rstrip().endswith(":")]
    asked = turn.asked_at
    read_lines = [read_line(line) for line in lines(e for e in texts if asked is None or _under(asked, e.box))]
    if len(read_lines) == 1:
        return Done(f"it reads {read_lines[0]!r}", read_lines[0])
    listed = "; ".join(read_lines[:5])
    return look_again(turn, "the text") or Ask(f"“{turn.clause.text}”: which text is meant? There are: {listed}")


def only_passage(turn: Turn, words: str) -> Element | None:
    """Give the only text of a page that is longer than a name, where words speak of a passage and nothing is one."""
    if not _PASSAGE.match(words):
        return None
    paragraphs = [e for e in turn.scene.elements if e.role == "paragraph"]
    if paragraphs:
        return paragraphs[0] if len(paragraphs) == 1 and "editable" not in paragraphs[0].states else None
    asked = turn.asked_at
    texts = [e for e in turn.scene.elements if e.role in LABELS and len(e.name.split()) >= _WORDS_OF_PASSAGE]
    texts = [e for e in texts if asked is None or _under(asked, e.box)]
    return texts[0] if len(texts) == 1 else None


def _under(upper: Box, lower: Box) -> bool:
    return lower.top >= upper.bottom - 2 and min(upper.right, lower.right) > max(upper.left, lower.left)


def belonging_to(scene: Scene, words: str) -> str:
    """Give the text that belongs to a caption, as in a table: right of it, under a column's head; "" when none does."""
    wanted = fold(words)
    together = {tail for head, tail in captioned(scene) if fold(head) == wanted}
    if len(together) == 1:
        return together.pop()
    found = {
        text for e in scene.elements if e.role in _CAPTIONS and fold(e.name) == wanted if (text := _value_of(scene, e))
    }
    return found.pop() if len(found) == 1 else ""


def captioned(scene: Scene) -> Iterator[tuple[str, str]]:
    """Give what stands in one text as a caption and its value: "Total: 42"."""
    for element in scene.elements:
        head, sign, tail = element.name.partition(":")
        if element.role in _CAPTIONS and sign and head.strip() and tail.strip():
            yield head.strip(), tail.strip()


def _value_of(scene: Scene, caption: Element) -> str:
    others = [e for e in scene.elements if e.role in _CAPTIONS and e.id != caption.id and e.name.strip()]
    if caption.role == "columnheader" and (below := _nearest_below(caption, others)):
        return below
    right = [e for e in others if _same_row(caption.box, e.box) and e.box.left >= caption.box.right - 2]
    nearest = min(right, key=lambda e: e.box.left, default=None)
    if nearest is None or _field_between(scene, caption, nearest):
        return ""
    return nearest.name.strip()


def _nearest_below(caption: Element, others: Sequence[Element]) -> str:
    below = [
        e
        for e in others
        if e.role == "cell"
        and e.box.top >= caption.box.bottom - 2
        and min(e.box.right, caption.box.right) > max(e.box.left, caption.box.left)
    ]
    return below[0].name.strip() if len(below) == 1 else ""


def _field_between(scene: Scene, caption: Element, other: Element) -> bool:
    return any(
        e.role in FIELDS and _same_row(caption.box, e.box) and caption.box.right - 2 <= e.box.left < other.box.left
        for e in scene.elements
    )


def _same_row(a: Box, b: Box) -> bool:
    return (min(a.bottom, b.bottom) - max(a.top, b.top)) * 2 > min(a.height, b.height)
