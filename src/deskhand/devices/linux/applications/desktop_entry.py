"""One .desktop file: who the application is and how it is started."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

GROUP = "[Desktop Entry]"
ESCAPES = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\", ";": ";"}
TERMINALS = (("x-terminal-emulator", "-e"), ("xterm", "-e"), ("xfce4-terminal", "-x"), ("gnome-terminal", "--"))


class Entry(NamedTuple):
    """The keys of a .desktop file's main group, unescaped."""

    id: str
    path: Path
    keys: Mapping[str, str]

    def text(self, key: str, languages: Sequence[str] = ()) -> str:
        """Give a text in the first of `languages` that it is there in, else as it stands."""
        for language in languages:
            if found := self.keys.get(f"{key}[{language}]"):
                return _unescaped(found)
        return _unescaped(self.keys.get(key, ""))

    def texts(self, key: str, languages: Sequence[str] = ()) -> tuple[str, ...]:
        return tuple(part.strip() for part in self.text(key, languages).split(";") if part.strip())

    def says(self, key: str) -> bool:
        return self.keys.get(key, "").lower() in ("true", "1")

    @property
    def terminal(self) -> bool:
        return self.says("Terminal")

    @property
    def program(self) -> str:
        """The name of the executable, without its folder and without what `env` is told before it."""
        words = iter(split(self.text("Exec")))
        return next((Path(word).name for word in words if "=" not in word and Path(word).name != "env"), "")


def read_entry(path: Path, entry_id: str) -> Entry | None:
    """Read an application's file; None when it is no application, or cannot be read."""
    try:
        lines = path.read_text("utf-8-sig", "replace").splitlines()
    except OSError:
        return None
    keys: dict[str, str] = {}
    inside = False
    for line in lines:
        if line.startswith("["):
            inside = line.strip() == GROUP
        elif inside and "=" in line and not line.startswith("#"):
            key, value = line.split("=", 1)
            keys.setdefault(key.strip(), value.strip())
    return Entry(entry_id, path, keys) if keys.get("Type") == "Application" else None


def shown(entry: Entry, search_path: str, desktops: Sequence[str] = ()) -> bool:
    """Tell whether an application belongs in a menu: not hidden, meant for this desktop, and really there."""
    if entry.says("NoDisplay") or entry.says("Hidden") or not entry.text("Name"):
        return False
    only, never = entry.texts("OnlyShowIn"), entry.texts("NotShowIn")
    if (only and not set(only) & set(desktops)) or set(never) & set(desktops):
        return False
    needed = [program for program in (entry.text("TryExec"), *split(entry.text("Exec"))[:1]) if program]
    if not entry.text("Exec") or not all(shutil.which(program, path=search_path) for program in needed):
        return False
    return not entry.terminal or terminal(search_path) is not None


def command(entry: Entry, search_path: str, files: Sequence[str] = ()) -> list[str]:
    """Give the arguments that start an application, with `files` if it takes any. No shell is needed."""
    arguments = [argument for word in split(entry.text("Exec")) for argument in _filled(word, entry, files)]
    prefix = terminal(search_path) if entry.terminal else None
    return [*(prefix or ()), *arguments]


def terminal(search_path: str) -> tuple[str, str] | None:
    """Give what runs a text-mode program in a window."""
    found = ((shutil.which(name, path=search_path), option) for name, option in TERMINALS)
    return next(((path, option) for path, option in found if path), None)


def split(line: str) -> list[str]:
    """Split an Exec value into words: double quotes hold a word together, a backslash in them quotes a character."""
    words: list[str] = []
    word: list[str] = []
    quoted = started = False
    characters = iter(line)
    for character in characters:
        if character == '"':
            quoted, started = not quoted, True
        elif character == "\\" and quoted:
            word.append(next(characters, ""))
        elif character in " \t\n" and not quoted:
            if word or started:
                words.append("".join(word))
            word, started = [], False
        else:
            word.append(character)
    if word or started:
        words.append("".join(word))
    return words


def languages_of(locale: str) -> tuple[str, ...]:
    """Give the names under which texts of a locale may stand, the best first: `de_AT@euro` before `de`."""
    name, _, modifier = locale.partition("@")
    name = name.partition(".")[0]
    language, _, country = name.partition("_")
    if language in ("", "C", "POSIX"):
        return ()
    forms = [f"{name}@{modifier}"] * bool(modifier and country) + [name] * bool(country)
    forms += [f"{language}@{modifier}"] * bool(modifier) + [language]
    return tuple(forms)


def _filled(word: str, entry: Entry, files: Sequence[str]) -> Iterator[str]:
    """Put values in place of a word's field codes."""
    if word in ("%F", "%U"):
        yield from files
    elif word in ("%f", "%u"):
        yield from files[:1]
    elif word == "%i":
        if icon := entry.text("Icon"):
            yield from ("--icon", icon)
    else:
        filled = _replaced(word, {"%": "%", "c": entry.text("Name"), "k": str(entry.path)})
        if filled or not word:
            yield filled


def _replaced(word: str, values: Mapping[str, str]) -> str:
    """Put values in place of the `%` codes in a word; codes without a value go."""
    filled = []
    characters = iter(word)
    for character in characters:
        filled.append(values.get(next(characters, ""), "") if character == "%" else character)
    return "".join(filled)


def _unescaped(value: str) -> str:
    parts = []
    characters = iter(value)
    for character in characters:
        if character == "\\":
            following = next(characters, "")
            parts.append(ESCAPES.get(following, "\\" + following))
        else:
            parts.append(character)
    return "".join(parts)
