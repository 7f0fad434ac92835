"""Choosing one of several: in lists, combo boxes and groups of radio buttons."""

from __future__ import annotations

import re

from deskhand.core.action import At, Click, OnElement, Press, Scroll, SelectOption, SetValue, Write
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Ask, Done, Fail, Instead, Move, Turn
from deskhand.models.literal.sight import ITEMS, ask_which, dialogs, has, is_on, look_again, name_of, pick, said, shown
from deskhand.models.literal.skills.menus import ESCAPE
from deskhand.models.literal.skills.pointing import click_on, disabled, parts_of, target
from deskhand.perception.description import read_description
from deskhand.perception.ground import Choice, find
from deskhand.perception.naming import distance, fold
from deskhand.perception.quoting import mask, quote
from deskhand.perception.scene import Scene

NOTHING = re.compile(r"(?i)^(?:nothing|none(?: of (?:them|these|the \w+(?: ?\w+)?))?|no \w+)$")
_MOST_TURNS = 20
"""Notches of the wheel by which an option is looked for in a list."""
_LISTS = frozenset({"list", "listbox", "table", "tree", "tablist", "group", "menu"})
_CHOICES = frozenset({"radio", "option", "listitem", "row", "cell", "treeitem", "tab"})


def choose(turn: Turn) -> Move:
    """Choose an option: in the list or combo box that is named, else wherever it is."""
    clause = turn.clause
    if NOTHING.match(clause.value) and not shown(turn, clause.value):
        return Done("nothing was to be chosen")
    if not clause.target:
        return _choose_anywhere(turn)
    known = turn.scene.get(turn.memo.get("in", ""))
    container: Element | Choice = known or pick(turn, clause.target, _LISTS | {"combobox"})
    if isinstance(container, Choice):
        opener = _opener(turn)
        if opener is not None:
            return opener
        whole = pick(turn, f"{clause.value} in {clause.target}")
        if isinstance(whole, Element) or turn.tries:
            return _choose_item(
                turn, whole if isinstance(whole, Element) else None, f"{clause.value} in {clause.target}"
            )
        return look_again(turn, clause.target) or ask_which(turn, clause.target, container)
    several = None if turn.memo else _several(turn, container)
    if several:
        return several
    if container.role == "combobox":
        return choose_in_combo(turn, container, mask(clause.value).plain)
    return _choose_in_list(turn, container)


def _opener(turn: Turn) -> Move | None:
    """Choose in a list that a page draws itself, by what opens it and is called so."""
    if turn.memo.get("picked"):
        return _after_choice(turn, None, turn.clause.value)
    if turn.memo.get("face"):
        return _through_face(turn, mask(turn.clause.value).plain)
    wanted = read_description(turn.clause.target)[-1]
    if wanted.kind not in ("combobox", "list", "menu") or not wanted.name:
        return None
    face = find(quote(wanted.name), turn.scene, frozenset({"button", "link", "label"})).only
    return _open_face(turn, face) if face is not None and "press" in face.actions else None


def _several(turn: Turn, container: Element) -> Instead | None:
    """Take "A, B and C from the list" apart, where the list has such, and none of the whole name."""
    words = turn.clause.value
    inside = Scene([container, *turn.scene.within(container)])
    parts = parts_of(words)
    if len(parts) < 2 or find(words, inside).best or not any(find(part, inside).best for part in parts):
        return None
    _, _, tail = turn.clause.text.partition(words)
    return Instead(tuple(f"choose {part}{tail}" for part in parts), f"{len(parts)} things are meant")


def _choose_anywhere(turn: Turn) -> Move:
    words = turn.clause.value
    if turn.tries:
        return _choose_item(turn, None, words)
    found = pick(turn, words, _CHOICES)
    if isinstance(found, Choice):
        anything = target(turn, words)
        if isinstance(anything, Element):
            return _choose_item(turn, anything, words)
        if not isinstance(anything, Ask):
            return anything
        return _offer_of_combo(turn, words) or (ask_which(turn, words, found) if found.best else anything)
    return _choose_item(turn, found, words)


def _offer_of_combo(turn: Turn, words: str) -> Move | None:
    """Use the only combo box there is, when nothing else is called so."""
    combos = [e for e in turn.scene.top if e.role == "combobox" and not has(e, "disabled")]
    return choose_in_combo(turn, combos[0], mask(words).plain) if len(combos) == 1 else None


def _choose_item(turn: Turn, found: Element | None, words: str) -> Move:
    known = turn.scene.get(turn.memo.get("id", ""))
    if turn.tries:
        return _after_choice(turn, known, words)
    if found is None:
        return look_again(turn, words) or Fail(f"{words} is not there any more")
    if has(found, "disabled"):
        return disabled(turn, found)
    what = said(found, turn.scene)
    if found.role == "combobox" and not has(found, "editable"):
        return click_on(turn, found)
    if found.role in _CHOICES and (has(found, "selected") or (found.role == "radio" and is_on(found))):
        return Done(f"the {what} is chosen already")
    return turn.act(Click(target=OnElement(id=found.id)), thought=f"choose the {what}", id=found.id, what=what)


def _after_choice(turn: Turn, element: Element | None, words: str) -> Move:
    what = turn.memo.get("what", words)
    if turn.failed:
        return Fail(f"the {what} could not be chosen: {turn.failed}")
    if element is not None and element.role == "radio":
        if is_on(element):
            return Done(f"the {what} is chosen")
        again = SetValue(target=OnElement(id=element.id), value="on")
        return (
            turn.act(again, thought="set it through its interface") if turn.tries < 2 else Fail(f"the {what} stays off")
        )
    if element is not None and element.role in _CHOICES and _selected(turn, element):
        return Done(f"the {what} is chosen")
    if turn.done or turn.changed:
        return Done(f"clicked the {what}")
    if turn.tries < 2 and element is not None:
        return turn.act(Click(target=OnElement(id=element.id)), thought="try once more")
    return Fail(f"the {what} was clicked, and nothing has changed")


def _selected(turn: Turn, element: Element) -> bool:
    """Tell whether an item, a part of it, or its row is selected."""
    near = [element, *turn.scene.within(element), *(a for a in turn.scene.above(element) if a.role in ITEMS)]
    return any(has(e, "selected", "focused") for e in near)


def _choose_in_list(turn: Turn, container: Element) -> Move:
    words = turn.clause.value
    inside = [container, *turn.scene.within(container)]
    choice = find(words, Scene(inside))
    element = choice.only
    if turn.tries:
        return _after_choice(turn, turn.scene.get(turn.memo.get("id", "")) or element, words)
    if element is None and choice.best:
        return ask_which(turn, words, choice)
    if element is not None and has(element, "selected"):
        return Done(f"the {said(element, turn.scene)} is chosen already")
    if element is not None and "select" in container.actions:
        # A click would take the choice away from what was chosen before, where several may be.
        option = SelectOption(target=OnElement(id=container.id), value=name_of(element, turn.scene))
        what = said(element, turn.scene)
        return turn.act(option, thought=f"choose the {what}", id=element.id, what=what)
    if element is None:
        # A list that takes a name knows also those of its options that are scrolled out of sight.
        waiting = None if "select" in container.actions and turn.count("looked") else look_again(turn, words)
        option = SelectOption(target=OnElement(id=container.id), value=mask(words).plain)
        return waiting or turn.act(option, thought=f"choose {words} in the {said(container, turn.scene)}", what=words)
    return _choose_item(turn, element, words)


def choose_in_combo(turn: Turn, combo: Element, wanted: str) -> Move:
    """Choose an option of a combo box, and see that it shows it: by its interface, then by hand."""
    what = said(combo, turn.scene)
    if fold(combo.value) == fold(wanted) or (turn.tries and distance(wanted, combo.value) <= 4):
        closing = turn.memo.get("by_hand") == "open"
        return (
            turn.prepare(ESCAPE, thought="close the list", by_hand="")
            if closing
            else Done(f"the {what} is {combo.value!r}")
        )
    if has(combo, "disabled"):
        return disabled(turn, combo)
    face = None if turn.memo.get("face") else _face(turn, combo)
    if face is not None:
        return _open_face(turn, face)
    if turn.memo.get("face"):
        return _through_face(turn, wanted)
    if not turn.tries:
        option = SelectOption(target=OnElement(id=combo.id), value=wanted)
        return turn.act(option, thought=f"choose {wanted} in the {what}", **{"in": combo.id})
    field = next((e for e in (combo, *turn.scene.within(combo)) if has(e, "editable")), None)
    if field is not None and turn.memo.get("by_hand") is None:
        return _written_in_combo(turn, field, wanted)
    return _by_hand(turn, combo, wanted)


def _face(turn: Turn, combo: Element) -> Element | None:
    """Give what a page shows in the place of a list that it covers: what is pressed to open its own."""
    if not has(combo, "covered"):
        return None
    around = [a for a in turn.scene.above(combo) if "press" in a.actions]
    over = [e for e in turn.scene.top if "press" in e.actions and not has(e, "covered") and _overlaps(e, combo)]
    return next(iter([*around, *over]), None)


def _overlaps(one: Element, other: Element) -> bool:
    a, b = one.box, other.box
    wide = min(a.right, b.right) - max(a.left, b.left)
    high = min(a.bottom, b.bottom) - max(a.top, b.top)
    return wide * 2 > min(a.width, b.width) and high * 2 > min(a.height, b.height)


def _offered(turn: Turn) -> list[Element]:
    return [e for e in turn.scene.top if e.name and not has(e, "offscreen", "covered", "hidden")]


def _open_face(turn: Turn, face: Element) -> Move:
    known = " ".join(e.id for e in _offered(turn))
    thought = f"open the list behind the {said(face, turn.scene)}"
    return turn.act(Click(target=OnElement(id=face.id)), thought=thought, face=face.id, before=known)


def _through_face(turn: Turn, wanted: str) -> Move:
    """Click the option in the list that a page draws itself."""
    if turn.memo.get("picked"):
        why = f": {turn.failed}" if turn.failed else ""
        return look_again(turn, wanted) or Fail(f"{wanted} was clicked, and the list does not show it{why}")
    before = turn.memo.get("before", "").split()
    new = [e for e in _offered(turn) if e.id not in before and e.role in ITEMS | {"label", "link", "button"}]
    choice = find(quote(wanted), Scene(new))
    if choice.only is None:
        scrolled = turn.count("scrolled")
        if new and not choice.best and scrolled < _MOST_TURNS and (not scrolled or turn.changed):
            wheel = Scroll(clicks=-1, target=At(point=new[-1].box.center))
            return turn.prepare(wheel, thought=f"scroll its list to {wanted}", scrolled=str(scrolled + 1))
        return look_again(turn, wanted) or ask_which(turn, wanted, choice)
    return turn.act(Click(target=OnElement(id=choice.only.id)), thought=f"click {wanted}", picked="1", looked="0")


def _written_in_combo(turn: Turn, field: Element, wanted: str) -> Move:
    """Write into a combo box that takes text of its own."""
    written = Write(message=wanted, target=OnElement(id=field.id), replace=True)
    # Return would press the default button of a dialog.
    confirm = Press(keys=("tab",) if dialogs(turn) else ("enter",))
    return turn.act(written, confirm, thought=f"write {wanted} into the combo box", by_hand="written")


def _by_hand(turn: Turn, combo: Element, wanted: str) -> Move:
    """Open the list of a combo box and click the option."""
    options = [e for e in turn.scene.elements if e.role in ITEMS and _of_combo(turn, e, combo)]
    choice = find(quote(wanted) if not options else wanted, Scene(options)) if options else Choice(())
    if choice.only and turn.memo.get("by_hand") != "chosen":
        name = name_of(choice.only, turn.scene)
        return turn.act(
            Click(target=OnElement(id=choice.only.id)), thought=f"click {name}", by_hand="chosen", name=name
        )
    if turn.memo.get("by_hand") == "chosen" and not turn.failed:
        if fold(turn.memo.get("name", "")) == fold(combo.value) or not combo.value:
            return Done(f"the {said(combo, turn.scene)} is {combo.value or turn.memo.get('name')!r}")
        return Fail(f"the {said(combo, turn.scene)} shows {combo.value!r}, not {wanted!r}")
    if not options and turn.memo.get("by_hand") != "open":
        return turn.prepare(Click(target=OnElement(id=combo.id)), thought="open its list", by_hand="open")
    names = ", ".join(repr(name_of(e, turn.scene)) for e in options[:12])
    why = f"it has {names}" if names else turn.failed or "its options cannot be read"
    return Ask(f"“{turn.clause.text}”: the {said(combo, turn.scene)} has no {wanted!r}; {why}. Which one is meant?")


def _of_combo(turn: Turn, item: Element, combo: Element) -> bool:
    above = list(turn.scene.above(item))
    return combo in above or not any(a.role in ("menubar", "list", "table", "tree", "tablist") for a in above)
