"""What this process knows of the signals that ask it to end, from its first moment to its last."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
CODE = 130
GRACE = 0.5
"""Seconds the event loop has to begin its cancellation; then whatever keeps it busy is broken off."""
LIMIT = 2.0
"""Seconds until the process ends in any case; the guardian of a private desktop takes that down then."""


class Interruption:
    """The first signal counts, those after it change nothing. Where `hold` is set, the first Ctrl-C only calls that.

    It ends the process where nothing has begun that would have to be undone, calls `cancel` where that is set, and
    raises KeyboardInterrupt after that. Work that hangs beyond the reach of Python, in a call to a display that does
    not answer, is left behind after `LIMIT`; `last_words` are called before.
    """

    def __init__(self) -> None:
        self.cancel: Callable[[], None] | None = None
        self.last_words: Callable[[], None] | None = None
        self.begun = False
        """Whether there is something to undo. Before, modules are imported, which an error must not break off."""
        self._hold: Callable[[], None] | None = None
        self._holds = 0
        """Signals that are no reason to watch for the end of the process, since they hold it."""
        self._came = False
        self._answered = False
        self._overdue = False
        self._over = threading.Event()

    def listen(self) -> None:
        """Take over the signals. The one of a terminal that hangs up stays ignored where it was (`nohup`)."""
        reading, writing = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(writing, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        for number in SIGNALS:
            if number is not signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._on_signal)
        threading.Thread(target=self._watch, args=(reading,), name="interruption", daemon=True).start()

    def hold_first(self, hold: Callable[[], None] | None) -> None:
        """Have the next Ctrl-C call `hold`, once, instead of ending the process; None for not at all."""
        self._hold, self._holds = hold, int(hold is not None)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Have Ctrl-C end the process in here all the same: who is asked something has the run stand still already."""
        hold, holds = self._hold, self._holds
        self.hold_first(None)
        try:
            yield
        finally:
            self._hold, self._holds = hold, holds

    def answered(self) -> None:
        """Say that the cancellation has begun, so that nothing needs to be broken off."""
        self._answered = True

    def leave(self, code: int) -> NoReturn:
        """End the process without waiting for threads, such as those that hang on a frozen application."""
        self._over.set()
        os._exit(code)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if not self.begun:
            os._exit(CODE)
        if number == signal.SIGINT and self._hold is not None:
            hold, self._hold = self._hold, None
            hold()
            return
        first, self._came = not self._came, True
        if first and self.cancel is not None:
            self.cancel()
        elif first or (self._overdue and not self._answered):
            self._answered = True
            raise KeyboardInterrupt

    def _watch(self, reading: int) -> None:
        """Wait for a signal, then see that the process ends; in a thread, which no call can hold up."""
        while (number := os.read(reading, 1)[0]) not in SIGNALS or (number == signal.SIGINT and self._holds):
            self._holds -= number == signal.SIGINT
        if not self._over.wait(GRACE) and not self._answered:
            self._overdue = True
            os.kill(os.getpid(), signal.SIGINT)
        if not self._over.wait(LIMIT - GRACE):
            if self.last_words is not None:
                self.last_words()
            os._exit(CODE)


INTERRUPTION = Interruption()
"""The one of this process, as its signals are."""
