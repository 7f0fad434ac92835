"""The walls around a shell: no network, nothing writable but its folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from deskhand.core.errors import DeviceError


def walls(folder: Path, exchange: Path) -> tuple[str, ...]:
    """Give the command that what follows it runs in; `exchange`, where commands and output pass, is writable, too.

    Raises:
        DeviceError: bubblewrap is not installed.
    """
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise DeviceError("shell:sandbox needs bubblewrap; apt-get install bubblewrap, or leave `sandbox` out")
    return (
        *(bwrap, "--die-with-parent", "--unshare-all", "--new-session", "--ro-bind", "/", "/", "--dev", "/dev"),
        *("--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", "/run"),
        *("--bind", str(folder), str(folder), "--bind", str(exchange), str(exchange), "--chdir", str(folder), "--"),
    )
