"""How many model calls a task takes when several actions of a reply are done, and when only the first is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import anyio

from benchmarks import desktop_calls
from benchmarks.row import Row
from deskhand.core.event import SessionStarted
from deskhand.core.geometry import Box
from deskhand.core.message import ModelRequest, Reply
from deskhand.core.observation import ACTIVE_WINDOW, Look, Subject
from deskhand.core.ports import Pictures
from deskhand.core.status import RunOutcome
from deskhand.dialects.json_reply import JsonReply
from deskhand.journal.memory import MemoryJournal
from deskhand.journal.view import View
from deskhand.perception.ground import LexiconGrounder
from deskhand.processors.context import Context
from deskhand.processors.dispatcher import CommandDispatcher
from deskhand.processors.gate import PolicyGate
from deskhand.processors.policy import Policy
from deskhand.session.factory import SessionFactory
from deskhand.session.nobody import NobodyThere
from deskhand.testing import PaperDesk
from deskhand.testing.desk import PaperWindow

Action = tuple[str, dict[str, object]]
KEYS = ("1", "2", "3", "+", "=", "C")


class Task(NamedTuple):
    """What there is to do, all of which a good model foresees."""

    name: str
    actions: tuple[Action, ...]
    text: str = ""
    agent: str = "native"
    moves: bool = False
    """Whether the first press moves everything, as a bar that appears does."""


def write(text: str) -> Action:
    return "write", {"message": text, "replace": True}


def press(number: int) -> Action:
    return "click", {"element": f"e{100 + number}"}


TASKS = (
    Task("a sum on a calculator", tuple(map(press, (6, 1, 2, 4, 3, 5)))),
    Task("a form of two fields", (write("Ada"), press(1), write("Turing"), press(1)), "Turing", agent="host"),
    Task("a text that is sent off", (write("Hello"), press(1)), "Hello", agent="host"),
    Task("one button", (press(1),)),
    Task("buttons that move once", tuple(map(press, (1, 2, 3, 1))), moves=True),
)


@dataclass
class Desk(PaperDesk):
    """A desk whose buttons move down after the first press, if it `moves`."""

    moves: bool = False

    async def observe(self, subject: Subject = ACTIVE_WINDOW) -> Look:
        look = await super().observe(subject)
        if not (self.moves and any(window.presses for window in self.windows)):
            return look
        moved = tuple(e.model_copy(update={"box": _lower(e.box)}) for e in look.observation.elements)
        return Look(look.observation.model_copy(update={"elements": moved}), look.pictures)


def _lower(box: Box) -> Box:
    return Box.at(box.left, box.top + 6, box.width, box.height)


@dataclass
class Foresees:
    """A model that says all that is left to do in each reply."""

    task: Task
    desk: PaperDesk
    name: str = "foresees"
    asked: int = field(default=0)

    async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
        self.asked += 1
        done = len([action for action in self.desk.done if action.kind in ("write", "click")])
        left = self.task.actions[done:]
        if request.role == "host":
            said: dict[str, object] = {"status": "FINISH", "result": "done"}
            if left:
                said = {"status": "ASSIGN", "application": "editor", "current_subtask": self.task.name}
        else:
            calls = [{"function": name, "arguments": arguments} for name, arguments in left]
            said = {"status": "FINISH", "action": calls}
        return Reply(text=json.dumps(said), model=self.name)


def calls(task: Task, *, speculation: bool) -> int:
    desk = Desk(moves=task.moves)
    if task.agent != "host":
        desk.windows = [PaperWindow("w1", "calculator", buttons=KEYS)]
    model = Foresees(task, desk)
    user, journal = NobodyThere(), MemoryJournal()
    context = Context(journal, View(), user, models={"planner": model}, dialect=JsonReply(), speculation=speculation)
    gate = PolicyGate(Policy(()), user, context.record)
    context.dispatcher = CommandDispatcher(desk, context, gate, LexiconGrounder())
    agent: Literal["host", "native"] = "host" if task.agent == "host" else "native"
    started = SessionStarted(version="", device="paper", models={}, mode=context.mode, agent=agent, request=task.name)
    session = SessionFactory.create_session(context, started)
    result = anyio.run(session.run)
    assert result.outcome is RunOutcome.FINISHED, f"{task.name}: {result.outcome} {result.answer}"
    presses = len([name for name, _ in task.actions if name == "click"])
    assert (desk.windows[0].text, desk.windows[0].presses) == (task.text, presses), f"{task.name} was not done"
    return model.asked


def calls_with_over_without() -> Iterator[float]:
    """Sum the calls of the tasks on paper and of those on real desktops."""
    asked = {
        speculation: sum(calls(task, speculation=speculation) for task in TASKS)
        + sum(desktop_calls.calls(task, speculation=speculation) for task in desktop_calls.TASKS)
        for speculation in (True, False)
    }
    yield asked[True] / asked[False]


ROWS = (Row("models-calls", 0.5, "times", calls_with_over_without, "models", trials=1),)
