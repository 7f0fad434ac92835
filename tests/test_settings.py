from __future__ import annotations

from pathlib import Path

import pytest

from deskhand.core.errors import SettingsError
from deskhand.settings import load, load_with_sources


def test_the_defaults_need_nothing(tmp_path: Path) -> None:
    settings = load([], {}, tmp_path)

    assert (settings.device, settings.model, settings.limits.round_steps) == ("linux:virtual", "literal", 60)


def test_later_sources_win(tmp_path: Path) -> None:
    home = tmp_path / "home" / "deskhand"
    home.mkdir(parents=True)
    (home / "settings.toml").write_text("device = 'linux'\n[limits]\nusd = 1\nrounds = 2\nseconds = 3\n")
    (tmp_path / "deskhand.toml").write_text("[limits]\nrounds = 4\nseconds = 5\n")
    environment = {"XDG_CONFIG_HOME": str(tmp_path / "home"), "DESKHAND_LIMITS__SECONDS": "6"}

    settings, sources = load_with_sources(["limits.round_steps=7"], environment, tmp_path)

    limits = settings.limits
    assert (settings.device, limits.usd, limits.rounds, limits.seconds, limits.round_steps) == ("linux", 1, 4, 6, 7)
    assert sources["limits.seconds"] == "DESKHAND_LIMITS__SECONDS"
    assert sources["limits.rounds"].endswith("deskhand.toml")


@pytest.mark.parametrize(
    ("option", "hint"),
    [
        ("limts.usd=1", "did you mean 'limits'"),
        ("limits.usdd=1", "did you mean 'limits.usd'"),
        ("modle=literal", "did you mean 'model'"),
        ("snapsht=none", "there is no setting 'snapsht'"),
        ("models.plannr.model=literal", "did you mean 'models.planner'"),
        ("device.x=1", "device is a value"),
        ("limits.usd", "key=value"),
        ("limits.usd=much", "limits.usd"),
        ("limits.round_steps=0", "greater than or equal to 1"),
        ("secrets.pw=abc", "shorter than 4"),
        ("secret_variables=['NO_SUCH']", "NO_SUCH"),
    ],
)
def test_what_is_wrong_is_named_with_what_is_near(tmp_path: Path, option: str, hint: str) -> None:
    with pytest.raises(SettingsError, match=r"(?s).*") as caught:
        load([option], {}, tmp_path)

    assert hint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_key_in_a_file_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "deskhand.toml").write_text("[plannr]\nmodel = 'x'\n")

    said = r"deskhand\.toml: there is no setting 'plannr.* did you mean 'models\.planner"
    with pytest.raises(SettingsError, match=said):
        load([], {}, tmp_path)


def test_an_unknown_variable_of_ours_is_an_error_too(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"DESKHAND_DEVCE: .* did you mean 'device'"):
        load([], {"DESKHAND_DEVCE": "linux"}, tmp_path)


def test_a_file_that_is_no_toml_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "deskhand.toml").write_text("= broken")

    with pytest.raises(SettingsError, match="cannot be read as TOML"):
        load([], {}, tmp_path)


def test_secrets_come_from_settings_and_named_variables(tmp_path: Path) -> None:
    (tmp_path / "deskhand.toml").write_text("secret_variables = ['BANK_PW']\n[secrets]\nmail = 'hunter22'\n")

    settings = load([], {"BANK_PW": "s3cret!"}, tmp_path)

    assert settings.secrets == {"BANK_PW": "s3cret!", "mail": "hunter22"}


def test_rules_of_the_policy_are_read(tmp_path: Path) -> None:
    rule = "[[policy.rules]]\nname = 'no banks'\nverdict = 'deny'\napplication = 'bank'\n"
    (tmp_path / "deskhand.toml").write_text(rule)

    assert load([], {}, tmp_path).policy.rules[0].verdict == "deny"


def test_a_secret_given_by_a_variable_keeps_the_case_of_its_name(tmp_path: Path) -> None:
    assert load([], {"DESKHAND_SECRETS__PIN": "zzzzzz"}, tmp_path).secrets == {"PIN": "zzzzzz"}
