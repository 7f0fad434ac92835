"""What the browser device is made of."""

from __future__ import annotations

from dataclasses import dataclass, field

from deskhand.core.geometry import Point
from deskhand.core.observation import Look
from deskhand.devices.browser.documents import Names
from deskhand.devices.browser.spec import BrowserSpec
from deskhand.devices.browser.tabs import Tabs
from deskhand.perception.options import Perception


@dataclass
class Browser:
    """An open browser: its tabs, the names of their elements, how pictures of it are taken."""

    spec: BrowserSpec
    tabs: Tabs
    perception: Perception
    names: Names = field(default_factory=Names)
    last: Look | None = None
    """What was seen last."""
    pointer: Point = field(default_factory=lambda: Point(0, 0))
    """Where the mouse is, in CSS pixels of the viewport."""
