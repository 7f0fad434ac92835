"""Files and windows: opening, saving, starting anew, closing, and the dialogs that come with it."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from deskhand.core.action import Action, Click, CloseWindow, Hotkey, OnElement, Press, Write
from deskhand.core.observation import Element, Window
from deskhand.models.literal.clauses import read_clause
from deskhand.models.literal.moves import Ask, Done, Fail, Instead, Move, Turn
from deskhand.models.literal.sight import (
    button_of,
    dialog_texts,
    dialogs,
    editables,
    has,
    look_again,
    name_of,
    said,
    text_area,
    window_called,
)
from deskhand.models.literal.skills.menus import do_by_name, in_menus
from deskhand.models.literal.skills.pointing import after_click, target
from deskhand.perception.ground import find
from deskhand.perception.naming import FUZZY, fold, same_concept
from deskhand.perception.quoting import mask, quote
from deskhand.perception.scene import CHECKABLE

_ENTER = Press(keys=("enter",))
_WINDOW = re.compile(r"(?i)^(?:this |current |main |whole )?(?:window|app|application|program|it|everything)$")
DIALOG_WORDS = re.compile(
    r"(?i)^(?P<name>.*?)\s*(?:dialog(?:ue)?(?: box)?|window|pop-?up|message(?: box)?|alert|prompt|warning|question|"
    r"notice|error(?: message)?)$"
)
_UNSAVED = re.compile(r"^[*•●]|\bunsaved\b|\bmodified\b|[*•●]$|\[\*\]", re.IGNORECASE)


def save_as(turn: Turn) -> Move:
    """Save under a path: have the dialog come up, enter the whole path, press Save, and see what comes of it."""
    path = turn.clause.value
    dialog = file_dialog(turn)
    if turn.memo.get("sent"):
        return _after_saving(turn, path, dialog)
    if dialog is not None:
        return enter_path(turn, dialog, path, ("save", "export"))
    if turn.failed and turn.tries >= 2:
        return Fail(f"the dialog to save under a name did not come up: {turn.failed}")
    if not turn.tries:
        return turn.act(*_opening(turn, path), thought="have the dialog to save under a name come up")
    if turn.memo.get("chosen"):
        return look_again(turn, "the dialog to save") or Fail("the dialog to save under a name did not come up")
    copied = re.search(r"(?i)\bcopy\b", turn.clause.text)
    searched = in_menus(turn, "save copy" if copied else "save as", "file_menu")
    if isinstance(searched, Element):
        return turn.act(
            Click(target=OnElement(id=searched.id)), thought=f"click the {said(searched, turn.scene)}", chosen="1"
        )
    if searched is not None:
        return searched
    return turn.act(Hotkey(keys=("ctrl", "s")), thought="save, which asks for a name the first time", chosen="1")


def _opening(turn: Turn, path: str) -> tuple[Action]:
    """Give what brings the dialog up: a document becomes a PDF by a control of its own, where there is one."""
    exports = [e for e in turn.scene.top if e.role == "button" and re.search(r"(?i)\bexport\b.*\bpdf\b", e.name)]
    if path.lower().endswith(".pdf") and exports and not has(exports[0], "disabled"):
        return (Click(target=OnElement(id=exports[0].id)),)
    return (Hotkey(keys=("ctrl", "shift", "s")),)


def file_dialog(turn: Turn) -> Element | None:
    """Give the dialog for files that is open: one that has a field and a button to save or open."""
    for dialog in reversed(dialogs(turn)):
        inside = list(turn.scene.within(dialog))
        if button_of(turn, "cancel", within=dialog) and (
            _path_field(turn, dialog) or any(e.role in ("table", "list", "tree") for e in inside)
        ):
            return dialog
    return None


def _path_field(turn: Turn, dialog: Element) -> Element | None:
    fields = editables(turn, list(turn.scene.within(dialog)))
    named = [
        e
        for e in fields
        if any(same_concept("file name", n) or same_concept("location", n) for n in turn.scene.names(e))
    ]
    focused = [e for e in fields if has(e, "focused") and e.role in ("textbox", "combobox")]
    return next(iter(named or focused), None)


def enter_path(turn: Turn, dialog: Element, path: str, commit: tuple[str, ...]) -> Move:
    """Write a path where a file dialog takes one, then press its button."""
    field = _path_field(turn, dialog)
    if field is None:
        if turn.memo.get("location"):
            return look_again(turn, "a field for the path") or Fail("the dialog has no field for a path")
        return turn.prepare(Hotkey(keys=("ctrl", "l")), thought="have the field for a path come up", location="1")
    if field.value != path and turn.count("wrote") < 2:
        entry = Write(message=path, target=OnElement(id=field.id), replace=True)
        wrote = str(turn.count("wrote") + 1)
        return turn.prepare(entry, thought=f"write {path} into the {said(field, turn.scene)}", wrote=wrote)
    if field.value and field.value != path and not field.value.endswith(PurePosixPath(path).name):
        return Fail(
            f"the dialog does not take the path {path!r}: its field shows {field.value!r}. {turn.failed}".strip()
        )
    button = button_of(turn, *commit, "ok", within=dialog)
    if button is None:
        return turn.act(_ENTER, thought="confirm by Return", sent="1")
    return turn.act(Click(target=OnElement(id=button.id)), thought=f"press {button.name}", sent="1")


def _after_saving(turn: Turn, path: str, dialog: Element | None) -> Move:
    asked = _question(turn, dialog)
    if turn.memo.get("why"):
        return _give_up_saving(turn, path, asked or dialog)
    if asked is not None and not turn.failed:
        replace = button_of(turn, "replace", "yes", within=asked)
        if replace and not turn.memo.get("replacing"):
            # Whether that is allowed, the gate that every action goes through decides.
            click = Click(target=OnElement(id=replace.id))
            return turn.act(click, thought=f"it asks: {dialog_texts(turn)}; press {replace.name}", replacing="1")
        how = _how_to_save(turn, path, asked)
        if how is not None:
            return how
        return Fail(f"saving under {path} was answered with: {dialog_texts(turn)}")
    if dialog is not None and asked is None and not turn.memo.get("entered"):
        return turn.act(_ENTER, thought="the dialog is still there: confirm by Return", entered="1")
    window = turn.own_window
    named = window is not None and PurePosixPath(path).name in window.title
    # A dialog that closes under the click that was meant for it has failed for the device, and has saved.
    seen = named and window is not None and not _UNSAVED.search(window.title) and not (asked or dialog)
    if turn.failed and not seen:
        return _give_up_saving(turn, path, asked or dialog)
    if dialog is not None:
        return look_again(turn, "the dialog to close") or Fail(f"the dialog to save under {path} does not close")
    if window is not None and not named and _UNSAVED.search(window.title):
        return look_again(turn, "the window's title") or Fail(f"the window still says {window.title!r}")
    return Done(f"saved under {path}" + (f" (the window is called {window.title!r})" if named and window else ""))


def _how_to_save(turn: Turn, path: str, asked: Element) -> Move | None:
    """Leave a dialog with options to the clause that answers it, else take its options as they are; None for others."""
    following = read_clause(turn.following) if turn.following else None
    inside = list(turn.scene.within(asked))
    if not any(e.role in (*CHECKABLE, "combobox", "spinbutton") for e in inside):
        return None
    if following is not None and following.kind in ("click", "press", "dialog"):
        return Done(f"its path is {path}, and a dialog asks how: {asked.name}")
    agree = button_of(turn, "export", "save", "ok", within=asked)
    if agree is None or turn.count("agreed") > 1:
        return None
    click, agreed = Click(target=OnElement(id=agree.id)), str(turn.count("agreed") + 1)
    return turn.act(click, thought=f"take the options of {asked.name} as they are", agreed=agreed)


def _question(turn: Turn, dialog: Element | None) -> Element | None:
    """Give a dialog that asks or complains on top of the file dialog, or after it."""
    shown_now = [d for d in dialogs(turn) if d is not dialog]
    if dialog is not None and any(a.role in ("alert",) for a in turn.scene.within(dialog)):
        return next(a for a in turn.scene.within(dialog) if a.role == "alert")
    return shown_now[-1] if shown_now else None


def _give_up_saving(turn: Turn, path: str, dialog: Element | None) -> Move:
    """Close what is open, so that the application can be used, then say why it was not saved."""
    why = turn.memo.get("why") or f"it was not saved under {path}: {turn.failed}"
    cancel = button_of(turn, "cancel", "no", within=dialog) if dialog else None
    if cancel and turn.count("closing") < 2:
        click = Click(target=OnElement(id=cancel.id))
        return turn.prepare(
            click, thought="not allowed: close the dialog", why=why, closing=str(turn.count("closing") + 1)
        )
    return Fail(why)


def save(turn: Turn) -> Move:
    """Save what is open under the name it has."""
    dialog = file_dialog(turn)
    if dialog is not None:
        if turn.answer:
            return Instead((f"save it under {quote(turn.answer)}",), f"under {turn.answer}")
        return Ask(f"“{turn.clause.text}”: it has no name yet. Under which path is it to be saved?")
    button = button_of(turn, "save") if not turn.memo or turn.memo.get("clicked") else None
    if turn.memo.get("clicked") or (button is not None and button.source == "dom"):
        return do_by_name(turn, "save")  # a page is saved by what it has for it
    if not turn.tries:
        return turn.act(Hotkey(keys=("ctrl", "s")), thought="save by ctrl+s")
    if turn.failed:
        return Fail(f"saving failed: {turn.failed}")
    question = dialogs(turn)
    if question and not turn.memo.get("asked"):
        return Ask(f"“{turn.clause.text}”: the application asks: {dialog_texts(turn)}. What is the answer?")
    window = turn.own_window
    if window is None or not _UNSAVED.search(window.title):
        return Done("saved" + (f" ({window.title!r} has no unsaved changes)" if window else ""))
    if turn.tries < 2:
        return do_by_name(turn, "save", "file_menu")
    return look_again(turn, "the mark for unsaved changes to go") or Fail(f"the window still says {window.title!r}")


def is_own(turn: Turn, words: str) -> bool:
    """Tell whether words name the application that this window is of."""
    own = {turn.application, turn.application.rpartition(".")[2]}
    if turn.own_window:
        own |= {turn.own_window.title, turn.own_window.app, *re.split(r" [-–—] ", turn.own_window.title)}
    bare = re.sub(r"(?i)^(?:the|a|an)\s+|\s+(?:app|application|program|window)$", "", words)
    return bool(bare) and fold(bare) in {fold(name) for name in own if name}


def new(turn: Turn) -> Move:
    """Start a new document, window, tab or folder; an editor that is empty already is a new document."""
    what = turn.clause.what
    if what in ("folder", "directory"):
        return _new_folder(turn)
    area = text_area(turn)
    if what not in ("window", "tab") and area is not None and not area.value.strip():
        window = turn.own_window
        if window is None or not re.search(r"\w\.[a-z]{1,5}\b", window.title) or turn.tries:
            return Done("an empty document is there")
    if turn.tries:
        if turn.failed:
            return Fail(f"nothing new could be started: {turn.failed}")
        if turn.done or turn.changed:
            return Done(f"started a new {what}")
        return do_by_name(turn, {"tab": "new tab", "window": "new window"}.get(what, "new"), "file_menu")
    keys = ("ctrl", "t") if what == "tab" else ("ctrl", "n")
    return turn.act(Hotkey(keys=keys), thought=f"start a new {what} by {'+'.join(keys)}")


def _new_folder(turn: Turn) -> Move:
    name = turn.clause.value
    if turn.memo.get("sent"):
        if turn.failed:
            return Fail(f"the folder was not made: {turn.failed}")
        if not name or find(quote(name), turn.scene).best:
            return Done(f"the folder {name} is there")
        waiting = look_again(turn, name)
        if waiting is None and turn.memo.get("closed") and not dialogs(turn):
            # Some lists of files tell nothing about what is in them.
            return Done(f"the dialog took the name {name} and closed; the folder itself is not to be seen")
        if waiting is not None:
            closed = "1" if turn.done or turn.memo.get("closed") else ""
            return waiting._replace(memo={**waiting.memo, "closed": closed})
        return Fail(f"no folder called {name!r} is to be seen")
    if turn.tries:
        field = next((e for e in editables(turn) if has(e, "focused")), None)
        if field is None:
            return look_again(turn, "a field for the name") or Fail("no field for the folder's name came up")
        entry = Write(message=name, target=OnElement(id=field.id), replace=True)
        return turn.act(*((entry,) if name else ()), _ENTER, thought=f"call the folder {name}", sent="1")
    return turn.act(Hotkey(keys=("ctrl", "shift", "n")), thought="make a folder by ctrl+shift+n")


def close(turn: Turn) -> Move:
    """Close a window or dialog, and see that it is gone; questions about unsaved changes are not answered unasked."""
    plain = mask(turn.clause.target).plain.strip()
    window, element = _closing(turn, plain)
    if turn.memo.get("closing"):
        return _after_closing(turn, plain)
    if window is None and element is None:
        switch = find(turn.clause.target, turn.scene, CHECKABLE) if plain else None
        if switch and switch.only and switch.distance < FUZZY and not turn.tries:
            return Instead((f"turn off {turn.clause.target}",), "it is something to be switched off")
        found = target(turn, f"Close {plain}" if plain else "Close", menus=False)
        if not isinstance(found, Element):
            return look_again(turn, plain) or Ask(
                f"“{turn.clause.text}”: which window is meant? None is called {plain!r}."
            )
        return turn.act(
            Click(target=OnElement(id=found.id)), thought=f"click the {said(found, turn.scene)}", closing="?"
        )
    button = button_of(turn, "close", "cancel", within=element) if element else None
    if button and window is None:
        return turn.act(Click(target=OnElement(id=button.id)), thought=f"press {button.name}", closing="?")
    closed = window.id if window else element.window if element else ""
    return turn.act(CloseWindow(window=closed), thought=f"close the window {plain}", closing=closed)


def _closing(turn: Turn, words: str) -> tuple[Window | None, Element | None]:
    """Give the window, or the dialog within one, that is to be closed."""
    dialog = DIALOG_WORDS.match(words)
    open_dialogs = dialogs(turn)
    if open_dialogs and (not words or dialog or words.lower() == "it"):
        named = dialog["name"] if dialog else ""
        fits = [d for d in open_dialogs if not named or fold(named) in fold(d.name) or same_concept(named, d.name)]
        if fits and not (dialog and words.lower().endswith("window") and not named):
            own = next((w for w in turn.windows if w.id == fits[-1].window and w.dialog_of), None)
            return own, fits[-1]
    if not words or _WINDOW.match(words) or is_own(turn, words):
        return turn.own_window, None
    bare = re.sub(r"(?i)\s+(?:window|dialog(?:ue)?|app|application)$", "", words)
    return window_called(turn.windows, bare), None


def _after_closing(turn: Turn, words: str) -> Move:
    closed = turn.memo["closing"]
    if closed != "?" and not any(w.id == closed for w in turn.windows):
        return Done(f"the window {words} is closed")
    if turn.clause.mode == "discard" and not turn.failed:
        button = button_of(turn, "don't save", "discard", "no", "close without saving")
        if button and turn.count("answered") < 2:
            click = Click(target=OnElement(id=button.id))
            answered = str(turn.count("answered") + 1)
            return turn.act(click, thought=f"press {button.name}", answered=answered)
    if turn.failed:
        return Fail(f"it was not closed: {turn.failed}")
    if closed == "?":
        return after_click(turn, words or "button to close")
    asking = dialogs(turn)
    if asking and (turn.own_window is None or asking[-1].window != closed):
        return _unsaved(turn)
    return look_again(turn, "the window to close") or Fail(f"the window {words} is still open")


def _unsaved(turn: Turn) -> Move:
    """Hand on what the application asks before it closes."""
    if turn.answer:
        found = find(turn.answer, turn.scene, frozenset({"button"}))
        if found.only:
            return turn.act(Click(target=OnElement(id=found.only.id)), thought=f"press {found.only.name}")
    return Ask(
        f"“{turn.clause.text}”: before it closes, the application asks: {dialog_texts(turn)}. What is the answer?"
    )


def answer_dialog(turn: Turn) -> Move:
    """Press the button of a dialog that says yes, or the one that says no."""
    mode = turn.clause.mode
    if turn.tries:
        return after_click(turn, turn.memo.get("what", "dialog"))
    shown_dialogs = dialogs(turn)
    words = {
        "yes": ("ok", "yes", "accept", "apply", "save", "next", "finish", "open", "close"),
        "no": ("cancel", "no", "decline", "close"),
        "dont_save": ("don't save", "discard"),
    }[mode]
    within = shown_dialogs[-1] if shown_dialogs else None
    button = button_of(turn, *words, within=within)
    if button is not None and (within is not None or mode == "dont_save" or turn.clause.target):
        return turn.act(Click(target=OnElement(id=button.id)), thought=f"press {button.name}", what=button.name)
    if mode == "dont_save":
        return Done("nothing asks whether to save")
    box = find(turn.clause.text, turn.scene, CHECKABLE)
    if within is None and mode == "yes" and box.only:
        return Instead((f"check {quote(name_of(box.only, turn.scene))}",), "it is a check box")
    if button is not None:
        return turn.act(Click(target=OnElement(id=button.id)), thought=f"press {button.name}", what=button.name)
    if within is not None and mode == "no":
        return turn.act(Press(keys=("esc",)), thought="dismiss it by Escape", what="dialog")
    return look_again(turn, "a dialog") or Fail("there is no dialog to answer")
