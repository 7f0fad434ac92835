"""Settings that nothing on the screen sets: looked for in the preferences, which are closed again after that."""

from __future__ import annotations

import re
from urllib.parse import quote as in_url

from deskhand.core.action import Click, OnElement
from deskhand.models.literal.moves import Done, Fail, Instead, Move, Turn
from deskhand.models.literal.seeking import among
from deskhand.models.literal.sight import button_of, dialogs, editables, look_again, menus_on_bar
from deskhand.perception.naming import same_concept
from deskhand.perception.quoting import mask, quote

_SETTINGS = frozenset({"set", "toggle", "step"})
_CHROMIUM = re.compile(r"(?i)chrom(?:e|ium)")
_PASSWORDS = re.compile(r"(?i)\bpass(?:word|key)s?\b")


def in_preferences(turn: Turn, words: str) -> Instead | None:
    """Have something that is to be set looked for in the preferences; None where they show, or there are none."""
    if turn.clause.kind not in _SETTINGS or turn.clause.among or turn.clause.menu:
        return None
    address = next((e for e in editables(turn) if any(same_concept("location", n) for n in turn.scene.names(e))), None)
    if address is not None:
        return _in_browser(turn, words, address.value)
    # What says where it is looks no further when it is not there.
    seeking, there = among(f"seek {words}", "tabs"), among(turn.clause.text, "tabs")
    if dialogs(turn):
        tabs = [e for e in turn.scene.top if e.role == "tab"]
        return Instead((seeking, there), "another tab may have it") if len(tabs) > 1 else None
    if not menus_on_bar(turn.scene):
        return None
    steps = ("open the preferences", seeking, there, "confirm the preferences")
    return Instead(steps, f"look for {mask(words).plain} in the preferences")


def _in_browser(turn: Turn, words: str, shown: str) -> Instead | None:
    """Go to the page of Chromium's settings that has it: it finds them by their words; passwords are kept elsewhere."""
    window = turn.own_window
    if window is None or not _CHROMIUM.search(f"{window.app} {window.title}") or "://settings" in shown:
        return None
    plain = mask(words).plain
    page = "password-manager/settings" if _PASSWORDS.search(plain) else f"settings/?search={in_url(plain)}"
    if page.startswith("password") and "password-manager" in shown:
        return None
    steps = (f"open chrome://{page}", f"wait for {quote(plain)} to appear", turn.clause.text)
    return Instead(steps, "look for it in the browser's settings")


def settle(turn: Turn) -> Move:
    """Take over what was set in the preferences, and close them."""
    if turn.tries:
        return Fail(turn.failed) if turn.failed else Done("the preferences are closed")
    if not dialogs(turn):
        return Done("no preferences are open")
    button = button_of(turn, "ok", "apply", "close", within=dialogs(turn)[-1])
    if button is None:
        return look_again(turn, "a button to close the preferences") or Done("the preferences stay open")
    return turn.act(Click(target=OnElement(id=button.id)), thought=f"press {button.name}")
