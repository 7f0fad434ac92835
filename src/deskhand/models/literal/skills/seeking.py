"""Looking for what is out of sight by opening what can be opened, one thing a step: tabs, sections, branches, pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deskhand.core.action import Action, Click, MoveTo, OnElement, Wait
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Act, Done, Move, Turn
from deskhand.models.literal.sight import ask_which, has, look_again, pick, said
from deskhand.perception.ground import Choice
from deskhand.perception.quoting import mask

_MOST = 24
"""How many things are opened for one clause at most."""
_LONGEST = 8
"""How often it is looked whether something still moves."""
_NEXT = re.compile(r"(?i)^(?:>|›|»|→|▶|►|next|next page|older|more|load more|show more|more results|older posts)$")
_NUMBER = re.compile(r"^\d{1,3}$")
_PRESSED = frozenset({"button", "link", "label", "listitem", "cell", "heading", "img", "option"})
_NEVER = frozenset({"combobox", "textbox", "menubar", "window", "dialog"})


def seek(turn: Turn) -> Move:
    """Bring into view what is described."""
    words = turn.clause.target
    found = pick(turn, words)
    further = look_inside(turn, words, found)
    if further is not None:
        return further
    if isinstance(found, Element):
        return Done(f"the {said(found, turn.scene)} is in view")
    return look_again(turn, words) or ask_which(turn, words, found)


def look_inside(turn: Turn, words: str, found: Element | Choice) -> Act | None:
    """Open the next thing that may hold what is looked for; None when it is found or all has been looked into.

    Where the request says that one of several parts has it, a text in quotes is looked for as it is written in all of
    them before one that only reads alike is taken.
    """
    if not any(e.source == "dom" for e in turn.scene.elements) and not turn.clause.among:
        return None  # a window of an application keeps its tabs; its menus are looked into
    if isinstance(found, Element) and (not turn.clause.among or _is_exactly(turn, found, words)):
        return _moving(turn)
    if isinstance(found, Choice) and found.best and not turn.clause.among:
        return None
    opened = turn.memo.get("inside", "").split()
    if turn.memo.get("back_at"):
        return None
    alike = {"alike": opened[-1] if opened else ""} if _best(found) and "alike" not in turn.memo else {}
    following = next((e for e in _openable(turn) if e.id not in opened), None)
    if following is not None and len(opened) < _MOST:
        seen = " ".join([*opened, following.id])
        thought = f"look for {mask(words).plain} behind the {said(following, turn.scene)}"
        return turn.prepare(_opening(following), thought=thought, inside=seen, looked="0", **alike)
    return _back(turn, turn.memo.get("alike", alike.get("alike", "")), found)


def _moving(turn: Turn) -> Act | None:
    """Wait until what was opened rests, so that what is in it does not slide away from under a click."""
    if not turn.memo.get("inside") or turn.memo.get("rests") == turn.looks or turn.count("moved") >= _LONGEST:
        return None
    moved = str(turn.count("moved") + 1)
    return turn.again(Wait(seconds=0.15), "looking whether it still moves", rests=turn.looks, moved=moved)


def _best(found: Element | Choice) -> bool:
    return isinstance(found, Element) or bool(found.best)


def _is_exactly(turn: Turn, found: Element, words: str) -> bool:
    phrase = mask(words)
    if len(phrase.quotes) != 1:
        return True
    return any(name == phrase.quotes[0].strip() for name in turn.scene.names(found))


def _back(turn: Turn, opener: str, found: Element | Choice) -> Act | None:
    """Open once more what has something that only reads alike, when nothing is called exactly so."""
    element = turn.scene.get(opener)
    if _best(found) or element is None:
        return None
    thought = f"go back to what the {said(element, turn.scene)} shows"
    return turn.prepare(_opening(element), thought=thought, back_at=opener, looked="0")


def _opening(element: Element) -> Action:
    place = OnElement(id=element.id)
    # The pointer is enough for a menu within a menu; a click there may already choose something.
    return MoveTo(target=place) if element.role == "menuitem" else Click(target=place)


def _openable(turn: Turn) -> Iterator[Element]:
    """Give what shows more when it is opened: what says so, else what a page lines up for it, then further pages."""
    shown = [e for e in turn.scene.top if not has(e, "disabled", "offscreen", "covered") and not e.box.empty]
    closed = [e for e in shown if e.role not in _NEVER and _is_closed(e)]
    yield from closed
    kind = turn.clause.among
    if kind and not any(e.role == "tab" or has(e, "collapsed", "expanded") for e in shown):
        yield from _lined_up(shown, across=not kind.startswith(("section", "panel", "accordion", "part", "heading")))
    further = next_page(shown)
    if further is not None:
        yield further


def _is_closed(element: Element) -> bool:
    if element.role == "tab":
        return not has(element, "selected", "expanded")
    return has(element, "collapsed") or (element.role == "menuitem" and has(element, "haspopup"))


def _lined_up(shown: Sequence[Element], *, across: bool) -> Iterator[Element]:
    """Give the controls that stand in the only line of such on the page: tabs without a role, headings of sections."""
    pressed = [e for e in shown if e.role in _PRESSED and "press" in e.actions and e.name]
    lines: dict[tuple[object, ...], list[Element]] = {}
    for e in pressed:
        box = e.box
        key = (e.role, box.top, box.height) if across else (e.role, box.left, box.width, box.height)
        lines.setdefault(key, []).append(e)
    several = [line for line in lines.values() if len(line) > 1 and not next_page(line)]
    # Links in one line are more often part of a text than buttons are.
    buttons = [line for line in several if line[0].role == "button"]
    for only in (buttons, several):
        if len(only) == 1:
            yield from only[0]
            return


def next_page(shown: Sequence[Element]) -> Element | None:
    """Give what leads to the next of several pages: only where it stands beside the numbers of pages."""
    pressed = [e for e in shown if e.role in ("link", "button") and not has(e, "disabled")]
    for element in pressed:
        if not _NEXT.match(element.name.strip()):
            continue
        beside = [o for o in pressed if o is not element and abs(o.box.center.y - element.box.center.y) <= 6]
        if any(_NUMBER.match(o.name.strip()) for o in beside) or re.match(r"(?i).*\b(?:more|page)\b", element.name):
            return element
    return None
