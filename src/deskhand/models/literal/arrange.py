"""Clauses brought into the plain form that an app agent carries out: one effect each, no context left to be guessed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from deskhand.models.literal.clauses import FILE, Clause, read_clause
from deskhand.models.literal.described import named_values
from deskhand.models.literal.pieces import Piece
from deskhand.models.literal.saving import with_folder
from deskhand.perception.quoting import mask, quote

_FILE_TARGET = re.compile(
    r"^(?:(?:a|the|some)\s+)?(?:(?P<new>new|blank|empty|fresh)\s+)?(?:plain\s+)?(?P<what>text file|text document|file|"
    r"note|document|text)"
    r"(?:\s+(?:(?:and )?(?:saved|stored) )?(?:called|named|at|under|as|in|titled|with the name)?\s*(?P<path>.+))?$",
    re.IGNORECASE,
)
_TAB = re.compile(r"^(?P<name>.+?)\s+(?:tab|page)$|^(?:tab|page)\s+(?P<other>.+)$", re.IGNORECASE)
_ON_TAB = re.compile(
    r"^(?P<do>.+?)\s+(?:on|in|under|of)\s+the\s+(?P<tab>\S+(?:\s\S+)?)\s+tab$", re.IGNORECASE | re.DOTALL
)
_MENU = re.compile(r"^(?P<name>.+?)\s+menu$|^menu\s+(?P<other>.+)$", re.IGNORECASE)
_FROM_MENU = re.compile(
    r"^(?:click(?: on)?|choose|select|open|pick|use|activate|"
    r"(?:switch|go|change|set|put|turn)(?: it| the (?:view|display|window))? to)\s+(?:the\s+)?(?P<what>.+?)\s+"
    r"(?:in|from|under|using|via|through|with|of|on)\s+(?:the\s+)?(?P<menu>(?!the\b)\S+(?:\s\S+)?)\s+menu$",
    re.IGNORECASE | re.DOTALL,
)
_IN_SETTINGS = re.compile(
    r"^(?P<do>.+?)\s+(?:in|from|under|of|within|inside)\s+(?:the\s+|its\s+|my\s+)?(?:preferences|settings|options)"
    r"(?:\s+(?:dialog|window))?$",
    re.IGNORECASE | re.DOTALL,
)
_SETTINGS = re.compile(r"^(?:preferences|settings|options)(?:\s+(?:dialog|window))?$", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|a|an|my|this|that)\s+", re.IGNORECASE)
_THERE = re.compile(r"^(?:it|there|this|that|(?:(?:this|that|the) )?(?:new )?(?:file|document|note))$", re.IGNORECASE)
_PRONOUN = re.compile(r"^(?:it|that|this|them|this one|that one|its (?:value|text)|the item)$", re.IGNORECASE)
_POINTING = frozenset(
    {"click", "choose", "toggle", "focus", "hover", "drag", "expand", "read", "scroll_to", "wait_for"}
)
_POINTING |= {"verify", "set", "step", "clear", "rename", "seek"}
_DOCUMENTS = ("text file", "text document", "file", "document", "note")
_SET_THERE = frozenset({"click", "toggle", "set", "step", "tab", "choose", "write", "clear", "verify", "read"})
_SETTINGS_OPEN = "open the preferences"
NEW_FILE = "start a new text file"


class FileTarget(NamedTuple):
    """A file that something is written to."""

    new: bool
    path: str


def file_target(clause: Clause) -> FileTarget | None:
    """Give the file that a text is to go to; None when it goes into a control."""
    if clause.kind != "write" or not clause.target:
        return None
    phrase = mask(clause.target)
    plain = phrase.plain.strip()
    if FILE.match(plain):
        return FileTarget(False, plain)
    found = _FILE_TARGET.match(phrase.text)
    if not found or not (found["new"] or found["path"] or found["what"].lower() in ("text file", "note")):
        return None
    path = with_folder(phrase.part(found["path"])).plain if found["path"] else ""
    if path and not FILE.match(path) and phrase.part(found["path"]).quoted is None and not found["new"]:
        return None
    return FileTarget(bool(found["new"]), path)


def arranged(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Take pieces apart that stand for several clauses, and put the place they name into them."""
    save_under = ""
    for piece in _named(pieces):
        clause = piece.clause
        if clause is None:
            yield piece
            continue
        if save_under and (clause.kind in ("save_as", "new", "close") or _leaves(piece)):
            if clause.kind != "save_as":
                yield _piece(f"save it under {quote(save_under)}")
            save_under = ""
        if clause.kind == "new" and clause.what in _DOCUMENTS and (clause.value or clause.to):
            save_under = clause.value
            yield _piece(NEW_FILE, piece.place)
            if clause.to:
                yield _piece(f"write {quote(mask(clause.to).plain)}")
            continue
        yield from _simple(piece, clause)
    if save_under:
        yield _piece(f"save it under {quote(save_under)}")


def _named(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Put the name of the last thing that was pointed at where a clause only says "it"."""
    last = ""
    for piece in pieces:
        clause = piece.clause
        if clause is None:
            yield piece
            continue
        words = clause.target or (clause.value if clause.kind == "choose" else "")
        if last and clause.kind in _POINTING and _PRONOUN.match(words):
            text = re.sub(rf"(?<!\w){re.escape(words)}(?!\w)", last, piece.text, count=1)
            piece = piece._replace(text=text, clause=read_clause(text) or clause)
        elif words and clause.kind in _POINTING:
            last = words
        yield piece


def _leaves(piece: Piece) -> bool:
    """Tell whether a piece may belong to another application than the file that is being written."""
    return bool(piece.place) or (piece.clause is not None and piece.clause.kind in ("open", "compute", "run"))


def _simple(piece: Piece, clause: Clause) -> Iterator[Piece]:
    target = file_target(clause)
    if target is not None:
        yield from _written_to_file(clause, target, piece.place)
    elif clause.kind == "write" and _THERE.match(clause.target):
        # "write “x” into it": the document that the clauses before were about.
        yield piece._replace(text=_written(clause), clause=read_clause(_written(clause)))
    elif clause.kind == "set_named":
        yield from (_piece(text, piece.place) for text in _named_values(clause))
        if clause.mode:
            yield _piece(f"press {clause.mode}", piece.place)
    elif clause.kind == "write_lines":
        yield from (_piece(text, piece.place) for text in _lines(clause))
    elif clause.kind == "set_pairs":
        yield from (_piece(text, piece.place) for text in _pairs(clause))
    else:
        yield piece


def _named_values(clause: Clause) -> Iterator[str]:
    """Give each value its field: the one that is named with it, unless the clause names a place for the only value."""
    pairs = named_values(mask(clause.value))
    several_fields = re.match(r"(?:both|all|each|every)\b", clause.target, re.IGNORECASE)
    for field, value in pairs:
        into = clause.target if several_fields and len(pairs) == 1 else quote(field)
        yield f"fill in {into} with {quote(value)}"


def _lines(clause: Clause) -> Iterator[str]:
    """Give a clause for each line of a new text, and what ends the lines between them."""
    phrase = mask(clause.value)
    lines = [each for each in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", phrase.text.strip(" ,:")) if each.strip()]
    yield NEW_FILE
    for number, line in enumerate(lines):
        yield from ("press Enter",) if number else ()
        yield f"type {quote(phrase.part(line).plain.strip())}"


def _pairs(clause: Clause) -> Iterator[str]:
    from_clause = re.split(r"\s*[,;\n]\s*(?:and\s+)?|\s+and\s+(?=[^,;]*[:=])", clause.value)
    for pair in from_clause:
        field, value = (part.strip() for part in re.split(r"\s*(?:[:=]|\bis\b|\bas\b)\s*", pair, maxsplit=1))
        yield f"set {quote(field)} to {quote(value)}"


def _written(clause: Clause) -> str:
    verb = {"append": "append", "prepend": "prepend"}.get(clause.mode, "write")
    return f"{verb} {clause.value if clause.references or not clause.quoted else quote(clause.value)}"


def _written_to_file(clause: Clause, target: FileTarget, place: str) -> Iterator[Piece]:
    existing = clause.mode in ("append", "prepend") and target.path and not target.new
    yield _piece(f"open the file {quote(target.path)}" if existing else NEW_FILE, place)
    yield _piece(_written(clause if existing else clause._replace(mode="")))
    if target.path:
        yield _piece("save" if existing else f"save it under {quote(target.path)}")


def _is_elsewhere(clause: Clause | None) -> bool:
    """Tell whether a clause may say at its end on which tab it is to be done, instead of being about a tab."""
    return clause is not None and (
        clause.kind != "tab" or bool(re.search(r"(?i)\s(?:on|in|under) the\s", clause.target))
    )


def placed(piece: Piece) -> Iterator[str]:
    """Put the words for a place on the screen ("In the Settings dialog, ...") behind what is to be done there."""
    clause, place = piece.clause, _ARTICLE.sub("", piece.place.strip())
    behind = _ON_TAB.match(mask(piece.text).text) if not place and _is_elsewhere(clause) else None
    if behind and read_clause(mask(piece.text).part(behind["do"]).spelled):
        phrase = mask(piece.text)
        yield f"switch to the {phrase.part(behind['tab']).spelled} tab"
        yield phrase.part(behind["do"]).spelled
        return
    if clause is None or not place:
        yield from _from_menu(piece.text) or _in_settings(piece.text)
        return
    if _SETTINGS.match(place):
        yield from (_SETTINGS_OPEN, piece.text)
        return
    tab, menu = _TAB.match(place), _MENU.match(place)
    if tab:
        yield f"switch to the {tab['name'] or tab['other']} tab"
        yield piece.text
    elif menu:
        yield from _in_menu(menu["name"] or menu["other"], piece.text, clause)
    else:
        yield f"{piece.text} in the {place}" if read_clause(f"{piece.text} in the {place}") else piece.text


def _from_menu(text: str) -> tuple[str, ...]:
    """Take "switch to Scientific Mode using the View menu" for a way through that menu."""
    phrase = mask(text)
    found = _FROM_MENU.match(phrase.text)
    if not found or read_clause(text) is None:
        return ()
    return (f"choose {phrase.part(found['what']).spelled} from the {phrase.part(found['menu']).spelled} menu",)


def _in_settings(text: str) -> tuple[str, ...]:
    """Have the preferences open before something is set "in the preferences"."""
    phrase = mask(text)
    found = _IN_SETTINGS.match(phrase.text)
    inner = read_clause(phrase.part(found["do"]).spelled) if found else None
    if found is None or inner is None or inner.kind not in _SET_THERE:
        return (text,)
    return _SETTINGS_OPEN, phrase.part(found["do"]).spelled


def _in_menu(menu: str, text: str, clause: Clause) -> Iterator[str]:
    if clause.kind in ("click", "choose", "open", "press"):
        yield f"choose {clause.target or clause.value} from the {menu} menu"
    elif clause.kind == "toggle" and clause.mode != "flip":
        yield f"{text} in the {menu} menu"
    else:
        yield f"open the {menu} menu"
        yield text


def _piece(text: str, place: str = "") -> Piece:
    return Piece(text, read_clause(text), place)
