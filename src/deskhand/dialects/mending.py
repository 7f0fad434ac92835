"""Mends a call that is not quite Python, where only one thing can have been meant."""

from __future__ import annotations

import re

from deskhand.dialects.grammar import FORM, Call, cannot_be_read, parse_call, shown
from deskhand.dialects.points import point_of
from deskhand.dialects.signatures import is_action
from deskhand.dialects.unreadable import CutOff, Unreadable

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_QUOTES = {
    **{'"': '"', "'": "'", "`": "`"},
    **dict.fromkeys("“”„‟″＂", '“”„‟″＂"'),
    **dict.fromkeys("‘’‚‛′＇", "‘’‚‛′＇'"),
    **{"「": "」", "『": "』"},
}
_ASCII: dict[int, int | str] = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    ord("、"): ",",
    ord("−"): "-",
    ord("　"): " ",
}
_ASCII |= {ord("【"): "[", ord("】"): "]"}
_TAGGED = re.compile(r"<\|?[A-Za-z_]\w*\|?>.*?</?\|?[A-Za-z_]\w*\|?>", re.DOTALL)
_WORD = re.compile(r"[^\s,()\[\]{}<>\"'=:;#`“”„‟″‘’‚‛′「」『』，（）［］｛｝＝：＂＇、【】]+")
_NAMED = re.compile(r"\s*[A-Za-z_]\w*\s*[=＝:：]")
_BETWEEN = re.compile(r"\s*[=＝:：]")
_STARTS_VALUE = re.compile(
    r"\s*(?:[A-Za-z_]\w*\s*[=＝:：]|[\"'“‘「『`<(（\[［{｛【+\-\d０-９.]|(?:true|false|none|null)\b|[)）\]］}｝】]|\Z)",
    re.IGNORECASE,
)
_CLOSERS = re.compile(r"[\s)）\]］}｝】]*")
_OVER = re.compile(r"\Z|[,，、;；#`<.。]|//")
_CALL = re.compile(r"\s*([A-Za-z_][\w.]*)[(（]")
_NEXT = re.compile(r"[\s;,]*([A-Za-z_][\w.]*)[(（]")
_CLEAN_END = re.compile(r"[ \t;；.。,，`)）]*(?:\n|\Z|#|//|<)")
_BAD_ESCAPE = re.compile(r"\\(?:\\|(?=U(?![0-9a-fA-F]{8})|u(?![0-9a-fA-F]{4})|x(?![0-9a-fA-F]{2})|N(?!\{)|\Z))")
_SPACES = re.compile(r"\s*")
_MOST_NESTED = 20


def mend_call(text: str, start: int, opening: int, *, cut: bool) -> tuple[Call, int]:
    """Read the call whose name begins at `start` and whose bracket opens at `opening`; also say where it ends.

    `cut` says that the reply breaks off where `text` ends, so that what stands last may be incomplete.

    Raises:
        UnreadableReply: more than one thing can have been meant, or none.
    """
    mender = _Mender(text, opening + 1, cut)
    try:
        source = mender.run()
        call = parse_call(f"{text[start:opening].strip()}{source}")
    except SyntaxError as error:
        line = text[start : start + 300].partition("\n")[0]
        raise cannot_be_read(line, error.msg or "its form is unknown") from error
    if mender.guessed_quotes and not _ends_cleanly(text, mender.at):
        problem = "where a text in quotes ends is not clear; put a backslash before quotes inside it"
        raise Unreadable("syntax_error", f"{text[start : start + 300]!r}: {problem}; {FORM}")
    return call, mender.at


def _ends_cleanly(text: str, at: int) -> bool:
    follows = _NEXT.match(text, at)
    return bool(_CLEAN_END.match(text, at) or (follows and is_action(follows[1])))


class _Mender:
    """Walks once over a call from behind its opening bracket, and writes it down as Python."""

    def __init__(self, text: str, at: int, cut: bool) -> None:
        self.text, self.at, self.cut = text, at, cut
        self.guessed_quotes = False
        self._stack = [")"]
        self._out = ["("]
        self._fresh = True
        """A value or a parameter may begin here; not behind one that waits for a comma."""

    def run(self) -> str:
        while self._stack:
            if self.at >= len(self.text):
                self._close_all()
                break
            self._step(self.text[self.at])
        return "".join(self._out)

    def _step(self, char: str) -> None:
        plain = char.translate(_ASCII)
        if char in _QUOTES:
            self._text_value(char)
        elif plain.isspace():
            self._space()
        elif plain in _CLOSING:
            self._open(plain)
        elif plain in ")]}":
            self._close(plain)
        elif char == "<" and self._fresh and (tagged := _TAGGED.match(self.text, self.at)):
            self._emit(_literal(tagged[0]), tagged.end())
        elif char == "#":
            self.at = self.text.find("\n", self.at) if "\n" in self.text[self.at :] else len(self.text)
        elif (word := _WORD.match(self.text, self.at)) is not None:
            self._word(word[0])
        else:
            self._out.append(plain)
            self._fresh = plain in ",=:"
            self.at += 1

    def _emit(self, source: str, end: int) -> None:
        self._out.append(source)
        self._fresh = False
        self.at = end

    def _space(self) -> None:
        end = _SPACES.match(self.text, self.at).end()  # type: ignore[union-attr]  # it matches anywhere
        over = "\n" in self.text[self.at : end] and not self._fresh and len(self._stack) == 1
        goes_on = _NAMED.match(self.text, end) or self.text[end : end + 1].translate(_ASCII) in tuple(",)]};=:")
        self._out.append(" ")
        self.at = end
        if over and end < len(self.text) and not goes_on:
            self._close_all()

    def _open(self, bracket: str) -> None:
        if len(self._stack) >= _MOST_NESTED:
            raise SyntaxError("it is nested too deeply")
        self._stack.append(_CLOSING[bracket])
        self._out.append(bracket)
        self._fresh = True
        self.at += 1

    def _close(self, bracket: str) -> None:
        while bracket in self._stack and self._stack[-1] != bracket:
            self._out.append(self._stack.pop())
        self._out.append(self._stack.pop())
        self._fresh = False
        self.at += 1

    def _close_all(self) -> None:
        if self._out[-1] in _CLOSING and self.at >= len(self.text):
            raise CutOff(f"{shown(self.text[-300:])} breaks off where it begins; {FORM}")
        last = self.text[: self.at].rstrip(" ")[-1:]
        if self.cut and self.at >= len(self.text) and (last.isalnum() or last in "_.,=:：，＝-"):
            raise CutOff(f"{shown(self.text[-300:])} breaks off in the middle; {FORM}")
        while self._stack:
            self._out.append(self._stack.pop())

    def _word(self, word: str) -> None:
        plain = word.translate(_ASCII)
        end = self.at + len(word)
        if len(self._stack) == 1 and _NAMED.match(self.text, self.at) and plain.isidentifier():
            self._out.append(f"{'' if self._fresh else ', '}{plain}=")
            self._fresh = True
            self.at = _BETWEEN.match(self.text, end).end()  # type: ignore[union-attr]  # it is there, as `_NAMED` saw
            return
        if not self._fresh and len(self._stack) > 1 and re.fullmatch(r"[-+]?[\d.]+", plain):
            self._out.append(",")
        self._emit(plain, end)

    def _text_value(self, quote: str) -> None:
        start = self.at + 1
        for respecting_backslashes in (True, False):
            end = self._end_of_text(start, _QUOTES[quote], respecting_backslashes)
            if end is not None:
                content = self.text[start:end]
                self.guessed_quotes |= "\n" in content or any(mark in content for mark in _QUOTES[quote])
                self._emit(_literal(content), end + 1)
                return
        self._emit(_literal(_whole_point(self.text[start:])), len(self.text))

    def _end_of_text(self, start: int, marks: str, respecting_backslashes: bool) -> int | None:
        escapes = r"\\.|" if respecting_backslashes else ""
        signs = re.compile(f"{escapes}[{re.escape(marks)}]", re.DOTALL)
        for sign in signs.finditer(self.text, start):
            if sign[0][0] != "\\" and self._closes(sign.end()):
                return sign.start()
        return None

    def _closes(self, after: int) -> bool:
        """Tell whether a quote that ends before `after` is the last of its text, from what comes behind it."""
        spaces = _SPACES.match(self.text, after).end()  # type: ignore[union-attr]  # it matches anywhere
        follows = self.text[spaces : spaces + 1].translate(_ASCII)
        if follows == "":
            return True
        if follows == ",":
            return bool(_STARTS_VALUE.match(self.text, spaces + 1))
        if follows == ":":
            return self._stack[-1] == "}"
        if follows not in ")]}":
            return bool(spaces > after and _NAMED.match(self.text, spaces))
        closers = _CLOSERS.match(self.text, spaces)
        assert closers is not None
        call = _CALL.match(self.text, closers.end())
        return bool("\n" in closers[0] or _OVER.match(self.text, closers.end()) or (call and is_action(call[1])))


def _whole_point(rest: str) -> str:
    """Give a text that was never closed, when it is a point whose own bracket or tag is.

    Raises:
        SyntaxError: it is anything else; nobody knows how it goes on.
    """
    content = rest.strip()
    for whole in (content, content.removesuffix(")").rstrip()):
        if whole[-1:] in (")", "]", ">") and point_of(whole) is not None:
            return whole
    raise SyntaxError("a text in quotes is never closed")


def _literal(content: str) -> str:
    """Write a text between double quotes: its escapes keep their meaning, all else stands for itself."""
    escaped = _BAD_ESCAPE.sub(lambda m: m[0] if len(m[0]) == 2 else "\\\\", content)
    return '"' + re.sub(r"\\.|[\"\n\r\0]", _escape, escaped, flags=re.DOTALL) + '"'


def _escape(sign: re.Match[str]) -> str:
    return {'"': '\\"', "\n": "\\n", "\r": "\\r", "\0": "\\x00"}.get(sign[0], sign[0])
