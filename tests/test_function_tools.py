"""Python functions as tools."""

from __future__ import annotations

import pytest

from deskhand.core.errors import SettingsError, ToolFailed
from deskhand.tools.function import FunctionTool

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def book(day: str, seats: int = 1, *, vegetarian: bool = False) -> str:
    """Book a table."""
    if day == "Monday":
        raise LookupError("closed on Mondays")
    return f"{seats + 1} chairs on {day}" + (" without meat" if vegetarian else "")


async def wait_for(event: str) -> None:
    """Wait for something."""


async def test_a_function_says_what_it_takes() -> None:
    about = FunctionTool(book).about

    assert (about.name, about.description) == ("book", "Book a table.")
    assert about.arguments["required"] == ["day"]
    assert about.arguments["properties"]["seats"]["type"] == "integer"


async def test_arguments_are_converted_as_they_are_annotated() -> None:
    assert await FunctionTool(book).call({"day": "Friday", "seats": "4"}) == "5 chairs on Friday"
    assert await FunctionTool(wait_for).call({"event": "rain"}) == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "book: day: Missing required argument"),
        ({"day": "Friday", "seats": "many"}, "book: seats: Input should be a valid integer"),
        ({"day": "Friday", "smoking": True}, "book: smoking: Unexpected keyword argument"),
        ({"day": "Monday"}, "book: closed on Mondays"),
    ],
)
async def test_what_goes_wrong_is_news_for_the_model(arguments: dict[str, object], said: str) -> None:
    with pytest.raises(ToolFailed, match=said):
        await FunctionTool(book).call(arguments)


def test_what_cannot_be_called_by_names_is_no_tool() -> None:
    with pytest.raises(SettingsError, match="cannot be a tool"):
        FunctionTool(lambda x, /: x)
