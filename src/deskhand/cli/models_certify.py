"""`deskhand models certify` and `show`: what a model does on real applications, as a file to share."""

from __future__ import annotations

import os
import re
import threading
from argparse import Namespace
from datetime import datetime
from pathlib import Path

from deskhand.app import runs_folder
from deskhand.bench.certificate import (
    TASKS,
    Certificate,
    Probe,
    TaskResult,
    as_markdown,
    certificates_in,
    read_certificate,
    standing_of_all,
)
from deskhand.bench.certify import RESULTS, Certification, certified
from deskhand.bench.suites import chosen_names
from deskhand.cli.complaints import FAILED, FINISHED, INTERRUPTED, LIMIT, TROUBLE
from deskhand.cli.interrupt import run_until_interrupted
from deskhand.cli.signals import INTERRUPTION
from deskhand.cli.streams import complain, say, say_json
from deskhand.cli.terminal import user_at
from deskhand.core.errors import SettingsError
from deskhand.core.text import counted
from deskhand.models.choice import BUILT_IN, options_of
from deskhand.models.factory import url_of
from deskhand.settings import Settings


def show(arguments: Namespace) -> int:
    """Check a file, and say what is in it; of a folder, what its files say together."""
    if not arguments.spec:
        raise SettingsError("name the file to show: deskhand models show FILE")
    if Path(arguments.spec).is_dir():
        found = certificates_in(Path(arguments.spec))
        if arguments.json:
            say_json({file: each.model_dump(mode="json") for file, each in found.items()})
        else:
            say(standing_of_all(found))
        return FINISHED
    certificate = read_certificate(Path(arguments.spec))
    if arguments.json:
        say_json(certificate.model_dump(mode="json"))
    else:
        say(as_markdown(certificate).rstrip())
    return FINISHED


def certify(arguments: Namespace, settings: Settings, *, agreed: bool) -> int:
    """Certify a model, once it is agreed what that may cost."""
    certification = _certification(arguments, settings)
    said = threading.Lock()

    def interrupted() -> None:
        if said.acquire(blocking=False):
            complain(f"interrupted; go on with the same command and --out {certification.folder}")

    INTERRUPTION.last_words = interrupted
    try:
        if not agreed and not _leave(certification, silent=arguments.json):
            return FAILED
        certificate = run_until_interrupted(certification.run)
    except KeyboardInterrupt:
        interrupted()
        return INTERRUPTED
    return _report(certification, certificate, as_json=arguments.json)


def _certification(arguments: Namespace, settings: Settings) -> Certification:
    if arguments.spec in ("", BUILT_IN):
        raise SettingsError("name a model to certify, as SERVICE:NAME; deskhand models list shows services")
    options = options_of("default", arguments.spec, settings.models)
    fixed = certified(settings, options)
    name = re.sub(r"[^\w.-]+", "-", arguments.spec)[:60]
    new = runs_folder(settings) / f"certify-{name}-{datetime.now():%Y%m%d-%H%M%S}"
    key = options.key or os.environ.get(options.key_variable, "") if options.key_variable else options.key
    return Certification(
        fixed,
        (Path(arguments.out) if arguments.out else new).absolute(),
        chosen_names(TASKS, arguments.tasks, "certify"),
        hidden=(key,),
        pictures=arguments.pictures,
        tell=(lambda _one: None) if arguments.json else _tell,
    )


def _leave(certification: Certification, *, silent: bool) -> bool:
    """Ask before anything is spent.

    Raises:
        SettingsError: nobody is there to ask.
    """
    question = f"{_price(certification)}. Go on?"
    answer = run_until_interrupted(lambda: user_at(silent=silent).confirm(question))
    if answer is None:
        raise SettingsError(f"{_price(certification)}; nobody is there to agree: say so with --yes")
    return answer


def _price(of: Certification) -> str:
    """Say what is asked, where, how often at most, and what keeps it from costing more."""
    options, limits = of.options, of.settings.limits
    steps = min(40, limits.round_steps)
    limit = f"${limits.usd:.2f} (limits.usd)"
    if not (options.prices.input or options.prices.output):
        limit = "none of money, as no prices are set (models.default.prices)"
    if limits.tokens is not None:
        limit += f", {limits.tokens} tokens (limits.tokens)"
    return (
        f"{options.model} at {url_of(options) or 'this process'} is asked some single questions and carries out "
        f"{counted(len(of.tasks), 'task')} of at most {steps} steps each, a call or two a step; limit for all: {limit}"
    )


def _tell(one: Probe | TaskResult) -> None:
    match one:
        case Probe():
            say(f"{'ok  ' if one.ok else 'no  '} {one.name}: {one.found} ({one.seconds:.1f} s)")
        case TaskResult(standing="not run"):
            say(f"{one.task}: not run: {one.why}")
        case TaskResult():
            figures = f"{one.steps} steps, {one.malformed} malformed, {one.input_tokens + one.output_tokens} tokens"
            say(
                f"{one.task}: {one.standing}, {one.outcome}, {figures}, {one.seconds:.1f} s{one.why and ': ' + one.why}"
            )


def _check(file: Path) -> None:
    """Say so where a result is not to be shared as it is: a model's name may be a path in somebody's home."""
    try:
        read_certificate(file)
    except SettingsError as error:
        complain(str(error))


def _report(certification: Certification, certificate: Certificate, *, as_json: bool) -> int:
    file = certification.folder / f"{RESULTS}.json"
    if as_json:
        say_json({**certificate.model_dump(mode="json"), "file": str(file)})
    else:
        say("", as_markdown(certificate).rstrip(), "", f"to share: {file}")
    _check(file)
    if not certificate.probes[0].ok:
        return TROUBLE
    if certification.limit:
        complain(f"{certification.limit}; then go on with the same command and --out {certification.folder}")
        return LIMIT
    return FINISHED
