"""The same done to everything that looks as described: "click all red circles", "select every shade of blue"."""

from __future__ import annotations

from deskhand.core.action import Click, OnElement
from deskhand.models.literal.moves import Ask, Done, Fail, Move, Turn
from deskhand.models.literal.sight import look_again
from deskhand.perception.looks import looking_so, read_looks
from deskhand.perception.quoting import mask

_MOST = 40


def click(turn: Turn) -> Move:
    """Click each of what is described, once."""
    words = mask(turn.clause.target).plain
    if turn.tries:
        if turn.failed:
            return Fail(f"clicking all {words} failed: {turn.failed}")
        return Done(f"clicked {turn.memo['what']}") if turn.done or turn.changed else Fail("the clicks had no effect")
    looks = read_looks(words)
    found = looking_so(looks._replace(how_many="all"), turn.scene) if looks else ()
    if not found:
        return look_again(turn, words) or Ask(f"“{turn.clause.text}”: nothing here looks like {words}. What is meant?")
    if len(found) > _MOST:
        return Ask(f"“{turn.clause.text}”: there are {len(found)} of them. Are all meant?")
    what = f"{len(found)} {words}"
    return turn.act(*(Click(target=OnElement(id=e.id)) for e in found), thought=f"click {what}", what=what)
