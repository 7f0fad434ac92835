"""Clauses: what one piece of a request wants, read by the rules. What no rule fits is no clause."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from deskhand.models.literal.arithmetic import read_number, read_sum
from deskhand.models.literal.classes import read_classes
from deskhand.models.literal.conditions import read_condition
from deskhand.models.literal.described import named_values, names_value, text_part
from deskhand.models.literal.grids import read_place
from deskhand.models.literal.instruments import is_instrument, is_moment, is_movable
from deskhand.models.literal.keys import read_keys
from deskhand.models.literal.letters import read_errand
from deskhand.models.literal.passages import is_whole, read_passage, read_table
from deskhand.models.literal.questions import read_question
from deskhand.models.literal.rules import NUMBERS, commands, number, rules_starting_with
from deskhand.models.literal.saving import IN_FOLDER, is_one_name, read_saving, usual_folder
from deskhand.models.literal.seeking import read_among
from deskhand.models.literal.sheets import cell_named, read_range
from deskhand.models.literal.spots import read_spot
from deskhand.perception.lexicon.vocabulary import vocabulary
from deskhand.perception.looks import is_several, read_looks
from deskhand.perception.naming import fold
from deskhand.perception.quoting import MARK, Phrase, mask, quote

PATH_SIGN = re.compile(r"\s*(?:>|→|»|▸|➔|➜|->|=>)\s*")
URL = re.compile(
    r"(?:https?://|www\.|file:///|about:|^(?:chrome|edge|brave|vivaldi|opera|view-source)://)\S+$|^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|dev|edu|gov|de|uk|fr|cn|eu)(?:/\S*)?$",
    re.I,
)
FILE = re.compile(r"^(?:file://|~|\.{0,2}/)\S*$|^[^\s/]+(?:/[^\s/]+)*\.[A-Za-z][A-Za-z0-9]{0,5}$")
POINTED = frozenset({"click", "choose", "press", "toggle", "seek", "hover", "expand", "set", "step"})
"""Kinds of clauses about a thing that has to be found first."""
DRAWN = frozenset({"answer", "click_all", "click_spot", "count", "draw", "gather"})
"""Kinds of clauses about what things look like."""
_KEY = re.compile(r"\s*\(call it \{\{(?P<key>[^{}]+)\}\}\)\s*$")
_REFERENCE = re.compile(r"\{\{(?!secret:)([^{}]+)\}\}")
_SHOWN = (
    r"(?:is|are|gets|becomes)?\s*(?:visible|shown|displayed|there|open|opened|appears?|appeared|pops? up|shows? up|"
    r"comes? up|asks?|is asked)"
)
_FLAGS = re.IGNORECASE | re.DOTALL
_UNTIL = re.compile(r"^(?P<do>(?:click|press|hit|tap|push|type)\b.+?)\s+(?:until|till)\s+(?P<seen>.+)$", _FLAGS)
_IF = re.compile(
    rf"^if\s+(?:there\s+is\s+)?(?P<seen>.+?)\s*(?:{_SHOWN})?\s*(?:,|\bthen\b)\s*(?:then\s+)?(?P<do>.+)$", _FLAGS
)
_SEEN = re.compile(
    rf"^(?:you\s+(?:can\s+)?see|it\s+(?:says|shows|reads)|there\s+is)?\s*(?P<what>.+?)\s*(?:{_SHOWN})?$", _FLAGS
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_NO_TEXT = re.compile(r"(?:a |the )?(?:check ?mark|tick|cursor|caret|focus|mouse|pointer|window|mark)\b", re.IGNORECASE)
_FOR_ME = re.compile(r"(?i)^(?:me|us|myself|yourself|him|her|them|it)\b|\b(?:from|to|on|for|by)\b")
_PLACE_FIRST = re.compile(r"(?:of|in|from|for|on|below|above|shown|next|beside)\b", re.IGNORECASE)
_CASED = re.compile(
    r"\s+(?:in|using|as|with)\s+(?:all\s+|only\s+)*(?:(?P<upper>upper[- ]?case|capitals?|caps)|"
    r"(?P<lower>lower[- ]?case|small))(?:\s+(?:letters?|characters?|text|form))?(?=\s|$)",
    re.IGNORECASE,
)
_IF_LAST = re.compile(rf"^(?P<do>.+?)\s+if\s+(?:there\s+is\s+)?(?P<seen>.+?)\s*{_SHOWN}$", _FLAGS)
_INTO = re.compile(r"\s(?:into|onto)\s", re.IGNORECASE)
_NOT = re.compile(r"^(?:do not|don't|don’t|never|without)\s+", re.IGNORECASE)
_DO = re.compile(
    r"^(?:do|perform|execute|use|choose|click|select)?\s*(?:the\s+)?(?P<label>.+?)(?:\s+(?:command|action|button|it|this|now))?$",
    re.IGNORECASE,
)


class Clause(NamedTuple):
    """One thing to be done. Descriptions (`target`, `to`, `menu`) keep their quotes; values do not."""

    text: str
    """Its words; reads back to the same clause."""
    kind: str
    mode: str = ""
    target: str = ""
    value: str = ""
    quoted: bool = False
    """The value stood in quotes."""
    to: str = ""
    old: str = ""
    menu: str = ""
    what: str = ""
    times: int = 1
    amount: float = 1
    key: str = ""
    """Under which name the value that it yields goes on the blackboard."""
    seen: str = ""
    """For `until` and `if`: what has to be on the screen."""
    when: str = ""
    """"until", "if" or nothing."""
    among: str = ""
    """What is to be looked through for it: tabs, sections, ..."""

    @property
    def references(self) -> tuple[str, ...]:
        """The blackboard's keys that its value is made of."""
        return tuple(_REFERENCE.findall(self.value))


def read_clause(text: str) -> Clause | None:
    """Read one clause; None when no rule fits."""
    named = _KEY.search(text)
    core = text[: named.start()] if named else text
    clause = _sought(mask(core.strip()))
    if clause is None:
        return None
    return clause._replace(text=text.strip(), key=named["key"] if named else "")


def _sought(phrase: Phrase) -> Clause | None:
    """Read a clause about something that may be on any of several parts: "click A in one of the tabs"."""
    text, kind = read_among(phrase.text)
    clause = _read(phrase.part(text)) if kind else None
    return clause._replace(among=kind) if clause is not None and clause.kind in POINTED else _read(phrase)


def _read(phrase: Phrase) -> Clause | None:
    text = phrase.text
    conditional = _IF.match(text) or _IF_LAST.match(text)
    if conditional:
        inner = _read(phrase.part(conditional["do"]))
        return inner._replace(when="if", seen=_seen(phrase.part(conditional["seen"]))) if inner else None
    errand = read_errand(phrase)
    if errand is not None and errand.spelled == phrase.spelled:
        return Clause(
            phrase.spelled, "message", errand.action, target=errand.sender, value=errand.text, to=errand.to, quoted=True
        )
    kept = read_saving(phrase)
    if kept is not None and (kept.is_value or names_value(kept.what)):
        return Clause(phrase.spelled, "write", target=quote(kept.path), value=kept.what)
    if kept is not None:
        return Clause(phrase.spelled, "save_as", value=kept.path, quoted=True)
    cased = _CASED.search(text)
    inner = _read(phrase.part(text[: cased.start()] + text[cased.end() :])) if cased else None
    if cased and inner and inner.kind == "write" and not inner.references and not is_whole(inner.value):
        return inner._replace(value=inner.value.upper() if cased["upper"] else inner.value.lower())
    until = _UNTIL.match(text)
    if until:
        inner = _read(phrase.part(until["do"]))
        return inner._replace(when="until", seen=_seen(phrase.part(until["seen"]))) if inner else None
    if _NOT.match(text):
        inner = _read(phrase.part(_NOT.sub("", text)))
        saving = inner is not None and inner.kind in ("save", "save_as")
        return (
            Clause(phrase.spelled, "dialog" if saving else "nothing", "dont_save" if saving else "") if inner else None
        )
    return _plain(phrase)


def _seen(phrase: Phrase) -> str:
    found = _SEEN.match(phrase.text)
    return phrase.part(found["what"] if found else phrase.text).spelled


def _plain(phrase: Phrase) -> Clause | None:
    bare = re.sub(r"[\s.!?,;]+$", "", phrase.text).strip()
    command = _command(phrase, bare)
    if command:
        return command
    normal = re.sub(r"^(double|right|left|middle)-(click|tap)", r"\1 \2", bare, flags=re.IGNORECASE)
    first = re.match(r"[^\s:,]+", normal.lower())
    rules = rules_starting_with(first.group()) if first else ()
    menu = _is_path(phrase.part(bare)) and fold(PATH_SIGN.split(bare)[0]) in vocabulary().concepts
    if menu and not any(rule.kind == "menu" for rule in rules):
        return Clause(phrase.spelled, "menu", value=phrase.part(bare).spelled)
    for rule in rules:
        slots = rule.match(normal)
        if slots is None or any(not part for part in slots.values()):
            continue
        parts = {name: phrase.part(part) for name, part in slots.items()}
        if not rule.needs or _NEEDS[rule.needs](parts):
            return _clause(phrase, rule.kind, rule.mode, parts)
    if _is_path(phrase.part(bare)):
        return Clause(phrase.spelled, "menu", value=phrase.part(bare).spelled)
    return _named_on_screen(phrase, bare)


def _command(phrase: Phrase, bare: str) -> Clause | None:
    said = " ".join(bare.lower().split())
    again = re.fullmatch(r"(?P<said>.+?) (?:(?P<often>once|twice|thrice)|(?P<n>\w+) times)", said)
    command = commands().get(said) or (commands().get(again["said"]) if again else None)
    if command is None:
        return None
    often = (again["often"] or again["n"]) if again and said not in commands() else "1"
    times = int(number(often)) if often.isdigit() or often in NUMBERS else 1
    return Clause(phrase.spelled, "command", command.name, times=times)


def _named_on_screen(phrase: Phrase, bare: str) -> Clause | None:
    """Read a clause that is nothing but what a control is called: "apply", "next", "print preview"."""
    found = _DO.match(bare)
    label = fold(found["label"]) if found else ""
    if label in vocabulary().concepts and label not in ("back", "home", "all", "user", "name", "time", "date"):
        return Clause(phrase.spelled, "do", target=label)
    # "export order", "place the order": a verb that controls are called by, and one word for what.
    verb, _, what = bare.partition(" ")
    if fold(verb) in vocabulary().concepts and re.fullmatch(r"(?i)(?:the |my |this )?[a-z][a-z-]*", what):
        return Clause(phrase.spelled, "do", target=re.sub(r"(?i) (?:the|my|this) ", " ", bare))
    return None


def _clause(phrase: Phrase, kind: str, mode: str, parts: Mapping[str, Phrase]) -> Clause:
    value = parts.get("value", phrase.part(""))
    count = parts["count"].text if "count" in parts else parts["n"].text if "n" in parts else "1"
    if "verb" in parts:
        value = phrase.part(f"{parts['verb'].text} {value.text}")
    clause = Clause(
        text=phrase.spelled,
        kind=kind,
        mode=parts["mode"].text.lower() if "mode" in parts else mode,
        target=" ".join(parts[name].spelled for name in ("which", "target") if name in parts),
        value=_value_of(value),
        quoted=value.quoted is not None,
        to=parts["to"].spelled if "to" in parts else "",
        old=_value_of(parts["old"]) if "old" in parts else "",
        menu=parts["menu"].spelled if "menu" in parts else "",
        what=(parts.get("what") or parts.get("state") or parts.get("unit") or phrase.part("")).text.lower(),
        amount=number(count),
    )
    clause = clause._replace(times=max(1, int(clause.amount)))
    return _REFINE[kind](clause, parts) if kind in _REFINE else clause


def _value_of(phrase: Phrase) -> str:
    """Give a value as text: what stood in quotes exactly, else the words without what ends the clause."""
    if phrase.quoted is not None:
        return phrase.quoted
    return phrase.plain.strip().rstrip(",;")


def _is_path(phrase: Phrase) -> bool:
    steps = PATH_SIGN.split(phrase.text.strip())
    return len(steps) > 1 and all(step.strip() and len(step) < 60 for step in steps)


def _is_sum(parts: Mapping[str, Phrase]) -> bool:
    said = f"{parts['verb'].text} {parts['value'].plain}" if "verb" in parts else parts["value"].plain
    return read_sum(said) is not None


def _is_keys(parts: Mapping[str, Phrase]) -> bool:
    return "value" not in parts or read_keys(parts["value"].plain) is not None


def _is_plain(parts: Mapping[str, Phrase]) -> bool:
    """Tell whether a value is either quoted as a whole or has no quotes in it; of a "put" only what is a value."""
    value = parts["value"]
    if value.quoted is not None:
        return True
    return not MARK.search(value.text) and not _NO_TEXT.match(value.text)


_NEEDS: Mapping[str, Callable[[Mapping[str, Phrase]], bool]] = {
    "path": lambda parts: _is_path(parts["value"]),
    "keys": _is_keys,
    "number": lambda parts: bool(_NUMBER.fullmatch(parts["value"].plain)),
    "sum": _is_sum,
    "pairs": lambda parts: bool(read_pairs(parts["value"])),
    "looks": lambda parts: read_looks(parts["target"].plain) is not None,
    "position": lambda parts: read_place(parts["to"].plain) is not None and is_movable(parts["target"].plain),
    "movable": lambda parts: is_movable(parts["target"].plain),
    "spot": lambda parts: read_spot(parts["target"].plain) is not None,
    "each_looks": lambda parts: is_several(f"all {parts['target'].plain}"),
    "several_looks": lambda parts: is_several(parts["target"].plain),
    "question": lambda parts: read_question(parts["target"].plain) is not None,
    "values_first": lambda parts: bool(MARK.match(parts["value"].text) and len(named_values(parts["value"])) > 1),
    "named_values": lambda parts: bool(named_values(parts["value"])),
    "passage": lambda parts: read_passage(parts["target"]) is not None,
    "table": lambda parts: read_table(parts["value"].plain) is not None,
    "file_and_folder": lambda parts: bool(FILE.match(parts["target"].plain) and usual_folder(parts["to"].plain)),
    "several_texts": lambda parts: len(MARK.findall(parts["value"].text)) > 1,
    "file_moved": lambda parts: bool(FILE.match(parts["target"].plain)) and parts["target"].quoted is None,
    "one_path": lambda parts: parts["value"].quoted is not None or is_one_name(parts["value"].text),
    "usual_folder": lambda parts: bool(usual_folder(parts["target"].plain)),
    "range": lambda parts: read_range(parts["value"].plain) is not None,
    "offered": lambda parts: not _FOR_ME.search(parts["target"].text),
    "condition": lambda parts: read_condition(parts["target"].plain) is not None,
    "part_of_text": lambda parts: text_part(parts["target"].plain) is not None,
    "no_place": lambda parts: _is_plain(parts) and not _PLACE_FIRST.match(parts["value"].text),
    "quoted": lambda parts: parts["value"].quoted is not None,
    "file": lambda parts: bool(FILE.match(parts["target"].plain)) and _is_plain(parts),
    "plain": _is_plain,
    "one_place": lambda parts: parts["value"].quoted is not None or not _INTO.search(parts["value"].text),
    "text_deleted": lambda parts: parts["old"].quoted is not None,
    "exchanged": lambda parts: parts["old"].quoted is not None and parts["value"].quoted is not None,
    "two_numbers": lambda parts: len(re.findall(r"\d+", parts["value"].plain)) == 2,
    "classes": lambda parts: bool(read_classes(parts["value"].plain)),
    "moment": lambda parts: is_moment(parts["value"].plain, parts["target"].plain),
    "instrument": lambda parts: is_instrument(parts["target"].plain),
    "url": lambda parts: bool(URL.search(parts["value"].plain)),
    "not_selected": lambda parts: parts["target"].text.lower() not in ("it", "that", "this", "selection", "them"),
    "places": lambda parts: read_number(parts["to"].plain.rstrip("%")) is None,
}


def read_pairs(phrase: Phrase) -> tuple[tuple[str, str], ...]:
    """Read "Name: Anna, Age = 30" as pairs of field and value; none when something else is in it."""
    pairs = []
    for part in re.split(r"\s*[,;\n]\s*(?:and\s+)?|\s+and\s+(?=[^,;]*[:=])", phrase.text.strip()):
        field, sign, value = _partition(part)
        if not sign or not field.strip() or not value.strip():
            return ()
        pairs.append((phrase.part(field.strip()).spelled, _value_of(phrase.part(value.strip()))))
    return tuple(pairs)


def _partition(part: str) -> tuple[str, str, str]:
    found = re.search(r"\s*(?:[:=]|\bis\b|\bas\b)\s*", part)
    return (part[: found.start()], found.group(), part[found.end() :]) if found else (part, "", "")


def _refine_press(clause: Clause, parts: Mapping[str, Phrase]) -> Clause:
    if "value" not in parts:
        return clause._replace(value="enter")
    return clause


def _refine_choose(clause: Clause, parts: Mapping[str, Phrase]) -> Clause:
    menu = (
        re.fullmatch(r"(?P<name>.+?)\s+(?:drop-?\s*down\s+)?menu", parts["target"].text, re.I)
        if "target" in parts
        else None
    )
    value = parts["value"]
    if menu and not re.search(r"(?i)context|popup|drop", menu["name"]):
        steps = f"{value.part(menu['name']).spelled} > {_requoted(value)}"
        return clause._replace(kind="menu", value=steps, target="")
    return clause._replace(value=_requoted(value))


def _requoted(phrase: Phrase) -> str:
    return phrase.spelled if phrase.quoted is None else quote(phrase.quoted)


def _refine_menu(clause: Clause, parts: Mapping[str, Phrase]) -> Clause:
    return clause._replace(value=parts["value"].spelled)


def _refine_write(clause: Clause, parts: Mapping[str, Phrase]) -> Clause:
    repeated = "n" in parts or "count" in parts
    clause = clause._replace(target=cell_named(clause.target))
    return clause._replace(value=clause.value * clause.times, times=1) if repeated else clause


def _refine_save_as(clause: Clause, parts: Mapping[str, Phrase]) -> Clause:
    """Put "report.txt in the folder /tmp" together as one path."""
    value = parts["value"]
    found = IN_FOLDER.match(value.text)
    if not found:
        return clause
    name, folder = value.part(found["name"]).plain.strip(), value.part(found["folder"]).plain.strip()
    return clause._replace(value=f"{folder.rstrip('/')}/{name}", quoted=True)


def _refine_wait(clause: Clause, parts: Mapping[str, Phrase]) -> Clause:
    unit = clause.what
    seconds = clause.amount if "n" in parts else 2.0 if unit in ("moment", "bit", "while") else 1.0
    factor = 60 if unit.startswith("min") else 0.001 if unit in ("ms", "milliseconds") else 1
    return clause._replace(amount=seconds * factor)


def _refine_step(clause: Clause, parts: Mapping[str, Phrase]) -> Clause:
    return clause if "n" in parts else clause._replace(amount=0)


def _refine_named(clause: Clause, parts: Mapping[str, Phrase]) -> Clause:
    return clause._replace(value=parts["value"].spelled)


def _refine_set(clause: Clause, parts: Mapping[str, Phrase]) -> Clause:
    del parts
    clause = clause._replace(target=re.sub(r"\s+from\s+.+$", "", clause.target))
    return clause._replace(
        value=clause.value.removesuffix("%").strip()
        if read_number(clause.value.rstrip("%")) is not None
        else clause.value
    )


_REFINE: Mapping[str, Callable[[Clause, Mapping[str, Phrase]], Clause]] = {
    "press": _refine_press,
    "choose": _refine_choose,
    "menu": _refine_menu,
    "save_as": _refine_save_as,
    "step": _refine_step,
    "wait": _refine_wait,
    "write": _refine_write,
    "set": _refine_set,
    "set_named": _refine_named,
    "write_lines": _refine_named,
}
