"""Tasks on real applications, each on a virtual desktop and in a home that nobody had before."""

from __future__ import annotations

import importlib.util
import zipfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path

import anyio.to_thread

from deskhand.bench.desktop.home import Home
from deskhand.bench.desktop.pages import served
from deskhand.bench.desktop.programs import missing
from deskhand.bench.desktop.task import Task
from deskhand.bench.desktop.tasks import TASKS
from deskhand.bench.suite import Judged, Posed
from deskhand.core.errors import SettingsError
from deskhand.devices.linux.desktops.virtual import virtual_desktop
from deskhand.devices.linux.device import LinuxDevice
from deskhand.devices.linux.rig import rigged
from deskhand.devices.linux.spec import LinuxSpec, parse_linux
from deskhand.devices.linux.waiting import until
from deskhand.perception.options import Perception
from deskhand.settings import Settings

READERS = {"docx": "python-docx", "openpyxl": "openpyxl", "pptx": "python-pptx"}
"""Packages that checks read documents with, by what is imported."""
BROKEN = (OSError, ValueError, LookupError, AttributeError, zipfile.BadZipFile)
"""What reading a file raises that is not there, or is not what it should be."""
WRITTEN, AGAIN = 5.0, 0.1
"""Seconds an application has to write down what it was told, where it does that late, and between two looks."""


class DesktopSuite:
    """Tasks of our own."""

    name = "desktop"

    def __init__(self, settings: Settings, folder: str = "") -> None:
        """Take the virtual desktop's spec, and how it is seen, from the settings; there is nothing in a folder.

        Raises:
            SettingsError: the device is another one, or a folder is named.
        """
        if folder:
            raise SettingsError(f"{folder}: the suite desktop has its own tasks and takes no folder")
        self._spec, self._perception = virtual(settings), settings.perception
        self.skipped = {task.name: why for task in TASKS if (why := _missing(task))}
        self._here = {task.name: task for task in TASKS if task.name not in self.skipped}

    @property
    def tasks(self) -> Sequence[str]:
        return tuple(self._here)

    def posed(self, task: str, seed: int, folder: Path) -> AbstractAsyncContextManager[Posed]:
        """Set a task up on a desktop of its own; it is the same for every seed.

        Raises:
            DeviceError: the desktop or an application does not come up.
        """
        return _posed(self._here[task], self._spec, self._perception)


def virtual(settings: Settings) -> LinuxSpec:
    """Give the virtual desktop that the settings name.

    Raises:
        SettingsError: they name another device: files and settings there are somebody's.
    """
    spec = parse_linux(settings.device)
    if not spec.virtual:
        raise SettingsError(f"{settings.device}: these tasks change files and settings; use --device linux:virtual")
    return spec


def _missing(task: Task) -> str:
    if why := missing(task.needs):
        return why
    absent = [package for name, package in READERS.items() if importlib.util.find_spec(name) is None]
    return f"its check needs {', '.join(absent)}: pip install 'deskhand[bench]'" if absent else ""


@asynccontextmanager
async def _posed(task: Task, spec: LinuxSpec, perception: Perception) -> AsyncIterator[Posed]:
    async with AsyncExitStack() as stack:
        desktop = await stack.enter_async_context(virtual_desktop(spec.size, layout=spec.layout, scale=spec.scale))
        bus = desktop.environment["DBUS_SESSION_BUS_ADDRESS"]
        rig = await stack.enter_async_context(rigged(desktop, desktop.display_name, bus, perception))
        home = Home(desktop, device := LinuxDevice("linux:virtual", rig))
        home.furnish()
        if task.pages:
            home.site, home.received = stack.enter_context(served(task.pages))
        await task.prepare(home)

        async def check() -> Judged:
            return await _judged(task, home)

        yield Posed(device, task.request.format(home=home.path, site=home.site), check, task.seconds, task.steps)


async def _judged(task: Task, home: Home) -> Judged:
    if task.ends_first:
        await home.end(task.ends_first)
    if task.writes_late:
        await until(lambda: not _wrong(task, home), WRITTEN, every=AGAIN)
    wrong = await anyio.to_thread.run_sync(_wrong, task, home)
    return Judged(success=not wrong, reward=float(not wrong), reason=wrong)


def _wrong(task: Task, home: Home) -> str:
    try:
        return task.check(home)
    except FileNotFoundError as error:
        return f"there is no {Path(error.filename).name}"
    except BROKEN as error:
        return f"{type(error).__name__}: {error}"
