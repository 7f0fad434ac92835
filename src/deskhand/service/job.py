"""One request that arrived, and how it stands: a fold of its journal."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import anyio
from pydantic import ValidationError

from deskhand.core.errors import JournalError
from deskhand.core.event import Record, SessionEnded
from deskhand.core.plan import Plan
from deskhand.core.status import RunOutcome
from deskhand.core.value import Value
from deskhand.journal.file import last_record, read_records
from deskhand.journal.view import View
from deskhand.service.user import RemoteUser
from deskhand.session.session import BaseSession, SessionResult

State = Literal["queued", "running", "waiting", "paused", "ended", "interrupted", "cancelled"]
"""`waiting` is a running one whose question is open, `paused` one that a person holds; `cancelled` one that a person
ended, `interrupted` one that something else cut off."""
ASKED = "job.json"
RUN = "run"
_ID = re.compile(r"\d{8}-\d{6}-[0-9a-f]{8}")


class Asked(Value):
    """What was asked for, as it is kept in the job's folder until there is a journal, and beside it."""

    request: str = ""
    plan: Plan | None = None
    device: str
    cancelled: bool = False
    """Whether a person ended it before it came to its end."""
    trouble: str = ""
    """Why it could not be begun."""

    @property
    def task(self) -> str | Plan:
        return self.plan or self.request


class Job:
    """A job in `folder`; what it came to is read off its journal, whoever wrote that."""

    def __init__(self, folder: Path, asked: Asked) -> None:
        self.folder = folder
        self.asked = asked
        self.user = RemoteUser(self.changed)
        self.scope: anyio.CancelScope | None = None
        """Cancels it while it runs."""
        self.resumed = False
        """Whether it waits for being taken up again."""
        self.session: BaseSession | None = None
        """Its session, while it runs."""
        self._last: Record | None = None
        self._news = anyio.Event()

    @classmethod
    def new(cls, folder: Path, asked: Asked) -> Job:
        """Make a job with a folder of its own in `folder`.

        Raises:
            OSError: it cannot be written.
        """
        job = cls(folder / f"{datetime.now():%Y%m%d-%H%M%S}-{secrets.token_hex(4)}", asked)
        job.folder.mkdir(mode=0o700)
        job.keep(asked)
        return job

    @classmethod
    def known(cls, folder: Path) -> Job | None:
        """Give the job of an earlier start that is in a folder; None where there is none."""
        try:
            asked = Asked.model_validate_json((folder / ASKED).read_bytes())
        except (OSError, ValidationError):
            return None
        return cls(folder, asked) if _ID.fullmatch(folder.name) else None

    @property
    def id(self) -> str:
        return self.folder.name

    @property
    def run_dir(self) -> Path:
        return self.folder / RUN

    def keep(self, asked: Asked) -> None:
        """Write down what is asked for; raises as `new`."""
        draft = self.folder / f"{ASKED}.part"
        draft.touch(mode=0o600)
        draft.write_text(asked.model_dump_json(), encoding="utf-8")
        draft.replace(self.folder / ASKED)
        self.asked = asked
        self.changed()

    @property
    def state(self) -> State:
        if self.scope is not None:
            paused = self.session is not None and self.session.is_paused
            return "waiting" if self.user.question else "paused" if paused else "running"
        if self.asked.cancelled:
            return "cancelled"
        if self.asked.trouble:
            return "ended"
        if self.resumed or self.last is None:
            return "queued"
        return "interrupted" if self.can_go_on else "ended"

    @property
    def last(self) -> Record | None:
        """The last record of its journal, while it does not run."""
        if self._last is None:
            with suppress(JournalError):
                self._last = last_record(self.run_dir)
        return self._last

    @property
    def can_go_on(self) -> bool:
        """Whether it was begun and cut off."""
        if self.scope is not None or self.last is None:
            return False
        event = self.last.event
        return not isinstance(event, SessionEnded) or event.outcome is RunOutcome.INTERRUPTED

    def begins(self, scope: anyio.CancelScope) -> None:
        self.scope, self.session, self.resumed = scope, None, False
        self.changed()

    def rests(self) -> None:
        """Take note that it no longer runs."""
        self.scope, self.session, self._last = None, None, None
        self.changed()

    def hold(self, *, on: bool) -> bool:
        """Hold its session, or let it go on; say whether one runs."""
        if self.session is None:
            return False
        (self.session.pause if on else self.session.unpause)()
        self.changed()
        return True

    def view(self) -> View:
        """Give what its journal says by now.

        Raises:
            JournalError: it cannot be read.
        """
        if self.session is not None:
            return self.session.context.view
        return View() if self.last is None else View.of(read_records(self.run_dir))

    def in_brief(self) -> dict[str, Any]:
        """Say how it stands."""
        state = self.state
        question = {"kind": self.user.kind, "text": self.user.question} if state == "waiting" else None
        asked = self.asked.model_dump(mode="json", include={"request", "plan", "device"})
        return {"id": self.id, **asked, "state": state, "question": question, "run_dir": str(self.run_dir)}

    def described(self) -> dict[str, Any]:
        """Say how it stands, with what it came to; raises as `view`."""
        brief = self.in_brief()
        return {**brief, "result": self._result() if self.is_over() else None}

    def _result(self) -> dict[str, Any]:
        view = self.view()
        result = SessionResult.of(view, view.last_time - view.start_time)
        if self.asked.trouble:
            result = result.model_copy(update={"outcome": RunOutcome.ERROR, "answer": self.asked.trouble})
        return result.model_dump(mode="json")

    def heard(self, record: Record) -> None:
        """Listen to its session."""
        self.changed()

    def changed(self) -> None:
        """Wake who waits for news."""
        news, self._news = self._news, anyio.Event()
        news.set()

    @property
    def news(self) -> Callable[[], Any]:
        """Give what waits for whatever is new from now on."""
        return self._news.wait

    def is_over(self) -> bool:
        """Whether no more records will come, unless it is resumed."""
        return self.state in ("ended", "interrupted", "cancelled")
