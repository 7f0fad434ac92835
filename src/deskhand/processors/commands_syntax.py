"""A command line as the simple commands it may come to, wherever in it they stand."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from deskhand.processors.commands_words import NotUnderstood, Reader, Token, Word

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)\+?=")
_SKIPPED = frozenset({"if", "then", "elif", "else", "fi", "while", "until", "do", "done", "{", "}", "!", "time"})
"""Words of the language after which a command begins, or that end one."""
_ENDS = frozenset({";", "&", "\n", "|", "|&", "&&", "||", "(", ")"})
_REDIRECTIONS = frozenset({"<", ">", ">>", ">|", "<>", ">&", "<&", "&>", "&>>"})
_LOOPS = frozenset({"for", "while", "until"})
_UNREAD = frozenset({"select", "coproc"})
_CALCULATES = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v", "-R"})
"""Tests that evaluate what they are given as arithmetic, in which a value may hold a command."""
_NUMBER = re.compile(r"[-+]?[0-9]+")
_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass
class Redirection:
    """Where what is read or printed goes instead."""

    operator: str
    target: Word


@dataclass
class Simple:
    """One command: its words, the variables set for it, where its output goes."""

    words: list[Word] = field(default_factory=list)
    variables: list[tuple[str, Word]] = field(default_factory=list)
    redirections: list[Redirection] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        return not (self.words or self.variables or self.redirections)


@dataclass
class Script:
    """All simple commands of a text in the order they stand, those within words included; and the functions it makes.

    A function's commands stand where it is made, since whatever calls it comes to them.
    """

    commands: list[Simple] = field(default_factory=list)
    functions: set[str] = field(default_factory=set)
    repeats: bool = False
    """Something in it may be run again after what comes later."""


def read_script(text: str, level: int = 0) -> Script:
    """Read a command line.

    Raises:
        NotUnderstood: it is not written in the part of the language that is read here.
    """
    reader = Reader(text, level)
    script = Script()
    _Parser(reader.tokens(), script).run()
    for inner in reader.nested:
        more = read_script(inner, level + 1)
        script.commands += more.commands
        script.functions |= more.functions
        script.repeats |= more.repeats
    return script


class _Parser:
    def __init__(self, tokens: list[Token], script: Script) -> None:
        self.tokens = tokens
        self.script = script
        self.at = 0

    def run(self) -> None:
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token.word is None and token.operator in _ENDS:
                self._check_bracket()
                self.at += 1
            elif token.word is not None and self._is_plain(token.word) and self._keyword(token.word.text):
                continue
            else:
                self._simple()

    def _is_plain(self, word: Word) -> bool:
        return word.whole and not word.quoted

    def _check_bracket(self) -> None:
        """Refuse `((`, which calculates."""
        two = self.tokens[self.at : self.at + 2]
        if len(two) == 2 and two[1].joined and [t.operator for t in two] == ["(", "("]:
            raise NotUnderstood("(( calculates, and a value may hold a command")

    def _keyword(self, text: str) -> bool:
        """Go past a word of the language; False when it is none."""
        self.script.repeats |= text in _LOOPS
        if text in _SKIPPED:
            self.at += 1
        elif text == "for":
            self._for()
        elif text == "case":
            self._case()
        elif text == "[[":
            self._test()
        elif text == "function":
            self._named_function(self.at + 1)
        elif text in _UNREAD:
            raise NotUnderstood(f"{text} is not read")
        elif self._operator(self.at + 1) == "(" and self._operator(self.at + 2) == ")":
            self._named_function(self.at)
        else:
            return False
        return True

    def _operator(self, at: int) -> str:
        return self.tokens[at].operator if at < len(self.tokens) else ""

    def _named_function(self, at: int) -> None:
        word = self.tokens[at].word if at < len(self.tokens) else None
        if word is None or not word.whole:
            raise NotUnderstood("a function without a plain name is not read")
        self.script.functions.add(word.text)
        self.script.repeats = True
        self.at = at + (3 if self._operator(at + 1) == "(" else 1)

    def _for(self) -> None:
        """Go past `for NAME in WORDS`: what stands there is only ever put into the variable."""
        name = self.tokens[self.at + 1].word if self.at + 1 < len(self.tokens) else None
        if name is None or not _ASSIGNMENT.fullmatch(f"{name.text}="):
            raise NotUnderstood("this kind of for is not read")
        self.at += 2
        values = [Word(whole=False)]
        while self.at < len(self.tokens) and self._operator(self.at) not in (";", "\n"):
            word = self.tokens[self.at].word
            if word is None:
                raise NotUnderstood("this kind of for is not read")
            values.append(word)
            self.at += 1
        self.script.commands.append(Simple(variables=[(name.text, value) for value in values]))

    def _case(self) -> None:
        raise NotUnderstood("case is not read")

    def _test(self) -> None:
        """Go past `[[ ... ]]`; what is nested in its words is read with theirs."""
        words = []
        while self.at < len(self.tokens):
            word = self.tokens[self.at].word
            self.at += 1
            words += [word] if word is not None else []
            if word is not None and word.text == "]]" and not word.quoted:
                self._check_calculated(words)
                return
        raise NotUnderstood("[[ is not closed")

    def _check_calculated(self, words: list[Word]) -> None:
        """Refuse to calculate with anything but numbers: a text, also a variable's, may hold a command."""
        for before, word, after in zip([Word(), *words], words, [*words[1:], Word()], strict=False):
            if word.text not in _CALCULATES:
                continue
            fitting, operands = (_NAME, [after]) if word.text in ("-v", "-R") else (_NUMBER, [before, after])
            if not all(each.whole and fitting.fullmatch(each.text) for each in operands):
                raise NotUnderstood("a test that calculates with a value, which may hold a command")

    def _simple(self) -> None:
        command = Simple()
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token.word is None and token.operator in _ENDS:
                if token.operator == "(":
                    raise NotUnderstood("a bracket stands where none is read")
                break
            if token.word is None:
                self._redirection(command)
            else:
                self._word(command, token.word)
            self.at += 1
        if not command.empty:
            self.script.commands.append(command)

    def _word(self, command: Simple, word: Word) -> None:
        following = self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else None
        numbered = following is not None and following.joined and following.operator in _REDIRECTIONS | {"<<", "<<<"}
        if numbered and re.fullmatch(r"\d+|\{\w+\}", word.text) and not word.quoted:
            return
        found = _ASSIGNMENT.match(word.start) if not command.words else None
        if found is not None:
            value = Word(word.text[found.end() :], word.whole, word.quoted, word.start[found.end() :])
            command.variables.append((found[1], value))
        elif not command.words and "=" in word.start and "[" in word.text.partition("=")[0]:
            raise NotUnderstood("setting an element of a variable calculates, and a value may hold a command")
        else:
            command.words.append(word)

    def _redirection(self, command: Simple) -> None:
        operator = self.tokens[self.at].operator
        self.at += 1
        target = self.tokens[self.at].word if self.at < len(self.tokens) else None
        if target is None:
            raise NotUnderstood(f"nothing stands behind {operator}")
        if operator in _REDIRECTIONS:
            command.redirections.append(Redirection(operator, target))
        elif operator not in ("<<", "<<-", "<<<"):
            raise NotUnderstood(f"{operator} is not read")
