"""Walks an application's accessibles through libatspi, one call after the other, as most programs do. A peer.

`peers_gi.py all PID RUNS NAME` gives the milliseconds for all nodes, `shown` in place of `all` for those that are
shown; nothing when the node called NAME is not among them. `peers_gi.py nodes PID` prints those that are shown, one
JSON object a line; `peers_gi.py frozen PID` gives the seconds that one that does not answer takes.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Iterator
from typing import Any

import gi  # type: ignore[import-not-found]  # the system's Python has it, ours has not

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # type: ignore[import-not-found]  # noqa: E402

MOST_CHILDREN = 3000
"""A spreadsheet has 2^31."""


def application(pid: int) -> Any:
    desktop = Atspi.get_desktop(0)
    found = [desktop.get_child_at_index(place) for place in range(desktop.get_child_count())]
    return next(each for each in found if each and each.get_process_id() == pid and each.get_child_count())


def nodes(top: Any, *, only_shown: bool) -> Iterator[tuple[Any, dict[str, Any]]]:
    pending = [top]
    while pending:
        node = pending.pop()
        try:
            states = node.get_state_set()
            shown = states.contains(Atspi.StateType.SHOWING)
            count = node.get_child_count()
            if shown or not only_shown or node is top:
                yield node, record(node, states, shown)
                pending += [node.get_child_at_index(place) for place in range(min(count, MOST_CHILDREN))]
        except GLib.Error:
            continue
        pending = [each for each in pending if each]


def record(node: Any, states: Any, shown: bool) -> dict[str, Any]:
    box = node.get_extents(Atspi.CoordType.SCREEN) if node.get_component_iface() else None
    action = node.get_action_iface()
    return {
        "role": int(node.get_role()),
        "name": node.get_name() or "",
        "shown": shown,
        "focusable": states.contains(Atspi.StateType.FOCUSABLE),
        "box": [box.x, box.y, box.x + box.width, box.y + box.height] if box else None,
        "actions": [action.get_action_name(place) for place in range(action.get_n_actions())] if action else [],
    }


def milliseconds(pid: int, name: str, *, only_shown: bool) -> float | None:
    top = application(pid)
    top.clear_cache()
    start = time.perf_counter()
    names = {node["name"] for _, node in nodes(top, only_shown=only_shown)}
    return (time.perf_counter() - start) * 1000 if name in names else None


def main() -> None:
    what, pid, *rest = sys.argv[1:]
    if what == "nodes":
        for _, found in nodes(application(int(pid)), only_shown=True):
            print(json.dumps(found))
        return
    if what == "frozen":
        start = time.perf_counter()
        with contextlib.suppress(GLib.Error, StopIteration):
            sum(1 for _ in nodes(application(int(pid)), only_shown=True))
        print(json.dumps([time.perf_counter() - start]))
        return
    runs, name = rest
    figures = [milliseconds(int(pid), name, only_shown=what == "shown") for _ in range(int(runs))]
    print(json.dumps([figure for figure in figures if figure is not None]))


if __name__ == "__main__":
    main()
