"""What every worker of the tests does."""

from __future__ import annotations

import gc
from collections.abc import Generator

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect the tests without the collector of garbage: all of it stays to the end, and is never looked at again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
