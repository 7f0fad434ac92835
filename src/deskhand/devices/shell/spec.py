"""Reading what a user writes for a shell: `shell`, `shell:sandbox`, `shell:cwd=DIR`."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from deskhand.core.errors import SettingsError
from deskhand.core.nearest import hint

EXAMPLE = "shell:sandbox,cwd=DIR"
_WORDS = ("sandbox", "cwd=")


class ShellSpec(NamedTuple):
    """Which shell is meant."""

    folder: Path
    """Where it begins, and may work; absolute."""
    sandbox: bool = False
    """No network, and nothing writable but the folder."""

    @property
    def spelled(self) -> str:
        """Write it so that it means the same from everywhere."""
        return f"shell:{'sandbox,' if self.sandbox else ''}cwd={self.folder}"


def parse_shell(text: str) -> ShellSpec:
    """Read a spec; a folder is taken from here when it is not absolute.

    Raises:
        SettingsError: it is not one, or the folder is not there; names what is right.
    """
    kind, _, rest = text.strip().partition(":")
    if kind != "shell":
        raise SettingsError(f"{text!r} is no shell; write it like {EXAMPLE!r}, or just 'shell'")
    folder, sandbox = ".", False
    for item in filter(None, (part.strip() for part in rest.split(","))):
        if item == "sandbox":
            sandbox = True
        elif item.startswith("cwd="):
            folder = item.removeprefix("cwd=")
        else:
            raise SettingsError(f"a shell knows no {item!r}; {hint(item, _WORDS)}")
    return ShellSpec(_folder(folder), sandbox)


def _folder(name: str) -> Path:
    try:
        folder = Path(name).expanduser().resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise SettingsError(f"cwd={name}: there is no such folder ({error})") from error
    if not folder.is_dir():
        raise SettingsError(f"cwd={name}: that is no folder")
    return folder
