"""The applications that can be started, and which of them a name means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rapidfuzz import fuzz, process

from deskhand.core.observation import Application
from deskhand.devices.linux.desktop_entry import Entry, languages_of, read_entry, shown

DATA_DIRS = "/usr/local/share:/usr/share"
NEAR = 55.0
"""How alike, out of 100, a name has to be to be worth naming."""


class Kind(NamedTuple):
    """What a word for a kind of application stands for."""

    mime_types: tuple[str, ...] = ()
    """The application for any of these is meant."""
    categories: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    """Applications whose own files do not say what they are."""


KINDS: Mapping[str, Kind] = {
    "text editor": Kind(("text/plain",), ("TextEditor",)),
    "editor": Kind(("text/plain",), ("TextEditor",)),
    "notepad": Kind(("text/plain",), ("TextEditor",)),
    "calculator": Kind((), ("Calculator",), ("galculator", "org.gnome.Calculator", "mate-calc", "org.kde.kcalc")),
    "web browser": Kind(("x-scheme-handler/https", "x-scheme-handler/http", "text/html"), ("WebBrowser",)),
    "internet browser": Kind(("x-scheme-handler/https", "x-scheme-handler/http", "text/html"), ("WebBrowser",)),
    "browser": Kind(("x-scheme-handler/https", "x-scheme-handler/http", "text/html"), ("WebBrowser",)),
    "file manager": Kind(("inode/directory",), ("FileManager",)),
    "files": Kind(("inode/directory",), ("FileManager",)),
    "file browser": Kind(("inode/directory",), ("FileManager",)),
    "image viewer": Kind(("image/png", "image/jpeg")),
    "picture viewer": Kind(("image/png", "image/jpeg")),
    "pdf viewer": Kind(("application/pdf",)),
    "document viewer": Kind(("application/pdf",)),
    "music player": Kind(("audio/mpeg", "audio/flac", "audio/ogg"), ("Music",)),
    "video player": Kind(("video/mp4", "video/x-matroska", "video/webm"), ("Video",)),
    "mail": Kind(("x-scheme-handler/mailto",), ("Email",)),
    "mail client": Kind(("x-scheme-handler/mailto",), ("Email",)),
    "email client": Kind(("x-scheme-handler/mailto",), ("Email",)),
    "word processor": Kind(("application/vnd.oasis.opendocument.text",), ("WordProcessor",)),
    "spreadsheet": Kind(("application/vnd.oasis.opendocument.spreadsheet",), ("Spreadsheet",)),
    "presentation": Kind(("application/vnd.oasis.opendocument.presentation",), ("Presentation",)),
    "archive manager": Kind(("application/zip", "application/x-tar"), ("Archiving",)),
    "terminal": Kind((), ("TerminalEmulator",)),
    "terminal emulator": Kind((), ("TerminalEmulator",)),
    "console": Kind((), ("TerminalEmulator",)),
    "paint program": Kind((), ("2DGraphics", "RasterGraphics")),
}


class Places(NamedTuple):
    """Where a desktop keeps what is installed."""

    data: tuple[Path, ...]
    """Folders that hold `applications`, the user's first."""
    config: tuple[Path, ...]
    """Folders that hold `mimeapps.list`, the user's first."""
    search_path: str
    """Where programs are looked for."""
    language: str = ""
    desktops: tuple[str, ...] = ()
    """The names of the desktop environment that is running."""

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Places:
        """Read them from the variables of a desktop's programs."""
        home = Path(environment.get("HOME", "/"))
        data_home = environment.get("XDG_DATA_HOME") or str(home / ".local/share")
        config_home = environment.get("XDG_CONFIG_HOME") or str(home / ".config")
        data = (environment.get("XDG_DATA_DIRS") or DATA_DIRS).split(":")
        config = (environment.get("XDG_CONFIG_DIRS") or "/etc/xdg").split(":")
        locale = next((found for name in LOCALE if (found := environment.get(name))), "")
        return cls(
            tuple(Path(folder) for folder in (data_home, *data) if folder),
            tuple(Path(folder) for folder in (config_home, *config) if folder),
            environment.get("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/games"),
            locale,
            tuple(name for name in environment.get("XDG_CURRENT_DESKTOP", "").split(":") if name),
        )


LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")


class Installed(NamedTuple):
    """An application and the file that says how it is started."""

    application: Application
    entry: Entry


def installed(places: Places) -> tuple[Installed, ...]:
    """Read what can be started, by name. Takes a few milliseconds."""
    entries = [entry for entry in _entries(places.data) if shown(entry, places.search_path, places.desktops)]
    languages = languages_of(places.language)
    defaults = _defaults(places, entries)
    found = [Installed(_application(entry, languages, defaults), entry) for entry in entries]
    return tuple(sorted(found, key=lambda each: (each.application.name.casefold(), each.application.id)))


def find(applications: Sequence[Application], name: str) -> Application | tuple[Application, ...]:
    """Find the application that is meant by an id, a name, or a word for its kind.

    Several that fit equally, or some that only look similar, are given as a tuple, the nearest first: none of
    them may be started unasked.
    """
    wanted = _plain(name)
    if not wanted:
        return ()
    exact = _called(applications, wanted, name.strip())
    if exact:
        return exact
    by_kind = _of_kind(applications, wanted)
    if by_kind:
        return by_kind
    words = set(wanted.split())
    named = [each for each in applications if words <= set(_plain(each.name).split())]
    if len(named) == 1:
        return named[0]
    return tuple(named) if named else _described(applications, words) or _near(applications, wanted)


def _called(applications: Sequence[Application], wanted: str, name: str) -> Application | None:
    """Find by id or name, as it stands."""
    short = name.removesuffix(".desktop")
    tests = (
        lambda each: each.id == short,
        lambda each: _plain(each.name) == wanted,
        lambda each: each.id.rpartition(".")[2].casefold() == short.casefold(),
    )
    return next((each for test in tests for each in applications if test(each)), None)


def _of_kind(applications: Sequence[Application], wanted: str) -> Application | None:
    """Find by a word for a kind: the default if there is one, else the first by name."""
    kind = KINDS.get(wanted, Kind())
    generic = [each for each in applications if _plain(each.generic_name) == wanted]
    candidates = (
        *(each for mime in kind.mime_types for each in applications if mime in each.default_for),
        *(each for each in applications if set(kind.categories) & set(each.categories)),
        *(each for each in generic if each.default_for),
        *generic,
        *(each for known in kind.ids for each in applications if each.id == known),
        *(each for each in applications if wanted in map(_plain, each.keywords)),
        *(each for each in applications if wanted in map(_spaced, each.categories)),
    )
    return next(iter(candidates), None)


def _described(applications: Sequence[Application], words: set[str]) -> Application | None:
    """Find the only one whose names, keywords and categories hold all words."""
    found = [each for each in applications if words <= _words(each)]
    return found[0] if len(found) == 1 else None


def _near(applications: Sequence[Application], wanted: str) -> tuple[Application, ...]:
    names = {number: _plain(each.name) for number, each in enumerate(applications)}
    matches = process.extract(wanted, names, scorer=fuzz.WRatio, score_cutoff=NEAR, limit=3)
    return tuple(applications[number] for _, _, number in matches)


def _plain(text: str) -> str:
    """Give lower-case words alone, without what people put around them."""
    words = re.findall(r"[\w+#.-]+", text.casefold())
    if len(words) > 1 and words[0] in ("the", "a", "an", "my"):
        words = words[1:]
    if len(words) > 1 and words[-1] in ("app", "application", "program", "programme"):
        words = words[:-1]
    return " ".join(words)


def _spaced(category: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", category).casefold()


def _words(application: Application) -> set[str]:
    texts = (application.name, application.generic_name, *application.keywords, *map(_spaced, application.categories))
    return {word for text in texts for word in _plain(text).split()}


def _entries(folders: Iterable[Path]) -> list[Entry]:
    """Read all applications; a file in an earlier folder hides its namesakes in later ones."""
    found: dict[str, Entry | None] = {}
    for folder in folders:
        root = folder / "applications"
        for path in sorted(root.rglob("*.desktop")):
            entry_id = "-".join(path.relative_to(root).parts).removesuffix(".desktop")
            if entry_id not in found:
                found[entry_id] = read_entry(path, entry_id)
    return [entry for entry in found.values() if entry]


def _application(entry: Entry, languages: Sequence[str], defaults: Mapping[str, str]) -> Application:
    name, plain_name = entry.text("Name", languages), entry.text("Name")
    generic, plain_generic = entry.text("GenericName", languages), entry.text("GenericName")
    # What it is called where it comes from is a name too: people mix languages.
    untranslated = [text for text, shown_text in ((plain_name, name), (plain_generic, generic)) if text != shown_text]
    return Application(
        id=entry.id,
        name=name,
        generic_name=generic,
        keywords=(*entry.texts("Keywords", languages), *untranslated),
        categories=entry.texts("Categories"),
        mime_types=entry.texts("MimeType"),
        default_for=tuple(mime for mime, default in defaults.items() if default == entry.id),
    )


def _defaults(places: Places, entries: Sequence[Entry]) -> dict[str, str]:
    """Give the id of the application that opens each kind of file."""
    known = {entry.id for entry in entries}
    files = [folder / "mimeapps.list" for folder in places.config]
    for folder in places.data:
        files += [folder / "applications" / name for name in ("mimeapps.list", "defaults.list")]
    wishes = [_wishes(file, "[Default Applications]") for file in files]
    wishes += [_wishes(folder / "applications/mimeinfo.cache", "[MIME Cache]") for folder in places.data]
    # Those that say themselves what they open; one with a window of its own is the better default.
    by_name = sorted(entries, key=lambda entry: (entry.terminal, entry.text("Name").casefold()))
    wishes += [{mime: [entry.id] for mime in entry.texts("MimeType")} for entry in by_name]
    result: dict[str, str] = {}
    for wish in wishes:
        for mime, ids in wish.items():
            there = [each for each in ids if each in known]
            if there:
                result.setdefault(mime, there[0])
    return result


def _wishes(file: Path, group: str) -> dict[str, list[str]]:
    try:
        lines = file.read_text("utf-8", "replace").splitlines()
    except OSError:
        return {}
    inside = False
    found: dict[str, list[str]] = {}
    for line in lines:
        if line.startswith("["):
            inside = line.strip() == group
        elif inside and "=" in line:
            mime, ids = line.split("=", 1)
            found[mime.strip()] = [each.strip().removesuffix(".desktop") for each in ids.split(";") if each.strip()]
    return found
