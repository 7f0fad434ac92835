from __future__ import annotations

import json
from pathlib import Path

import pytest

from deskhand.testing.server import Fail, Line, Received, ScriptedServer
from tests.command import deskhand
from tests.services import at_most, without

GOOD: list[Line] = ["ready", "It is red.", '{"fruit": "apple", "number": 7}', "<action>click(x=450, y=150)</action>"]


def at(server: ScriptedServer) -> tuple[str, str]:
    return ("-c", f"models.default.base_url={server.url}")


def test_a_good_model_passes_every_trial(tmp_path: Path) -> None:
    with ScriptedServer(*GOOD) as server:
        done = deskhand("models", "test", "openai:gpt-4o", *at(server), home=tmp_path)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == f"openai:gpt-4o at {server.url}/chat/completions"
    assert [line[:4] for line in done.stdout.splitlines()[1:5]] == ["  ok"] * 4
    assert "used 400 tokens in, 40 out; no prices are set" in done.stdout
    assert [len(r.pictures) for r in server.requests] == [0, 1, 0, 1]


def test_what_does_not_work_is_told_and_the_rest_is_tried(tmp_path: Path) -> None:
    rules = [at_most(0, "content must be string"), without("response_format", "response_format is not supported")]
    with ScriptedServer("ready", GOOD[2], rules=rules) as server:
        done = deskhand("models", "test", "vllm:small", *at(server), "--json", home=tmp_path)

    said = json.loads(done.stdout)
    checks = {check["name"]: check for check in said["models"][0]["checks"]}
    assert (done.returncode, said["ok"]) == (0, True)
    assert {name: check["ok"] for name, check in checks.items()} == {
        "text": True,
        "picture": False,
        "structured reply": True,
        "pointing (pixels)": False,
    }
    assert "takes no pictures" in checks["picture"]["found"]
    assert checks["structured reply"]["found"].startswith("asked in words alone")


def test_a_point_is_read_in_the_grid_of_the_models_family(tmp_path: Path) -> None:
    lines = [*GOOD[:3], "(700, 300)"]
    with ScriptedServer(*lines, *lines) as server:
        family = deskhand("models", "test", "vllm:qwen3-vl-8b", *at(server), home=tmp_path)
        pixels = ("-c", "models.default.coordinates=pixels")
        other = deskhand("models", "test", "vllm:qwen3-vl-8b", *at(server), *pixels, home=tmp_path)

    assert "ok   pointing (0-1000): it points at pixel 448, 144" in family.stdout
    assert "no   pointing (pixels): (700, 300) lies outside" in other.stdout


def test_a_service_that_does_not_answer_is_trouble_in_one_line(tmp_path: Path) -> None:
    with ScriptedServer(always=Fail(401, "no such key")) as server:
        done = deskhand("models", "test", "openai:m", *at(server), home=tmp_path, OPENAI_API_KEY="sk-unused")

    assert done.returncode == 4
    assert "no   text:" in done.stdout
    assert "picture" not in done.stdout
    assert "key_variable=OPENAI_API_KEY" in done.stdout
    assert "sk-unused" not in done.stdout + done.stderr


def test_waiting_for_a_service_is_shown(tmp_path: Path) -> None:
    with ScriptedServer(Fail(429, "slow down", {"retry-after-ms": "10"}), *GOOD) as server:
        done = deskhand("models", "test", "openai:m", *at(server), home=tmp_path)

    assert done.returncode == 0
    assert "429: slow down; trying again in 0.0 s (try 2 of 4)" in done.stderr


def test_r106_each_role_is_tested_where_it_is_set_and_nowhere_else(tmp_path: Path) -> None:
    def grounder(received: Received) -> str:
        return "(450, 150)" if received.pictures else "ready"

    with ScriptedServer(*GOOD) as one, ScriptedServer(always=grounder) as two:
        (tmp_path / "deskhand.toml").write_text(
            f'[models.planner]\nmodel = "vllm:a"\nbase_url = "{one.url}"\n'
            f'[models.grounder]\nmodel = "vllm:b"\nbase_url = "{two.url}"\n'
        )
        done = deskhand("models", "test", home=tmp_path, OPENAI_BASE_URL="http://127.0.0.1:9/v1")

    assert done.returncode == 0
    assert f"host, app, planner: vllm:a at {one.url}" in done.stdout
    assert f"grounder: vllm:b at {two.url}" in done.stdout
    assert "evaluator" not in done.stdout
    assert {r.body["model"] for r in one.requests} == {"a"}
    assert {r.body["model"] for r in two.requests} == {"b"}


def test_a_key_is_used_when_it_is_named_and_only_there(tmp_path: Path) -> None:
    with ScriptedServer(*GOOD, key="sk-right-0001") as one, ScriptedServer(*GOOD) as two:
        (tmp_path / "deskhand.toml").write_text(
            f'[models.default]\nkey_variable = "MY_KEY"\nbase_url = "{one.url}"\nmodel = "openai:a"\n'
            f'[models.grounder]\nbase_url = "{two.url}"\n'
        )
        done = deskhand("models", "test", home=tmp_path, MY_KEY="sk-right-0001")

    assert done.returncode == 0, done.stdout
    assert len(one.requests) == len(two.requests) == 4
    assert {r.headers.get("authorization") for r in two.requests} == {None}


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("openai:gpt-5",), "needs a key; set the key with -c models.default.key_variable=NAME"),
        (("openai:gpt-5",), "OPENAI_API_KEY is set, but it is used only when it is named"),
        (("anthropic:claude",), "needs a key"),
        (("openai",), "name its model, too: openai:NAME"),
        (("azure:gpt-x", "-c", "models.default.key=abcdefgh"), "needs base_url"),
        (("openai:m", "-c", "models.default.key_variable=NO_SUCH"), "the environment has no NO_SUCH"),
        (("vllm:m", "-c", "models.default.key=two words"), "the key holds characters that no key has"),
        (("openai:m", "-c", "models.default.base_url=localhost:1"), "is no URL; write it like"),
        (("openai:m", "-c", "models.default.base_url=http://me:pw@h/v1"), "holds a name or password"),
        (("vllm:m", "-c", "models.default.coordinates=miles"), "there is no profile 'miles'"),
        (("vllm:m", "-c", "models.default.budget_usd=1"), "budget_usd needs prices"),
        (("vllm:m", "-c", "models.default.prices.inputt=1"), "did you mean 'models.default.prices.input'"),
        (("vllm:m", "-c", "models.defalt.seconds=1"), "did you mean 'models.default'"),
        (("vllm:m", "-c", "models.default.seconds=0"), "greater than 0"),
        (("vllm:m", "-c", "models.default.fallback=nobody"), "models has no section 'nobody'"),
        (("olama:m",), "did you mean 'ollama'"),
        ((), "all roles have the model literal"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_asked(words: tuple[str, ...], hint: str, tmp_path: Path) -> None:
    done = deskhand("models", "test", *words, home=tmp_path, OPENAI_API_KEY="sk-unused")

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert hint in done.stderr


def test_the_list_shows_roles_services_and_profiles(tmp_path: Path) -> None:
    options = ("-c", "models.grounder.model=vllm:ui-tars-1.5-7b")
    done = deskhand("models", "list", *options, home=tmp_path, OPENAI_API_KEY="sk-unused")
    said = json.loads(deskhand("models", "list", "--json", *options, home=tmp_path).stdout)

    assert "grounder   vllm:ui-tars-1.5-7b at http://127.0.0.1:8000/v1/chat/completions, key: none" in done.stdout
    assert "OPENAI_API_KEY is set; used when named: key_variable=OPENAI_API_KEY" in done.stdout
    assert "sk-unused" not in done.stdout
    assert said["roles"]["planner"]["model"] == "literal"
    assert {"openai", "anthropic", "ollama"} <= said["services"].keys()
    assert "scalecua" in [profile["name"] for profile in said["profiles"]]


def test_keys_in_the_settings_are_not_shown(tmp_path: Path) -> None:
    done = deskhand("config", "-c", "models.planner.key=sk-1234567890", home=tmp_path)

    assert "sk-123" not in done.stdout
    assert 'models.planner.key = "...7890"' in done.stdout
