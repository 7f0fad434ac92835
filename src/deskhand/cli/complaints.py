"""What a command says of an error: one line that tells what to do, and the exit code that goes with it."""

from __future__ import annotations

import errno
import logging

from deskhand.core.errors import DeskhandError, DeviceError, JournalError, ModelError, SettingsError

FINISHED, FAILED, USAGE, LIMIT, TROUBLE, INTERRUPTED = 0, 1, 2, 3, 4, 130
"""0 finished; 1 failed, stuck, needs the user; 2 wrong usage or settings; 3 a limit; 4 device or model; 130 Ctrl-C."""

_SHORT = {
    errno.ENOSPC: "the disk is full; free space",
    errno.EDQUOT: "the disk quota is used up; free space",
    errno.EFBIG: "files may not grow that large; raise it with ulimit -f",
    errno.EROFS: "the file system cannot be written; name another folder",
    errno.EMFILE: "too many open files; raise it with ulimit -n",
    errno.ENFILE: "the system has too many open files; close some",
    errno.ENOMEM: "memory is short; free some",
    errno.EAGAIN: "too many processes or threads; raise it with ulimit -u",
}
"""What the system can run out of, and what to do about it."""

_logger = logging.getLogger("deskhand")


def explained(error: Exception) -> tuple[int, str]:
    """Give exit code and line for an error; where it came from goes to the log, which `-v` shows."""
    _logger.info("%s", type(error).__name__, exc_info=error)
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]  # a task group's wrapping
    line = " ".join(str(error).split()) or type(error).__name__
    match error:
        case SettingsError():
            return USAGE, line
        case DeviceError() | ModelError() | JournalError():
            return TROUBLE, line
        case DeskhandError():
            return FAILED, line
        case OSError(errno=number) if number in _SHORT:
            return TROUBLE, f"{_SHORT[number]} ({line})"
        case _:
            return TROUBLE, f"a fault of deskhand itself: {type(error).__name__}: {line} (-v shows where)"
