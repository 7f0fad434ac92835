"""The app's side: grounds one clause a step on what the window shows, and goes on only when it holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from deskhand.core.geometry import Box
from deskhand.core.message import (
    AnswersPart,
    BlackboardPart,
    ElementsPart,
    HistoryPart,
    ModelRequest,
    PlanPart,
    RequestPart,
    SubtaskPart,
    WindowsPart,
)
from deskhand.core.observation import Element
from deskhand.models.literal.clauses import Clause, read_clause
from deskhand.models.literal.languages import plain_answer
from deskhand.models.literal.memory import Memory, begin, recall
from deskhand.models.literal.moves import Act, Ask, Done, Fail, Instead, Move, Tried, Turn
from deskhand.models.literal.requested import part
from deskhand.models.literal.sight import shown
from deskhand.models.literal.skills import (
    arranging,
    choices,
    classing,
    committing,
    completing,
    counting,
    creating,
    dates,
    dragging,
    entries,
    every,
    expanding,
    extremes,
    files,
    filling,
    formatting,
    generating,
    items,
    marking,
    menus,
    messages,
    obtaining,
    opening,
    pointing,
    preferences,
    reading,
    resizing,
    seeking,
    slides,
    solving,
    spots,
    spreadsheets,
    styling,
    suggested,
    switches,
    terminals,
    texts,
    values,
    waits,
)
from deskhand.models.literal.spelling import spelled
from deskhand.perception.naming import fold
from deskhand.perception.scene import LABELS, Scene

Fields = Mapping[str, object]
Skill = Callable[[Turn], Move]
_REFERENCE = re.compile(r"\{\{(?!secret:)([^{}]+)\}\}")

SKILLS: Mapping[str, Skill] = {
    "add_row": spreadsheets.add_row,
    "answer": counting.answer,
    "choose": choices.choose,
    "classify": classing.classify,
    "clear": texts.clear,
    "click": pointing.click,
    "click_all": every.click,
    "click_spot": spots.click,
    "click_order": extremes.click_in_order,
    "close": files.close,
    "command": menus.command,
    "complete": completing.complete,
    "compute": values.compute,
    "count": counting.count,
    "date": dates.enter,
    "copy_file": items.copy_file,
    "delete": items.delete,
    "delete_line": formatting.delete_line,
    "delete_shown": items.delete_shown,
    "delete_row": spreadsheets.delete_row,
    "dialog": files.answer_dialog,
    "do": menus.do,
    "drag": dragging.drag,
    "download": items.download,
    "draw": spots.draw,
    "dress": formatting.dress,
    "drag_place": dragging.place,
    "drag_way": dragging.shift,
    "entry": entries.entry,
    "expand": expanding.expand,
    "await": generating.await_number,
    "fill_from": filling.from_page,
    "find": texts.search,
    "focus": pointing.focus,
    "gather": dragging.gather,
    "generate": generating.generate,
    "go_line": texts.go_line,
    "hover": pointing.hover,
    "insert_table": formatting.insert_table,
    "mark_text": marking.mark,
    "menu": menus.menu_path,
    "message": messages.message,
    "new": files.new,
    "new_folder_in": items.new_folder_in,
    "new_thing": creating.new_thing,
    "nothing": waits.nothing,
    "obtain": obtaining.obtain,
    "open": opening.open_thing,
    "order_items": obtaining.order_items,
    "open_menu": menus.open_menu,
    "open_url": opening.open_url,
    "operate": values.operate,
    "order": dragging.order,
    "paragraph_style": formatting.paragraph_style,
    "press": pointing.press,
    "read": reading.read,
    "recase": formatting.recase,
    "rename": spreadsheets.rename,
    "resize": resizing.resize,
    "run": terminals.run,
    "save": files.save,
    "save_as": files.save_as,
    "save_page": formatting.save_page,
    "scroll": pointing.scroll,
    "scroll_to": pointing.scroll_to,
    "seek": seeking.seek,
    "select_cells": spreadsheets.select_cells,
    "set": switches.set_to,
    "settle": preferences.settle,
    "slide": slides.slide,
    "solve": solving.solve_shown,
    "sort": pointing.sort,
    "sort_rows": spreadsheets.sort_rows,
    "step": switches.step,
    "suggested": suggested.fill_in,
    "style": styling.style,
    "substitute": texts.substitute,
    "tab": switches.tab,
    "toggle": switches.toggle,
    "total": spreadsheets.total,
    "verify": waits.verify,
    "wait": waits.wait,
    "wait_for": waits.wait_for,
    "window": arranging.window,
    "write": texts.write,
}
"""What each kind of clause is carried out by."""


class _Step(NamedTuple):
    """What is the same for all clauses of a step."""

    scene: Scene
    windows: WindowsPart
    subtask: SubtaskPart
    tried: tuple[Tried, ...]
    answers: tuple[str, ...]
    board: Mapping[str, str]
    truncated: str
    asked_at: Box | None
    """Where the request itself stands on the screen."""


def decide(request: ModelRequest) -> Fields:
    """Decide the app's next step from the parts of a request."""
    step = _step(request)
    memory = _memory(request, step)
    for _ in range(2 * len(memory.clauses) + 20):
        if not memory.clauses:
            last = committing.handing_in(step.scene, step.asked_at, memory.notes)
            if not last:
                return _finish(memory)
            memory = memory.instead((last,))
        move = _move(step, memory)
        match move:
            case Done(note=note, value=value):
                clause = read_clause(memory.clauses[0])
                memory = memory.next(note, value, clause.key if clause else "")
                step = step._replace(tried=())
            case Instead(clauses=clauses):
                memory = memory.instead(clauses)
                step = step._replace(tried=())
            case Act():
                return _act(memory, move)
            case Ask(question=question):
                asking = memory.with_memo(memory.memo, len(step.answers))
                return _reply("PENDING", question, memory, plan=asking.as_plan(), questions=[question])
            case Fail(reason=reason):
                return _reply("FAIL", reason, memory, result=_failure(memory, reason))
    return _reply("FAIL", "the clauses lead in a circle", memory, result=f"“{memory.clauses[0]}” leads in a circle")


def _step(request: ModelRequest) -> _Step:
    elements, windows = part(request, ElementsPart), part(request, WindowsPart)
    answers, board, history = (part(request, kind) for kind in (AnswersPart, BlackboardPart, HistoryPart))
    last = history.steps[-1] if isinstance(history, HistoryPart) and history.steps else None
    tried: tuple[Tried, ...] = ()
    if last is not None:
        results = (*last.results, *[None] * (len(last.actions) - len(last.results)))
        tried = tuple(Tried(action, result) for action, result in zip(last.actions, results, strict=False))
    seen = elements.elements if elements else ()
    itself = _request_on_screen(seen, part(request, RequestPart))
    return _Step(
        Scene(e for e in seen if e not in itself),
        windows or WindowsPart(),
        part(request, SubtaskPart) or _whole(request),
        tried,
        tuple(answer for _, answer in answers.answers) if isinstance(answers, AnswersPart) else (),
        {e.key: e.value for e in board.entries} if isinstance(board, BlackboardPart) else {},
        elements.truncated if elements else "",
        itself[0].box if itself else None,
    )


def _request_on_screen(elements: Sequence[Element], asked: RequestPart | None) -> Sequence[Element]:
    """Give the text that is the request itself, as forms that set a task show it: it only names what is meant."""
    said = fold(asked.text) if asked else ""
    return [e for e in elements if e.role in LABELS and said and fold(e.name) == said]


def _whole(request: ModelRequest) -> SubtaskPart:
    """Take the whole request for the subtask, where no host has handed one out."""
    asked = part(request, RequestPart)
    return SubtaskPart(text=asked.text if asked else "", application="")


def _memory(request: ModelRequest, step: _Step) -> Memory:
    planned, history = part(request, PlanPart), part(request, HistoryPart)
    if history is None or not history.steps:
        return begin(step.subtask.text)  # a subtask that is taken up anew starts from its first clause
    return recall(planned.steps if planned else (), step.subtask.text)


def _move(step: _Step, memory: Memory) -> Move:
    clause = read_clause(memory.clauses[0])
    if clause is None:
        return Fail(f"“{memory.clauses[0]}” cannot be read; the built-in model reads only simple clauses")
    resolved = _resolved(clause, {**step.board, **memory.values})
    if isinstance(resolved, Fail):
        return resolved
    answered = memory.asked is not None and len(step.answers) > memory.asked
    turn = Turn(
        clause=resolved,
        scene=step.scene,
        windows=step.windows.windows,
        window=step.subtask.window,
        application=step.subtask.application,
        tried=step.tried if memory.memo else (),
        memo=memory.memo,
        answer=plain_answer(step.answers[-1]) if answered else "",
        truncated=step.truncated,
        asked_at=step.asked_at,
        following=memory.clauses[1] if len(memory.clauses) > 1 else "",
    )
    if answered and re.fullmatch(r"(?i)(?:stop|cancel|abort|never ?mind|no|none|quit)[.!]?", turn.answer.strip()):
        return Fail(f"“{clause.text}” was called off: {turn.answer}")
    gone = _window_gone(turn)
    if gone:
        return gone
    if clause.when == "if" and not memory.memo and not shown(turn, clause.seen):
        return Done(f"{clause.seen} does not show, so nothing was to be done")
    return SKILLS[clause.kind](turn)


def _window_gone(turn: Turn) -> Move | None:
    """Say that the window to work in is closed, where that is not what was wanted."""
    if not turn.window or turn.clause.kind in ("close", "wait_for", "wait", "nothing", "verify"):
        return None
    if (
        turn.scene.elements
        or any(w.id == turn.window for w in turn.windows)
        or (not turn.windows and not turn.truncated)
    ):
        return None
    if turn.memo and turn.clause.kind in ("click", "press", "menu", "dialog", "do", "command"):
        return Done(f"“{turn.clause.text}” was done, and the window closed")
    return Fail(f"the window is closed, so “{turn.clause.text}” cannot be done")


def _resolved(clause: Clause, known: Mapping[str, str]) -> Clause | Fail:
    """Put the values of the blackboard where a clause names their keys, unchanged."""
    keys = _REFERENCE.findall(clause.value)
    missing = [key for key in keys if key not in known]
    if missing:
        return Fail(
            f"there is no value called {missing[0]!r} on the blackboard; there are: {', '.join(known) or 'none'}"
        )
    if not keys:
        return clause
    return clause._replace(value=_REFERENCE.sub(lambda m: known[m.group(1)], clause.value), quoted=True)


def _act(memory: Memory, move: Act) -> Fields:
    acting = memory.with_memo(move.memo)
    actions = [spelled(action) for action in move.actions]
    return _reply("CONTINUE", move.thought, memory, plan=acting.as_plan(), action=actions)


def _finish(memory: Memory) -> Fields:
    result = memory.value if memory.value is not None else "; ".join(memory.notes)
    last = memory.notes[-1] if memory.notes else "nothing was to be done"
    return _reply("FINISH", last, memory, result=result)


def _failure(memory: Memory, reason: str) -> str:
    before = f" (before that: {'; '.join(memory.notes)})" if memory.notes else ""
    return reason + before


def _reply(status: str, thought: str, memory: Memory, **more: object) -> Fields:
    return {"thought": thought, "status": status, "blackboard": dict(memory.values), **more}
