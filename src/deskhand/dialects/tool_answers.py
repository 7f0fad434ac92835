"""What came of the calls of a reply, those that only wanted to see something among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from deskhand.core.action import At, target_of
from deskhand.core.geometry import Box, Frame, Space
from deskhand.core.message import Answers, AnswersPart, CameOf, Closer, ElementsPart, Part, PastStep, WindowsPart
from deskhand.core.observation import Element, Image, Window
from deskhand.dialects.answering import came_of
from deskhand.dialects.points import point_of
from deskhand.dialects.quoting import quoted, screen_data
from deskhand.dialects.render import render_parts
from deskhand.dialects.tool_uses import TABS, Use, heard_of, uses_in

_NOT_DONE = CameOf(outcome="not done", text="Not executed: an earlier computer action in this turn failed.")
_NOT_DONE_IN_BROWSER = CameOf(outcome="not done", text="Not executed: an earlier action in this turn failed.")
"""In the words that the models know."""
_LEFT_OUT = CameOf(text="[what was to be seen then is left out here]")
_MOST_FOUND = 20
_MOST_TEXTS = 1000


class Seen(NamedTuple):
    """What is known of the screen around a step."""

    space: Space
    """What the model counts in."""
    before: Image | None
    """What the step was decided on; None where that is shown no more."""
    after: Image | None
    now: Sequence[Part] = ()
    """All that is told now, where this is the latest step."""


def answers_to(step: PastStep, earlier: Sequence[PastStep], seen: Seen) -> tuple[str, Image | None, Answers | None]:
    """Say what came of a step: in words for any model, and call by call; `earlier` are the steps before."""
    if step.reply is None or step.reply.verbatim is None:
        return "\n".join(result.text for result in step.results), seen.after, None
    uses = uses_in(step.reply.verbatim.pieces)
    heard = heard_of(uses)
    told = list(came_of(step, heard, len(uses)))
    for at, use in enumerate(uses):
        if use.name == "call_user":
            told[at] = _answered(str(use.given.get("question", "")), seen.now)
        elif use.looks:
            acted = sum(one.last < at for one in heard)
            failed = any(came.outcome in ("failed", "not done") for came in told[:at])
            told[at] = (
                _not_done(use) if failed else _looked(use, (*earlier, _until(step, acted)), seen, moved=acted > 0)
            )
        if use.name in TABS and told[at].outcome not in ("failed", "not done"):
            told[at] = told[at].model_copy(update={"tabs": _tabs(seen.now)})
    calls = tuple(_not_done(uses[at]) if _follows_failure(told[:at], came) else came for at, came in enumerate(told))
    text = "\n".join(came.text for came in calls)
    return text, seen.after, Answers(calls=calls, leave=step.leave)


def _not_done(use: Use) -> CameOf:
    return _NOT_DONE_IN_BROWSER if use.browser else _NOT_DONE


def _follows_failure(before: Sequence[CameOf], came: CameOf) -> bool:
    return came.outcome == "not done" and any(one.outcome == "failed" for one in before)


def _until(step: PastStep, acted: int) -> PastStep:
    return step.model_copy(update={"actions": step.actions[:acted]})


def _answered(question: str, now: Sequence[Part]) -> CameOf:
    """Give the user's answer; once others are told after it, it stands there no more."""
    pairs = [pair for part in now if isinstance(part, AnswersPart) for pair in part.answers]
    said = next((answer for asked, answer in reversed(pairs) if asked == question), "")
    return CameOf(text=f"The user answered: {said}" if said else "The user was asked.")


def _looked(use: Use, steps: Sequence[PastStep], seen: Seen, *, moved: bool) -> CameOf:
    """Answer a call that only wanted to know something; `moved` says that something was done before it."""
    match use.name:
        case "list_tabs":
            return CameOf(text="The tabs are:")
        case "screenshot":
            return CameOf(text="The screen is shown below.")
        case "zoom":
            return _enlarged(use, seen.after if moved else seen.before, seen.space)
        case "cursor_position":
            return CameOf(text=_pointer(steps, seen))
        case _:
            return _read(use, seen.now)


def _enlarged(use: Use, picture: Image | None, space: Space) -> CameOf:
    if picture is None:
        return _LEFT_OUT
    frame, region = Frame(picture.size, space.grid(picture.size)), use.given.get("region")
    corners = [point_of(region[at : at + 2]) for at in (0, 2)] if isinstance(region, list) and len(region) == 4 else []
    try:
        (left, top), (right, bottom) = [frame.to_device(*corner) for corner in corners if corner is not None]
    except ValueError as error:
        return CameOf(outcome="failed", text=f"{region} is no region of the screen: {error}")
    box = Box(min(left, right), min(top, bottom), max(left, right) + 1, max(top, bottom) + 1)
    return CameOf(
        text="The region, enlarged; places are still those of the whole screen.",
        closer=Closer(image=picture, region=box),
    )


def _pointer(steps: Sequence[PastStep], seen: Seen) -> str:
    """Say where the pointer was last put."""
    places = [target_of(action) for step in steps for action in step.actions]
    last = next((place for place in reversed(places) if place is not None), None)
    if not isinstance(last, At) or seen.after is None:
        return "It is not known where the pointer is; give the place with the action."
    x, y = Frame(seen.after.size, seen.space.grid(seen.after.size)).to_shown(last.point)
    return f"X={round(x)},Y={round(y)}"


def _tabs(now: Sequence[Part]) -> tuple[Window, ...]:
    """Give the tabs of now; those of earlier are not known any more."""
    return next((part.windows for part in now if isinstance(part, WindowsPart)), ())


def _read(use: Use, now: Sequence[Part]) -> CameOf:
    elements = next((part for part in now if isinstance(part, ElementsPart)), None)
    if not now:
        return _LEFT_OUT
    if elements is None:
        return CameOf(outcome="failed", text="nothing can be read here; go by the picture")
    match use.name:
        case "find":
            found = _found(str(use.given.get("query", "")), elements.elements)
            text = render_parts([ElementsPart(elements=found)]) if found else "nothing like that was found"
        case "get_page_text":
            said = [e.name or e.value for e in elements.elements if e.name or e.value]
            text = screen_data("The page", [quoted(one) for one in said[:_MOST_TEXTS]], empty="without any text")
        case _:
            text = render_parts([elements])
    return CameOf(text=text)


def _found(query: str, elements: Sequence[Element]) -> tuple[Element, ...]:
    """Give the elements that share most words with a description, the likeliest first."""
    words = set(query.casefold().split())
    shared = [(len(words & set(f"{e.role} {e.name} {e.value}".casefold().split())), e) for e in elements]
    likely = sorted((pair for pair in shared if pair[0]), key=lambda pair: -pair[0])
    return tuple(element for _, element in likely[:_MOST_FOUND])
