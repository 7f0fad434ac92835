"""What a skill looks for on the screen: controls, open menus, dialogs, texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deskhand.core.action import Click, OnElement, Wait
from deskhand.core.observation import Element, Window
from deskhand.models.literal.moves import Act, Ask, Fail, Turn
from deskhand.perception.description import read_description
from deskhand.perception.ground import Choice, describe, explain_choice, find
from deskhand.perception.lexicon.vocabulary import vocabulary
from deskhand.perception.looks import read_looks
from deskhand.perception.naming import fold, same_concept
from deskhand.perception.quoting import mask
from deskhand.perception.scene import DIALOGS, MENU_ITEMS, TRIGGERS, Scene

EDITABLE = frozenset(
    {"textbox", "password", "combobox", "spinbutton", "searchbox", "document", "terminal", "paragraph"}
)
ITEMS = frozenset({"option", "listitem", "row", "cell", "treeitem", "menuitem", "menuitemradio", "menuitemcheckbox"})
_ARTICLE = re.compile(r"^(?:the|a|an|any|some|this|that)\s+", re.IGNORECASE)
_SURELY = 4.0
"""Up to here a control is called what was said, not only like it."""
_FEWEST_DIGITS = 5
_PAUSES = (0.2, 0.4, 0.8, 1.2)
"""Seconds that a skill waits for what is not there yet, before it says so."""


def pick(turn: Turn, words: str, roles: frozenset[str] = frozenset()) -> Element | Choice:
    """Find the one element that is meant, with the help of what the user has answered; else the choice there is."""
    choice = find(words, turn.scene, roles)
    if choice.only:
        return choice.only
    if choice.best and _any_will_do(turn, words):
        return choice.best[0]
    if turn.answer:
        answered = _answered(turn.answer, choice, turn.scene, roles)
        if answered:
            return answered
    return choice


def _any_will_do(turn: Turn, words: str) -> bool:
    """Tell whether one is as good as the other: "a red circle", "any checkbox", where no name is said."""
    one_of = rf"\b(?:an?|any(?: one)?(?: of the)?)\s+{re.escape(words)}"
    if not re.search(one_of, turn.clause.text, re.IGNORECASE):
        return False
    return read_looks(mask(words).plain) is not None or not any(way.name for way in read_description(words)[1:])


def _answered(answer: str, choice: Choice, scene: Scene, roles: frozenset[str]) -> Element | None:
    candidates = [e for e in scene.elements if not choice.best or e in choice.best]
    within = find(answer, Scene(candidates), roles) if choice.best else find(answer, scene, roles)
    if within.only:
        return within.only
    named = [e for e in choice.best if re.search(rf"\b{e.id}\b", answer)]
    if len(named) == 1:
        return named[0]
    which = re.sub(r"(?i)\s+(?:one|item|thing|option|please)\b", "", answer)
    ordinal = find(f"{which} {choice.best[0].role}", Scene(candidates)) if choice.best else None
    return ordinal.only if ordinal else None


def ask_which(turn: Turn, words: str, choice: Choice) -> Ask | Fail:
    """Put into a question why nothing could be chosen; say so where there is nothing to choose from."""
    if not turn.scene.elements:
        why = turn.truncated or "its application tells nothing about its controls"
        return Fail(f"“{turn.clause.text}”: nothing in this window can be read: {why}")
    why = explain_choice(mask(words).plain, choice, turn.scene)
    return Ask(f"“{turn.clause.text}”: {why}. Which one is meant?")


def look_again(turn: Turn, words: str) -> Act | None:
    """Wait a little for what is not there yet; None when that was done often enough."""
    looked = turn.count("looked")
    if looked >= len(_PAUSES):
        return None
    return turn.again(Wait(seconds=_PAUSES[looked]), f"looking for {words}", looked=str(looked + 1))


def has(element: Element, *states: str) -> bool:
    return any(state in element.states for state in states)


def is_on(element: Element) -> bool:
    return has(element, "checked", "pressed") or (element.role == "radio" and has(element, "selected"))


def name_of(element: Element, scene: Scene) -> str:
    return next(iter(scene.names(element)), "") or element.role


def said(element: Element, scene: Scene) -> str:
    """Name an element without its id."""
    return describe(element, scene).rpartition(" (")[0]


def menus_on_bar(scene: Scene) -> tuple[Element, ...]:
    """Give the menus that can be opened: those of menu bars, from left to right."""
    found = []
    for bar in scene.elements:
        if bar.role == "menubar":
            found += [e for e in scene.children(bar) if e.role in MENU_ITEMS and not has(e, "disabled")]
    return tuple(sorted(found, key=lambda e: (e.box.top, e.box.left)))


def open_items(scene: Scene) -> tuple[Element, ...]:
    """Give the items of the menus that are open; bars are not among them."""
    bar = {e.id for e in menus_on_bar(scene)}
    return tuple(e for e in scene.elements if e.role in MENU_ITEMS and e.id not in bar)


def dialogs(turn: Turn) -> tuple[Element, ...]:
    """Give the dialogs that are open, the one on top last: elements, or whole windows that belong to another.

    A bar with a warning inside the main window is none.
    """
    belonging = {w.id for w in turn.windows if w.dialog_of}
    titles = {w.title for w in turn.windows if w.dialog_of and w.title}
    roots: list[Element] = []
    for e in turn.scene.elements:
        apart = not e.window or e.window != turn.window or has(e, "modal")
        whole = (e.window in belonging or e.name in titles) and turn.scene.get(e.parent) is None
        if (
            (e.role == "dialog" or (e.role in (*DIALOGS, "window") and has(e, "modal")))
            or (e.role == "alert" and apart)
            or whole
        ):
            roots.append(e)
    outer = [e for e in roots if e.role != "dialog" or not any(a in roots for a in turn.scene.above(e))]
    return tuple(sorted(outer, key=lambda e: has(e, "active") or e.window in _active(turn)))


def _active(turn: Turn) -> set[str]:
    return {w.id for w in turn.windows if w.active}


def dialog_texts(turn: Turn) -> str:
    """Say what the topmost dialog says."""
    shown = dialogs(turn)
    if not shown:
        return ""
    return ": ".join([shown[-1].name, " ".join(_texts_of(turn, shown[-1])[:4])]).strip(": ")


def dialog_message(turn: Turn) -> str:
    """Give the words of the topmost dialog, without its title."""
    return "\n".join(_texts_of(turn, dialogs(turn)[-1]))


def _texts_of(turn: Turn, dialog: Element) -> list[str]:
    texts = [e.name for e in turn.scene.within(dialog) if e.role in ("label", "heading", "paragraph") and e.name]
    return list(dict.fromkeys(texts))


def editables(turn: Turn, within: Sequence[Element] | None = None) -> tuple[Element, ...]:
    """Give what text can be written in, in reading order."""
    pool = turn.scene.top if within is None else within
    return tuple(e for e in pool if _writable(e))


def _writable(e: Element) -> bool:
    if e.role not in EDITABLE or has(e, "readonly", "disabled", "offscreen"):
        return False
    return has(e, "editable") or e.role in ("password", "terminal") or "set_text" in e.actions


def text_area(turn: Turn) -> Element | None:
    """Give the place where the text of a document is: the largest one of several lines, else the only field."""
    fields = editables(turn)
    areas = [e for e in fields if has(e, "multiline") or e.role in ("document", "terminal")]
    if areas:
        return max(areas, key=lambda e: e.box.area)
    paragraphs = [e for e in fields if e.role == "paragraph"]
    if paragraphs:
        return next((e for e in paragraphs if has(e, "focused")), paragraphs[0])
    return fields[0] if len(fields) == 1 else None


def shown(turn: Turn, words: str) -> str:
    """Say by what something that was waited for or is to be checked can be seen; "" when it cannot."""
    phrase = mask(_ARTICLE.sub("", words.strip()))
    plain = phrase.plain.strip()
    if phrase.quoted is None and re.fullmatch(
        r"(?i)dialog(?:ue)?(?: box)?|pop-?up|message(?: box)?|alert|prompt", plain
    ):
        return next((f"the dialog {e.name!r}" for e in dialogs(turn)), "")
    if not re.search(r"(?i)\b(?:button|field|box|checkbox|menu|tab)$", phrase.text):
        for text in _visible_texts(turn):
            if fold(plain) in fold(text) if phrase.quoted is not None else fold(plain) == fold(text):
                return f"{text[:80]!r}"
    choice = find(words, turn.scene)
    if choice.best and choice.distance > _SURELY and choice.best[0].role in TRIGGERS:
        # A button "Compute Total" is not the total.
        choice = find(words, Scene(e for e in turn.scene.elements if e.role not in TRIGGERS))
    if choice.best and choice.distance < 45:
        return said(choice.best[0], turn.scene)
    window = _titled(turn.windows, re.sub(r"(?i)\s+(?:window|dialog(?:ue)?)$", "", plain))
    return f"the window {window.title!r}" if window else ""


def _visible_texts(turn: Turn) -> Iterator[str]:
    yield from turn.scene.texts()
    yield from (w.title for w in turn.windows)


def _titled(windows: Sequence[Window], words: str) -> Window | None:
    within = next((w for w in windows if fold(words) and fold(words) in fold(w.title)), None)
    return within or window_called(windows, words)


def window_called(windows: Sequence[Window], words: str) -> Window | None:
    """Give the window whose title or application is named, in whatever language."""
    names = {fold(words), *_labels_like(words)}
    called = next((w for w in windows if names & {fold(w.title), fold(w.app)}), None)
    # "Mousepad Preferences" are the preferences.
    within = (w for w in windows if w.dialog_of and any(name in fold(w.title) for name in names if len(name) > 1))
    return called or next(within, None)


def _labels_like(words: str) -> Iterator[str]:
    """Give what else that is called that is meant."""
    known = vocabulary()
    return (label for concept in known.concepts.get(fold(words), ()) for label in known.labels[concept])


def button_of(turn: Turn, *concepts: str, within: Element | None = None) -> Element | None:
    """Give the first enabled button that is called like one of the concepts' usual labels."""
    pool = list(turn.scene.within(within)) if within else list(turn.scene.top)
    buttons = [e for e in pool if e.role in ("button", "link") and not has(e, "disabled", "offscreen")]
    for concept in concepts:
        found = next((e for e in buttons if _is_called(e, concept, turn.scene)), None)
        if found:
            return found
    return None


def _is_called(element: Element, label: str, scene: Scene) -> bool:
    return any(fold(name) == fold(label) or same_concept(label, name) for name in scene.names(element))


def has_digit_keys(turn: Turn) -> bool:
    """Tell whether this looks like a calculator: what has keys for digits also takes them from the keyboard."""
    keys = [e.name.strip() for e in turn.scene.top if e.role == "button"]
    return sum(len(name) == 1 and name.isdigit() for name in keys) >= _FEWEST_DIGITS


def clicked_sign(turn: Turn) -> bool:
    """Tell whether a calculator's key for a sign was clicked, which shows nothing before the next number comes."""
    places = [t.action.target for t in turn.tried if isinstance(t.action, Click)]
    keys = [turn.scene.get(place.id) for place in places if isinstance(place, OnElement)]
    signs = [key for key in keys if key is not None and key.role == "button" and not re.search(r"\w", key.name)]
    return bool(signs) and len(signs) == len(places) and has_digit_keys(turn)
