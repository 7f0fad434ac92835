"""What is entered for somebody: the address of the one whose page it is, found by leafing through the pages."""

from __future__ import annotations

from zlib import crc32

from deskhand.core.action import Click, OnElement
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Ask, Move, Turn
from deskhand.models.literal.sight import has, look_again
from deskhand.models.literal.skills.pointing import after_click, click_on
from deskhand.models.literal.skills.seeking import next_page
from deskhand.perception.ground import find
from deskhand.perception.naming import fold, words
from deskhand.perception.quoting import mask

_ADDED = frozenset({"number", "value", "field", "entry", "line", "link", "name", "of", "the"})
_READ = frozenset({"heading", "label", "paragraph", "cell"})
_MOST_PAGES = 30
_SAME_ROW = 3
_NEAR = 60
"""Pixels that an entry may stand under its caption."""


def entry(turn: Turn) -> Move:
    """Click what stands for a caption, where the page is about whoever is named."""
    clause, who = turn.clause, mask(turn.clause.target).plain
    if turn.tries:
        return after_click(turn, turn.memo.get("what", clause.value))
    whose = next((e for e in turn.scene.top if fold(e.name) == fold(who)), None)
    if whose is None:
        waiting = _next_page(turn, who) or look_again(turn, who)
        return waiting or Ask(f"“{clause.text}”: {who!r} does not come up here. Who is meant?")
    captions = [e for e in turn.scene.top if e.box.top >= whose.box.top and _is_caption(e, clause.value)]
    entries = [e for caption in captions if (e := _beside(turn, caption)) is not None]
    if len(entries) == 1:
        return click_on(turn, entries[0])
    named = find(clause.value, turn.scene, frozenset({"button", "link"})).only
    if named is not None:
        return click_on(turn, named)
    return look_again(turn, clause.value) or Ask(f"“{clause.text}”: no {clause.value!r} shows. Which entry is meant?")


def _next_page(turn: Turn, who: str) -> Move | None:
    """Turn to the next page; None when the last one is there, after which nothing changes any more."""
    link = next_page([e for e in turn.scene.top if not has(e, "disabled", "offscreen") and not e.box.empty])
    reads = str(crc32(" ".join(e.name for e in turn.scene.top if e.role in _READ).encode()))
    if link is None or turn.memo.get("reads") == reads or turn.count("pages") >= _MOST_PAGES:
        return None
    pages = str(turn.count("pages") + 1)
    return turn.prepare(
        Click(target=OnElement(id=link.id)), thought=f"look for {who} further on", reads=reads, pages=pages
    )


def _is_caption(element: Element, words_: str) -> bool:
    caption, wanted = set(words(fold(element.name.partition(":")[0]))), set(words(fold(words_)))
    return bool(caption) and "press" not in element.actions and caption <= wanted and wanted - caption <= _ADDED


def _beside(turn: Turn, caption: Element) -> Element | None:
    """Give what can be clicked in a caption's own line, right of it, else under it."""
    box, pressed = caption.box, [e for e in turn.scene.top if "press" in e.actions and e.id != caption.id]
    inside = [e for e in turn.scene.within(caption) if e in pressed]
    row = [e for e in pressed if min(e.box.bottom, box.bottom) - max(e.box.top, box.top) > _SAME_ROW]
    right = [e for e in row if e.box.right > box.right]
    below = [e for e in pressed if 0 <= e.box.top - box.bottom < _NEAR and e.box.left < box.right]
    found = inside or right or below
    return min(found, key=lambda e: (e.box.top, e.box.left), default=None)
