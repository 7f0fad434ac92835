"""The instructions of each role and dialect: files beside this one, any of which a user may replace."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

from deskhand.core.errors import SettingsError
from deskhand.core.geometry import RATIO, THOUSANDTHS, Space

Platform = Literal["linux", "web", "android", "shell"]

PLATFORM_NAMES: Mapping[Platform, str] = {
    "linux": "Linux (Ubuntu)",
    "web": "Web Browser",
    "android": "Android",
    "shell": "Linux shell",
}
"""What the models that know platforms call them."""

NAMES = (
    *(
        "json_host",
        "json_app",
        "json_evaluator",
        "reflection",
        "choosing",
        "native",
        "native_thinking",
        "native_user",
        "plan",
        "plan_user",
        "ground",
        "ground_user",
    ),
    *("tool_call", "thought_action", "pyautogui", "objects", "computer"),
    *("marks_app", "platform_linux", "platform_web", "platform_android", "platform_shell"),
)
"""Every prompt there is."""

_HEAD = re.compile(r"\A---\nversion: (?P<version>[^\n]*)\n---\n")
_PLACE = re.compile(r"@([A-Z_]+)@")
_SCALECUA_PLACES = {"{instruction}": "@TASK@", "{actions}": "@OPERATIONS@", "{ref_expr}": "@DESCRIPTION@"}
_SCALECUA_PLACES |= {"{task_instruction}": "@TASK@"}
_SCALECUA_NAMES = {
    "sys_prompt_planning_cot": "native_thinking",
    "sys_prompt_planning_withoutcot": "native",
    "user_prompt_planning": "native_user",
    "sys_prompt_grounding": "ground",
    "user_prompt_grounding": "ground_user",
}
_SCALECUA_PLANNER_NAMES = {"sys_prompt_planning_cot": "plan", "user_prompt_planning": "plan_user"}


def counted_in(space: Space) -> str:
    """Say what x and y are, for a model that counts in `space`."""
    if space == THOUSANDTHS:
        return "x and y run from 0 to 1000 across and down the picture, whatever its size."
    if space == RATIO:
        return "x and y are parts of the picture's width and height, from 0 to 1."
    if space.fixed is not None:
        return f"x and y are counted as in a picture of {space.fixed.width} by {space.fixed.height} pixels."
    return "x and y are pixels of the picture."


class Prompt(NamedTuple):
    """Instructions with places such as `@TASK@` that are filled in; `version` is "" where the text says none."""

    text: str
    version: str


class Prompts:
    """The prompts in force: those of the package, but for those that are given here by their names.

    Raises:
        SettingsError: one that is given has a name that there is none of.
    """

    def __init__(self, own: Mapping[str, str] | None = None) -> None:
        self._own = {name: _read(text) for name, text in (own or {}).items()}
        if unknown := self._own.keys() - set(NAMES):
            raise SettingsError(f"there is no prompt {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")

    def __getitem__(self, name: str) -> Prompt:
        return self._own.get(name) or _packaged(name)

    def filled(self, name: str, **places: str) -> str:
        """Give the text of a prompt with `@NAME@` replaced by the value of `name`; a place without a value goes."""
        text = _PLACE.sub(lambda place: places.get(place[1].lower(), ""), self[name].text)
        return re.sub(r"\n{3,}", "\n\n", text).strip()


def scalecua_template(fields: Mapping[str, str], *, planner: bool = False) -> dict[str, str]:
    """Give the prompts of a ScaleCUA prompt template by our names; a `planner` has a template of its own kind."""
    names = _SCALECUA_PLANNER_NAMES if planner else _SCALECUA_NAMES
    # Two of their files leave an `h` out of this name.
    spelled = {key.replace("_wit" + "out", "_without"): text for key, text in fields.items()}
    found = {names[key]: text for key, text in spelled.items() if key in names}
    for theirs, ours in _SCALECUA_PLACES.items():
        found = {name: text.replace(theirs, ours) for name, text in found.items()}
    return found


_UFO_NAMES = ("json_host", "json_app", "marks_app")
_UFO_PLACE = re.compile(r"\{\{|\}\}|\{(?P<name>apis|examples|third_party_instructions)\}")
"""What `str.format`, by which they are filled, makes something else of."""


def ufo_template(fields: Mapping[str, str], examples: Iterable[tuple[str, object]]) -> dict[str, str]:
    """Give the prompt of a UFO template, and its examples, by the names of ours that an agent with it may need.

    The one for several actions a reply is taken where there is one. What their `user` tells of a step is told by ours.
    """
    system = next((fields[name] for name in ("system_as", "system", "system_nonvisual") if fields.get(name)), "")
    told = "\n".join(f"[{name}] {json.dumps(what, ensure_ascii=False)}" for name, what in examples)
    places = {"apis": "@ACTIONS@", "examples": told, "third_party_instructions": "@AGENTS@"}
    text = _UFO_PLACE.sub(lambda found: places[found["name"]] if found["name"] else found[0][0], system)
    return dict.fromkeys(_UFO_NAMES, text) if text.strip() else {}


@cache
def _packaged(name: str) -> Prompt:
    return _read((files("deskhand.dialects") / "prompts" / f"{name}.md").read_text(encoding="utf-8"))


def _read(text: str) -> Prompt:
    head = _HEAD.match(text)
    return Prompt(text[head.end() :], head["version"].strip()) if head else Prompt(text, "")
