"""A journal on disk: `events.jsonl`, one record a line, beside `blobs/<sha256>`."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from time import time

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from deskhand import __version__
from deskhand.core.errors import JournalError
from deskhand.core.event import Event, Record, Scope
from deskhand.core.observation import Image
from deskhand.core.secret import Secrets
from deskhand.journal.masking import masked_json
from deskhand.journal.writing import json_of

EVENTS = "events.jsonl"
BLOBS = "blobs"
_BLOCK = 1 << 16


class FileJournal:
    """Appends to `folder/events.jsonl`; one process at a time.

    Each record is one write to the system before `append` returns: a killed process loses nothing. A power cut may,
    unless `fsync`. A last line torn by either is cut off on opening. Secret values are masked before anything is
    written, in records and in text blobs.

    Raises:
        JournalError: the folder cannot be used, or another process writes to it.
    """

    def __init__(
        self,
        folder: Path,
        *,
        secrets: Secrets | None = None,
        fsync: bool = False,
        clock: Callable[[], float] = time,
    ) -> None:
        self.folder = folder
        self._secrets = secrets or Secrets()
        self._fsync = fsync
        self._clock = clock
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            folder.joinpath(BLOBS).mkdir(exist_ok=True, mode=0o700)
            self._fd = os.open(folder / EVENTS, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise _unusable(folder, error) from error
        try:
            self._lock()
            self._seq = self._mend()
        except BaseException:
            os.close(self._fd)
            raise

    @property
    def empty(self) -> bool:
        """Whether nothing was written yet, by anybody."""
        return self._seq == 0

    def append(self, event: Event, scope: Scope) -> Record:
        record = Record(seq=self._seq + 1, time=self._clock(), scope=scope, event=event)
        try:
            line = record.model_dump_json()
        except PydanticSerializationError:
            line = json_of(record)
            record = Record.model_validate_json(line)
        if self._secrets and (masked := masked_json(line, self._secrets)) is not None:
            line, record = masked, Record.model_validate_json(masked)
        self._write(line.encode() + b"\n")
        self._seq = record.seq
        return record

    def records(self) -> Iterator[Record]:
        yield from read_records(self.folder)

    def keep(self, data: bytes) -> str:
        data = self._masked(data)
        sha256 = hashlib.sha256(data).hexdigest()
        path = self.folder / BLOBS / sha256
        if not path.exists():
            draft = path.with_suffix(".part")
            try:
                draft.write_bytes(data)
                draft.chmod(0o600)
                draft.rename(path)
            except OSError as error:
                draft.unlink(missing_ok=True)
                raise _unusable(self.folder, error) from error
        return sha256

    def read(self, image: Image) -> bytes:
        return read_blob(self.folder, image.sha256)

    def close(self) -> None:
        os.close(self._fd)

    def _masked(self, data: bytes) -> bytes:
        if not self._secrets:
            return data
        try:
            text = data.decode()
        except UnicodeDecodeError:  # a picture
            return data
        masked = masked_json(text, self._secrets)
        return data if masked is None else masked.encode()

    def _write(self, line: bytes) -> None:
        end = os.lseek(self._fd, 0, os.SEEK_END)
        try:
            written = os.write(self._fd, line)
            if written < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if self._fsync:
                os.fsync(self._fd)
        except OSError as error:
            os.ftruncate(self._fd, end)
            raise _unusable(self.folder, error) from error

    def _lock(self) -> None:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise JournalError(f"{self.folder} is being written by another deskhand; wait for it or stop it") from error

    def _mend(self) -> int:
        """Cut a torn last line off; give the last `seq`."""
        whole = self.folder.joinpath(EVENTS).read_bytes()
        end = whole.rfind(b"\n") + 1
        if end < len(whole):
            os.ftruncate(self._fd, end)
        lines = whole[:end].splitlines()
        return _parsed(lines[-1], self.folder, len(lines)).seq if lines else 0


def read_records(folder: Path) -> Iterator[Record]:
    """Read a run's records without opening it for writing; a torn last line is left out.

    Raises:
        JournalError: there is no journal in the folder, or a line that is not the last cannot be read.
    """
    try:
        data = folder.joinpath(EVENTS).read_bytes()
    except OSError as error:
        raise JournalError(f"{folder} is not a run of deskhand: it has no readable {EVENTS}") from error
    for number, line in enumerate(data[: data.rfind(b"\n") + 1].splitlines(), 1):
        record = _parsed(line, folder, number)
        if record.seq != number:
            raise JournalError(f"{folder / EVENTS}: line {number} has the number {record.seq}; records are missing")
        yield record


def last_record(folder: Path) -> Record | None:
    """Read the last whole record of a run, without those before; None where there is none.

    Raises:
        JournalError: it cannot be read.
    """
    try:
        with folder.joinpath(EVENTS).open("rb") as file:
            end, rest = file.seek(0, os.SEEK_END), b""
            while end > 0 and rest.count(b"\n") < 2:
                end = file.seek(max(0, end - _BLOCK))
                rest = file.read(_BLOCK) + rest
                file.seek(end)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise JournalError(f"{folder} is not a run of deskhand: its {EVENTS} cannot be read") from error
    lines = rest[: rest.rfind(b"\n") + 1].splitlines()
    return _parsed(lines[-1], folder, 0) if lines else None


def read_blob(folder: Path, sha256: str) -> bytes:
    """Read the bytes of a picture or request.

    Raises:
        JournalError: it is not there.
    """
    try:
        return folder.joinpath(BLOBS, sha256).read_bytes()
    except OSError as error:
        raise JournalError(f"{folder}: the blob {sha256[:12]}... cannot be read ({error.strerror})") from error


def _parsed(line: bytes, folder: Path, number: int) -> Record:
    try:
        return Record.model_validate_json(line)
    except ValidationError as error:
        raise JournalError(
            f"{folder / EVENTS}: line {number} is no record that this version ({__version__}) can read; "
            "it was damaged, or written by another version: use that one"
        ) from error


def _unusable(folder: Path, error: OSError) -> JournalError:
    return JournalError(f"{folder} cannot be written ({error.strerror or error}); free space or give another --run-dir")
