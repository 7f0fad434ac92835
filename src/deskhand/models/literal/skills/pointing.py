"""Clicks and keys, and what else is done to one place on the screen."""

from __future__ import annotations

import re

from deskhand.core.action import (
    Action,
    At,
    Click,
    DoubleClick,
    Hotkey,
    MoveTo,
    OnElement,
    Press,
    RightClick,
    Scroll,
    Wait,
)
from deskhand.core.geometry import Point
from deskhand.core.observation import Element
from deskhand.models.literal.keys import is_modified, read_keys
from deskhand.models.literal.moves import Act, Ask, Done, Fail, Instead, Move, Turn
from deskhand.models.literal.sight import ask_which, clicked_sign, dialogs, has, look_again, name_of, pick, said, shown
from deskhand.models.literal.skills.committing import only_commit_button
from deskhand.models.literal.skills.extremes import extreme
from deskhand.models.literal.skills.items import as_list
from deskhand.models.literal.skills.menus import MENTIONED, in_menus, only_resembles, usual_in_menus
from deskhand.models.literal.skills.passages import passage_called
from deskhand.models.literal.skills.preferences import in_preferences
from deskhand.models.literal.skills.recorded import click_each, in_record, several
from deskhand.models.literal.skills.results import nth_result
from deskhand.models.literal.skills.scrolling import scroll_on
from deskhand.models.literal.skills.seeking import look_inside
from deskhand.models.literal.skills.uncovering import uncover
from deskhand.perception.ground import Choice, find
from deskhand.perception.naming import distance, same_concept
from deskhand.perception.quoting import mask
from deskhand.perception.scene import FIELDS, MENU_ITEMS, PRESSABLE

MOST_REPEATS = 30
"""How often something is done "until" something else, before it is given up."""
_SCROLLABLE = frozenset({"list", "listbox", "table", "tree", "textbox", "document", "terminal", "group", "grid"})
_CROSS = re.compile(
    r"(?i)^(?:the )?(?:(?:button|icon|sign|symbol|cross)\b.*\s)?(?:x|×|✕|✖|✗|⨯|cross)"
    r"(?: (?:button|icon|sign|symbol|mark))?(?: (?:in|on|of) .*\b(?:dialog|window|box|popup|corner|bar|message)\b.*)?$"
)
_PAGE = 10
_TURN = 4
"""Notches of the wheel by which something is looked for; less than most lists show at a time."""
_MOST_TURNS = 12
"""How far something is looked for in one direction."""
_SLOW_EFFECTS = 3
"""How often it is looked again whether a click has an effect."""


def click(turn: Turn) -> Move:
    """Click what is described: once, twice, with another button, several times, or until something shows."""
    clause, each = turn.clause, several(turn)
    if each is not None:
        return click_each(turn, each)
    if turn.tries and clause.when != "until":
        return after_click(turn, turn.memo.get("what", clause.target))
    if clause.when == "until":
        seen = shown(turn, clause.seen)
        if seen:
            return Done(f"{seen} shows after {turn.tries} times")
        if turn.tries >= MOST_REPEATS:
            return Fail(f"{clause.seen} did not show after {turn.tries} times “{clause.text}”")
    found = target(turn, clause.target)
    return click_on(turn, found) if isinstance(found, Element) else found


def target(turn: Turn, words: str, roles: frozenset[str] = frozenset(), *, menus: bool = True) -> Element | Move:
    """Find what is to be acted on; where it is not there, look again, look into the menus, then ask."""
    found = pick(turn, words, roles)
    special = extreme(turn, words) or nth_result(turn, words) or in_record(turn, words, found)
    if special is None and menus and (turn.count("looked") or turn.clause.among):
        special = look_inside(turn, words, found)
    if special is not None:
        return special
    if isinstance(found, Element) and only_resembles(words, found):
        found = Choice(())
    in_opened_menu = isinstance(found, Element) and turn.memo.get("menus") and found.role in MENU_ITEMS
    if isinstance(found, Element):
        if not in_opened_menu or turn.memo.get("back") or find(words, turn.scene, roles).distance < MENTIONED:
            return found
        found = Choice(())
    if not found.best:
        instead = cross(turn, words) or passage_called(turn, words) or one_by_one(turn, words) or as_list(turn, words)
        if instead:
            return instead
        # What menus usually have is looked for there at once; everything else may only be late.
        looking = turn.count("looked") and menus and usual_in_menus(turn, words)
        searched = in_menus(turn, words) if looking or turn.memo.get("menus") else None
        if in_opened_menu and isinstance(searched, Act):
            return _partly_there(turn, searched)
        waiting = searched or _back_to_menu(turn) or look_again(turn, words) or look_further(turn, words)
        last = waiting or only_commit_button(turn, words) or scroll_on(turn, words)
        last = last or (in_menus(turn, words) if menus else None) or in_preferences(turn, words)
        if last is not None:
            return last
    return ask_which(turn, words, found)


def cross(turn: Turn, words: str) -> Element | None:
    """Give what closes something, where it is called by the cross it shows: "the x in the dialog"."""
    if not _CROSS.match(mask(words).plain.strip()):
        return None
    pool = [e for around in dialogs(turn) for e in turn.scene.within(around)] or turn.scene.top
    closing = [e for e in pool if e.role in ("button", "link") and same_concept("close", e.name)]
    return closing[0] if len(closing) == 1 else None


def _partly_there(turn: Turn, searching: Act) -> Act:
    """Keep in mind that the menu that was opened last has a part of the name: another may have all of it."""
    menu = [name for name in turn.memo["menus"].split("\n") if ">" not in name][-1]
    partly = " ".join([*turn.memo.get("partly", "").split(), menu])
    return searching._replace(memo={**searching.memo, "partly": partly})


def _back_to_menu(turn: Turn) -> Act | None:
    """Open the only menu that has a part of the name once more, when none has all of it."""
    partly = turn.memo.get("partly", "").split()
    if len(partly) != 1 or turn.memo.get("back"):
        return None
    return turn.prepare(Click(target=OnElement(id=partly[0])), thought="go back to the menu that has it", back="1")


def look_further(turn: Turn, words: str) -> Act | None:
    """Scroll down, then up, to see whether it is further along; None when all has been seen.

    A document is left where it is: only text is to be found there.
    """
    bars = [e for e in turn.scene.top if e.role == "scrollbar" and e.box.height > e.box.width]
    scrolled, way = turn.count("scrolled"), turn.memo.get("way", "down")
    if not bars or any(has(e, "multiline") and has(e, "editable") for e in turn.scene.top):
        return None
    if scrolled and (not turn.changed or scrolled % _MOST_TURNS == 0):
        if way == "up":
            return None
        way = "up"
    bar = max(bars, key=lambda e: e.box.area)
    # Over the bar itself: over a number or a list of options the wheel would change what is set.
    wheel = Scroll(clicks=_TURN if way == "up" else -_TURN, target=At(point=bar.box.center))
    thought = f"scroll {way} to look for {mask(words).plain}"
    return turn.prepare(wheel, thought=thought, scrolled=str(scrolled + 1), way=way)


def one_by_one(turn: Turn, words: str) -> Instead | None:
    """Take "Bold and Italic" apart when there is no such control, but one of each."""
    ways = (parts_of(words, and_too=False), parts_of(words))
    spelled = next((way for way in ways if len(way) > 1 and all(find(p, turn.scene).best for p in way)), None)
    if spelled is None:
        return None
    head, _, tail = turn.clause.text.partition(words)
    return Instead(tuple(f"{head}{part}{tail}" for part in spelled), f"{len(spelled)} things are meant")


def parts_of(words: str, *, and_too: bool = True) -> list[str]:
    """Give the names in "A, B and C"; a name may have an "and" of its own, where commas part them."""
    phrase = mask(words)
    joint = r"\s*,\s*(?:and\s+)?|\s+and\s+" if and_too else r"\s*,\s*(?:and\s+)?"
    parts = [p.strip() for p in re.split(joint, phrase.text) if p.strip()]
    return [phrase.part(part).spelled for part in parts]


def click_on(turn: Turn, element: Element) -> Move:
    """Click an element as the clause says."""
    if has(element, "disabled"):
        return disabled(turn, element)
    what = said(element, turn.scene)
    place = OnElement(id=element.id)
    actions: tuple[Action, ...]
    match turn.clause.mode if turn.clause.kind == "click" else "":
        case "double":
            actions = (DoubleClick(target=place),)
        case "right":
            actions = (RightClick(target=place),)
        case "middle":
            actions = (Click(target=place, button="middle"),)
        case _:
            actions = (Click(target=place),) * (turn.clause.times if turn.clause.kind in ("click", "press") else 1)
    return turn.act(*actions, thought=f"click the {what}", what=what)


def disabled(turn: Turn, element: Element) -> Move:
    """Wait a little for a control that is greyed out, then say so."""
    what = said(element, turn.scene)
    return look_again(turn, f"the {what} to be enabled") or Fail(f"the {what} is disabled (greyed out)")


def after_click(turn: Turn, what: str) -> Move:
    """Judge what came of a click."""
    if turn.failed:
        if turn.tries < 2 and turn.memo.get("again") is None:
            found = pick(turn, turn.clause.target or turn.clause.value)
            clearing = uncover(turn, found) if isinstance(found, Element) else None
            if clearing is not None:
                return clearing
            over = "covered" in turn.failed and isinstance(found, Element) and found.source == "dom"
            if isinstance(found, Element) and not has(found, "disabled") and not over:
                point = At(point=found.box.center)
                return turn.act(Click(target=point), thought=f"try again at its middle: {turn.failed}", again="1")
        return Fail(f"clicking the {what} failed: {turn.failed}")
    if turn.done or turn.changed or clicked_sign(turn):
        return Done(f"clicked the {what}")
    if turn.count("waited") < _SLOW_EFFECTS:
        waited = str(turn.count("waited") + 1)
        return turn.again(Wait(seconds=0.5), "looking whether it has an effect", waited=waited)
    if same_concept("clear", turn.clause.target or turn.clause.value):
        return Done(f"clicked the {what}; there was nothing to be cleared")
    return Fail(f"the {what} was clicked, and nothing on the screen has changed")


def press(turn: Turn) -> Move:
    """Press keys; where a control is called like the key ("press 5", "press Delete"), click that."""
    clause = turn.clause
    chords = read_keys(clause.value)
    if chords is None:
        return Fail(f"{clause.value!r} names no key")
    if turn.tries and clause.when != "until":
        return _after_keys(turn)
    if clause.when == "until":
        seen = shown(turn, clause.seen)
        if seen or turn.tries >= MOST_REPEATS:
            return Done(f"{seen} shows") if seen else Fail(f"{clause.seen} did not show after {turn.tries} times")
    closing = cross(turn, clause.value) if re.search(r"(?i)\bthe\b", clause.text) else None
    if closing is not None:
        return click_on(turn, closing)
    if clause.mode == "or_click" and not is_modified(chords) and len(chords) == 1:
        button = _called_like_key(turn, clause.value)
        if button:
            return click_on(turn, button)
    keys = [chord for _ in range(clause.times if len(chords) > 1 else 1) for chord in chords]
    times = 1 if len(chords) > 1 else clause.times
    actions = tuple(a for chord in keys for a in _strokes(chord, times))
    return turn.act(*actions, thought=f"press {clause.value}", what=clause.value)


def _strokes(chord: tuple[str, ...], times: int) -> tuple[Action, ...]:
    if len(chord) > 1:
        return (Hotkey(keys=chord),) * times
    return (Press(keys=chord, presses=times),)


def _called_like_key(turn: Turn, key: str) -> Element | None:
    choice = find(key, turn.scene, frozenset({"button", "link"}))
    element = choice.only
    if element is None or has(element, "disabled"):
        return None
    return element if distance(key, name_of(element, turn.scene)) <= 2 else None


def _after_keys(turn: Turn) -> Move:
    if turn.failed:
        return Fail(f"pressing {turn.clause.value} failed: {turn.failed}")
    what = turn.memo.get("what", turn.clause.value)
    if turn.done or turn.changed:
        return Done(f"pressed {what}")
    return Done(f"pressed {what}, though nothing on the screen has changed")


def focus(turn: Turn) -> Move:
    """Give the keyboard to a field."""
    if turn.failed:
        return Fail(turn.failed)
    found = target(turn, turn.clause.target, FIELDS | {"document", "cell", "list", "table"}, menus=False)
    if not isinstance(found, Element):
        return found
    if has(found, "focused") or turn.tries:
        return Done(f"the {said(found, turn.scene)} has the keyboard")
    return turn.act(Click(target=OnElement(id=found.id)), thought=f"click into the {said(found, turn.scene)}")


def hover(turn: Turn) -> Move:
    """Put the pointer over something."""
    if turn.tries:
        return Fail(turn.failed) if turn.failed else Done(f"the pointer is over {turn.clause.target}")
    found = target(turn, turn.clause.target, menus=False)
    if not isinstance(found, Element):
        return found
    return turn.act(MoveTo(target=OnElement(id=found.id)), thought=f"point at the {said(found, turn.scene)}")


def scroll(turn: Turn) -> Move:
    """Turn the wheel over what is named, else over the largest thing that can be scrolled."""
    if turn.tries:
        if turn.failed:
            return Fail(f"scrolling failed: {turn.failed}")
        moved = turn.done or turn.changed
        return (
            Done(f"scrolled {turn.clause.mode}")
            if moved
            else Fail("nothing moved: it is at its end, or does not scroll")
        )
    area = scroll_area(turn)
    if isinstance(area, Ask | Act | Fail):
        return area
    notches = max(1, round(turn.clause.amount)) if turn.clause.amount != 1 else 3
    wheel, memo = turn_wheel(turn, turn.clause.mode, notches, area)
    return turn.act(wheel, thought=f"scroll {turn.clause.mode}", **memo)


def turn_wheel(turn: Turn, way: str, notches: int, area: Element | None) -> tuple[Scroll, dict[str, str]]:
    """Turn the wheel where it was turned before, else in the middle of an area; give what to remember."""
    known = turn.memo.get("at") or (f"{area.box.center.x},{area.box.center.y}" if area else "")
    place = At(point=Point(*map(int, known.split(",")))) if known else None
    up = {"up": notches, "down": -notches}.get(way, 0)
    right = {"right": notches, "left": -notches}.get(way, 0)
    return Scroll(clicks=up, right=right, target=place), {"at": known}


def scroll_area(turn: Turn) -> Element | Ask | Act | Fail | None:
    """Give what is to be scrolled."""
    if turn.clause.kind == "scroll" and turn.clause.target:
        found = pick(turn, turn.clause.target)
        if isinstance(found, Element):
            return found
        return look_again(turn, turn.clause.target) or ask_which(turn, turn.clause.target, found)
    areas = [e for e in turn.scene.top if e.role in _SCROLLABLE and not has(e, "offscreen")]
    single = [e for e in areas if e.role != "group" and (e.role != "textbox" or has(e, "multiline"))]
    return max(single or areas, key=lambda e: e.box.area, default=None)


def scroll_to(turn: Turn) -> Move:
    """Scroll until something shows, or to an end."""
    clause = turn.clause
    if clause.target and not clause.mode:
        found = find(clause.target, turn.scene)
        if (
            found.only
            and not has(found.only, "offscreen", "covered")
            and found.only.role in PRESSABLE | FIELDS | {"label"}
        ):
            return Done(f"the {said(found.only, turn.scene)} is in view")
    if turn.failed:
        return Fail(f"scrolling failed: {turn.failed}")
    way = "up" if clause.mode in ("top", "beginning", "start", "up") or turn.memo.get("back") else "down"
    at_end = turn.tries > 0 and not turn.changed
    if at_end and clause.mode:
        return Done(f"it is at the {'top' if way == 'up' else 'bottom'}")
    if (at_end and turn.memo.get("back")) or turn.tries >= 2 * MOST_REPEATS:
        return Fail(f"{clause.target or clause.mode} did not come into view")
    back = {"back": "1"} if at_end else {}
    way = "up" if back else way
    area = scroll_area(turn)
    if isinstance(area, Ask | Act | Fail):
        return area
    notches = 50 if clause.mode else _PAGE if back else 4
    wheel, memo = turn_wheel(turn, way, notches, area)
    return turn.act(wheel, thought=f"scroll {way}", **back, **memo)


def sort(turn: Turn) -> Move:
    """Sort a table by the column that is named: its header is clicked; without one, the menus may have it."""
    words = turn.clause.target
    if turn.tries:
        return after_click(turn, turn.memo.get("what", words))
    column = pick(turn, words, frozenset({"columnheader"}))
    if isinstance(column, Choice):
        column = pick(turn, f"by {words}", MENU_ITEMS)
    if isinstance(column, Choice):
        waiting = look_again(turn, f"a column {words}") or in_menus(turn, f"by {words}", "view_menu")
        if not isinstance(waiting, Element):
            return waiting or ask_which(turn, words, column)
        column = waiting
    return click_on(turn, column)
