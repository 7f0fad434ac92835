"""When two names mean the same control."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache

from rapidfuzz.fuzz import ratio

from deskhand.perception.lexicon.vocabulary import vocabulary

_MNEMONIC = re.compile(r"(?:(?<=\s)|^)[_&](?=[^\W_])")
_ACCELERATOR = re.compile(r"(?<=[\u3000-\u9fff\uac00-\ud7a3])\s*\([_&]?[a-z0-9]\)(?=[\s.:*…]*$)")
"""How menus in Chinese, Japanese and Korean write a mnemonic: "文件(F)"."""
_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]", re.UNICODE)
_CACHED = 8192
NO_MATCH = 100.0
"""How far apart two names are that have nothing to do with each other."""
FUZZY = 60.0
"""From here on a match rests on likeness of letters only."""
_CLOSE_ENOUGH = 80.0
_LONG_ENOUGH = 5


@lru_cache(_CACHED)
def fold(name: str) -> str:
    """Bring a label to the form in which labels are compared: no case, no mnemonics, no dots or colon at the end."""
    text = unicodedata.normalize("NFKC", name).replace("’", "'").casefold().partition("\t")[0]
    text = _ACCELERATOR.sub("", _MNEMONIC.sub("", " ".join(text.split())))
    return text.rstrip(" .:*…") or text


@lru_cache(_CACHED)
def words(name: str) -> tuple[str, ...]:
    """Give the words of a label; signs only when it has nothing else."""
    found = _WORDS.findall(fold(name))
    return tuple(w for w in found if w[0].isalnum()) or tuple(found)


@lru_cache(_CACHED)
def stem(word: str) -> str:
    """Cut off what English words end in: files, saved, wrapping and wraps meet their own stems."""
    if not word.isascii() or len(word) < 4:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(_single(root)) >= 4:
            return _single(root).removesuffix("e")
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def distance(wanted: str, name: str, *, exact: bool = False) -> float:
    """Say how far a label is from what was wanted: 0 is the same text, `NO_MATCH` is not the same thing.

    What counts most comes first: the same text, the same words, the same thing by the lexicon, a part of the name,
    likeness of letters. `exact` (it was quoted) leaves out the last.
    """
    if not wanted or not name:
        return NO_MATCH
    if wanted == name:
        return 0.0
    found = _distance(fold(wanted), fold(name))
    return NO_MATCH if exact and found >= FUZZY else found


@lru_cache(_CACHED)
def _distance(wanted: str, name: str) -> float:
    if wanted == name:
        return 1.0
    mine, its = words(wanted), words(name)
    if mine == its:
        return 2.0
    stems, its_stems = tuple(map(stem, mine)), tuple(map(stem, its))
    if stems == its_stems:
        return 3.0
    if same_concept(wanted, name):
        return 4.0
    if not _alike_in_sense(stems, its_stems):
        return NO_MATCH
    return _partly(stems, its_stems) or _fuzzy(wanted, name)


def same_concept(wanted: str, name: str) -> bool:
    """Tell whether the lexicon knows both labels as the same, in whatever language."""
    concepts = vocabulary().concepts
    return bool(concepts.get(fold(wanted), frozenset()) & concepts.get(fold(name), frozenset()))


def _single(root: str) -> str:
    doubled = len(root) > 2 and root[-1] == root[-2] and root[-1] not in "lsz"
    return root[:-1] if doubled else root


def _alike_in_sense(stems: tuple[str, ...], its: tuple[str, ...]) -> bool:
    """Tell whether neither has a word more that turns the sense round, as in "Save As" and "Save"."""
    differing = vocabulary().differing
    return {s for s in stems if s in differing} == {s for s in its if s in differing}


def _partly(stems: tuple[str, ...], its: tuple[str, ...]) -> float:
    """Measure names of which one holds all words of the other; 0 when neither does."""
    more = len(its) - len(stems)
    if more <= max(2, 2 * len(stems)) and _all_in(stems, its):
        return 10.0 + more + (0.0 if its[: len(stems)] == stems else 0.5)
    if more < 0 and _all_in(its, stems):
        # "the word wrap option" is Word Wrap, but "delete account" is not Account.
        rest = [s for s in stems if not any(_same_word(s, b) for b in its)]
        return 45.0 - more if all(s in _filler_stems() for s in rest) else 0.0
    return 0.0


@cache
def _filler_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in vocabulary().fillers)


@cache
def _concepts_of_stem() -> Mapping[str, frozenset[str]]:
    """Give the concepts of labels of one word, by the word without its endings."""
    return {stem(label): concepts for label, concepts in vocabulary().concepts.items() if " " not in label}


def _all_in(some: tuple[str, ...], many: tuple[str, ...]) -> bool:
    return bool(some) and all(any(_same_word(a, b) for b in many) for a in some)


def _same_word(a: str, b: str) -> bool:
    if a == b:
        return True
    concepts = _concepts_of_stem()
    return bool(concepts.get(a, frozenset()) & concepts.get(b, frozenset()))


def _fuzzy(wanted: str, name: str) -> float:
    """Measure a slip of the pen: word by word, none of them a number or too short to tell."""
    mine, its = words(wanted), words(name)
    if len(mine) != len(its):
        return NO_MATCH
    for a, b in zip(mine, its, strict=True):
        # Slips come late in a word; what differs at its start, as in "install" and "uninstall", is its opposite.
        told = min(len(a), len(b)) >= _LONG_ENOUGH and a[:2] == b[:2] and not any(c.isdigit() for c in a + b)
        if a != b and not (told and ratio(a, b) >= _CLOSE_ENOUGH):
            return NO_MATCH
    return FUZZY + (100.0 - ratio(wanted, name))


def likeness(wanted: str, name: str) -> float:
    """Measure likeness of letters, for naming near misses: 100 is equal."""
    return ratio(fold(wanted), fold(name))
