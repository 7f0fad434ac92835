"""Reading a command line as bash does: words, operators and what is nested in them. What is not understood is said."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

LONGEST = 20_000
"""Characters that are read."""
DEEPEST = 12
"""Levels of quoting and nesting that are followed."""
OPERATORS = (
    *("&>>", "<<<", "<<-", ";;&", "||", "&&", ";;", ";&", "|&", "&>", ">>", ">&", ">|", "<<", "<&", "<>"),
    *("|", "&", ";", "(", ")", "<", ">", "\n"),
)
_NAME = re.compile(r"[A-Za-z_]\w*|[0-9]+|[@*#?$!-]")
_PLAIN_EXPANSION = re.compile(r"#?(?:[A-Za-z_]\w*|[0-9]+|[@*#?$!-])(?:\[[@*0-9]+\])?")
_CHANGED = re.compile(r":?[-=?+]|##?|%%?|//?|\^\^?|,,?")
_COUNTED = re.compile(r"[\s0-9+\-*/%()<>=&|^~!?:,]*")
"""Arithmetic without names: the value of a variable may hold a command."""


class NotUnderstood(Exception):
    """The command is not written in the part of the language that is read here; says what it was."""


@dataclass
class Word:
    """One word: `text` without quotes, as far as it stands there; `whole` says whether that is all it can become."""

    text: str = ""
    whole: bool = True
    quoted: bool = False
    start: str = ""
    """What it surely begins with."""
    variables: tuple[str, ...] = ()
    """Whose values it holds."""
    splits: bool = False
    """It may become several words, of which any may be an option."""

    @property
    def sure(self) -> bool:
        """Whether it surely is one word, and as far an option as it looks."""
        return self.whole or (bool(self.start) and not self.splits and not self.start.startswith("-"))

    def add(self, text: str) -> None:
        self.text += text
        if self.whole:
            self.start += text

    def open(self) -> None:
        """Take note that something stands here that nobody knows before it is run."""
        self.whole = False


@dataclass
class Token:
    """A word, or an operator when `word` is None."""

    operator: str = ""
    word: Word | None = None
    joined: bool = False
    """Nothing stands between this and what comes before."""


@dataclass
class Reader:
    """Goes through a text once; `nested` are the commands found inside words."""

    text: str
    level: int = 0
    at: int = 0
    nested: list[str] = field(default_factory=list)
    _pending: list[tuple[str, bool, bool]] = field(default_factory=list)
    """Here-documents whose text comes after the line: end word, whether it is quoted, whether tabs go."""

    def tokens(self) -> list[Token]:
        """Give all words and operators.

        Raises:
            NotUnderstood: something is not closed, or written in a way that is not read here.
        """
        if len(self.text) > LONGEST or self.level > DEEPEST:
            raise NotUnderstood("it is too long or nested too deep")
        found: list[Token] = []
        while True:
            before = self.at
            self._skip_blanks()
            if self.at >= len(self.text):
                if self._pending:
                    raise NotUnderstood("a here-document has no end")
                return found
            found.append(self._token())
            found[-1].joined = self.at > 0 and before == self._began
            self._after(found)

    _began: int = 0

    def _token(self) -> Token:
        self._began = self.at
        operator = next((o for o in OPERATORS if self.text.startswith(o, self.at)), "")
        if operator in ("<", ">") and self.text[self.at + 1 : self.at + 2] == "(":
            return Token(word=self._word())
        if operator:
            self.at += len(operator)
            return Token(operator)
        return Token(word=self._word())

    def _after(self, found: list[Token]) -> None:
        """Take a here-document's end word when it is there, and its text when the line is over."""
        last = found[-1]
        if last.operator == "\n":
            for end, quoted, tabs in self._pending:
                self._read_document(end, quoted, tabs)
            self._pending.clear()
        elif last.word is not None and len(found) > 1 and found[-2].operator in ("<<", "<<-"):
            if not last.word.whole:
                raise NotUnderstood("a here-document's end word is no plain word")
            self._pending.append((last.word.text, last.word.quoted, found[-2].operator == "<<-"))

    def _read_document(self, end: str, quoted: bool, tabs: bool) -> None:
        body: list[str] = []
        while self.at < len(self.text):
            stop = self.text.find("\n", self.at)
            line = self.text[self.at : stop if stop >= 0 else len(self.text)]
            self.at = stop + 1 if stop >= 0 else len(self.text)
            if (line.lstrip("\t") if tabs else line) == end:
                if not quoted:
                    self._read_inside("\n".join(body))
                return
            if line.endswith("\\") and not quoted:
                raise NotUnderstood("a here-document's line goes on in the next, which may be its end")
            body.append(line)
        raise NotUnderstood("a here-document has no end")

    def _read_inside(self, text: str) -> None:
        """Find what is nested in a text that is treated as if it stood in double quotes."""
        inner = Reader(text, self.level + 1)
        inner.double(Word(), "")
        self.nested += inner.nested

    def _skip_blanks(self) -> None:
        while self.at < len(self.text):
            if self.text.startswith("\\\n", self.at):
                self.at += 2
            elif self.text[self.at] in " \t":
                self.at += 1
            elif self.text[self.at] == "#":
                stop = self.text.find("\n", self.at)
                self.at = stop if stop >= 0 else len(self.text)
            else:
                return

    def _word(self) -> Word:
        word = Word()
        while self.at < len(self.text):
            sign = self.text[self.at]
            if sign in "<>" and self.text[self.at + 1 : self.at + 2] == "(" and not word.text:
                self.at += 2
                self.nested.append(self._until_bracket())
                word.open()
            elif sign in " \t\n|&;()<>":
                break
            else:
                self._piece(word, sign)
        # These mean themselves when they stand alone.
        word.whole |= word.text in ("[", "[[", "{") and not word.quoted
        return word

    def _piece(self, word: Word, sign: str) -> None:
        match sign:
            case "\\":
                escaped = self.text[self.at + 1 : self.at + 2]
                word.quoted = True
                word.add("" if escaped == "\n" else escaped)
                self.at += 2
            case "'":
                word.quoted = True
                word.add(self._closed_by("'", self.at + 1))
            case '"':
                word.quoted = True
                self.at += 1
                self.double(word, '"')
            case "$" | "`":
                self._expansion(word)
            case "{" if self.text.startswith("{}", self.at):
                word.add("{}")
                self.at += 2
            case "*" | "?" | "[" | "{":
                word.open()
                word.text += sign
                self.at += 1
            case _:
                word.add(sign)
                self.at += 1

    def _closed_by(self, sign: str, start: int) -> str:
        stop = self.text.find(sign, start)
        if stop < 0:
            raise NotUnderstood(f"a {sign} is not closed")
        self.at = stop + 1
        return self.text[start:stop]

    def double(self, word: Word, end: str) -> None:
        """Read up to the closing quote, or, where `end` is "", to the end."""
        while self.at < len(self.text):
            sign = self.text[self.at]
            if sign == end:
                self.at += 1
                return
            if sign == "\\" and self.text[self.at + 1 : self.at + 2] in tuple('$`"\\\n'):
                word.add(self.text[self.at + 1].replace("\n", ""))
                self.at += 2
            elif sign in "$`":
                self._expansion(word, quoted=True)
            else:
                word.add(sign)
                self.at += 1
        if end:
            raise NotUnderstood("a double quote is not closed")

    def _expansion(self, word: Word, *, quoted: bool = False) -> None:
        """Read what begins with a dollar or a backquote; `quoted` when it stands in double quotes."""
        rest = self.text[self.at : self.at + 3]
        if rest.startswith("`"):
            self.nested.append(self._backquoted(quoted))
        elif rest.startswith("$(("):
            self.at += 3
            self._arithmetic()
        elif rest.startswith("$("):
            self.at += 2
            self.nested.append(self._until_bracket())
        elif rest.startswith("${"):
            self.at += 2
            word.variables += (self._parameter(quoted),)
        elif rest.startswith(("$'", '$"', "$[")):
            raise NotUnderstood(f"{rest[:2]} is not read")
        elif name := _NAME.match(self.text, self.at + 1):
            word.variables += (name.group(),)
            self.at = name.end()
        else:
            word.add("$")
            self.at += 1
            return
        word.open()
        word.splits |= not quoted

    def _backquoted(self, quoted: bool) -> str:
        start = self.at + 1
        self.at = start
        while self.at < len(self.text) and self.text[self.at] != "`":
            self.at += 2 if self.text[self.at] == "\\" else 1
        if self.at >= len(self.text):
            raise NotUnderstood("a ` is not closed")
        self.at += 1
        inner = self.text[start : self.at - 1]
        if quoted and '\\"' in inner:
            raise NotUnderstood("quotes with a backslash inside of backquotes in quotes are not read")
        return re.sub(r"\\([`\\$])", r"\1", inner)

    def _until_bracket(self) -> str:
        """Give the commands up to the closing bracket, read as commands so that quotes in them count."""
        inner = Reader(self.text[self.at :], self.level + 1)
        depth, cases = 0, 0
        while True:
            inner._skip_blanks()
            if inner.at >= len(inner.text):
                raise NotUnderstood("a bracket is not closed")
            token = inner._token()
            cases += {"case": 1, "esac": -1}.get(token.word.text if token.word is not None else "", 0)
            if cases or token.operator in ("<<", "<<-"):
                raise NotUnderstood("a here-document or a case inside of brackets is not read")
            depth += {"(": 1, ")": -1}.get(token.operator, 0)
            if depth < 0:
                start, self.at = self.at, self.at + inner.at
                return self.text[start : self.at - 1]

    def _arithmetic(self) -> None:
        stop = self.text.find("))", self.at)
        if stop < 0 or not _COUNTED.fullmatch(self.text[self.at : stop]):
            raise NotUnderstood("arithmetic with names is not read, since a value may hold a command")
        self.at = stop + 2

    def _parameter(self, quoted: bool) -> str:
        plain = _PLAIN_EXPANSION.match(self.text, self.at)
        if plain is None:
            raise NotUnderstood("this kind of ${...} is not read")
        self.at = plain.end()
        if not self.text.startswith("}", self.at):
            changed = _CHANGED.match(self.text, self.at)
            if changed is None or changed.group().endswith("="):
                raise NotUnderstood("this kind of ${...} is not read")
            self.at = changed.end()
            self._word_in_braces(quoted)
        self.at += 1
        return plain.group()

    def _word_in_braces(self, quoted: bool) -> None:
        word = Word()
        while not self.text.startswith("}", self.at):
            if self.at >= len(self.text):
                raise NotUnderstood("a ${ is not closed")
            sign = self.text[self.at]
            if self.text.startswith(("<(", ">("), self.at) or (quoted and sign in "\"'"):
                raise NotUnderstood("quotes or commands inside of ${...} are not read")
            if sign in "$`":
                self._expansion(word, quoted=quoted)
            elif sign in "\"\\'":
                self._piece(word, sign)
            else:
                self.at += 1
