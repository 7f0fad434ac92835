"""Lists of elements as models are told them: short, and with nothing left out."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from deskhand.core.geometry import Box, Frame, Size
from deskhand.core.message import ElementsPart
from deskhand.core.observation import Element
from deskhand.dialects.render import render_parts

QUOTED = r'"(?:[^"\\]|\\.)*"'
SINGLE = re.compile(rf"(e\d+) (?:button|link|checkbox|textbox|label) ({QUOTED})(?: value={QUOTED})?(?: \[.*\])? (.*)")
CELL = re.compile(
    rf'(e\d+) ({QUOTED}|[^|="\[@]*?)(?:=(?:{QUOTED}|[^|="\[@]*?))?(?: \[[^\]]*\])?(?: @([\d.]+))?(?:\||$)'
)
SCREEN = Size(1000, 1200)
ROLES = ("button", "link", "checkbox", "textbox", "label")
NAMES = (
    "Save",
    "Save as",
    "5",
    "a|b",
    'say "hi"',
    "x=1",
    "[on]",
    "two\nlines",
    " spaced ",
    "me@here",
    "ünï 你好 😀",
)


def element(number: int, role: str, box: Box, name: str, **more: Any) -> Element:
    return Element(id=f"e{number}", role=role, name=name, box=box, parent="e1", **more)


def told(*elements: Element, frame: Frame | None = None) -> list[str]:
    window = Element(id="e1", role="window", name="Form", box=Box(0, 0, 1000, 1200))
    return render_parts((ElementsPart(elements=(window, *elements)),), frame).splitlines()[3:-1]


def form(rows: int, tall: int = 30) -> list[Element]:
    found = []
    for row in range(rows):
        top = 100 + row * tall
        found.append(element(10 + 3 * row, "label", Box(10, top, 90, top + 20), name=f"Item {row}"))
        found.append(element(11 + 3 * row, "textbox", Box(100, top, 190, top + 20), name="Count", value=str(row)))
        found.append(element(12 + 3 * row, "button", Box(200, top, 290, top + 20), name="Remove"))
    return found


def test_rows_of_like_controls_are_told_in_a_line_each() -> None:
    assert told(*form(3)) == [
        "rows of label @50|textbox @145|button @245, y 110 to 170:",
        "e10 Item 0|e11 Count=0|e12 Remove",
        "e13 Item 1|e14 Count=1|e15 Remove",
        "e16 Item 2|e17 Count=2|e18 Remove",
    ]


def test_two_rows_are_told_control_by_control() -> None:
    assert told(*form(2))[:2] == ['e10 label "Item 0" 50,110', 'e11 textbox "Count" value="0" 145,110']


def test_rows_that_do_not_follow_evenly_say_where_each_is() -> None:
    *even, label, field, button = form(4)
    apart = [e.model_copy(update={"box": Box(e.box.left, 299, e.box.right, 320)}) for e in (label, field, button)]

    lines = told(*even, *apart)

    assert [line.split()[0] for line in lines[1:]] == ["110", "140", "170", "309"]


def test_states_that_most_have_are_said_once_and_others_where_they_are() -> None:
    ticks = [element(10 + n, "checkbox", Box(10, 40 * n, 30, 40 * n + 20), name=f"Tick {n}") for n in range(6)]
    ticks[2] = ticks[2].model_copy(update={"states": ("checked",)})

    lines = told(*ticks)

    assert lines[0] == "rows of checkbox [unchecked] @20, y 10 to 210:"
    assert lines[1:4] == ["e10 Tick 0", "e11 Tick 1", "e12 Tick 2 [checked]"]


def test_buttons_side_by_side_are_one_line_with_the_place_of_each() -> None:
    buttons = [element(10 + n, "button", Box(50 * n, 10, 50 * n + 40, 40), name=name) for n, name in enumerate("789")]

    assert told(*buttons) == ["row of button, y 25: e10 7 @20|e11 8 @70|e12 9 @120"]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("shown", [SCREEN, Size(500, 600), Size(1, 1)])
def test_whatever_stands_in_a_row_or_column_is_told_with_its_name_and_a_place_within_it(seed: int, shown: Size) -> None:
    elements = {e.id: e for e in scattered(random.Random(seed))}
    frame = Frame(SCREEN, shown)

    places = places_told(told(*elements.values(), frame=frame))

    assert list(places) == list(elements)
    for each, (name, x, y) in places.items():
        assert elements[each].box.holds(frame.to_device(x, y))
        assert name == elements[each].name


def scattered(choose: random.Random) -> list[Element]:
    """Lay out blocks of rows whose columns are about below each other, of any names and values."""
    found: list[Element] = []
    top = 5
    while top < 800:
        roles = choose.choices(ROLES, k=choose.randint(1, 5))
        for _ in range(choose.randint(1, 6)):
            for place, role in enumerate(roles):
                left, up = 20 + place * 150 + choose.randint(-9, 9), top + choose.randint(-2, 2)
                box = Box(left, up, left + choose.randint(20, 100), up + choose.randint(16, 24))
                value = choose.choice(NAMES) if role == "textbox" else ""
                states = choose.choice(((), (), ("disabled",)))
                name = choose.choice(NAMES)
                found.append(element(2 + len(found), role, box, name=name, value=value, states=states))
            top += 26 + choose.choice((0, 0, 0, 40))
    return found


def places_told(lines: list[str]) -> dict[str, tuple[str, float, float]]:
    """Read back what was told: name and place of each element by its id."""
    found: dict[str, tuple[str, float, float]] = {}
    while lines:
        line = lines.pop(0)
        if single := SINGLE.fullmatch(line):
            x, y = single[3].removesuffix(" in e1").split(",")
            found[single[1]] = (single[2], float(x), float(y))
        elif line.startswith("row of "):
            y = float(line.partition(", y ")[2].split(":")[0].split()[0])
            found |= {cell[1]: (cell[2], float(cell[3]), y) for cell in CELL.finditer(line.partition(": ")[2])}
        else:
            found |= table_told(line, lines)
    return {each: (json.loads(name) if name.startswith('"') else name, x, y) for each, (name, x, y) in found.items()}


def table_told(header: str, lines: list[str]) -> dict[str, tuple[str, float, float]]:
    columns = [float(x) for x in re.findall(r"@([\d.]+)", header)]
    rows: list[str] = []
    while lines and not lines[0].startswith("row") and not SINGLE.fullmatch(lines[0]):
        rows.append(lines.pop(0))
    if span := re.search(r", y ([\d.]+) to ([\d.]+)", header):
        first, last = float(span[1]), float(span[2])
        ys = [first + (last - first) * place / (len(rows) - 1) for place in range(len(rows))]
    else:
        ys = [float(row.split()[0]) for row in rows]
    return {
        cell[1]: (cell[2], x, y)
        for row, y in zip(rows, ys, strict=True)
        for cell, x in zip(CELL.finditer(row[row.index("e") :]), columns, strict=True)
    }
