"""Items of lists and files: renamed, deleted and copied."""

from __future__ import annotations

from deskhand.core.action import Action, Click, Hotkey, OnElement, Press, Write
from deskhand.core.observation import Element
from deskhand.models.literal.clauses import FILE
from deskhand.models.literal.moves import Done, Fail, Instead, Move, Turn
from deskhand.models.literal.saving import usual_folder
from deskhand.models.literal.sight import ask_which, button_of, dialogs, editables, has, look_again, name_of, pick, said
from deskhand.models.literal.skills.cells import CELLS
from deskhand.perception.ground import Choice
from deskhand.perception.quoting import mask, quote

_ITEMS = CELLS | {"img", "option", "label"}


def copy_file(turn: Turn) -> Move:
    """Copy or move a file into one of the usual folders, by the clipboard of the file manager."""
    path = usual_folder(mask(turn.clause.to).plain)
    name, keys = mask(turn.clause.target).plain.strip(), "X" if turn.clause.mode == "move" else "C"
    if not path:
        return Fail(f"it is not known where {turn.clause.to!r} is")
    steps = (f"click {quote(name)}", f"press Ctrl+{keys}", "press Ctrl+L", f"type {quote(path)}", "press Enter")
    return Instead((*steps, "press Ctrl+V", f"check that there is {quote(name)}"), f"that is {path}")


def new_folder_in(turn: Turn) -> Move:
    """Go to one of the usual folders in the file manager, and make a folder there."""
    path, name = usual_folder(mask(turn.clause.target).plain), quote(turn.clause.value)
    going = ("press Ctrl+L", f"type {quote(path)}", "press Enter")
    return Instead((*going, f"make a new folder called {name}"), f"that is {path}")


def download(turn: Turn) -> Move:
    """Click the link or button of a page by which it is downloaded, which may be called by the verb or only by what."""
    words, roles = turn.clause.target, frozenset({"link", "button"})
    found = pick(turn, f"download {words}", roles)
    found = pick(turn, words, roles) if isinstance(found, Choice) else found
    if isinstance(found, Choice):
        return look_again(turn, words) or ask_which(turn, words, found)
    return Instead((f"click the {found.role} {quote(name_of(found, turn.scene))}",), "that downloads it")


def delete_shown(turn: Turn) -> Move:
    """Delete what a viewer shows, and agree when it asks back."""
    if turn.tries:
        if turn.failed:
            return Fail(f"it was not deleted: {turn.failed}")
        confirm = button_of(turn, "delete", "move to trash", "yes", "ok") if dialogs(turn) else None
        if confirm and not turn.memo.get("confirmed"):
            # Whether that is allowed, the gate that every action goes through decides.
            return turn.act(Click(target=OnElement(id=confirm.id)), thought=f"press {confirm.name}", confirmed="1")
        if turn.memo.get("confirmed") and not dialogs(turn):
            return Done(f"{turn.clause.target} was deleted")
        return look_again(turn, "a question") or Fail("nothing has come of the key Delete")
    return turn.act(Press(keys=("delete",)), thought="delete what is shown by Delete")


def as_list(turn: Turn, words: str) -> Instead | None:
    """Have a file manager show its files as a list, where it tells nothing of those it shows as icons."""
    icons = [e for e in turn.scene.elements if "icon view" in e.name.lower()]
    shown = [e for pane in icons for e in turn.scene.within(pane) if e.name.strip()]
    if not icons or shown or not FILE.match(mask(words).plain.strip()):
        return None
    return Instead(("choose View > “List View”", turn.clause.text), "its icons tell nothing of their files")


def rename(turn: Turn) -> Move:
    """Rename an item the way lists do it: F2, the new name, Return."""
    clause = turn.clause
    if turn.memo.get("sent"):
        if turn.failed:
            return Fail(f"renaming failed: {turn.failed}")
        found = pick(turn, clause.value, _ITEMS)
        if isinstance(found, Element) or found.best:
            return Done(f"it is called {clause.value} now")
        return look_again(turn, clause.value) or Fail(f"nothing is called {clause.value!r} after renaming")
    if turn.memo.get("opened"):
        field = next((e for e in editables(turn) if has(e, "focused")), None)
        entry = Write(message=clause.value, target=OnElement(id=field.id) if field else None, replace=True)
        rename_button = button_of(turn, "rename")
        confirm: tuple[Action, ...] = (Press(keys=("enter",)),)
        if rename_button:
            confirm = (Click(target=OnElement(id=rename_button.id)),)
        return turn.act(entry, *confirm, thought=f"enter the name {clause.value}", sent="1")
    if not clause.target:
        return turn.prepare(Press(keys=("f2",)), thought="rename it by F2", opened="1")
    found = pick(turn, clause.target, _ITEMS)
    if isinstance(found, Choice):
        waiting = as_list(turn, clause.target) or look_again(turn, clause.target)
        return waiting or ask_which(turn, clause.target, found)
    keys = (Click(target=OnElement(id=found.id)), Press(keys=("f2",)))
    return turn.prepare(*keys, thought=f"rename the {said(found, turn.scene)} by F2", opened="1")


def delete(turn: Turn) -> Move:
    """Delete an item of a list: choose it, press Delete, answer what is asked back, and see that it is gone."""
    words = turn.clause.target
    found = pick(turn, words, _ITEMS)
    if turn.memo.get("sent"):
        if turn.failed:
            return Fail(f"{words} was not deleted: {turn.failed}")
        confirm = button_of(turn, "delete", "remove", "move to trash", "yes", "ok") if dialogs(turn) else None
        if confirm and not turn.memo.get("confirmed"):
            # Whether that is allowed, the gate that every action goes through decides.
            return turn.act(Click(target=OnElement(id=confirm.id)), thought=f"press {confirm.name}", confirmed="1")
        if isinstance(found, Choice) and not found.best:
            return Done(f"{words} is not there any more")
        return look_again(turn, f"{words} to go") or Fail(f"{words} is still there")
    if isinstance(found, Choice):
        return as_list(turn, words) or look_again(turn, words) or ask_which(turn, words, found)
    key = Hotkey(keys=("shift", "delete")) if turn.clause.mode == "for_good" else Press(keys=("delete",))
    keys = (Click(target=OnElement(id=found.id)), key)
    return turn.act(*keys, thought=f"delete the {said(found, turn.scene)}", sent="1")
