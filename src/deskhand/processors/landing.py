"""Where an action lands and what it carries, as far as can be told from what was seen: what rules are held against."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from functools import cached_property
from pathlib import PurePosixPath
from typing import NamedTuple

from deskhand.core.action import (
    Action,
    ArrangeWindow,
    At,
    Click,
    CloseWindow,
    DoubleClick,
    FocusWindow,
    Hotkey,
    KeyDown,
    MoveTo,
    OnElement,
    OpenApp,
    Press,
    RightClick,
    SelectOption,
    Write,
    target_of,
)
from deskhand.core.geometry import Box
from deskhand.core.observation import Element, Observation

INTERACTIVE = frozenset(
    {"button", "menuitem", "menuitemcheckbox", "menuitemradio", "link", "tab", "option", "listitem", "treeitem", "cell"}
)
_OBEYING = frozenset({"button", "menuitem", "menuitemcheckbox", "menuitemradio", "link"})
"""What a key triggers when it has the focus; with the focus elsewhere, a dialog's button may take it."""
_COMMITTING_KEYS = frozenset({"return", "kp_return", "space", " "})
_HIDDEN = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff_&]")
"""What is in names and not seen, and the marks of access keys."""
_PATH = re.compile(r"""(?:(?<=file://)|(?<![\w.~/:]))[~/][^\s"'<>|(){}\[\],;=“”‘’]*""")
_KEYS = {
    "control": "ctrl",
    "control_l": "ctrl",
    "control_r": "ctrl",
    "shift_l": "shift",
    "shift_r": "shift",
    "alt_l": "alt",
    "alt_r": "alt",
    "enter": "return",
    "kp_enter": "kp_return",
    "del": "delete",
    "kp_delete": "delete",
}


class Case(NamedTuple):
    """What a rule sees of an action: where it lands and what it carries."""

    action: Action
    application: str
    elements: tuple[Element, ...]
    """The element it lands on, then those that contain it, up to the control they make up."""
    text: str
    chords: tuple[str, ...]
    replaces_own_file: bool


def cases_of(action: Action, seen: Observation | None, window: str) -> list[Case]:
    """Give all that an action may come to; more than one where it cannot be told which."""
    text, chords = carried_text(action), chords_of(action)
    if seen is None:
        return [Case(action, _opened(action, None), (), text, chords, replaces_own_file=False)]
    named = action.window if isinstance(action, FocusWindow | CloseWindow | ArrangeWindow) else window
    scene = _Scene(seen, named)
    application = _opened(action, seen) if isinstance(action, OpenApp) else scene.application
    hits = [scene.chain(e) for e in scene.hit(action, chords)] or [()]
    return [Case(action, application, hit, text, chords, scene.replaces_own_file) for hit in hits]


def unseen(action: Action, seen: Observation | None) -> bool:
    """Tell whether an action is aimed at an element that nobody has seen."""
    target = target_of(action)
    return isinstance(target, OnElement) and seen is not None and seen.element(target.id) is None


class _Scene:
    """The part of an observation that an action lands in."""

    def __init__(self, seen: Observation, window: str) -> None:
        self.seen = seen
        found = (w for each in (window, seen.window) if each for w in seen.windows if w.id == each)
        # Where a window that was named is gone, nothing goes to another application that happens to be active.
        self.window = next(found, None if window else seen.active_window)
        self.application = f"{self.window.app} {self.window.title}" if self.window is not None else ""

    @cached_property
    def by_id(self) -> dict[str, Element]:
        return {e.id: e for e in self.seen.elements}

    def chain(self, element: Element) -> tuple[Element, ...]:
        """Give an element and what contains it, up to the first that can be triggered."""
        chain = [element]
        while chain[-1].role not in INTERACTIVE and chain[-1].parent in self.by_id and len(chain) < 4:
            chain.append(self.by_id[chain[-1].parent])
        # A parent that is no control says nothing about what a click does.
        return tuple(chain) if chain[-1].role in INTERACTIVE else (element,)

    def hit(self, action: Action, chords: tuple[str, ...]) -> list[Element]:
        match action:
            case MoveTo():
                return []
            case Write() | Press() | Hotkey() | KeyDown():
                return self._keyed(action, chords)
            case SelectOption():
                option = Element(id="", role="option", name=action.value, box=Box.at(0, 0, 0, 0))
                return [*self._aimed(action), option]
            case Click() | DoubleClick() | RightClick() if action.target is None:
                return list(self.seen.elements)  # the pointer may be over any of them
            case _:
                return self._aimed(action)

    def _aimed(self, action: Action) -> list[Element]:
        match target_of(action):
            case OnElement(id=wanted):
                element = self.by_id.get(wanted)
                return [element] if element is not None else []
            case At(point=point):
                under = [e for e in self.seen.elements if e.box.holds(point) and "covered" not in e.states]
                innermost = self.seen.under(point)
                # Which of several controls lies on top cannot be told from boxes alone.
                controls = [e for e in under if e.role in INTERACTIVE]
                return [*([innermost] if innermost is not None else []), *controls]
            case _:
                return []

    def _keyed(self, action: Write | Press | Hotkey | KeyDown, chords: tuple[str, ...]) -> list[Element]:
        aimed = self._aimed(action)
        focus = aimed or [e for e in (self.seen.focus,) if e is not None]
        if letters := [chord[-1] for chord in chords if re.fullmatch(r"alt\+\w", chord)]:
            return focus + [e for e in self._dialog_buttons if any(each in e.name.casefold() for each in letters)]
        if not any(_commits(chord) for chord in chords):
            return focus
        if len(chords) > 1 and not _commits(chords[0]):  # the keys before may have moved the focus
            return focus + (self._dialog_buttons or [e for e in self.seen.elements if e.role in INTERACTIVE])
        if any(e.role in _OBEYING for e in focus):
            return focus
        return focus + self._dialog_buttons

    @cached_property
    def _dialog_buttons(self) -> list[Element]:
        dialogs = {e.id for e in self.seen.elements if e.role in ("dialog", "alert")}
        return [e for e in self.seen.elements if e.role == "button" and self._inside(e, dialogs)]

    def _inside(self, element: Element, dialogs: set[str]) -> bool:
        seen = 0
        while element.parent in self.by_id and seen < 50:
            if element.parent in dialogs:
                return True
            element, seen = self.by_id[element.parent], seen + 1
        return False

    @cached_property
    def replaces_own_file(self) -> bool:
        """Whether a question about replacing a file names the one that the window behind it has open."""
        asked = " ".join(e.name for e in self.seen.elements if e.role in ("label", "alert", "heading"))
        named = re.findall(r"[“\"'«‘]([^”\"'»’]+)[”\"'»’]", asked)
        titles = [w.title for w in self.seen.windows if self.window is None or w.pid == self.window.pid]
        return any(PurePosixPath(n).name and PurePosixPath(n).name in title for n in named for title in titles)


def carried_text(action: Action) -> str:
    """Give the text an action carries: what it types, opens, chooses or calls."""
    match action.kind:
        case "write":
            return action.message
        case "open_app":
            return action.app_name
        case "open_url":
            return action.url
        case "select_option" | "set_value":
            return action.value
        case "run_command":
            return action.command
        case "call_tool":
            return f"{action.tool} {action.arguments}"
        case _:
            return ""


def spellings(name: str) -> tuple[str, str]:
    """Give a control's name as it stands, and as a person reads it."""
    return name, _HIDDEN.sub("", unicodedata.normalize("NFKC", name))


def paths_in(text: str) -> set[str]:
    """Find the paths in a text, as they stand and with `..` and the like resolved."""
    found = {text.strip(), *_PATH.findall(text)}
    found = {path for path in found if path.startswith(("/", "~"))}
    return found | {posixpath.normpath(path.replace("//", "/")) for path in found}


def chord_of(keys: str) -> str:
    """Write a chord in one way: modifiers in order of the alphabet, one name for each key."""
    parts = [p for p in re.split(r"[+\s]+", keys.strip().lower()) if p] or [keys]
    parts = [_KEYS.get(p, p) for p in parts]
    return "+".join([*sorted(parts[:-1]), parts[-1]])


def chords_of(action: Action) -> tuple[str, ...]:
    """Give the chords an action presses, one after the other; for text, the keys that would do more than enter it."""
    match action:
        case Press():
            return tuple(chord_of(key) for key in action.keys)
        case Hotkey():
            return (chord_of("+".join(action.keys)),)
        case KeyDown():
            return (chord_of(action.key),)
        case Write(message=message) if "\n" in message or "\r" in message:
            return ("return",)
        case Write(message=message) if re.search(r"\t.* ", message):
            return ("tab", "space")
        case _:
            return ()


def submits(action: Action) -> bool:
    """Tell whether an action presses Return by itself."""
    return isinstance(action, Press | Hotkey) and bool({"return", "kp_return"} & set(chords_of(action)))


def _commits(chord: str) -> bool:
    return any(part in _COMMITTING_KEYS for part in chord.split("+"))


def _opened(action: Action, seen: Observation | None) -> str:
    """Give the names of the application that an action starts."""
    if not isinstance(action, OpenApp):
        return ""
    known = seen.applications if seen is not None else ()
    wanted = action.app_name.casefold()
    also = (f" {a.id} {a.name}" for a in known if wanted in (a.id.casefold(), a.name.casefold()))
    return action.app_name + "".join(also)
