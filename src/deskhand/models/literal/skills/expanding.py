"""Opening and closing what shows more: sections, branches of trees, menus of a page."""

from __future__ import annotations

import re

from deskhand.core.action import Click, OnElement, Press, Wait
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Done, Fail, Instead, Move, Turn
from deskhand.models.literal.sight import has, look_again, pick, said
from deskhand.models.literal.skills.pointing import target
from deskhand.perception.description import read_description
from deskhand.perception.ground import Choice
from deskhand.perception.quoting import mask, quote

_LONGEST = 8
"""How often it is looked whether something still moves."""
_BY_KEYS = frozenset({"treeitem", "row", "cell"})
_OPENER = re.compile(r"(?i)^(?:\+|⊞|▸|▶|►|▾|▼|☰|⋮|…|menu|more|expand|show|open)$")


def expand(turn: Turn) -> Move:
    """Open or close a node of a tree, a section, or whatever else shows more."""
    clause = turn.clause
    wanted, other = ("expanded", "collapsed") if clause.mode == "open" else ("collapsed", "expanded")
    known = turn.scene.get(turn.memo.get("id", ""))
    found: Element | Move = known or _meant(turn, wanted, other)
    if not isinstance(found, Element):
        return found
    what = said(found, turn.scene)
    moving = _moving(turn)
    if moving is not None:
        return moving
    if has(found, wanted):
        return Done(f"the {what} is {wanted}")
    if turn.failed and turn.tries > 1:
        return Fail(turn.failed)
    place = OnElement(id=found.id)
    if not turn.tries and found.role not in _BY_KEYS and ("press" in found.actions or has(found, other)):
        return turn.act(Click(target=place), thought=f"click the {what}", id=found.id)
    if turn.tries and not has(found, other) and (turn.changed or turn.done):
        return Done(f"the {what} reacted")
    if turn.tries < 2:
        key = "right" if clause.mode == "open" else "left"
        return turn.act(Click(target=place), Press(keys=(key,)), thought=f"open the {what} by keys", id=found.id)
    return Done(f"the {what} reacted") if turn.changed else Fail(f"the {what} is not {wanted}")


def _moving(turn: Turn) -> Move | None:
    """Wait until what was opened rests, so that nothing slides away from under the next click."""
    if not turn.tries or turn.memo.get("rests") == turn.looks or turn.count("moved") >= _LONGEST:
        return None
    moved = str(turn.count("moved") + 1)
    return turn.again(Wait(seconds=0.15), "looking whether it still moves", rests=turn.looks, moved=moved)


def _meant(turn: Turn, wanted: str, other: str) -> Element | Move:
    if _is_mere_kind(turn.clause.target):
        return _of_kind(turn, wanted, other)
    found = pick(turn, turn.clause.target)
    openers = _openers(turn) if isinstance(found, Choice) and not found.best and wanted == "expanded" else []
    # "the pie menu" has no name on the screen; the only thing that opens a menu is what is meant.
    return openers[0] if len(openers) == 1 else target(turn, turn.clause.target, menus=False)


def _openers(turn: Turn) -> list[Element]:
    shown = [e for e in turn.scene.top if e.role in ("button", "link", "img") and not has(e, "disabled", "covered")]
    return [e for e in shown if _OPENER.match(e.name.strip())]


def _is_mere_kind(words: str) -> bool:
    """Tell whether a description has no name: "the section below", "all sections"."""
    wanted = read_description(_all_of(words)[0])[-1]
    return not wanted.name and not wanted.ordinal and not wanted.scope and not wanted.anchor


def _all_of(words: str) -> tuple[str, bool]:
    """Take "all" off a description; tell whether more than one thing is meant."""
    plain = mask(words).text
    bare = re.sub(r"(?i)^(?:(?:all|every|each)(?: of)?(?: the)?\s+)", "", plain)
    several = bare != plain or bool(
        re.match(r"(?i)(?:\w+ )*(?:sections|nodes|items|folders|menus|panels|parts|groups)\b", bare)
    )
    return bare, several


def _of_kind(turn: Turn, wanted: str, other: str) -> Element | Move:
    """Give the only thing that can be opened or closed; where all are meant, each of them is a clause."""
    shown = [e for e in turn.scene.top if not has(e, "disabled", "offscreen", "covered") and not e.box.empty]
    closed = [e for e in shown if has(e, other) and e.role != "combobox" and not turn.scene.children(e)]
    verb = "expand" if wanted == "expanded" else "collapse"
    if len(closed) > 1 and _all_of(turn.clause.target)[1]:
        named = [e.name for e in closed]
        if len(set(named)) == len(named) and all(named):
            return Instead(tuple(f"{verb} {quote(name)}" for name in named), f"{len(named)} are to be opened")
    if len(closed) == 1:
        return closed[0]
    openers = _openers(turn)
    if not closed and len(openers) == 1 and wanted == "expanded":
        return openers[0]
    if not closed and any(has(e, wanted) for e in shown):
        return Done(f"all that can be is {wanted}")
    return look_again(turn, turn.clause.target) or target(turn, turn.clause.target, menus=False)
