"""Options of a command as settings."""

from __future__ import annotations

from argparse import Namespace

from deskhand.app import settings_from
from deskhand.core.errors import SettingsError
from deskhand.settings import Settings

_NAMED = {
    "device": ("device",),
    "model": ("model",),
    "agent": ("agent",),
    "mode": ("running_mode",),
    "max_steps": ("limits.round_steps", "limits.session_steps"),
    "max_seconds": ("limits.seconds",),
}
"""The settings that options stand for."""


def settings_of(arguments: Namespace) -> Settings:
    """Read the settings with a command's options on top; `-c` wins over files, named options over `-c`.

    Raises:
        SettingsError: one of them is wrong.
    """
    options = list(arguments.settings)
    agent_config = getattr(arguments, "agent_config", None) or ""
    if agent_config and getattr(arguments, "model", None) is not None:
        raise SettingsError("--agent-config and --model both name models; keep one")
    for option, keys in _NAMED.items():
        if (value := getattr(arguments, option, None)) is not None:
            options += [f"{key}={value}" for key in keys]
    if getattr(arguments, "no_speculation", False):
        options.append("speculation=false")
    if getattr(arguments, "yes", False):
        options.append("yes=true")
    try:
        return settings_from(options, agent_config)
    except SettingsError as error:
        raise SettingsError(_said_as_given(str(error), arguments)) from error


def _said_as_given(message: str, arguments: Namespace) -> str:
    """Say of a wrong value the option that it was given with, not the setting that this stands for."""
    for option, keys in _NAMED.items():
        value = getattr(arguments, option, None)
        if value is not None and message.startswith(f"-c {keys[0]}: "):
            return f"--{option.replace('_', '-')} {value}: {message.removeprefix(f'-c {keys[0]}: ')}"
    return message
