"""A folder of OSWorld's tasks, as far as they can be set up without a download; no score of OSWorld comes of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio

from deskhand.bench.desktop.suite import virtual
from deskhand.bench.osworld_steps import Stage
from deskhand.bench.osworld_task import OsTask, read_tasks, why_not
from deskhand.bench.osworld_walls import Walls
from deskhand.bench.suite import Judged, Posed
from deskhand.core import child
from deskhand.core.errors import DeviceError, SettingsError
from deskhand.devices.linux.desktops.virtual import virtual_desktop
from deskhand.devices.linux.device import LinuxDevice
from deskhand.devices.linux.rig import rigged
from deskhand.settings import Settings

JUDGE = (sys.executable, "-m", "deskhand.bench.osworld_judge")
JUDGED = 45.0
"""Seconds that a judge may take."""


class OsWorld:
    """The tasks of a folder."""

    name = "osworld"

    def __init__(self, settings: Settings, folder: str = "") -> None:
        """Read the tasks, and see which of them can be set up and judged here.

        Raises:
            SettingsError: no folder is named, it holds no tasks, or the device is no virtual desktop.
        """
        if not folder:
            raise SettingsError("the suite osworld needs a folder of its tasks: deskhand bench osworld FOLDER")
        self._spec, self._perception = virtual(settings), settings.perception
        read = dict(read_tasks(Path(folder)))
        self.skipped = {name: why for name, task in read.items() if (why := why_not(task))}
        rest = {name: task for name, task in read.items() if name not in self.skipped}
        self.skipped |= {name: why for name, why in _lacking(rest).items() if why}
        self._here = {name: task for name, task in rest.items() if name not in self.skipped}

    @property
    def tasks(self) -> Sequence[str]:
        return tuple(self._here)

    def posed(self, task: str, seed: int, folder: Path) -> AbstractAsyncContextManager[Posed]:
        """Set a task up on a desktop of its own; it is the same for every seed.

        Raises:
            DeviceError: the desktop or an application does not come up, or a step of the set-up fails.
        """
        return self._posed(self._here[task], folder)

    @asynccontextmanager
    async def _posed(self, task: OsTask, folder: Path) -> AsyncIterator[Posed]:
        spec = self._spec
        cache = folder.absolute() / "judged"
        cache.mkdir(parents=True, exist_ok=True)
        async with virtual_desktop(spec.size, layout=spec.layout, scale=spec.scale) as desktop:
            walls = Walls(desktop)
            bus = desktop.environment["DBUS_SESSION_BUS_ADDRESS"]
            async with rigged(desktop, desktop.display_name, bus, self._perception) as rig:
                stage = Stage(desktop, device := LinuxDevice("linux:virtual", rig), walls, cache, spec.size)
                for step in task.config:
                    await stage.do(step)
                question = {"evaluator": task.evaluator, "cache": str(cache)}
                judge = partial(_judged, walls.judge(cache, *JUDGE), question, desktop.environment)
                await _not_content(judge)

                async def check() -> Judged:
                    for step in task.afterwards:
                        await stage.do(step)
                    score = await judge()
                    return Judged(success=score >= 1, reward=score, reason="" if score >= 1 else f"judged {score:g}")

                yield Posed(device, task.instruction, check, seconds=300, steps=50)


def _known_packages() -> dict[str, str]:
    """Give the variable that lets another process find the packages that this one finds."""
    return {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


async def _not_content(judge: Callable[[], Awaitable[float]]) -> None:
    """See that the judge does not take what is there at the beginning for what is asked.

    Raises:
        DeviceError: it does, with these versions of the programs; an attempt would prove nothing.
    """
    try:
        content = await judge() >= 1
    except DeviceError:  # it breaks on what is not there yet
        return
    if content:
        raise DeviceError("its judge is content before anything is done")


async def _judged(command: Sequence[str], question: Mapping[str, Any], environment: Mapping[str, str]) -> float:
    """Have a judge look.

    Raises:
        DeviceError: it gives no answer.
    """
    asked = json.dumps(question).encode()
    try:
        with anyio.fail_after(JUDGED):
            ended = await child.run(command, {**environment, **_known_packages()}, input=asked)
    except TimeoutError as error:
        raise DeviceError(f"the judge gave no answer within {JUDGED:g} s") from error
    if ended.returncode:
        raise DeviceError(f"the judge broke: {ended.stderr.decode(errors='replace').strip()[-500:]}")
    return float(json.loads(ended.stdout))


def _lacking(tasks: Mapping[str, OsTask]) -> dict[str, str]:
    """Ask, in a process of its own, what is missing to judge each task."""
    if not tasks:
        return {}
    question = json.dumps({"evaluators": {name: task.evaluator for name, task in tasks.items()}})
    ended = subprocess.run(
        JUDGE, input=question, capture_output=True, text=True, timeout=JUDGED, check=False, env=_known_packages()
    )
    if ended.returncode:
        raise SettingsError(f"the judges of OSWorld cannot be looked through: {ended.stderr.strip()[-500:]}")
    said: dict[str, str] = json.loads(ended.stdout)
    return said
