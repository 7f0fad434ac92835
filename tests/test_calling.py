from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from time import monotonic

import anyio
import anyio.to_thread
import pytest

from deskhand.core.errors import LimitReached, ModelBusy, ModelRefused, ReplayDiverged, SettingsError
from deskhand.core.ports import Model
from deskhand.models.factory import make, opened
from deskhand.models.fallback import FallbackModel
from deskhand.models.options import ModelSettings, Prices
from deskhand.models.recording import RecordingModel, ReplayModel
from deskhand.models.retry import asked_wait
from deskhand.testing.server import Cut, Drip, Fail, Line, Say, ScriptedServer, Stall
from tests.services import ALBUM, ask, model_at, replied, request, user

SOON = {"retry-after-ms": "1"}


def waited(server: ScriptedServer, first: int = 0) -> float:
    """Give the seconds between two requests."""
    return server.requests[first + 1].time - server.requests[first].time


@pytest.mark.parametrize("lost", [Stall(), Stall(headers=False), Drip("slow", 0.02), Cut()], ids=lambda e: repr(e)[:20])
def test_an_answer_that_does_not_come_to_its_end_is_asked_for_again(lost: Line) -> None:
    with ScriptedServer(lost, "whole") as server:
        [reply] = replied(server, seconds=0.3)

    assert reply.text == "whole"
    assert waited(server) < 2


def test_a_service_that_hangs_for_ever_is_given_up_within_its_limits() -> None:
    began = monotonic()
    with ScriptedServer(always=Stall()) as server, pytest.raises(ModelBusy) as caught:
        replied(server, seconds=0.2, attempts=2)

    assert monotonic() - began < 3
    assert len(server.requests) == 2
    assert "no answer after 2 tries; the last time: no whole answer within 0.2 s" in str(caught.value)


def test_a_service_that_is_not_there_is_named() -> None:
    with ScriptedServer() as server:
        url = server.url

    with pytest.raises(ModelBusy, match=f"planner: openai:m at {url}/chat/completions .* cannot be reached"):
        ask(make(ModelSettings(model="openai:m", base_url=url, attempts=2), {}))


@pytest.mark.parametrize(
    ("headers", "least"),
    [
        ({"retry-after": "0.3"}, 0.3),
        ({"retry-after-ms": "300"}, 0.3),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "300ms"}, 0.3),
        ({}, 0.25),
    ],
    ids=["seconds", "milliseconds", "reset", "nothing"],
)
def test_it_waits_as_long_as_the_service_asks_and_a_little_where_it_does_not(
    headers: dict[str, str], least: float
) -> None:
    with ScriptedServer(Fail(429, "slow down", headers), "ok") as server:
        replied(server)

    assert least <= waited(server) < least + 1.5


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:05 GMT", "date": "Wed, 21 Oct 2026 07:28:00 GMT"}, 5.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT", "date": "Wed, 21 Oct 2026 07:28:00 GMT"}, 0.0),
        ({"x-ratelimit-reset-requests": "1m2.5s"}, 62.5),
        ({"x-ratelimit-reset-requests": "6m0s", "x-ratelimit-remaining-requests": "59"}, None),
        (
            {
                "anthropic-ratelimit-tokens-remaining": "0",
                "anthropic-ratelimit-tokens-reset": "2026-10-21T07:28:03Z",
                "date": "Wed, 21 Oct 2026 07:28:00 GMT",
            },
            3.0,
        ),
        ({"x-ratelimit-reset": "1792567684000", "date": "Wed, 21 Oct 2026 07:28:00 GMT"}, 4.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({}, None),
    ],
)
def test_every_form_of_asking_for_time_is_understood(headers: dict[str, str], seconds: float | None) -> None:
    assert asked_wait(headers) == (None if seconds is None else pytest.approx(seconds))


def test_a_date_is_read_by_our_clock_where_the_service_tells_no_time() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)

    assert asked_wait({"retry-after": later}) == pytest.approx(30, abs=2)


def test_no_service_can_park_a_call(caplog: pytest.LogCaptureFixture) -> None:
    with (
        ScriptedServer(
            Fail(429, "later", {"retry-after": "86400"}), Fail(429, "later", {"retry-after": "9"})
        ) as server,
        pytest.raises(ModelBusy, match="429: later"),
    ):
        replied(server, max_wait=0.2)

    assert 0.2 <= waited(server) < 2
    assert "trying again in 0.2 s (try 2 of 4)" in caplog.text


def test_trouble_of_all_kinds_is_got_over_in_one_call() -> None:
    troubles: list[Line] = [Cut(), Say(""), Fail(429, "a", SOON), Fail(503, "b", SOON), Fail(408, "c", SOON)]
    with ScriptedServer(*troubles, "ok") as server:
        [reply] = replied(server, attempts=6)

    assert (reply.text, len(server.requests)) == ("ok", 6)


@pytest.mark.parametrize("line", [Stall(), Fail(429, "later", {"retry-after": "30"}), Drip("slow", 0.01)])
def test_a_call_is_cancelled_at_once_wherever_it_is(line: Line) -> None:
    async def scene() -> float:
        model = model_at(server)
        async with opened([model]), anyio.create_task_group() as group:
            group.start_soon(model.ask, request(), ALBUM)
            await anyio.to_thread.run_sync(server.wait_for, 1)
            began = anyio.current_time()
            group.cancel_scope.cancel()
        return anyio.current_time() - began

    with ScriptedServer(line) as server:
        assert anyio.run(scene) < 0.5
    assert len(server.requests) == 1


def test_cost_and_tokens_are_those_of_all_tries() -> None:
    prices = {"input": 2.0, "output": 10.0, "cached": 0.5}
    lines = [Say("", usage=(1000, 0, 0)), Say("ok", usage=(1000, 200, 600))]
    with ScriptedServer(*lines) as server:
        [reply] = replied(server, prices=prices)

    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (2000, 200)
    assert reply.usage.usd == pytest.approx((1400 * 2 + 600 * 0.5 + 200 * 10) / 1e6)


def test_a_service_that_does_not_tell_what_it_counts_is_named_once(caplog: pytest.LogCaptureFixture) -> None:
    with ScriptedServer(always=Say("ok", usage=None)) as server:
        replies = replied(server, request(), request())

    assert [r.usage.usd for r in replies] == [0, 0]
    assert caplog.text.count("its cost is unknown") == 1


def test_a_large_request_is_told_each_time(caplog: pytest.LogCaptureFixture) -> None:
    with ScriptedServer("small", always=Say("ok", usage=(5000, 1, 0))) as server:
        replied(server, *[request()] * 3, large_request=5000)

    assert caplog.text.count("openai:m read a request of 5000 tokens") == 2


def test_a_budget_of_tokens_ends_before_the_call_that_would_be_too_much() -> None:
    with (
        ScriptedServer(always=Say("ok", usage=(1000, 50, 0))) as server,
        pytest.raises(LimitReached, match=r"limit of 3000 tokens .* raise it with -c models\.planner\.budget_tokens"),
    ):
        replied(server, *[request()] * 5, budget_tokens=3000)

    assert len(server.requests) == 3


def test_a_budget_of_tokens_holds_even_where_the_service_tells_nothing() -> None:
    with ScriptedServer(always=Say("ok", usage=None)) as server, pytest.raises(LimitReached):
        replied(server, *[request(user("x " * 1500, pictures=1))] * 5, budget_tokens=5000)

    assert len(server.requests) == 2


def test_a_budget_of_money_ends_likewise_and_needs_prices() -> None:
    with ScriptedServer(always=Say("ok", usage=(0, 100, 0))) as server:
        with pytest.raises(LimitReached, match=r"\$0\.01"):
            replied(server, *[request()] * 5, budget_usd=0.01, prices={"output": 50})
        assert len(server.requests) == 2
        with pytest.raises(SettingsError, match="budget_usd needs prices"):
            model_at(server, budget_usd=1)


def test_a_minutes_limit_is_kept_by_waiting(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)

    async def scene(model: Model) -> None:
        async with opened([model]):
            with anyio.move_on_after(0.5):
                for _ in range(5):
                    await model.ask(request(), ALBUM)

    with ScriptedServer(always=Say("ok", usage=(100, 0, 0))) as server:
        anyio.run(scene, model_at(server, requests_per_minute=2))
        anyio.run(scene, model_at(server, tokens_per_minute=250))

    assert len(server.requests) == 2 + 3
    assert caplog.text.count("for the limits a minute") == 2


def test_another_model_answers_when_one_cannot() -> None:
    with ScriptedServer(always=Fail(503, "down", SOON)) as down, ScriptedServer(always="ok") as up:
        model = FallbackModel(model_at(down, "openai:a", attempts=2), model_at(up, "openai:b"))
        replies = ask(model, request(), request())

    assert [(r.text, r.model) for r in replies] == [("ok", "openai:b")] * 2
    assert len(down.requests) == 2, "one that is down is not asked again and again"


def test_when_neither_can_answer_both_reasons_are_told() -> None:
    with ScriptedServer(always=Fail(401, "bad key")) as one, ScriptedServer(always=Fail(400, "bad words")) as two:
        model = FallbackModel(model_at(one), model_at(two))
        with pytest.raises(ModelRefused, match=r"bad key.* and its fallback: .*bad words"):
            ask(model)


def test_a_limit_is_no_reason_to_spend_elsewhere() -> None:
    with ScriptedServer(always="ok") as one, ScriptedServer(always="ok") as two, pytest.raises(LimitReached):
        ask(FallbackModel(model_at(one, budget_tokens=1), model_at(two)), request(), request())

    assert two.requests == []


def test_a_recording_answers_for_the_service(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    asked = [request(user("a", pictures=1)), request(user("b")), request(user("a", pictures=1))]
    with ScriptedServer("one", "two", "three") as server:
        told = ask(RecordingModel(model_at(server), path), *asked)

    assert ask(ReplayModel(path), asked[1], asked[0], asked[2]) == [told[1], told[0], told[2]]
    assert ask(ReplayModel(path, "order"), request(user("other")), *asked[1:]) == told
    with pytest.raises(ReplayDiverged, match="holds no further reply to this request"):
        ask(ReplayModel(path), request(user("other")))
    with pytest.raises(ReplayDiverged, match="holds no further reply to the grounder"):
        ask(ReplayModel(path, "order"), request(role="grounder"))


def test_a_recording_that_cannot_be_read_is_wrong_in_the_settings(tmp_path: Path) -> None:
    (tmp_path / "calls.jsonl").write_text("{}\n")

    for name in ("calls.jsonl", "nowhere"):
        with pytest.raises(SettingsError, match=f"the recording .*{name} cannot be read"):
            ReplayModel(tmp_path / name)


def test_prices_are_for_a_million_tokens_and_never_negative() -> None:
    with pytest.raises(ValueError, match="greater than or equal to 0"):
        Prices(input=-1)
