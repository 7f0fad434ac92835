"""Applications and windows: starting them, bringing them up, closing them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import anyio.to_thread

from deskhand.core.action import ActionResult, CloseWindow, FocusWindow, OpenApp, OpenUrl
from deskhand.core.errors import DeviceError, DeviceLost, TargetNotFound
from deskhand.core.observation import Application, Window
from deskhand.devices.linux.acting.reach import PATIENCE, bring_up, find_window
from deskhand.devices.linux.acting.verify import rested
from deskhand.devices.linux.applications.catalogue import Installed, Places, installed
from deskhand.devices.linux.applications.launch import launch
from deskhand.devices.linux.processes import stopped
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.windows.listing import window_manager
from deskhand.devices.linux.windows.managing import OBEYED, activate, close, is_given_keyboard, listens
from deskhand.perception.applications import find

BROWSED = ("x-scheme-handler/https", "x-scheme-handler/http", "text/html")


async def applications(rig: Rig) -> tuple[Installed, ...]:
    """Read what can be started on this desktop."""
    return await anyio.to_thread.run_sync(installed, Places.of(rig.session.environment), abandon_on_cancel=True)


async def open_app(rig: Rig, action: OpenApp) -> ActionResult:
    known = await applications(rig)
    found = find([each.application for each in known], action.app_name)
    if not isinstance(found, Application):
        raise TargetNotFound(_not_found(action.app_name, found, known))
    chosen = next(each for each in known if each.application.id == found.id)
    return await _start(rig, chosen, ())


async def open_url(rig: Rig, action: OpenUrl) -> ActionResult:
    known = await applications(rig)
    browser = next((each for mime in BROWSED for each in known if mime in each.application.default_for), None)
    if browser is None:
        raise TargetNotFound("no web browser is installed, so no address can be opened")
    return await _start(rig, browser, (action.url,))


async def focus_window(rig: Rig, action: FocusWindow) -> ActionResult:
    window = find_window(rig.windows(), action.window)
    now = await rested(rig, partial(activate, rig.display, window.id, PATIENCE))
    if now == window.id:
        return ActionResult(outcome="done", text=f"{window.title!r} has the keyboard", value=now)
    active = rig.window(now)
    if active and active.pid == window.pid and active.dialog_of:
        return ActionResult(outcome="done", text=f"its dialog {active.title!r} ({now}) has the keyboard", value=now)
    holder = f"{active.title!r} keeps it" if active else "no window has it"
    why = "; its process is stopped" * stopped(window.pid)
    why = why or "; it does not take it, but can be clicked" * (not is_given_keyboard(rig.display, window.id))
    text = f"{window.title!r} did not get the keyboard, {holder}{why or await _hanging(rig)}"
    return ActionResult(outcome="failed", text=text, value=now)


async def close_window(rig: Rig, action: CloseWindow) -> ActionResult:
    before = rig.windows()
    window = find_window(before, action.window)

    async def closed_or_asked() -> bool:
        return await close(rig.display, window.id, PATIENCE, unless=lambda: bool(_asking(rig, window, before)))

    closed = await rested(rig, closed_or_asked)
    asking = _asking(rig, window, before)
    if closed:
        anew = f"; {asking[0].title!r} ({asking[0].id}) has come up" if asking else ""
        return ActionResult(outcome="done", text=f"the window {window.title!r} is closed{anew}")
    if asking:
        text = f"the window {window.title!r} is still open: {asking[0].title!r} ({asking[0].id}) asks back"
        return ActionResult(outcome="unverified", text=text, value=asking[0].id)
    if stopped(window.pid) or not await rig.controls.alive(window.pid, PATIENCE):
        text = f"the window {window.title!r} is still open: {window.app} does not answer"
        return ActionResult(outcome="failed", text=text)
    text = f"the window {window.title!r} is still open after {PATIENCE:g} s{await _hanging(rig)}"
    return ActionResult(outcome="failed", text=text)


async def _hanging(rig: Rig) -> str:
    """Say so if it is the window manager that does nothing."""
    works = not window_manager(rig.display) or await listens(rig.display, OBEYED)
    return "" if works else "; the window manager does not answer"


async def _start(rig: Rig, chosen: Installed, files: Sequence[str]) -> ActionResult:
    name = chosen.application.name

    async def start() -> ActionResult:
        try:
            came = await launch(rig.session, rig.display, chosen.entry, files)
        except DeviceLost:
            raise
        except DeviceError as error:
            return ActionResult(outcome="failed", text=f"{name} could not be started: {error}")
        if came.window is None:
            return ActionResult(outcome="failed", text=f"{name} did not come up: {came.problem}{await _hanging(rig)}")
        how = "came up as" if came.fresh else "was running already; now up is"
        return ActionResult(outcome="done", text=f"{name} {how} the window", value=came.window.id)

    result = await rested(rig, start)
    if result.outcome != "done":
        return result
    rig.work_in(result.value)
    up = await bring_up(rig, result.value)
    window = rig.window(result.value) or up
    title = f" {window.title!r} ({window.id})" if window else ""
    return result.model_copy(update={"text": result.text + title})


def _asking(rig: Rig, closing: Window, before: Sequence[Window]) -> list[Window]:
    """Give the windows that an application has brought up since, those first that belong to the one being closed."""
    known = {window.id for window in before}
    new = [window for window in rig.windows() if window.id not in known]
    own = [each for each in new if each.dialog_of == closing.id or (each.pid and each.pid == closing.pid)]
    return sorted(own, key=lambda each: each.dialog_of != closing.id)


def _not_found(name: str, near: Sequence[Application], known: Sequence[Installed]) -> str:
    if near:
        names = ", ".join(f"{each.name} ({each.id})" for each in near)
        return f"no application is called {name!r}; the nearest are: {names}"
    there = ", ".join(each.application.name for each in known[:20]) or "none"
    return f"no application is called {name!r}; there are: {there}"
