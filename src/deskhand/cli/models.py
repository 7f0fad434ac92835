"""`deskhand models`: what can be asked, and whether it answers."""

from __future__ import annotations

import os
from argparse import Namespace
from importlib import import_module
from types import ModuleType
from typing import Any

from deskhand.bench.trial import Finding, Trial
from deskhand.cli.complaints import FINISHED, TROUBLE
from deskhand.cli.interrupt import run_until_interrupted
from deskhand.cli.overrides import settings_of
from deskhand.cli.streams import say, say_json
from deskhand.core.errors import SettingsError
from deskhand.core.family import ANY, FAMILIES, Family, family_of
from deskhand.dialects.vocabularies import form_of
from deskhand.models.catalog import SERVICES
from deskhand.models.choice import BUILT_IN, options_of, points_of, roles
from deskhand.models.factory import make, url_of
from deskhand.models.options import ModelSettings
from deskhand.settings import Settings
from deskhand.wiring import makers_of


def main(arguments: Namespace) -> int:
    if arguments.verb != "certify" and (arguments.out or arguments.tasks or arguments.pictures or arguments.yes):
        raise SettingsError("--out, --tasks, --pictures and --yes go with certify")
    if arguments.verb == "show":
        return int(_certifying().show(arguments))
    agreed, arguments.yes = arguments.yes, False  # it is no answer to questions of the policy
    settings = settings_of(arguments)
    match arguments.verb:
        case "certify":
            return int(_certifying().certify(arguments, settings, agreed=agreed))
        case "test":
            return _test(arguments, settings)
        case _:
            return _list(arguments, settings)


def _certifying() -> ModuleType:
    """Give what certifies, which brings a desktop in that nothing else here needs."""
    return import_module("deskhand.cli.models_certify")


def _test(arguments: Namespace, settings: Settings) -> int:
    trials = {name: Trial(make(options, os.environ), options) for name, options in _chosen(arguments, settings).items()}
    findings: dict[str, list[Finding]] = {}
    for name, trial in trials.items():
        if not arguments.json:
            say(trial.about if name == arguments.spec else f"{name}: {trial.about}")
        findings[name] = run_until_interrupted(trial.run)
        if not arguments.json:
            say(*(f"  {finding}" for finding in findings[name]), *(f"  {line}" for line in trial.remarks()))
    if arguments.json:
        tested = [_as_json(name, trial, findings[name]) for name, trial in trials.items()]
        say_json({"ok": all(one["ok"] for one in tested), "models": tested})
    return FINISHED if all(found[0].ok for found in findings.values()) else TROUBLE


def _chosen(arguments: Namespace, settings: Settings) -> dict[str, ModelSettings]:
    """Give the options of the model that was named, else of each role's, by who they belong to.

    Raises:
        SettingsError: there is nothing to test.
    """
    if arguments.spec == BUILT_IN:
        raise SettingsError(
            f"{BUILT_IN} is no model of language: it reads what is to be done by rules, and has no service"
        )
    if arguments.spec:
        return {arguments.spec: options_of("default", arguments.spec, settings.models)}
    makers = makers_of(settings)
    chosen: dict[str, ModelSettings] = {}
    for section in (*roles(), *(s for s in settings.models if s == "backup")):
        options = makers.options(section)
        same = next((name for name, other in chosen.items() if other == options), "")
        chosen.pop(same, None)
        chosen[f"{same}, {section}" if same else section] = options
    if all(options.model == BUILT_IN for options in chosen.values()):
        raise SettingsError(
            f"all roles have the model {BUILT_IN}, which is built in; name one: deskhand models test SPEC"
        )
    return {name: options for name, options in chosen.items() if options.model != BUILT_IN}


def _as_json(name: str, trial: Trial, findings: list[Finding]) -> dict[str, Any]:
    checks = [finding._asdict() for finding in findings]
    return {
        "name": name,
        "about": trial.about,
        "ok": findings[0].ok,
        "checks": checks,
        "remarks": trial.remarks(),
    }


def _list(arguments: Namespace, settings: Settings) -> int:
    makers = makers_of(settings)
    chosen = {section: makers.options(section) for section in (*roles(), *settings.models) if section != "default"}
    if arguments.json:
        services = {name: kind._asdict() | {"key": _key_of(kind.key_variable)} for name, kind in SERVICES.items()}
        in_use = {section: _facts(options) for section, options in chosen.items()}
        say_json({"roles": in_use, "services": services, "profiles": [_profile(f) for f in (*FAMILIES.values(), ANY)]})
        return FINISHED
    say("Roles, as the settings have them:")
    say(*(f"  {_role(section, _facts(options))}" for section, options in chosen.items()))
    say("", f"Services, as SERVICE:NAME; {BUILT_IN} needs none:")
    for name, kind in SERVICES.items():
        say(f"  {name:18} {kind.url or '(set base_url)':58} {_key_of(kind.key_variable)}".rstrip())
    say("", "Profiles, by what a model's name holds:")
    say(*(f"  {f.name:18} {_spoken(f):32} coordinates {f.coordinates}" for f in (*FAMILIES.values(), ANY)))
    return FINISHED


def _facts(options: ModelSettings) -> dict[str, str]:
    family = family_of(options.model)
    return {
        "model": options.model,
        "url": url_of(options),
        "key": f"of {options.key_variable}" if options.key_variable else "of the settings" if options.key else "none",
        "profile": family.name,
        "dialect": options.dialect or family.dialect,
        "coordinates": points_of(options).coordinates,
    }


def _spoken(family: Family) -> str:
    """Say in what dialect a family is asked, and which one has its own words."""
    own = form_of(family)
    return f"dialect {family.dialect}" + (f", own {own}" if own not in ("", family.dialect) else "")


def _profile(family: Family) -> dict[str, object]:
    told = ("name", "pattern", "dialect", "coordinates", "sends_temperature")
    return {**{name: getattr(family, name) for name in told}, "own_dialect": form_of(family)}


def _role(section: str, facts: dict[str, str]) -> str:
    if not facts["url"]:
        return f"{section:10} {facts['model']}"
    grid = f"profile {facts['profile']}, dialect {facts['dialect']}, coordinates {facts['coordinates']}"
    return f"{section:10} {facts['model']} at {facts['url']}, key: {facts['key']}; {grid}"


def _key_of(variable: str) -> str:
    """Say of a variable that usually holds a key whether it is there; its value is not looked at further."""
    if not variable:
        return ""
    return f"{variable} is set; used when named: key_variable={variable}" if os.environ.get(variable) else variable
