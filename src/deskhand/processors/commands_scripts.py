"""Scripts of sed and awk, as far as they are known to do nothing but print."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deskhand.processors.commands_words import Word

EDITORS = frozenset({"sed", "awk", "gawk", "mawk"})
_PLACE = r"(?:\d+|\$|/[^/\\\n]*/)"
_PART = r"(?:(?!\2)[^\\\n]|\\[^\n])*"
_SED = re.compile(rf"(?:{_PLACE}(?:,{_PLACE})?)?\s*!?\s*(?:[pdq=]|(s)([/|#,:@]){_PART}\2{_PART}\2[gpiI0-9]*)")
_SED_OPTIONS = re.compile(r"-[nErzu]+|--quiet|--silent|--regexp-extended")
_AWK_RUNS = re.compile(r"system\s*\(|[|>@]|getline|/inet|load|extension")
_AWK_OPTIONS = re.compile(r"-F.*|-v")


def only_prints(program: str, arguments: Sequence[Word]) -> bool:
    """Tell whether a call of sed or awk is one of those known to only print."""
    return _sed(arguments) if program == "sed" else _awk(arguments)


def _sed(arguments: Sequence[Word]) -> bool:
    scripts: list[Word] = []
    rest = list(arguments)
    while rest and rest[0].start.startswith("-"):
        word = rest.pop(0)
        if word.text == "-e" and rest:
            scripts.append(rest.pop(0))
        elif not (word.whole and _SED_OPTIONS.fullmatch(word.text)):
            return False
    scripts = scripts or rest[:1]
    files = rest if scripts is not rest[:1] else rest[1:]
    safe = all(word.sure and not word.start.startswith("-") for word in files)
    return safe and bool(scripts) and all(word.whole and _SED.fullmatch(word.text.strip()) for word in scripts)


def _awk(arguments: Sequence[Word]) -> bool:
    rest = list(arguments)
    while rest and rest[0].start.startswith("-"):
        word = rest.pop(0)
        if not (word.whole and _AWK_OPTIONS.fullmatch(word.text)):
            return False
        if word.text in ("-F", "-v") and rest:
            rest.pop(0)
    return bool(rest) and rest[0].whole and not _AWK_RUNS.search(rest[0].text.replace("\\\n", ""))
