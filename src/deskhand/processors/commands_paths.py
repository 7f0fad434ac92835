"""Where a command's paths lie: inside of the folder that may be worked in, or not, or nobody knows."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

from deskhand.core.shell import Folders
from deskhand.processors.commands_programs import DEVICES_THAT_ARE_NONE, KEYS, STARTED_BY_ITSELF, TOP_FOLDERS
from deskhand.processors.commands_words import Word

_MOST = 8
_ALTERNATIVES = re.compile(r"\{([^{}]*)\}")
_LURES = ("~/.ssh/id_rsa", "~/.ssh/id_ed25519", "~/.aws/credentials", "~/.gnupg/x", "~/.netrc", "/etc/shadow", ".env")
"""What a pattern must not fit to be no pattern for keys."""


class Place:
    """The folders that a command may be in when one of its paths is used; `cd` adds to them, it never takes away."""

    def __init__(self, folders: Folders | None) -> None:
        self.session = os.path.realpath(folders.session) if folders is not None else ""
        self.working: set[str] = {folders.working} if folders is not None else set()
        self.linked = False
        """Links may have come into the folder that lead anywhere, and are not there yet to be followed."""

    def go(self, word: Word | None) -> None:
        """Take a change of folder into account."""
        if word is None or not word.whole or word.text == "-" or len(self.working) >= _MOST:
            self.working = set()
        elif self.working:
            self.working |= {posixpath.join(folder, _at_home(word.text)) for folder in self.working}

    def inside(self, word: Word) -> bool:
        """Tell whether a path surely lies in the session's folder, and not in what something runs by itself."""
        return self._is_known(word) and all(self._inside(each) for each in self.candidates(word.text))

    def takes(self, target: Word, sources: Sequence[Word]) -> bool:
        """Tell whether what is put to `target`, as it or into it, surely comes to lie in the session's folder."""
        if not self._is_known(target):
            return False
        if not all(each == self.session or self._inside(each) for each in self.candidates(target.text)):
            return False
        names = {posixpath.basename(source.text.rstrip("/")) for source in sources if source.text != "."}
        if any(not source.whole and name[:1] in ("", ".") for source in sources for name in names):
            return False
        return all(self.inside(Word(posixpath.join(target.text, name))) for name in names or {"."})

    def _is_known(self, word: Word) -> bool:
        """Tell whether it is known where a path lies; `~-`, `~1` and the like are only known to the shell."""
        named = word.text.startswith("~") and _at_home(word.text) == word.text
        return bool(self.session and self.working and word.whole and word.text and not self.linked and not named)

    def _inside(self, path: str) -> bool:
        below = path.removeprefix(f"{self.session.rstrip('/')}/")
        return below != path and not STARTED_BY_ITSELF.search(below)

    def candidates(self, text: str) -> set[str]:
        """Give the absolute paths that a text may stand for, with links followed as they lie now."""
        return {os.path.realpath(posixpath.join(folder, _at_home(text))) for folder in self.working or {"/"}}

    def is_top(self, word: Word) -> bool:
        """Tell whether a path is the whole system's, a home, or all that is in one of these."""
        if word.variables == ("HOME",) and word.text in ("", "/", "/*"):
            return True
        text = word.text if word.text.rstrip("/") else word.text and "/"
        if not word.start and not word.whole and not text.startswith("/"):
            return False
        homes = {"~", "~/", "~/*", "$HOME"} | {_at_home("~"), _at_home("~/*")}
        if text in homes:
            return True
        every = {text} if not self.working else {posixpath.join(each, _at_home(text)) for each in self.working}
        return any(
            TOP_FOLDERS.fullmatch(posixpath.normpath(path)) or posixpath.normpath(path) in homes for path in every
        )


def is_for_keys(word: Word, place: Place) -> bool:
    """Tell whether a word names a file that holds keys or passwords, or a pattern for one."""
    attached = word.text[2:] if re.match(r"-\w", word.text) else ""
    texts = {each for text in (word.text, attached, word.text.partition("=")[2]) for each in _alternatives(text, word)}
    paths = {posixpath.normpath(text) for text in texts}
    paths |= {path for text in texts if word.whole and text for path in place.candidates(text)}
    if any(KEYS.search(path) for path in paths):
        return True
    patterned = not word.whole and any(sign in word.text for sign in "*?[{")
    return patterned and any(_fits(lure, text) or _fits(_at_home(lure), text) for lure in _LURES for text in texts)


def _alternatives(text: str, word: Word) -> set[str]:
    """Give what the shell makes of braces; where they count or are too many, something that fits all of it."""
    found = _ALTERNATIVES.search(text) if not word.whole else None
    if found is None:
        return {text}
    each = found[1].split(",") if "," in found[1] and text.count("{") <= _MOST // 2 else ["*"]
    return {more for one in each for more in _alternatives(text[: found.start()] + one + text[found.end() :], word)}


def _fits(path: str, pattern: str) -> bool:
    """Tell whether the shell would take a path for a pattern: hidden names must be named as such."""
    names, patterns = path.split("/"), pattern.split("/")
    return len(names) == len(patterns) and all(
        fnmatchcase(name, part) and (part.startswith(".") or not name.startswith("."))
        for name, part in zip(names, patterns, strict=True)
    )


def is_harmless_device(word: Word) -> bool:
    return word.whole and DEVICES_THAT_ARE_NONE.fullmatch(word.text) is not None


def _at_home(text: str) -> str:
    return os.path.expanduser(text) if text.startswith("~") else text  # noqa: PTH111 -- it may be anybody's, or no path
