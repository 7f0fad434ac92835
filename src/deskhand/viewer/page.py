"""One page that shows a run from its request to its end: a fold of its journal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import anyio.to_thread

from deskhand.core.errors import JournalError
from deskhand.core.event import Observed, Record, Snapshot
from deskhand.core.observation import Image
from deskhand.journal.file import read_records
from deskhand.journal.spent import spent_by_agent
from deskhand.journal.view import View
from deskhand.models.choice import BUILT_IN
from deskhand.viewer.markup import ENDING, beginning, tag, text
from deskhand.viewer.moments import COLOURS, duration, item, show
from deskhand.viewer.shots import Shots
from deskhand.viewer.story import Round, Shot, Step, Story

PAGE = "index.html"


def write_page(run_dir: Path) -> Path:
    """Write `run_dir/index.html` from what the journal says by now; give its path.

    Raises:
        JournalError: the folder holds no run, or the page cannot be written.
    """
    page = "".join(_document(list(read_records(run_dir)), Shots(run_dir)))
    try:
        return put_page(page, run_dir)
    except OSError as error:
        raise JournalError(
            f"{run_dir / PAGE} cannot be written ({error.strerror}); free space and try `deskhand page`"
        ) from error


def put_page(page: str, folder: Path) -> Path:
    """Write a page into a folder, whole or not at all, for its owner alone; give its path.

    Raises:
        OSError: it cannot be written.
    """
    path, draft = folder / PAGE, folder / f"{PAGE}.part"
    try:
        draft.touch(mode=0o600)
        draft.write_bytes(page.encode(errors="replace"))
        return draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


async def leave_page(run_dir: Path) -> None:
    """Write the page for whoever comes to look; where it cannot be, `deskhand page` says why and can be tried again."""
    with suppress(JournalError):
        await anyio.to_thread.run_sync(write_page, run_dir)


def _document(records: list[Record], shots: Shots) -> Iterator[str]:
    view, story = View.of(records), Story.of(records)
    requests = [round.request for round in story.rounds]
    title = requests[0] if len(requests) == 1 else f"{len(requests)} requests"
    yield beginning(f"{title} - Deskhand")
    yield tag("header", tag("h1", text(title)), _outcome(view), _facts(view), _agents(records), _contents(story))
    if view.blackboard:
        entries = ((tag("dt", text(key)), tag("dd", text(entry.value))) for key, entry in view.blackboard.items())
        yield tag("h2", "Blackboard") + tag("dl", *(part for entry in entries for part in entry), class_="board")
    yield _items("".join(map(show, story.outside)))
    for round in story.rounds:
        yield from _round(round, len(story.rounds), shots)
    if (last := _last_picture(records)) is not None:
        yield tag("h2", "The screen at the end") + shots.draw(Shot(last), "The screen at the end")
    yield ENDING


def _outcome(view: View) -> str:
    if view.outcome is None:
        return tag("p", text("Not ended: it was stopped from outside, or still goes on."), class_="outcome doubt")
    outcome = tag("span", text(view.outcome.replace("_", " ")), class_=f"outcome {COLOURS[view.outcome]}")
    return tag("p", outcome, text(" · " if view.answer else ""), tag("span", text(view.answer or ""), class_="said"))


def _facts(view: View) -> str:
    facts = {
        "Steps": f"{view.steps}",
        "Time": _time(view),
        "Model calls": f"{view.model_calls}",
        "Tokens": f"{view.tokens:,}" if view.tokens else "none",
        "Cost": f"${view.usd:.4f}" if view.usd else "none",
    }
    if view.calls_saved:
        facts["Calls saved"] = f"{view.calls_saved}, by several actions a reply"
    if view.started is not None:
        began = datetime.fromtimestamp(view.start_time, UTC)
        facts["Device"] = view.started.device
        facts["Model"] = ", ".join(dict.fromkeys(view.started.models.values()))
        facts["Begun"] = f"{began:%Y-%m-%d %H:%M:%S} UTC"
        facts["Version"] = view.started.version
    return _pairs(facts)


def _agents(records: list[Record]) -> str:
    """Say what each agent asked models for; nothing of the one that is built in."""
    agents = spent_by_agent(records, but=BUILT_IN).items()
    return _pairs({f"Models for {agent or 'no agent'}": str(used) for agent, used in agents})


def _pairs(facts: Mapping[str, str]) -> str:
    pairs = (tag("div", tag("dt", text(name)), tag("dd", text(fact))) for name, fact in facts.items())
    return tag("dl", *pairs, class_="facts") if facts else ""


def _time(view: View) -> str:
    whole = view.last_time - view.start_time
    return duration(whole) + (f", {duration(whole / view.steps)} a step" if view.steps > 1 else "")


def _contents(story: Story) -> str:
    links = (tag("a", text(step.number), href=f"#step-{step.number}") for r in story.rounds for step in r.steps)
    return tag("nav", text("Steps"), *links) if story.steps > 1 else ""


def _round(round: Round, of: int, shots: Shots) -> Iterator[str]:
    if of > 1:
        yield tag("h2", text(f"{round.number}. {round.request}"))
    yield _items("".join(map(show, round.outside)))
    for step in round.steps:
        yield _step(step, round.began, shots)
    if round.end is not None:
        content = tag("span", text(round.end.answer or ""), class_="said")
        end = item(round.end.outcome.replace("_", " ").capitalize(), content, COLOURS[round.end.outcome])
        yield _items(end + "".join(map(show, round.after)))


def _step(step: Step, began: float, shots: Shots) -> str:
    after = tag("span", text(f" after {duration(step.began - began)}, for {duration(step.ended - step.began)}"))
    head = tag("h3", text(f"{step.number} · {step.agent} · {step.status}"), tag("small", after, class_="soft"))
    items = "".join(map(show, step.moments))
    if step.error:
        items += item("Error", text(step.error), "bad")
    if step.then is not None:
        items += item("Then", text(" · ".join(step.then)))
    if step.phases:
        phases = ", ".join(f"{name.lower().replace('_', ' ')} {duration(s)}" for name, s in step.phases.items())
        items += tag("li", text(phases), class_="soft")
    pictures = "".join(shots.draw(shot, f"The screen in step {step.number}") for shot in step.shots)
    body = tag("div", tag("ul", items), tag("div", pictures), class_="body seen" if pictures else "body")
    return tag("article", head, body, id=f"step-{step.number}")


def _items(items: str) -> str:
    return tag("ul", items) if items else ""


def _last_picture(records: list[Record]) -> Image | None:
    for record in reversed(records):
        match record.event:
            case Snapshot(image=image):
                return image
            case Observed(observation=observation):
                return observation.screen
            case _:
                continue
    return None
