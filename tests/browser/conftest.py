"""What tests of a browser share."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from functools import partial

import pytest

from deskhand.core.ports import Device
from deskhand.devices.browser.device import open_browser
from deskhand.perception.options import Perception
from tests.browser.site import Site, Visit, in_a_tab


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as served:
        yield served


@pytest.fixture(scope="module")
async def browser(
    anyio_backend: str,  # noqa: ARG001  (which makes it run with anyio)
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Device]:
    """One browser for the tests of a file that need none of their own: a second for each is much."""
    spec = f"browser:downloads={tmp_path_factory.mktemp('downloads')}"
    async with open_browser(spec, dict(os.environ), Perception()) as device:
        yield device


@pytest.fixture
def visit(browser: Device) -> Visit:
    """Shows a page in a tab of its own."""
    return partial(in_a_tab, browser)
