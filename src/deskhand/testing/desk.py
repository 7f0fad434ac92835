"""A device on paper: applications with a text box and a button, exactly repeatable, without a screen."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass, field

from PIL import Image as Canvas

from deskhand.core.action import (
    Action,
    ActionResult,
    At,
    Click,
    CloseWindow,
    FocusWindow,
    OnElement,
    OpenApp,
    Press,
    SetValue,
    Wait,
    Write,
    target_of,
)
from deskhand.core.geometry import Box, Size
from deskhand.core.observation import (
    ACTIVE_WINDOW,
    Application,
    Element,
    Image,
    Look,
    Observation,
    OneWindow,
    Subject,
    WholeDesktop,
    Window,
)

SIZE = Size(64, 48)


@dataclass
class PaperWindow:
    """A window: `text` is in its text box, `presses` is how often its button was pressed."""

    id: str
    app: str
    text: str = ""
    presses: int = 0
    buttons: tuple[str, ...] = ("OK", "Delete")


@dataclass
class PaperDesk:
    """Implements `Device`. `done` lists the actions that came through, `looks` counts the looks."""

    apps: tuple[str, ...] = ("editor", "calculator")
    name: str = "paper"
    windows: list[PaperWindow] = field(default_factory=list)
    done: list[Action] = field(default_factory=list)
    looks: int = 0
    outcome: ActionResult | None = None
    """When given, what comes of every action but opening; nothing changes on the desk then."""

    async def observe(self, subject: Subject = ACTIVE_WINDOW) -> Look:
        self.looks += 1
        shown = self._shown(subject)
        picture = _picture(repr((self.windows, shown)))
        observation = Observation(
            screen=Image(sha256=hashlib.sha256(picture).hexdigest(), size=SIZE),
            elements=_elements(shown) if shown is not None and not isinstance(subject, WholeDesktop) else (),
            windows=tuple(_window(w, active=w is self.windows[0]) for w in self.windows),
            applications=tuple(Application(id=a, name=a.title()) for a in self.apps)
            if isinstance(subject, WholeDesktop)
            else (),
            window=shown.id if shown is not None else "",
        )
        return Look(observation, {observation.screen.sha256: picture})

    async def perform(self, action: Action, window: str = "") -> ActionResult:
        self.done.append(action)
        match action:
            case OpenApp():
                return self._open(action.app_name)
            case FocusWindow():
                return self._focus(action.window)
            case CloseWindow():
                self.windows = [w for w in self.windows if w.id != action.window]
                return ActionResult(outcome="done")
            case _ if self.outcome is not None:
                return self.outcome
            case Wait() | Press():
                return ActionResult(outcome="unverified", text="sent")
            case Write() | SetValue() | Click():
                return self._use(action, window)
            case _:
                return ActionResult(outcome="failed", text=f"paper cannot {action.kind}")

    def _shown(self, subject: Subject) -> PaperWindow | None:
        if isinstance(subject, OneWindow):
            return next((w for w in self.windows if w.id == subject.id), None)
        return self.windows[0] if self.windows else None

    def _open(self, app: str) -> ActionResult:
        if app not in self.apps:
            return ActionResult(outcome="failed", text=f"{app!r} is not installed")
        window = PaperWindow(f"w{len(self.windows) + 1}", app)
        self.windows.insert(0, window)
        return ActionResult(outcome="done", value=window.id)

    def _focus(self, window: str) -> ActionResult:
        if (found := next((w for w in self.windows if w.id == window), None)) is None:
            return ActionResult(outcome="failed", text=f"there is no window {window!r}")
        self.windows.remove(found)
        self.windows.insert(0, found)
        return ActionResult(outcome="done", value=window)

    def _use(self, action: Write | SetValue | Click, window: str) -> ActionResult:
        here = next((w for w in self.windows if w.id == window), self.windows[0] if self.windows else None)
        if here is None:
            return ActionResult(outcome="failed", text="no window is open")
        match action:
            case Write():
                here.text = action.message if action.replace else here.text + action.message
            case SetValue():
                here.text = action.value
            case Click():
                target = target_of(action)
                ids = [e.id for e in _elements(here) if e.role == "button"]
                under = target.id if isinstance(target, OnElement) else ""
                if isinstance(target, At):
                    under = next((e.id for e in _elements(here) if e.box.holds(target.point)), "")
                if under not in ids:
                    return ActionResult(outcome="unverified", text="nothing is there")
                here.presses += 1
        return ActionResult(outcome="done", text="seen")


def _window(window: PaperWindow, *, active: bool) -> Window:
    return Window(
        id=window.id, title=f"{window.app} - paper", app=window.app, pid=1, box=Box.at(0, 0, *SIZE), active=active
    )


def _elements(window: PaperWindow) -> tuple[Element, ...]:
    number = int(window.id[1:]) * 100
    text = Element(
        id=f"e{number}",
        role="textbox",
        name="Text",
        value=window.text,
        box=Box.at(0, 0, 64, 16),
        states=("editable", "focused", "multiline"),
        actions=("set_text",),
        window=window.id,
    )
    buttons = [
        Element(
            id=f"e{number + i}",
            role="button",
            name=name,
            box=Box.at(i * 20 - 16, 20, 18, 10),
            actions=("press",),
            window=window.id,
        )
        for i, name in enumerate(window.buttons, 1)
    ]
    count = Element(
        id=f"e{number + 50}",
        role="label",
        name=f"pressed {window.presses}",
        box=Box.at(0, 36, 60, 10),
        window=window.id,
    )
    return (text, *buttons, count)


def _picture(state: str) -> bytes:
    color = hashlib.sha256(state.encode()).digest()
    out = io.BytesIO()
    Canvas.new("RGB", SIZE, (color[0], color[1], color[2])).save(out, "PNG")
    return out.getvalue()
