"""What a device shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from deskhand.core.geometry import Box, Point, Size
from deskhand.core.value import Value


class Image(Value):
    """A picture, by the hash of its bytes; the journal holds the bytes."""

    sha256: str
    size: Size
    media_type: str = "image/png"


class Element(Value):
    """A control or a text on the screen, wherever it was found."""

    id: str
    """Names the same control in every look of one device, for as long as that control lives; never reused."""
    role: str
    """ARIA's word where it has one: button, checkbox, radio, switch, textbox, combobox, listbox, option, list,
    listitem, menubar, menu, menuitem, menuitemcheckbox, menuitemradio, tab, tablist, slider, spinbutton, link, img,
    label, heading, paragraph, dialog, alert, window, table, row, cell, columnheader, tree, treeitem, toolbar,
    status, scrollbar, progressbar, group, separator, document, terminal, password; otherwise the toolkit's own."""
    name: str = ""
    """What a person would call it: its accessible name, or the text of the label that belongs to it."""
    value: str = ""
    """The text it holds, or its number; always empty for passwords."""
    box: Box
    """Where it can be seen, in screen pixels, cut off at the edges of what contains it."""
    states: tuple[str, ...] = ()
    """Of: focused, checked, mixed, selected, pressed, expanded, collapsed, disabled, editable, multiline, readonly,
    haspopup (a button that opens a menu), modal, active, offscreen, covered, hidden (a text that is there and cannot
    be seen). What holds by default (visible, enabled) is not said."""
    actions: tuple[str, ...] = ()
    """What its interface offers: press, set_text, set_value, select, focus."""
    drawn: str = ""
    """What it looks like, where a person would tell it by that: "red circle", "blue box", "green digit"."""
    parent: str = ""
    """The id of the element that contains it, "" at the top."""
    window: str = ""
    """The id of the window it is in."""
    source: Literal["a11y", "dom", "ocr", "detector"] = "a11y"


class Window(Value):
    """A window that a person could see or bring up."""

    id: str
    title: str
    app: str = ""
    """The application's name as the system knows it (X: the class)."""
    pid: int = 0
    box: Box
    active: bool = False
    minimized: bool = False
    maximized: bool = False
    fullscreen: bool = False
    """Whether it covers the screen without a frame."""
    dialog_of: str = ""
    """The id of the window it belongs to, when it is a dialog."""
    modal: bool = False
    """Whether it keeps the window it belongs to from taking any input."""


class Application(Value):
    """An application that can be started."""

    id: str
    """What `open_app` takes; on Linux the name of its desktop file without the ending."""
    name: str
    generic_name: str = ""
    keywords: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    mime_types: tuple[str, ...] = ()
    default_for: tuple[str, ...] = ()
    """The kinds of file it is the default for, as MIME types."""
    program: str = ""
    """What starts it, as one would type it: the executable's name without its folder."""


class Monitor(Value):
    """What one monitor shows of the screen."""

    name: str
    box: Box
    """In pixels of the picture that is shown: its corner is negative when one to the right of it is looked at."""
    primary: bool = False

    def __str__(self) -> str:
        at = f"{self.box.width}x{self.box.height} at {self.box.left},{self.box.top}"
        return f"{self.name} ({at}, primary)" if self.primary else f"{self.name} ({at})"


class Observation(Value):
    """One look at a device: the picture and what could be read off it, taken at the same moment."""

    screen: Image
    elements: tuple[Element, ...] = ()
    """In reading order of the tree: a parent stands before its children."""
    windows: tuple[Window, ...] = ()
    """The topmost first."""
    applications: tuple[Application, ...] = ()
    """Only when the whole desktop was looked at."""
    window: str = ""
    """The id of the window whose elements these are."""
    truncated: str = ""
    """Why elements are missing and how many at least; "" when all are there."""
    monitors: tuple[Monitor, ...] = ()
    """From left to right, where there are several; between those of different sizes nothing can be seen."""
    alone: Image | None = None
    """The window without what covers it, when that was asked for; its top left is that of the window's box."""

    def element(self, element_id: str) -> Element | None:
        return next((e for e in self.elements if e.id == element_id), None)

    def under(self, point: Point) -> Element | None:
        """Give the innermost element at a place; of equals the one that comes last, which is drawn on top."""
        hits = [e for e in self.elements if e.box.holds(point)]
        return min(reversed(hits), key=lambda e: e.box.area, default=None)

    @property
    def focus(self) -> Element | None:
        return next((e for e in reversed(self.elements) if "focused" in e.states), None)

    @property
    def active_window(self) -> Window | None:
        return next((w for w in self.windows if w.active), None)


class Look(NamedTuple):
    """An observation and the bytes of its pictures, by `sha256`; the bytes go to the journal."""

    observation: Observation
    pictures: Mapping[str, bytes]


class WholeDesktop(Value):
    """Look at everything: windows and applications, no elements."""

    of: Literal["desktop"] = "desktop"


class ActiveWindow(Value):
    """Look at whatever has the keyboard."""

    of: Literal["active"] = "active"


class OneWindow(Value):
    """Look at one window, together with the dialogs, menus and pop-ups of its application."""

    of: Literal["window"] = "window"
    id: str
    alone: bool = False
    """Take a picture of the window alone as well, as if nothing covered it, where the device can."""
    hidden: bool = False
    """Tell also of what cannot be seen now, such as closed menus and other pages of tabs, where the device can; its
    states say "offscreen"."""


Subject = Annotated[WholeDesktop | ActiveWindow | OneWindow, Field(discriminator="of")]
"""What a look is at."""

ACTIVE_WINDOW = ActiveWindow()
WHOLE_DESKTOP = WholeDesktop()
