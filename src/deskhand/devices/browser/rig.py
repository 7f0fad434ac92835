"""What the browser device is made of."""

from __future__ import annotations

from dataclasses import dataclass

from deskhand.core.observation import Look
from deskhand.devices.browser.documents import Names
from deskhand.devices.browser.downloads import Downloads
from deskhand.devices.browser.reading import Eyes
from deskhand.devices.browser.spec import BrowserSpec
from deskhand.devices.browser.tabs import Tabs
from deskhand.perception.options import PictureOptions


@dataclass
class Browser:
    """An open browser: its tabs, the names of their elements, how pictures of it are taken."""

    spec: BrowserSpec
    tabs: Tabs
    names: Names
    downloads: Downloads
    pictures: PictureOptions
    eyes: Eyes
    last: Look | None = None
    """What was seen last."""
    pointer: tuple[float, float] = (0, 0)
    """Where the mouse is, in CSS pixels of the viewport."""
