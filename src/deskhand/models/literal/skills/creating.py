"""Making something new that an application has a word of its own for: an appointment, an archive, a playlist."""

from __future__ import annotations

from deskhand.core.action import Click, OnElement, Write
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Ask, Done, Fail, Move, Turn
from deskhand.models.literal.sight import button_of, dialog_texts, dialogs, editables, has, look_again, said
from deskhand.models.literal.skills.menus import MENTIONED, in_menus
from deskhand.perception.ground import find
from deskhand.perception.quoting import quote
from deskhand.perception.scene import MENU_ITEMS

_VERBS = ("new", "create", "add")
_NAMING = ("name", "title", "subject")
_COMMIT = ("save", "add", "ok", "finish", "apply")


def new_thing(turn: Turn) -> Move:
    """Click what makes a new one; give it its name where it asks for one, and see that it is there."""
    clause = turn.clause
    if turn.memo.get("committed"):
        return _after_committing(turn)
    if turn.memo.get("named"):
        return _commit(turn)
    if turn.failed:
        return Fail(f"no new {clause.what} could be made: {turn.failed}")
    if turn.tries:
        return _asked_for(turn)
    opener = _opener(turn)
    if not isinstance(opener, Element):
        return opener
    if has(opener, "disabled"):
        return Fail(f"the {said(opener, turn.scene)} is disabled (greyed out)")
    return turn.act(Click(target=OnElement(id=opener.id)), thought=f"click the {said(opener, turn.scene)}")


def _opener(turn: Turn) -> Element | Move:
    """Find the button or menu item that makes a new one: called after the thing, else only "new"."""
    what, roles = turn.clause.what, frozenset({"button", "link"}) | MENU_ITEMS
    for label in (*(f"{verb} {what}" for verb in _VERBS), *_VERBS):
        choice = find(label, turn.scene, roles)
        if choice.only and choice.distance < MENTIONED:
            return choice.only
        searched = in_menus(turn, label, "file_menu") if label == f"new {what}" else None
        if searched is not None:
            return searched
    return look_again(turn, f"what makes a new {what}") or Ask(
        f"“{turn.clause.text}”: nothing here makes a new {what}. Which control does?"
    )


def _asked_for(turn: Turn) -> Move:
    """Go on after the click: name what is new, or hand on what the application asks."""
    clause, asking = turn.clause, dialogs(turn)
    if not clause.value:
        if asking:
            return Ask(f"“{clause.text}”: the application asks: {dialog_texts(turn)}. What is the answer?")
        if turn.done or turn.changed:
            return Done(f"started a new {clause.what}")
        return look_again(turn, f"the new {clause.what}") or Fail(f"nothing came up for a new {clause.what}")
    field = _field(turn)
    if field is None:
        return look_again(turn, "a field for its name") or Fail(f"no field for the name of the {clause.what} came up")
    entry = Write(message=clause.value, target=OnElement(id=field.id), replace=True)
    return turn.act(entry, thought=f"write {clause.value!r} into the {said(field, turn.scene)}", named="1")


def _field(turn: Turn) -> Element | None:
    fields = [e for e in editables(turn) if not has(e, "multiline")]
    for word in _NAMING:
        choice = find(word, turn.scene, frozenset({"textbox", "combobox"}))
        if choice.only in fields and choice.distance < MENTIONED:
            return choice.only
    return next((e for e in fields if has(e, "focused")), fields[0] if len(fields) == 1 else None)


def _commit(turn: Turn) -> Move:
    if turn.failed:
        return Fail(f"the {turn.clause.what} could not be named: {turn.failed}")
    button = button_of(turn, "create", *_COMMIT)
    if button is None:
        return Ask(f"“{turn.clause.text}”: it is called {turn.clause.value!r} now. Which button makes it?")
    return turn.act(Click(target=OnElement(id=button.id)), thought=f"press {button.name}", committed="1")


def _after_committing(turn: Turn) -> Move:
    clause = turn.clause
    if turn.failed:
        return Fail(f"the {clause.what} was not made: {turn.failed}")
    if find(quote(clause.value), turn.scene).best and not dialogs(turn):
        return Done(f"the {clause.what} {clause.value} is there")
    return look_again(turn, clause.value) or Fail(f"no {clause.what} called {clause.value!r} is to be seen")
