"""Text: written, cleared, replaced and searched for, and seen to be there."""

from __future__ import annotations

import re
from zlib import crc32

from deskhand.core.action import Action, Click, Hotkey, OnElement, Press, Wait, Write
from deskhand.core.observation import Element
from deskhand.core.text import counted
from deskhand.models.literal.moves import Done, Fail, Instead, Move, Turn
from deskhand.models.literal.passages import is_document
from deskhand.models.literal.sight import (
    EDITABLE,
    ask_which,
    button_of,
    editables,
    has,
    has_digit_keys,
    look_again,
    pick,
    said,
    text_area,
)
from deskhand.models.literal.skills.cells import CELLS, confirm_cell, write_in_cell
from deskhand.models.literal.skills.filling import from_sentence
from deskhand.models.literal.skills.pointing import disabled
from deskhand.perception.ground import Choice, find
from deskhand.perception.naming import same_concept
from deskhand.perception.quoting import mask, quote
from deskhand.perception.scene import FIELDS

_CUT = re.compile(r"… \((\d+) of (\d+) characters\)$")
_LINE = re.compile(
    r"(?i)^(?:the\s+)?(?:(?:text|input|entry|edit) ?(?:box|field|input)|input|field|entry)(?: (?:below|above))?$"
)
_EACH = re.compile(r"(?i)^(?P<how>both|all|each|every)\s+(?:of\s+)?(?:the\s+)?(?P<what>.+)$")
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_SEARCH = re.compile(r"(?i)^(?:search|look|find)(?:\s+(?:for|up))?\s+")
_AREA = re.compile(
    r"(?i)^(?:the\s+)?(?:text ?area|text|text ?box|editor|document|page|body|window|file|note|empty document|"
    r"editing area|text view|input|field|text field|entry)$"
)


def write(turn: Turn) -> Move:
    """Write text into a field, or where the text of a document goes, and see that it is there."""
    if len(turn.scene.elements) <= 1 and not turn.clause.target and (turn.tries or turn.count("looked") > 1):
        return _write_blindly(turn)
    if turn.memo.get("cell"):
        return confirm_cell(turn)
    if has_digit_keys(turn) and not (turn.clause.target or editables(turn)):
        return _write_blindly(turn)
    field = _field(turn)
    if not isinstance(field, Element):
        return field
    if field.role in CELLS:
        return write_in_cell(turn, field)
    if turn.tries:
        return _after_writing(turn, field)
    if has(field, "disabled", "readonly"):
        return disabled(turn, field)
    what = said(field, turn.scene)
    replace = turn.clause.mode == "replace" or (turn.clause.mode == "" and _single_line(field))
    message, moving = _placed_text(turn, field)
    actions: tuple[Action, ...] = (Write(message=message, target=OnElement(id=field.id), replace=replace),)
    if moving:
        actions = (Click(target=OnElement(id=field.id)), Hotkey(keys=moving), Write(message=message))
    memo = {"id": field.id, "was": _digest(field.value), "replace": "1" if replace else ""}
    return turn.act(*actions, thought=f"write {counted(len(message), 'character')} into the {what}", **memo)


def _write_blindly(turn: Turn) -> Move:
    """Write into a window that tells nothing about itself, as some terminals do."""
    if not turn.tries:
        return turn.act(
            Write(message=turn.clause.value), thought="write where the keyboard is; nothing can be read here"
        )
    if turn.failed:
        return Fail(f"nothing was written: {turn.failed}")
    typed = counted(len(turn.clause.value), "character")
    return Done(f"typed {typed}; this window shows nothing that could be read back")


def _single_line(field: Element) -> bool:
    return not has(field, "multiline") and field.role not in ("document", "terminal", "paragraph")


def _placed_text(turn: Turn, field: Element) -> tuple[str, tuple[str, ...]]:
    """Give the text with the line break it needs, and the keys that bring the caret to where it goes."""
    text, mode = turn.clause.value, turn.clause.mode
    if mode == "append":
        own_line = re.search(r"(?i)line|\bas (?:a|the) ", turn.clause.text)
        separate = field.value and not field.value.endswith("\n") and own_line
        return ("\n" + text if separate and has(field, "multiline") else text), ("ctrl", "end")
    if mode == "prepend":
        return text, ("ctrl", "home")
    return text, ()


def _field(turn: Turn) -> Element | Move:
    known = turn.scene.get(turn.memo.get("id", ""))
    if known:
        return known
    words = turn.clause.target
    lines = [e for e in editables(turn) if _single_line(e)] if _LINE.match(words) else []
    if len(lines) == 1:
        return lines[0]
    if words and not _AREA.match(words):
        each = _each_field(turn, words)
        if each is not None:
            return each
        found = pick(turn, words, EDITABLE | CELLS)
        if isinstance(found, Element) and found.role in CELLS and not has(found, "editable"):
            # A cell of a table that only names what is to be entered is not where it is entered.
            field = pick(turn, words, EDITABLE)
            found = field if isinstance(field, Element) else found
        if isinstance(found, Element):
            return found
        unnamed = turn.clause.kind == "write" and re.search(r"(?i)\b(?:document|area|editor|text|page)$", words)
        if unnamed or is_document(words):
            return _default_field(turn) if not found.best else ask_which(turn, words, found)
        return look_again(turn, words) or ask_which(turn, words, found)
    return _default_field(turn)


def _each_field(turn: Turn, words: str) -> Move | None:
    """Take "both text fields" apart into as many clauses as there are such fields."""
    several = _EACH.match(words)
    if several is None:
        return None
    fields = [e for e in find(several["what"], turn.scene, EDITABLE).best if not has(e, "readonly", "disabled")]
    if not fields or (several["how"].lower() == "both" and len(fields) != 2):
        return look_again(turn, words) or ask_which(turn, words, Choice(tuple(fields)))
    what = re.sub(r"(?<=[a-z])s$", "", several["what"])
    numbered = (f"{number}{_ENDINGS.get(number, 'th')}" for number in range(1, len(fields) + 1))
    clauses = (f"fill in the {which} {what} with {quote(turn.clause.value)}" for which in numbered)
    return Instead(tuple(clauses), f"{len(fields)} fields are meant")


def _default_field(turn: Turn) -> Element | Move:
    """Give the field that has the keyboard, else the only one, else the document's."""
    cell = next((e for e in reversed(turn.scene.elements) if has(e, "focused") and e.role in CELLS), None)
    if cell and has(cell, "editable"):
        return cell
    focused = next((e for e in reversed(turn.scene.elements) if has(e, "focused") and e.role in EDITABLE), None)
    area = text_area(turn)
    lines = "\n" in turn.clause.value and area is not None and not _single_line(area)
    if focused and not has(focused, "readonly", "disabled") and not (lines and _single_line(focused)):
        return focused
    if area is not None:
        return area
    if cell:
        return cell
    fields = editables(turn)
    waiting = look_again(turn, "a place to write in")
    if waiting:
        return waiting
    blank = button_of(turn, "new") if not fields and not turn.memo.get("began") else None
    if blank is not None:
        # What welcomes its user with a page of its own has a document only when one is begun.
        thought = f"begin a document by the {said(blank, turn.scene)}"
        return turn.prepare(Click(target=OnElement(id=blank.id)), thought=thought, began="1", looked="0")
    if not fields:
        return Fail("there is nothing here that text can be written into")
    return ask_which(turn, "the field to write in", Choice(fields))


def _after_writing(turn: Turn, field: Element) -> Move:
    what, text = said(field, turn.scene), turn.clause.value
    if field.role == "password" or not text:
        return Fail(f"nothing was written: {turn.failed}") if turn.failed else Done(f"wrote into the {what}")
    if _has_arrived(turn, field):
        return Done(f"wrote {counted(len(text), 'character')} into the {what}")
    if turn.done:
        return _written_though_unseen(turn, field, what)
    if not turn.failed and turn.count("waited") < 3:
        return turn.again(
            Wait(seconds=0.4), "looking whether the text has arrived", waited=str(turn.count("waited") + 1)
        )
    if turn.tries < 2 and _digest(field.value) == turn.memo.get("was"):
        replace: tuple[Action, ...] = (Hotkey(keys=("ctrl", "a")),) if _single_line(field) and field.value else ()
        typed = (Click(target=OnElement(id=field.id)), *replace, Write(message=text))
        return turn.act(*typed, thought="click into it and write by keys")
    shows = f"; it holds {field.value[:80]!r}" if field.value else ""
    return Fail(f"the text is not in the {what}{shows}" + (f": {turn.failed}" if turn.failed else ""))


def _written_though_unseen(turn: Turn, field: Element, what: str) -> Move:
    """Believe a device that read the text back, unless the field shows something else."""
    cut = _CUT.search(field.value)
    if field.role in ("terminal", "document", *CELLS) or cut or not field.value:
        return Done(f"wrote {counted(len(turn.clause.value), 'character')} into the {what}")
    if turn.count("waited") < 2:
        return turn.again(Wait(seconds=0.3), "looking what the field holds", waited=str(turn.count("waited") + 1))
    return Fail(f"the {what} does not hold the text; it shows {field.value[:80]!r}")


def _has_arrived(turn: Turn, field: Element) -> bool:
    """Tell whether a field holds the text now, and did not before, as far as it can be read."""
    text = _plain_lines(turn.clause.value)
    if "{{secret:" in text:
        return turn.done
    cut = _CUT.search(field.value)
    shown = _plain_lines(field.value[: cut.start()] if cut else field.value)
    if turn.memo.get("replace"):
        return shown.strip() == text.strip() or (bool(cut) and text.startswith(shown[:2000]))
    if _digest(field.value) == turn.memo.get("was") and not turn.done:
        return False
    return text in shown or (bool(cut) and (text.startswith(shown[:2000]) or turn.done))


def _plain_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n").strip("\n")


def _digest(text: str) -> str:
    return f"{len(text)}:{text[:40]}:{text[-40:]}"


def clear(turn: Turn) -> Move:
    """Take all text out of a field, and see that it is empty."""
    field = _field(turn)
    if not isinstance(field, Element):
        return field
    what = said(field, turn.scene)
    if not field.value and (not turn.tries or field.role != "password"):
        return Done(f"the {what} is empty")
    if field.role == "password" and turn.tries:
        return Fail(turn.failed) if turn.failed else Done(f"emptied the {what}")
    if has(field, "disabled", "readonly"):
        return disabled(turn, field)
    place = OnElement(id=field.id)
    if not turn.tries:
        keys = (Click(target=place), Hotkey(keys=("ctrl", "a")), Press(keys=("delete",)))
        return turn.act(*keys, thought=f"select all in the {what} and delete it", id=field.id)
    if turn.tries < 2:
        return turn.act(
            Write(message="", target=place, replace=True), thought=f"empty the {what} through its interface"
        )
    return Fail(f"the {what} still holds {field.value[:60]!r}" + (f": {turn.failed}" if turn.failed else ""))


def substitute(turn: Turn) -> Move:
    """Put one text in the place of another wherever it stands, and see that it is so."""
    clause = turn.clause
    field = _field(turn)
    if not isinstance(field, Element):
        return field
    what = said(field, turn.scene)
    if field.role in ("paragraph", "document"):
        # A document is more than the paragraph that can be read as a whole: its own dialog knows all of it.
        filled = (f"type {quote(clause.old)} into “Find”", f"type {quote(clause.value)} into “Replace”")
        return Instead(("press Ctrl+H", *filled, "click Replace All", "close the dialog"), "by the dialog to replace")
    if _CUT.search(field.value):
        return Fail(f"the text in the {what} is too long to be read whole, so replacing in it cannot be checked")
    if turn.tries:
        if field.value == turn.memo.get("goal"):
            return Done(f"replaced {clause.old!r} with {clause.value!r} in the {what}, {turn.memo['times']} times")
        return Fail(f"the {what} does not hold the new text" + (f": {turn.failed}" if turn.failed else ""))
    times = field.value.count(clause.old)
    if not times:
        return look_again(turn, repr(clause.old)) or Fail(f"{clause.old!r} does not occur in the {what}")
    if has(field, "disabled", "readonly"):
        return disabled(turn, field)
    goal = field.value.replace(clause.old, clause.value)
    whole = Write(message=goal, target=OnElement(id=field.id), replace=True)
    return turn.act(whole, thought=f"replace {clause.old!r} {times} times", id=field.id, goal=goal, times=str(times))


def search(turn: Turn) -> Move:
    """Search for a text: in the search field there is, else in the one that ctrl+f brings up."""
    clause = turn.clause
    field = _search_field(turn)
    if turn.memo.get("sent"):
        if turn.failed:
            return Fail(f"searching failed: {turn.failed}")
        return Done(f"searched for {clause.value!r}")
    if turn.memo.get("others") and not turn.failed:
        # What finds while one types may take Return for leave to open what it has found.
        if turn.memo["others"] != _texts_besides(turn):
            return Done(f"searched for {clause.value!r}; what is shown has changed")
        return turn.act(Press(keys=("enter",)), thought="start the search by Return", sent="1")
    if field is not None and not turn.tries:
        what = said(field, turn.scene)
        entry = Write(message=clause.value, target=OnElement(id=field.id), replace=True)
        thought = f"write {clause.value!r} into the {what}"
        return turn.act(entry, thought=thought, others=_texts_besides(turn))
    if turn.tries:
        return Fail(f"searching failed: {turn.failed}")
    by_form = from_sentence(turn, _SEARCH.sub("", mask(clause.text).plain)) if not turn.memo.get("opened") else None
    if by_form is not None:
        return by_form
    if not turn.memo.get("opened"):
        return turn.prepare(Hotkey(keys=("ctrl", "f")), thought="open the search by ctrl+f", opened="1")
    waiting = look_again(turn, "a search field")
    button = button_of(turn, "find") if waiting is None and turn.memo["opened"] != "button" else None
    if button:
        thought = f"open the search by the button {button.name}"
        return turn.prepare(Click(target=OnElement(id=button.id)), thought=thought, opened="button", looked="0")
    return waiting or Fail("no search field came up")


def _texts_besides(turn: Turn) -> str:
    """Give a fingerprint of what can be read but what is written in."""
    texts = [(e.role, e.name, e.value) for e in turn.scene.elements if e.role not in ("textbox", "window")]
    return str(crc32(repr(texts).encode("utf-8", "replace")))


def _search_field(turn: Turn) -> Element | None:
    fields = [e for e in editables(turn) if _single_line(e) and e.role in FIELDS]
    named = [e for e in fields if any(same_concept("find", n) or "search" in n.lower() for n in turn.scene.names(e))]
    if turn.clause.target and not _AREA.match(turn.clause.target):
        found = pick(turn, turn.clause.target, EDITABLE)
        if isinstance(found, Element) and _single_line(found):
            return found
    if len(named) == 1:
        return named[0]
    focused = [e for e in fields if has(e, "focused")]
    return focused[0] if focused and turn.memo.get("opened") else None


def go_line(turn: Turn) -> Move:
    """Go to a line by the dialog that editors have for it."""
    number = str(turn.clause.times)
    if turn.memo.get("sent"):
        return Fail(turn.failed) if turn.failed else Done(f"went to line {number}")
    if turn.memo.get("written"):
        if turn.failed:
            return Fail(f"line {number} could not be entered: {turn.failed}")
        return turn.act(Press(keys=("enter",)), thought="go there by Return", sent="1")
    focused = next((e for e in editables(turn) if has(e, "focused") and _single_line(e)), None)
    if focused and turn.tries:
        entry = Write(message=number, target=OnElement(id=focused.id), replace=True)
        return turn.act(entry, thought=f"enter line {number}", written="1")
    keys = (("ctrl", "l"), ("ctrl", "i"), ("ctrl", "g"))
    if turn.tries < len(keys):
        return turn.act(Hotkey(keys=keys[turn.tries]), thought=f"open the dialog by {'+'.join(keys[turn.tries])}")
    return Fail("no dialog to go to a line came up")
