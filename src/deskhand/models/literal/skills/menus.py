"""Menus: by path, by name, and by looking into one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from deskhand.core.action import Action, At, Click, Hotkey, MoveTo, OnElement, Press, Wait
from deskhand.core.geometry import Point
from deskhand.core.observation import Element
from deskhand.models.literal.clauses import PATH_SIGN
from deskhand.models.literal.keys import read_keys
from deskhand.models.literal.moves import Ask, Done, Fail, Move, Turn
from deskhand.models.literal.rules import command_named
from deskhand.models.literal.sight import ask_which, clicked_sign, has, look_again, menus_on_bar, open_items, said
from deskhand.models.literal.skills.committing import only_commit_button
from deskhand.perception.ground import Choice, find
from deskhand.perception.lexicon.vocabulary import vocabulary
from deskhand.perception.naming import FUZZY, distance, fold, same_concept, stem, words
from deskhand.perception.quoting import mask
from deskhand.perception.scene import MENU_ITEMS, Scene

MENTIONED = 45.0
"""From here on, only a part of the name is the same."""
_SAME_NAME = 4.0
_MENU_BUTTONS = ("menu", "more")
_MOST_MENUS = 24
_UNDER_POINTER = 0.4
"""Seconds within which menus open under the pointer."""
ESCAPE = Press(keys=("esc",))


def menu_path(turn: Turn) -> Move:
    """Go down a path of menus, one a step."""
    phrase = mask(turn.clause.value)
    steps = [phrase.part(step).spelled for step in PATH_SIGN.split(phrase.text) if step.strip()]
    steps[0] = steps[0].removesuffix(" menu")
    return walk(turn, steps)


def walk(turn: Turn, steps: Sequence[str]) -> Move:
    """Take the next step down a path of menus that is not taken yet."""
    if turn.failed:
        return Fail(f"the menu {steps[0]!r} could not be used: {turn.failed}")
    at = turn.count("at")
    if at >= len(steps):
        return Done(f"chose {' > '.join(mask(s).plain for s in steps)}")
    if turn.memo.get("pointed") and turn.memo.get("rested") != turn.memo["pointed"]:
        # What opens under the pointer takes its time, and goes wrong under a hand that is faster.
        return turn.again(Wait(seconds=_UNDER_POINTER), "looking what opens", rested=turn.memo["pointed"])
    found = _top_menu(turn, steps[0]) if at == 0 else _item(turn, steps[at])
    if isinstance(found, Choice):
        if found.best:
            return ask_which(turn, steps[at], found)
        pointed = turn.scene.get(turn.memo.get("pointed", ""))
        if pointed is not None and turn.count("looked"):
            # It does not open under the pointer.
            return turn.prepare(Click(target=OnElement(id=pointed.id)), thought="click it open", pointed="", looked="0")
        return look_again(turn, f"the menu item {steps[at]}") or Ask(
            f"“{turn.clause.text}”: there is no {mask(steps[at]).plain!r} "
            f"{'among the menus' if at == 0 else 'in the menu'} ({_names(turn, at)}). What is meant?"
        )
    if has(found, "disabled"):
        return look_again(turn, "the item to be enabled") or Fail(f"the {said(found, turn.scene)} is disabled")
    memo = {"at": str(at + 1), "looked": "0", "pointed": ""}
    if at + 1 < len(steps) and found.source == "dom" and has(found, "haspopup") and found.role == "menuitem":
        # A page's menu within a menu opens under the pointer; a click may already choose it.
        memo["pointed"] = found.id
        return turn.act(MoveTo(target=OnElement(id=found.id)), thought=f"point at {said(found, turn.scene)}", **memo)
    return turn.act(Click(target=OnElement(id=found.id)), thought=f"choose {said(found, turn.scene)}", **memo)


def open_menu(turn: Turn) -> Move:
    """Open a menu and leave it open."""
    if turn.tries:
        if turn.failed:
            return Fail(turn.failed)
        opened = turn.done or turn.changed
        return Done(f"the menu {turn.clause.target} is open") if opened else Fail("the menu did not open")
    found = _top_menu(turn, turn.clause.target)
    if isinstance(found, Choice):
        return look_again(turn, turn.clause.target) or ask_which(turn, turn.clause.target, found)
    return turn.act(Click(target=OnElement(id=found.id)), thought=f"open the {said(found, turn.scene)}")


def command(turn: Turn) -> Move:
    """Carry out a command that every desktop knows, by its keys, else through the menus."""
    known = command_named(turn.clause.mode)
    if known.keys and not turn.memo.get("menus"):
        if not turn.tries:
            chords = read_keys(known.keys) or ()
            strokes = tuple(Hotkey(keys=c) if len(c) > 1 else Press(keys=c) for c in chords)
            return turn.act(*strokes * turn.clause.times, thought=f"{known.name.replace('_', ' ')} by {known.keys}")
        if turn.failed:
            return Fail(f"{known.name.replace('_', ' ')} failed: {turn.failed}")
        if turn.done or turn.changed or not known.menu or known.name in ("copy", "select_all"):
            seen = "" if turn.done or turn.changed else ", though nothing on the screen has changed"
            return Done(f"{known.name.replace('_', ' ')} by {known.keys}{seen}")
    label = vocabulary().labels[known.menu[-1]][0]
    already = _already_open(turn, label) if known.opens and not turn.memo.get("clicked") else ""
    if already:
        return Done(f"the window {already!r} is open")
    return do_by_name(turn, label, first_menu=known.menu[0] if len(known.menu) > 1 else "")


def _already_open(turn: Turn, label: str) -> str:
    """Give the title of the window or dialog that is called so, if it is open."""
    own = [w.title for w in turn.windows if w.id == turn.window]
    others = [w.title for w in turn.windows if w.id != turn.window] + [e.name for e in turn.scene.dialogs]
    found = [t for t in own if distance(label, t) <= _SAME_NAME] + [t for t in others if distance(label, t) < FUZZY]
    return next(iter(found), "")


def do(turn: Turn) -> Move:
    """Do what a control is called: "apply", "print preview"."""
    return do_by_name(turn, turn.clause.target)


def do_by_name(turn: Turn, label: str, first_menu: str = "") -> Move:
    """Click what is called so, on the screen or in the menus."""
    if turn.memo.get("clicked"):
        middle = turn.memo.get("middle", "")
        if turn.failed and middle:
            point = At(point=Point(*map(int, middle.split(","))))
            return turn.act(Click(target=point), thought=f"click its middle: {turn.failed}", middle="")
        if turn.failed:
            return Fail(f"{label} failed: {turn.failed}")
        if turn.done or turn.changed or clicked_sign(turn):
            return Done(f"did {label}")
        return look_again(turn, f"the effect of {label}") or Fail(f"{label} was chosen, and nothing has changed")
    choice = find(label, turn.scene, frozenset({"button", "link", "tab"}) | MENU_ITEMS)
    element = choice.only
    # Where a menu usually has it, only what bears the very name comes before the menus.
    sure = _SAME_NAME if first_menu and turn.memo.get("menus") != "none" else MENTIONED
    if element and choice.distance < sure and not has(element, "disabled") and not only_resembles(label, element):
        return _click_named(turn, element)
    found = in_menus(turn, label, first_menu)
    if isinstance(found, Element):
        return _click_named(turn, found)
    if found is not None:
        return found
    if element:
        return Fail(f"the {said(element, turn.scene)} is disabled")
    waiting, only = look_again(turn, label), only_commit_button(turn, label)
    if waiting is None and only is not None:
        return _click_named(turn, only)
    return waiting or ask_which(turn, label, choice)


def _click_named(turn: Turn, element: Element) -> Move:
    middle = f"{element.box.center.x},{element.box.center.y}"
    thought = f"click the {said(element, turn.scene)}"
    return turn.act(Click(target=OnElement(id=element.id)), thought=thought, clicked="1", middle=middle)


def in_menus(turn: Turn, words: str, first_menu: str = "") -> Element | Move | None:
    """Look for an item in the menus, one menu a step; None when there are none left to look into.

    The menu that usually has it comes first, submenus come last. Opening menus changes nothing in the application.
    """
    if turn.memo.get("menus") == "none" or (turn.failed and turn.memo.get("menus")):
        return None
    items = open_items(turn.scene)
    opened = [name for name in turn.memo.get("menus", "").split("\n") if name]
    if items and opened:
        choice = find(words, Scene(_with_parents(turn.scene, items)), MENU_ITEMS)
        if choice.only and choice.distance < MENTIONED and not only_resembles(words, choice.only):
            return choice.only
    inner = _submenus(turn, opened)
    unopened = [m for m in _openers(turn.scene) if m.id not in opened]
    if unopened:
        menu = min(unopened, key=lambda m: not _likely(m, first_menu or words))
        closing = (ESCAPE,) if opened and (items or _still_open(turn, opened[-1])) else ()
        return _look_into(turn, words, (*closing, Click(target=OnElement(id=menu.id))), [*opened, menu.id, *inner])
    known = [name for name in [*opened, *inner] if ">" in name]
    deeper = next((name for name in known if not name.endswith("seen") and f"{name} seen" not in known), "")
    if deeper and len(opened) < _MOST_MENUS:
        top, _, sub = deeper.partition(">")
        actions = (*_closing(opened, items), *(Click(target=OnElement(id=each)) for each in (top, sub)))
        return _look_into(turn, words, actions, [*opened, *inner, f"{deeper} seen"])
    if opened and (items or _still_open(turn, opened[-1])):
        return turn.prepare(*(_closing(opened, items) or (ESCAPE,)), thought="close the menus", menus="none")
    return None


def _closing(opened: Sequence[str], items: Sequence[Element]) -> tuple[Action, ...]:
    """Give a key for each menu that is open, and none more: what gets it then may close itself."""
    within = bool(opened) and opened[-1].endswith(" seen")
    return (ESCAPE,) * (0 if not items else 2 if within else 1)


def only_resembles(label: str, item: Element) -> bool:
    """Tell whether a menu's item has no word of a label, and other words than what it means: Remove Record for Delete.

    Some other menu may have what is meant.
    """
    said_words, its_words = ({stem(word) for word in words(text)} for text in (mask(label).plain, item.name))
    return item.role in MENU_ITEMS and not said_words & its_words and distance(label, item.name) > _SAME_NAME


def _still_open(turn: Turn, opener: str) -> bool:
    """Tell whether a button still shows what came up when it was pressed, be it a menu or not."""
    button = turn.scene.get(opener)
    return button is not None and button.role == "button" and has(button, "pressed", "expanded")


def _look_into(turn: Turn, words: str, actions: Sequence[Action], opened: Sequence[str]) -> Move:
    thought = f"look for {mask(words).plain} in the menus"
    return turn.prepare(*actions, thought=thought, menus="\n".join(dict.fromkeys(opened)))


def _submenus(turn: Turn, opened: Sequence[str]) -> list[str]:
    """Note the menus within the menu that is open, as "menu>submenu"."""
    tops = [name for name in opened if ">" not in name]
    top = tops[-1] if tops else ""
    inner = [
        e for e in open_items(turn.scene) if e.role == "menu" and not has(e, "disabled") and not turn.scene.children(e)
    ]
    return [f"{top}>{e.id}" for e in inner if top and f"{top}>{e.id}" not in opened]


def _openers(scene: Scene) -> list[Element]:
    """Give what opens menus: the bar's menus, else buttons for the main menu."""
    bar = [m for m in menus_on_bar(scene) if m.name.strip()]
    if bar:
        return bar
    buttons = [e for e in scene.top if e.role in ("button", "switch") and not has(e, "disabled")]
    named = [b for b in buttons if any(same_concept(label, b.name) for label in _MENU_BUTTONS)]
    return named + [b for b in buttons if has(b, "haspopup") and b not in named]


_USUAL = {
    "file_menu": "new open save save_as save_all save_copy open_recent print print_preview page_setup close quit "
    "new_tab new_window export import revert properties",
    "edit_menu": "undo redo cut copy paste delete select_all find find_replace replace preferences rename duplicate",
    "view_menu": "zoom_in zoom_out zoom_reset fullscreen refresh status_bar tool_bar side_bar menu_bar hidden_files "
    "line_numbers word_wrap",
    "search_menu": "find find_next find_previous find_replace replace",
    "help_menu": "help about",
    "tools_menu": "preferences",
    "format_menu": "font bold italic underline word_wrap",
}
"""Where menus usually have what."""


def usual_in_menus(turn: Turn, words: str) -> bool:
    """Tell whether one of the menus usually has what is looked for."""
    return any(_likely(menu, mask(words).plain) for menu in _openers(turn.scene))


def _likely(menu: Element, words: str) -> bool:
    concepts = vocabulary().concepts
    named = concepts.get(fold(words), frozenset())
    its = concepts.get(fold(menu.name), frozenset())
    return words in its or any(named & set(_USUAL.get(concept, "").split()) for concept in its)


def _top_menu(turn: Turn, words: str) -> Element | Choice:
    bar = menus_on_bar(turn.scene)
    wanted = mask(words).plain.strip()
    exact = [m for m in bar if distance(wanted, m.name) <= 4]
    if len(exact) == 1:
        return exact[0]
    choice = find(words, Scene(bar)) if bar else Choice(())
    if choice.only:
        return choice.only
    main = [b for b in _openers(turn.scene) if distance(f"{wanted} menu", b.name) <= _SAME_NAME]
    if len(main) == 1:
        return main[0]
    general = find(words, turn.scene, frozenset({"menu", "menuitem", "button", "combobox", "tab"}))
    return general.only or general


def _item(turn: Turn, words: str) -> Element | Choice:
    items = open_items(turn.scene)
    if items:
        # "Insert Table..." is no table of the menu "Insert", whatever else its words may mean.
        plain = fold(mask(words).plain)
        named = [e for e in items if fold(e.name).rstrip(".… ") == plain and not has(e, "disabled")]
        if len(named) == 1:
            return named[0]
        choice = find(words, Scene(_with_parents(turn.scene, items)), MENU_ITEMS)
        if choice.only or choice.best:
            return choice.only or choice
    general = find(words, turn.scene)
    return general.only or general


def _with_parents(scene: Scene, items: Sequence[Element]) -> list[Element]:
    above = {a.id for item in items for a in scene.above(item)}
    chosen = {item.id for item in items} | above
    return [e for e in scene.elements if e.id in chosen]


def _names(turn: Turn, at: int) -> str:
    shown = menus_on_bar(turn.scene) if at == 0 else open_items(turn.scene)
    return ", ".join(e.name for e in shown[:12] if e.name) or "none can be seen"
