"""The parts of a request as text, for models that read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from deskhand.core.action import ActionResult
from deskhand.core.geometry import Frame, Space
from deskhand.core.message import (
    AnswersPart,
    ApplicationsPart,
    BlackboardPart,
    BudgetPart,
    ElementsPart,
    HistoryPart,
    NotesPart,
    Part,
    PastStep,
    PicturePart,
    PlanPart,
    ReportsPart,
    RequestPart,
    SubtaskPart,
    SubtaskReport,
    ToolsPart,
    WindowsPart,
)
from deskhand.core.observation import Application, Element, Window
from deskhand.dialects.actions import spell
from deskhand.dialects.controls import Group, by_window, telling
from deskhand.dialects.listing import lines_of
from deskhand.dialects.quoting import LONGEST_TEXT, cut, quoted, screen_data

MOST_ELEMENTS = 400
_MOST_BLOCKED = 10
NONE_OPEN = "no window is open"
_MOST_APPLICATIONS = 150
_FEW_APPLICATIONS = 10
"""So many are told in full with every request."""
_MOST_PLANNED = 20
_MOST_REPORTS = 20
_LONGEST_REPORTED = 160
_LONGEST_VALUE = 200_000
_IN_FULL = 8
"""So many of the last steps are told with all they did; of those before, a line each."""
_IN_BRIEF = 12
_LONGEST_BRIEF = 100
LONGEST_LATEST = 4000
"""Characters of what the latest action yielded, such as a tool's answer; of those before, as of any text."""
OF_STEP = re.compile(r"step (\d+)")
"""How a picture of an earlier step is called."""
_KEY = re.compile(r"\{\{(?!\s*secret\s*:)([^{}]+)\}\}", re.IGNORECASE)
"""A key of the blackboard, named in a text."""


class _Around(NamedTuple):
    """What must be known of the other parts, to write one."""

    frame: Frame | None
    values: Mapping[str, str]
    """What stands on the blackboard."""
    windows: tuple[Window, ...] = ()
    applications: frozenset[str] = frozenset()
    """Those that have had a subtask, as they were named."""
    steps: int = 0
    """How many earlier steps are told."""
    none_open: bool = False


def render_parts(parts: Sequence[Part], frame: Frame | None = None, among: Sequence[Part] = ()) -> str:
    """Write every part as text, in order; what was found on the screen stands in marked blocks.

    Long lists are cut with a line saying how many more there are. Pictures are only named: their bytes go their
    own way. Places are written in the coordinates in which `frame` shows the screen, by default its own pixels.
    `among` are all the parts, where only some are written.
    """
    around = _around(frame, among or parts)
    return "\n\n".join(text for text in (_rendered(part, around) for part in parts) if text)


def _around(frame: Frame | None, parts: Sequence[Part]) -> _Around:
    around = _Around(frame, _values(parts))
    for part in parts:
        match part:
            case WindowsPart(windows=windows):
                around = around._replace(windows=windows, none_open=not windows)
            case ReportsPart(reports=reports):
                around = around._replace(applications=frozenset(report.application for report in reports))
            case HistoryPart(steps=steps):
                around = around._replace(steps=len(steps))
            case _:
                pass
    return around


def shown_frame(parts: Sequence[Part], space: Space) -> Frame | None:
    """Give the frame of the picture of now, which is the last, as a model sees it that counts in `space`."""
    size = next((part.image.size for part in reversed(parts) if isinstance(part, PicturePart)), None)
    return None if size is None else Frame(size, space.grid(size))


def task_of(parts: Sequence[Part]) -> str:
    """Give what is to be done: the subtask with its tips where there is one, else the request."""
    for part in parts:
        if isinstance(part, SubtaskPart) and part.text:
            return _subtask(part, _values(parts))
    return next((part.text for part in parts if isinstance(part, RequestPart)), "")


def _values(parts: Sequence[Part]) -> Mapping[str, str]:
    return {e.key: e.value for part in parts if isinstance(part, BlackboardPart) for e in part.entries}


def _subtask(part: SubtaskPart, values: Mapping[str, str]) -> str:
    """Write a subtask, the values it names, and its tips."""
    keys = dict.fromkeys(key.strip() for key in _KEY.findall(part.text))
    said = [f"{{{{{key}}}}} is {quoted(values[key], _LONGEST_BRIEF)}" for key in keys if key in values]
    tips = [f"- {tip}" for tip in part.message]
    told = [screen_data("Values named in it", said), *(["Tips:", *tips] if tips else [])]
    return "\n".join([part.text, *filter(None, told)])


def _rendered(part: Part, around: _Around) -> str:
    frame = around.frame
    match part:
        case SubtaskPart(application=application, text=text):
            return f"Your subtask, in {application}:\n{_subtask(part, around.values)}" if text else ""
        case RequestPart() | PlanPart() | NotesPart() | AnswersPart() | BudgetPart() | ToolsPart():
            return _instructions(part, around)
        case HistoryPart(steps=steps):
            return _history(steps, frame)
        case ReportsPart(reports=reports):
            rows = [_report(report, around.values) for report in reports]
            return screen_data("Subtasks that are over", _latest(rows, _MOST_REPORTS))
        case BlackboardPart(entries=entries):
            rows = [
                f"{quoted(e.key)} = {quoted(e.value, _LONGEST_VALUE)} (by {e.writer or '?'}, step {e.step})"
                for e in entries
            ]
            return screen_data("Blackboard", rows)
        case WindowsPart(windows=windows):
            return screen_data("Windows, the topmost first", map(_window, windows), empty="none is open")
        case ApplicationsPart():
            return _applications(part, around)
        case ElementsPart(elements=elements, truncated=truncated):
            return _elements(elements, truncated, around)
        case PicturePart(image=image, of=of):
            size = image.size if frame is None or frame.shown == (1, 1) else frame.shown
            return f"Picture of {_pictured(of)}: {size.width}x{size.height} pixels."


def _pictured(of: str) -> str:
    """Say what a picture is of: one of an earlier step is the one that step was decided on."""
    return f"the screen before {of}" if OF_STEP.fullmatch(of) else "the screen now" if of == "screen" else of


def _instructions(
    part: RequestPart | PlanPart | NotesPart | AnswersPart | BudgetPart | ToolsPart, around: _Around
) -> str:
    match part:
        case ToolsPart():
            return ""  # they stand among the actions
        case RequestPart(text=text):
            return f"The user's request:\n{text}"
        case PlanPart(steps=steps):
            return _listed("Your plan so far", _first([cut(step) for step in steps], _MOST_PLANNED))
        case NotesPart(notes=notes):
            return _listed("Take note", notes)
        case AnswersPart(answers=answers):
            return _listed("The user was asked", [f"{question}\n  and answered: {said}" for question, said in answers])
        case BudgetPart(step=step, steps=steps):
            ending = " Come to an end: do what matters most, or say what you have." if steps - step < 2 < steps else ""
            others = "" if around.steps == step - 1 else " Openings of applications and other agents' steps count, too."
            return f"This is step {step} of at most {steps}.{others}{ending}"


def _listed(title: str, lines: Iterable[str]) -> str:
    rows = [f"- {line}" for line in lines]
    return "\n".join([f"{title}:", *rows]) if rows else ""


def _history(steps: Sequence[PastStep], frame: Frame | None) -> str:
    brief, full = steps[-_IN_FULL - _IN_BRIEF : -_IN_FULL], steps[-_IN_FULL:]
    more = len(steps) - len(brief) - len(full)
    lines = [f"... {more} more before"] if more else []
    lines += [f"step {step.step}: {cut(in_brief(step, frame), _LONGEST_BRIEF)}" for step in brief]
    for step in full:
        acts = acts_of(step, frame, LONGEST_LATEST if step is steps[-1] else LONGEST_TEXT)
        lines.append(f"step {step.step}: {cut(step.thought) or (acts.pop(0) if acts else 'nothing was done')}")
        lines += [f"  {told}" for told in acts]
        if step.correction:
            lines.append(f"  corrected: {cut(step.correction)}")
        lines += since(step)
    return screen_data("Your earlier steps", lines)


def since(step: PastStep) -> list[str]:
    """Tell what is to be seen on the screen since a step."""
    return [f"  since then: {'; '.join(map(cut, step.since))}"] if step.since else []


def in_brief(step: PastStep, frame: Frame | None) -> str:
    """Tell a step in a line: what was meant, or else done, and whether it failed."""
    failed = any(result.outcome == "failed" for result in step.results)
    meant = " ".join(step.thought.split()) or "; ".join(spell(action, frame) for action in step.actions)
    return f"{'(failed) ' if failed else ''}{meant or step.correction}"


def acts_of(step: PastStep, frame: Frame | None, longest: int = LONGEST_TEXT) -> list[str]:
    """Tell each action of a step and what came of it; of what it yielded, so many characters at most."""
    results = [*step.results, *([None] * (len(step.actions) - len(step.results)))]
    pairs = zip(step.actions, results, strict=False)
    return [f"{cut(spell(action, frame))} -> {outcome(result, longest)}" for action, result in pairs]


def outcome(result: ActionResult | None, longest: int = LONGEST_TEXT) -> str:
    """Put into words what came of an action; of what it yielded, so many characters at most."""
    if result is None:
        return "it is not known whether this was done"
    value = quoted(result.value, longest) if result.value and result.value not in result.text else ""
    named = ", value " if value and result.text else ""
    return f"{result.outcome}: {cut(result.text)}{named}{value}"


def _elements(elements: Sequence[Element], truncated: str, around: _Around) -> str:
    rows: list[str] = []
    room = MOST_ELEMENTS
    for group in by_window(telling(elements), around.windows):
        own = _of_use(group)[:room]
        rows += [group.title] if group.title and room else []
        rows += lines_of(own, around.frame)
        room -= len(own)
        if len(own) < len(group.elements):
            rows.append(f"... {len(group.elements) - len(own)} more{' that are blocked' if group.blocked else ''}")
    if truncated:
        rows.append(f"(not all: {truncated})")
    return screen_data("Elements", rows, empty=NONE_OPEN if around.none_open else "none could be read")


def _of_use(group: Group) -> Sequence[Element]:
    """Of what cannot be used now, only what it holds is worth telling."""
    return [e for e in group.elements if e.value][:_MOST_BLOCKED] if group.blocked else group.elements


def _window(w: Window) -> str:
    marks = [mark for mark, holds in (("active", w.active), ("minimized", w.minimized)) if holds]
    dialog = f" dialog of {w.dialog_of}" if w.dialog_of else ""
    return f"{w.id} {quoted(w.title)} of {w.app or '?'}{' [' + ', '.join(marks) + ']' if marks else ''}{dialog}"


def _report(report: SubtaskReport, values: Mapping[str, str]) -> str:
    """Tell of a subtask that is over; what it gave is named where the blackboard has it."""
    key = next((key for key, value in values.items() if value == report.result), "")
    result = f"{{{{{key}}}}}" if key and report.result else quoted(report.result)
    return f"{quoted(report.subtask, _LONGEST_REPORTED)} in {report.application}: {report.status}, {result}"


def _applications(part: ApplicationsPart, around: _Around) -> str:
    """List what can be started: in full at first, later what has been used or is open, the others by id only."""
    agents = [f"agent {name}" for name in part.agents]
    if not around.steps or len(part.applications) <= _FEW_APPLICATIONS:
        rows = _first([_application(a) for a in part.applications], _MOST_APPLICATIONS)
        return screen_data("Applications", [*rows, *agents])
    near = around.applications | {window.app for window in around.windows}
    rows = [_application(a) for a in part.applications if {a.id, a.name} & near]
    others = [a.id for a in part.applications if not {a.id, a.name} & near]
    if others:
        rows.append(f"others, by id: {', '.join(_first(others, _MOST_APPLICATIONS))}")
    return screen_data("Applications", [*rows, *agents])


def _application(a: Application) -> str:
    kind = f" ({a.generic_name})" if a.generic_name else ""
    return f"{a.id}: {cut(a.name)}{kind}"


def _first(rows: Sequence[str], most: int) -> list[str]:
    more = len(rows) - most
    return [*rows[:most], f"... {more} more"] if more > 0 else list(rows)


def _latest(rows: Sequence[str], most: int) -> list[str]:
    more = len(rows) - most
    return [f"... {more} more before", *rows[-most:]] if more > 0 else list(rows)
