"""Certifying a model: single questions, tasks on real applications, and a file to share."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from typing import Any

import anyio
import pytest

from deskhand.bench.certificate import (
    LONGEST,
    NEVER,
    TASKS,
    Certificate,
    as_markdown,
    certificates_in,
    read_certificate,
    shareable,
    standing_of_all,
)
from deskhand.bench.certify import Certification, certified, where
from deskhand.bench.desktop.tasks import GOALS
from deskhand.bench.replies import replies_in
from deskhand.core.errors import SettingsError
from deskhand.models.choice import options_of
from deskhand.models.options import ModelSettings
from deskhand.settings import load
from deskhand.testing import ScriptedModel
from deskhand.testing.received import Received
from deskhand.testing.scripted import Line
from deskhand.testing.server import Act, Answer, ScriptedServer, Stall
from tests.command import ROOT, deskhand
from tests.paper import app, assign, context, host, session, write
from tests.running import commands

KEY = "sk-very-secret-0001"
DAY = "2026-11-30"


def said(**changes: Any) -> dict[str, Any]:
    """A file, as JSON has it."""
    tasks = [{"task": name, "standing": "right", "steps": 3, "calls": 4, "seconds": 9.5} for name in TASKS]
    fields: dict[str, Any] = {
        "deskhand": "0.3",
        "day": DAY,
        "spec": "openai:gpt-x",
        "where": "service",
        "profile": "any",
    }
    fields |= {"agent": "host", "dialect": "json", "coordinates": "pixels", "tokens_told": True, "priced": False}
    probe = {"name": "text", "ok": True, "found": "it answers 'ready'", "seconds": 0.5}
    return {**fields, "probes": [probe], "tasks": tasks, **changes}


def file_of(folder: Path, **changes: Any) -> Path:
    path = folder / "certificate.json"
    path.write_text(json.dumps(said(**changes)))
    return path


def test_the_ten_tasks_are_tasks_on_many_applications_that_judge_by_what_is_left() -> None:
    known = {task.name: task for task in GOALS}
    assert len(TASKS) == len(set(TASKS)) == 10
    assert len({program for name in TASKS for program in known[name].needs}) >= 6


def test_a_file_is_shown_as_a_short_table(tmp_path: Path) -> None:
    tasks = said()["tasks"]
    tasks[1] |= {"standing": "wrong", "why": "the file is 'a|b'", "malformed": 2, "usd": 0.01}
    certificate = read_certificate(file_of(tmp_path, tasks=tasks, priced=True, tokens_told=False))

    lines = as_markdown(certificate).splitlines()

    assert lines[0].startswith("`openai:gpt-x` (service), deskhand 0.3, 2026-11-30; agent host, dialect json")
    assert lines[2] == "9 of 10 tasks right (10 run), 1 of 1 probes passed"
    assert "| text | ok | it answers 'ready' | 0.5 |" in lines
    assert "| editor-replace-all | wrong | 3 | 4 | 2 | 0 / 0 | 0.0100 | 9.5 | 0.0 | the file is 'a\\|b' |" in lines
    assert lines[-1].startswith("The service does not tell the tokens")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"kind": "essay"}, "kind"),
        ({"version": 2}, "version"),
        ({"day": "yesterday"}, "day"),
        ({"probes": []}, "probes"),
        ({"extra": 1}, "extra"),
        ({"tasks": said()["tasks"][:-1]}, "its tasks are not the ten"),
        ({"profile": "x" * 9 + KEY}, "'sk-very-secr'..., which may be a key"),
        ({"profile": "http://10.0.0.1/v1"}, "which may be a key, an address or a home"),
        ({"profile": "/home/ann"}, "which may be a key, an address or a home"),
        ({"probes": [{"name": "text", "ok": True, "found": "x" * (LONGEST + 1), "seconds": 0}]}, "probes.0.found"),
    ],
)
def test_a_file_that_is_none_or_should_not_be_shared_is_refused(
    changes: dict[str, Any], why: str, tmp_path: Path
) -> None:
    with pytest.raises(SettingsError, match=re.escape(why)):
        read_certificate(file_of(tmp_path, **changes))


def test_what_gives_somebody_away_is_taken_out_of_texts() -> None:
    text = shareable(f"401 from http://host:1/v1, key {KEY}, in /home/ann/x and /tmp/run-1: swordfish", ["swordfish"])
    assert text == "401 from … key …, in … and …: …"
    assert shareable("1/2 of a/b") == "1/2 of a/b"
    assert len(shareable("x" * 999)) == LONGEST


@pytest.mark.parametrize(
    ("options", "place", "live"),
    [
        ({"model": "openai:m"}, "service", True),
        ({"model": "openai:m", "base_url": "http://127.0.0.1:1/v1"}, "this machine", False),
        ({"model": "openai:m", "base_url": "https://gateway.example/v1"}, "elsewhere", False),
        ({"model": "azure:m", "base_url": "https://x.openai.azure.com"}, "elsewhere", True),
        ({"model": "ollama:m"}, "this machine", True),
        ({"model": "vllm:m", "base_url": "http://gpu.example:8000"}, "elsewhere", True),
        ({"model": "own:Butler"}, "module", False),
    ],
)
def test_a_file_counts_for_a_service_that_was_asked_at_its_own_address_or_is_ones_own(
    options: dict[str, str], place: str, *, live: bool
) -> None:
    assert where(ModelSettings.model_validate(options)) == place
    assert Certificate.model_validate_json(json.dumps(said(spec=options["model"], where=place))).live is live


def test_the_page_of_what_was_run_live_says_what_its_files_say(tmp_path: Path) -> None:
    folder = ROOT / "docs" / "certified"
    found = certificates_in(folder)

    assert standing_of_all(found) in (folder / "README.md").read_text()
    assert "never run live" in (ROOT / "README.md").read_text()
    assert NEVER in standing_of_all({})
    told = standing_of_all({"x.json": read_certificate(file_of(tmp_path))})
    assert f"| `openai:gpt-x` | any | 10 of 10 | 1 of 1 | {DAY}, deskhand 0.3 | [x.json](x.json) |" in told
    assert f"Every other service and profile is {NEVER}." in told


def test_replies_that_could_not_be_read_are_counted() -> None:
    steps: list[Line] = ["no object", app("CONTINUE", write("x")), "no", "no", "no", app("FINISH")]
    made = context(ScriptedModel(host=[assign(), host()], app=steps))
    anyio.run(session(made).run)

    replies = replies_in(made.journal.records())

    assert (replies.calls, replies.malformed, replies.usage.input_tokens, replies.told) == (8, 4, 8, True)


def test_a_recording_and_a_model_without_language_are_not_certified(tmp_path: Path) -> None:
    settings = load(["models.default.replay=x.jsonl"], {}, tmp_path)
    with pytest.raises(SettingsError, match="a recording of replies is no live run"):
        certified(settings, options_of("default", "vllm:m", settings.models))
    refused = deskhand("models", "certify", "literal", home=tmp_path)
    assert (refused.returncode, "name a model to certify" in refused.stderr) == (2, True)


def test_a_limit_holds_for_all_that_is_asked_and_says_how_to_go_on(tmp_path: Path) -> None:
    def made(tokens: int) -> Certification:
        settings = load([f"models.default.base_url={server.url}", f"limits.tokens={tokens}"], {}, tmp_path)
        fixed = certified(settings, options_of("default", "vllm:m", settings.models))
        return Certification(fixed, tmp_path / "out", tasks=())

    with ScriptedServer(always="ready") as server:
        first = made(200)
        cut = anyio.run(first.run)
        asked = len(server.requests)
        whole = anyio.run((second := made(10_000)).run)

    not_asked = [probe.found for probe in cut.probes].count("not asked")
    assert (asked, not_asked, len(cut.probes), len(whole.probes)) == (2, 5, 7, 7)
    assert "not asked" not in [probe.found for probe in whole.probes]
    assert "the limit of 200 tokens" in first.limit
    assert (second.limit, {task.standing for task in whole.tasks}) == ("", {"not run"})
    assert cut.tasks[0].why == "not asked for"


QUESTIONS: dict[str, object] = {
    "Answer with the one word": "ready",
    "What colour": "Red.",
    "Give the fruit": '{"fruit": "apple", "number": 7}',
    "Press the button Save": app("CONTINUE", ("click", {"element": "e3"})),
    "the button Save": "(240, 418)",
    "Row 6 can be seen": app("CONTINUE", ("scroll", {"clicks": -3})),
    "Press the button Frobnicate": app("FAIL", result="there is no such button"),
}


class Good:
    """A model that does as it should, but for one reply that is no decision; at first it hangs over the fruit."""

    def __init__(self) -> None:
        self.hung = False

    def __call__(self, received: Received) -> Answer:
        text = received.text
        if "Give the fruit" in text and not self.hung:
            self.hung = True
            return Stall(headers=False)
        answer = next((answer for question, answer in QUESTIONS.items() if question in text), None)
        answer = answer or (self._app(text) if "You are an app agent" in text else self._host(text))
        return answer if isinstance(answer, str) else json.dumps(answer)

    def _host(self, text: str) -> dict[str, object]:
        return host("FINISH", "on") if "FINISH, " in text else assign("org.xfce.mousepad", "turn them on")

    def _app(self, text: str) -> object:
        done = len(re.findall(r"-> (?:done|unverified)", text))
        if done == 0 and "could not be read" not in text:
            return "I shall open the menu."
        if done == 2:
            return app("FINISH", result="they are on")
        return {"status": "CONTINUE", "action": [f'click(element="{("View", "Line Numbers")[done]}")']}


def test_nothing_is_spent_that_nobody_agreed_to(tmp_path: Path) -> None:
    with ScriptedServer() as server:
        place = ("-c", f"models.default.base_url={server.url}", "-c", "limits.tokens=5000")
        done = deskhand("models", "certify", "vllm:m", "--tasks", "editor-*,calc-sum", *place, home=tmp_path)

    assert (done.returncode, done.stdout, server.requests) == (2, "", [])
    assert "carries out 4 tasks of at most 40 steps each" in done.stderr
    assert "none of money, as no prices are set (models.default.prices), 5000 tokens (limits.tokens)" in done.stderr
    assert "say so with --yes" in done.stderr


def test_files_are_shown_one_and_all(tmp_path: Path) -> None:
    one = deskhand("models", "show", str(path := file_of(tmp_path)), home=tmp_path)
    all_ = deskhand("models", "show", str(tmp_path), home=tmp_path)

    assert one.stdout == as_markdown(read_certificate(path))
    assert all_.stdout.strip() == standing_of_all({path.name: read_certificate(path)})


LOOK: dict[str, dict[str, Any]] = {
    "openai": {"type": "screenshot"},
    "anthropic": {"name": "computer", "input": {"action": "screenshot"}},
}
PRESS: dict[str, dict[str, Any]] = {
    "openai": {"type": "click", "button": "left", "x": 240, "y": 418},
    "anthropic": {"name": "computer", "input": {"action": "left_click", "coordinate": [240, 418]}},
}


@pytest.mark.parametrize("spec", ["openai-computer:computer-use-preview", "anthropic-computer:claude-sonnet-4-5"])
def test_a_computer_use_model_that_looks_first_is_asked_again(spec: str, tmp_path: Path) -> None:
    vendor = spec.partition("-")[0]

    def mind(received: Received) -> Answer:
        if "Press the button Save" not in received.text:
            return "ready"
        asked = sum("Press the button Save" in request.text for request in server.requests)
        return Act(((LOOK if asked == 1 else PRESS)[vendor],))

    with ScriptedServer(always=mind) as server:
        settings = load([f"models.default.base_url={server.url}", "models.default.key=kkkkkkkk"], {}, tmp_path)
        fixed = certified(settings, options_of("default", spec, settings.models))
        found = anyio.run(Certification(fixed, tmp_path / "out", tasks=()).run)

    kept = next(probe for probe in found.probes if probe.name.startswith("keeps its dialect"))
    assert (kept.ok, found.agent) == (True, "native"), kept.found
    assert "click(x=240, y=418" in kept.found


def test_over_http_a_model_is_certified_by_a_real_task_and_after_ctrl_c_goes_on(tmp_path: Path) -> None:
    with ScriptedServer(always=Good(), key=KEY) as server, commands(tmp_path) as begin:
        place = (f"models.default.base_url={server.url}", f"models.default.key={KEY}")
        words = ["models", "certify", "openai:gpt-x", "--tasks", "*line-numbers", "--out", "out", "--pictures", "--yes"]
        words += ["-c", place[0], "-c", place[1]]
        running = begin(*words)
        server.wait_for(3, 40)
        code, _, _, err = running.ends(signal.SIGINT)
        assert (code, "go on with the same command and --out" in err) == (130, True)

        done = deskhand(*words, home=tmp_path)
        asked = len(server.requests)
        settings = load(place, {}, tmp_path)
        fixed = certified(settings, options_of("default", "openai:gpt-x", settings.models))
        again = anyio.run(Certification(fixed, tmp_path / "out", tasks=()).run)

    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    text = (tmp_path / "out" / "certificate.json").read_text()
    found = read_certificate(tmp_path / "out" / "certificate.json")
    assert all(probe.ok for probe in found.probes), found.probes
    assert (found.right, found.run, found.where, found.live) == (1, 1, "this machine", False)
    task = found.tasks[2]
    assert (task.task, task.standing, task.malformed) == ("editor-line-numbers", "right", 1)
    assert task.calls == task.input_tokens / 100 == 6
    assert again == found
    assert len(server.requests) == asked  # what is over is not asked again
    assert sum("one word: ready" in request.text for request in server.requests) == 1
    assert [path.name for path in (tmp_path / "out" / "pictures").iterdir()] == ["editor-line-numbers.png"]
    assert KEY not in done.stdout + text
    assert server.root.removeprefix("http://") not in text
