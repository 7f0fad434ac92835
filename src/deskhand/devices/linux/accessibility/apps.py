"""The accessibility bus: which applications there are, and a line to each."""

from __future__ import annotations

import time
from collections.abc import Sequence

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
_STATUS = "org.a11y.Status"


class Toolkit:
    """An application on the accessibility bus."""

    def __init__(self, root: Ref, pid: int, answers: Sequence[Answer], line: Connection) -> None:
        self.root = root
        self.pid = pid
        self.name, self.toolkit = text_of(answers[0]), text_of(answers[1])
        self.line = line
        """Straight to the application where it offers that, which is twice as fast as by way of the daemon."""
        self.gtk4 = self.toolkit == "GTK"
        self.qt = self.toolkit == "Qt"


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
        self._apps: dict[str, Toolkit] = {}
        self._pids: dict[str, int] = {}

    def close(self) -> None:
        for app in self._apps.values():
            app.line.close()
        self.bus.close()

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

    def of_pid(self, pid: int, until: float) -> list[Toolkit]:
        """Give the applications of a process; there can be an empty one beside the real one."""
        roots = self.names(until)
        unknown = [root for root in roots if root.bus not in self._pids]
        asked = [daemon("GetConnectionUnixProcessID", root.bus) for root in unknown]
        for root, answer in zip(unknown, self.bus.calls(asked, until), strict=True):
            number = number_of(answer)
            if number is not None:
                self._pids[root.bus] = number
        return [self._app(root, until) for root in roots if self._pids.get(root.bus) == pid]

    def app(self, bus: str) -> Toolkit | None:
        """Give an application that was met before, by its name on the bus."""
        return self._apps.get(bus)

    def _app(self, root: Ref, until: float) -> Toolkit:
        known = self._apps.get(root.bus)
        if known and not known.line.lost:
            return known
        calls: list[Call] = [
            prop(root, ACCESSIBLE, "Name"),
            prop(root, APPLICATION, "ToolkitName"),
            ask(root, APPLICATION, "GetApplicationBusAddress"),
        ]
        answers = self.bus.calls(calls, until)
        app = Toolkit(root, self._pids[root.bus], answers, self._line(text_of(answers[2]), until))
        if text_of(answers[1]):  # one that did not answer yet is asked again next time
            self._apps[root.bus] = app
        return app

    def _line(self, address: str, until: float) -> Connection:
        if not address:
            return self.bus
        try:
            return Connection(address, min(until, time.monotonic() + 0.5))
        except DeviceError:
            return self.bus  # the way round by the daemon is always there

    def _forget(self, roots: Sequence[Ref]) -> None:
        there = {root.bus for root in roots}
        for name in [name for name in self._pids if name not in there]:
            del self._pids[name]
            gone = self._apps.pop(name, None)
            if gone and gone.line is not self.bus:
                gone.line.close()
