"""Prompts of the user's own: a folder of them, or a ScaleCUA template."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from pathlib import Path

from deskhand.core.errors import SettingsError
from deskhand.dialects.prompt import NAMES, Prompts, scalecua_template

_logger = logging.getLogger(__name__)


class PromptFiles:
    """Reads prompts where they are named; what is not there is built in, and one warning a place says so."""

    def __init__(self) -> None:
        self._read: dict[tuple[str, bool], Prompts] = {}

    def at(self, place: str, *, planner: bool = False) -> Prompts:
        """Give the prompts of a folder with files called like `native.md`, or of a ScaleCUA template.

        `planner` says that a template is for a model that plans only. "" is no place, so all are built in.

        Raises:
            SettingsError: a template holds no prompt, or is none.
        """
        if (place, planner) not in self._read:
            self._read[place, planner] = Prompts(_own(Path(place).expanduser(), planner=planner) if place else {})
        return self._read[place, planner]


def _own(place: Path, *, planner: bool) -> dict[str, str]:
    if place.is_file():
        return scalecua_template(_template(place), planner=planner)
    files = sorted(place.glob("*.md")) if place.is_dir() else []
    own, odd = {}, []
    for file in files:
        try:
            own[file.stem] = file.read_text(encoding="utf-8")
        except (OSError, UnicodeError):
            odd.append(file.name)
    odd += [f"{name}.md" for name in own if name not in NAMES]
    if odd:
        _logger.warning("%s: not used as prompts: %s; there are %s", place, ", ".join(odd), ", ".join(NAMES))
    if not files:
        _logger.warning("%s: no prompt is there; the built-in ones are used", place)
    return {name: text for name, text in own.items() if name in NAMES}


def _template(file: Path) -> Mapping[str, str]:
    try:
        fields = json.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise SettingsError(f"{file} is no prompt template in JSON: {error}") from error
    if not isinstance(fields, dict) or not scalecua_template(_texts(fields)):
        raise SettingsError(f"{file} holds no prompt that is known, such as sys_prompt_planning_cot")
    return _texts(fields)


def _texts(fields: Mapping[str, object]) -> dict[str, str]:
    """Keep the texts; some templates have their line breaks escaped twice."""
    texts = {key: text for key, text in fields.items() if isinstance(text, str)}
    return {key: text if "\n" in text else text.replace("\\n", "\n") for key, text in texts.items()}
