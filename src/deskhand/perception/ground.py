"""The built-in grounder: finds the element that words are about, or says that none or several fit. It never guesses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from deskhand.core.action import OnElement
from deskhand.core.errors import TargetNotFound
from deskhand.core.observation import Element, Observation
from deskhand.perception.description import CONTAINERS, KINDS, Wanted, read_description
from deskhand.perception.instruction import places
from deskhand.perception.looks import looking_so, read_looks
from deskhand.perception.naming import FUZZY, NO_MATCH, distance, likeness, words
from deskhand.perception.quoting import mask
from deskhand.perception.scene import DIALOGS, FIELDS, MENU_ITEMS, PRESSABLE, Scene

_SURE = 4.0
"""Up to here a whole description counts as a name."""
_MERE_TEXT = 6.0
"""What a text that does nothing is behind a control of the same name."""
_FUZZY_MARGIN = 5.0
_MOST_NAMED = 5
_NEAR = 55.0
_RELAXED = PRESSABLE | FIELDS | {"group", "label"}
_BY_RANK = CONTAINERS | {"item", "row", "file"}
"""Kinds of which, without a name, the most proper one on the screen is meant."""
_CONTAINER_ROLES = DIALOGS | {"window", "toolbar", "menubar", "status", "group", "list", "listbox", "table", "tree"}
_CONTAINER_ROLES |= {"menu", "tablist", "row", "listitem", "treeitem", "document", "form", "combobox"}


class Choice(NamedTuple):
    """What fits a description best: one element, several that fit equally, or none."""

    best: tuple[Element, ...]
    near: tuple[str, ...] = ()
    """Names that are alike, when nothing fits."""
    distance: float = NO_MATCH

    @property
    def only(self) -> Element | None:
        return self.best[0] if len(self.best) == 1 else None


class LexiconGrounder:
    """Finds places by the names of elements; implements `Grounder`."""

    async def locate(self, text: str, on: Observation) -> OnElement:
        """Give the one element that a description, or an instruction such as "Click the Save button", is about.

        Raises:
            TargetNotFound: nothing fits, or several things fit equally.
        """
        scene = Scene(on.elements)
        readings = tuple(places(text))
        for reading in readings:
            if (element := find(reading, scene).only) is not None:
                return OnElement(id=element.id)
        plainest = readings[-1] if readings else text
        choice = find(plainest, scene)
        missing = f"; {on.truncated}" if on.truncated and not choice.best else ""
        raise TargetNotFound(explain_choice(plainest, choice, scene) + missing)


def choose(description: str, elements: Iterable[Element]) -> Element:
    """Give the one element that a description is about.

    Raises:
        TargetNotFound: nothing fits (names the nearest), or several things fit equally (names them).
    """
    scene = Scene(elements)
    choice = find(description, scene)
    if choice.only:
        return choice.only
    raise TargetNotFound(explain_choice(description, choice, scene))


def find(description: str, scene: Scene, roles: frozenset[str] = frozenset()) -> Choice:
    """Look for what a description is about, among elements of `roles` when some are given."""
    pool = [e for e in scene.top if not roles or e.role in roles]
    best = Choice(())
    ways = read_description(description)
    for index, wanted in enumerate(ways):
        # What may be taken apart is a name as a whole only when something is really called so.
        found = _fitting(wanted, scene, pool, most=_SURE if index == 0 and len(ways) > 1 else NO_MATCH)
        if found.best and found.distance < best.distance:
            best = found
    if not best.best and len(words(ways[0].name)) == 1:
        # "grid" is a kind of control, and a part of the name "Show Grid" as well.
        best = _fitting(ways[0], scene, pool, most=NO_MATCH)
    best = _by_looks(description, scene, pool, best)
    return best if best.best else Choice((), _near_names(description, scene, pool))


def _by_looks(description: str, scene: Scene, pool: Sequence[Element], named: Choice) -> Choice:
    """Choose by colour, shape, size and place, where the words say nothing else and nothing is really called so."""
    looks = read_looks(mask(description).plain) if any(e.drawn for e in pool) else None
    if looks is None or (named.best and not looks.telling):
        return named
    if any(e.name != e.drawn for e in named.best) and named.distance <= _SURE:
        return named
    found = looking_so(looks, scene, pool)
    if not found:
        # What is named after its looks is not meant where only the words for it are alike.
        return Choice(()) if looks.telling and any(e.name == e.drawn for e in named.best) else named
    return Choice(found, (), 0.0)


def explain_choice(description: str, choice: Choice, scene: Scene) -> str:
    """Put into words why a choice is none."""
    if choice.best:
        listed = "; ".join(describe(e, scene) for e in choice.best[:_MOST_NAMED])
        more = f" and {len(choice.best) - _MOST_NAMED} more" if len(choice.best) > _MOST_NAMED else ""
        return f"{len(choice.best)} things fit {description!r} equally: {listed}{more}; say which"
    if choice.near:
        return f"nothing here fits {description!r}; the nearest are {', '.join(map(repr, choice.near))}"
    return f"nothing here fits {description!r}"


def describe(element: Element, scene: Scene) -> str:
    """Name an element the way a person would: kind, name and what it is in."""
    name = next(iter(scene.names(element)), "")
    around = next((c for c in scene.above(element) if c.role in _CONTAINER_ROLES and scene.caption(c)), None)
    within = f" in {around.role} {_short(scene.caption(around))}" if around else ""
    return f"{element.role}{' ' + _short(name) if name else ''}{within} ({element.id})"


def _short(name: str) -> str:
    return repr(name if len(name) <= 60 else name[:60] + "…")


def _fitting(wanted: Wanted, scene: Scene, pool: Sequence[Element], most: float) -> Choice:
    places = _placed(wanted, scene, pool)
    candidates = [e for e in places if e.role in wanted.roles] if wanted.roles else list(places)
    if not wanted.name and wanted.kind in _BY_RANK:
        ranks = {role: place for place, role in enumerate(KINDS[wanted.kind])}
        first = min((ranks[e.role] for e in candidates), default=0)
        candidates = [e for e in candidates if ranks[e.role] == first]
    if wanted.roles and wanted.name and not candidates:
        candidates = [e for e in places if e.role in _RELAXED]
    scored = [(d, e) for e in candidates if (d := _distance(wanted, e, scene)) <= min(most, NO_MATCH - 1)]
    if not scored and wanted.roles and wanted.name:
        # "the Save button" may be a link, a menu item or a field's label; what it is called counts more.
        scored = [(d + 5, e) for e in places if e.role in _RELAXED and (d := _distance(wanted, e, scene)) < 10]
    if not scored:
        return Choice(())
    lowest = min(d for d, _ in scored)
    margin = _FUZZY_MARGIN if lowest >= FUZZY else 0.01
    tied = [e for d, e in scored if d <= lowest + margin]
    return Choice(_one_of(wanted, tied, scene), (), lowest)


def _distance(wanted: Wanted, element: Element, scene: Scene) -> float:
    if not wanted.name:
        return 0.0 if wanted.roles else NO_MATCH
    behind = 0.0 if element.role in PRESSABLE | FIELDS else _MERE_TEXT
    found = [distance(wanted.name, name, exact=wanted.exact) + 0.2 * i for i, name in enumerate(scene.names(element))]
    return min((d + behind for d in found if d < NO_MATCH), default=NO_MATCH)


def _placed(wanted: Wanted, scene: Scene, pool: Sequence[Element]) -> Sequence[Element]:
    """Keep what lies where the description says."""
    if wanted.scope:
        return _within(wanted.scope, scene, pool)
    if wanted.anchor:
        anchor = find(wanted.anchor, scene).only
        return _related(wanted, anchor, scene, pool) if anchor else ()
    return pool


def _within(scope: str, scene: Scene, pool: Sequence[Element]) -> Sequence[Element]:
    around = find(scope, scene, _CONTAINER_ROLES)
    if not around.best:
        return ()
    inside = {e.id for container in around.best for e in scene.within(container)}
    windows = {c.window for c in around.best if c.role in DIALOGS | {"window"}}
    return [e for e in pool if e.id in inside or (e.window in windows and e.window)]


def _related(wanted: Wanted, anchor: Element, scene: Scene, pool: Sequence[Element]) -> Sequence[Element]:
    """Keep the nearest of what lies to the anchor as said, of the right kind and name."""
    fits = [e for e in pool if e.id != anchor.id and (not wanted.roles or e.role in wanted.roles)]
    if wanted.name:
        fits = [e for e in fits if _distance(wanted, e, scene) < NO_MATCH]
    related = {a.id for a in scene.above(anchor)} | {e.id for e in scene.within(anchor)}
    gaps = [(gap, e) for e in fits if e.id not in related and (gap := _offset(wanted.how, anchor, e)) is not None]
    if not gaps:
        return ()
    nearest = min(gap for gap, _ in gaps)
    return [e for gap, e in gaps if gap <= nearest + 2 or wanted.ordinal]


def _offset(how: str, anchor: Element, other: Element) -> float | None:
    """Measure how far `other` lies from the anchor in the direction said; None when it lies elsewhere."""
    a, b = anchor.box, other.box
    same_row = min(a.bottom, b.bottom) - max(a.top, b.top) > min(a.height, b.height) / 3
    same_column = min(a.right, b.right) - max(a.left, b.left) > 0
    gaps = {
        "right of": float(b.left - a.right) if same_row and b.left >= a.right - 4 else None,
        "left of": float(a.left - b.right) if same_row and b.right <= a.left + 4 else None,
        "below": float(b.top - a.bottom) if same_column and b.top >= a.bottom - 4 else None,
        "above": float(a.top - b.bottom) if same_column and b.bottom <= a.top + 4 else None,
        "in the row": float(abs(b.left - a.left)) if same_row else None,
    }
    if how == "next to":
        # The same row comes first: what stands under a thing is "below" it.
        beside = [g for key in ("right of", "left of") if (g := gaps[key]) is not None]
        stacked = [g + 1000 for key in ("below", "above") if (g := gaps[key]) is not None]
        return min([*beside, *stacked], default=None)
    return gaps.get(how)


def _one_of(wanted: Wanted, tied: Sequence[Element], scene: Scene) -> tuple[Element, ...]:
    tied = _of_height(wanted, tied)
    if wanted.ordinal:
        return _counted(wanted.ordinal, [e for e in tied if not _inside_another(e, tied, scene)])
    for better in _preferences(scene):
        tied = better(tied)
    return tuple(tied)


def _of_height(wanted: Wanted, tied: Sequence[Element]) -> Sequence[Element]:
    """Tell text areas and fields of one line apart where there are both."""
    if wanted.kind not in ("textarea", "field"):
        return tied
    several = wanted.kind == "textarea"
    return [e for e in tied if ("multiline" in e.states) == several] or tied


def _counted(ordinal: int, tied: Sequence[Element]) -> tuple[Element, ...]:
    rows = sorted(tied, key=lambda e: (round(e.box.center.y / 12), e.box.left))
    place = ordinal - 1 if ordinal > 0 else ordinal
    return (rows[place],) if -len(rows) <= place < len(rows) else ()


def _preferences(scene: Scene) -> Iterator[Callable[[Sequence[Element]], Sequence[Element]]]:
    """Give the ways to prefer one of several that are called the same, in order."""

    def some(holds: Callable[[Element], bool]) -> Callable[[Sequence[Element]], Sequence[Element]]:
        return lambda tied: [e for e in tied if holds(e)] or tied

    focus = next((e for e in reversed(scene.elements) if "focused" in e.states), None)
    yield some(lambda e: "offscreen" not in e.states and "covered" not in e.states and not e.box.empty)
    yield some(lambda e: "disabled" not in e.states)
    yield lambda tied: [e for e in tied if not _inside_another(e, tied, scene)] or tied
    # An open menu lies over everything else.
    yield some(lambda e: e.role in MENU_ITEMS and any(a.role == "menu" for a in scene.above(e)))
    yield some(lambda e: focus is not None and bool(e.window) and e.window == focus.window)
    yield some(lambda e: bool(e.actions) or e.role in FIELDS)


def _inside_another(element: Element, tied: Sequence[Element], scene: Scene) -> bool:
    """Tell whether an element is a part of another that fits: a button's label, a menu's item of the same name."""
    ids = {e.id for e in tied}
    return any(a.id in ids and a.role not in ("menu", "menubar") for a in scene.above(element))


def _near_names(description: str, scene: Scene, pool: Sequence[Element]) -> tuple[str, ...]:
    wanted = read_description(description)[-1].name or description
    ranked: dict[str, float] = {}
    for element in pool:
        name = scene.caption(element)
        if name and element.role in _RELAXED:
            ranked[name] = max(likeness(wanted, name), ranked.get(name, 0))
    best = sorted((name for name, like in ranked.items() if like >= _NEAR), key=lambda name: -ranked[name])
    return tuple(best[:_MOST_NAMED])
