"""Trying a model out, from single questions to ten tasks on real applications; what is over is not done again."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, ValidationError

from deskhand import __version__
from deskhand.bench.attempt import RESULT, Attempt, Case
from deskhand.bench.bench import Bench
from deskhand.bench.certificate import TASKS, Certificate, Probe, TaskResult, as_markdown, shareable
from deskhand.bench.desktop.suite import DesktopSuite
from deskhand.bench.probes import Probes, Speaker
from deskhand.bench.replies import Replies, replies_in
from deskhand.bench.trial import Finding, Trial
from deskhand.bench.trying import RUN
from deskhand.core.errors import JournalError, LimitReached, SettingsError
from deskhand.core.family import family_of
from deskhand.core.message import Role, Usage
from deskhand.core.status import RunOutcome
from deskhand.core.value import Value
from deskhand.journal.ending import last_seen
from deskhand.journal.file import EVENTS, read_blob, read_records
from deskhand.journal.folder import claimed
from deskhand.journal.view import View
from deskhand.models.catalog import SERVICES
from deskhand.models.choice import points_of
from deskhand.models.factory import opened, url_of
from deskhand.models.options import ModelSettings
from deskhand.models.spending import Account
from deskhand.session.nobody import NobodyThere
from deskhand.settings import Settings
from deskhand.wiring import Wiring

MARK, STATE, RESULTS = "certify.json", "state.json", "certificate"
PICTURES = "pictures"
PATIENCE = 600.0
"""Seconds for each task, unless limits.seconds is set: a model that somebody runs at home is slow."""
NOT_ASKED = "not asked for"


class _State(Value):
    """What is known of a certification beyond its tasks' folders."""

    probes: dict[str, Probe] = Field(default_factory=dict)
    used: Usage = Usage()
    """By the probes, and by runs that were cut off and whose folders are gone."""
    told: bool = True


@dataclass
class Certification:
    """Certifies the model of `settings`, which is that of every role, in `folder`."""

    settings: Settings
    folder: Path
    tasks: Sequence[str] = TASKS
    hidden: tuple[str, ...] = ()
    """What must not be in the result, such as the key."""
    pictures: bool = False
    """Whether pictures of the tasks' ends are put beside the result."""
    tell: Callable[[Probe | TaskResult], None] = lambda _one: None
    limit: str = ""
    """Which limit kept it from doing all."""
    _state: _State = field(default_factory=_State)
    _questions: tuple[str, ...] = ()

    @property
    def options(self) -> ModelSettings:
        return self.settings.models["default"]

    async def run(self) -> Certificate:
        """Ask and try all that is not over; write the result.

        Raises:
            SettingsError: the settings are wrong, or the folder is something else's.
            JournalError: a result cannot be written or read.
        """
        wiring = Wiring(self.settings, NobodyThere(), ())
        suite = DesktopSuite(self.settings)
        self._questions = tuple(name for name, _ in self._asking(wiring)[1].all)
        with claimed(self.folder / MARK, {"of": self.options.model, "url": url_of(self.options)}, "certification"):
            self._state = self._kept()
            try:
                hindrance = "" if await self._probed() else "the model does not answer"
            except LimitReached as error:
                hindrance = self.limit = str(error)
            results = [await self._task(name, suite, hindrance) for name in TASKS]
            certificate = self._certificate(wiring, results)
            self._write(certificate)
        return certificate

    async def _probed(self) -> bool:
        """Ask what was not asked before; say whether the model answers at all.

        Raises:
            LimitReached: what may be spent was spent.
        """
        wiring = Wiring(self._left(), NobodyThere(), ())
        trial, probes = self._asking(wiring)
        before, first = self._state.used, self._questions[0]
        async with opened(wiring.models.values()):
            for name, attempt in probes.all:
                known = self._state.probes.get(name)
                if known is None or (name == first and not known.ok):
                    self._left()
                    self._take(await probes.ask(name, attempt), before + trial.used)
                self.tell(self._state.probes[name])
                if not self._state.probes[first].ok:
                    return False
        return True

    def _asking(self, wiring: Wiring) -> tuple[Trial, Probes]:
        """Give what asks the questions of a model that acts as the wiring has it."""
        role = _acting(wiring)
        trial = Trial(wiring.models[role], self.options)
        return trial, Probes(trial, Speaker(role, wiring.dialects[role], points_of(self.options)))

    def _take(self, finding: Finding, used: Usage) -> None:
        found = shareable(finding.found, self._hidden)
        probe = Probe(name=finding.name, ok=finding.ok, found=found, seconds=finding.seconds)
        probes = {**self._state.probes, finding.name: probe}
        self._keep(self._state.model_copy(update={"probes": probes, "used": used}))

    async def _task(self, name: str, suite: DesktopSuite, hindrance: str) -> TaskResult:
        """Carry a task out, unless that is over, not wanted, or cannot be; say so."""
        case = Case(name, 0)
        over = (self.folder / "tasks" / case.folder / RESULT).is_file()
        why = NOT_ASKED if name not in self.tasks else suite.skipped.get(name, hindrance)
        result = _not_run(name, shareable(why, self._hidden)) if why and not over else await self._tried(case, suite)
        if name in self.tasks:
            self.tell(result)
        return result

    async def _tried(self, case: Case, suite: DesktopSuite) -> TaskResult:
        """Carry a task out; one that is over is only read."""
        over = (self.folder / "tasks" / case.folder / RESULT).is_file()
        try:
            settings = self.settings if over else self._left(case)
        except LimitReached as error:
            self.limit = str(error)
            return _not_run(case.task, shareable(self.limit, self._hidden))
        bench = Bench(suite, [case], self.folder / "tasks", settings)
        await bench.run()
        self._over(case, bench.attempts[case])
        return self._result(bench.attempts[case])

    def _over(self, case: Case, attempt: Attempt) -> None:
        """See what ended a task: one that was cut short by what may be spent in all is not over."""
        if attempt.outcome is not RunOutcome.LIMIT:
            return
        try:
            self._left()
        except LimitReached as error:
            self.limit = str(error)
            (self.folder / "tasks" / case.folder / RESULT).unlink(missing_ok=True)

    def _left(self, next_one: Case | None = None) -> Settings:
        """Give the settings with limits and budgets less what was spent; what a run that is to be redone took counts.

        Raises:
            LimitReached: nothing is left.
        """
        if next_one is not None:
            half = self._replies(self.folder / "tasks" / next_one.folder)
            used = self._state.used + half.usage
            self._keep(self._state.model_copy(update={"used": used, "told": self._state.told and half.told}))
        used = self._used(except_for=next_one)
        tokens = used.input_tokens + used.output_tokens
        limits, options = self.settings.limits, self.options
        limits.check_step(View(usd=used.usd, tokens=tokens))
        Account(options.model, options, tokens=tokens, usd=used.usd).check("models.default")
        less = {"usd": max(0.0, limits.usd - used.usd), "tokens": limits.tokens and limits.tokens - tokens}
        own = {"budget_usd": options.budget_usd and options.budget_usd - used.usd}
        own |= {"budget_tokens": options.budget_tokens and options.budget_tokens - tokens}
        models = {"default": options.model_copy(update={key: value for key, value in own.items() if value})}
        return self.settings.model_copy(update={"limits": limits.model_copy(update=less), "models": models})

    def _used(self, except_for: Case | None = None) -> Usage:
        used = self._state.used
        for case in (Case(name, 0) for name in TASKS):
            if case != except_for:
                used += self._replies(self.folder / "tasks" / case.folder).usage
        return used

    def _replies(self, attempt: Path) -> Replies:
        run_dir = attempt / RUN
        return replies_in(read_records(run_dir)) if (run_dir / EVENTS).is_file() else Replies()

    def _result(self, attempt: Attempt) -> TaskResult:
        replies = self._replies(self.folder / "tasks" / Case(attempt.task, 0).folder)
        why = "; ".join(filter(None, (attempt.reason, "" if attempt.success else attempt.answer)))
        return TaskResult(
            task=attempt.task,
            standing=attempt.standing,
            outcome=attempt.outcome,
            why=shareable(why, self._hidden),
            steps=attempt.steps,
            calls=replies.calls,
            malformed=replies.malformed,
            input_tokens=replies.usage.input_tokens,
            output_tokens=replies.usage.output_tokens,
            usd=round(replies.usage.usd, 6),
            seconds=round(attempt.seconds, 1),
            call_seconds=replies.call_seconds,
        )

    def _certificate(self, wiring: Wiring, results: Sequence[TaskResult]) -> Certificate:
        options = self.options
        told = self._state.told and all(
            self._replies(self.folder / "tasks" / Case(result.task, 0).folder).told for result in results
        )
        return Certificate(
            deskhand=__version__,
            day=datetime.now(UTC).date(),
            spec=options.model,
            where=where(options),
            profile=family_of(options.model).name,
            agent=wiring.agent,
            dialect=wiring.dialects[_acting(wiring)].name,
            coordinates=points_of(options).coordinates,
            probes=tuple(self._state.probes.get(name, _not_asked(name)) for name in self._questions),
            tasks=tuple(results),
            tokens_told=told,
            priced=bool(options.prices.input or options.prices.output),
        )

    @property
    def _hidden(self) -> tuple[str, ...]:
        url = url_of(self.options)
        kept = SERVICES[self.options.model.partition(":")[0]].url if where(self.options) == "service" else ""
        place = (url, self.options.base_url, urlsplit(url).netloc) if not kept else (url,)
        return (*self.hidden, *self.settings.secrets.values(), *place, str(self.folder))

    def _kept(self) -> _State:
        path = self.folder / STATE
        try:
            return _State.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            return _State()
        except (OSError, ValidationError) as error:
            raise JournalError(f"{path} cannot be read; remove {self.folder} to begin anew") from error

    def _keep(self, state: _State) -> None:
        self._state = state
        _put(self.folder / STATE, state.model_dump_json())

    def _write(self, certificate: Certificate) -> None:
        _put(self.folder / f"{RESULTS}.json", certificate.model_dump_json(indent=1) + "\n")
        _put(self.folder / f"{RESULTS}.md", as_markdown(certificate))
        for task in certificate.tasks if self.pictures else ():
            run_dir = self.folder / "tasks" / Case(task.task, 0).folder / RUN
            if (run_dir / EVENTS).is_file() and (image := last_seen(read_records(run_dir))) is not None:
                (self.folder / PICTURES).mkdir(exist_ok=True)
                ending = image.media_type.partition("/")[2]
                (self.folder / PICTURES / f"{task.task}.{ending}").write_bytes(read_blob(run_dir, image.sha256))


def certified(settings: Settings, options: ModelSettings) -> Settings:
    """Give the settings in which every model is certified, so that results can be compared.

    Of the user's there are the model's options, the desktop, limits, pictures and secrets.

    Raises:
        SettingsError: no model is asked, or what it would answer is recorded.
    """
    if options.replay:
        raise SettingsError("replay: a recording of replies is no live run; leave it out")
    limits = settings.limits
    if "seconds" not in limits.model_fields_set:
        limits = limits.model_copy(update={"seconds": PATIENCE})
    return Settings(
        device=settings.device,
        models={"default": options.model_copy(update={"fallback": ""})},
        limits=limits,
        secrets=settings.secrets,
        pictures=settings.pictures,
        ocr=settings.ocr,
        agent=settings.agent,
        yes=True,  # what a task sets up is there to be used
    )


def where(options: ModelSettings) -> Literal["service", "this machine", "elsewhere", "module"]:
    """Say where a model answers, without saying the address."""
    kind = SERVICES.get(options.model.partition(":")[0])
    if kind is None:
        return "module"
    if kind.url and kind.needs_key and not options.base_url:
        return "service"
    host = urlsplit(url_of(options)).hostname or ""
    with suppress(ValueError):
        return "this machine" if ipaddress.ip_address(host).is_loopback else "elsewhere"
    return "this machine" if host == "localhost" else "elsewhere"


def _acting(wiring: Wiring) -> Role:
    return "app" if wiring.agent == "host" else "planner"


def _not_asked(name: str) -> Probe:
    return Probe(name=name, ok=False, found="not asked", seconds=0.0)


def _not_run(name: str, why: str) -> TaskResult:
    return TaskResult(task=name, standing="not run", why=why)


def _put(path: Path, text: str) -> None:
    """Write a file whole or not at all.

    Raises:
        JournalError: it cannot be written.
    """
    draft = path.with_suffix(".part")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise JournalError(f"{path} cannot be written ({error.strerror}); free space, then go on") from error
