"""Looking at a desktop: its picture, its windows and the elements of one of them, of the same moment."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

import anyio.to_thread

from deskhand.core.observation import (
    ActiveWindow,
    Look,
    Observation,
    OneWindow,
    Subject,
    WholeDesktop,
    Window,
)
from deskhand.devices.linux.accessibility.reader import Reading
from deskhand.devices.linux.acting.opening import applications
from deskhand.devices.linux.processes import stopped
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.x11.monitors import seen_within
from deskhand.perception.picture import Pixels, part_of

READING = 2.0
"""Seconds that an application may take for its tree."""
TRIES = 3
"""How often a tree is read again because the screen changed meanwhile."""


_Read = Callable[[Window, Sequence[Window], float], Awaitable[Reading]]


class _Seen(NamedTuple):
    windows: tuple[Window, ...]
    window: Window | None
    reading: Reading
    pixels: Pixels


async def look(rig: Rig, subject: Subject) -> Look:
    """Look once.

    Raises:
        DeviceError: nothing can be seen.
    """
    rig.notice()
    seen = await _see(rig, subject)
    reading = seen.reading
    if seen.window:
        reading = await rig.eyes.complete(seen.window, seen.windows, reading, seen.pixels)
    rig.remember(reading.elements)
    view, monitors = rig.view()
    pixels = part_of(seen.pixels, view) if rig.monitor else seen.pixels
    picture = await anyio.to_thread.run_sync(rig.grabber.picture_of, pixels, abandon_on_cancel=True)
    pictures = [picture]
    if isinstance(subject, OneWindow) and subject.alone and seen.window:
        pictures.append(rig.grabber.encode(await rig.grabber.window(seen.window)))
    known = await applications(rig) if isinstance(subject, WholeDesktop) else ()
    observation = Observation(
        screen=picture.image,
        elements=reading.elements,
        windows=seen.windows,
        applications=tuple(each.application for each in known),
        window=seen.window.id if seen.window else "",
        truncated=reading.truncated,
        alone=pictures[1].image if len(pictures) > 1 else None,
    )
    if monitors or rig.monitor:
        observation = seen_within(view, observation, monitors)
    return Look(observation, {each.image.sha256: each.data for each in pictures})


async def _see(rig: Rig, subject: Subject) -> _Seen:
    """See windows, elements and picture together: read again when something moved while the tree was read."""
    deadline = time.monotonic() + READING
    for left in reversed(range(TRIES)):
        windows = rig.windows()
        window, problem = _subject(rig, windows, subject)
        before = rig.grabber.grab()
        reading = Reading((), problem)
        if window:
            read = rig.survey if isinstance(subject, OneWindow) and subject.hidden else rig.read
            reading = await _read(read, window, windows, deadline)
        pixels = rig.grabber.grab()
        if pixels == before or not left or time.monotonic() >= deadline - READING / 2:
            break
    return _Seen(windows, window, reading, pixels)


def _subject(rig: Rig, windows: Sequence[Window], subject: Subject) -> tuple[Window | None, str]:
    """Choose the window whose elements are wanted, or say why there is none."""
    match subject:
        case WholeDesktop():
            return None, ""
        case ActiveWindow():
            usable = (window for window in windows if not window.minimized)
            active = next((window for window in windows if window.active), None)
            return active or next(usable, None), "" if windows else "no window is open"
        case OneWindow(id=wanted):
            found = rig.meant(wanted, windows)
            return found, "" if found else f"the window {wanted} is closed"


async def _read(read: _Read, window: Window, windows: Sequence[Window], deadline: float) -> Reading:
    if stopped(window.pid):
        return Reading((), f"{window.app or window.title!r} is halted (its process is stopped) and does not answer")
    return await read(window, windows, max(0.2, deadline - time.monotonic()))
