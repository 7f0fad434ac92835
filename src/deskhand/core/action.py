"""The unified action space: what an agent can do, and what came of it. A closed union.

Names and parameters are those of ScaleCUA's action space; what we add to it says so.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from deskhand.core.geometry import Point, Size
from deskhand.core.value import Value


class At(Value):
    """A device pixel."""

    by: Literal["point"] = "point"
    point: Point


class OnElement(Value):
    """An element of an observation; the device finds it again, or says that it is gone."""

    by: Literal["element"] = "element"
    id: str


class Described(Value):
    """A place put in words; a grounder turns it into one of the others before anything is performed."""

    by: Literal["words"] = "words"
    text: str


Target = Annotated[At | OnElement | Described, Field(discriminator="by")]

Button = Literal["left", "middle", "right", "back", "forward"]


class Click(Value):
    """Press and release a button, `clicks` times within the toolkit's double-click time; a tap on a touch screen.

    Without a target it happens where the pointer is. `modifiers` (our addition) are held meanwhile.
    """

    kind: Literal["click"] = "click"
    target: Target | None = None
    clicks: int = Field(default=1, ge=1, le=3)
    button: Button = "left"
    modifiers: tuple[str, ...] = ()


class DoubleClick(Value):
    kind: Literal["doubleClick"] = "doubleClick"
    target: Target | None = None
    button: Button = "left"


class RightClick(Value):
    kind: Literal["rightClick"] = "rightClick"
    target: Target | None = None


class MoveTo(Value):
    """Put the pointer there."""

    kind: Literal["moveTo"] = "moveTo"
    target: Target


class DragTo(Value):
    """Drag from where the pointer is, or from `start` (our addition), through `path` to `target`."""

    kind: Literal["dragTo"] = "dragTo"
    target: Target
    start: Target | None = None
    path: tuple[Point, ...] = ()
    button: Button = "left"


class Scroll(Value):
    """Turn the wheel over `target`, or where the pointer is.

    `clicks` are notches, positive up; `right` (our addition) are notches to the right.
    """

    kind: Literal["scroll"] = "scroll"
    clicks: int = Field(default=0, ge=-100, le=100)
    right: int = Field(default=0, ge=-100, le=100)
    target: Target | None = None


class Swipe(Value):
    """Move a finger over the screen: `direction` is the finger's, `amount` a part of the screen's extent."""

    kind: Literal["swipe"] = "swipe"
    from_coord: Target | None = None
    to_coord: Target | None = None
    direction: Literal["up", "down", "left", "right"] = "up"
    amount: float = Field(default=0.5, ge=0, le=1)


class LongPress(Value):
    """Press and hold for `duration` seconds."""

    kind: Literal["long_press"] = "long_press"
    target: Target
    duration: float = Field(default=1, gt=0, le=60)


class Write(Value):
    r"""Enter text exactly as it stands, where the focus is or into `target` (our addition).

    `\n` is a line break, as is `\r\n`, and `\t` a tab character. `replace` (our addition) puts it in place of all that
    is there. `{{secret:NAME}}` stands for a secret of the settings.
    """

    kind: Literal["write"] = "write"
    message: str
    target: Target | None = None
    replace: bool = False

    @field_validator("message")
    @classmethod
    def _with_our_line_breaks(cls, message: str) -> str:
        return message.replace("\r\n", "\n")


class Press(Value):
    """Press and release keys one after the other, `presses` times."""

    kind: Literal["press"] = "press"
    keys: tuple[str, ...] = Field(min_length=1)
    presses: int = Field(default=1, ge=1, le=100)


class Hotkey(Value):
    """Hold keys in order, release them in reverse: `("ctrl", "s")`."""

    kind: Literal["hotkey"] = "hotkey"
    keys: tuple[str, ...] = Field(min_length=1)


class KeyDown(Value):
    """Hold a key until `KeyUp`, at the latest until the session ends."""

    kind: Literal["keyDown"] = "keyDown"
    key: str


class KeyUp(Value):
    kind: Literal["keyUp"] = "keyUp"
    key: str


class SelectOption(Value):
    """Choose the option called `value` of a combo box, list or group of tabs."""

    kind: Literal["select_option"] = "select_option"
    target: Target
    value: str


class SetValue(Value):
    """Set a slider, spin button or switch to `value` through its interface (our addition).

    Numbers as text; "on" and "off" for check boxes, switches and toggle buttons.
    """

    kind: Literal["set_value"] = "set_value"
    target: Target
    value: str


class OpenApp(Value):
    """Start an application by the id or name of the observation's list; its `value` is the new window's id."""

    kind: Literal["open_app"] = "open_app"
    app_name: str


class FocusWindow(Value):
    """Bring a window up and give it the keyboard (our addition)."""

    kind: Literal["focus_window"] = "focus_window"
    window: str


class CloseWindow(Value):
    """Ask a window to close, as its close button does; it may ask back (our addition)."""

    kind: Literal["close_window"] = "close_window"
    window: str


class ArrangeWindow(Value):
    """Move a window, change its size, put it away or let it fill the screen (our addition).

    `restore` undoes minimize and maximize. `corner` is where the upper left corner of its frame comes, `size` the
    extent of what is inside the frame; a move may give a size as well, a resize a corner.
    """

    kind: Literal["arrange_window"] = "arrange_window"
    window: str
    how: Literal["move", "resize", "minimize", "maximize", "restore"]
    corner: Point | None = None
    size: Size | None = None

    @model_validator(mode="after")
    def _says_where(self) -> ArrangeWindow:
        if self.how == "move" and self.corner is None:
            raise ValueError("a move needs a corner: x and y of its upper left one")
        if self.how == "resize" and (self.size is None or min(self.size) < 1):
            raise ValueError("a resize needs a size: its width and height")
        return self


class OpenUrl(Value):
    kind: Literal["open_url"] = "open_url"
    url: str


class GoBackward(Value):
    kind: Literal["go_backward"] = "go_backward"


class GoForward(Value):
    kind: Literal["go_forward"] = "go_forward"


class NavigateHome(Value):
    kind: Literal["navigate_home"] = "navigate_home"


class NavigateBack(Value):
    kind: Literal["navigate_back"] = "navigate_back"


class Wait(Value):
    """Do nothing for a while."""

    kind: Literal["wait"] = "wait"
    seconds: float = Field(default=3, gt=0, le=60)


class CallUser(Value):
    """Hand over to the person; `question` is our addition."""

    kind: Literal["call_user"] = "call_user"
    question: str = ""


class Respond(Value):
    """Give the person an answer in words; its `value` is the answer."""

    kind: Literal["response"] = "response"
    answer: str


class Terminate(Value):
    """Say that the task is over."""

    kind: Literal["terminate"] = "terminate"
    status: Literal["success", "failure"] = "success"
    info: str | None = None


class RunCommand(Value):
    """Run a command line in the shell (our addition). Its `value` is what it printed, bounded.

    It has no input: what reads some meets the end of it. After `seconds` it is stopped, with all it started.
    `background` leaves it running; `terminal` gives it a terminal of its own, for programs that are used with keys:
    what it shows is seen, and `write`, `press` and `hotkey` go to it until it ends.
    """

    kind: Literal["run_command"] = "run_command"
    command: str
    seconds: float = Field(default=60, gt=0, le=3600)
    background: bool = False
    terminal: bool = False


class CallTool(Value):
    """Call a named tool (an API, an MCP tool, a shell command) instead of the screen (our addition)."""

    kind: Literal["call_tool"] = "call_tool"
    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)


Action = Annotated[
    Click
    | DoubleClick
    | RightClick
    | MoveTo
    | DragTo
    | Scroll
    | Swipe
    | LongPress
    | Write
    | Press
    | Hotkey
    | KeyDown
    | KeyUp
    | SelectOption
    | SetValue
    | OpenApp
    | FocusWindow
    | CloseWindow
    | ArrangeWindow
    | OpenUrl
    | GoBackward
    | GoForward
    | NavigateHome
    | NavigateBack
    | Wait
    | CallUser
    | Respond
    | Terminate
    | RunCommand
    | CallTool,
    Field(discriminator="kind"),
]

Outcome = Literal["done", "unverified", "failed"]


class ActionResult(Value):
    """What came of an action. A failure the model should read is a result, not an exception."""

    outcome: Outcome
    """`done`: its effect was seen. `unverified`: it was sent and nothing could be read back. `failed`: it did not
    happen, or something else did. No layer may turn one into another."""
    text: str = ""
    """The evidence, or what went wrong and what to do, as a sentence for the model."""
    value: str = ""
    """What the action yields: the window of `open_app` and `focus_window`, a tool's answer."""
    receiver: str = ""
    """Which window and element took keyboard or pointer input, as far as it could be read."""
    waited: str = ""
    """What the device waited for since the last action, where that took long; for people, not for the model."""


def target_of(action: Action) -> Target | None:
    """Give the place an action is aimed at, for every action that has one."""
    match action:
        case (
            Click()
            | DoubleClick()
            | RightClick()
            | MoveTo()
            | DragTo()
            | Scroll()
            | LongPress()
            | Write()
            | SelectOption()
            | SetValue()
        ):
            return action.target
        case Swipe():
            return action.from_coord
        case _:  # the others have no place on the screen
            return None
