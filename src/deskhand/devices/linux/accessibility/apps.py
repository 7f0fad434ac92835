"""The accessibility bus: which applications there are, and a line to each."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence

from deskhand.core.errors import DeviceError
from deskhand.devices.linux.accessibility.bus import Answer, Connection, Failure
from deskhand.devices.linux.accessibility.protocol import (
    ACCESSIBLE,
    APPLICATION,
    REGISTRY,
    ROOT,
    Ref,
    ask,
    daemon,
    number_of,
    prop,
    refs_of,
    set_prop,
    text_of,
)
from deskhand.devices.linux.accessibility.wire import Call

_A11Y = Ref("org.a11y.Bus", "/org/a11y/bus")
_CONNECTS = 0.3
"""Seconds an application has to take a new line."""
_STATUS = "org.a11y.Status"


class Program:
    """An application on the accessibility bus."""

    def __init__(self, root: Ref, answers: Sequence[Answer], bus: Connection, until: float) -> None:
        self.root = root
        self.name, self.toolkit, self._address = (text_of(answer) for answer in answers)
        self._bus = bus
        self.line = bus
        """Straight to the application where it offers that, which is twice as fast as by way of the daemon."""
        self.suspect = False
        """The line got no answer in time: it may be in use by a call that opened a dialog."""
        self.renew(until)
        self.gtk2 = self.toolkit == "GAIL"
        self.gtk4 = self.toolkit == "GTK"
        self.qt = self.toolkit == "Qt"
        self.libreoffice = self.name == "soffice"
        self.gtk3 = self.toolkit == "gtk" and not self.libreoffice
        self.chromium = self.toolkit == "Chromium"

    def renew(self, until: float) -> None:
        """Open a new line.

        An application that runs a modal dialog from within a call takes no other call on the same line until the
        dialog is closed; on another one it does.
        """
        if not self._address:
            return
        old = self.line
        try:
            self.line = Connection(self._address, min(until, time.monotonic() + _CONNECTS))
        except DeviceError:
            self.line = self._bus if old.lost else old  # the way round by the daemon is always there
        if old is not self.line:
            self._hang_up(old)

    def close(self) -> None:
        self._hang_up(self.line)

    def _hang_up(self, line: Connection) -> None:
        if line is not self._bus:
            line.close()


class Registry:
    """A connection to the accessibility bus of one session."""

    def __init__(self, session_bus: str, until: float) -> None:
        """Find the accessibility bus and tell applications that somebody listens.

        Raises:
            DeviceError: there is none, or it does not answer in time.
        """
        session = Connection(session_bus, until)
        try:
            session.hello(until)
            answer = session.call(ask(_A11Y, "org.a11y.Bus", "GetAddress"), until)
            if isinstance(answer, Failure) or not text_of(answer):
                reason = f"{answer.name} {answer.text}".strip() if isinstance(answer, Failure) else "no address"
                raise DeviceError(
                    f"there is no accessibility bus on {session_bus!r} ({reason}); is at-spi2-core installed?"
                )
            session.call(set_prop(_A11Y, _STATUS, "IsEnabled", "b", True), until)
        finally:
            session.close()
        self.bus = Connection(text_of(answer), until)
        self.bus.hello(until)
        self._programs: dict[str, Program] = {}
        self._pids: dict[str, int] = {}

    def close(self) -> None:
        for program in self._programs.values():
            program.close()
        self.bus.close()

    @property
    def there(self) -> Collection[str]:
        """The names on the bus of the applications that were there when they were last listed."""
        return self._pids.keys()

    def names(self, until: float) -> list[Ref]:
        """List the roots of all applications, the latest last.

        Raises:
            DeviceError: the registry does not answer.
        """
        answer = self.bus.call(ask(Ref(REGISTRY, ROOT), ACCESSIBLE, "GetChildren"), until)
        if isinstance(answer, Failure):
            raise DeviceError(f"the accessibility registry does not answer ({answer.name} {answer.text})")
        roots = refs_of(answer)
        self._forget(roots)
        return roots

    def of_pid(self, pid: int, until: float) -> list[Program]:
        """Give the applications of a process; there can be an empty one beside the real one."""
        roots = self.names(until)
        unknown = [root for root in roots if root.bus not in self._pids]
        asked = [daemon("GetConnectionUnixProcessID", root.bus) for root in unknown]
        for root, answer in zip(unknown, self.bus.calls(asked, until), strict=True):
            number = number_of(answer)
            if number is not None:
                self._pids[root.bus] = number
        return [self._program(root, until) for root in roots if self._pids.get(root.bus) == pid]

    def program(self, bus: str, until: float) -> Program | None:
        """Give an application that was met before, by its name on the bus."""
        known = self._programs.get(bus)
        if known and (known.line.lost or known.suspect):
            known.suspect = False
            known.renew(until)
        return known

    def _program(self, root: Ref, until: float) -> Program:
        known = self.program(root.bus, until)
        if known:
            return known
        calls: list[Call] = [
            prop(root, ACCESSIBLE, "Name"),
            prop(root, APPLICATION, "ToolkitName"),
            ask(root, APPLICATION, "GetApplicationBusAddress"),
        ]
        answers = self.bus.calls(calls, until)
        program = Program(root, answers, self.bus, until)
        if text_of(answers[1]):  # one that did not answer yet is asked again next time
            self._programs[root.bus] = program
        return program

    def _forget(self, roots: Sequence[Ref]) -> None:
        there = {root.bus for root in roots}
        for name in [name for name in self._pids if name not in there]:
            del self._pids[name]
            gone = self._programs.pop(name, None)
            if gone:
                gone.close()
