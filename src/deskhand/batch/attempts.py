"""The same request several times, each on a desktop that is thrown away, and a judge that says which one counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from pydantic import ValidationError

from deskhand.batch.batch import Batch
from deskhand.batch.job import Job, last_attempt
from deskhand.core.errors import JournalError, SettingsError
from deskhand.core.event import Record
from deskhand.core.observation import Image
from deskhand.core.plan import Plan
from deskhand.core.ports import User
from deskhand.core.status import RunningMode, RunOutcome
from deskhand.devices.linux.spec import parse_linux
from deskhand.dialects.choosing import ChoiceReply
from deskhand.dialects.json_reply import JsonReply
from deskhand.journal.ending import last_seen
from deskhand.journal.file import EVENTS, FileJournal, read_blob, read_records
from deskhand.journal.view import View
from deskhand.journal.writing import json_of
from deskhand.models.choice import BUILT_IN
from deskhand.models.factory import opened
from deskhand.processors.context import Context, Listener
from deskhand.session.attempts import Chosen, Contender, choose
from deskhand.session.nobody import NobodyThere
from deskhand.settings import Settings
from deskhand.wiring import Wiring

MOST = 16
CHOSEN, JUDGING = "chosen.json", "judging"
"""The file that says which one counts, written last, and the folder of the judge's journal."""


@dataclass
class Attempts:
    """`number` attempts at a task, in `folder`.

    Limits of money, tokens and time and the models' budgets hold for all together: each attempt gets an equal share of
    them, and the judge what they leave. Run again after it was cut off, it goes on where it was.
    """

    task: str | Plan
    number: int
    folder: Path
    settings: Settings
    user: User = field(default_factory=NobodyThere)
    listeners: Callable[[Job], list[Listener]] = lambda _job: []
    chosen: Chosen | None = None
    _batch: Batch = field(init=False)

    def __post_init__(self) -> None:
        """Check what can be before anything is begun.

        Raises:
            SettingsError: what an attempt does would stay, nobody could judge, or there is nothing to choose from.
        """
        if not 2 <= self.number <= MOST:
            raise SettingsError(f"--attempts {self.number}: from 2 to {MOST}")
        _check_thrown_away(self.settings.device)
        _check_mode(self.settings.running_mode, self.task)
        if Wiring(self.settings, NobodyThere(), ()).specs["evaluator"] == BUILT_IN:
            raise SettingsError(
                f"several attempts need a model that can judge, and {BUILT_IN} is none: "
                "name one with -c models.evaluator.model=SERVICE:NAME"
            )
        said = self.task if isinstance(self.task, str) else self.task.model_dump_json()
        self._batch = Batch(
            [Job(f"attempt-{number}", self.task) for number in range(1, self.number + 1)],
            self.folder,
            self.settings,
            f"{self.number} attempts on {self.settings.device}: {said}",
            user=self.user,
            listeners=self.listeners,
        )

    @property
    def request(self) -> str:
        if isinstance(self.task, str):
            return self.task
        return "\n".join([self.task.task, *(f"- {step}" for step in self.task.steps)])

    async def run(self, at_a_time: int = 1) -> Chosen | None:
        """Make all attempts, so many `at_a_time`, and choose; None where not one has come up.

        Raises:
            SettingsError: the folder is something else's, or a process works in it.
            JournalError: a folder cannot be read or written.
        """
        self._batch.settings = self.settings.shared(self.number, at_a_time)
        await self._batch.run(at_a_time)
        contenders = self.contenders()
        if not contenders:
            return None
        self.chosen = self._before(contenders) or await self._choose(contenders)
        return self.chosen

    def contenders(self) -> list[Contender]:
        """Give the attempts that there are by now."""
        found = []
        for number, job in enumerate(self._batch.jobs, 1):
            if (last := last_attempt(job, self.folder)) is not None:
                found.append(Contender(number, last.outcome, last.view, *_end(last.run_dir)))
        return found

    def run_dir(self, number: int) -> Path | None:
        last = last_attempt(self._batch.jobs[number - 1], self.folder)
        return last.run_dir if last is not None else None

    def troubles(self) -> list[str]:
        """Say of those that have not come up, or broke, what the matter was."""
        return [each.answer or "" for each in self._batch.reports() if each.outcome is RunOutcome.ERROR]

    def records(self) -> Iterator[Record]:
        """Give the records of all attempts and of the judge."""
        folders = [folder for number in range(1, self.number + 1) if (folder := self.run_dir(number)) is not None]
        judging = self.folder / JUDGING
        folders += [judging] if (judging / EVENTS).is_file() else []
        return chain.from_iterable(map(read_records, folders))

    def _before(self, contenders: Sequence[Contender]) -> Chosen | None:
        """Give what was chosen before, where nothing has changed since."""
        try:
            chosen = Chosen.model_validate_json((self.folder / CHOSEN).read_bytes())
        except (FileNotFoundError, ValidationError):
            return None
        return chosen if chosen.outcomes == tuple(each.outcome for each in contenders) else None

    async def _choose(self, contenders: Sequence[Contender]) -> Chosen:
        wiring = Wiring(self.settings, NobodyThere(), (), records := list(self.records()))
        prompts = wiring.prompts.at(wiring.judging.prompts or self.settings.prompts)
        with closing(FileJournal(self.folder / JUDGING, secrets=wiring.secrets)) as journal:
            async with opened([wiring.models["evaluator"]]):
                context = Context(
                    journal=journal,
                    view=_spent(records),
                    user=NobodyThere(),
                    models=wiring.models,
                    dialect=JsonReply(),
                    limits=self.settings.limits,
                )
                chosen = await choose(self.request, contenders, context, ChoiceReply(prompts))
        self._keep(chosen)
        return chosen

    def _keep(self, chosen: Chosen) -> None:
        path = self.folder / CHOSEN
        draft = path.with_suffix(".part")
        try:
            draft.write_text(json_of(chosen), encoding="utf-8")
            draft.replace(path)
        except OSError as error:
            raise JournalError(f"{path} cannot be written ({error.strerror}); free space, then go on") from error


def _check_thrown_away(device: str) -> None:
    """See that what an attempt does to its device ends with it.

    Raises:
        SettingsError: it does not; only a virtual desktop is thrown away.
    """
    if device.partition(":")[0] != "linux" or not parse_linux(device).virtual:
        raise SettingsError(
            f"{device}: what several attempts do there would all stay; --attempts needs a desktop for each that is "
            "thrown away: --device linux:virtual"
        )


def _check_mode(mode: RunningMode | None, task: str | Plan) -> None:
    """See that each attempt is a session of its own, with an end.

    Raises:
        SettingsError: it is not.
    """
    fitting = (RunningMode.FOLLOWER,) if isinstance(task, Plan) else (RunningMode.REQUEST, RunningMode.OPERATOR)
    if mode not in (None, *fitting):
        raise SettingsError(f"--attempts is for one request or plan; the mode {mode} does not go with it")


def _spent(records: Sequence[Record]) -> View:
    """Give a view that knows what was spent, and nothing of rounds and steps, which are each attempt's own."""
    of_all = View.of(records)
    return View(usd=of_all.usd, tokens=of_all.tokens)


def _end(run_dir: Path) -> tuple[bytes | None, Image | None]:
    """Give the last picture of a run, and what is known of it."""
    last = last_seen(read_records(run_dir))
    return (read_blob(run_dir, last.sha256), last) if last is not None else (None, None)
