"""Carrying deeds out on real applications, and looking up in their own logs whether they were."""

from __future__ import annotations

import http.server
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import NamedTuple

import anyio

from benchmarks.deeds import GTK, PAGE, QT, WRITER, Deed
from deskhand.core.action import ActionResult, Click, Hotkey, OnElement
from deskhand.core.geometry import Box
from deskhand.core.observation import Element, Observation, OneWindow
from deskhand.devices.linux.applications.launch import with_options
from deskhand.devices.linux.desktops.virtual import Desktop, virtual_desktop
from deskhand.devices.linux.device import LinuxDevice, open_linux
from deskhand.devices.linux.waiting import until

APPS = Path(__file__).parents[1] / "tests/linux/apps"
PAGES = {"page": APPS / "acts.html", "buttons": Path(__file__).parent / "apps/buttons.html"}
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
    """Where the application writes down what becomes of it; of Writer, its document."""
    environment: Mapping[str, str]
    """Of the desktop."""

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

    async def says(self, line: str) -> bool:
        """Wait a little until the application itself says that something was done."""
        if self.log.suffix == ".fodt":
            return await self._saved(line)
        return await until(lambda: self._logged(line), TAKES_EFFECT)

    async def _saved(self, line: str) -> bool:
        before = self.log.stat().st_mtime_ns
        await self.device.perform(Hotkey(keys=("ctrl", "s")), self.window)
        await until(lambda: self.log.stat().st_mtime_ns != before, TAKES_EFFECT)
        return line in self.log.read_text("utf-8").partition("<office:automatic-styles>")[2]

    def _logged(self, line: str) -> bool:
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
            return Report(deed, missing, await self.says(deed.line), 0)
        start = time.monotonic()
        result = await self.device.perform(deed.make(OnElement(id=element.id)), self.window)
        took = time.monotonic() - start
        if deed.trap:
            await anyio.sleep(PUT_BACK)
        return Report(deed, result, await self.says(deed.line), took)


async def carry_out(name: str) -> list[Report]:
    """Carry out all deeds of one application."""
    async with bench(name) as there:
        return [await there.carry_out(deed) for deed in DEEDS[name]]


@asynccontextmanager
async def bench(name: str) -> AsyncIterator[Bench]:
    """Start one of the applications on a desktop of its own."""
    with tempfile.TemporaryDirectory(prefix="deskhand-bench-") as folder, _page_server(Path(folder)) as address:
        log = Path(folder) / ("letter.fodt" if name == "writer" else "log")
        async with virtual_desktop() as desktop, _device_on(desktop) as device:
            await desktop.start(_command(name, log, address, desktop))
            window = await _ready(device, {"writer": "Bold", "buttons": "Button 120"}.get(name, "Go"))
            if name == "writer":
                await device.perform(Hotkey(keys=("ctrl", "a")), window)
            yield Bench(device, window, log, desktop.environment)


def _device_on(desktop: Desktop) -> AbstractAsyncContextManager[LinuxDevice]:
    return open_linux(f"linux:display={desktop.display_name}", desktop.environment)


def _command(name: str, log: Path, address: str, desktop: Desktop) -> list[str]:
    if name in PAGES:
        return with_options(["chromium", f"{address}{name}"], desktop.environment)
    if name == "writer":
        shutil.copy(APPS / "letter.fodt", log)
        return with_options(["soffice", "--writer", str(log)], desktop.environment)
    return ["/usr/bin/python3", str(APPS / {"gtk": "acts_gtk3.py", "qt": "acts_qt5.py"}[name]), str(log)]


async def _ready(device: LinuxDevice, name: str) -> str:
    """Wait until a control can be read, and what is around it stays the same; give the id of its window."""
    before: list[tuple[str, Box]] = []
    with anyio.fail_after(COMES_UP):
        while True:
            seen = (await device.observe()).observation
            now = [(element.name, element.box) for element in seen.elements]
            if now == before and any(known == name for known, _ in now):
                return seen.window
            before = now
            await anyio.sleep(0.2)


@contextmanager
def _page_server(folder: Path) -> Iterator[str]:
    """Serve the page, and append what it posts to a log."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            file = PAGES.get(self.path.strip("/"))
            if file is None:
                self.send_error(404)
                return
            page = file.read_bytes()
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


DEEDS: dict[str, Sequence[Deed]] = {"gtk": GTK, "qt": QT, "page": PAGE, "writer": WRITER}


def main() -> None:
    for name in sys.argv[1:]:
        for report in anyio.run(carry_out, name):
            mark = "FALSE" if report.false else "MISSED" if report.missed else "trap" if report.deed.trap else "ok"
            what = f"{report.deed.role} {report.deed.name!r} {report.deed.line}"
            result = report.result
            print(f"{mark:6} {report.seconds:5.2f} {what:55} {result.outcome}: {result.text[:150]}", flush=True)


if __name__ == "__main__":
    main()
