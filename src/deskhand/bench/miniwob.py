"""MiniWoB++: small pages with a task each, whose own scripts judge what was done."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from deskhand.bench.suite import Judged, Posed
from deskhand.core.errors import SettingsError
from deskhand.core.foreign import require
from deskhand.core.ports import Device
from deskhand.devices.browser.spec import parse_browser
from deskhand.devices.linux.spec import parse_linux
from deskhand.settings import Settings

SECONDS = 60.0
STEPS = 30
STAGES = {"browser": "deskhand.bench.miniwob_browser", "linux": "deskhand.bench.miniwob_linux"}
"""What shows pages on a device of each kind; imported only then."""
EPISODE = 3600_000
"""Milliseconds until a page judges by itself that time is up: not before the attempt's own time is."""


class Stage(Protocol):
    """A device, and the page that it shows, for the judge to reach past the device."""

    @property
    def device(self) -> Device: ...

    async def show(self, url: str) -> None:
        """Show an address, with nothing left of what was shown before."""

    async def ask(self, script: str, *given: Any) -> Any:
        """Call a function in the page that was shown, which need not be in front any more."""


class MiniWob:
    """The tasks of the package `miniwob`, on a browser, or on a desktop with a browser on it."""

    name = "miniwob"

    def __init__(self, settings: Settings, folder: str = "") -> None:
        if folder:
            raise SettingsError("miniwob brings its own tasks; it takes no folder")
        require("miniwob", "bench", "the suite miniwob")
        require("playwright", "browser", "the suite miniwob")
        _check(settings.device)
        self._settings = settings
        self.skipped: dict[str, str] = {}

    @cached_property
    def _pages(self) -> Path:
        spec = importlib.util.find_spec("miniwob")
        assert spec is not None  # it is required
        assert spec.origin is not None
        return Path(spec.origin).parent / "html" / "miniwob"

    @cached_property
    def tasks(self) -> Sequence[str]:
        return sorted(page.stem for page in self._pages.glob("*.html"))

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[_OnStage]:
        """Open a device for several attempts, each on a page of its own; raises as what opens a device."""
        stages = import_module(STAGES[self._settings.device.partition(":")[0]])
        async with stages.stage(self._settings, dict(os.environ)) as stage:
            yield _OnStage(self, stage)

    @asynccontextmanager
    async def posed(self, task: str, seed: int, folder: Path) -> AsyncIterator[Posed]:
        async with self.kept() as suite, suite.posed(task, seed, folder) as posed:
            yield posed

    def address(self, task: str) -> str:
        return (self._pages / f"{task}.html").as_uri()


def _check(device: str) -> None:
    """See that pages can be shown on a device.

    Raises:
        SettingsError: they can't, or it is none.
    """
    match device.partition(":")[0]:
        case "browser":
            if parse_browser(device).cdp:
                raise SettingsError("miniwob closes what else is open, so it takes a browser of its own, not cdp=")
        case "linux":
            if not parse_linux(device).virtual:
                raise SettingsError(f"{device}: miniwob takes a desktop of its own: --device linux:virtual")
        case _:
            raise SettingsError(f"{device}: miniwob is shown on browser, or on linux:virtual with a browser on it")


class _OnStage:
    """The suite on a device that stays open."""

    def __init__(self, suite: MiniWob, stage: Stage) -> None:
        self._suite = suite
        self._stage = stage
        self.name, self.tasks, self.skipped = suite.name, suite.tasks, suite.skipped

    @asynccontextmanager
    async def posed(self, task: str, seed: int, folder: Path) -> AsyncIterator[Posed]:
        stage = self._stage
        await stage.show(self._suite.address(task))
        request = str(await stage.ask(BEGIN, str(seed), EPISODE))
        yield Posed(stage.device, request, self._check, SECONDS, STEPS)

    async def _check(self) -> Judged:
        said = await self._stage.ask(JUDGE)
        if said is None:
            return Judged(success=False, reward=0, reason="the page of the task is gone")
        reward, done, reason = said
        if not done:
            return Judged(success=False, reward=0)
        return Judged(success=reward >= 1, reward=reward, reason=reason or "", ended=True)


BEGIN = """async ([seed, limit]) => {
    localStorage.clear();
    sessionStorage.clear();
    const field = document.body.appendChild(document.createElement('textarea'));
    field.value = ' ';
    field.select();
    document.execCommand('copy');
    field.remove();
    Math.seedrandom(seed);
    core.EPISODE_MAX_TIME = limit;
    core.startEpisodeReal();
    while (!WOB_TASK_READY) await new Promise(requestAnimationFrame);
    core.clearTimer();
    core.isBegun = true;
    core.cover_div.onclick = null;
    for (const id of ['reward-display', 'click-canvas']) document.getElementById(id).style.display = 'none';
    const said = core.getUtterance();
    return typeof said === 'string' ? said : said.utterance;
}"""
"""Starts the task and gives its request. What an attempt before may have stored or copied is gone, what shows the
judge's word is hidden, and the cover that comes over a task at its end starts no second one: only the first counts."""
JUDGE = """() => typeof core === 'object' && core.isBegun
    ? [WOB_RAW_REWARD_GLOBAL, WOB_DONE_GLOBAL, WOB_REWARD_REASON] : null"""
