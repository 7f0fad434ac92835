"""Quotes in plain words: what stands in them is text, never grammar."""

from __future__ import annotations

import re
from typing import NamedTuple

_PAIRS = (("“", "”"), ("«", "»"), ("‹", "›"), ("「", "」"), ("『", "』"), ("„", "“"), ("„", "”"), ("《", "》"))
_FIRST = 0xE000
_LAST = 0xF8FF
_MARK = f"[{chr(_FIRST)}-{chr(_LAST)}]"
MARK = re.compile(_MARK)
"""One quoted text in a masked one."""
_OPENS = re.compile(
    "|".join(re.escape(o) for o in ("⟦", "```", "“", "«", "‹", "「", "『", "《", "„", '"', "`", "'", "‘"))
)
_STRAIGHT = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_APOSTROPHE = re.compile(r"(['‘])(.*?)(?<!\s)['’](?=[\s,.;:!?)\]}\u3000-\u9fff\uff00-\uffef]|$)", re.DOTALL)
_IDEOGRAPH = re.compile(r"[\u3000-\u9fff]")
_MOST = _LAST - _FIRST


class Phrase(NamedTuple):
    """A text whose quoted parts are single signs of their own; `quotes` holds what they stand for."""

    text: str
    quotes: tuple[str, ...]

    def part(self, text: str) -> Phrase:
        """Give a piece of the text as a phrase."""
        return Phrase(text, self.quotes)

    @property
    def plain(self) -> str:
        """The text without its quotation marks."""
        return MARK.sub(lambda m: self.quotes[ord(m.group()) - _FIRST], self.text)

    @property
    def spelled(self) -> str:
        """The text with its quotes in it, so that `mask` reads it back."""
        return MARK.sub(lambda m: quote(self.quotes[ord(m.group()) - _FIRST]), self.text)

    @property
    def quoted(self) -> str | None:
        """The quoted text, when there is nothing else."""
        found = self.text.strip()
        return self.quotes[ord(found) - _FIRST] if len(found) == 1 and MARK.fullmatch(found) else None


def mask(text: str) -> Phrase:
    r"""Take the quoted parts out of a text: "…", '…', “…”, „…“, «…», `…` and their like.

    In straight double quotes `\"` stands for one. An apostrophe within a word opens nothing.
    """
    quotes: list[str] = []
    out: list[str] = []
    place = 0
    while place < len(text):
        found = _OPENS.search(text, place)
        stray = MARK.search(text, place, found.start() if found else len(text))
        if stray:
            out.append(text[place : stray.start()] + _keep(quotes, stray.group()))
            place = stray.end()
            continue
        if not found:
            out.append(text[place:])
            break
        out.append(text[place : found.start()])
        inner, place = _read_quote(text, found.start(), found.group())
        out.append(found.group() if inner is None else _keep(quotes, inner))
    return Phrase("".join(out), tuple(quotes))


def quote(text: str) -> str:
    """Put a text in quotes that `mask` takes off again, whatever it holds."""
    if not re.search("[“”„]", text):
        return f"“{text}”"
    if '"' not in text and not text.endswith("\\"):
        return f'"{text}"'
    for opening, closing in _PAIRS[1:5]:
        if opening not in text and closing not in text:
            return opening + text + closing
    longest = max((len(run) for run in re.findall("⟧+", text)), default=0)
    fence = max(longest + 1, 2)
    # The fence may not touch a bracket of the text itself.
    return "⟦" * fence + "\n" + text + "\n" + "⟧" * fence


def _keep(quotes: list[str], text: str) -> str:
    if len(quotes) >= _MOST:
        return text
    quotes.append(text)
    return chr(_FIRST + len(quotes) - 1)


def _read_quote(text: str, start: int, opening: str) -> tuple[str | None, int]:
    """Give what a quote holds and where it ends; None when it is none."""
    if opening == "⟦":
        return _read_fence(text, start)
    if opening == '"':
        found = _STRAIGHT.match(text, start)
        return (found.group(1).replace('\\"', '"'), found.end()) if found else (None, start + 1)
    if opening in ("'", "‘"):
        inside_word = start > 0 and text[start - 1].isalnum() and not _IDEOGRAPH.match(text[start - 1])
        single = None if inside_word else _APOSTROPHE.match(text, start)
        return (single.group(2), single.end()) if single and single.group(2) else (None, start + 1)
    if opening in ("`", "```"):
        end = text.find(opening, start + len(opening))
        inner = text[start + len(opening) : end]
        return (inner.strip("\n") if opening == "```" else inner, end + len(opening)) if end > 0 else (None, start + 1)
    closings = [closing for opener, closing in _PAIRS if opener == opening]
    ends = [place for place in (text.find(closing, start + 1) for closing in closings) if place >= 0]
    return (text[start + 1 : min(ends)], min(ends) + 1) if ends else (None, start + 1)


def _read_fence(text: str, start: int) -> tuple[str | None, int]:
    run = re.compile("⟦+").match(text, start)
    width = run.end() - run.start() if run else 1
    end = re.compile(f"(?<!⟧)⟧{{{width}}}(?!⟧)").search(text, start + width)
    if not end:
        return None, start + 1
    inner = text[start + width : end.start()]
    return (inner.removeprefix("\n").removesuffix("\n") if width > 1 else inner), end.end()
