"""Controls that are set: check boxes, switches, tabs, sliders, numbers, whatever has a value."""

from __future__ import annotations

import re
from fractions import Fraction

from deskhand.core.action import Click, OnElement, Press, SelectOption, SetValue, Write
from deskhand.core.observation import Element
from deskhand.models.literal.arithmetic import read_number
from deskhand.models.literal.moves import Act, Ask, Done, Fail, Instead, Move, Turn
from deskhand.models.literal.sight import ask_which, has, is_on, look_again, name_of, open_items, pick, said, shown
from deskhand.models.literal.skills.choices import NOTHING, choose_in_combo
from deskhand.models.literal.skills.colours import set_colour
from deskhand.models.literal.skills.pointing import after_click, disabled, target
from deskhand.models.literal.skills.sliding import each_slider, is_slider, slide
from deskhand.perception.ground import Choice, find
from deskhand.perception.quoting import quote
from deskhand.perception.scene import CHECKABLE, Scene

_ON = frozenset({"on", "checked", "enabled", "true", "yes", "ticked"})
_OFF = frozenset({"off", "unchecked", "disabled", "false", "no", "unticked"})
_ALL = re.compile(
    r"(?i)^(?:all|every|each)(?: of)?(?: the)?\s*(?:check ?box(?:es)?|boxes|box|options|switch(?:es)?|settings)$"
)
_MOST_PRESSES = 250
_SETTABLE = frozenset({"textbox", "password", "combobox", "spinbutton", "slider", "searchbox", "scrollbar", "list"})
_SETTABLE |= {"listbox"}


def toggle(turn: Turn) -> Move:
    """Bring a check box, switch or toggle button to on or off, and see that it is."""
    clause = turn.clause
    if clause.menu:
        return _toggle_in_menu(turn)
    if NOTHING.match(clause.target) and not shown(turn, clause.target):
        return Done("nothing was to be switched")
    if _ALL.match(clause.target) and clause.mode != "flip":
        return _toggle_all(turn)
    found = _switch(turn)
    if not isinstance(found, Element):
        return found
    what = said(found, turn.scene)
    wanted = _wanted(turn, found)
    if turn.tries and found.role not in ("menuitem", "menuitemcheckbox", "menuitemradio"):
        return _after_toggle(turn, found, wanted)
    if turn.memo.get("item"):
        return after_click(turn, what)
    if is_on(found) == wanted and found.role in (*CHECKABLE, "button"):
        return Done(f"the {what} was {'on' if wanted else 'off'} already")
    if has(found, "disabled"):
        return disabled(turn, found)
    item = {"item": "1"} if found.role in ("menuitem", "menuitemcheckbox", "menuitemradio") else {}
    action = Click(target=OnElement(id=found.id))
    return turn.act(
        action, thought=f"turn the {what} {'on' if wanted else 'off'}", id=found.id, flip=str(wanted), what=what, **item
    )


def _toggle_all(turn: Turn) -> Move:
    """Switch every check box there is, one clause each."""
    boxes = [e for e in turn.scene.top if e.role in ("checkbox", "switch") and not has(e, "disabled", "offscreen")]
    wanted = turn.clause.mode == "on"
    others = [name_of(b, turn.scene) for b in boxes if is_on(b) != wanted]
    if not boxes:
        return look_again(turn, "check boxes") or Fail("there are no check boxes here")
    verb = "check" if wanted else "uncheck"
    if not others:
        return Done(f"all {len(boxes)} check boxes are {turn.clause.mode}")
    return Instead(
        (*(f"{verb} {quote(name)}" for name in others), turn.clause.text), f"{len(others)} are to be switched"
    )


def _wanted(turn: Turn, element: Element) -> bool:
    if turn.clause.mode == "flip":
        return turn.memo["flip"] == "True" if "flip" in turn.memo else not is_on(element)
    return turn.clause.mode == "on"


def _switch(turn: Turn) -> Element | Move:
    if turn.memo.get("item") and turn.tries:
        if turn.failed:
            return Fail(f"it could not be switched: {turn.failed}")
        return Done(f"chose the {turn.memo['what']}")
    known = turn.scene.get(turn.memo.get("id", ""))
    if known:
        return known
    words = turn.clause.target
    for roles in (CHECKABLE, frozenset({"button"}), frozenset({"listitem", "row", "cell", "treeitem", "option"})):
        choice = find(words, turn.scene, roles)
        if choice.best and choice.distance < 45:
            if choice.only:
                return choice.only
            break
    return target(turn, words, CHECKABLE | {"button"})


def _after_toggle(turn: Turn, element: Element, wanted: bool) -> Move:
    what = said(element, turn.scene)
    if is_on(element) == wanted and (element.role in CHECKABLE or turn.changed or turn.done):
        return Done(f"the {what} is {'on' if wanted else 'off'}")
    if element.role == "button" and (turn.done or turn.changed) and not turn.failed:
        return Done(f"pressed the {what}")
    if turn.tries < 2:
        value = SetValue(target=OnElement(id=element.id), value="on" if wanted else "off")
        return turn.act(value, thought=f"set the {what} through its interface")
    if element.role in CHECKABLE:
        return Fail(
            f"the {what} does not stay {'on' if wanted else 'off'}" + (f": {turn.failed}" if turn.failed else "")
        )
    return Fail(turn.failed or f"the {what} did not react")


def _toggle_in_menu(turn: Turn) -> Move:
    """Open the menu, look how the item stands, and choose it when it stands otherwise."""
    clause, items = turn.clause, open_items(turn.scene)
    if turn.memo.get("item"):
        if turn.failed:
            return Fail(f"it could not be switched: {turn.failed}")
        return Done(f"{clause.target} was switched {clause.mode} in the menu {clause.menu}")
    if turn.memo.get("opened"):
        choice = find(clause.target, Scene(items))
        if choice.only:
            on = is_on(choice.only)
            if choice.only.role in CHECKABLE and on == (clause.mode == "on"):
                return Instead(("press Escape",), f"{clause.target} is {clause.mode} already")
            return turn.act(Click(target=OnElement(id=choice.only.id)), thought=f"choose {clause.target}", item="1")
        return look_again(turn, clause.target) or ask_which(turn, clause.target, choice)
    menu = pick(turn, f"{clause.menu} menu")
    if isinstance(menu, Choice):
        return look_again(turn, clause.menu) or ask_which(turn, f"{clause.menu} menu", menu)
    return turn.prepare(Click(target=OnElement(id=menu.id)), thought=f"open the {said(menu, turn.scene)}", opened="1")


def set_to(turn: Turn) -> Move:
    """Set a control to a value, in the way its kind takes one."""
    clause = turn.clause
    drawn = _drawn(turn)
    if drawn is not None:
        return drawn
    known = turn.scene.get(turn.memo.get("id", ""))
    found = known or _control(turn)
    if not isinstance(found, Element):
        return found
    if has(found, "disabled", "readonly"):
        return disabled(turn, found)
    if found.role == "combobox" and not (has(found, "editable") and turn.tries > 2):
        return choose_in_combo(turn, found, clause.value)
    if found.role in CHECKABLE and clause.value.lower() in _ON | _OFF:
        mode = "on" if clause.value.lower() in _ON else "off"
        return Instead((f"turn {'on' if mode == 'on' else 'off'} {clause.target}",), "it is switched on and off")
    if found.role in ("slider", "spinbutton", "scrollbar") or "set_value" in found.actions:
        return set_number(turn, found, clause.value)
    if found.role in ("list", "listbox"):
        return Instead((f"choose {quote(clause.value)} from {clause.target}",), "it is a list")
    if found.role in CHECKABLE | {"button"}:
        return Ask(f"“{clause.text}”: the {said(found, turn.scene)} is on or off. Which of the two?")
    return Instead((f"fill in {clause.target} with {quote(clause.value)}",), "it takes text")


def _drawn(turn: Turn) -> Move | None:
    """Set what a page draws itself in its own way."""
    several = each_slider(turn) if not turn.memo else None
    if several is not None:
        return several
    if is_slider(turn.clause.target) and not any(e.role in ("slider", "scrollbar") for e in turn.scene.top):
        return slide(turn)
    return set_colour(turn)


def _control(turn: Turn) -> Element | Move:
    words = turn.clause.target
    choice = find(words, turn.scene, _SETTABLE | CHECKABLE)
    if choice.only and choice.distance < 60:
        return choice.only
    value = find(turn.clause.value, turn.scene, frozenset({"radio", "menuitemradio"}))
    if not choice.best and value.only and value.distance <= 4:
        return Instead((f"choose {quote(name_of(value.only, turn.scene))}",), "it is one of several choices")
    return target(turn, words, _SETTABLE | CHECKABLE, menus=False)


def set_number(turn: Turn, element: Element, value: str) -> Move:
    """Set a slider or spin button, and see that it took the number."""
    what = said(element, turn.scene)
    wanted = read_number(value.rstrip("%"))
    if wanted is None and element.value and read_number(element.value) is None:
        return Instead(
            (f"fill in {turn.clause.target} with {quote(value)}",), "it holds a date or a time, not a number"
        )
    if wanted is None:
        return Fail(f"{value!r} is no number, and the {what} takes nothing else")
    shown = read_number(element.value.rstrip("%"))
    if shown is not None and abs(shown - wanted) <= abs(wanted) * Fraction(1, 10**6):
        return Done(f"the {what} is at {element.value}")
    number = str(float(wanted)).removesuffix(".0")
    place = OnElement(id=element.id)
    if not turn.tries:
        return turn.act(SetValue(target=place, value=number), thought=f"set the {what} to {number}", id=element.id)
    if turn.tries < 2 and element.role == "spinbutton":
        typed = Write(message=number, target=place, replace=True)
        return turn.act(typed, Press(keys=("enter",)), thought=f"write {number} into the {what}")
    if turn.tries < 3 and element.role == "spinbutton" and shown is not None and (wanted - shown).denominator == 1:
        key, times = ("up", int(wanted - shown)) if wanted > shown else ("down", int(shown - wanted))
        keys = Press(keys=(key,), presses=min(times, _MOST_PRESSES))
        return turn.act(Click(target=place), keys, thought=f"bring the {what} to {number} by keys")
    stands = f" It stands at {element.value}." if element.value else ""
    return Fail(f"the {what} does not take {number}.{stands}" + (f" {turn.failed}" if turn.failed else ""))


def step(turn: Turn) -> Move:
    """Raise or lower a number by an amount."""
    known = turn.scene.get(turn.memo.get("id", ""))
    found = known or target(turn, turn.clause.target, frozenset({"slider", "spinbutton", "textbox"}), menus=False)
    if not isinstance(found, Element):
        return found
    if "goal" in turn.memo:
        return set_number(turn, found, turn.memo["goal"])
    now = read_number(found.value.rstrip("%"))
    if now is None:
        return Fail(f"the {said(found, turn.scene)} shows no number, but {found.value!r}")
    usual = 10 if found.role == "slider" else 1
    change = Fraction(turn.clause.amount or usual).limit_denominator(10**6)
    goal = str(float(now + change if turn.clause.mode == "up" else now - change)).removesuffix(".0")
    if found.role == "textbox" and "set_value" not in found.actions:
        return Instead((f"fill in {turn.clause.target} with {quote(goal)}",), f"{found.value} becomes {goal}")
    move = set_number(turn, found, goal)
    return move._replace(memo={**move.memo, "goal": goal}) if isinstance(move, Act) else move


def tab(turn: Turn) -> Move:
    """Switch to a tab, and see that it is selected."""
    known = turn.scene.get(turn.memo.get("id", ""))
    words = turn.clause.target
    if turn.tries and known is None:
        return after_click(turn, turn.memo.get("what", words))
    found: Element | Move = known or _tab(turn)
    if not isinstance(found, Element):
        return found
    what = said(found, turn.scene)
    if has(found, "selected", "pressed", "checked"):
        return Done(f"the {what} is shown")
    if turn.tries:
        if turn.failed:
            return Fail(f"the {what} could not be shown: {turn.failed}")
        if found.role != "tab" and (turn.done or turn.changed):
            return Done(f"the {what} was clicked")
        if turn.tries < 2:
            parent = turn.scene.get(found.parent)
            option = SelectOption(
                target=OnElement(id=parent.id if parent else found.id), value=name_of(found, turn.scene)
            )
            return turn.act(option, thought=f"select the {what} through its interface")
        return Fail(f"the {what} was clicked and is not selected")
    return turn.act(Click(target=OnElement(id=found.id)), thought=f"switch to the {what}", id=found.id, what=what)


def _tab(turn: Turn) -> Element | Move:
    choice = find(turn.clause.target, turn.scene, frozenset({"tab"}))
    if choice.only:
        return choice.only
    if re.match(r"(?i)(?:next|previous)$", turn.clause.target):
        return Instead((f"press ctrl+Page {'Down' if turn.clause.target.lower() == 'next' else 'Up'}",), "it has keys")
    return target(
        turn, turn.clause.target, frozenset({"tab", "radio", "listitem", "button", "row", "treeitem"}), menus=False
    )
