"""Prompts of the user's own: a folder of them, or a template of ScaleCUA or UFO."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from pathlib import Path

from deskhand.core.errors import SettingsError
from deskhand.dialects.prompt import NAMES, Prompts, scalecua_template, ufo_template
from deskhand.yaml_files import read_yaml

_logger = logging.getLogger(__name__)


class PromptFiles:
    """Reads prompts where they are named; what is not there is built in, and one warning a place says so."""

    def __init__(self) -> None:
        self._read: dict[tuple[str, bool], Prompts] = {}

    def at(self, place: str, *, planner: bool = False) -> Prompts:
        """Give the prompts of a folder with files called like `native.md`, or of a template of ScaleCUA or UFO.

        A template of UFO may be followed, after a colon, by the file of its examples.

        `planner` says that a template is for a model that plans only. "" is no place, so all are built in.

        Raises:
            SettingsError: a template holds no prompt, or is none.
        """
        if (place, planner) not in self._read:
            self._read[place, planner] = Prompts(_own(place, planner=planner) if place else {})
        return self._read[place, planner]


def _own(place: str, *, planner: bool) -> dict[str, str]:
    template, *examples = [Path(file).expanduser() for file in place.split(os.pathsep)]
    if template.suffix in (".yaml", ".yml") and template.is_file():
        return _ufo(template, examples)
    return _of_folder(template) if not template.is_file() else scalecua_template(_template(template), planner=planner)


def _ufo(template: Path, examples: list[Path]) -> dict[str, str]:
    shown = [example for file in examples if file.is_file() for example in read_yaml(file).items()]
    found = ufo_template(_texts(read_yaml(template)), shown)
    if not found:
        raise SettingsError(f"{template} holds no prompt that is known, such as system")
    return found


def _of_folder(place: Path) -> dict[str, str]:
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
