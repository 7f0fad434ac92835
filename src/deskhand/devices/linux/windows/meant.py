"""Which window is meant by an id: one of its application, which may have opened another or closed that one."""

from __future__ import annotations

from collections.abc import Sequence

from deskhand.core.observation import Window


def window_meant(windows: Sequence[Window], window_id: str, pid: int) -> Window | None:
    """Give the window that a person at work in that application would go on in; None when it has none left.

    That is the one named, unless another of the same process is the active one or the one named is closed.
    `pid` is its process as it was last known; 0 when it never was.
    """
    named = next((window for window in windows if window.id == window_id), None)
    process = named.pid if named else pid
    own = [window for window in windows if window.pid == process] if process else []
    active = next((window for window in own if window.active), None)
    if named and (active is None or belongs(active, named, windows)):
        return named
    if active is None:
        return next((window for window in own if not window.minimized), next(iter(own), None))
    return _main(active, windows)


def belongs(window: Window, to: Window, windows: Sequence[Window]) -> bool:
    """Tell whether a window is the one given, or a dialog that stands before it."""
    return to.id in _owners(window, windows)


def _main(dialog: Window, windows: Sequence[Window]) -> Window:
    last = _owners(dialog, windows)[-1]
    return next((window for window in windows if window.id == last), dialog)


def _owners(window: Window, windows: Sequence[Window]) -> list[str]:
    """Give the id of a window, of the one it is a dialog of, and so on."""
    parents = {each.id: each.dialog_of for each in windows}
    found = [window.id]
    while (above := parents.get(found[-1], "")) and above not in found:
        found.append(above)
    return found
