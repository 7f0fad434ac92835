"""Things told by how they look: "the red circle", "all small triangles", "the larger box on the left", "a blue 7"."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from deskhand.core.observation import Element
from deskhand.perception.scene import Scene

_QUANTITY = re.compile(
    r"^(?:(?P<all>all(?: of)?|every|each|both)\s+)?(?P<the>the|these|those|this|that|my)?\s*(?P<some>any|an?)?\s*", re.I
)
_SIDES = r"(?:top|bottom|upper|lower|left|right|middle|cent(?:er|re)|central)"
_WHERE = re.compile(
    rf"\s+(?:(?:that|which) (?:is|are)\s+)?(?:in|on|at|to|near|toward|towards)\s+the\s+(?:very\s+|far\s+)?"
    rf"(?P<where>{_SIDES}(?:[ -]{_SIDES})?)(?:\s+(?:hand\s+)?(?:corner|side|edge|part|half|row|column))?$",
    re.IGNORECASE,
)
_SHADES = re.compile(r"^(?:(?:shade|tone|tint|hue)s? of (?P<of>\w+)|(?P<named>\w+) (?:shade|tone|tint|hue)s?)$", re.I)
_AFTER = re.compile(
    r"\s+(?:(?:that|which)\s+(?:is|are)|of (?:the )?colou?r|with (?:the )?colou?r|in (?:the )?colou?r)\s+"
    r"(?P<more>[\w -]+?)(?:\s+in colou?r)?$",
    re.IGNORECASE,
)
_HERE = re.compile(
    r"\s+(?:(?:that|which) (?:is|are)\s+)?(?:shown\s+|drawn\s+|displayed\s+|given\s+)?"
    r"(?:below|above|here|shown|drawn|displayed|"
    r"(?:on|in) (?:the|this) (?:page|screen|picture|image|drawing|figure|grid))$",
    re.IGNORECASE,
)
_COLOURED = re.compile(r"[- ]?colou?red$", re.IGNORECASE)
_CHARACTER = re.compile(r"^(?:(?:letter|digit|number|character)\s+)?(?P<sign>[^\W_])$", re.IGNORECASE)
_DOT = 16
"""Up to this many pixels across a circle is a dot."""
_APART = 1.25
"""How many times larger the large ones of things of two sizes are, at least."""
_LEVEL = 6
"""Pixels within which two things stand at the same height."""
ANY_COLOUR = "coloured"


class Looks(NamedTuple):
    """What is said of how something looks; what is not said is ""."""

    how_many: str = "one"
    """"one" ("the"), "any" ("a") or "all"."""
    shape: str = ""
    colour: str = ""
    shades: bool = False
    """Lighter and darker ones are meant as well, before one of just that colour."""
    size: str = ""
    """small, large, smallest, largest."""
    sign: str = ""
    """The letter or digit itself."""
    where: tuple[str, ...] = ()

    @property
    def telling(self) -> bool:
        """Whether it says more than that a thing is meant, or a box, which may be a field."""
        return bool(
            self.colour or self.size or self.sign or self.shape not in ("", "item", "box", "digit", "dot", "line")
        )


def read_looks(description: str) -> Looks | None:
    """Read words that say nothing but how a thing looks; None when there is any other word."""
    text = " ".join(description.strip(" .,;!").split())
    quantity = _QUANTITY.match(text)
    assert quantity is not None
    text = _HERE.sub("", text[quantity.end() :])
    where: tuple[str, ...] = ()
    if place := _WHERE.search(text):
        where, text = _sides(place["where"]), text[: place.start()]
    looks = _noun_phrase(text)
    if looks is None:
        return None
    several = not looks.sign and bool(re.search(r"(?<!s)s(?:\b of \w+)?$", text, re.IGNORECASE))
    many = "all" if quantity["all"] or several else "any" if quantity["some"] else "one"
    return looks._replace(how_many=many, where=(*looks.where, *where))


def is_several(description: str) -> bool:
    """Tell whether words describe more than one thing by nothing but its looks: "all circles", "the red ones"."""
    looks = read_looks(description)
    return looks is not None and looks.how_many == "all" and looks.telling


def _noun_phrase(text: str) -> Looks | None:
    shades = _SHADES.match(text)
    if shades:
        colour = _said("colours").get((shades["of"] or shades["named"]).lower())
        return Looks(colour=colour, shades=True) if colour else None
    looks = Looks()
    if after := _AFTER.search(text):
        text = f"{after['more']} {text[: after.start()]}"
    head, _, last = text.rpartition(" ")
    if head and (sign := _CHARACTER.match(last)):
        shape = _said("shapes").get(head.lower().rpartition(" ")[2], "")
        head = head.rpartition(" ")[0] if shape in ("letter", "digit", "character") else head
        return _with_words(looks._replace(sign=sign["sign"], shape=shape), head)
    shape = _shape(last)
    return _with_words(looks._replace(shape=shape), head if shape else text)


def _shape(word: str) -> str:
    shapes, word = _said("shapes"), word.lower()
    return shapes.get(word) or shapes.get(word.removesuffix("s")) or shapes.get(word.removesuffix("es")) or ""


def _with_words(looks: Looks, words: str) -> Looks | None:
    left = words.split()
    while left:
        word = _COLOURED.sub("", left.pop().lower()) or ANY_COLOUR
        if word in ("colored", "coloured", ANY_COLOUR):
            named = left and left[-1].lower() in _said("colours")
            looks = looks if named else looks._replace(colour=ANY_COLOUR)
        elif colour := _said("colours").get(word):
            tone = f"{left.pop().lower()} " if left and left[-1].lower() in ("light", "dark") else ""
            looks = looks._replace(colour=tone + colour)
        elif size := _said("sizes").get(word):
            looks = looks._replace(size=size)
        elif sides := _sides(word):
            looks = looks._replace(where=(*sides, *looks.where))
        elif word not in ("and", "geometric", "marked", "drawn", "shown", "two", "three"):
            return None
    return looks if looks._replace(where=()) != Looks() else None


def _sides(words: str) -> tuple[str, ...]:
    found = []
    for word in re.split(r"[ -]", words.lower().removesuffix("most")):
        side = {"upper": "top", "lower": "bottom", "center": "middle", "centre": "middle", "central": "middle"}.get(
            word, word
        )
        if not re.fullmatch(_SIDES, side):
            return ()
        found.append(side)
    return tuple(found)


def looking_so(looks: Looks, scene: Scene, pool: Iterable[Element] | None = None) -> tuple[Element, ...]:
    """Give what looks as said, in reading order; what cannot be told apart is all given."""
    drawn = [e for e in (scene.top if pool is None else pool) if e.drawn and _in_sight(e)]
    found = [e for e in drawn if _has_shape(looks, e)]
    if looks.colour:
        found = _of_colour(looks, found)
    if looks.sign:
        found = [e for e in found if e.name == looks.sign] or [
            e for e in found if e.name.casefold() == looks.sign.casefold()
        ]
    elif looks.shape in ("box", "square", "rectangle", "item", "shape", ""):
        # A text with a colour behind it is a box only where nothing else is one.
        found = [e for e in found if e.name == e.drawn or e.drawn.endswith(("letter", "digit"))] or found
    if looks.size:
        found = _of_size(looks.size, found, drawn)
    for side in looks.where:
        found = _at_side(side, found)
    return tuple(sorted(found, key=lambda e: (e.box.top // _LEVEL, e.box.left)))


def _in_sight(element: Element) -> bool:
    return not element.box.empty and not {"offscreen", "hidden"} & set(element.states)


def drawn_shape(element: Element) -> str:
    """Give the shape of what it looks like: "circle"."""
    return element.drawn.rpartition(" ")[2]


def _has_shape(looks: Looks, element: Element) -> bool:
    shape, box = drawn_shape(element), element.box
    if looks.sign and not looks.shape:
        return shape in ("letter", "digit")
    kinds = _lexicon()["drawn"].get(looks.shape, [looks.shape])
    if looks.shape in ("", "item"):
        return shape not in ("line", "curve")
    if shape not in kinds or (looks.shape == "dot" and max(box.width, box.height) > _DOT):
        return False
    return not (looks.shape == "square" and abs(box.width - box.height) > 2)


def _of_colour(looks: Looks, found: Sequence[Element]) -> list[Element]:
    if looks.colour == ANY_COLOUR:
        return [e for e in found if not re.search(r"\b(?:black|white|gray|silver)\b", e.drawn)]
    exactly = [e for e in found if re.match(rf"{looks.colour}\b", e.drawn)]
    if exactly and looks.how_many != "all" and not looks.shades:
        return exactly
    near = "|".join([looks.colour, *_lexicon()["near"].get(looks.colour, ())])
    return [e for e in found if re.match(rf"(?:light |dark )?(?:{near})\b", e.drawn)]


def _of_size(size: str, found: Sequence[Element], all_drawn: Sequence[Element]) -> list[Element]:
    if size.endswith("est"):
        best = (min if size == "smallest" else max)((e.box.area for e in found), default=0)
        return [e for e in found if e.box.area == best]
    others = [e for e in all_drawn if e.drawn == e.name or e.drawn.endswith(("letter", "digit"))]
    heights = sorted({max(1, e.box.height) for e in others})
    gaps = [(above / below, below) for below, above in pairwise(heights)]
    widest, limit = max(gaps, default=(1.0, 0))
    if widest < _APART:
        return []  # all are of one size: none is called small
    return [e for e in found if (e.box.height <= limit) == (size == "small")]


def _at_side(side: str, found: Sequence[Element]) -> list[Element]:
    if len(found) < 2:
        return list(found)
    if side == "middle":
        x = (min(e.box.left for e in found) + max(e.box.right for e in found)) / 2
        y = (min(e.box.top for e in found) + max(e.box.bottom for e in found)) / 2
        apart: Callable[[Element], float] = lambda e: abs(e.box.center.x - x) + abs(e.box.center.y - y)  # noqa: E731
    else:
        axis, sign = ("x", 1) if side in ("left", "right") else ("y", 1)
        sign = -1 if side in ("right", "bottom") else sign
        apart = lambda e: sign * float(getattr(e.box.center, axis))  # noqa: E731
    nearest = min(apart(e) for e in found)
    return [e for e in found if apart(e) <= nearest + _LEVEL]


@cache
def _lexicon() -> Mapping[str, Mapping[str, Sequence[str]]]:
    text = (files("deskhand.perception.lexicon") / "looks.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _said(kind: str) -> Mapping[str, str]:
    """Give what each word of a kind stands for."""
    return {word: meant for meant, words in _lexicon()[kind].items() for word in words}
