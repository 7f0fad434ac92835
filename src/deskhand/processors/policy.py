"""The policy gate: which actions pass, which need leave, which never happen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatch
from functools import cached_property
from pathlib import PurePosixPath
from typing import NamedTuple

from deskhand.core.action import Action, At, Click, DoubleClick, Hotkey, OnElement, Press, Write, target_of
from deskhand.core.observation import Element, Observation
from deskhand.processors.rules import BUILT_IN, Rule, Verdict

INTERACTIVE = frozenset(
    {"button", "menuitem", "menuitemcheckbox", "menuitemradio", "link", "tab", "option", "listitem", "treeitem", "cell"}
)
_COMMITTING_KEYS = frozenset({"return", "enter", "kp_enter", "space", " "})


class Case(NamedTuple):
    """What a rule sees of an action: where it lands and what it carries."""

    action: Action
    application: str
    elements: tuple[Element, ...]
    """The element it lands on, then those that contain it, up to the control they make up."""
    text: str
    chords: tuple[str, ...]
    replaces_own_file: bool


class Judgement(NamedTuple):
    """A verdict and the rule it follows from."""

    verdict: Verdict
    rule: str


ALLOWED = Judgement("allow", "")


class Policy:
    """Judges actions. A deny holds before all else, then the user's rules in order, then the built-in ones."""

    def __init__(self, rules: Sequence[Rule] = (), built_in: Sequence[Rule] = BUILT_IN) -> None:
        self._rules = (*rules, *built_in)

    def judge(self, action: Action, seen: Observation | None, window: str = "") -> Judgement:
        """Judge an action by where it would land, as far as that can be told from what was `seen`.

        Clicks at a point are judged by what lies under it, keys that trigger by what has the focus; in a dialog they
        are judged by its riskiest button, unless the focus says which one they trigger.
        """
        return self._verdict(_cases(action, seen, window))

    def _verdict(self, cases: Iterable[Case]) -> Judgement:
        judgements = []
        for case in cases:
            fitting = [rule for rule in self._rules if _fits(rule, case)]
            first = next((r for r in fitting if r.verdict == "deny"), fitting[0] if fitting else None)
            judgements.append(Judgement(first.verdict, first.name) if first is not None else ALLOWED)
        order = ("deny", "ask", "allow")
        return min(judgements, key=lambda j: order.index(j.verdict), default=ALLOWED)


def _fits(rule: Rule, case: Case) -> bool:
    if case.replaces_own_file and rule.name == "replacing a file":
        return False
    return (
        (not rule.action or case.action.kind in rule.action)
        and (not rule.application or _found(rule.application, case.application))
        and (not rule.keys or _chord(rule.keys) in case.chords)
        and (not rule.path or any(fnmatch(path, rule.path) for path in _paths(case.text)))
        and _fits_place(rule, case)
    )


def _fits_place(rule: Rule, case: Case) -> bool:
    """See whether role and text fit the same element, or the text alone what the action carries."""
    if not rule.role and not rule.text:
        return True
    if any(
        (not rule.role or e.role in rule.role) and (not rule.text or _found(rule.text, e.name)) for e in case.elements
    ):
        return True
    return not rule.role and bool(rule.text) and _found(rule.text, case.text)


def _found(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None


def _paths(text: str) -> list[str]:
    return [str(PurePosixPath(word)) for word in (text, *text.split()) if word.startswith(("/", "~"))]


def _cases(action: Action, seen: Observation | None, window: str) -> list[Case]:
    if seen is None:
        return [Case(action, "", (), carried_text(action), _chords(action), False)]
    scene = _Scene(seen, window)
    chords = _chords(action)
    hits = [scene.chain(e) for e in scene.hit(action, chords)] or [()]
    return [Case(action, scene.application, hit, carried_text(action), chords, scene.replaces_own_file) for hit in hits]


class _Scene:
    """The part of an observation that an action lands in."""

    def __init__(self, seen: Observation, window: str) -> None:
        self.seen = seen
        wanted = window or seen.window
        self.window = next((w for w in seen.windows if w.id == wanted), seen.active_window)
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
        target = target_of(action)
        if isinstance(target, OnElement):
            element = self.by_id.get(target.id)
            return [element] if element is not None else []
        if isinstance(target, At):
            element = self.seen.under(target.point)
            return [element] if element is not None else []
        focus = self.seen.focus
        if isinstance(action, Write | Press | Hotkey) and focus is not None and not self._triggers(chords):
            return [focus]
        return self._triggered(focus) if self._triggers(chords) else []

    def _triggers(self, chords: tuple[str, ...]) -> bool:
        return any(chord in _COMMITTING_KEYS for chord in chords)

    def _triggered(self, focus: Element | None) -> list[Element]:
        if focus is not None and focus.role in INTERACTIVE:
            return [focus]
        dialogs = {e.id for e in self.seen.elements if e.role in ("dialog", "alert")}
        buttons = [e for e in self.seen.elements if e.role == "button" and self._inside(e, dialogs)]
        return ([focus] if focus is not None else []) + buttons

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
        case "call_tool":
            return f"{action.tool} {action.arguments}"
        case _:
            return ""


def submits(action: Action) -> bool:
    """Tell whether an action presses Return by itself."""
    return isinstance(action, Press | Hotkey) and bool({"return", "kp_enter"} & set(_chords(action)))


def _chords(action: Action) -> tuple[str, ...]:
    match action:
        case Press():
            return tuple(_chord(key) for key in action.keys)
        case Hotkey():
            return (_chord("+".join(action.keys)),)
        case Write() if action.message.endswith("\n"):
            return ("return",)
        case Click() | DoubleClick():
            return ()
        case _:
            return ()


def _chord(keys: str) -> str:
    names = {"control": "ctrl", "enter": "return", "del": "delete", "kp_delete": "delete"}
    parts = [p for p in re.split(r"[+\s]+", keys.strip().lower()) if p] or [keys]
    parts = [names.get(p, p) for p in parts]
    return "+".join([*sorted(parts[:-1]), parts[-1]])
