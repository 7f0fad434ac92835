from __future__ import annotations

import pytest

from deskhand.core.action import ArrangeWindow
from deskhand.core.errors import UnreadableReply
from deskhand.core.geometry import Frame, Point, Size
from deskhand.dialects.actions import spell, to_action

HALF = Frame(device=Size(1920, 1080), shown=Size(960, 540))


def test_place_and_size_of_a_window_are_in_the_coordinates_of_the_picture() -> None:
    action = to_action("arrange_window", {"window": "0x7", "how": "move", "corner": [10, 20], "size": [960, 540]}, HALF)

    assert action == ArrangeWindow(window="0x7", how="move", corner=Point(20, 40), size=Size(1920, 1080))
    assert spell(action, HALF) == 'arrange_window(window="0x7", how="move", corner=(10, 20), size=(960, 540))'


def test_the_british_maximise_too() -> None:
    assert to_action("arrange_window", {"window": "0x7", "how": "maximise"}, HALF) == ArrangeWindow(
        window="0x7", how="maximize"
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"how": "tile"}, "there are move, resize, minimize, maximize, restore"),
        ({"how": "move"}, "a move needs a corner"),
        ({"how": "resize"}, "a resize needs a size"),
        ({"how": "resize", "size": [2000, 10]}, "outside 0..960 x 0..540"),
        ({"how": "resize", "size": 7}, "size is a point"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_can(arguments: dict[str, object], says: str) -> None:
    with pytest.raises(UnreadableReply, match=says):
        to_action("arrange_window", {"window": "0x7", **arguments}, HALF)
