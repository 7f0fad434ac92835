"""The action space as models are told of it: one table of names, parameters and meanings."""

from __future__ import annotations

import re
from typing import NamedTuple

PLACE_WORDS = frozenset({"x", "y", "element", "id", "described"})
"""Parameters that say where: `x` and `y`, an element by id or words, or surely one of them."""


class Signature(NamedTuple):
    """An action as it is called: `parameters` are written `name: type`, with ` = default` when not required."""

    name: str
    parameters: tuple[str, ...]
    meaning: str

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.parameters)})"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(parameter.lstrip("*").partition(":")[0] for parameter in self.parameters)

    @property
    def required(self) -> tuple[str, ...]:
        return tuple(n for n, p in zip(self.names, self.parameters, strict=True) if " = " not in p)


_AT = ("x: float", "y: float")
_MAY = ("x: float = None", "y: float = None")
_ON = "element: str = None"

_ROWS = (
    Signature(
        "click",
        (*_MAY, "clicks: int = 1", "button: str = 'left'", _ON, "modifiers: list[str] = []"),
        "Click a place or an element; without either, where the pointer is. Buttons: left, middle, right.",
    ),
    Signature("doubleClick", (*_MAY, "button: str = 'left'", _ON), "Click twice."),
    Signature("rightClick", (*_MAY, _ON), "Click with the right button, for a context menu."),
    Signature("moveTo", (*_AT, _ON), "Put the pointer there."),
    Signature(
        "dragTo",
        (*_AT, "button: str = 'left'", _ON, "start: point | element = None", "path: list[point] = []"),
        "Drag from `start`, or from where the pointer is, to a place.",
    ),
    Signature(
        "scroll",
        ("clicks: int = 0", *_MAY, _ON, "right: int = 0"),
        "Turn the wheel: positive clicks go up, negative go down.",
    ),
    Signature(
        "swipe",
        ("from_coord: point = None", "to_coord: point = None", "direction: str = 'up'", "amount: float = 0.5"),
        "Move a finger over a touch screen; up shows what is below.",
    ),
    Signature("long_press", (*_AT, "duration: float = 1", _ON), "Press and hold, in seconds."),
    Signature(
        "write",
        ("message: str", *_MAY, _ON, "replace: bool = False"),
        "Enter text exactly as it stands, into an element or where the focus is; `replace` takes the old text away.",
    ),
    Signature("press", ("keys: str | list[str]", "presses: int = 1"), "Press keys one after the other."),
    Signature("hotkey", ("*keys: str",), "Press keys together, as in hotkey('ctrl', 's')."),
    Signature("keyDown", ("key: str",), "Hold a key down."),
    Signature("keyUp", ("key: str",), "Let a key go."),
    Signature(
        "select_option",
        (*_AT, "value: str", _ON),
        "Choose the option called `value` of a combo box, list or group of tabs.",
    ),
    Signature(
        "set_value",
        (*_AT, "value: str", _ON),
        "Set a slider or spin button to a number, a check box or switch to 'on' or 'off'.",
    ),
    Signature("open_app", ("app_name: str",), "Start an application."),
    Signature("focus_window", ("window: str",), "Bring a window up, by its id."),
    Signature("close_window", ("window: str",), "Ask a window to close, by its id."),
    Signature("open_url", ("url: str",), "Open an address in a browser."),
    Signature("go_backward", (), "Go back one page."),
    Signature("go_forward", (), "Go forward one page."),
    Signature("navigate_home", (), "Go to the home screen of a phone."),
    Signature("navigate_back", (), "Press the back button of a phone."),
    Signature("wait", ("seconds: float = 3",), "Wait for the screen to change."),
    Signature("call_user", ("question: str = ''",), "Hand over to the user."),
    Signature("response", ("answer: str",), "Give the user an answer in words."),
    Signature(
        "terminate",
        ("status: str = 'success'", "info: str = None"),
        "End the task: 'success' or 'failure'.",
    ),
    Signature(
        "call_tool",
        ("tool: str", "arguments: dict = {}"),
        "Call a tool by name instead of using the screen.",
    ),
)

TABLE = {re.sub(r"[^a-z]", "", row.name.lower()): row for row in _ROWS}
"""Every action by its name in small letters without signs."""

ALIASES = {
    "leftclick": "click",
    "tap": "click",
    "leftdouble": "doubleclick",
    "rightsingle": "rightclick",
    "type": "write",
    "typetext": "write",
    "input": "write",
    "inputtext": "write",
    "entertext": "write",
    "settext": "write",
    "presskey": "press",
    "key": "press",
    "keypress": "press",
    "keycombination": "hotkey",
    "shortcut": "hotkey",
    "move": "moveto",
    "mousemove": "moveto",
    "hover": "moveto",
    "drag": "dragto",
    "leftclickdrag": "dragto",
    "longclick": "longpress",
    "select": "selectoption",
    "openapplication": "openapp",
    "launchapp": "openapp",
    "launch": "openapp",
    "openurl": "openurl",
    "goto": "openurl",
    "goback": "gobackward",
    "sleep": "wait",
    "respond": "response",
    "answer": "response",
    "asktheuser": "calluser",
    "askuser": "calluser",
    "finish": "terminate",
    "finished": "terminate",
    "done": "terminate",
    "tool": "calltool",
}
"""Other systems' names for the same."""

PARAMETER_ALIASES = {
    ("write", "text"): "message",
    ("write", "content"): "message",
    ("press", "key"): "keys",
    ("hotkey", "key"): "keys",
    ("hotkey", "args"): "keys",
    ("keyDown", "keys"): "key",
    ("keyUp", "keys"): "key",
    ("open_app", "app"): "app_name",
    ("open_app", "name"): "app_name",
    ("open_app", "application"): "app_name",
    ("select_option", "option"): "value",
    ("response", "text"): "answer",
    ("response", "content"): "answer",
    ("terminate", "answer"): "info",
    ("call_user", "message"): "question",
    ("wait", "time"): "seconds",
    ("call_tool", "name"): "tool",
}
"""Other systems' names for parameters, by the action's name."""

SIGNATURES = (
    "Where x, y and element stand, say the place by x and y, or by element (an id, or words for it), not by both.\n"
    + "\n".join(f"{row}\n    {row.meaning}" for row in _ROWS)
)
"""The whole action space, for prompts."""
