"""The applications that can be started, read from their files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from deskhand.core.observation import Application
from deskhand.devices.linux.applications.desktop_entry import Entry, languages_of, read_entry, shown

DATA_DIRS = "/usr/local/share:/usr/share"


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
        program=entry.program,
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
