"""`deskhand demo`: two requests on real applications, and a check of what came of them."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path

from deskhand.app import open_session, runs_folder
from deskhand.cli.complaints import FAILED, FINISHED
from deskhand.cli.overrides import settings_of
from deskhand.cli.progress import Progress
from deskhand.cli.report import Report
from deskhand.cli.streams import complain, say
from deskhand.core.event import Snapshot
from deskhand.core.status import RunOutcome
from deskhand.journal.file import read_blob, read_records
from deskhand.journal.folder import run_folder
from deskhand.journal.view import RoundView, View
from deskhand.session.nobody import NobodyThere
from deskhand.settings import Settings

PARAGRAPH = (
    "A naïve façade – 你好 – 😀 hides nothing: every character of this paragraph, "
    "“quotes” and (brackets) included, has to arrive in the file exactly as it stands here."
)
RESULT = "100"


@dataclass(frozen=True)
class Task:
    """A request, and the text that its file holds afterwards."""

    request: str
    file: Path
    content: str

    def trouble(self, round_: RoundView | None) -> str:
        """Say what is wrong with what came of it; "" when nothing is."""
        if round_ is None or round_.outcome is not RunOutcome.FINISHED:
            said = (round_.answer or round_.outcome or "no end") if round_ is not None else "not begun"
            return f"the request did not finish: {said}"
        try:
            written = self.file.read_bytes()
        except OSError as error:
            return f"{self.file} cannot be read: {error.strerror}"
        if written.removesuffix(b"\n") != self.content.encode():
            return f"{self.file} holds {written!r} instead of {self.content.encode()!r}"
        return ""


def tasks(folder: Path) -> tuple[Task, Task]:
    note, total = folder / "note.txt", folder / "total.txt"
    return (
        Task(f'In Mousepad, write "{PARAGRAPH}" and save it as {note}', note, PARAGRAPH),
        Task(
            "Compute 12.5 * 8 in galculator, then write the result into a new text file in Mousepad "
            f"and save it as {total}",
            total,
            RESULT,
        ),
    )


class DemoUser(NobodyThere):
    """Has two requests and no answers."""

    def __init__(self, folder: Path) -> None:
        self._requests = [task.request for task in tasks(folder)]

    async def next_request(self) -> str | None:
        return self._requests.pop(0) if self._requests else None


def main(arguments: Namespace) -> int:
    settings = settings_of(arguments)
    with run_folder("demo", runs_folder(settings), arguments.run_dir, keep=settings.keep_runs) as run_dir:
        return _demo(Report(as_json=arguments.json), settings, run_dir)


def _demo(report: Report, settings: Settings, run_dir: Path) -> int:
    report.watch(lambda report: _work(report, settings, run_dir))
    rounds = View.of(read_records(run_dir)).rounds if report.run_dir is not None else []
    problems = [
        f"check {number}: {trouble}"
        for number, task in enumerate(tasks(run_dir / "files"), 1)
        if (trouble := task.trouble(rounds[number - 1] if number <= len(rounds) else None))
    ]
    _say(report, problems)
    return report.code or (FAILED if problems else FINISHED)


async def _work(report: Report, settings: Settings, run_dir: Path) -> None:
    files = run_dir / "files"
    async with open_session(
        settings=settings, user=DemoUser(files), run_dir=run_dir, listeners=[Progress().show]
    ) as session:
        report.run_dir = session.run_dir
        files.mkdir()
        report.result = await session.run()


def _say(report: Report, problems: list[str]) -> None:
    picture = _final_picture(report.run_dir) if report.run_dir is not None else None
    report.print()
    if not report.as_json:
        for number, task in enumerate(tasks(report.run_dir / "files") if report.run_dir else (), 1):
            if not any(p.startswith(f"check {number}:") for p in problems):
                say(f"check {number}: {task.file.name} holds {json.dumps(task.content, ensure_ascii=False)}")
        if picture is not None:
            say(f"final screen: {picture}")
            say(f"page: {picture.with_name('index.html')}")
    for problem in problems if report.code in (FINISHED, FAILED) else ():
        complain(problem)


def _final_picture(run_dir: Path) -> Path | None:
    shots = [r.event.image for r in read_records(run_dir) if isinstance(r.event, Snapshot)]
    if not shots:
        return None
    path = run_dir / "final.png"
    path.write_bytes(read_blob(run_dir, shots[-1].sha256))
    return path
