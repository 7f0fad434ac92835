"""Files in YAML, which other systems use for settings and prompts."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import Any

from deskhand.core.errors import SettingsError


def read_yaml(path: Path) -> dict[str, Any]:
    """Read a table; its keys are texts.

    Raises:
        SettingsError: it cannot be read, or is no table.
    """
    if importlib.util.find_spec("yaml") is None:
        raise SettingsError("reading YAML needs the package pyyaml: pip install 'deskhand[yaml]'")
    yaml = importlib.import_module("yaml")
    try:
        tree = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeError, yaml.YAMLError) as error:
        raise SettingsError(f"{path} cannot be read as YAML: {' '.join(str(error).split())}") from error
    if not isinstance(tree, dict):
        raise SettingsError(f"{path} is no table of settings")
    return {str(key): value for key, value in tree.items()}
