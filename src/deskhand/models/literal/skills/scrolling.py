"""Going on in what a page shows only a part of: the wheel is turned until something shows, or nothing moves."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from deskhand.core.action import At, Scroll, Wait
from deskhand.core.geometry import Point
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Act, Turn

_NOTCH = 100
"""Pixels of a page by which a notch of the wheel moves it, about."""
_MOST_TURNS = 60
_LATE = 2
"""How often it is looked again whether the page has moved."""


def scroll_on(turn: Turn, words: str) -> Act | None:
    """Turn the wheel over the middle of what is shown, down and then up; None when all has been seen, or is no page."""
    shown = of_task(turn)
    if not any(e.source == "dom" for e in shown):
        return None
    at = turn.memo.get("wheel_at") or _middle(shown)
    reads = str(crc32(" ".join(f"{e.id}@{e.box.top}" for e in shown).encode()))
    way, times = turn.memo.get("wheel_way", "down"), turn.count("wheeled")
    if reads == turn.memo.get("wheel_reads"):
        if turn.count("wheel_still") < _LATE:
            still = str(turn.count("wheel_still") + 1)
            return turn.again(Wait(seconds=0.15), "look whether it has moved", wheel_still=still)
        if way == "up":
            return None
        way = "up"
    if times >= _MOST_TURNS:
        return None
    x, y = (int(n) for n in at.split(","))
    notches = _notches(shown) if way == "down" else -100
    return turn.prepare(
        Scroll(clicks=-notches, target=At(point=Point(x, y))),
        thought=f"scroll {way} to look for {words}",
        wheel_at=at,
        wheel_way=way,
        wheel_reads=reads,
        wheel_still="0",
        wheeled=str(times + 1),
    )


def of_task(turn: Turn) -> Sequence[Element]:
    """Give what stands under the request, where the page repeats it: that is what the request is about."""
    shown = [e for e in turn.scene.top if not e.box.empty and (e.name or e.value)]
    asked = turn.asked_at
    if asked is None:
        return shown
    return [e for e in shown if e.box.top >= asked.bottom - 2 and asked.left <= e.box.center.x < asked.right] or shown


def _middle(shown: Sequence[Element]) -> str:
    y = (min(e.box.top for e in shown) + max(e.box.bottom for e in shown)) // 2
    nearest = min(shown, key=lambda e: abs(e.box.center.y - y))
    return f"{nearest.box.center.x},{nearest.box.center.y}"


def _notches(shown: Sequence[Element]) -> int:
    """Give how far one turns at a time: less than what is shown."""
    height = max(e.box.bottom for e in shown) - min(e.box.top for e in shown)
    return max(1, int(height * 0.7) // _NOTCH)
