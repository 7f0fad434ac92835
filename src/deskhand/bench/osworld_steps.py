"""Doing what a task's file says comes before the agent, and before the judge."""

from __future__ import annotations

import os
import re
import signal
from contextlib import suppress
from pathlib import Path

import anyio

from deskhand.bench.osworld_task import STAND_INS, Step
from deskhand.bench.osworld_walls import Walls
from deskhand.core import child
from deskhand.core.action import Action, CloseWindow, FocusWindow
from deskhand.core.errors import DeviceError, UnreadableReply
from deskhand.core.geometry import Frame, Size
from deskhand.core.observation import WHOLE_DESKTOP, Window
from deskhand.core.ports import Device
from deskhand.devices.linux.desktops.virtual import Desktop
from deskhand.devices.linux.processes import family, running
from deskhand.devices.linux.waiting import until
from deskhand.dialects.actions import call_to_action
from deskhand.dialects.grammar import parse_calls

LIMIT = 60.0
"""Seconds that a command of a set-up may take, and an application until it shows a window."""
ENDING = 10.0


class Stage:
    """A desktop on which a task is set up."""

    def __init__(self, desktop: Desktop, device: Device, walls: Walls, cache: Path, screen: Size) -> None:
        self._desktop, self._device, self._walls, self._cache = desktop, device, walls, cache
        self._known = {"CLIENT_PASSWORD": "password", "SCREEN_WIDTH": screen.width, "SCREEN_HEIGHT": screen.height}
        self._known |= {"SCREEN_WIDTH_HALF": screen.width // 2, "SCREEN_HEIGHT_HALF": screen.height // 2}
        self._frame = Frame(screen, screen)

    async def do(self, step: Step) -> None:
        """Do one step.

        Raises:
            DeviceError: it does not work.
        """
        match step.type:
            case "launch":
                await self._launch([self._filled(word) for word in step.argv])
            case "open":
                await self._launch(["xdg-open", str(step.parameters["path"])])
            case "sleep":
                await anyio.sleep(float(step.parameters["seconds"]))
            case "activate_window":
                await self._perform(FocusWindow(window=await self._window(step)))
            case "close_window":
                await self._perform(CloseWindow(window=await self._window(step)))
            case _:
                await self._run(step)

    def _filled(self, text: str) -> str:
        return re.sub(r"\{([A-Z_]+)\}", lambda found: str(self._known.get(found[1], found[0])), text)

    async def _launch(self, argv: list[str]) -> None:
        program = argv[0]
        if program == "socat":
            return
        if program == "pkill":
            await self._end(STAND_INS.get(argv[-1], argv[-1]).replace("chrome", "chromium"))
            return
        before = await self._shown()
        await self._desktop.start(self._walls.application(*argv))
        with anyio.move_on_after(LIMIT):
            while await self._shown() <= before:  # noqa: ASYNC110  X tells nobody
                await anyio.sleep(0.1)
            return
        raise DeviceError(f"{program} shows no window within {LIMIT:g} s")

    async def _end(self, name: str) -> None:
        """End the processes of this desktop that are called so; those of others are none of ours."""
        ours = family(self._desktop.programs.guardian_pid)
        called = [pid for pid in ours if name in _name(pid)]
        for pid in called:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        await until(lambda: not any(map(running, called)), ENDING)

    async def _shown(self) -> set[tuple[str, int]]:
        """Give the windows with their processes, as ids are used again."""
        return {(window.id, window.pid) for window in await self._windows()}

    async def _windows(self) -> tuple[Window, ...]:
        return (await self._device.observe(WHOLE_DESKTOP)).observation.windows

    async def _window(self, step: Step) -> str:
        """Give the window that a step names by a part of its title or by its class."""
        name = str(step.parameters["window_name"]).removeprefix("Google ").casefold()
        for window in await self._windows():
            if name in (window.app if step.parameters.get("by_class") else window.title).casefold():
                return window.id
        raise DeviceError(f"no window is called {step.parameters['window_name']!r}")

    async def _perform(self, action: Action) -> None:
        result = await self._device.perform(action)
        if result.outcome == "failed":
            raise DeviceError(f"{action.kind} in the set-up: {result.text}")

    async def _run(self, step: Step) -> None:
        command = step.parameters["command"]
        if isinstance(command, list) and "pyautogui" in command[-1]:
            for action in _actions(self._filled(command[-1]), self._frame):
                await self._perform(action)
            return
        argv = ["bash", "-c", self._filled(command)] if isinstance(command, str) else [*map(self._filled, command)]
        with anyio.fail_after(LIMIT):
            ended = await child.run(self._walls.command(*argv), self._desktop.environment)
        for stream, text in (("stdout", ended.stdout), ("stderr", ended.stderr)):
            if name := step.parameters.get(stream):
                (self._cache / Path(name).name).write_bytes(text)


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def _actions(script: str, frame: Frame) -> list[Action]:
    """Read a script of pyautogui as actions; it is not run.

    Raises:
        DeviceError: it does something else.
    """
    lines = [line.strip() for line in re.split(r"[;\n]", script)]
    try:
        calls = parse_calls("\n".join(line for line in lines if not line.startswith(("import ", "from "))))
        return [call_to_action(call, frame) for call in calls]
    except UnreadableReply as error:
        raise DeviceError(f"the set-up runs Python that is more than keys and clicks: {error}") from error
