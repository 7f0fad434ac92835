"""Dragging things to places in words: in a direction, to a position among others, many into one box, into an order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from deskhand.core.action import Action, At, DragTo, OnElement
from deskhand.core.geometry import Box, Point
from deskhand.core.observation import Element
from deskhand.models.literal.grids import Grid, grid_around, read_place
from deskhand.models.literal.moves import Act, Ask, Done, Fail, Move, Turn
from deskhand.models.literal.sight import ask_which, look_again, name_of, pick, said
from deskhand.perception.looks import Looks, looking_so, read_looks
from deskhand.perception.quoting import mask
from deskhand.perception.scene import FIELDS, Scene

_OVERSHOOT = 0.2
"""How far before and behind the middle of a place something is dragged, in parts of its size."""
_EDGE = 3
"""Pixels that stay between a thing and the edge of what it is in."""
_ROOMY = 2
"""How many times larger than a thing a box is that takes several, at least."""
_MOST = 20
_WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def drag(turn: Turn) -> Move:
    """Drag one thing onto another."""
    if turn.tries:
        return _judged(turn)
    start = _found(turn, turn.clause.target)
    if not isinstance(start, Element):
        return start
    others = [e for e in turn.scene.elements if e.id != start.id]
    end = _receiver(replace(turn, scene=Scene(others)), turn.clause.to, start.box.area if start.drawn else 0)
    if not isinstance(end, Element):
        return end
    into = At(point=end.box.center) if end.drawn else OnElement(id=end.id)  # a hollow shape cannot be hit
    action = DragTo(start=OnElement(id=start.id), target=into)
    return turn.act(action, thought=f"drag the {said(start, turn.scene)} onto the {said(end, turn.scene)}")


def shift(turn: Turn) -> Move:
    """Drag a thing in a direction: by places where it stands in a list or grid, else by its own size."""
    if turn.tries:
        return _judged(turn)
    found = _found(turn, turn.clause.target)
    if not isinstance(found, Element):
        return found
    way = _way(turn.clause.mode)
    grid = grid_around(found, turn.scene)
    if grid is not None:
        index = grid.beside(grid.number_of(found), way, max(1, turn.clause.times))
        return _to_index(turn, grid, found, index) if index is not None else _no_place(turn, found)
    dx, dy = _WAYS[way]
    room = _room(turn, found)
    step = max(found.box.width, found.box.height, 20)
    middle = _inside(Point(found.box.center.x + dx * step, found.box.center.y + dy * step), found.box, room)
    if middle == found.box.center:
        return _no_place(turn, found)
    return _drag(turn, found, middle, f"{way}")


def place(turn: Turn) -> Move:
    """Drag a thing to a position among others, or to a side of what it is in."""
    if turn.tries:
        return _judged(turn)
    found = _found(turn, turn.clause.target)
    if not isinstance(found, Element):
        return found
    wanted = read_place(mask(turn.clause.to).plain)
    grid = grid_around(found, turn.scene)
    if wanted is None or (grid is None and wanted.number):
        return Ask(f"“{turn.clause.text}”: there is no such place. Where to?")
    if grid is not None:
        index = grid.at(wanted)
        return _to_index(turn, grid, found, index) if index is not None else _no_place(turn, found)
    room = _room(turn, found)
    x = {"left": room.left, "right": room.right}.get(next((s for s in wanted.sides if s in ("left", "right")), ""))
    y = {"top": room.top, "bottom": room.bottom}.get(next((s for s in wanted.sides if s in ("top", "bottom")), ""))
    middled = "middle" in wanted.sides
    aim = Point(
        x if x is not None else room.center.x if middled else found.box.center.x,
        y if y is not None else room.center.y if middled else found.box.center.y,
    )
    return _drag(turn, found, _inside(aim, found.box, room), f"to the {mask(turn.clause.to).plain}")


def gather(turn: Turn) -> Move:
    """Drag everything that looks as described into one box, and the rest into another where that is said."""
    clause = turn.clause
    looks = read_looks(mask(clause.target).plain)
    if looks is None:
        return Fail(f"“{clause.text}” says nothing that can be dragged")
    size = max((e.box.area for e in looking_so(looks._replace(how_many="all", where=()), turn.scene)), default=0)
    into = []
    for words in filter(None, (clause.to, clause.old)):
        box = _receiver(turn, words, size)
        if not isinstance(box, Element):
            return box
        into.append(box)
    movable = [e for e in turn.scene.top if e.drawn and e.parent == into[0].parent and not _holds(e, into)]
    chosen = looking_so(looks._replace(how_many="all"), turn.scene, movable)
    sorts = [(into[0], chosen)]
    if len(into) > 1:
        rest = looking_so(Looks(how_many="all", shape="item"), turn.scene, movable)
        sorts.append((into[1], tuple(e for e in rest if e not in chosen)))
    left = [move for box, things in sorts for move in _into(box, things)]
    if not left:
        return Done(f"dragged all {mask(clause.target).plain} into the {said(into[0], turn.scene)}")
    if turn.failed or turn.tries > 2:
        return Fail(f"dragging failed: {turn.failed or 'they did not stay where they were dragged'}")
    return turn.act(*left[:_MOST], thought=f"drag {len(left)} things into place")


def _receiver(turn: Turn, words: str, size: int) -> Element | Move:
    """Find the box that things of a size go into; what has no room for one is none."""
    looks = read_looks(mask(words).plain)
    roomy = [e for e in turn.scene.top if e.drawn and e.box.area >= _ROOMY * size]
    found = looking_so(looks, turn.scene, roomy) if looks else ()
    return found[0] if len(found) == 1 else _found(turn, words)


def order(turn: Turn) -> Move:
    """Drag the entries of a list until they stand in order, one a step."""
    grid = _sortable(turn)
    if grid is None:
        return look_again(turn, turn.clause.target) or Ask(
            f"“{turn.clause.text}”: nothing here can be put in order. What is meant?"
        )
    wanted = sorted(grid.cells, key=_value, reverse=turn.clause.mode == "falling")
    index = next(
        (i for i, (is_, ought) in enumerate(zip(grid.cells, wanted, strict=True)) if _value(is_) != _value(ought)), None
    )
    if index is None:
        return Done(f"arranged in order: {', '.join(e.name for e in grid.cells)}")
    if turn.tries > len(grid.cells) + 2:
        return Fail("the entries do not stay where they are dragged")
    moved = next(e for e in grid.cells[index:] if _value(e) == _value(wanted[index]))
    return _to_index(turn, grid, moved, index)


def _value(element: Element) -> tuple[float, str]:
    try:
        return float(element.name.replace(",", "").replace("−", "-")), ""
    except ValueError:
        return 0.0, element.name.casefold()


def _sortable(turn: Turn) -> Grid | None:
    """Give the largest line of things that are numbers, or words where such are meant."""
    numbers = "number" in turn.clause.target or "value" in turn.clause.target
    shown = [e for e in turn.scene.top if e.name.strip() and e.role not in FIELDS and e.role != "button"]
    grids = [g for e in shown if (g := grid_around(e, Scene(shown))) is not None and 1 in (g.columns, g.rows)]
    fitting = [g for g in grids if all(_value(e)[1] == "" for e in g.cells) == numbers]
    return max(fitting, key=lambda g: len(g.cells), default=None)


def _found(turn: Turn, words: str) -> Element | Move:
    found = pick(turn, words)
    return found if isinstance(found, Element) else look_again(turn, words) or ask_which(turn, words, found)


def _way(word: str) -> str:
    way = word.lower().replace("wards", "").replace("ward", "")
    return way if way in _WAYS else "up"


def _to_index(turn: Turn, grid: Grid, element: Element, index: int) -> Move:
    there, here = grid.cells[index].box, element.box
    if grid.number_of(element) == index:
        return Done(f"{name_of(element, turn.scene)!r} is there already")
    start = grid.number_of(element)
    # Lists make room when a thing comes over the far half of a place, moving on the way in which they are read.
    on = 1 if index > start else -1
    near, far = (_off(there, sign * _OVERSHOOT, here) for sign in (-on, on))
    names = "\n".join(_moved([e.name for e in grid.cells], start, index))
    action = DragTo(start=OnElement(id=element.id), path=(near,), target=At(point=far))
    thought = f"drag the {said(element, turn.scene)} to place {index + 1} of {len(grid.cells)}"
    return turn.act(action, thought=thought, thing=element.id, names=names)


def _off(there: Box, part: float, here: Box) -> Point:
    return Point(round(there.center.x + part * here.width), round(there.center.y + part * here.height))


def _moved(names: Sequence[str], start: int, end: int) -> list[str]:
    others = [*names[:start], *names[start + 1 :]]
    return [*others[:end], names[start], *others[end:]]


def _drag(turn: Turn, element: Element, to: Point, where: str) -> Act:
    action = DragTo(start=OnElement(id=element.id), target=At(point=to))
    return turn.act(action, thought=f"drag the {said(element, turn.scene)} {where}", thing=element.id)


def _no_place(turn: Turn, element: Element) -> Ask:
    return Ask(f"“{turn.clause.text}”: there is no such place for the {said(element, turn.scene)}. Where to?")


def _judged(turn: Turn) -> Move:
    if turn.failed:
        return Fail(f"dragging failed: {turn.failed}")
    thing = turn.scene.get(turn.memo.get("thing", ""))
    grid = grid_around(thing, turn.scene) if thing is not None else None
    wanted = turn.memo.get("names", "")
    if wanted and grid is not None and sorted(wanted.split("\n")) == sorted(e.name for e in grid.cells):
        now = "\n".join(e.name for e in grid.cells)
        return (
            Done(f"dragged {mask(turn.clause.target).plain} into place")
            if now == wanted
            else Fail("it did not stay where it was dragged")
        )
    return (
        Done(f"dragged {mask(turn.clause.target).plain}")
        if turn.done or turn.changed
        else Fail("dragging it had no effect that can be seen")
    )


def _room(turn: Turn, element: Element) -> Box:
    """Give what a thing can be moved about in: what it is in, else its window."""
    around = turn.scene.get(element.parent)
    if around is not None and around.box.area > element.box.area:
        return around.box
    window = turn.own_window
    edges = [e.box for e in turn.scene.elements if not e.box.empty]
    seen = Box(0, 0, max((b.right for b in edges), default=0), max((b.bottom for b in edges), default=0))
    return window.box if window is not None and not window.box.empty else seen


def _inside(middle: Point, box: Box, room: Box) -> Point:
    half = box.width // 2 + _EDGE, box.height // 2 + _EDGE
    x = min(max(middle.x, room.left + half[0]), max(room.right - half[0], room.left + half[0]))
    y = min(max(middle.y, room.top + half[1]), max(room.bottom - half[1], room.top + half[1]))
    return Point(x, y)


def _holds(element: Element, boxes: Sequence[Element]) -> bool:
    """Tell whether an element is one of the boxes, or what holds them."""
    return any(element.id == box.id or element.box.area >= box.box.area for box in boxes)


def _into(box: Element, things: Sequence[Element]) -> Iterator[Action]:
    """Drag what is not in a box into it, each to a spot of its own."""
    columns = max(1, math.ceil(math.sqrt(len(things) * box.box.width / max(1, box.box.height))))
    rows = max(1, math.ceil(len(things) / columns))
    for number, thing in enumerate(things):
        if box.box.left <= thing.box.left and thing.box.right <= box.box.right and box.box.holds(thing.box.center):
            continue
        row, column = divmod(number, columns)
        x = box.box.left + box.box.width * (2 * column + 1) // (2 * columns)
        y = box.box.top + box.box.height * (2 * row + 1) // (2 * rows)
        yield DragTo(start=OnElement(id=thing.id), target=At(point=Point(x, y)))
