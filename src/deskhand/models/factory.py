"""Models from their options, all checked before the first is asked."""

from __future__ import annotations

import importlib.util
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from deskhand.core.errors import SettingsError
from deskhand.core.family import ANY, family_of
from deskhand.core.foreign import is_module, named
from deskhand.core.geometry import Space
from deskhand.core.message import Role, Usage
from deskhand.core.nearest import hint
from deskhand.core.ports import Model
from deskhand.journal.spent import Spent
from deskhand.models.anthropic import Messages
from deskhand.models.calling import ServiceModel
from deskhand.models.catalog import SERVICES, ServiceKind
from deskhand.models.choice import BUILT_IN, options_of, points_of, roles
from deskhand.models.endpoint import Endpoint, endpoint
from deskhand.models.fallback import FallbackModel
from deskhand.models.gemini import Gemini
from deskhand.models.openai import ChatCompletions
from deskhand.models.options import ModelSettings, Section
from deskhand.models.own import own_model
from deskhand.models.recording import RecordingModel, ReplayModel
from deskhand.models.remarks import remark
from deskhand.models.responses import Responses
from deskhand.models.service import Service
from deskhand.models.spending import Account, Pace
from deskhand.models.transport import Transport
from deskhand.models.wire import Shape, Wire

WIRES: dict[str, Callable[[str], Wire]] = {
    "openai": lambda _: ChatCompletions(),
    "anthropic": lambda _: Messages(),
    "responses": lambda _: Responses(),
    "gemini": Gemini,
}
"""The forms, made for a model: one names it in its path."""
BUILT_INS: dict[str, str] = {BUILT_IN: "deskhand.models.literal:LiteralModel"}
"""Models without a service, by the class that is one."""
_POINTING: tuple[Section, ...] = ("planner", "app", "grounder")
"""Roles in which a model may point into a picture; what is set for the planner holds for the app, too."""


@dataclass(frozen=True)
class Makers:
    """Makes the models of a session. `environment` is read only where the settings name a variable of it."""

    sections: Mapping[Section, ModelSettings]
    environment: Mapping[str, str]
    named: str = ""
    """The setting `model`, "" where it is not set."""
    spent: Mapping[tuple[Role, str], Spent] = field(default_factory=dict)
    """What the models of a session that goes on were asked for before: by role, and the spec of who answered."""

    def models(self) -> dict[Role, Model]:
        """Make the model of each role; roles with the same options share one.

        Raises:
            SettingsError: one of them cannot be made; names the setting.
        """
        sharing: dict[str, list[Role]] = {}
        for role in roles():
            sharing.setdefault(self.options(role).model_dump_json(), []).append(role)
        return {role: model for shared in sharing.values() for role, model in self._shared(shared).items()}

    def _shared(self, of: Sequence[Role]) -> dict[Role, Model]:
        return dict.fromkeys(of, self._with_fallback(of, self.options(of[0])))

    def options(self, role: Section) -> ModelSettings:
        return options_of(role, self.named, self.sections)

    def backup(self) -> Model | None:
        """Make the model that steps in when a run is stuck; None where there is none that answers like the app's."""
        options = self.options("backup")
        alike = _speech(options) == _speech(self.options("app"))
        return self._model("backup", options, roles()) if alike and "backup" in self.sections else None

    def _with_fallback(self, of: Sequence[Role], options: ModelSettings) -> Model:
        role = of[0]
        model = self._model(role, options, of)
        section = next((s for s in self.sections if s == options.fallback and s != role), None)
        if section is None or (second := self.options(section)) == options:
            return model
        if _speech(options) != _speech(second):
            # Its replies would be read by the rules of the first, and its points land elsewhere.
            if section == "backup":
                return model
            raise SettingsError(
                f"models.{role}.fallback: {section} answers otherwise, in another dialect or other coordinates"
            )
        return FallbackModel(model, self._model(section, second, of))

    def _model(self, role: Section, options: ModelSettings, of: Sequence[Role]) -> Model:
        """Make one model, which answers in the roles `of`.

        Raises:
            SettingsError: naming the section and the setting.
        """
        try:
            if options.replay:
                return ReplayModel(Path(options.replay).expanduser(), options.replay_by)
            spent = [used.usage for (who, spec), used in self.spent.items() if who in of and spec == options.model]
            model = make(options, self.environment, spent)
            pointing = [section for section in _POINTING if section in of]
            if pointing and isinstance(model, ServiceModel):
                _say_what_is_guessed(pointing[0], options)
        except SettingsError as error:
            raise SettingsError(f"models.{role}: {error}") from error
        return RecordingModel(model, Path(options.record).expanduser()) if options.record else model


@asynccontextmanager
async def opened(models: Iterable[Model]) -> AsyncIterator[None]:
    """Close the connections of those that have some on leaving the block."""
    async with AsyncExitStack() as stack:
        for model in {id(model): model for model in models}.values():
            if isinstance(model, AbstractAsyncContextManager):
                await stack.enter_async_context(model)
        yield


def make(options: ModelSettings, environment: Mapping[str, str], spent: Iterable[Usage] = ()) -> Model:
    """Make the model of a spec: SERVICE:NAME, a built-in one, or the class of a module, as package.module:Name.

    `spent` counts against its budget.

    Raises:
        SettingsError: there is no such model, or an option does not fit it.
    """
    service, _, name = options.model.partition(":")
    if service in BUILT_INS and not name:
        built_in: Model = named(BUILT_INS[service], "model")()
        return built_in
    if service not in SERVICES:
        if name and ("." in service or is_module(service)):
            return own_model(options.model)
        own = f"; {service} is no module here either" if name else ", or module:Name of your own"
        raise SettingsError(f"there is no model {options.model!r}; {hint(service, [*BUILT_INS, *SERVICES])}{own}")
    if not name:
        raise SettingsError(f"{service} is a service; name its model, too: {service}:NAME")
    model = _service_model(name, SERVICES[service], options, environment)
    for usage in spent:
        model.account.before(usage)
    return model


def _say_what_is_guessed(section: Section, options: ModelSettings) -> None:
    if points_of(options) is ANY and not options.coordinates:
        guess = f"{options.model} is of no known family, and is taken to point at pixels of the picture"
        remark(f"{guess}; else set models.{section}.coordinates (deskhand models test {options.model} tries it)")


def url_of(options: ModelSettings) -> str:
    """Give the whole URL that requests go to; "" for a model without a service.

    Raises:
        SettingsError: the base URL is none, or missing.
    """
    service, _, name = options.model.partition(":")
    if service not in SERVICES:
        return ""
    place = _place(name, SERVICES[service], options)
    return place.shown(place.bases[0], WIRES[SERVICES[service].wire](name).operation)


def _speech(options: ModelSettings) -> tuple[str, Space]:
    """Give the dialect and the space in which a model answers; raises as `points_of`."""
    return options.dialect or family_of(options.model).dialect, points_of(options).space


def _service_model(
    name: str, kind: ServiceKind, options: ModelSettings, environment: Mapping[str, str]
) -> ServiceModel:
    _check(options)
    wire = WIRES[kind.wire](name)
    if importlib.util.find_spec(wire.sdk) is None:
        raise SettingsError(f"{options.model} needs the package {wire.sdk}: pip install 'deskhand[{wire.sdk}]'")
    place = _place(name, kind, options)
    key, hint = _key(kind, options, environment)
    spec, family = options.model, family_of(name)
    dropped = frozenset() if family.sends_temperature or options.temperature is not None else {"temperature"}
    shape = Shape(frozenset(dropped), options.images, limit_field="" if options.base_url else kind.limit_field)
    service = Service(name, Transport(wire, place, key), options, shape)
    account = Account(spec, options, paid=kind.needs_key and not options.base_url)
    return ServiceModel(spec, service, account, Pace(options.requests_per_minute, options.tokens_per_minute), hint)


def _check(options: ModelSettings) -> None:
    if options.budget_usd is not None and not any((options.prices.input, options.prices.output)):
        raise SettingsError("budget_usd needs prices, in dollars for a million tokens: prices.input, prices.output")


def _place(name: str, kind: ServiceKind, options: ModelSettings) -> Endpoint:
    url = options.base_url or kind.url
    if not url:
        raise SettingsError(f"{options.model} needs base_url: where the service is")
    azure = options.model.startswith("azure:")
    place = endpoint(url, name, azure=azure, api_version=options.api_version, version=kind.version)
    return replace(place, key_header=kind.key_header) if kind.key_header else place


def _key(kind: ServiceKind, options: ModelSettings, environment: Mapping[str, str]) -> tuple[str, str]:
    """Give the key, and what to say when it is not taken."""
    if options.key and options.key_variable:
        raise SettingsError("both key and key_variable are set; keep one")
    if options.key_variable and not environment.get(options.key_variable):
        raise SettingsError(f"key_variable: the environment has no {options.key_variable}")
    key = (options.key or environment.get(options.key_variable, "")).strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise SettingsError("the key holds characters that no key has, such as spaces or line breaks")
    lying_about = kind.key_variable if environment.get(kind.key_variable) else ""
    setting = "-c models.default.key_variable="
    hint = f"set the key with {setting}NAME, NAME being the environment variable that holds it"
    if lying_about and options.key_variable != lying_about:
        hint += f"; {lying_about} is set, but it is used only when it is named: {setting}{lying_about}"
    if kind.needs_key and not key and not options.base_url:
        raise SettingsError(f"{options.model} needs a key; {hint}")
    return key, hint if not key or lying_about else "see whether the key is right and may use this model"
