"""Words for a place, read: what it is called, what kind it is, which one of several, and where."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from deskhand.perception.lexicon.vocabulary import vocabulary
from deskhand.perception.quoting import Phrase, mask

KINDS: Mapping[str, tuple[str, ...]] = {
    kind: tuple(roles.split())
    for kind, roles in {
        "button": "button switch img",
        "checkbox": "checkbox menuitemcheckbox switch",
        "switch": "switch checkbox button",
        "radio": "radio menuitemradio",
        "field": "textbox combobox spinbutton password searchbox",
        "textarea": "textbox document terminal",
        "password": "password",
        "combobox": "combobox",
        "list": "list listbox table tree combobox",
        "item": "listitem option row treeitem menuitem cell",
        "menu": "menu menuitem button combobox",
        "menuitem": "menuitem menuitemcheckbox menuitemradio menu",
        "tab": "tab",
        "slider": "slider scrollbar",
        "spinbutton": "spinbutton textbox",
        "link": "link",
        "label": "label heading paragraph",
        "heading": "heading label",
        "paragraph": "paragraph",
        "image": "img button",
        "row": "row listitem treeitem cell",
        "cell": "cell",
        "column": "columnheader",
        "table": "table tree",
        "tree": "tree table",
        "treeitem": "treeitem row cell listitem",
        "dialog": "dialog alert window",
        "window": "window dialog",
        "toolbar": "toolbar group",
        "menubar": "menubar",
        "status": "status group",
        "group": "group list toolbar tablist form",
        "scrollbar": "scrollbar",
        "progressbar": "progressbar",
        "display": "textbox label status",
        "file": "cell row listitem treeitem img option",
    }.items()
}
"""The roles that a kind of control may have on the screen, the most proper first, by the lexicon's kinds."""
CONTAINERS = frozenset({"dialog", "window", "toolbar", "menubar", "status", "group", "list", "table", "tree", "menu"})
CONTAINERS |= {"tab", "row", "combobox"}

_ORDINALS = {
    word: place
    for place, names in enumerate(
        (
            "first 1st",
            "second 2nd",
            "third 3rd",
            "fourth 4th",
            "fifth 5th",
            "sixth 6th",
            "seventh 7th",
            "eighth 8th",
            "ninth 9th",
            "tenth 10th",
        ),
        1,
    )
    for word in names.split()
} | {"last": -1, "final": -1, "bottom": -1, "topmost": 1, "top": 1, "leftmost": 1, "rightmost": -1}
ORDINAL = r"(?:(?:" + "|".join(_ORDINALS) + r"|\d+(?:st|nd|rd|th))\b)"
"""A pattern for one word that says which one of several."""
_ARTICLE = re.compile(r"^(?:(?:the|a|an|that|this|its|my|your|on|at|into)\s+)+", re.IGNORECASE)
_RELATION = re.compile(
    r"^(?P<what>.+?)\s+(?:(?:that|which) is\s+)?(?:directly |just |right )?(?P<how>"
    r"next to|beside|near|(?:to the )?right of|(?:to the )?left of|below|beneath|underneath|under|above|over|"
    r"in the (?:same )?row (?:of|with|for))\s+(?P<anchor>.+)$",
    re.IGNORECASE,
)
_CORNER = re.compile(
    r"\s+(?:in|at|on) the (?:very )?(?:(?:top|bottom|upper|lower)(?:[ -]?(?:left|right))?|left|right)"
    r"(?: (?:hand )?(?:corner|side|edge))?(?: of the (?:window|screen|dialog|page))?$",
    re.IGNORECASE,
)
"""Words that only help a person to look: what is called like that is found by its name."""
_DEIXIS = re.compile(
    r"\s+(?:(?:that is |which is )?(?:shown|given|displayed|listed|found|written)\s+)?"
    r"(?:below|above|underneath|here|on (?:the|this) (?:page|screen))$",
    re.IGNORECASE,
)
"""Words that point at what stands under or over them: "the field below"."""
_NAMED = re.compile(
    r"^(?P<what>.+?)\s+(?:(?:that|which) (?:says|reads|is)\s+)?(?:for|of|called|named|labell?ed|titled|marked|saying|"
    r"with the (?:label|name|title|text)|with label|that says)\s+(?P<name>.+)$",
    re.IGNORECASE,
)
_EITHER = re.compile(r"^(\S.*?)\s*(?:\bor\b|/)\s*(?:a |an |the )?(\S.*)$", re.IGNORECASE)
_SCOPE = re.compile(r"^(?P<what>.+?)\s+(?:in|on|of|inside|within|from|at|under)\s+(?P<scope>.+)$", re.IGNORECASE)
_ORDINAL = re.compile(
    r"^(?P<which>second[ -](?:to )?last|next to last|" + "|".join(_ORDINALS) + r"|\d+(?:st|nd|rd|th))\s+(?P<rest>.+)$",
    re.IGNORECASE,
)
_HOW = {"beside": "next to", "near": "next to", "beneath": "below", "underneath": "below", "under": "below"}
_HOW |= {"over": "above", "to the right of": "right of", "to the left of": "left of"}


_WIDGET = re.compile(
    r"^(?P<kind>[\w -]+?)\s+(?:(?:type|kind) of\s+)?(?:widget|control|component|(?:form |input )?element)$", re.I
)
"""Words after which a kind is nothing but a kind, also in quotes: "a “radio” widget"."""


class Wanted(NamedTuple):
    """What a description asks for; `name` may be empty ("the second button")."""

    name: str = ""
    exact: bool = False
    """The name was quoted."""
    roles: frozenset[str] = frozenset()
    kind: str = ""
    """The word for the roles, as the lexicon knows it."""
    ordinal: int = 0
    """Which one of several, from 1, or from the end as -1; 0 is not said."""
    how: str = ""
    """How it lies to `anchor`: next to, below, above, left of, right of, in the row."""
    anchor: str = ""
    scope: str = ""
    """Words for what contains it."""


def read_description(text: str) -> tuple[Wanted, ...]:
    """Read a description in every sensible way, the simplest first: as a mere name, then taken apart."""
    phrase = mask(text)
    bare = _ARTICLE.sub("", phrase.text.strip().rstrip(".,;")) or phrase.text.strip()
    ways = [_name_only(phrase.part(bare))]
    bare = _DEIXIS.sub("", _CORNER.sub("", bare))
    scope = _SCOPE.match(bare)
    if scope and _is_container(scope["scope"], phrase):
        ways.append(_simple(phrase.part(scope["what"]))._replace(scope=phrase.part(scope["scope"]).spelled))
    relation = _RELATION.match(bare)
    if relation:
        how = relation["how"].lower()
        how = "in the row" if how.startswith("in the") else _HOW.get(how, how)
        ways.append(
            _simple(phrase.part(relation["what"]))._replace(how=how, anchor=phrase.part(relation["anchor"]).spelled)
        )
    named = _NAMED.match(bare)
    if named:
        # "the button in the dialog labelled X": X is what the button is called.
        inner = _SCOPE.match(named["what"])
        head = _simple(phrase.part(inner["what"] if inner else named["what"]))
        if inner:
            head = head._replace(scope=phrase.part(inner["scope"]).spelled)
        if not head.name and (head.roles or head.ordinal):
            tail = _name_only(phrase.part(_ARTICLE.sub("", named["name"])))
            ways.append(head._replace(name=tail.name, exact=tail.exact))
    ways.append(_simple(phrase.part(bare)))
    if scope:
        ways.append(_simple(phrase.part(scope["what"]))._replace(scope=phrase.part(scope["scope"]).spelled))
    return tuple(dict.fromkeys(ways))


def _name_only(phrase: Phrase) -> Wanted:
    return Wanted(name=phrase.plain.strip(), exact=phrase.quoted is not None)


def _simple(phrase: Phrase) -> Wanted:
    """Read ordinal, name and kind: "the second Delete button", "tab 'General'"."""
    text = _ARTICLE.sub("", phrase.text.strip())
    ordinal = 0
    which = _ORDINAL.match(text)
    if which:
        ordinal, text = _number(which["which"].lower()), _ARTICLE.sub("", which["rest"].strip())
    if either := _either(text):
        return Wanted(roles=frozenset(role for kind in either for role in KINDS[kind]), kind=either[0], ordinal=ordinal)
    kind, rest = _widget(phrase.part(text).plain) or _kind(text)
    name = _name_only(phrase.part(rest))
    return name._replace(roles=frozenset(KINDS.get(kind, ())), kind=kind, ordinal=ordinal)


def _either(text: str) -> tuple[str, ...]:
    """Read "folder or file" as two kinds; give none when one of them is not only a kind."""
    found = _EITHER.match(text)
    kinds = [_kind(part) for part in found.groups()] if found else []
    return tuple(kind for kind, _ in kinds) if all(kind and not rest for kind, rest in kinds) else ()


def _number(word: str) -> int:
    if word.startswith(("second", "next to")) and word.endswith("last"):
        return -2
    return _ORDINALS.get(word) or int(re.sub(r"\D", "", word))


def ordinal(word: str) -> int:
    """Give the place that an `ORDINAL` stands for: from 1, or from the end as -1."""
    return _number(word.lower())


def _kind(text: str) -> tuple[str, str]:
    """Take a word for a kind of control off the end, else off the start of a text; give the kind and the rest."""
    end = _kinds_at_end().search(text)
    if end:
        return _best_kind(end["kind"]), text[: end.start()].strip(" ,")
    start = _kinds_at_start().match(text)
    if start:
        return _best_kind(start["kind"]), text[start.end() :].strip(" ,:")
    return "", text


def _widget(text: str) -> tuple[str, str] | None:
    """Read a kind that is named as one: "“text” control" is a field of one line."""
    found = _WIDGET.match(text)
    kind = "" if found is None else "field" if found["kind"].casefold() == "text" else _best_kind(found["kind"])
    return (kind, "") if kind else None


def _best_kind(words: str) -> str:
    """Choose the kind a word stands for first of all; `KINDS` is in that order."""
    folded = re.sub(r"\s+", " ", words.casefold())
    found = vocabulary().roles.get(folded) or vocabulary().roles.get(folded.removesuffix("s")) or frozenset()
    return next((kind for kind in KINDS if kind in found), "")


def _alternatives() -> str:
    names = sorted(vocabulary().roles, key=lambda name: -len(name))
    return "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in names)


@cache
def _kinds_at_end() -> re.Pattern[str]:
    return re.compile(
        rf"(?:^|(?<=[\s\ue000-\uf8ff])|(?<=[\u4e00-\u9fff]))(?P<kind>{_alternatives()})s?$", re.IGNORECASE
    )


@cache
def _kinds_at_start() -> re.Pattern[str]:
    return re.compile(rf"^(?P<kind>{_alternatives()})\s*(?=[\s:\ue000-\uf8ff])", re.IGNORECASE)


def _is_container(text: str, phrase: Phrase) -> bool:
    kind, _ = _kind(_ARTICLE.sub("", text.strip()))
    return kind in CONTAINERS or phrase.part(text).quoted is not None
