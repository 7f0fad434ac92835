"""Starting an application and finding the window it comes up with."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from deskhand.core.observation import Window
from deskhand.devices.linux.applications.built_on import built_on_chromium
from deskhand.devices.linux.applications.desktop_entry import Entry, command
from deskhand.devices.linux.processes import family, marked, running
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.listing import list_windows
from deskhand.devices.linux.x11.display import Display

DEADLINE = 15.0
"""Seconds an application has for its first window."""
HANDED_OVER = 2.0
"""Seconds after its process has ended within which an application that was running already shows a window."""

MARK = "DESKHAND_STARTED_AS"
"""The variable by which what a program becomes is known again, when it forks and ends and makes itself independent."""

CHROMIUM = ("chromium", "chrome", "brave", "msedge", "microsoft-edge", "vivaldi", "opera")
OFFICE = ("soffice", "libreoffice", "lowriter", "localc", "loimpress", "lodraw", "lobase", "lomath", "loffice")


class Session(Protocol):
    """A desktop session that programs can be started in."""

    @property
    def environment(self) -> Mapping[str, str]: ...

    @property
    def log(self) -> Path:
        """The file that takes what programs print."""
        ...

    async def start(self, arguments: Sequence[str]) -> int:
        """Start a program in a session of its own, and give its process id."""
        ...


class Launch(NamedTuple):
    """What came of starting an application."""

    window: Window | None
    fresh: bool = True
    """False when the application was running already and has only been brought up."""
    problem: str = ""
    """Why there is no window, as a sentence."""


async def launch(
    session: Session, display: Display, entry: Entry, files: Sequence[str] = (), seconds: float = DEADLINE
) -> Launch:
    """Start an application, with files or addresses to open, and wait for its window.

    Raises:
        DeviceError: no program can be started any more.
    """
    before = {window.id: window for window in list_windows(display)}
    search_path = session.environment.get("PATH", os.defpath)
    arguments = with_options(command(entry, search_path, files), session.environment)
    mark = f"{MARK}={os.getpid()}-{time.monotonic_ns()}"
    printed = session.log.stat().st_size if session.log.exists() else 0
    started = time.monotonic()
    folder = entry.text("Path")
    pid = await session.start(["env", *(("-C", folder) if folder else ()), mark, *arguments])
    look = _Lookout(display, entry, (pid, mark), before)
    found = await until(look.once, seconds, every=0.01) or Launch(None, problem="it showed no window in time")
    if found.window:
        return found
    waited = f"{time.monotonic() - started:.1f} s"
    state = "still runs" if running(pid) else "has ended"
    printed_text = last_words(session.log, printed)
    return Launch(
        None, problem=f"{arguments[0]}: {found.problem}; after {waited} it {state}; it printed: {printed_text}"
    )


def with_options(arguments: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """Add what makes an application readable and keeps it from asking questions on its first start."""
    at = next((at for at, word in enumerate(arguments) if Path(word).name != "env" and "=" not in word), 0)
    program, rest = arguments[at], arguments[at + 1 :]
    return [*arguments[: at + 1], *_options(program, environment), *rest]


def _options(program: str, environment: Mapping[str, str]) -> list[str]:
    name = Path(program).name
    if name.startswith(OFFICE):
        return ["--norestore", "--nologo", "--nofirststartwizard"]
    browser = name.startswith(CHROMIUM)
    if not browser and not built_on_chromium(program, environment.get("PATH", os.defpath)):
        return []
    options = ["--force-renderer-accessibility"]
    if browser:
        options += ["--no-first-run", "--no-default-browser-check", "--password-store=basic"]
    if os.geteuid() == 0:
        options.append("--no-sandbox")  # it refuses to run as root otherwise
    if scale := environment.get("QT_SCALE_FACTOR"):
        options.append(f"--force-device-scale-factor={scale}")
    return options


def last_words(log: Path, beginning: int = 0) -> str:
    """Give the end of what programs printed since `beginning`, on one line."""
    data = log.read_bytes()[beginning:] if log.exists() else b""
    return " / ".join(data.decode("utf-8", "replace").strip().splitlines()[-3:]) or "nothing"


class _Lookout:
    """Looks for the window of an application that was just started."""

    def __init__(self, display: Display, entry: Entry, started: tuple[int, str], before: Mapping[str, Window]) -> None:
        self._display = display
        self._pid, self._mark = started
        self._before = before
        self._was_active = next((window.id for window in before.values() if window.active), "")
        names = (entry.text("StartupWMClass"), entry.program, entry.id, entry.id.rpartition(".")[2])
        self._names = {name.casefold() for name in names if name}
        self._ended: float | None = None

    def once(self) -> Launch | None:
        windows = list_windows(self._display)
        members = family(self._pid)
        ours = [window for window in windows if window.pid in members or self._is_ours(window)]
        new = [window for window in ours if window.id not in self._before]
        if new:
            return Launch(min(new, key=lambda window: bool(window.dialog_of)))
        if any(map(running, members)) or (not ours and marked(self._mark)):
            return None
        return self._handed_over(ours)

    def _is_ours(self, window: Window) -> bool:
        return window.app.casefold() in self._names or bool(marked(self._mark, (window.pid,)))

    def _handed_over(self, ours: Sequence[Window]) -> Launch | None:
        """Tell what came of it after the process has ended: another, older one may have taken over."""
        self._ended = self._ended or time.monotonic()
        raised = next((window for window in ours if window.active and self._is_news(window)), None)
        if raised:
            return Launch(raised, fresh=False)
        if time.monotonic() - self._ended < HANDED_OVER:
            return None
        if ours:
            return Launch(ours[0], fresh=False)
        return Launch(None, problem="it ended without showing a window")

    def _is_news(self, window: Window) -> bool:
        """Tell whether a window has come to the front, or shows something else than before."""
        known = self._before.get(window.id)
        return window.id != self._was_active or known is None or known.title != window.title
