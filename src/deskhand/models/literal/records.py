"""Records on a screen: rows, cards, posts, whatever repeats and has its controls in itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deskhand.core.observation import Element
from deskhand.perception.naming import fold
from deskhand.perception.scene import LABELS, Scene

_OWNERS = frozenset({"row", "listitem", "option", "article", "button", "link", "group", "treeitem"})
_CONTROLS = frozenset({"img", "button", "link", "checkbox", "switch"})
_TEXTS = LABELS | {"cell", "rowheader"}
_FEWEST = 2
_SIGN = 2
"""A text of so few signs is a control, as "+" and "x" are."""


class Record(NamedTuple):
    """What belongs together, in reading order."""

    elements: tuple[Element, ...]
    owner: Element | None = None
    """The element that it is as a whole."""

    def says(self, words: str) -> int:
        """Tell how well it has some words: 2 as a text of its own or at its start, 1 within a text, 0 not at all."""
        wanted = fold(words)
        names = [fold(e.name) for e in self.elements if e.name]
        if any(name == wanted for name in names) or (self.owner and _begins(names[0] if names else "", wanted)):
            return 2
        return int(any(_has(name, wanted) for name in names))


def records(scene: Scene, *, controls_last: bool | None = None) -> list[Record]:
    """Give the records that a screen shows, from top to bottom; none where nothing repeats.

    `controls_last` is whether a record's controls come after its texts, where that was seen before: a list that was
    scrolled to the middle of its records does not tell.
    """
    owned = _owned(scene)
    return owned or list(_parted(scene, controls_last))


def ends_with_controls(scene: Scene) -> bool | None:
    """Tell whether the controls of records come after their texts; None where a cut list does not show it."""
    line, runs = _lined(scene)
    if len(runs) < _FEWEST or _owned(scene):
        return True
    beside = _beside(line, runs)
    if beside is not None:
        return beside
    cut = runs[0][0] == 0 and any(e.role in _TEXTS for e in line[runs[-1][1] :])
    return None if cut else _controls_last(line, runs)


def with_words(found: Sequence[Record], words: str) -> list[Record]:
    """Give the records that have some words; those of which they are a whole text, where there are such."""
    best = max((record.says(words) for record in found), default=0)
    return [record for record in found if best and record.says(words) == best]


def _begins(name: str, wanted: str) -> bool:
    return bool(re.match(rf"{re.escape(wanted)}(?!\w)", name))


def _has(name: str, wanted: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", name))


def _owned(scene: Scene) -> list[Record]:
    """Give what stands under one another in the same width and has parts, or reads as more than a name."""
    stacks: dict[tuple[object, ...], list[Element]] = {}
    for e in scene.top:
        if e.role in _OWNERS and not e.box.empty and "covered" not in e.states:
            stacks.setdefault((e.role, e.parent, e.box.left, e.box.width), []).append(e)
    several = [stack for stack in stacks.values() if len(stack) >= _FEWEST and any(scene.children(e) for e in stack)]
    best = max(several, key=lambda stack: sum(e.box.area for e in stack), default=[])
    return [Record((e, *scene.within(e)), e) for e in best]


def _lined(scene: Scene) -> tuple[list[Element], list[tuple[int, int]]]:
    """Give what stands on the screen in order, and the stretches of controls that come round again in it."""
    line = [e for e in scene.top if not e.box.empty and (e.name or e.value)]
    kinds = Counter(_kind(e) for e in line if _is_control(e))
    often = [kind for kind, times in kinds.items() if times >= _FEWEST and not kind[1].startswith("#")]
    most = max((kinds[kind] for kind in often), default=0)
    separators = [i for i, e in enumerate(line) if _is_control(e) and kinds[_kind(e)] == most and _kind(e) in often]
    return line, list(_runs(line, separators))


def _parted(scene: Scene, controls_last: bool | None) -> Iterator[Record]:
    """Part a plain run of texts and controls where the same controls come round again."""
    line, runs = _lined(scene)
    if len(runs) < _FEWEST:
        return
    last = _controls_last(line, runs) if controls_last is None else controls_last
    starts = [0, *(end for _, end in runs)] if last else [start for start, _ in runs]
    if last:
        starts[0] = max(0, runs[0][0] - (runs[1][0] - runs[0][1]))
    for start, end in zip(starts, [*starts[1:], len(line)], strict=True):
        part = line[start:end]
        if any(e.role in _TEXTS for e in part):
            yield Record(tuple(part))


def _is_control(element: Element) -> bool:
    short = element.role == "label" and len(element.name.strip()) <= _SIGN and not element.name.strip().isalnum()
    return element.role in _CONTROLS or short


def _is_count(line: Sequence[Element], place: int) -> bool:
    """Tell whether a number stands between two controls in one row, as how many there are between - and +."""
    if place + 1 >= len(line) or not re.fullmatch(r"\d{1,3}", line[place].name.strip()):
        return False
    following = line[place + 1]
    return _is_control(following) and abs(following.box.center.y - line[place].box.center.y) <= following.box.height / 2


def _kind(element: Element) -> tuple[str, str]:
    return element.role, re.sub(r"\d[\d.,]*", "#", element.name)


def _runs(line: Sequence[Element], places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Give the stretches of neighbouring controls around the separators, as start and end."""
    end = -1
    for place in places:
        if place < end:
            continue
        start = place
        while start > max(end, 0) and _is_control(line[start - 1]):
            start -= 1
        end = place + 1
        while end < len(line) and (_is_control(line[end]) or _is_count(line, end)):
            end += 1
        yield start, end


def _controls_last(line: Sequence[Element], runs: Sequence[tuple[int, int]]) -> bool:
    """Tell whether records end with their controls: what is between two of them is then also before the first."""
    beside = _beside(line, runs)
    if beside is not None:
        return beside
    between = [e.role for e in line[runs[0][1] : runs[1][0]]]
    before = [e.role for e in line[: runs[0][0]]][-len(between) :] if between else []
    after = [e.role for e in line[runs[-1][1] :]][: len(between)]
    alike_before = sum(a == b for a, b in zip(reversed(before), reversed(between), strict=False))
    alike_after = sum(a == b for a, b in zip(after, between, strict=False))
    return alike_before >= alike_after


def _beside(line: Sequence[Element], runs: Sequence[tuple[int, int]]) -> bool | None:
    """Tell on which side of their text controls stand, where they stand in one row with it; None where they do not."""
    after = sum(_in_row(line, run, texts=range(run[0] - 1, start - 1, -1)) for run, start in _with_starts(runs))
    ends = [*(start for start, _ in runs[1:]), len(line)]
    before = sum(_in_row(line, run, texts=range(run[1], end)) for run, end in zip(runs, ends, strict=True))
    return None if after == before else after > before


def _with_starts(runs: Sequence[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], int]]:
    """Give each stretch of controls with the place where what stands before it begins."""
    yield from zip(runs, [0, *(end for _, end in runs[:-1])], strict=True)


def _in_row(line: Sequence[Element], run: tuple[int, int], *, texts: range) -> bool:
    boxes = [line[i].box for i in range(*run)]
    labels = [line[i].box for i in texts if line[i].role in _TEXTS]
    return any(
        (min(a.bottom, b.bottom) - max(a.top, b.top)) * 2 > min(a.height, b.height) for a in boxes for b in labels
    )
