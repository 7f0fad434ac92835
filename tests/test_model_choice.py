"""Which options hold for which role."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from deskhand.core.errors import SettingsError
from deskhand.core.message import Role
from deskhand.core.ports import Model
from deskhand.models.factory import Makers, url_of
from deskhand.models.fallback import FallbackModel
from deskhand.models.options import ModelSettings
from deskhand.models.recording import RecordingModel

KEYS = {"KEY": "key-of-default", "OTHER": "key-of-another"}


def makers(named: str = "", **sections: Mapping[str, Any]) -> Makers:
    return Makers({name: ModelSettings(**given) for name, given in sections.items()}, KEYS, named)  # type: ignore[misc]  # names of sections


def made(named: str = "", **sections: Mapping[str, Any]) -> dict[Role, Model]:
    return makers(named, **sections).models()


def test_without_settings_every_role_is_built_in_and_shares_one() -> None:
    models = made()

    assert {model.name for model in models.values()} == {"literal"}
    assert len(set(map(id, models.values()))) == 1


def test_host_and_app_take_the_planners_model_and_others_the_default() -> None:
    models = made(default={"model": "vllm:a"}, planner={"model": "vllm:b"}, app={"model": "vllm:c"})

    names = {role: model.name for role, model in models.items()}
    assert names == {
        "host": "vllm:b",
        "app": "vllm:c",
        "planner": "vllm:b",
        "grounder": "vllm:a",
        "evaluator": "vllm:a",
        "operator": "vllm:a",
    }


def test_the_setting_model_stands_before_the_default_section_and_behind_a_roles_own() -> None:
    models = made("vllm:named", default={"model": "vllm:a"}, grounder={"model": "vllm:b"})

    assert (models["planner"].name, models["grounder"].name) == ("vllm:named", "vllm:b")


@pytest.mark.parametrize(
    ("own", "inherits"),
    [
        ({"temperature": 0.5}, True),
        ({"model": "openai:other"}, True),
        ({"model": "anthropic:claude"}, False),
        ({"base_url": "http://elsewhere/v1"}, False),
        ({"base_url": "http://here/v1"}, True),
    ],
)
def test_a_key_goes_only_where_it_was_meant_for(own: dict[str, Any], inherits: bool) -> None:
    default = {"model": "openai:a", "base_url": "http://here/v1", "key_variable": "KEY"}

    options = makers(default=default, grounder=own).options("grounder")

    assert options.key_variable == ("KEY" if inherits else "")
    assert (options.base_url == "http://here/v1") is inherits


def test_prices_go_with_the_model_and_manners_with_all() -> None:
    default = {"model": "vllm:a", "prices": {"input": 1}, "seconds": 5, "attempts": 2}

    options = makers(default=default, grounder={"model": "vllm:b"}).options("grounder")

    assert (options.prices.input, options.seconds, options.attempts) == (0, 5, 2)


def test_the_backup_steps_in_for_models_that_answer_alike() -> None:
    models = made(default={"model": "vllm:a"}, grounder={"model": "vllm:ui-tars-7b"}, backup={"model": "vllm:b"})

    assert isinstance(models["planner"], FallbackModel)
    assert models["planner"].second.name == "vllm:b"
    assert models["grounder"].name == "vllm:ui-tars-7b"
    assert not isinstance(models["grounder"], FallbackModel)


@pytest.mark.parametrize(("app", "name"), [("vllm:a", "vllm:b"), ("vllm:ui-tars-7b", None)])
def test_a_stuck_run_is_lent_the_backup_when_it_answers_alike(app: str, name: str | None) -> None:
    backup = makers(app={"model": app}, backup={"model": "vllm:b"}).backup()

    assert (backup.name if backup else None) == name
    assert makers(app={"model": app}).backup() is None


def test_a_fallback_that_answers_otherwise_is_refused_when_it_is_named() -> None:
    with pytest.raises(SettingsError, match=r"models\.grounder\.fallback: planner answers otherwise"):
        made(planner={"model": "vllm:a"}, grounder={"model": "vllm:ui-tars-7b", "fallback": "planner"})


def test_no_fallback_is_had_where_none_is_wanted() -> None:
    models = made(default={"model": "vllm:a", "fallback": ""}, backup={"model": "vllm:b"})

    assert not isinstance(models["planner"], FallbackModel)


def test_a_recording_is_made_of_every_role_and_by_the_backup_too(tmp_path: Any) -> None:
    models = made(default={"model": "vllm:a", "record": str(tmp_path / "r")}, backup={"model": "vllm:b"})

    planner = models["planner"]
    assert isinstance(planner, FallbackModel)
    assert isinstance(planner.first, RecordingModel)
    assert isinstance(planner.second, RecordingModel)


def test_what_is_wrong_names_the_section() -> None:
    with pytest.raises(SettingsError, match=r"models\.grounder: there is no model 'vlm:a'; did you mean 'vllm'"):
        made(grounder={"model": "vlm:a"})
    with pytest.raises(SettingsError, match=r"models\.evaluator: both key and key_variable"):
        made(evaluator={"model": "vllm:a", "key": "k", "key_variable": "KEY"})


@pytest.mark.parametrize(
    ("options", "url"),
    [
        ({"model": "ollama:a:7b"}, "http://127.0.0.1:11434/v1/chat/completions"),
        ({"model": "anthropic:claude", "base_url": "https://h/"}, "https://h/v1/messages"),
        ({"model": "openai:a", "base_url": "https://h/v1?code=secret"}, "https://h/v1/chat/completions?code=..."),
        ({"model": "literal"}, ""),
    ],
)
def test_the_place_of_a_model_is_told_without_secrets(options: dict[str, Any], url: str) -> None:
    assert url_of(ModelSettings(**options)) == url
