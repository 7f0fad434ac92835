"""What of the caller's environment a shell gets to see: what is known to be no secret."""

from __future__ import annotations

import re
from collections.abc import Mapping

PASSED = frozenset(
    {"HOME", "USER", "LOGNAME", "PATH", "LANG", "LANGUAGE", "TZ", "TMPDIR", "SHELL", "EDITOR", "VIRTUAL_ENV"}
    | {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"}
    | {"http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"}
)
"""Names of variables that are handed on; besides, those of the language settings."""
FIXED = {"TERM": "dumb", "PAGER": "cat", "GIT_PAGER": "cat", "MANPAGER": "cat", "GIT_TERMINAL_PROMPT": "0"} | {
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "safe.bareRepository",
    "GIT_CONFIG_VALUE_0": "explicit",
}
"""What makes programs speak plainly, not wait for anybody, and git take no folder for a repository, with programs to
run in its settings, that only looks like one."""
_SECRET = re.compile(
    r"://[^/@\s]+@|-----BEGIN|(?<![A-Za-z0-9])(?:sk|pk|gh[pousr]|glpat|xox[abprs]|AKIA|AIza)[-_A-Za-z0-9]{12,}"
)
"""What looks like a key, a token or a password in a value."""


def surroundings(environment: Mapping[str, str]) -> dict[str, str]:
    """Give the variables for a shell's programs."""
    handed = {
        name: value
        for name, value in environment.items()
        if (name in PASSED or name.startswith("LC_")) and not _SECRET.search(value)
    }
    handed.setdefault("LANG", "C.UTF-8")
    handed.setdefault("HOME", "/")
    handed.setdefault("PATH", "/usr/local/bin:/usr/bin:/bin")
    return {**handed, **FIXED}
