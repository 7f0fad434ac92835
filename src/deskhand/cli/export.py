"""`deskhand export`: a copy of a run to be given away, without secrets and personal data."""

from __future__ import annotations

import os
import pwd
import socket
import tempfile
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from deskhand.cli.interrupt import run_until_interrupted
from deskhand.cli.overrides import settings_of
from deskhand.cli.streams import say
from deskhand.core.errors import JournalError, SettingsError
from deskhand.core.secret import Secrets
from deskhand.core.text import counted, is_blank
from deskhand.journal.file import read_records
from deskhand.journal.personal import BY_FORM, Kind, home_of, names_of, words_of
from deskhand.journal.scrubbing import Scrubbing
from deskhand.perception.ocr import Reader, engine_of
from deskhand.perception.options import OcrOptions
from deskhand.settings import Settings
from deskhand.viewer.export import export

_NOBODY = frozenset({"root", "user", "localhost"})
"""Names that say nothing about whose computer it is."""


def main(arguments: Namespace) -> int:
    settings = settings_of(arguments)
    if any(map(is_blank, arguments.words)):
        raise SettingsError("--word: there is nothing in it; give what is to be scrubbed")
    run_dir, to = Path(arguments.run_dir), Path(arguments.to)
    scrubbing = Scrubbing(tuple(_kinds(arguments.words, os.environ)), _secrets(settings, os.environ))
    reader = _reader(settings.perception.ocr) if arguments.pictures else None
    try:
        next(read_records(run_dir), None)
    except JournalError as error:  # the folder was named by the user, so this is a wrong argument
        raise SettingsError(str(error)) from error
    with _draft(to) as folder:
        pictures = run_until_interrupted(lambda: export(run_dir, folder, scrubbing, reader))
    found = ", ".join(counted(number, kind) for kind, number in sorted(scrubbing.counts.items()))
    say(str(to / "index.html" if to.suffix != ".zip" else to), f"scrubbed: {found or 'nothing was found'}")
    if pictures and reader is None:
        say(f"left out: {counted(pictures, 'picture')}; --pictures keeps them, with what is scrubbed painted over")
    elif pictures:
        say(f"painted over where need be: {counted(pictures, 'picture')}; look through them before you give them away")
    return 0


def _kinds(words: list[str], environment: Mapping[str, str]) -> Iterator[Kind]:
    """Give what is scrubbed: first what is known, as it may lie within what is only recognised."""
    if (home := environment.get("HOME", "").rstrip("/")).count("/") > 0:
        yield home_of(home)
    yield from BY_FORM
    if words:
        yield words_of(words)
    names = {environment.get("USER", ""), environment.get("LOGNAME", "")}
    try:
        entry = pwd.getpwuid(os.getuid())
        names |= {entry.pw_name, entry.pw_gecos.partition(",")[0]}
    except KeyError:  # a user without an entry, as in containers
        pass
    for kind, those in (("user", names), ("host", {socket.gethostname(), socket.gethostname().partition(".")[0]})):
        if telling := {name for name in those if len(name) > 1 and name.casefold() not in _NOBODY}:
            yield names_of(kind, telling)


def _secrets(settings: Settings, environment: Mapping[str, str]) -> Secrets:
    """Give all that the settings hold or name: secrets, and the keys of services."""
    keys = {
        f"key of {role}": model.key or environment.get(model.key_variable, "")
        for role, model in settings.models.items()
    }
    return Secrets({**keys, **settings.secrets})


def _reader(options: OcrOptions) -> Reader:
    if (engine := engine_of(options)) is None:
        raise SettingsError("--pictures needs their text to be read, and ocr.engine is none; leave one out")
    return Reader(engine, max(60.0, options.seconds))


@contextmanager
def _draft(to: Path) -> Iterator[Path]:
    """Lend an empty folder that becomes `to` in the end, or is packed into it; nothing is left if it does not.

    Raises:
        SettingsError: there is something there already, or it cannot be written there.
        JournalError: the disk is full.
    """
    packed = to.suffix == ".zip"
    if to.exists() and (packed or not to.is_dir() or any(to.iterdir())):
        raise SettingsError(f"{to}: there is something already; name an empty folder, or a .zip that is not there yet")
    try:
        to.absolute().parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{to.name}-", dir=to.absolute().parent) as place:
            folder = Path(place, to.stem if packed else to.name)
            folder.mkdir(mode=0o700)
            yield folder
            if packed:
                _pack(folder, Path(place, to.name))
            Path(place, to.name).replace(to)
    except OSError as error:
        raise SettingsError(f"{to} cannot be written: {(error.strerror or str(error)).lower()}") from error


def _pack(folder: Path, archive: Path) -> None:
    with ZipFile(archive, "x", ZIP_DEFLATED) as file:
        for path in sorted(folder.rglob("*")):
            file.write(path, path.relative_to(folder.parent))
