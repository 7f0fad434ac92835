"""The host's plan: which application does which clauses, and how values get from one to the other."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from deskhand.models.literal.applications import Desktop, Meant
from deskhand.models.literal.arrange import arranged, placed
from deskhand.models.literal.carrying import in_terminal, whole_text
from deskhand.models.literal.clauses import DRAWN, FILE, Clause, read_clause
from deskhand.models.literal.described import on_page, only_described, stands_somewhere
from deskhand.models.literal.languages import message
from deskhand.models.literal.pieces import Piece
from deskhand.models.literal.requests import first_words, split_request
from deskhand.models.literal.shell.clauses import command_for
from deskhand.perception.quoting import mask, quote

_AWAY = re.compile(
    r"\s+(?:in|on|with|using|via|into|inside|within|from|of|by)\s+(?P<app>[^,;]+?)"
    r"(?P<rest>\s*[:,]\s*|$|(?=\s+(?:shows?|says?|reads?|displays?|contains?)$))",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"^(?:only\s+|just\s+)?(?:the|that|this|its|your|my|whatever)?\s*(?P<what>.*?)\s*"
    r"(?:(?:that|which)?\s*(?:it|is|was|you|the \w+(?: \w+)?)\s*"
    r"(?:shows?|displays?|says|gives|shown|displayed|computed|calculated|read|found|got|there))?$",
    re.IGNORECASE,
)
_ANY_VALUE = frozenset(
    {"result", "results", "value", "number", "answer", "it", "that", "sum", "outcome", "output", "this"}
)
_ANY_VALUE |= {"figure", "text", "content", "shown value", "displayed value", "", "product", "quotient", "difference"}
_ANY_VALUE |= {
    "solution",
    "total",
    "computed value",
    "calculated value",
    "read value",
    "displayed result",
    "shown result",
    "contents",
}
_ONLY_DESCRIBED = re.compile(
    r"^(?:a|an|some|the|my)\s+(?:\w+\s+){0,2}(?:paragraph|poem|letter|story|essay|e-?mail|mail|note|text|sentence|summary|"
    r"list|report|message|haiku|song|article|description|greeting|joke|line)s?\b",
    re.IGNORECASE,
)
_SETTINGS_OF = re.compile(
    r"^(?P<app>.+?)(?:'s)?\s+(?P<what>(?:preferences|settings|options)(?:\s+(?:dialog|window))?)$", re.I
)
_USE = re.compile(r"^(?:use|using|with|in) (?P<app>.+?)(?: for (?:this|that|it))?[.!]?$", re.IGNORECASE)
_OPENS = re.compile(
    r"^(?:open|launch|start|run|bring up|focus|view|(?:go|switch|change|return|go back) to)\s+(?P<name>.+)$", re.I
)
_YIELDS = ("compute", "operate", "read", "solve")
_DOCUMENTS = ("text file", "text document", "note", "file", "document", "page")
_EDITORS = ("text_editor", "word_processor")


class Task(NamedTuple):
    """What one application is to do."""

    application: str
    """What ASSIGN takes."""
    name: str
    kind: str
    clauses: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.clauses)


class Line(NamedTuple):
    """One clause of a request as it is understood, for people."""

    text: str
    kind: str
    application: str
    target: str
    understood: bool

    def __str__(self) -> str:
        if not self.understood:
            return f"“{self.text}” is not understood"
        where = f" in {self.application}" if self.application else ", in an application that is neither named nor open"
        about = f": {_short(self.target)}" if self.target else ""
        return f"“{_short(self.text)}” means {self.kind}{about}{where}"


@dataclass
class Plan:
    """The tasks of a request, and what stands in the way of them."""

    tasks: list[Task] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    """Applications that are named and not installed, as sentences."""


def plan_request(request: str, desktop: Desktop, answers: Sequence[tuple[str, str]] = ()) -> Plan:
    """Read a request and give each clause to an application."""
    return _Planner(desktop, dict(answers)).plan(request)


class _Planner:
    """Walks over the clauses of a request, remembering the application and the values so far."""

    def __init__(self, desktop: Desktop, answers: dict[str, str]) -> None:
        self._desktop = desktop
        self._answers = answers
        self._plan = Plan()
        self._request = ""
        self._current: Meant | None = None
        self._keys: list[tuple[str, str]] = []
        """The names of the values so far, and what they were called in the request."""
        self._wanted: set[str] = set()
        self._steps: list[tuple[Meant, str, str]] = []
        """Application, clause and the key of the value that it yields."""

    def plan(self, request: str) -> Plan:
        self._request = request
        named = [self._with_application(piece) for piece in split_request(request)]
        pieces = [one for at, piece in enumerate(named) for one in in_terminal(piece, self._desktop, named[:at])]
        for piece in arranged(self._used(pieces)):
            self._take(piece)
        self._plan.tasks = list(self._tasks())
        return self._plan

    def _used(self, pieces: Sequence[Piece]) -> Sequence[Piece]:
        """Take "use galculator" for a word about the clauses after it, or, at the end, about the one before."""
        kept: list[Piece] = []
        for index, piece in enumerate(pieces):
            found = _USE.match(piece.text)
            if found is None or not self._desktop.meant(mask(found["app"]).plain):
                kept.append(piece)
            elif index + 1 < len(pieces) or not kept:
                kept.append(Piece(f"open {found['app']}", read_clause(f"open {found['app']}")))
            elif not kept[-1].place:
                kept[-1] = kept[-1]._replace(place=mask(found["app"]).plain)
        return kept

    def _with_application(self, piece: Piece) -> Piece:
        """Bring an application that is named within a clause to its front."""
        if piece.place or (piece.clause is not None and piece.clause.kind in ("transfer", *DRAWN)):
            return piece  # what is carried over has two places, and a figure is no application
        phrase = mask(piece.text)
        for space in reversed(list(re.finditer(r"\s+", phrase.text))):
            found = _AWAY.match(phrase.text, space.start())
            if not found:
                continue
            app = phrase.part(found["app"]).plain
            if not (self._desktop.meant(app) or self._desktop.is_kind(app) or self._settings_of(app)):
                continue
            rest = phrase.text[: found.start()] + (": " if ":" in found["rest"] else " ") + phrase.text[found.end() :]
            text = phrase.part(first_words(rest.strip())).spelled
            clause = read_clause(text)
            if clause is not None or command_for(text):
                return Piece(text, clause, app)
        return piece

    def _take(self, piece: Piece) -> None:
        clause = piece.clause
        if clause is None:
            self._note(piece, None, "", False)
            self._plan.unread.append(piece.text)
            return
        place, piece = piece.place, self._enter(piece)
        named = bool(place) and not piece.place
        if clause.kind == "transfer":
            self._transfer(clause)
            return
        if self._opens_application(clause):
            assert self._current is not None
            self._add(piece._replace(text=_opening(self._current)), clause)
            return
        clause = self._own_window(clause)
        self._choose_application(clause, named=named)
        clause = self._with_value(self._read_first(clause))
        if clause.kind == "read" and self._repeats_last_value(clause):
            return
        for text in placed(piece._replace(text=clause.text)):
            self._add(piece._replace(text=text), read_clause(text) or clause)

    def _enter(self, piece: Piece) -> Piece:
        """Go to the application that a piece names; leave places on the screen where they are."""
        if not piece.place:
            return piece
        meant = self._desktop.meant(piece.place)
        if meant:
            self._current = meant
            return piece._replace(place="")
        if settings := self._settings_of(piece.place):  # "in the mousepad preferences"
            self._current, what = settings
            # A browser has no dialog for them: they are looked for when what is to be set is not there.
            return piece._replace(place="" if self._desktop.fits(self._current, "browser") else what)
        nowhere = self._current is None and self._desktop.front is None
        if nowhere or self._desktop.is_kind(piece.place):
            self._missing(mask(piece.place).plain)
            return piece._replace(place="")
        return piece

    def _settings_of(self, place: str) -> tuple[Meant, str] | None:
        """Read "the terminal's preferences" as an application and what it is of it."""
        found = _SETTINGS_OF.match(place)
        owner = self._desktop.meant(found["app"]) if found else None
        return (owner, found["what"]) if found and owner else None

    def _missing(self, name: str) -> None:
        near = self._desktop.near(name)
        hint = message(self._request, "installed", names=", ".join(near)) if near else ""
        self._plan.missing.append(message(self._request, "missing", name=name, hint=hint))

    def _opens_application(self, clause: Clause) -> bool:
        if clause.kind not in ("open", "run", "focus"):
            return False
        if clause.kind == "run" and self._current and self._current.kind == "terminal":
            return False
        whole = _OPENS.match(clause.text)
        names = ([whole["name"]] if whole else []) + [clause.target or clause.value]
        meant = next((found for name in names if (found := self._desktop.meant(mask(name).plain))), None)
        if meant is None:
            return False
        self._current = meant
        return True

    def _own_window(self, clause: Clause) -> Clause:
        """Take "close the editor" for a word about the window of the application of that kind or name."""
        words = mask(clause.target).plain.removesuffix(" window")
        meant = self._desktop.meant(words) if clause.kind in ("close", "window") and words else None
        if meant is None or meant.id.startswith("0x"):
            return clause
        if self._current is None and not self._desktop.is_open(meant):
            return clause
        fits = self._current and meant.kind and self._desktop.fits(self._current, meant.kind)
        if self._current is None or (meant.id != self._current.id and not fits):
            self._current = meant
        if clause.kind == "window":
            spelled = clause.text.replace(clause.target, "window", 1)
            return read_clause(re.sub(r"window window", "window", spelled)) or clause
        how = " without saving" if clause.mode == "discard" else ""
        return read_clause(f"close the window{how}") or clause

    def _choose_application(self, clause: Clause, *, named: bool) -> None:
        """Go to the application that a clause implies, unless one is named for it or the present one can do it."""
        desktop, stays = self._desktop, self._current
        kind, implied = desktop.for_clause(clause.kind)
        if implied and not named and not (stays and (clause.kind == "run" or desktop.fits(stays, kind))):
            self._current = implied
        elif clause.kind == "new" and clause.what in _DOCUMENTS and not named:
            alone = clause.what in ("file", "document", "page") and stays is not None
            if not alone and not (stays and desktop.fits(stays, *_EDITORS)):
                self._current = desktop.of_kind("text_editor") or stays
        elif clause.kind == "open" and stays is None and FILE.match(mask(clause.target).plain):
            self._current = self._for_file(mask(clause.target).plain)
        if self._current is None:
            writes = clause.kind == "write" and not clause.target
            self._current = desktop.front or (desktop.of_kind("text_editor") if writes else None)

    def _for_file(self, path: str) -> Meant | None:
        if path.endswith("/"):
            return self._desktop.of_kind("file_manager")
        mime, _ = mimetypes.guess_type(path)
        apps = [a for a in self._desktop.applications if mime and mime in (*a.default_for, *a.mime_types)]
        best = next((a for a in apps if mime in a.default_for), apps[0] if apps else None)
        return Meant(best.id, best.name) if best else self._desktop.of_kind("text_editor")

    def _transfer(self, clause: Clause) -> None:
        if whole := whole_text(clause, self._desktop):
            for piece in whole:
                self._take(piece)
            return
        source = self._desktop.meant(clause.old) if clause.old else None
        self._current = source or self._current
        where = f" in the {clause.old}" if clause.old and not source else ""
        reading = f"read the {clause.target}{where}"
        self._take(self._with_application(Piece(reading, read_clause(reading))))
        into = self._desktop.meant(mask(clause.to).plain)
        written = "write the result" if into else f"put the result into {clause.to}"
        writing = Piece(written, read_clause(written), mask(clause.to).plain if into else "")
        for piece in arranged([self._with_application(writing)]):
            self._take(piece)

    def _read_first(self, clause: Clause) -> Clause:
        """Read a value that is described by where it stands before it is written."""
        if clause.kind != "write" or clause.quoted or self._key_for(clause.value):
            return clause
        shown = on_page(clause.value)
        if not shown and not stands_somewhere(clause.value):
            return clause
        reading, before = f"read {shown or clause.value}", self._current
        self._take(Piece(reading, read_clause(reading), "the browser" if shown else ""))
        self._current = before
        key = self._keys[-1][0]
        self._wanted.add(key)
        return read_clause(clause.text.replace(clause.value, f"{{{{{key}}}}}", 1)) or clause

    def _repeats_last_value(self, clause: Clause) -> bool:
        """Tell whether "read the result" asks for what the clause before yields anyway."""
        last = self._steps[-1] if self._steps else None
        return bool(last and last[2] and _what(clause.target) in _ANY_VALUE - {"text", "content", "contents"})

    def _with_value(self, clause: Clause) -> Clause:
        """Put the name of an earlier value where the clause speaks of it."""
        if clause.kind not in ("write", "set", "find", "substitute", "compute") or clause.quoted or not clause.value:
            return clause
        key = self._key_for(clause.value)
        if key:
            self._wanted.add(key)
            spelled = re.sub(rf"(?<!\w){re.escape(clause.value)}(?!\w)", f"{{{{{key}}}}}", clause.text, count=1)
            return read_clause(spelled) or clause
        if clause.kind == "write" and self._open_value(clause):
            question = message(self._request, "question", value=clause.value)
            if question in self._answers:
                spelled = clause.text.replace(clause.value, quote(self._answers[question]), 1)
                return read_clause(spelled) or clause
            self._plan.questions.append(question)
        return clause

    def _open_value(self, clause: Clause) -> bool:
        return (
            bool(_ONLY_DESCRIBED.match(clause.value))
            or only_described(clause.value)
            or (_what(clause.value) in _ANY_VALUE and clause.value.lower().startswith(("the ", "it", "that", "this")))
        )

    def _key_for(self, value: str) -> str:
        if not self._keys or len(value) > 80:
            return ""
        what = _what(value)
        for key, called in reversed(self._keys):
            if what and what == called:
                return key
        plain = what in _ANY_VALUE and (value.lower() != what or what in ("it", "that", "this") or what == "result")
        return self._keys[-1][0] if plain else ""

    def _add(self, piece: Piece, clause: Clause) -> None:
        if self._current is None:
            self._note(piece, clause, "", True)
            if clause.kind == "open":
                self._missing(mask(clause.target).plain)
            elif not self._plan.missing:
                self._plan.missing.append(message(self._request, "nowhere", text=piece.text))
            return
        key = self._new_key(clause) if clause.kind in _YIELDS else ""
        self._steps.append((self._current, piece.text, key))
        self._note(piece, clause, self._current.name, True)

    def _new_key(self, clause: Clause) -> str:
        called = "result" if clause.kind in ("compute", "operate", "solve") else _what(clause.target)
        # The session itself writes what subtasks yield under "result_1" and so on.
        called = "sum" if called == "result" else called
        # Its name must not read as a place: "enter {{last word in the text}} in the field".
        short = re.split(r"\s(?:in|on|of|from|into|to|for|at|within|inside|below|above|next)\s", called + " ")[0]
        base = re.sub(r"\W+", " ", short).strip() or "value"
        taken = {key for key, _ in self._keys}
        key = next(k for k in (base, *(f"{base} {n}" for n in range(2, 1000))) if k not in taken)
        self._keys.append((key, called))
        return key

    def _note(self, piece: Piece, clause: Clause | None, application: str, understood: bool) -> None:
        kind = clause.kind + (f" {clause.mode}" if clause.mode else "") if clause else ""
        target = (clause.target or clause.value) if clause else ""
        self._plan.lines.append(Line(piece.text, kind, application, target, understood))

    def _tasks(self) -> Iterator[Task]:
        group: list[str] = []
        for index, (meant, text, key) in enumerate(self._steps):
            # Whoever gets the subtask has the application before him: that it is to be opened says nothing more.
            alone = not group and (index + 1 == len(self._steps) or self._steps[index + 1][0].id != meant.id)
            if alone or text != _opening(meant):
                group.append(f"{text} (call it {{{{{key}}}}})" if key and key in self._wanted else text)
            following = self._steps[index + 1][0] if index + 1 < len(self._steps) else None
            if following is None or following.id != meant.id:
                yield Task(meant.id, meant.name, meant.kind, tuple(group))
                group = []


def _opening(meant: Meant) -> str:
    """Say that an application is to be open; by its id, which is what its agent is called by, where it has one."""
    return f"open {quote(meant.name if meant.id.startswith('0x') else meant.id)}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 70 else line[:70] + "…"


def _what(value: str) -> str:
    found = _REFERENCE.match(value.strip().rstrip(".").lower())
    return found["what"].strip() if found else value.lower()
