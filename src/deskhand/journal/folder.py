"""The folder of a new run: its name, and that it is really there for this run alone."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from deskhand.core.errors import JournalError, SettingsError
from deskhand.journal.retention import remove_old_runs


@contextmanager
def run_folder(request: str, runs: Path, named: str = "", *, keep: int = 0) -> Iterator[Path]:
    """Lend a run its folder: the one `named`, or a new one in `runs` that is called after the time and the request.

    It is made at once, so that no other run takes it; one that stays empty is removed again. Of the runs in `runs` that
    have ended, the latest `keep` stay; 0 for all.

    Raises:
        SettingsError: it cannot be made, or holds something already.
        JournalError: the disk is full.
    """
    if keep and not named:
        remove_old_runs(runs, keep)
    folder, made = _named(named) if named else (_new(request, runs), True)
    try:
        yield folder
    finally:
        if made:
            with suppress(OSError):  # it is in use
                folder.rmdir()


@contextmanager
def held(path: Path, busy: str) -> Iterator[int]:
    """Hold a file against other processes, and give its descriptor; it is made where it is not there.

    The system lets go of it when this process ends, however it ends.

    Raises:
        SettingsError: another process holds it; says that it is `busy`.
        OSError: it cannot be made.
    """
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _lock(fd, busy)
        yield fd
    finally:
        os.close(fd)


@contextmanager
def claimed(mark: Path, of: Mapping[str, str], what: str) -> Iterator[None]:
    """Hold a folder for many runs, `what` they are together, by a file in it that says `of` what; make it if need be.

    Raises:
        SettingsError: it is something else's, another process works in it, or it cannot be used.
    """
    folder = mark.parent
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not mark.exists() and any(folder.iterdir()):
                raise SettingsError(f"{folder}: there is something else in it; name an empty folder for the {what}")
            fd = stack.enter_context(
                held(mark, f"another deskhand works on the {what} in {folder}; wait for it or stop it")
            )
        except OSError as error:
            raise SettingsError(f"{folder} cannot be used: {_why(error)}") from error
        wanted, said = json.dumps(dict(of)), os.pread(fd, 1 << 16, 0).decode(errors="replace")
        if said and said != wanted:
            raise SettingsError(f"{folder} is another {what}'s ({said}); name another folder")
        os.pwrite(fd, wanted.encode(), 0)
        yield


def _lock(fd: int, busy: str) -> None:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise SettingsError(busy) from error


def _named(named: str) -> tuple[Path, bool]:
    folder = Path(named).absolute()
    try:
        made = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        holds = next(folder.iterdir(), None)
        (folder / ".part").touch()
        (folder / ".part").unlink()
    except FileExistsError:
        raise SettingsError(f"--run-dir {named}: that is no folder; name an empty one") from None
    except OSError as error:
        _fail_on_full_disk(error)
        raise SettingsError(f"--run-dir {named} cannot be used: {_why(error)}; name one that can be written") from error
    if holds is not None:
        raise SettingsError(f"--run-dir {named}: there is something in it already; name an empty folder")
    return folder, made


def _new(request: str, runs: Path) -> Path:
    words = re.sub(r"[^a-z0-9]+", "-", request[:200].lower())[:32].strip("-") or "session"
    name, number = f"{datetime.now():%Y%m%d-%H%M%S}-{words}", 1
    folder = runs.absolute() / name
    while True:
        try:
            runs.mkdir(parents=True, exist_ok=True, mode=0o700)
            folder.mkdir(mode=0o700)
        except FileExistsError:
            if not runs.is_dir():
                raise _no_place(runs, "it is no folder") from None
            number += 1
            folder = folder.with_name(f"{name}-{number}")
        except OSError as error:
            _fail_on_full_disk(error)
            raise _no_place(runs, _why(error)) from error
        else:
            return folder


def _fail_on_full_disk(error: OSError) -> None:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        raise JournalError("the disk is full: free space, or name a folder on another with --run-dir") from error


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _no_place(runs: Path, why: str) -> SettingsError:
    return SettingsError(f"runs cannot be kept in {runs}: {why}; name another folder with --run-dir or -c runs=FOLDER")
