"""The place in an instruction: what "Click the Save button to store the file" points at."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deskhand.perception.lexicon.vocabulary import vocabulary

_DOING = re.compile(
    r"""^\s*(?:please\s+|now\s+|then\s+|next,?\s+)*
    (?:(?:left|right|middle|double|single)[- ]?)?
    (?:click|press|tap|hit|open|select|choose|pick|tick|check|untick|uncheck|toggle|activate|expand|collapse|close
    |focus|hover|scroll|point|drag|highlight|mark|find|locate|switch|go|navigate
    |(?:move|put|place|set)\s+the\s+(?:mouse|pointer|cursor|caret|focus)
    |(?:type|write|enter|insert|paste|put|fill|input)\b.*?(?=\s(?:in|into|onto|on)\s)
    |(?:fill\s+in|fill|clear|empty|edit))
    (?:\s+(?:up|down|left|right|once|twice|again))*
    (?:\s+(?:on|onto|at|in|into|inside|over|to|with\s+the\s+mouse\s+on))*\s+""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_PURPOSE = re.compile(
    r"[,;.]?\s+(?:(?:in\s+order\s+)?to\s+(?!the\b)\w+|so\s+that|so\s+as|which|and\s+(?:then\s+)?\w+|for\s+\w+ing)\b.*$|\.\s.*$",
    re.IGNORECASE | re.DOTALL,
)
_CALLED = re.compile(
    r"\s+(?:labell?ed|named|called|titled|reading|that\s+says|with\s+the\s+(?:text|label|name))\s+", re.I
)
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“”'‘’«»`「」『』]([^\"“”‘’«»`「」『』]{1,80}?)[\"“”'‘’«»`「」『』]")


def places(instruction: str) -> Iterator[str]:
    """Give the descriptions of a place that an instruction may hold, the most literal first; none twice."""
    seen: set[str] = set()
    for text in _readings(" ".join(instruction.split()).rstrip(" .!")):
        if (text := text.strip(" ,;:.，。；：")) and text not in seen:
            seen.add(text)
            yield text


def _readings(text: str) -> Iterator[str]:
    yield text
    bare = _DOING.sub("", text, count=1)
    yield bare
    for pattern in vocabulary().instructions:
        bare = re.sub(pattern, "", bare, count=1, flags=re.IGNORECASE)
    short = _PURPOSE.sub("", bare)
    yield short
    if len(parts := _CALLED.split(short, maxsplit=1)) == 2:
        kind, name = parts
        yield f"{name} {_ARTICLE.sub('', kind)}"
    yield from _QUOTED.findall(short)
