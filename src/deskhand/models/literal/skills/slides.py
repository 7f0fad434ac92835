"""Slides of a presentation: chosen by their number, then deleted, copied or given another title."""

from __future__ import annotations

from collections.abc import Sequence

from deskhand.core.action import Click, DoubleClick, OnElement
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Ask, Fail, Instead, Move, Turn
from deskhand.models.literal.sight import has, look_again
from deskhand.perception.description import ordinal
from deskhand.perception.quoting import mask, quote

_PANES = ("slides view", "slides", "slide sorter", "slide panel")
_MENUS = {"delete": "Delete Slide", "duplicate": "Duplicate Slide"}


def slide(turn: Turn) -> Move:
    """Choose the slide that is counted, then do with it what is wanted."""
    shown = _slides(turn)
    said = mask(turn.clause.target).plain.strip()
    which = ordinal(said) if said else int(turn.clause.amount)
    place = which - 1 if which > 0 else len(shown) + which
    if not 0 <= place < len(shown):
        return look_again(turn, "the slides") or Ask(f"“{turn.clause.text}”: there are {len(shown)} slides. Which one?")
    if turn.failed:
        return Fail(f"the slide could not be chosen: {turn.failed}")
    meant = shown[place]
    if not has(meant, "selected") or not turn.memo.get("chosen"):
        if turn.count("chosen") > 1:
            return look_again(turn, "the slide to be chosen") or Fail(f"slide {place + 1} cannot be chosen")
        click, chosen = Click(target=OnElement(id=meant.id)), str(turn.count("chosen") + 1)
        return turn.prepare(click, thought=f"go to slide {place + 1}", chosen=chosen)
    if turn.clause.mode != "title":
        return Instead((f"choose Slide > {_MENUS[turn.clause.mode]}",), f"slide {place + 1} is chosen")
    return _retitle(turn)


def _retitle(turn: Turn) -> Move:
    """Enter the title of the slide that is shown, and write another one."""
    if turn.memo.get("entered"):
        return Instead(("press Ctrl+A", f"type {quote(turn.clause.value)}", "press Escape"), "the title is open")
    titles = [e for e in turn.scene.elements if e.role == "group" and e.name.lower().startswith("title")]
    texts = [e for group in titles for e in turn.scene.within(group) if e.role == "paragraph"]
    if len(texts) != 1:
        return look_again(turn, "the title") or Ask(f"“{turn.clause.text}”: {len(texts)} titles are shown. Which one?")
    return turn.prepare(DoubleClick(target=OnElement(id=texts[0].id)), thought="enter the title", entered="1")


def _slides(turn: Turn) -> Sequence[Element]:
    """Give the small pictures of the slides, in their order."""
    pane = next(
        (e for e in turn.scene.elements if e.name.casefold() in _PANES and e.role in ("document", "list")), None
    )
    return sorted(turn.scene.children(pane), key=lambda e: (e.box.top, e.box.left)) if pane else ()
