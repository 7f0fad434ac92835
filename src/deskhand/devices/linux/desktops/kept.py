"""Private desktops that stay up after the command that started them, each under a name of its user's."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from deskhand.core.errors import DeviceError, SettingsError
from deskhand.core.geometry import Size
from deskhand.devices.linux.desktops.furnishing import PASSED_ON
from deskhand.devices.linux.desktops.programs import Programs, sweep
from deskhand.devices.linux.desktops.virtual import Desktop, virtual_desktop
from deskhand.devices.linux.processes import running
from deskhand.devices.linux.spec import FULL_HD, NAME
from deskhand.devices.linux.waiting import until

PLACE = "/tmp/deskhand-desktops-{user}"
"""Holds a link a desktop, of its name, to its private folder. Not where a session keeps such things: desktops outlive
sessions, and have one of their own."""
RECORD, COMMANDS = "desktop.json", "commands"
TAKEDOWN = 5.0
"""Seconds in which a desktop has to be gone."""
NEEDED = ("guardian", "Xvfb", "dbus-daemon")
"""The parts without which nothing works; the others are started anew, or can be done without."""
OWN_WAY = frozenset({"PATH", "HOME", *PASSED_ON})
"""Variables of a desktop that a shell keeps its own of."""


class Kept(NamedTuple):
    """A desktop that stays up."""

    name: str
    folder: Path
    """Private to it."""
    size: Size
    pids: Mapping[str, int]
    """The process of each part; `guardian` ends them all when it is ended."""
    environment: Mapping[str, str]
    """For the programs that are to run on it."""
    accessibility: str
    """The address of its accessibility bus."""

    @property
    def display(self) -> str:
        return self.environment["DISPLAY"]

    @property
    def problem(self) -> str:
        """What is wrong with it, "" where nothing is."""
        gone = [part for part in NEEDED if not running(self.pids[part])]
        return f"its {', '.join(gone)} {'are' if len(gone) > 1 else 'is'} gone" if gone else ""

    @property
    def exported(self) -> dict[str, str]:
        """Give the variables with which programs of any shell come up on it, and can be read."""
        ours = {
            name: value
            for name, value in self.environment.items()
            if name not in OWN_WAY and not name.startswith("LC_")
        }
        # Of a Wayland session's shell, whose toolkits would go there.
        return {**ours, "AT_SPI_BUS_ADDRESS": self.accessibility, "WAYLAND_DISPLAY": ""}


async def start_kept(name: str, size: Size = FULL_HD, environment: Mapping[str, str] | None = None) -> Kept:
    """Bring up a desktop that stays; an empty name stands for the first number that is free.

    Nothing is left when it is cancelled before.

    Raises:
        SettingsError: the name cannot be one, or is taken.
        DeviceError: a part does not come up, or there is no place to keep it in.
    """
    names = {each.name for each in await list_kept()}
    name = _checked(name) if name else next(free for number in range(1, 1000) if (free := str(number)) not in names)
    if name in names:
        raise _taken(name)
    async with virtual_desktop(size, environment=environment) as desktop:
        kept = Kept(name, desktop.folder, size, desktop.pids, desktop.environment, desktop.accessibility)
        _write(kept)
        try:
            (_place() / name).symlink_to(desktop.folder)
        except FileExistsError as error:  # by somebody who was quicker
            raise _taken(name) from error
        await desktop.programs.keep(desktop.folder / COMMANDS)
    return kept


async def list_kept() -> tuple[Kept, ...]:
    """List the user's desktops by name; those that are broken, and what is left of dead ones, are cleared away.

    Raises:
        DeviceError: one does not end.
    """
    found = []
    for link in _links():
        kept = _read(link)
        if kept is None or kept.problem:
            await _end(link, kept)
        else:
            found.append(kept)
    return tuple(found)


def kept_desktop(name: str) -> Kept:
    """Give a desktop by its name.

    Raises:
        SettingsError: there is none of that name.
        DeviceError: it is broken; says what of it is gone.
    """
    kept = _read(_place() / _checked(name))
    if kept is None:
        raise _absent(name)
    if kept.problem:
        raise DeviceError(f"the desktop {name!r} is broken, {kept.problem}; run: deskhand desktop stop {name}")
    return kept


async def stop_kept(name: str) -> None:
    """Take a desktop down, whole or broken, with all that runs on it.

    Raises:
        SettingsError: there is none of that name.
        DeviceError: it does not end.
    """
    link = _place() / _checked(name)
    kept = _read(link)
    if kept is None:
        raise _absent(name)
    await _end(link, kept)


@asynccontextmanager
async def reached(kept: Kept) -> AsyncIterator[Desktop]:
    """Lend a way to start programs on a desktop that stays: they stay with it, and end with it.

    Raises:
        DeviceLost: its guardian is gone.
    """
    answers = kept.folder / f"answers-{os.getpid()}"
    answers.unlink(missing_ok=True)
    os.mkfifo(answers, 0o600)
    # Both ways: the end of one answer would be the end of all.
    hearing = os.open(answers, os.O_RDWR | os.O_NONBLOCK)
    saying = os.open(kept.folder / COMMANDS, os.O_WRONLY | os.O_NONBLOCK)
    try:
        programs = Programs((saying, hearing), kept.pids["guardian"], answers)
        yield Desktop(kept.display, kept.environment, kept.folder, programs, dict(kept.pids))
    finally:
        os.close(hearing)
        os.close(saying)
        answers.unlink(missing_ok=True)


def _place() -> Path:
    """Give the user's own folder of desktops, made where it is not there.

    Raises:
        DeviceError: somebody else has taken it.
    """
    place = Path(PLACE.format(user=os.getuid()))
    with suppress(FileExistsError):
        place.mkdir(mode=0o700)
    status = place.lstat()
    if place.is_symlink() or status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise DeviceError(f"{place} is not a private folder of yours; have it removed, desktops are kept in it")
    return place


def _checked(name: str) -> str:
    if not re.fullmatch(NAME, name):
        raise SettingsError(f"{name!r} cannot name a desktop: use letters, digits and -, at most 40")
    return name


def _taken(name: str) -> SettingsError:
    return SettingsError(
        f"a desktop {name!r} is up already; use it with --device linux:desktop={name}, or stop it with: "
        f"deskhand desktop stop {name}"
    )


def _absent(name: str) -> SettingsError:
    names = ", ".join(link.name for link in _links() if _read(link)) or "none"
    return SettingsError(
        f"no desktop {name!r} of yours is up (up: {names}); it would be started by: deskhand desktop start {name}"
    )


def _links() -> list[Path]:
    return sorted(link for link in _place().iterdir() if link.is_symlink())


def _write(kept: Kept) -> None:
    os.mkfifo(kept.folder / COMMANDS, 0o600)
    facts = {"display": kept.display, **kept._asdict(), "folder": str(kept.folder), "pids": dict(kept.pids)}
    facts["environment"] = dict(kept.environment)
    (kept.folder / RECORD).write_text(json.dumps(facts, indent=1))


def _read(link: Path) -> Kept | None:
    """Read what is known of a desktop; None when there is none, or its guardian is gone."""
    try:
        facts = json.loads((link / RECORD).read_text())
        folder = link.readlink()
        guardian = Path(f"/proc/{facts['pids']['guardian']}/cmdline").read_bytes()
    except (OSError, ValueError):
        return None
    if os.fsencode(f"{folder}\0") not in guardian:  # another process has been given its number
        return None
    size = Size(*facts["size"])
    return Kept(link.name, folder, size, facts["pids"], facts["environment"], facts["accessibility"])


async def _end(link: Path, kept: Kept | None) -> None:
    """End a desktop, or what is left of it when its guardian was killed, and remove its link."""
    folder = link.readlink()
    if kept:
        await _end_guardian(kept.pids["guardian"])
    link.unlink(missing_ok=True)
    if folder.is_dir() and folder.stat().st_uid == os.getuid():
        # Its programs know its home; a user's shell that has its other variables does not.
        sweep(folder, f"HOME={folder}/")
    if folder.exists():
        raise DeviceError(f"the desktop {link.name!r} does not end: {folder} stays; end what works in it")


async def _end_guardian(pid: int) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):  # with the second its children die too
        with suppress(ProcessLookupError):
            os.kill(pid, number)
        if await until(lambda: not running(pid), TAKEDOWN, every=0.01):
            return
