"""The system packages that a virtual desktop needs: what `packages.txt`, which the set-up reads as well, says."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

LIST = Path(__file__).with_name("packages.txt")


class Package(NamedTuple):
    """A system package, recognised by a file it brings."""

    name: str
    file: str
    """Its path, which may hold a *."""
    why: str

    @property
    def present(self) -> bool:
        return any(Path("/").glob(self.file.lstrip("/")))

    @property
    def needed(self) -> bool:
        """Whether a desktop can work without it: fonts only make text visible to people."""
        return not self.name.startswith("fonts-noto")


def packages() -> list[Package]:
    rows = (line.split(None, 2) for line in LIST.read_text("utf-8").splitlines() if line and not line.startswith("#"))
    return [Package(*row) for row in rows]


def how_to_install(programs: Iterable[str]) -> str:
    """Give the command that brings programs, by their names."""
    names = {package.name for package in packages() if Path(package.file).name in programs}
    return f"apt-get install {' '.join(sorted(names))}"
