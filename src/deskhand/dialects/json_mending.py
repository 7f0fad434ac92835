"""Writes down as JSON what is nearly JSON: with comments, other quotes, a comma too many, a bracket too few."""

from __future__ import annotations

import json
import re

from deskhand.dialects.unreadable import Unreadable

_CLOSING = {"{": "}", "[": "]"}
_QUOTES = {'"': '"', "'": "'", "“": "”", "＂": "＂"}
_FULL_WIDTH = str.maketrans("｛｝［］：，", "{}[]:,")
_IN_NUMBER = tuple("0123456789.")
_WORDS = {"true": "true", "false": "false", "none": "null", "null": "null"}
_COMMENT = re.compile(r"//[^\n]*|#[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")
_COLON = re.compile(r"\s*[:：]")
_BEHIND_TEXT = re.compile(r"\s*(?:[,，:：}｝\]］]|//|/\*|#|\Z)")
_ESCAPED = re.compile(r'\\(.)|["\x00-\x1f]', re.DOTALL)


def mended(text: str) -> str:
    """Rewrite what stands in braces; what stands outside is copied.

    A quote inside a text is told from its end by what follows. Only the outermost bracket is closed where it is open
    at the end: with another one open, what breaks off there is not the whole.
    """
    return _Mender(text).run()


def without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Make an object of its pairs.

    Raises:
        UnreadableReply: a name is there twice, with different values.
    """
    made = dict(pairs)
    for name, value in pairs:
        if made[name] != value and value == value:
            raise Unreadable("duplicate_param", f"the reply gives {name!r} twice, with different values; give it once")
    return made


class _Mender:
    """Walks over a text once."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self._out: list[str] = []
        self._stack: list[str] = []

    def run(self) -> str:
        while self.at < len(self.text):
            self._step(self.text[self.at])
        if len(self._stack) == 1 and self._out[-1][-1:] in ('"', "}", "]"):
            self._out.append(self._stack.pop())
        return "".join(self._out)

    def _step(self, char: str) -> None:
        plain = char.translate(_FULL_WIDTH)
        if plain in _CLOSING and (self._stack or plain == "{" or self.at == 0):
            self._stack.append(_CLOSING[plain])
            self._emit(plain, 1)
        elif not self._stack:
            self._emit(char, 1)
        elif plain == self._stack[-1]:
            self._stack.pop()
            self._drop_comma()
            self._emit(plain, 1)
        elif char in _QUOTES:
            self._text(char)
        elif (comment := _COMMENT.match(self.text, self.at)) is not None:
            self.at = comment.end()
        elif (word := _WORD.match(self.text, self.at)) is not None and not self._in_number():
            self._word(word[0])
        elif not char.isspace() or self._in_number():
            self._emit(plain, 1)  # a space behind a number stays, so that two are not made one
        else:
            self.at += 1

    def _emit(self, written: str, length: int) -> None:
        self._out.append(written)
        self.at += length

    def _in_number(self) -> bool:
        return self._out[-1][-1:] in _IN_NUMBER

    def _word(self, word: str) -> None:
        if _COLON.match(self.text, self.at + len(word)):
            self._emit(f'"{word}"', len(word))
        else:
            self._emit(_WORDS.get(word.lower(), word), len(word))

    def _drop_comma(self) -> None:
        if self._out[-1] == ",":
            self._out.pop()

    def _text(self, quote: str) -> None:
        """Copy a text; one without an end takes all the rest, unclosed."""
        marks = {_QUOTES[quote], '"' if quote == "“" else quote}
        end = self.at + 1
        while end < len(self.text):
            if self.text[end] == "\\":
                end += 1
            elif self.text[end] in marks and _BEHIND_TEXT.match(self.text, end + 1):
                break
            end += 1
        content = _ESCAPED.sub(_as_json, self.text[self.at + 1 : end])
        self._emit(f'"{content}"' if end < len(self.text) else f'"{content}', end + 1 - self.at)


def _as_json(found: re.Match[str]) -> str:
    """Write an escape or a sign so that JSON has it: an escape that JSON does not know is a backslash and a sign."""
    if found[1] is None:
        return json.dumps(found[0])[1:-1]
    if found[1] == "'":
        return "'"
    return found[0] if found[1] in '"\\/bfnrtu' else "\\\\" + json.dumps(found[1])[1:-1]
