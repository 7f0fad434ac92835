"""What tests of a browser share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.site import Site


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as served:
        yield served
