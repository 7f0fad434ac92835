"""The suite `desktop`: tasks of our own on real applications."""

from deskhand.bench.desktop.solution import Solution
from deskhand.bench.desktop.suite import DesktopSuite

__all__ = ["DesktopSuite", "Solution"]
