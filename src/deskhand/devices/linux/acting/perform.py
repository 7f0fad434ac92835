"""Doing one action on a Linux desktop."""

from __future__ import annotations

from typing import assert_never

import anyio

from deskhand.core.action import (
    Action,
    ActionResult,
    ArrangeWindow,
    CallTool,
    CallUser,
    Click,
    CloseWindow,
    DoubleClick,
    DragTo,
    FocusWindow,
    GoBackward,
    GoForward,
    Hotkey,
    KeyDown,
    KeyUp,
    LongPress,
    MoveTo,
    NavigateBack,
    NavigateHome,
    OpenApp,
    OpenUrl,
    Press,
    Respond,
    RightClick,
    RunCommand,
    Scroll,
    SelectOption,
    SetValue,
    Swipe,
    Terminate,
    Wait,
    Write,
)
from deskhand.core.errors import Correctable
from deskhand.devices.linux.acting import arranging, choosing, keying, opening, pointing
from deskhand.devices.linux.rig import Rig

Pointing = Click | DoubleClick | RightClick | MoveTo | DragTo | Scroll | Swipe | LongPress
Keying = Write | Press | Hotkey | KeyDown | KeyUp
Opening = OpenApp | OpenUrl | FocusWindow | CloseWindow
Choosing = SelectOption | SetValue


async def perform(rig: Rig, action: Action, window: str) -> ActionResult:
    """Do one action and wait until the screen rests; when cancelled, let go of everything first.

    Raises:
        DeviceError: the device is broken.
    """
    finished = False
    try:
        rig.notice()
        result = await _perform(rig, action, window)
        finished = True
    except Correctable as error:
        finished = True
        return ActionResult(outcome="failed", text=str(error))
    finally:
        if not finished:
            rig.let_go()
    return result


async def _perform(rig: Rig, action: Action, window: str) -> ActionResult:
    match action:
        case Click() | DoubleClick() | RightClick() | MoveTo() | DragTo() | Scroll() | Swipe() | LongPress():
            return await _point(rig, action, window)
        case Write() | Press() | Hotkey() | KeyDown() | KeyUp():
            return await _key(rig, action, window)
        case OpenApp() | OpenUrl() | FocusWindow() | CloseWindow():
            return await _open(rig, action)
        case ArrangeWindow():
            return await arranging.arrange_window(rig, action)
        case SelectOption():
            return await choosing.select(rig, action, window)
        case SetValue():
            return await choosing.set_value(rig, action, window)
        case Wait(seconds=seconds):
            await anyio.sleep(seconds)
            return ActionResult(outcome="done", text=f"{seconds:g} s have passed")
        case GoBackward() | GoForward() | NavigateHome() | NavigateBack() | RunCommand():
            return ActionResult(outcome="failed", text=f"a Linux desktop has no {action.kind}; {_INSTEAD[action.kind]}")
        case CallUser() | Respond() | Terminate() | CallTool():
            return ActionResult(outcome="failed", text=f"{action.kind} is not for a device: nothing was done")
        case _:
            assert_never(action)


_INSTEAD = {
    "go_backward": "press the hotkey alt+left in a browser",
    "go_forward": "press the hotkey alt+right in a browser",
    "navigate_home": "bring up the window that is wanted",
    "run_command": "use its applications, or call the tool `shell` where there is one",
    "navigate_back": "press Escape, or close the window",
}


async def _point(rig: Rig, action: Pointing, window: str) -> ActionResult:
    match action:
        case Click():
            return await pointing.click(rig, action, window)
        case DoubleClick(target=target, button=button):
            return await pointing.click(rig, Click(target=target, clicks=2, button=button), window)
        case RightClick(target=target):
            return await pointing.click(rig, Click(target=target, button="right"), window)
        case MoveTo():
            return await pointing.move(rig, action, window)
        case DragTo():
            return await pointing.drag(rig, action, window)
        case Scroll():
            return await pointing.scroll(rig, action, window)
        case Swipe():
            return await pointing.swipe(rig, action, window)
        case LongPress():
            return await pointing.hold(rig, action, window)
        case _:
            assert_never(action)


async def _key(rig: Rig, action: Keying, window: str) -> ActionResult:
    match action:
        case Write():
            return await keying.write(rig, action, window)
        case Press():
            return await keying.press(rig, action, window)
        case Hotkey():
            return await keying.hotkey(rig, action, window)
        case KeyDown():
            return await keying.key_down(rig, action, window)
        case KeyUp():
            return await keying.key_up(rig, action)
        case _:
            assert_never(action)


async def _open(rig: Rig, action: Opening) -> ActionResult:
    match action:
        case OpenApp():
            return await opening.open_app(rig, action)
        case OpenUrl():
            return await opening.open_url(rig, action)
        case FocusWindow():
            return await opening.focus_window(rig, action)
        case CloseWindow():
            return await opening.close_window(rig, action)
        case _:
            assert_never(action)
