from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from deskhand.core.errors import JournalError
from deskhand.core.event import BlackboardSet, Noted, RoundStarted, Scope, SessionStarted
from deskhand.core.geometry import Size
from deskhand.core.observation import Image
from deskhand.core.secret import Secrets
from deskhand.core.status import RunningMode
from deskhand.journal.file import EVENTS, FileJournal, read_records
from deskhand.journal.view import View

SCOPE = Scope(agent="HostAgent", round=1, step=1)


def test_records_are_numbered_without_gaps_across_openings(tmp_path: Path) -> None:
    for text in ("one", "two", "three"):
        journal = FileJournal(tmp_path)
        journal.append(Noted(text=text), SCOPE)
        journal.close()

    records = list(read_records(tmp_path))
    assert [r.seq for r in records] == [1, 2, 3]
    assert [r.event for r in records] == [Noted(text=t) for t in ("one", "two", "three")]


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_torn_last_line_is_cut_off(tmp_path: Path, cut: int) -> None:
    journal = FileJournal(tmp_path)
    journal.append(Noted(text="kept"), SCOPE)
    journal.append(Noted(text="torn é 你"), SCOPE)
    journal.close()
    path = tmp_path / EVENTS
    path.write_bytes(path.read_bytes()[:-cut])

    assert len(list(read_records(tmp_path))) == 1
    journal = FileJournal(tmp_path)
    assert journal.append(Noted(text="next"), SCOPE).seq == 2
    assert [r.event for r in journal.records()] == [Noted(text="kept"), Noted(text="next")]
    journal.close()


def test_a_record_survives_any_text(tmp_path: Path) -> None:
    text = 'line\nbreak\u2028 "quotes" \\ 😀 naïve\x00'
    journal = FileJournal(tmp_path)
    journal.append(Noted(text=text), SCOPE)

    assert next(iter(journal.records())).event == Noted(text=text)
    journal.close()


def test_two_processes_cannot_write_one_journal(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path)

    with pytest.raises(JournalError, match="being written by another deskhand"):
        FileJournal(tmp_path)
    journal.close()


def test_only_the_user_can_read_a_run(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    journal = FileJournal(folder)
    journal.append(Noted(text="x"), SCOPE)
    blob = folder / "blobs" / journal.keep(b"picture")
    journal.close()

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / EVENTS).stat().st_mode) == 0o600
    assert stat.S_IMODE(blob.stat().st_mode) == 0o600


def test_a_full_disk_is_one_clear_error_and_leaves_no_half_record(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path)
    journal.append(Noted(text="kept"), SCOPE)
    limit = (tmp_path / EVENTS).stat().st_size + 50
    import resource
    import signal

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        with pytest.raises(JournalError, match=r"cannot be written .*; free space"):
            journal.append(Noted(text="x" * 500), SCOPE)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, old)
    journal.append(Noted(text="after"), SCOPE)
    assert [r.event for r in journal.records()] == [Noted(text="kept"), Noted(text="after")]
    journal.close()


@pytest.mark.parametrize("content", [None, "not json\n", '{"seq": 1}\n'])
def test_a_folder_that_is_no_run_says_so(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / EVENTS).write_text(content)

    with pytest.raises(JournalError):
        list(read_records(tmp_path))


def test_missing_records_are_noticed(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path)
    for text in "abc":
        journal.append(Noted(text=text), SCOPE)
    journal.close()
    lines = (tmp_path / EVENTS).read_text().splitlines(keepends=True)
    (tmp_path / EVENTS).write_text(lines[0] + lines[2])

    with pytest.raises(JournalError, match="records are missing"):
        list(read_records(tmp_path))


def test_blobs_are_kept_once_and_found_again(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path)
    sha256 = journal.keep(b"\x89PNG")

    assert journal.keep(b"\x89PNG") == sha256
    assert journal.read(Image(sha256=sha256, size=Size(1, 1))) == b"\x89PNG"
    with pytest.raises(JournalError, match="cannot be read"):
        journal.read(Image(sha256="0" * 64, size=Size(1, 1)))
    journal.close()


def test_secrets_are_masked_in_every_spelling_and_words_of_ours_stay(tmp_path: Path) -> None:
    value = 'S3cr3t-Ω!"x'
    secrets = Secrets({"pw": value, "odd": "blackboard", "agent": "native"})
    journal = FileJournal(tmp_path, secrets=secrets)
    spelled = [value, json.dumps(value), "S3cr3t-%CE%A9%21%22x"]
    record = journal.append(BlackboardSet(key="k", value=" ".join(spelled)), SCOPE)
    started = SessionStarted(
        version="1", device="d", models={}, mode=RunningMode.REQUEST, agent="native", request="native"
    )
    again = journal.append(started, SCOPE).event
    journal.keep(json.dumps({"text": value}).encode())
    journal.close()

    assert isinstance(record.event, BlackboardSet)
    assert record.event.value.count("{{secret:pw}}") == 3
    everything = b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
    assert value.encode() not in everything
    assert b"S3cr3t" not in everything
    assert next(iter(read_records(tmp_path))).event.kind == "blackboard"
    assert again == started.model_copy(update={"request": "{{secret:agent}}"})


def test_the_view_keeps_the_latest_of_a_blackboard_key_and_the_journal_all(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path)
    journal.append(RoundStarted(request="x"), SCOPE)
    for value in ("old", "new"):
        journal.append(BlackboardSet(key="k", value=value), SCOPE)
    view = View.of(journal.records())

    assert (view.blackboard["k"].value, view.blackboard["k"].writer) == ("new", "HostAgent")
    assert "old" in (tmp_path / EVENTS).read_text()
    journal.close()
