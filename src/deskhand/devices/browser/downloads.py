"""Files that pages have the browser fetch, and where they are."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import anyio
from playwright.async_api import Download
from playwright.async_api import Error as PlaywrightError

from deskhand.devices.browser.chromium import first_line


@dataclass
class Fetched:
    """A file that was asked for."""

    name: str
    download: Download
    path: Path | None = None
    """Where it is, once it is there."""
    failure: str = ""

    def __str__(self) -> str:
        if self.path is not None:
            return f"{self.name} ({self.path.stat().st_size} bytes) is in {self.path}"
        return f"{self.name} could not be fetched: {self.failure}" if self.failure else f"{self.name} is being fetched"


class Downloads:
    """Keeps what is fetched in a folder, under the names that pages give, made unique."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: list[Fetched] = []

    def begin(self, download: Download) -> None:
        name = Path(download.suggested_filename.replace("\\", "/")).name or "download"
        self.files.append(Fetched(name, download))

    async def wait(self, seconds: float) -> None:
        """Wait until all that was begun is there; what takes longer goes on."""
        with anyio.move_on_after(seconds):
            for file in self.files:
                if file.path is None and not file.failure:
                    await self._keep(file)

    async def _keep(self, file: Fetched) -> None:
        try:
            await file.download.path()  # once it is complete
            target = self._free(file.name)
            await file.download.save_as(target)
            file.path = target
        except PlaywrightError as error:
            file.failure = first_line(error)

    def _free(self, name: str) -> Path:
        """Give a path that is not taken: `a.txt`, then `a (2).txt`."""
        target, number = self.folder / name, 2
        while target.exists():
            target = self.folder / f"{Path(name).stem} ({number}){Path(name).suffix}"
            number += 1
        return target


@contextmanager
def kept_in(folder: str) -> Iterator[Path]:
    """Give the folder for what is fetched; one of our own goes at the end when there is nothing in it."""
    if folder:
        path = Path(folder).expanduser()
        path.mkdir(parents=True, exist_ok=True)
        yield path
        return
    path = Path(tempfile.mkdtemp(prefix="deskhand-downloads-"))
    try:
        yield path
    finally:
        with suppress(OSError):  # it holds something
            path.rmdir()
