"""The action space as models are told of it: one table of names, parameters and meanings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

PLACE_WORDS = frozenset({"x", "y", "element", "id", "described"})
"""Parameters that say where: `x` and `y`, an element by id or words, or surely one of them."""


@dataclass(frozen=True)
class Signature:
    """An action as it is called: `parameters` are written `name: type`, with ` = default` when not required."""

    name: str
    parameters: tuple[str, ...]
    meaning: str
    more: str = ""
    """What our own parameters add to the meaning."""

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.parameters)})"

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(parameter.lstrip("*").partition(":")[0] for parameter in self.parameters)

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        """The type of each parameter, by its name."""
        return {n: p.partition(": ")[2].partition(" = ")[0] for n, p in zip(self.names, self.parameters, strict=True)}

    @cached_property
    def required(self) -> tuple[str, ...]:
        return tuple(n for n, p in zip(self.names, self.parameters, strict=True) if " = " not in p)


_AT = ("x: float", "y: float")
_MAY = ("x: float = None", "y: float = None")
_ON = "element: str = None"

_ROWS = (
    Signature(
        "click",
        (*_MAY, "clicks: int = 1", "button: str = 'left'", _ON, "modifiers: list[str] = []"),
        "Click a place; without one, where the pointer is. Buttons: left, middle, right.",
    ),
    Signature("doubleClick", (*_MAY, "button: str = 'left'", _ON), "Click twice."),
    Signature("rightClick", (*_MAY, _ON), "Click with the right button, for a context menu."),
    Signature("moveTo", (*_AT, _ON), "Put the pointer there."),
    Signature(
        "dragTo",
        (*_AT, "button: str = 'left'", _ON, "start: point | element = None", "path: list[point] = []"),
        "Drag from where the pointer is to a place.",
        "With `start`, from there.",
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
        "Enter text exactly as it stands, where the focus is.",
        "With a place, there; `replace` takes the old text away.",
    ),
    Signature("press", ("keys: str | list[str]", "presses: int = 1"), "Press keys one after the other."),
    Signature("hotkey", ("*args: str",), "Press keys together, as in hotkey('ctrl', 's')."),
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
    Signature(
        "arrange_window",
        ("window: str", "how: str", "corner: point = None", "size: point = None"),
        "Move, resize, minimize, maximize or restore a window, by its id.",
        "`corner` is where its upper left one comes, `size` its width and height.",
    ),
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
        "run_command",
        ("command: str", "seconds: float = 60", "background: bool = False", "terminal: bool = False"),
        "Run a command line in bash; it reads no input and is stopped after `seconds`. `background` leaves it running; "
        "`terminal` is for a program that is used with keys: they go to it until it ends.",
    ),
    Signature(
        "call_tool",
        ("tool: str", "arguments: dict = {}"),
        "Call a tool by name instead of using the screen, with an object of its own arguments.",
    ),
)

TABLE = {re.sub(r"[^a-z]", "", row.name.lower()): row for row in _ROWS}
"""Every action by its name in small letters without signs."""

ACTIONS = ", ".join(row.name for row in _ROWS)

_HOW_TO_ARRANGE = ("move", "resize", "minimize", "minimise", "maximize", "maximise", "restore")

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
    "fail": "terminate",
    "tool": "calltool",
    **dict.fromkeys(("bash", "shell", "runshell", "execute", "executecommand", "runcommandline"), "runcommand"),
    "typewrite": "write",
    "presshome": "navigatehome",
    "home": "navigatehome",
    "pressback": "navigateback",
    "tripleclick": "click",
    "middleclick": "click",
    **{f"{how}window": "arrangewindow" for how in _HOW_TO_ARRANGE},
    "activatewindow": "focuswindow",
}
"""Other systems' names for the same."""

_SAID_BY_NAME: Mapping[str, Mapping[str, object]] = {
    "tripleclick": {"clicks": 3},
    "middleclick": {"button": "middle"},
    "fail": {"status": "failure"},
    **{f"{how}window": {"how": how} for how in _HOW_TO_ARRANGE},
}

PARAMETER_ALIASES = {
    ("write", "text"): "message",
    ("write", "content"): "message",
    ("press", "key"): "keys",
    ("hotkey", "key"): "args",
    ("hotkey", "keys"): "args",
    ("keyDown", "keys"): "key",
    ("keyUp", "keys"): "key",
    ("open_app", "app"): "app_name",
    ("open_app", "name"): "app_name",
    ("open_app", "application"): "app_name",
    ("select_option", "option"): "value",
    ("response", "text"): "answer",
    ("response", "content"): "answer",
    ("terminate", "answer"): "info",
    ("terminate", "content"): "info",
    ("terminate", "text"): "info",
    ("scroll", "amount"): "clicks",
    ("scroll", "step"): "clicks",
    **dict.fromkeys((("swipe", key) for key in ("from", "start", "start_box", "start_point")), "from_coord"),
    **dict.fromkeys((("swipe", key) for key in ("coordinate", "start_coordinate")), "from_coord"),
    **dict.fromkeys((("swipe", key) for key in ("to", "end", "end_box", "end_point")), "to_coord"),
    **dict.fromkeys((("swipe", key) for key in ("coordinate2", "end_coordinate")), "to_coord"),
    ("call_user", "message"): "question",
    ("wait", "time"): "seconds",
    ("call_tool", "name"): "tool",
    ("run_command", "cmd"): "command",
    ("run_command", "bash_command"): "command",
    ("run_command", "timeout"): "seconds",
}
"""Other systems' names for parameters, by the action's name."""

CLOSED = {
    "button": ("left", "middle", "right", "back", "forward"),
    "direction": ("up", "down", "left", "right"),
    "how": ("move", "resize", "minimize", "maximize", "restore"),
    "status": ("success", "failure"),
}
"""The words that may stand for parameters that take no others."""

SAID_FOR = {
    **{"wheel": "middle", "primary": "left", "secondary": "right"},
    **dict.fromkeys(("succeeded", "successful", "succeed", "done", "complete", "completed", "finished"), "success"),
    **dict.fromkeys(("fail", "failed", "infeasible", "impossible", "error"), "failure"),
    **{"minimise": "minimize", "iconify": "minimize", "maximise": "maximize", "unmaximize": "restore"},
}
"""Other systems' words for the same."""

MERE_TIMING = dict.fromkeys(("duration", "interval", "tween", "pause")).keys()
"""Parameters of other systems that say how fast, where ours do it as fast as it works; they change nothing else."""

POINTS = {
    **dict.fromkeys(("point", "coordinate", "coordinates", "coord", "coords", "position", "pos", "point_2d")),
    **dict.fromkeys(("start_box", "start_point", "box", "bbox", "bbox_2d", "center")),
}.keys()
"""Other systems' names for a parameter that holds x and y at once."""

END_POINTS = dict.fromkeys(("end_box", "end_point", "coordinate2", "end_coordinate")).keys()
"""The same for where a drag ends; what `POINTS` name is its start then."""


def key_of(name: str) -> str:
    """Give the key of an action in `TABLE`, if there is one, by any of its names; dots part a module from it."""
    key = _letters(name)
    return ALIASES.get(key, key)


def said_by_name(name: str) -> Mapping[str, object]:
    """Give the parameters whose values lie in the name itself, as in `tripleClick`."""
    return _SAID_BY_NAME.get(_letters(name), {})


@lru_cache(1000)
def _letters(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.rpartition(".")[2].lower())


def signature_named(name: str) -> str:
    """Give the name of the action that a name stands for, "" for none."""
    found = TABLE.get(key_of(name))
    return found.name if found else ""


@lru_cache(1000)
def is_action(name: str) -> bool:
    """Tell whether this is a name of an action."""
    return key_of(name) in TABLE


_OURS = frozenset({"element", "modifiers", "start", "path", "right", "replace"})
"""Parameters that are additions to ScaleCUA's action space and that models trained on it are not told of."""

_DESKTOP = "click doubleClick rightClick scroll moveTo dragTo press hotkey keyDown keyUp write call_user wait response"
_WEB = (
    "click doubleClick rightClick moveTo dragTo swipe press hotkey write open_url go_backward go_forward wait response"
)
_PHONE = "click swipe long_press open_app navigate_home navigate_back write call_user wait response"
_SHELL = "run_command write press hotkey wait call_user response"
ON_PLATFORM: Mapping[str, tuple[str, ...]] = {
    platform: (*names.split(), "terminate")
    for platform, names in (("linux", _DESKTOP), ("web", _WEB), ("android", _PHONE), ("shell", _SHELL))
}
"""The actions that models trained on a platform know there."""
_MORE: Mapping[str, tuple[str, ...]] = {"linux": ("open_app", "focus_window", "close_window")}
"""What they are told of besides: nothing else starts applications and changes windows on a desktop without a panel."""


_TO_PLANNERS = {
    "click": "Click the place that you describe. Buttons: left, middle, right.",
    "doubleClick": "Click it twice.",
    "moveTo": "Put the pointer on the place that you describe.",
    "dragTo": "Drag from where the pointer is to the place that you describe.",
    "scroll": "Turn the wheel where the pointer is: positive clicks go up, negative go down.",
    "write": "Enter text exactly as it stands, where the focus is; `replace` takes the old text away.",
}
"""What an action means where its place is said in words."""
_FOR_PLANNERS = ("select_option", "set_value", "open_app", "focus_window", "close_window", "arrange_window", "open_url")


def stubs(platform: str, more: Sequence[str] = ()) -> str:
    """Write the actions of a platform, and `more`, the way models that are trained on calls were shown them."""
    names = (*ON_PLATFORM[platform], *_MORE.get(platform, ()), *more)
    return "\n".join(_stub(TABLE[key_of(name)]) for name in names)


def without_places(platform: str, more: Sequence[str] = ()) -> str:
    """Write the actions of a platform, and `more`, for a planner, who leaves places to somebody else."""
    own = _FOR_PLANNERS if platform == "linux" else ()
    rows = [TABLE[key_of(name)] for name in (*ON_PLATFORM[platform], *own, *more)]
    lines = []
    for row in rows:
        hidden = {"x", "y", "modifiers", "start", "path", "right", "from_coord", "to_coord"}
        shown = [p for n, p in zip(row.names, row.parameters, strict=True) if n not in hidden]
        call = f"{row.name}({', '.join(shown)})"
        described = _TO_PLANNERS.get(row.name)
        lines.append(f"{call}\n    {described}" if described else _explained(call, row))
    return "\n".join(lines)


def _explained(call: str, row: Signature) -> str:
    return f"{call}\n    {row.meaning} {row.more}".rstrip()


def _stub(row: Signature) -> str:
    hidden = _OURS if row.name != "write" else {*_OURS, "x", "y"}
    shown = [p for n, p in zip(row.names, row.parameters, strict=True) if n not in hidden]
    return f'def {row.name}({", ".join(shown)}):\n    """{row.meaning}"""'


_IN_JSON: Mapping[str, str] = {
    "linux": f"{_DESKTOP} select_option set_value open_app focus_window close_window arrange_window open_url",
    "web": f"{_WEB} scroll select_option set_value",
    "android": f"{_PHONE} select_option set_value",
    "shell": f"{_SHELL} close_window",
}
_BY_STATUS = frozenset({"call_user", "response"})
"""What the `json` dialects say by a reply's status and result."""
_PLACES = {"element": "`element` (an id, or words for it)", "mark": "`mark` (a control's number)"}
_TO_JSON = {"*args: str": "keys: list[str]", ": point": ": [x, y]", "[point]": "[[x, y]]", "'": '"'}
_TO_JSON |= {"False": "false", "None": "null"}
_MEANT_IN_JSON = {"hotkey": 'Press keys together: {"keys": ["ctrl", "s"]}.'}


def in_json(platform: str, named: Literal["element", "mark"] = "element", more: Sequence[str] = ()) -> str:
    """Write the actions of a platform, and `more`, as JSON has them; a control is `named` by id or number."""
    rows = [TABLE[key_of(name)] for name in (*_IN_JSON[platform].split(), *more) if name not in _BY_STATUS]
    place = f"PLACE is {_PLACES[named]}, or else `x` and `y`. What has a default or brackets may be left out."
    return "\n".join([place, *(_json_row(row, named) for row in rows)])


def _json_row(row: Signature, named: str) -> str:
    pairs = zip(row.names, row.parameters, strict=True)
    told = [_json_parameter(parameter, named) for name, parameter in pairs if name not in PLACE_WORDS]
    if "x" in row.names:
        told.insert(0, "PLACE" if "x" in row.required else "[PLACE]")
    meaning = _MEANT_IN_JSON.get(row.name, f"{row.meaning} {row.more}".rstrip())
    return f"{row.name}({', '.join(told)}): {meaning}"


def _json_parameter(parameter: str, named: str) -> str:
    for ours, theirs in _TO_JSON.items():
        parameter = parameter.replace(ours, theirs)
    return parameter.replace("| element", f"| {named}")
