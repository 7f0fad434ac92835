"""`deskhand config`: the settings in force, and where each comes from."""

from __future__ import annotations

import json
import os
from argparse import Namespace
from collections.abc import Iterator, Mapping
from typing import Any

from deskhand.app import current_folder
from deskhand.cli.streams import say, say_json
from deskhand.models.endpoint import without_queries
from deskhand.settings import load_with_sources

SECRET = ("secrets.", "key")
"""Keys that start with the first or end with the second are shown by their last four characters only."""


def main(arguments: Namespace) -> int:
    settings, sources = load_with_sources(
        arguments.settings, os.environ, current_folder(), arguments.agent_config or ""
    )
    shown = {key: _masked(key, value) for key, value in _leaves(settings.model_dump(mode="json"))}
    if arguments.json:
        say_json({key: {"value": value, "source": sources.get(key, "default")} for key, value in shown.items()})
    else:
        for key, value in shown.items():
            say(f"{key} = {json.dumps(value, ensure_ascii=False)}  # {sources.get(key, 'default')}")
    return 0


def _leaves(tree: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, f"{before}{key}.")
        else:
            yield before + key, value


def _masked(key: str, value: Any) -> Any:
    if isinstance(value, str) and value and (key.startswith(SECRET[0]) or key.endswith(SECRET[1])):
        return f"...{value[-4:]}" if len(value) > 8 else "..."
    return without_queries(value) if isinstance(value, str) and key.endswith("url") else value
