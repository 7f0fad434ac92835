"""What an application is to do from now on: "make the terminal keep X", "stop the browser from offering Y"."""

from __future__ import annotations

import re

from deskhand.models.literal.rules import rules_starting_with
from deskhand.perception.applications import kind_of

_APP = r"(?P<app>(?:the\s+|my\s+)?\w+(?:\s\w+)??)"
_LETS = re.compile(
    rf"^(?:make|have|let)\s+{_APP}\s+(?:keep|use|show|display|have|remember)\s+(?P<what>\w.+)$", re.IGNORECASE
)
_STOPS = tuple(
    re.compile(rf"^{said}\s+(?P<verb>\w+)\s+(?P<what>\w.+)$", re.IGNORECASE)
    for said in (
        rf"(?:stop|keep|prevent|forbid)\s+{_APP}\s+from",
        rf"(?:make|have)\s+{_APP}\s+stop",
        rf"(?:do\s+not|don't|don’t|never)\s+let\s+{_APP}",
    )
)
_MODE = re.compile(
    rf"^(?:switch|put|set|change|turn|bring)\s+{_APP}\s+(?:in)?to\s+(?P<what>\w.*\s(?:mode|view))$", re.IGNORECASE
)


def read_habit(text: str) -> str:
    """Put it as what is done in the application: "in the terminal, turn on X"; "" for all else."""
    mode, lets = _MODE.match(text), _LETS.match(text)
    stops = next(filter(None, (said.match(text) for said in _STOPS)), None)
    if mode and kind_of(mode["app"]):
        return f"in {mode['app']}, click {mode['what']}"
    found = stops or lets
    if found is None or (kind_of(found["app"]) is None and not found["app"][:1].isupper()):
        return ""
    if stops:
        verb = imperative(stops["verb"]) or stops["verb"].lower().removesuffix("ing")
        return f"in {stops['app']}, turn off {verb} {stops['what']}"
    return f"in {found['app']}, turn on {found['what']}"


def imperative(gerund: str) -> str:
    """Give the verb of a gerund that begins a clause; "" when none does."""
    root = gerund.lower().removesuffix("ing")
    undoubled = root[:-1] if len(root) > 2 and root[-1] == root[-2] else root
    return next((verb for verb in (root, root + "e", undoubled) if rules_starting_with(verb)), "")
