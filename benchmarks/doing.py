"""Carrying deeds out on real applications, and looking up in their own logs whether they were."""

from __future__ import annotations

import http.server
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import NamedTuple

import anyio

from benchmarks.deeds import GTK, PAGE, QT, Deed
from deskhand.core.action import ActionResult, Click, OnElement
from deskhand.core.observation import Element, Observation, OneWindow
from deskhand.devices.linux.device import LinuxDevice, open_linux
from deskhand.devices.linux.launch import with_options
from deskhand.devices.linux.virtual import Desktop, virtual_desktop
from deskhand.devices.linux.waiting import until

APPS = Path(__file__).parents[1] / "tests/linux/apps"
COMES_UP = 30.0
TAKES_EFFECT = 1.0
"""Seconds in which the log has to show what was done."""
PUT_BACK = 0.6
"""Seconds after which what an application does not keep has been put back."""


class Report(NamedTuple):
    """What came of one deed."""

    deed: Deed
    result: ActionResult
    there: bool
    """Whether the application itself says that it was done, a while later."""
    seconds: float

    @property
    def missed(self) -> bool:
        return not self.deed.trap and not (self.result.outcome == "done" and self.result.text and self.there)

    @property
    def false(self) -> bool:
        return self.result.outcome == "done" and (self.deed.trap or not self.there)


class Bench(NamedTuple):
    """A device with one application on it."""

    device: LinuxDevice
    window: str
    log: Path

    async def look(self) -> Observation:
        return (await self.device.observe(OneWindow(id=self.window))).observation

    async def find(self, role: str, name: str) -> Element | None:
        """Wait a little for a control; None when it does not come up."""
        deadline = time.monotonic() + 2
        while time.monotonic() < deadline:
            elements = (await self.look()).elements
            found = [each for each in elements if each.name == name and role in ("", each.role)]
            if found:
                return found[-1]
        return None

    def says(self, line: str) -> bool:
        """Tell whether a line is the last that the log holds of that name."""
        name = line.partition("=")[0]
        lines = self.log.read_text("utf-8").splitlines() if self.log.exists() else []
        return next((each for each in reversed(lines) if each.partition("=")[0] == name), "") == line

    async def carry_out(self, deed: Deed) -> Report:
        for menu in deed.via:
            opened = await self.find("", menu)
            assert opened, f"there is no menu {menu!r}"
            await self.device.perform(Click(target=OnElement(id=opened.id)), self.window)
        element = await self.find(deed.role, deed.name)
        if element is None:
            missing = ActionResult(outcome="failed", text=f"no {deed.role} {deed.name!r} was seen")
            return Report(deed, missing, self.says(deed.line), 0)
        start = time.monotonic()
        result = await self.device.perform(deed.make(OnElement(id=element.id)), self.window)
        took = time.monotonic() - start
        if deed.trap:
            await anyio.sleep(PUT_BACK)
        else:
            await until(lambda: self.says(deed.line), TAKES_EFFECT)
        return Report(deed, result, self.says(deed.line), took)


async def carry_out(name: str) -> list[Report]:
    """Carry out all deeds of one application."""
    async with bench(name) as there:
        return [await there.carry_out(deed) for deed in DEEDS[name]]


@asynccontextmanager
async def bench(name: str) -> AsyncIterator[Bench]:
    """Start one of the applications on a desktop of its own."""
    with tempfile.TemporaryDirectory(prefix="deskhand-bench-") as folder, _page_server(Path(folder)) as address:
        log = Path(folder) / "log"
        async with virtual_desktop() as desktop:
            await desktop.start(_command(name, log, address, desktop))
            async with open_linux(f"linux:display={desktop.display_name}", desktop.environment) as device:
                yield Bench(device, await _ready(device), log)


def _command(name: str, log: Path, address: str, desktop: Desktop) -> list[str]:
    if name == "page":
        return with_options(["chromium", address], desktop.environment)
    return ["/usr/bin/python3", str(APPS / {"gtk": "acts_gtk3.py", "qt": "acts_qt5.py"}[name]), str(log)]


async def _ready(device: LinuxDevice) -> str:
    """Wait until the window can be read; give its id."""
    with anyio.fail_after(COMES_UP):
        while True:
            seen = (await device.observe()).observation
            if any(element.name == "Go" for element in seen.elements):
                return seen.window
            await anyio.sleep(0.05)


@contextmanager
def _page_server(folder: Path) -> Iterator[str]:
    """Serve the page, and append what it posts to a log."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = (APPS / "acts.html").read_bytes()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

        def do_POST(self) -> None:
            with (folder / "log").open("ab") as file:
                file.write(self.rfile.read(int(self.headers["Content-Length"])) + b"\n")
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


DEEDS: dict[str, Sequence[Deed]] = {"gtk": GTK, "qt": QT, "page": PAGE}


def main() -> None:
    for name in sys.argv[1:]:
        for report in anyio.run(carry_out, name):
            mark = "FALSE" if report.false else "MISSED" if report.missed else "trap" if report.deed.trap else "ok"
            what = f"{report.deed.role} {report.deed.name!r} {report.deed.line}"
            result = report.result
            print(f"{mark:6} {report.seconds:5.2f} {what:55} {result.outcome}: {result.text[:150]}", flush=True)


if __name__ == "__main__":
    main()
