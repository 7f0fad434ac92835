"""How many runs stay on disk is the user's to say (R085)."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from deskhand.core.event import Noted, Scope, SessionEnded
from deskhand.core.status import RunOutcome
from deskhand.journal.file import FileJournal
from deskhand.journal.retention import remove_old_runs


def run_of(runs: Path, second: int, *, ended: bool = True) -> Path:
    folder = runs / f"20260101-0000{second:02}-a-run"
    with closing(FileJournal(folder)) as journal:
        journal.keep(b"a picture")
        last = SessionEnded(outcome=RunOutcome.FINISHED) if ended else Noted(text="under way")
        journal.append(last, Scope())
    return folder


def left(runs: Path) -> list[str]:
    return sorted(entry.name for entry in runs.iterdir())


def test_r085_the_latest_ended_runs_stay_and_what_is_no_ended_run_is_never_touched(tmp_path: Path) -> None:
    cut_off = run_of(tmp_path, 1, ended=False)
    in_use = run_of(tmp_path, 2)
    old, kept, newest = (run_of(tmp_path, second) for second in (3, 4, 5))
    (tmp_path / "20260101-000000-holiday-pictures").mkdir()
    (tmp_path / ".removed-20260101-000000-half").mkdir()

    with closing(FileJournal(in_use)):
        remove_old_runs(tmp_path, 2)
    expected = [folder.name for folder in (cut_off, in_use, kept, newest)]
    assert left(tmp_path) == ["20260101-000000-holiday-pictures", *expected]
    assert not old.exists()

    remove_old_runs(tmp_path / "not there", 2)
    remove_old_runs(tmp_path, 0)
    assert left(tmp_path) == ["20260101-000000-holiday-pictures", cut_off.name]
