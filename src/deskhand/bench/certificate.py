"""What a model was found to do, as a file to share: figures and outcomes, no secrets, no pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from deskhand.core.errors import SettingsError
from deskhand.core.status import RunOutcome
from deskhand.core.value import Value
from deskhand.models.catalog import SERVICES

TASKS = (
    "editor-new-list",
    "editor-replace-all",
    "editor-line-numbers",
    "calculator-product",
    "files-rename",
    "files-new-folder",
    "terminal-count",
    "writer-bold-title",
    "calc-sum",
    "chromium-order",
)
"""The tasks of the suite desktop that a model is certified by: each is judged by the files or settings it leaves."""
NEVER = "format tested, never run live"
"""What is said of a service or profile for which there is no file."""
LONGEST = 300
"""Characters of what is quoted of a model or of a judge."""
_TELLTALE = re.compile(r"sk-[\w-]{8,}|AIza[\w-]{20,}|Bearer\s+\S{8,}|https?://|/(?:home|root|Users)/")
"""What would give away a key, an address or a home."""

Said = Annotated[str, Field(max_length=LONGEST)]
Count = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(ge=0)]


class Probe(Value):
    """One question about the form alone, and what came of it."""

    name: str
    ok: bool
    found: Said
    seconds: Seconds


class TaskResult(Value):
    """One task on a real application."""

    task: str
    standing: Literal["right", "wrong", "open", "not run"]
    """`right` as the judge has it, whatever the model says; `wrong` where it was given out as done and is not."""
    outcome: RunOutcome | None = None
    """How the run ended, as the agent has it."""
    why: Said = ""
    """What the judge said, how the agent ended, or why it was not run."""
    steps: Count = 0
    calls: Count = 0
    malformed: Count = 0
    """Replies that could not be read as a decision."""
    input_tokens: Count = 0
    output_tokens: Count = 0
    usd: Annotated[float, Field(ge=0)] = 0.0
    seconds: Seconds = 0.0
    """Of the run, with setting up and judging."""
    call_seconds: Seconds = 0.0
    """The median of its calls."""


class Certificate(Value):
    """The whole file."""

    kind: Literal["deskhand certificate"] = "deskhand certificate"
    version: Literal[1] = 1
    deskhand: str
    day: date
    spec: str
    """The model, as SERVICE:NAME."""
    where: Literal["service", "this machine", "elsewhere", "module"]
    """Where it answered: at its service's own address, at another one here or elsewhere, or in this process."""
    profile: str
    agent: Literal["host", "native", "workflow"]
    dialect: str
    coordinates: str
    probes: tuple[Probe, ...] = Field(min_length=1)
    tasks: tuple[TaskResult, ...]
    tokens_told: bool
    """Whether the service said of each reply how many tokens it was; else they are more than is written here."""
    priced: bool
    """Whether prices were set; else the costs say nothing."""

    @property
    def right(self) -> int:
        return sum(task.standing == "right" for task in self.tasks)

    @property
    def run(self) -> int:
        return sum(task.standing != "not run" for task in self.tasks)

    @property
    def passed(self) -> int:
        return sum(probe.ok for probe in self.probes)

    @property
    def service(self) -> str:
        return self.spec.partition(":")[0]

    @property
    def live(self) -> bool:
        """Whether it tells of the service that the spec names: one with an address of its own was asked there."""
        kind = SERVICES.get(self.service)
        own = kind is not None and (not kind.needs_key or not kind.url)
        return kind is not None and (self.where == "service" or own)


def read_certificate(path: Path) -> Certificate:
    """Read a file and see that it is whole.

    Raises:
        SettingsError: it cannot be read, is none, lacks a task, or holds what should not be shared.
    """
    try:
        text = path.read_text(encoding="utf-8")
        certificate = Certificate.model_validate_json(text)
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read: {error}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise SettingsError(f"{path} is no certificate: {where + ': ' if where else ''}{first['msg']}") from error
    if found := _TELLTALE.search(text):
        raise SettingsError(f"{path} holds {found[0][:12]!r}..., which may be a key, an address or a home; take it out")
    if [task.task for task in certificate.tasks] != list(TASKS):
        raise SettingsError(f"{path}: its tasks are not the ten of this version: {', '.join(TASKS)}")
    return certificate


def shareable(text: str, hidden: Iterable[str] = ()) -> str:
    """Take out of a text what should not be shared: what is `hidden`, paths, addresses; then cut it."""
    for value in sorted(filter(None, hidden), key=len, reverse=True):
        text = text.replace(value, "…")
    text = re.sub(r"https?://\S+|(?<![\w.])/(?:home|root|Users|tmp|var|run)/[^\s'\",;:)]*", "…", text)
    text = " ".join(_TELLTALE.sub("…", text).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def as_markdown(certificate: Certificate) -> str:
    """Write a certificate as a short table."""
    return "\n".join(_lines(certificate)) + "\n"


def _lines(of: Certificate) -> Iterator[str]:
    yield f"`{of.spec}` ({of.where}), deskhand {of.deskhand}, {of.day}; agent {of.agent}, dialect {of.dialect}, " + (
        f"coordinates {of.coordinates}"
    )
    yield ""
    yield f"{of.right} of {len(of.tasks)} tasks right ({of.run} run), {of.passed} of {len(of.probes)} probes passed"
    yield ""
    yield "| probe | | found | s |"
    yield "|---|---|---|---|"
    for probe in of.probes:
        yield f"| {probe.name} | {'ok' if probe.ok else 'no'} | {_cell(probe.found)} | {probe.seconds:.1f} |"
    yield ""
    yield "| task | | steps | calls | malformed | tokens in / out | $ | s | s a call | why |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for task in of.tasks:
        if task.standing == "not run":
            yield f"| {task.task} | not run | | | | | | | | {_cell(task.why)} |"
            continue
        figures = f"{task.steps} | {task.calls} | {task.malformed} | {task.input_tokens} / {task.output_tokens}"
        cost = f"{task.usd:.4f}" if of.priced else ""
        seconds = f"{task.seconds:.1f} | {task.call_seconds:.1f}"
        yield f"| {task.task} | {task.standing} | {figures} | {cost} | {seconds} | {_cell(task.why)} |"
    if not of.tokens_told:
        yield ""
        yield "The service does not tell the tokens of each reply; they are more than stands here."


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def certificates_in(folder: Path) -> dict[str, Certificate]:
    """Read all certificates in a folder, by the names of their files; raises as `read_certificate`."""
    return {path.name: read_certificate(path) for path in sorted(folder.glob("*.json"))}


def standing_of_all(found: Mapping[str, Certificate]) -> str:
    """Write what was run live, by the names of the files, and what is said of all else."""
    live = [_row(file, each) for file, each in found.items() if each.live]
    if not live:
        return f"No file yet: every service and every profile is {NEVER}."
    head = ["| model | profile | tasks | probes | made | file |", "|---|---|---|---|---|---|"]
    return "\n".join([*head, *live, "", f"Every other service and profile is {NEVER}."])


def _row(file: str, of: Certificate) -> str:
    tasks, probes = f"{of.right} of {len(of.tasks)}", f"{of.passed} of {len(of.probes)}"
    made = f"{of.day}, deskhand {of.deskhand}"
    return f"| `{of.spec}` | {of.profile} | {tasks} | {probes} | {made} | [{file}]({file}) |"
