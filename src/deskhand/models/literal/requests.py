"""A request in plain words, taken apart into clauses in the order in which they are to be done."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deskhand.models.literal.clauses import Clause, read_clause
from deskhand.models.literal.conditions import read_condition
from deskhand.models.literal.habits import imperative, read_habit
from deskhand.models.literal.keys import read_keys
from deskhand.models.literal.languages import in_english, languages
from deskhand.models.literal.letters import read_errand
from deskhand.models.literal.ownership import said_of
from deskhand.models.literal.pieces import Piece, joined
from deskhand.models.literal.results import as_done
from deskhand.models.literal.rules import commands, rules_starting_with
from deskhand.models.literal.seeking import among, read_looking
from deskhand.models.literal.trips import read_trip
from deskhand.perception.quoting import MARK, Phrase, mask, quote

_BLOCK = re.compile(r"[:：][ \t]*\n\s*(?P<block>.+?)(?=\n[ \t]*\n|\Z)", re.DOTALL)
_SAME_LINE = re.compile(r"(?<![^\n:.!?])(?P<head>[^\n:.!?]*):[ \t]+(?P<rest>[^\n]+)")
_TEXT_FOLLOWS = re.compile(
    r"\b(?:write|type|enter|insert|append|add|put|paste|text|paragraph|sentence|words?|note|content|message|following|this|"
    r"lines?)\b[^:]*$",
    re.IGNORECASE,
)
_LAST = r"(?=(?:save|store|close|press|click)\b)"
_TRAILING = re.compile(
    rf"(?:,\s*|\s+)(?:and\s+then\s+|then\s+|and\s+|after that,?\s+|afterwards,?\s+){_LAST}"
    rf"|(?<=[.!?])\s+(?:and\s+then,?\s+|then,?\s+|after that,?\s+|afterwards,?\s+|finally,?\s+)?{_LAST}",
    re.IGNORECASE,
)
_LINE = re.compile(r"\s*\n+\s*")
_SENTENCE = re.compile(r"(?<=[.!?;。！？；])\s+|\s*;\s*|(?<=[。！？；])")
_BULLET = re.compile(r"^\s*(?:[-*•]\s+|\(?\d{1,2}[.)]\s+|[a-z][.)]\s+|step\s+\d+\s*[:.)]\s*)", re.IGNORECASE)
_THEN = re.compile(
    r"\s*,?\s+(?:and\s+)?(?:then|after\s+that|afterwards|subsequently)\b\s*,?\s+"
    r"|\s*,\s*(?:and\s+)?(?:finally|lastly|next)\b\s*,?\s+|\s+and\s+(?:finally|lastly)\s*,?\s+",
    re.IGNORECASE,
)
_AND = re.compile(r"\s*,\s*(?:and\s+|but\s+|also\s+)*|\s+(?:and|but)\s+(?:also\s+)?", re.IGNORECASE)
_FILLER = re.compile(
    r"^(?:please|kindly|now|then|next|firstly|first|secondly|second|thirdly|finally|lastly|afterwards|after that|also|"
    r"and|but|so|okay|well|just|simply|can you|could you|would you|will you|i want you to|i want to|i'd like you to|"
    r"i'd like to|i would like you to|i would like to|i need you to|i need to|you should|you must|you need to|let us|"
    r"let's|go ahead and|try to|be sure to|make sure to|make sure you|remember to|your task is to|the task is to|"
    r"when (?:that|this|it) is done|once (?:that|this|it) is done|when (?:that's|you are|you're) done|when done|"
    r"use (?:the|your) (?:keyboard|mouse) to|in the end|in addition|to do (?:that|this|so))\b\s*[,:]?\s*",
    re.IGNORECASE,
)
_PURPOSE = re.compile(
    r"\s*,?\s+(?:in order to|so that|so as to|because|since)\s+.+$|\s*,\s+(?:it|that|this)\s+is\s+(?:no|not)\s.+$",
    re.IGNORECASE | re.DOTALL,
)
_SHOWN = (
    r"(?P<how>appears?|opens?|is (?:shown|open|visible|loaded|ready|there|displayed)|has (?:appeared|opened|loaded)|"
    r"shows up|pops up|comes up|loads|closes|disappears|is (?:closed|gone)|has (?:closed|disappeared))"
)
_WHEN = re.compile(rf"^(?:when|once|as soon as|after)\s+(?P<what>.+?)\s+{_SHOWN}\s*,\s*(?P<rest>.+)$", re.I | re.DOTALL)
_ONCE_FIRST = re.compile(
    r"^(?:when|whenever|once|as soon as|after)\s+(?P<condition>[^,]+),\s*(?P<do>.+)$", re.IGNORECASE | re.DOTALL
)
_ONCE_LAST = re.compile(
    r"^(?P<do>.+?)\s+(?:when|whenever|once|as soon as|after)\s+(?P<condition>.+)$", re.IGNORECASE | re.DOTALL
)
_RUN_ON = re.compile(
    r"(?<=[\w.”])\s+(?=(?:hit|press|click|push|tap)\s+(?:on\s+)?(?:the\s+)?\S+(?:\s+button)?$)", re.IGNORECASE
)
"""Where the word that joins two clauses was left out: "scroll to the bottom press Submit"."""
_GERUND = re.compile(r"^(?P<what>.+?)\s+by\s+(?P<verb>\w+ing)\s+(?P<rest>.+)$", re.IGNORECASE | re.DOTALL)
_MERELY_USED = re.compile(r"use \S+$")
_USE = re.compile(r"^use\s+(?P<app>.+?)\s+to\s+(?P<rest>\w.+)$", re.IGNORECASE | re.DOTALL)
_PLACE = re.compile(r"^(?:in|on|with|using|via|from|inside|within|at|under)\s+", re.IGNORECASE)
_JOINTS = re.compile(r"\s*,\s*|\s+")
_SEVERAL = re.compile(
    rf"^(?P<verb>[^{MARK.pattern[1:-1]}]+)(?P<marks>{MARK.pattern}(?:\s*,\s*(?:and\s+)?{MARK.pattern}|\s+and\s+{MARK.pattern})+)(?P<rest>.*)$"
)
_POLITE_END = re.compile(
    r"[\s,]+(?:please|for me|thanks|thank you|now|after that|afterwards|as well|too|"
    r"(?:when|once|after)(?: you(?: a|')re| it is| all is| that is)? (?:done|finished|ready|through))\s*[.!?]*$",
    re.IGNORECASE,
)
_SOUGHT = re.compile(
    r"\b(?:find|locate|look for|search for)\s+and\s+(?:then\s+)?(?=(?:click|tap|press|hit|push|pick|select|choose|open|"
    r"check|tick|mark|drag|hover|buy|order|book)\b)",
    re.IGNORECASE,
)
"""Before one clicks something one finds it, which need not be said."""
_GONE = ("close", "disappear", "gone")
_POINTING = frozenset({"click", "choose", "press", "toggle", "tab", "open_menu", "menu"})
_SHARING = frozenset({"write", "set"})


def split_request(text: str) -> tuple[Piece, ...]:
    """Take a request apart. What stands in quotes, or in a block after a colon, is text and stays whole.

    A request in another language comes apart into the plain English of its clauses; what cannot be read stays.
    """
    whole = _with_blocks_quoted(text.strip())
    said = in_english(whole, _is_read)
    if not said:
        return _split(whole)
    return tuple(piece for each in said for piece in (_split(each.plain) if each.read else (Piece(each.text, None),)))


def _is_read(text: str) -> bool:
    pieces = _split(text)
    return bool(pieces) and all(piece.clause is not None or _MERELY_USED.match(piece.text) for piece in pieces)


def _split(text: str) -> tuple[Piece, ...]:
    masked = mask(text)
    errand = read_errand(masked) if "\n" not in masked.text else None
    if errand is not None:
        return (Piece(errand.spelled, read_clause(errand.spelled)),)
    phrase = said_of(masked.part(_SOUGHT.sub("", masked.text)))
    pieces: list[Piece] = []
    for sentence in _sentences(phrase):
        for part in _clauses(sentence):
            place, rest = _place_first(part)
            pieces += [Piece(one.spelled, read_clause(one.spelled), place) for one in _one_by_one(rest)]
    return joined(pieces)


def _place_first(part: Phrase) -> tuple[str, Phrase]:
    """Take "In the calculator," off the front of a clause; without a comma, as far as the first verb."""
    if not _PLACE.match(part.text):
        return "", part
    # A comma says where the place ends; without one the first verb does, but "view" and "find" may be names of menus.
    for joint in sorted(_JOINTS.finditer(part.text), key=lambda joint: "," not in joint.group()):
        place, rest = _PLACE.sub("", part.text[: joint.start()], count=1), part.text[joint.end() :]
        named = place != part.text[: joint.start()] and not re.fullmatch(r"(?:the|a|an|my|this|that|\s)*", place, re.I)
        clause = read_clause(part.part(first_words(rest)).spelled) if named and starts_clause(rest) else None
        if clause is not None and ("," in joint.group() or clause.kind != "do"):
            return part.part(place).spelled, part.part(first_words(rest))
    return "", part


def _one_by_one(part: Phrase) -> Iterator[Phrase]:
    """Take "click “A”, “B” and “C”" apart."""
    found = _SEVERAL.match(part.text)
    clause = read_clause(part.spelled) if found else None
    if found is None or clause is None or clause.kind not in ("click", "toggle", "choose"):
        yield part
        return
    for mark in MARK.findall(found["marks"]):
        yield part.part(found["verb"] + mark + found["rest"])


def first_words(text: str) -> str:
    """Take what is only politeness or order off the front of a clause: "please", "then", "could you"."""
    while True:
        shorter = _FILLER.sub("", text, count=1).strip()
        if shorter == text or not shorter:
            return text
        text = shorter


def starts_clause(text: str) -> bool:
    """Tell whether a text begins like something to be done."""
    word = re.match(r"[^\s:,]+", first_words(text.strip()).lower())
    if word is None:
        return False
    start = re.sub(r"^(double|right|left|middle)-(?:click|tap)$", r"\1", word.group().rstrip(".!?"))
    if rules_starting_with(start) or any(said.split()[0] == start for said in commands()):
        return True
    # "log in", "apply": what is nothing but the name of a button.
    alone = _AND.split(_THEN.split(first_words(text.strip()))[0])[0]
    return len(alone.split()) <= 3 and not re.search(r"[:=]", alone) and read_clause(alone) is not None


def _with_blocks_quoted(text: str) -> str:
    """Put quotes around a text that is announced by a colon and stands below, or behind it."""

    def below(match: re.Match[str]) -> str:
        before = text[: match.start()]
        block = match["block"].strip("\n")
        if not _text_follows(before) or mask(block.strip()).quoted is not None:
            return match.group()
        return f": {quote(block)}\n"

    def behind(match: re.Match[str]) -> str:
        rest = match["rest"]
        if not _text_follows(match["head"]) or mask(rest).quotes:
            return match.group()
        end = next((m for m in _TRAILING.finditer(rest)), None)
        inner, after = (rest[: end.start()], rest[end.start() :]) if end else (rest, "")
        return f"{match['head']}: {quote(inner.strip())}{after}"

    blocks = _BLOCK.sub(below, text) if not _quote_open_before_block(text) else text
    return blocks if blocks != text else _SAME_LINE.sub(behind, text, count=1) if not mask(text).quotes else text


def _text_follows(before: str) -> bool:
    return any(follows.search(before) for follows in (_TEXT_FOLLOWS, *(each.text_follows for each in languages())))


def _quote_open_before_block(text: str) -> bool:
    """Tell whether the only colons with a line after them stand inside quotes."""
    return _BLOCK.search(mask(text).text) is None


def _sentences(phrase: Phrase) -> Iterator[Phrase]:
    lines = (_BULLET.sub("", line) for line in _LINE.split(phrase.text))
    for sentence in (sentence for line in lines for sentence in _SENTENCE.split(line)):
        bare = _POLITE_END.sub("", sentence.strip()).rstrip(" .!?;。！？；")
        if re.search(r"[^\s,.;:!?]", bare):
            yield phrase.part(bare)


def _clauses(sentence: Phrase) -> Iterator[Phrase]:
    for strong in _split_then(sentence):
        for weak in _split_and(sentence.part(strong)):
            for clause in _not_run_on(sentence.part(first_words(weak.strip(" ,")))):
                yield from _arranged(clause)


def _not_run_on(part: Phrase) -> Iterator[Phrase]:
    joint = _RUN_ON.search(part.text) if read_clause(part.spelled) is None else None
    parts = [part.part(text) for text in (part.text[: joint.start()], part.text[joint.end() :])] if joint else []
    yield from parts if parts and all(read_clause(one.spelled) for one in parts) else [part]


def _split_then(sentence: Phrase) -> Iterator[str]:
    text, place, shared = sentence.text, 0, ""
    for found in _THEN.finditer(text):
        head, tail = shared + text[place : found.start()], text[found.end() :]
        verb = _same_verb(sentence, head, tail)
        if verb or starts_clause(tail) or _has_context(tail) or not _in_text(sentence, head):
            yield head
            place, shared = found.end(), verb and verb + " "
    yield shared + text[place:]


def _in_text(sentence: Phrase, head: str) -> bool:
    """Tell whether "then" stands in a text that is to be written and has no quotes: "type now and then"."""
    clause = read_clause(_place_first(sentence.part(first_words(head)))[1].spelled)
    return clause is not None and clause.kind == "write" and not clause.quoted


def _same_verb(sentence: Phrase, head: str, tail: str) -> str:
    """Give the verb that "click A, then B" leaves out the second time; "" when what follows has its own."""
    following = _AND.split(_THEN.split(tail)[0])[0]
    last = first_words(_AND.split(head)[-1])
    clause = read_clause(sentence.part(last).spelled)
    # "the plus button": it was the verb before that that counted.
    verb = re.match(r"\w+", "press" if clause and clause.kind == "do" else last)
    if verb is None or clause is None or clause.kind not in _POINTING | {"do"}:
        return ""
    keys = clause.kind in ("press", "do") and read_keys(following) is not None
    if not keys and not following.lower().startswith("on ") and starts_clause(tail):
        return ""
    shared = read_clause(sentence.part(f"{verb.group()} {_THEN.split(tail)[0]}").spelled)
    return verb.group() if shared is not None and shared.kind in _POINTING else ""


def _has_context(text: str) -> bool:
    return bool(re.match(r"(?:in|on|with|using|from|when|once|if)\b", text, re.IGNORECASE))


def _split_and(part: Phrase) -> Iterator[str]:
    """Split at "and" and commas, only where what follows is something to be done."""
    text, place, shared = part.text, 0, ""
    for found in _AND.finditer(text):
        head, tail = shared + text[place : found.start()].strip(), text[found.end() :]
        if not head or _is_condition(head) or _is_place(part, head):
            continue
        named = _is_mere_name(read_clause(part.part(first_words(_AND.split(_THEN.split(tail)[0])[0])).spelled))
        verb = _shared_verb(part, head, tail) if named or not _splits(part, head, tail) else ""
        if verb or _splits(part, head, tail):
            yield head
            place, shared = found.end(), verb and verb + " "
    yield shared + text[place:].strip()


def _is_condition(head: str) -> bool:
    words = first_words(head)
    return bool(re.match(r"(?:if|when|once|as soon as|after)\b", words, re.IGNORECASE)) and not _WHEN.match(words)


def _is_place(part: Phrase, head: str) -> bool:
    return bool(_PLACE.match(first_words(head))) and not _place_first(part.part(first_words(head)))[0]


def _splits(part: Phrase, head: str, tail: str) -> bool:
    one_verb = re.search(r"\b(?:find|search)$", head, re.IGNORECASE) and re.match(r"replace\b", tail, re.IGNORECASE)
    # "..., on the Sizes tab select Large": what is said first of the next clause is where.
    tail = _place_first(part.part(first_words(tail)))[1].text
    if not starts_clause(tail) or one_verb:
        return False
    clause = read_clause(_place_first(part.part(first_words(head)))[1].spelled)
    following = next(iter(_AND.split(_THEN.split(tail)[0])), tail)
    reads = [read_clause(part.part(first_words(way.strip())).spelled) for way in (following, tail)]
    if not any(reads):
        # "..., and make it bold": a clause that cannot be read must not be taken for a part of the one before.
        unread = re.match(r"[a-z]+\s+(?:it|them|that|the|a|an|all|my|your)\b", first_words(tail))
        return bool(unread) and clause is not None and clause.kind != "write"
    # "click Find and Replace", "press Save and Close" are names; in small letters the second is another clause.
    single = re.fullmatch(r"[A-Z]\w*", following.strip()) or (_is_mere_name(reads[0]) and following[0].isupper())
    return not (single and clause is not None and clause.kind in ("click", "choose", "toggle", "open", "menu"))


def _is_mere_name(clause: Clause | None) -> bool:
    """Tell whether all that makes words a clause is that some control may be called so."""
    return clause is not None and clause.kind == "do"


def _shared_verb(part: Phrase, head: str, tail: str) -> str:
    """Give the verb that "type A into X and B into Y" leaves out the second time."""
    placed = _place_first(part.part(first_words(head)))[1]
    clause = read_clause(placed.spelled)
    if clause is not None and clause.kind == "read" and re.match(r"the\s", tail):
        return "read"  # "read the number and the country": each is a value of its own
    if clause is None or clause.kind not in _SHARING or not clause.target:
        return ""
    verb = re.match(r"(?:fill in|fill out|type in|\w+)", placed.text)
    following = next(iter(_AND.split(_THEN.split(tail)[0])), tail)
    shared = read_clause(part.part(f"{verb.group()} {following}").spelled) if verb else None
    fits = shared is not None and shared.kind == clause.kind and shared.target and shared.mode == clause.mode
    return verb.group() if verb and fits else ""


def _arranged(part: Phrase) -> Iterator[Phrase]:
    """Bring one clause into the order in which the rules read it."""
    trip = read_trip(part.plain)
    if trip:
        yield from (part.part(text) for text in trip)
        return
    looked = read_looking(part.text)
    if looked and looked[1] and starts_clause(looked[1]):
        yield part.part(among(first_words(looked[1]), looked[0]))
        return
    text = _PURPOSE.sub("", as_done(part.text))
    condition = _condition_of(part.part(text))
    if condition is not None:
        yield part.part(f"wait until {condition[0]}")
        yield from _arranged(part.part(first_words(condition[1])))
        return
    when = _WHEN.match(text)
    if when:
        gone = any(word in when["how"] for word in _GONE)
        yield part.part(f"wait for {when['what']} to {'disappear' if gone else 'appear'}")
        yield from _arranged(part.part(first_words(when["rest"])))
        return
    gerund = _GERUND.match(text)
    verb = imperative(gerund["verb"]) if gerund else ""
    if gerund and verb:
        yield part.part(f"{verb} {gerund['rest']}")
        return
    said = read_habit(text)
    if said:
        yield part.part(said)
        return
    used = _USE.match(text)
    if used and re.fullmatch(r"(?i)(?:the |your )?(?:keyboard|mouse|pointer)", used["app"]):
        yield from _arranged(part.part(used["rest"]))
        return
    if used and starts_clause(used["rest"]):
        yield part.part(f"in {used['app']}, {used['rest']}")
        return
    yield part.part(text)


def _condition_of(part: Phrase) -> tuple[str, str] | None:
    """Take "buy it when the price is below 50" apart: what is to be waited for, and what is to be done then."""
    for pattern in (_ONCE_FIRST, _ONCE_LAST):
        found = pattern.match(part.text)
        if found and read_condition(part.part(found["condition"]).plain) is not None:
            return found["condition"], found["do"]
    return None
