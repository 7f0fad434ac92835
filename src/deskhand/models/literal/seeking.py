"""Words for looking through what is shown one at a time: "switch between the tabs to …", "… in one of the sections"."""

from __future__ import annotations

import re

_KIND = (
    r"(?:(?:tab|section|panel|pane|accordion|page|(?:sub-?)?menu|(?:sub)?folder|(?:(?:file|directory|folder) )?tree|"
    r"group|node|heading|header|(?:search )?result|(?:drop-?down|expander)|list|part|chapter|question)s?|category|"
    r"categories|branch|branches)"
)
_SOME = (
    r"(?:(?:the|all|each|every|any|of|these|those|different|various|several|other|available|collapsed|hidden|result)"
    r"\s+)*"
)
_HERE = r"(?:\s+(?:below|above|here|there|shown|on (?:the|this) page))?"
_THROUGH = (
    r"(?:(?:switch|go|look|flip|click|page|leaf|browse|search|navigate|step|cycle|move|dig|scan|walk|"
    r"work(?: your way)?)\s+(?:(?:back and forth|around|down|up)\s+)?(?:between|through|among|across)|"
    r"(?:look|search|dig|navigate)\s+(?:in|into|inside))"
)
_ONE_BY_ONE = r"(?:browse|search|explore|traverse|navigate|check|inspect|scan)"
_OPENING = r"(?:expand|open|unfold|uncollapse|open up|try|switch|click|view|show)"
_LOOK_THROUGH = re.compile(
    rf"^(?:(?:{_THROUGH}|{_ONE_BY_ONE})\s+{_SOME}(?P<kind>{_KIND})|{_OPENING}\s+{_SOME}(?P<kinds>{_KIND}(?<=s)))"
    rf"(?:\s+(?:one by one|one after (?:the other|another)|in turn))?{_HERE}"
    r"(?:(?P<joint>\s*,?\s+(?:in order to|so as to|to|until|till|for)\s+)(?P<rest>.+))?$",
    re.IGNORECASE | re.DOTALL,
)
_SEES = re.compile(
    r"^(?:you\s+)?(?:can\s+|have\s+)?(?:find|found|locate|located|see|spot|come across|reach|get to|look for|"
    r"search for|discover)\s+(?P<what>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_AMONG = re.compile(
    rf"^(?P<do>.+?)\s*,?\s+(?:(?:that|which)\s+(?:is|are|may be|can be found|lies|appears)\s+)?"
    rf"(?:hidden\s+|somewhere\s+)*(?:in|on|under|behind|inside|within|among)\s+(?:(?:one|any|some)\s+of\s+)(?:the|these|those)\s+"
    rf"(?:(?:different|various|collapsed|hidden|result)\s+)?(?P<kind>{_KIND}){_HERE}$",
    re.IGNORECASE | re.DOTALL,
)


def read_looking(text: str) -> tuple[str, str] | None:
    """Read "switch between the tabs to click A": what is looked through, and what is to be done, which may be ""."""
    found = _LOOK_THROUGH.match(text)
    if found is None:
        return None
    rest, joint = found["rest"] or "", (found["joint"] or "").strip(" ,").lower()
    seen = _SEES.match(rest)
    if seen or joint == "for":
        rest = f"seek {seen['what'] if seen else rest}"
    elif joint in ("until", "till"):
        return None
    return (found["kind"] or found["kinds"]).lower(), rest


def among(text: str, kind: str) -> str:
    """Say of a clause that what it is about may be on any of several parts, as `read_among` reads it."""
    return f"{text} in one of the {kind if kind.endswith('s') else kind + 's'}"


def read_among(text: str) -> tuple[str, str]:
    """Take "…, which is in one of the tabs" off a clause: the clause, and what is to be looked through for it."""
    found = _AMONG.match(text)
    return (found["do"], found["kind"].lower()) if found else (text, "")
