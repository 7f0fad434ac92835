"""Requests for a shell, clause by clause, as commands: what the user names is always quoted."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from shlex import quote
from typing import NamedTuple

from deskhand.perception.quoting import Phrase, mask

_VALUE = r"\S+?"
_SPLIT = re.compile(
    r"\s*[;；。\n]+\s*|\.\s+(?=\S)|\s*,?\s+(?:and\s+)?then\s+|\s*,?\s+(?:und\s+)?(?:dann|danach)\s+"
    r"|\s*[,，]?\s*(?:然后|接着|之后再)\s*",
    re.IGNORECASE,
)
_END = r"[\s.!?。！？]*"
_POLITE = re.compile(r"^(?:please|bitte|请)[\s,]*", re.IGNORECASE)
_SIZES = {"kb": "k", "k": "k", "mb": "M", "m": "M", "gb": "G", "g": "G"}
_GLOB = re.compile(r"[*?\[]")
Maker = Callable[["Said"], str]


class Said(NamedTuple):
    """What the slots of a rule took, without quotes."""

    slots: dict[str, str]

    def path(self, slot: str, default: str = ".") -> str:
        """Give a path as a word of the shell: quoted, never an option, a home's sign left to the shell."""
        text = self.slots.get(slot) or default
        if text == "~" or text.startswith("~/"):
            return f"~/{quote(text[2:])}" if text[2:] else "~"
        return quote(f"./{text}" if text.startswith("-") else text)

    def text(self, slot: str) -> str:
        return quote(self.slots.get(slot, ""))

    def has(self, slot: str) -> bool:
        return bool(self.slots.get(slot))


def clauses_of(request: str) -> list[str]:
    """Part a request into clauses; what stands in quotes stays whole."""
    phrase = mask(request.strip())
    return [phrase.part(piece).spelled.strip() for piece in _SPLIT.split(phrase.text) if piece.strip()]


def command_for(clause: str) -> str | None:
    """Give the command for a clause; None when no rule fits."""
    phrase = mask(_POLITE.sub("", clause.strip()))
    for make, pattern in _patterns():
        if found := pattern.fullmatch(phrase.text):
            slots = {name: _value(phrase.part(text)) for name, text in found.groupdict().items() if text}
            return make(Said(slots))
    return None


def _value(phrase: Phrase) -> str:
    return phrase.quoted if phrase.quoted is not None else phrase.plain.strip()


def _found(said: Said) -> str:
    where = said.path("where")
    if said.has("kind"):
        return f"find {where} -type f -iname {quote('*.' + said.slots['kind'].lower().lstrip('*.'))}"
    if said.has("n"):
        size = f"+{said.slots['n']}{_SIZES[said.slots['unit'].lower()]}"
        return f"find {where} -type f -size {size}"
    if said.has("text"):
        return f"grep -rlF -e {said.text('text')} -- {where}"
    name = said.slots["name"]
    return f"find {where} -iname {quote(name if _GLOB.search(name) else f'*{name}*')}"


def _placed(program: str) -> Maker:
    """Move or copy without replacing anything, which is silent then: so it says what it does."""

    def make(said: Said) -> str:
        source, target = said.slots["a"], said.path("b")
        deep = "-r " if program == "cp" else ""
        if not _GLOB.search(source):
            return f"{program} {deep}-v -n -- {said.path('a')} {target}"
        folder, _, names = source.rpartition("/")
        where = Said({"a": folder}).path("a")
        return f"find {where} -maxdepth 1 -name {quote(names)} -exec {program} {deep}-v -n -t {target} -- {{}} +"

    return make


def _archived(said: Said) -> str:
    """Pack to the output, which goes to a file that must be new."""
    name = said.slots.get("b") or said.slots["a"].rstrip("/") + (".zip" if said.has("zip") else "")
    if name.endswith(".zip"):
        return f"zip -q -r - {said.path('a')} > {Said({'b': name}).path('b')}"
    name = name if re.search(r"\.(?:tar|tgz|tar\.gz)$", name) else f"{name}.tar.gz"
    mode = "-c" if name.endswith(".tar") else "-cz"
    return f"tar {mode} -f - -- {said.path('a')} > {Said({'b': name}).path('b')}"


def _unpacked(said: Said) -> str:
    """Unpack without replacing anything."""
    if said.slots["a"].endswith(".zip"):
        return f"unzip -n {said.path('a')} -d {said.path('b')}"
    return f"tar -x -k -f {said.path('a')} -C {said.path('b')}"


def _lines(said: Said) -> str:
    program = "tail" if re.match(r"(?i)l|后|最后", said.slots["end"]) else "head"
    return f"{program} -n {int(said.slots['n'])} -- {said.path('a')}"


_COMMANDS: Mapping[str, Maker] = {
    "lines": lambda said: f"wc -l < {said.path('a')}",
    "words": lambda said: f"wc -w < {said.path('a')}",
    "files": lambda said: f"find {said.path('where')} -maxdepth 1 -type f | wc -l",
    "part": _lines,
    "where": lambda _: "pwd",
    "space": lambda _: "df -h",
    "size": lambda said: f"du -sh -- {said.path('a')}",
    "write": lambda said: f"printf '%s\\n' {said.text('text')} > {said.path('a')}",
    "append": lambda said: f"printf '%s\\n' {said.text('text')} >> {said.path('a')}",
    "list": lambda said: f"ls {'-la' if said.has('all') else '-l'} -- {said.path('where')}",
    "find": _found,
    "copy": _placed("cp"),
    "move": _placed("mv"),
    "archive": _archived,
    "executable": lambda said: f"chmod +x -- {said.path('a')}",
    "unpack": _unpacked,
    "folder": lambda said: f"mkdir -p -- {said.path('a')}",
    "file": lambda said: f"touch -- {said.path('a')}",
    "delete": lambda said: f"rm {'-r ' if said.has('folder') else ''}-- {said.path('a')}",
    "install": lambda said: f"sudo -n apt-get install -y -- {said.text('a')}",
    "show": lambda said: f"cat -- {said.path('a')}",
}
"""The command for each thing that can be asked for; how it is said stands in the lexicon."""


@cache
def _patterns() -> list[tuple[Maker, re.Pattern[str]]]:
    """Give all ways to ask for something, in the order they are tried."""
    said = tomllib.loads((files("deskhand.perception.lexicon") / "shell.toml").read_text(encoding="utf-8"))
    here = "|".join(say for ways in said.pop("here").values() for say in ways)
    return [
        (_COMMANDS[name], _pattern(say.replace("<here>", f"(?:{here})")))
        for name, languages in said.items()
        for ways in languages.values()
        for say in ways
    ]


def _pattern(say: str) -> re.Pattern[str]:
    number = re.sub(r"(?<!\?P)<n>", r"(?P<n>\\d{1,6})", say)
    slotted = re.sub(r"(?<!\?P)<(\w+)>", lambda slot: f"(?P<{slot[1]}>{_VALUE})", number)
    return re.compile(f"(?:{slotted}){_END}", re.IGNORECASE)
