"""Opening a browser; what that takes is imported only then, as not everybody has it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from importlib import import_module

from deskhand.core.foreign import require
from deskhand.core.ports import Device
from deskhand.devices.browser.spec import parse_browser
from deskhand.perception.options import Perception


def open_browser(
    spec: str, environment: Mapping[str, str], perception: Perception
) -> AbstractAsyncContextManager[Device]:
    """Open the browser that a spec names, with a tab of its own; leaving the block closes it.

    Raises:
        SettingsError: at once, when the spec is wrong or the extra is not installed.
        DeviceError: on entering: there is no browser, it does not start, or its first page cannot be reached.
    """
    wanted = parse_browser(spec)
    require("playwright", "browser", f"the device {spec}")
    opened: AbstractAsyncContextManager[Device] = import_module("deskhand.devices.browser.session").opened(
        spec, wanted, environment, perception
    )
    return opened
