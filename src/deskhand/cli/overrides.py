"""Options of a command as settings."""

from __future__ import annotations

from argparse import Namespace

from deskhand.app import settings_from
from deskhand.core.errors import SettingsError
from deskhand.settings import Settings


def settings_of(arguments: Namespace) -> Settings:
    """Read the settings with a command's options on top; `-c` wins over files, named options over `-c`.

    Raises:
        SettingsError: one of them is wrong.
    """
    options = list(arguments.settings)
    agent_config = getattr(arguments, "agent_config", None) or ""
    if agent_config and getattr(arguments, "model", None) is not None:
        raise SettingsError("--agent-config and --model both name models; keep one")
    named = {
        "device": ("device",),
        "model": ("model",),
        "agent": ("agent",),
        "mode": ("running_mode",),
        "max_steps": ("limits.round_steps", "limits.session_steps"),
        "max_seconds": ("limits.seconds",),
    }
    for option, keys in named.items():
        if (value := getattr(arguments, option, None)) is not None:
            options += [f"{key}={value}" for key in keys]
    if getattr(arguments, "no_speculation", False):
        options.append("speculation=false")
    if getattr(arguments, "yes", False):
        options.append("yes=true")
    return settings_from(options, agent_config)
