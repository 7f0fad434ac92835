"""Agent files of other systems, as they are, and prompts of the user's own."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import anyio
import pytest

import deskhand
from deskhand.core.decision import HostDecision
from deskhand.core.errors import SettingsError
from deskhand.core.event import ModelAsked
from deskhand.core.geometry import Frame, Size
from deskhand.core.message import Reply
from deskhand.dialects.json_reply import JsonReply
from deskhand.journal.file import read_records
from deskhand.prompt_files import PromptFiles
from deskhand.settings import Settings, load, load_with_sources
from deskhand.testing.server import ScriptedServer
from tests.command import deskhand as command

NATIVE = """
planner_model:
  engine_type: openai
  model: scalecua
  base_url: {url}
  grounding_width: 1920
  grounding_height: 1080
  resize_corrds: true
  prompt_template: config/prompt_template/ours_ubuntu.json
  enable_thinking: {thinking}
"""
WORKFLOW = """
planner_model:
  engine_type: openai
  model: gpt-4o-2024-11-20
  base_url: https://api.openai.com/v1
  api_key: sk-planner
  prompt_template: config/prompt_template/gpt_planner.json
ui_grounding_model:
  engine_type: openai
  model: pointer
  base_url: http://127.0.0.1:10025/v1
  prompt_template: config/prompt_template/ours_ubuntu.json
  resize_corrds: false
  grounding_width: 1000
  grounding_height: 1000
"""
UFO = """
HOST_AGENT:
  VISUAL_MODE: True
  REASONING_MODEL: False
  API_TYPE: "openai"
  API_BASE: "https://api.openai.com/v1/chat/completions"
  API_KEY: "sk-host"
  API_VERSION: "2025-02-01-preview"
  API_MODEL: "gpt-4o"
  PROMPT: "ufo/prompts/share/base/host_agent.yaml"
APP_AGENT:
  VISUAL_MODE: False
  API_TYPE: "aoai"
  API_BASE: "https://mine.openai.azure.com"
  API_KEY: "${AZURE_KEY}"
  API_VERSION: "2025-02-01-preview"
  API_MODEL: "gpt-4o"
  API_DEPLOYMENT_ID: "mine-4o"
BACKUP_AGENT:
  API_TYPE: "claude"
  API_BASE: "YOUR_ENDPOINT"
  API_KEY: "YOUR_KEY"
  API_MODEL: "claude-sonnet-5"
OMNIPARSER: {ENDPOINT: "x"}
MAX_TOKENS: 2000
TEMPERATURE: 0.5
TIMEOUT: 30
TOP_P: 0.0
"""


def loaded(folder: Path, text: str, *options: str, **environment: str) -> Settings:
    file = folder / "config" / "agent" / "agent.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return load(options, environment, folder, str(file))


def test_a_scalecua_agent_of_one_model_is_taken_as_it_is(tmp_path: Path) -> None:
    settings = loaded(tmp_path, NATIVE.format(url="http://10.0.0.1:8003/v1", thinking="false"))

    planner = settings.models["planner"]
    assert (settings.agent, planner.dialect, planner.model) == ("native", "native", "openai:scalecua")
    assert (planner.base_url, planner.coordinates) == ("http://10.0.0.1:8003/v1", "scalecua")
    assert not planner.thinking


def test_a_scalecua_planner_with_a_grounder_is_taken_as_it_is(tmp_path: Path) -> None:
    template = tmp_path / "config" / "prompt_template" / "ours_ubuntu.json"
    template.parent.mkdir(parents=True)
    template.write_text("{}")

    settings = loaded(tmp_path, WORKFLOW)

    planner, grounder = settings.models["planner"], settings.models["grounder"]
    assert (settings.agent, planner.dialect, planner.base_url, planner.key) == ("workflow", "plan", "", "sk-planner")
    assert (grounder.model, grounder.coordinates, grounder.key) == ("openai:pointer", "0-1000", "")
    assert grounder.prompts == str(template)


@pytest.mark.parametrize(
    ("width", "height", "points"), [(1, 1, "0-1"), (1366, 768, "1366x768"), (1000, 1000, "0-1000")]
)
def test_a_grid_of_its_own_is_kept_where_nothing_is_resized(
    width: int, height: int, points: str, tmp_path: Path
) -> None:
    grid = f"{{model: m, resize_corrds: false, grounding_width: {width}, grounding_height: {height}}}"

    assert loaded(tmp_path, f"planner_model: {grid}").models["planner"].coordinates == points


def test_ufos_agents_are_taken_as_they_are(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = loaded(tmp_path, UFO)

    host, app, backup = (settings.models[name] for name in ("host", "app", "backup"))
    assert settings.agent == "host"
    assert (host.model, host.base_url, host.key, host.images) == ("openai:gpt-4o", "", "sk-host", None)
    assert (app.model, app.base_url, app.images) == ("azure:mine-4o", "https://mine.openai.azure.com", 0)
    assert (app.key, app.key_variable, app.api_version) == ("", "AZURE_KEY", "2025-02-01-preview")
    assert (backup.model, backup.base_url, backup.key) == ("anthropic:claude-sonnet-5", "", "")
    assert {(m.max_tokens, m.temperature, m.seconds) for m in (host, app, backup)} == {(2000, 0.5, 30.0)}
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 2
    assert "host_agent.yaml" in said[0]
    assert said[1].endswith("not used here: OMNIPARSER")


@pytest.mark.parametrize(
    ("kind", "base", "model", "url"),
    [
        ("gemini", "https://generativelanguage.googleapis.com", "gemini:m", ""),
        ("ollama", "http://127.0.0.1:11434", "ollama:m", "http://127.0.0.1:11434"),
        ("deepseek", "", "openai:m", "https://api.deepseek.com"),
        ("custom", "http://mine/v1", "openai:m", "http://mine/v1"),
    ],
)
def test_each_kind_of_service_of_ufos_is_one_of_ours(
    kind: str, base: str, model: str, url: str, tmp_path: Path
) -> None:
    settings = loaded(tmp_path, f"HOST_AGENT: {{API_TYPE: {kind}, API_BASE: '{base}', API_MODEL: m}}")

    assert (settings.models["host"].model, settings.models["host"].base_url) == (model, url)


def test_keys_that_mean_nothing_are_named_in_one_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    loaded(tmp_path, "planner_model: {model: m, max_pixels: 5, colour: red}\nextra: 1\n")

    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage().endswith("not used here: extra, planner_model.colour, planner_model.max_pixels")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("planner_model: [", "cannot be read as YAML"),
        ("- a", "no table"),
        ("models: {}", "it has none of planner_model"),
        ("planner_model: gpt", "each is a table"),
        ("ui_grounding_model: {model: m}", "no planner_model"),
        ("planner_model: {engine_type: openai}", "names no model"),
        ("HOST_AGENT: {API_TYPE: azure_ad, API_MODEL: m}", "there is no service 'azure_ad'"),
        ("planner_model: {model: m, rate_limit: fast}", "requests_per_minute"),
    ],
)
def test_what_cannot_be_used_is_said_in_a_line(text: str, hint: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        loaded(tmp_path, text)

    assert hint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_key_of_the_users_files_does_not_go_where_the_agent_file_points(tmp_path: Path) -> None:
    (tmp_path / "deskhand.toml").write_text("[models.planner]\nmodel = 'openai:gpt'\nkey = 'mine'\nattempts = 2\n")

    settings = loaded(tmp_path, NATIVE.format(url="http://elsewhere/v1", thinking="true"), "models.planner.attempts=7")

    assert (settings.models["planner"].key, settings.models["planner"].attempts) == ("", 7)


def test_each_value_says_that_it_came_from_the_agent_file(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("planner_model: {model: m}")

    sources = load_with_sources([], {}, tmp_path, str(tmp_path / "a.yaml"))[1]

    assert sources["models.planner.model"].endswith("a.yaml")


def asked_with(folder: Path, *options: str, agent_config: str = "") -> str:
    """Give the request that a run begins with."""
    reply = '<operation>end</operation><action>terminate(status="success")</action>'
    with ScriptedServer(always=reply) as server:
        if agent_config:
            (folder / "a.yaml").write_text(agent_config.replace("URL", server.url))
            settings = load(options, {}, folder, str(folder / "a.yaml"))
        else:
            own = ["model=openai:scalecua", f"models.default.base_url={server.url}", *options]
            settings = load(own, {}, folder)
        anyio.run(lambda: deskhand.run("do it", settings=settings, run_dir=folder / "run"))
        asked = next(r.event for r in read_records(folder / "run") if isinstance(r.event, ModelAsked))
    return (folder / "run" / "blobs" / asked.request).read_text()


@pytest.mark.parametrize("thinking", ["true", "false"])
def test_thinking_is_asked_for_as_the_agent_file_says(
    thinking: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    request = asked_with(tmp_path, agent_config=NATIVE.format(url="URL", thinking=thinking))

    assert ("<think>" in request) is (thinking == "true")
    assert [r.getMessage() for r in caplog.records] == [
        "config/prompt_template/ours_ubuntu.json: no prompt is there; the built-in ones are used"
    ]


def test_the_template_of_a_scalecua_agent_is_what_the_model_reads(tmp_path: Path) -> None:
    template = {
        "sys_prompt_planning_cot": "You are an old friend.\\nThink.",
        "user_prompt_planning": "Task: {instruction}\nPrevious: {actions}",
    }
    file = tmp_path / "config" / "prompt_template" / "ours_ubuntu.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(template))

    request = json.loads(asked_with(tmp_path, agent_config=NATIVE.format(url="URL", thinking="true")))

    assert request["system"] == "You are an old friend.\nThink."
    assert request["turns"][0]["text"].startswith("Task: do it\nPrevious: None")


def test_a_folder_of_prompts_replaces_those_that_are_in_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "native_thinking.md").write_text("Be quick. @COORDINATES@")
    (tmp_path / "mine" / "nativ.md").write_text("misspelled")

    request = json.loads(asked_with(tmp_path, f"prompts={tmp_path / 'mine'}"))

    assert request["system"].startswith("Be quick. x and y are")
    assert request["turns"][0]["text"].startswith("Please generate the next move")
    (record,) = caplog.records
    assert "not used as prompts: nativ.md; there are json_host" in record.getMessage()


def test_prompts_that_are_not_there_are_built_in_and_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    request = json.loads(asked_with(tmp_path, f"prompts={tmp_path / 'nowhere'}"))

    assert "You operate the screen of a device" in request["system"]
    assert ["nowhere: no prompt is there" in r.getMessage() for r in caplog.records] == [True]


def test_a_template_without_a_known_prompt_is_refused_before_anything_starts(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('{"system": "x"}')

    with pytest.raises(SettingsError, match="holds no prompt that is known"):
        asked_with(tmp_path, f"models.planner.prompts={tmp_path / 't.json'}")


def test_an_agent_file_is_an_option_of_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("planner_model: {model: scalecua, base_url: 'http://127.0.0.1:9/v1', colour: red}")

    listed = command("models", "list", "--agent-config", "a.yaml", home=tmp_path)
    both = command("run", "x", "--agent-config", "a.yaml", "--model", "literal", home=tmp_path)
    absent = command("run", "x", "--agent-config", "b.yaml", home=tmp_path)

    assert "planner    openai:scalecua at http://127.0.0.1:9/v1/chat/completions" in listed.stdout
    assert listed.stderr.count("not used here: planner_model.colour") == 1
    assert (both.returncode, absent.returncode) == (2, 2)
    assert "keep one" in both.stderr
    assert "b.yaml cannot be read" in absent.stderr


HOST_PROMPT = """
version: 1.0
system: |-
  Old host. {third_party_instructions}
  Answer like {{"status": "ASSIGN", "arguments": {{"id": "1"}}}}.
  The functions: {apis}
  The examples: {examples}
user: |-
  <Request:> {user_request}
"""


def with_ufos_prompts(folder: Path) -> Settings:
    for name, text in (
        ("base/host_agent.yaml", HOST_PROMPT),
        ("base/app_agent.yaml", "system: Single.\nsystem_as: 'Several of {apis}'\n"),
        ("visual/host_example.yaml", "example1: {Request: open it, Response: {status: '{x}'}}"),
    ):
        (folder / "ufo" / Path(name).parent).mkdir(parents=True, exist_ok=True)
        (folder / "ufo" / name).write_text(text)
    return loaded(
        folder,
        """
HOST_AGENT:
  API_MODEL: m
  PROMPT: ufo/base/host_agent.yaml
  EXAMPLE_PROMPT: "ufo/{mode}/host_example.yaml"
APP_AGENT: {API_MODEL: m, PROMPT: ufo/base/app_agent.yaml, EXAMPLE_PROMPT: ufo/nowhere.yaml}
""",
    )


def test_the_prompts_that_ufos_agents_name_are_what_their_models_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = with_ufos_prompts(tmp_path)

    told = {
        role: JsonReply(prompts=PromptFiles().at(settings.models[role].prompts)).compose(role, ()).system
        for role in ("host", "app")
    }

    assert 'Answer like {"status": "ASSIGN", "arguments": {"id": "1"}}.' in told["host"]
    assert "select_application_window(id: str" in told["host"]
    assert '[example1] {"Request": "open it", "Response": {"status": "{x}"}}' in told["host"]
    assert told["app"].startswith("Several of PLACE is")
    (record,) = caplog.records
    assert record.getMessage().endswith("not there, so that built-in prompts are used: ufo/nowhere.yaml")


def test_a_subtask_that_is_handed_out_by_a_function_is_read() -> None:
    chosen = '"function": "select_application_window", "arguments": {"id": "0xa1", "name": "Editor"}'
    reply = f'{{"status": "ASSIGN", "current_subtask": "s", {chosen}}}'

    decision = JsonReply().parse("host", Reply(text=reply), Frame(Size(10, 10), Size(10, 10)))

    assert isinstance(decision, HostDecision)
    assert decision.application == "0xa1"


def test_a_template_of_ufos_without_a_prompt_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text("user: '{request}'")

    with pytest.raises(SettingsError, match="holds no prompt that is known"):
        PromptFiles().at(str(tmp_path / "t.yaml"))
