"""One typed tree of settings, from files, environment and options; the only place that reads them."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, Field, ValidationError

from deskhand.agent_config import read_agent_config
from deskhand.core.errors import SettingsError
from deskhand.core.status import RunningMode
from deskhand.core.value import Value
from deskhand.models.options import ModelSettings, Section
from deskhand.perception.options import DetectorOptions, OcrOptions, Perception, PictureOptions
from deskhand.processors.limits import Limits
from deskhand.processors.options import GroundingOptions
from deskhand.processors.rules import PolicySettings
from deskhand.tools.options import ToolServer

PREFIX = "DESKHAND_"
CONFIG = "DESKHAND_CONFIG"
"""Names a file of settings that is read instead of the user's own."""


class Settings(Value):
    """Everything that can be set. Given by name, so: `limits.usd=1` is `-c`, `DESKHAND_LIMITS__USD=1`, or TOML."""

    device: str = "linux:virtual"
    """KIND[:ITEM[,ITEM]...]; the user's own screen is used only when named."""
    model: str = "literal"
    """The model of every role that has none of its own: SERVICE[:NAME]."""
    models: dict[Section, ModelSettings] = Field(default_factory=dict)
    """By role: host, app, planner, grounder, evaluator, operator; `default` for all; `backup` for one that fails."""
    limits: Limits = Limits()
    policy: PolicySettings = PolicySettings()
    secrets: dict[str, str] = Field(default_factory=dict)
    """Values that are typed as `{{secret:NAME}}` and masked wherever they would be written down."""
    secret_variables: tuple[str, ...] = ()
    """Names of environment variables whose values are secrets, too."""
    yes: bool = False
    """Answer every question of the policy gate with yes; a deny stays a deny."""
    runs: str = ""
    """The folder that runs are kept in; by default `deskhand/runs` in the user's state folder."""
    keep_runs: int = Field(default=0, ge=0)
    """How many ended runs are left in that folder when a new one begins, the latest; 0 keeps all."""
    fsync: bool = False
    """Wait for the disk after each record, so that a power cut loses nothing either."""
    agent: Literal["", "host", "native", "workflow"] = ""
    """Who takes requests up: `host`, with app agents below it; `native`, one model alone; `workflow`, one model that
    plans and a grounder that points. By the planner's profile unless set."""
    running_mode: RunningMode | None = None
    """How a session gets its requests, or who works in applications; by what is given unless set."""
    evaluate: bool = False
    """Have a model judge each round that is over; its result stays as it is."""
    reflection: Literal["", "note", "model"] = ""
    """After a step that changed nothing on the screen, tell the agent so with its next prompt (`note`); with `model`,
    the evaluator's is asked why, too, and its answer goes along."""
    prompts: str = ""
    """A folder of prompts that replace those built in, by file names such as `native.md`, or a ScaleCUA template."""
    speculation: bool = True
    """Do several actions of one reply, each after a look at what it aims at; else only the first."""
    tools: dict[str, ToolServer] = Field(default_factory=dict)
    """MCP servers whose tools agents may call, by name; needs the extra `mcp`."""
    shell: str = ""
    """A shell that agents of a desktop may run commands in, as the tool `shell`: a spec such as `shell:sandbox`."""
    functions: tuple[str, ...] = ()
    """Python functions that agents may call as tools, as module:name."""
    agents: tuple[str, ...] = ()
    """Agents of other people that can be assigned a subtask, as module:Name."""
    pictures: PictureOptions = PictureOptions()
    ocr: OcrOptions = OcrOptions()
    detector: DetectorOptions = DetectorOptions()
    grounding: GroundingOptions = GroundingOptions()

    @property
    def perception(self) -> Perception:
        """What a device is told about seeing."""
        return Perception(pictures=self.pictures, ocr=self.ocr, detector=self.detector)

    def shared(self, among: int, at_a_time: int = 1) -> Settings:
        """Give the settings of each of `among` runs, so many `at_a_time`, that keep to limits and budgets together."""
        models = {section: options.shared(among, at_a_time) for section, options in self.models.items()}
        return self.model_copy(update={"limits": self.limits.shared(among, at_a_time), "models": models})


def load(options: Iterable[str], environment: Mapping[str, str], folder: Path, agent_config: str = "") -> Settings:
    """Read the user's file, the folder's `deskhand.toml`, the environment, `agent_config`, then `options`; later wins.

    Raises:
        SettingsError: naming the source, the key and the nearest key that exists, or what is wrong with the value.
    """
    return load_with_sources(options, environment, folder, agent_config)[0]


def load_with_sources(
    options: Iterable[str], environment: Mapping[str, str], folder: Path, agent_config: str = ""
) -> tuple[Settings, dict[str, str]]:
    """As `load`; also say, by dotted key, where each value that is no default came from.

    `agent_config` is another system's file; the models it has are as it says, whatever files and environment have of
    them, so that no key goes to a place that it was not meant for.
    """
    tree: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for path in _files(environment, folder):
        for key, value in _leaves(_read(path)):
            _put(tree, sources, key, value, str(path))
    for name, text in environment.items():
        if name.startswith(PREFIX) and name != CONFIG:
            _put_text(tree, sources, _key_of(name), text, name)
    if agent_config:
        _put_agent_config(tree, sources, Path(agent_config).expanduser())
    for option in options:
        dotted, equals, text = option.partition("=")
        if not equals:
            raise SettingsError(f"-c {option}: write it as key=value")
        _put_text(tree, sources, tuple(dotted.strip().split(".")), text, f"-c {dotted.strip()}")
    settings = _validated(tree, sources)
    return _with_secret_variables(settings, environment), sources


def _put_agent_config(tree: dict[str, Any], sources: dict[str, str], path: Path) -> None:
    described = read_agent_config(path)
    for section in described["models"]:
        tree.get("models", {}).pop(section, None)
        for dotted in [dotted for dotted in sources if dotted.startswith(f"models.{section}.")]:
            del sources[dotted]
    for key, value in _leaves(described):
        _put(tree, sources, key, value, str(path))


def _key_of(variable: str) -> tuple[str, ...]:
    """Read a key off a variable's name. The names of secrets are the user's own, so they keep their case."""
    first, *more = variable[len(PREFIX) :].split("__")
    return (first.lower(), *(more if first.lower() == "secrets" else (part.lower() for part in more)))


def _files(environment: Mapping[str, str], folder: Path) -> list[Path]:
    if named := environment.get(CONFIG):
        if not Path(named).is_file():
            raise SettingsError(f"{CONFIG} names {named}, which is no file")
        return [Path(named)]
    home = environment.get("XDG_CONFIG_HOME") or str(Path(environment.get("HOME", "/")) / ".config")
    return [p for p in (Path(home) / "deskhand" / "settings.toml", folder / "deskhand.toml") if os.path.lexists(p)]


def _read(path: Path) -> dict[str, Any]:
    try:
        if path.exists() and not path.is_file():
            raise SettingsError(f"{path} is no file; it is where settings are read from")
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise SettingsError(f"{path} cannot be read as TOML: {error}") from error


def _leaves(tree: Mapping[str, Any], before: tuple[str, ...] = ()) -> Iterable[tuple[tuple[str, ...], Any]]:
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from _leaves(value, (*before, key))
        else:
            yield (*before, key), value


def _value(text: str) -> Any:
    """Read a value as TOML where it is TOML, else as the text it is."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except ValueError:
        return text


def _put_text(tree: dict[str, Any], sources: dict[str, str], key: tuple[str, ...], text: str, source: str) -> None:
    """Put a value in that was given as text; where text is wanted, a number or a word like `true` stays text."""
    value = _value(text)
    if _check(key, source) is str and not isinstance(value, str):
        value = text
    _put(tree, sources, key, value, source)


def _put(tree: dict[str, Any], sources: dict[str, str], key: tuple[str, ...], value: Any, source: str) -> None:
    _check(key, source)
    here = tree
    for part in key[:-1]:
        here = here.setdefault(part, {})
        if not isinstance(here, dict):
            raise SettingsError(f"{source}: {'.'.join(key[:-1])} is a value, it has nothing inside")
    here[key[-1]] = value
    sources[".".join(key)] = source


def _check(key: tuple[str, ...], source: str) -> Any:
    """See whether a key exists; give the type of its value.

    Raises:
        SettingsError: it does not; names the nearest.
    """
    model: Any = Settings
    for depth, part in enumerate(key):
        names = _names(model)
        if names is None:
            raise SettingsError(f"{source}: {'.'.join(key[:depth])} is a value, there is no {'.'.join(key)!r}")
        if part not in names and names:
            near = _near(part, names, key[:depth])
            hint = f"did you mean {near!r}?" if near else f"there are {', '.join(names)}"
            raise SettingsError(f"{source}: there is no setting {'.'.join(key)!r}; {hint}")
        model = _inner(model, part)
    return model


def _near(part: str, names: list[str], before: tuple[str, ...]) -> str:
    """Give the key that was probably meant; a role's section at the top belongs into `models`."""
    places = {name: (*before, name) for name in names}
    if not before:
        places = {name: ("models", name) for name in get_args(Section)} | places
    near = get_close_matches(part, places, 1, 0.4)
    return ".".join(places[near[0]]) if near else ""


def _names(model: Any) -> list[str] | None:
    """Give the keys below a place in the tree; empty when any goes, None when there are none."""
    if model is Any:
        return []
    if isinstance(model, type) and issubclass(model, BaseModel):
        return list(model.model_fields)
    arguments = get_args(model)
    if getattr(model, "__origin__", None) is dict:
        return list(get_args(arguments[0]))
    return None


def _inner(model: Any, part: str) -> Any:
    if isinstance(model, type) and issubclass(model, BaseModel):
        return model.model_fields[part].annotation
    return Any if model is Any else get_args(model)[1]


def _validated(tree: dict[str, Any], sources: Mapping[str, str]) -> Settings:
    try:
        return Settings.model_validate(tree)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        source = next((s for k, s in sources.items() if key.startswith(k) or k.startswith(key)), key)
        raise SettingsError(
            f"{source}: {key}: {_WANTED.get(first['type']) or first['msg'].lower().removeprefix('value error, ')}"
        ) from error


_WANTED = {
    "string_type": "it is a text, in quotes",
    "tuple_type": "it is a list, in brackets: [...]",
    "dict_type": "it is a table; name what is in it",
    "model_type": "it is a table; name what is in it",
    "bool_parsing": "it is true or false",
    "bool_type": "it is true or false",
}
"""What pydantic says in words that a user need not know."""


def _with_secret_variables(settings: Settings, environment: Mapping[str, str]) -> Settings:
    if missing := [name for name in settings.secret_variables if name not in environment]:
        raise SettingsError(f"secret_variables: the environment has no {', '.join(missing)}")
    read = {name: environment[name] for name in settings.secret_variables}
    secrets = {**read, **settings.secrets}
    for name, value in secrets.items():
        if len(value) < 4 or not name.replace("_", "").replace("-", "").isalnum():
            problem = (
                "is shorter than 4 characters" if len(value) < 4 else "has a name with other than letters, - and _"
            )
            raise SettingsError(f"the secret {name!r} {problem}; it could not be masked without harm")
    return settings.model_copy(update={"secrets": secrets})
