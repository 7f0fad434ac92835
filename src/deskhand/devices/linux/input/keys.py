"""What the keys of other systems are on a keyboard of this one."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BORROWED = {
    **dict.fromkeys(
        ("cmd", "command", "leftcmd", "rightcmd", "leftcommand", "rightcommand", "win", "windows", "⌘"), "Super"
    ),
    **dict.fromkeys(("option", "opt", "⌥"), "Alt"),
}


def borrowed(keys: Sequence[str]) -> str:
    """Say which keys of other systems were named and what they are here; "" when none was."""
    names = dict.fromkeys(name for part in keys for name in re.findall(r"[⌘⌥]|[^\s+⌘⌥-]+", part.casefold()))
    told = [f"{name} is the {_BORROWED[name]} key here" for name in names if name in _BORROWED]
    return f"{' and '.join(told)}; most shortcuts of Linux begin with ctrl" if told else ""
