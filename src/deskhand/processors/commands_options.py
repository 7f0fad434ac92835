"""The options and operands of a command."""

from __future__ import annotations

from collections.abc import Sequence

from deskhand.processors.commands_programs import SYSTEM_FOLDERS
from deskhand.processors.commands_words import Word


def name_of(word: Word) -> str:
    """Give the name of a program of the system, or of the shell; "" when it is neither, or not known."""
    if not word.whole:
        return ""
    folder, slash, name = word.text.rpartition("/")
    return "" if slash and folder not in SYSTEM_FOLDERS else name


def operands_of(arguments: Sequence[Word], valued: str) -> list[Word]:
    """Give what is no option; the letters in `valued` are of options whose value follows."""
    found: list[Word] = []
    plain = skip = False
    for word in arguments:
        if skip:
            skip = False
        elif plain or not word.start.startswith("-") or word.text == "-":
            found.append(word)
        elif word.text == "--":
            plain = True
        else:
            skip = len(word.text) == 2 and word.text[1] in valued
    return found


def values_of(arguments: Sequence[Word], short: str, long: str) -> list[Word]:
    """Give the values of an option, as the next word or in the same."""
    found = []
    for at, word in enumerate(arguments):
        if word.text == short and at + 1 < len(arguments):
            found.append(arguments[at + 1])
        elif word.start.startswith(short) or word.start.startswith(long):
            found.append(Word(word.text.partition("=")[2] or word.text[2:], word.whole))
    return found


def has_option(arguments: Sequence[Word], wanted: frozenset[str]) -> bool:
    """Tell whether one of the options is given, or may be by a word that is only known when it runs."""
    for word in arguments:
        text = word.text
        if text == "--":
            return False
        if not word.sure and not (word.start.startswith("--") and "=" in word.start and not word.splits):
            return True
        if text.startswith("--") and any(option.startswith(text.partition("=")[0]) for option in wanted):
            return True
        letters = text[1:] if text.startswith("-") and not text.startswith("--") else ""
        if any((len(option) == 2 and option[1] in letters) or option == text for option in wanted):
            return True
    return False


def is_attached(word: Word, option: str) -> bool:
    return word.start.startswith(f"{option}=") if option.startswith("--") else word.start.startswith(option)


def unknown() -> Word:
    """Give a word of which nothing is known."""
    return Word(whole=False)
