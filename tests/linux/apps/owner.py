"""Owns a virtual desktop with programs on it until it is killed; says on a line of JSON what there is."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import anyio

from deskhand.core.geometry import Size
from deskhand.devices.linux.desktops.virtual import virtual_desktop
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.listing import list_windows
from deskhand.devices.linux.x11.display import Display


async def main() -> None:
    async with virtual_desktop(Size(640, 480)) as desktop:
        stubborn = desktop.folder / "stubborn"
        script = Path(__file__).with_name("stubborn.py")
        await desktop.start([sys.executable, str(script), str(stubborn)])
        display = Display.open(desktop.display_name)
        await desktop.start(["galculator"])
        await until(lambda: list_windows(display) and stubborn.exists(), 20)
        programs = [*desktop.pids.values(), list_windows(display)[0].pid, int(stubborn.read_text())]
        told = {"pids": programs, "folder": str(desktop.folder), "display": desktop.display_name}
        print(json.dumps(told), flush=True)
        await anyio.sleep_forever()


anyio.run(main)
