"""Opening: what is on the screen, files by their path, addresses; and starting what a button starts."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from deskhand.core.action import Action, Click, DoubleClick, Hotkey, OnElement, OpenUrl, Press, Write
from deskhand.core.observation import Element
from deskhand.models.literal.clauses import FILE
from deskhand.models.literal.moves import Done, Fail, Instead, Move, Turn
from deskhand.models.literal.sight import (
    ask_which,
    dialog_texts,
    dialogs,
    editables,
    has,
    look_again,
    name_of,
    pick,
    said,
    shown,
    text_area,
)
from deskhand.models.literal.skills.files import DIALOG_WORDS, enter_path, file_dialog, is_own
from deskhand.models.literal.skills.pointing import after_click, click_on, target
from deskhand.perception.ground import Choice, find
from deskhand.perception.naming import same_concept
from deskhand.perception.quoting import mask, quote
from deskhand.perception.scene import CHECKABLE

_ENTER = Press(keys=("enter",))
_PATIENCE = 3
"""How often it is looked for what a key brings up, before the next key is tried."""
_ITEMS = frozenset({"row", "listitem", "cell", "treeitem", "img", "option"})


def open_thing(turn: Turn) -> Move:
    """Open what is meant: this application, a file by its path, or something on the screen or in the menus."""
    words = turn.clause.target
    plain = mask(words).plain.strip()
    if is_own(turn, plain):
        return Done(f"{plain} is open")
    if turn.memo.get("path") or (FILE.match(plain) and find(words, turn.scene).distance > 4):
        return _open_path(turn, plain)
    if turn.tries or turn.memo.get("clicked"):
        return after_click(turn, turn.memo.get("what", plain))
    dialog = DIALOG_WORDS.match(plain)
    if dialog and dialog["name"] and shown(turn, plain):
        return Done(f"{plain} is open")
    name = dialog["name"] if dialog and dialog["name"] else words
    if turn.clause.mode == "start":
        return _start(turn)
    found = target(turn, name)
    if not isinstance(found, Element):
        return found
    if found.role in CHECKABLE:
        return Instead((f"turn on {name}",), "it is something to be switched on")
    what, place = said(found, turn.scene), OnElement(id=found.id)
    double = found.role in _ITEMS and not has(found, "collapsed")
    action: Action = DoubleClick(target=place) if double else Click(target=place)
    return turn.act(action, thought=f"open the {what}", what=what)


def _start(turn: Turn) -> Move:
    """Press what starts something: "start the scan"; to go to where it could be started is not enough."""
    roles = frozenset({"button", "link", "menuitem"})
    if re.fullmatch(r"(?:it|that|this)", turn.clause.target, re.IGNORECASE):
        return Instead(("click “Start”",), "it is what shows now")
    found = pick(turn, f"start {turn.clause.target}", roles)
    found = pick(turn, turn.clause.target, roles) if isinstance(found, Choice) else found
    if isinstance(found, Choice):
        # "start the stopwatch": a page of that name, with a button to start it.
        page = pick(turn, turn.clause.target, frozenset({"tab"}))
        if isinstance(page, Element):
            name = quote(name_of(page, turn.scene))
            return Instead((f"switch to the {name} tab", "click “Start”"), "there is a page for it")
        return look_again(turn, turn.clause.target) or ask_which(turn, turn.clause.text, found)
    return click_on(turn, found)


def _open_path(turn: Turn, path: str) -> Move:
    """Open a file by the dialog there is for it, or by the field that file managers have for a path."""
    dialog = file_dialog(turn)
    if turn.memo.get("sent"):
        return _after_opening(turn, path, dialog)
    if dialog is not None:
        return enter_path(turn, dialog, path, ("open",))
    location = _location_field(turn) if turn.memo.get("way") == "ctrl l" else None
    if location is not None:
        entry = Write(message=path, target=OnElement(id=location.id), replace=True)
        return turn.act(entry, _ENTER, thought=f"enter {path} into the {said(location, turn.scene)}", sent="1")
    ways = ("ctrl o", "ctrl l") if text_area(turn) is not None else ("ctrl l", "ctrl o")
    way = ways[0] if not turn.tries else ways[1]
    if not turn.tries or (turn.tries < len(ways) and turn.count("looked") >= _PATIENCE):
        thought = f"have a place to enter the path come up by {way}"
        return turn.act(Hotkey(keys=tuple(way.split())), thought=thought, path=path, way=way, looked="0")
    return look_again(turn, "a place to enter the path") or Fail(f"no dialog to open {path} came up")


def _after_opening(turn: Turn, path: str, dialog: Element | None) -> Move:
    if turn.failed:
        return Fail(f"{path} could not be opened: {turn.failed}")
    if dialog is not None:
        waiting = look_again(turn, "the dialog to close")
        return waiting or Fail(f"{path} could not be opened: the dialog is still there ({dialog_texts(turn)})")
    if dialogs(turn):
        return Fail(f"opening {path} was answered with: {dialog_texts(turn)}")
    name = PurePosixPath(path).name
    if any(name in window.title for window in turn.windows):
        return Done(f"opened {path}")
    if not turn.memo.get("way") and turn.done:
        # The dialog stood there before: what it is for is known to whatever has brought it up.
        return Done(f"the dialog took {path} and closed")
    waiting = look_again(turn, "the file's name in the title")
    # What shows no names in its title may still show something else than before.
    unnamed = text_area(turn) is None and turn.changed
    return waiting or (Done(f"opened {path}") if unnamed else Fail(f"no window is called after {path}"))


def _location_field(turn: Turn) -> Element | None:
    return next((e for e in editables(turn) if has(e, "focused") and not has(e, "multiline")), None)


def open_url(turn: Turn) -> Move:
    """Open an address: in this window where it has a field for one, else as the desktop does."""
    if turn.tries:
        if turn.failed:
            return Fail(f"{turn.clause.value} could not be opened: {turn.failed}")
        return Done(f"opened {turn.clause.value}")
    field = next((e for e in editables(turn) if any(same_concept("location", n) for n in turn.scene.names(e))), None)
    if field is not None:
        entry = Write(message=turn.clause.value, target=OnElement(id=field.id), replace=True)
        return turn.act(entry, _ENTER, thought=f"enter {turn.clause.value} into the {said(field, turn.scene)}")
    return turn.act(OpenUrl(url=turn.clause.value), thought=f"open {turn.clause.value}")
