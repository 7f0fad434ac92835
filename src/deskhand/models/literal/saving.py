"""Where something is to be saved: a name and a folder that are said apart, put together as one path."""

from __future__ import annotations

import re
from typing import NamedTuple

from deskhand.perception.quoting import MARK, Phrase, mask, quote

_USUAL = r"documents|downloads|pictures|music|videos|desktop|templates|public"
_NAME = rf"(?:{MARK.pattern}|[^\s,;“”{MARK.pattern[1:-1]}]+\.[A-Za-z][A-Za-z0-9]{{0,5}})"
_IN = r"(?:in|into|to|inside|within|under)"
_FOLDER = (
    rf"(?:(?:the|my|your)\s+)?(?:(?P<usual>{_USUAL})\s+(?:folder|directory)|(?:the|my|your)\s+(?P<mine>{_USUAL})|"
    r"(?P<bare>Documents|Downloads|Pictures|Music|Videos|Desktop|Templates|Public)|"
    r"(?P<where>(?:the\s+)?folder\s+(?:where\s+it\s+is|it\s+is\s+in))|(?P<home>home)(?:\s+(?:folder|directory))?|(?P<same>same|this|that|current)\s+(?:folder|directory|place))\b"
)
_KIND = (
    r"(?:(?:the|a|an|new|plain|word|excel|powerpoint|csv|pdf|png|jpe?g|text|image|picture|document|spreadsheet|"
    r"presentation|file|copy|name|under|with|called|named)\s+)*"
)
_NAME_FIRST = re.compile(rf"(?P<name>{_NAME}),?\s+{_IN}\s+{_FOLDER}", re.IGNORECASE)
_FOLDER_FIRST = re.compile(
    rf"\b{_IN}\s+{_FOLDER}\s+(?P<joint>(?:as|under)\s+{_KIND}|(?:called|named)\s+)(?P<name>{_NAME})", re.IGNORECASE
)
_SAVES = re.compile(
    r"^(?:save|store|export|keep(?=\s+a\s+copy\b)|make(?=\s+a\s+(?:copy|pdf)\b))\s+"
    rf"(?P<what>.*?)\s*\b(?:as|under|to|in|into|at|called|named)\s+{_KIND}(?P<path>{_NAME})"
    r"(?P<commas>\s*,?\s*(?:with\s+commas\s+between\s+(?:the\s+)?(?:fields|values|columns)|separated\s+by\s+commas|"
    r"comma-?\s?separated))?$",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"(?:(?:the|that|this)\s+)?(?:result|number|value|sum|total|answer|product|difference|quotient|figure)$|\{\{[^{}]+\}\}$",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    rf"(?P<name>{_NAME}),?\s+(?:next\s+to|beside)\s+(?:it|the\s+(?:original|old\s+one))\b", re.IGNORECASE
)
IN_FOLDER = re.compile(
    r"^(?P<name>\S+)\s+in(?:to)?\s+(?:the\s+)?(?:folder\s+|directory\s+)?(?P<folder>[/~]\S*|[\ue000-\uf8ff])$",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(r"\b(?:in|into|to|under|inside|from)\b", re.IGNORECASE)


class Saving(NamedTuple):
    """What is to be saved under a path."""

    what: str
    path: str

    @property
    def is_value(self) -> bool:
        """Whether a number is meant that was found out before, instead of a document that is open."""
        return bool(_VALUE.match(self.what))


def read_saving(phrase: Phrase) -> Saving | None:
    """Read "save the costs as a CSV file named costs.csv in the Documents folder"; None for all else."""
    placed = with_folder(phrase)
    found = _SAVES.match(re.sub(r"[\s.!?,;]+$", "", placed.text))
    if found is None or _ELSEWHERE.search(found["what"]):
        return None
    path = placed.part(found["path"]).plain.strip()
    named = placed.part(found["path"]).quoted is not None or "/" in path or placed.text != phrase.text
    # What has a name and nothing else said of it is read by the rules.
    return Saving(placed.part(found["what"]).spelled, path) if named or found["commas"] or found["what"] else None


def with_folder(phrase: Phrase) -> Phrase:
    """Put a name and the folder it is said to be in together as one path: "a.txt in my Documents folder"."""
    for pattern in (_FOLDER_FIRST, _NAME_FIRST):
        found = pattern.search(phrase.text)
        if found:
            name = phrase.part(found["name"]).plain.strip()
            joint = found.groupdict().get("joint") or ""
            whole = phrase.text[: found.start()] + joint + "\0" + phrase.text[found.end() :]
            return mask(phrase.part(whole).spelled.replace("\0", quote(_path(found, name))))
    return phrase.part(_BESIDE.sub(r"\g<name>", phrase.text))


def is_one_name(text: str) -> bool:
    """Tell whether nothing else is said after the name of a file: "a.txt in the folder of the report" is no name."""
    return bool(IN_FOLDER.match(text)) or not re.search(r"\.[A-Za-z0-9]{1,5},?\s", text)


def usual_folder(words: str) -> str:
    """Give the path of a folder that everybody has: "my Downloads folder"; "" for others."""
    found = re.fullmatch(_FOLDER, words.strip(), re.IGNORECASE)
    return _path(found, "").rstrip("/") if found and not (found["same"] or found["where"]) else ""


def _path(found: re.Match[str], name: str) -> str:
    if found["same"] or found["where"]:
        return name  # file dialogs begin in the folder of what is open
    usual = found["usual"] or found["mine"] or found["bare"]
    return f"~/{usual.capitalize()}/{name}" if usual else f"~/{name}"
