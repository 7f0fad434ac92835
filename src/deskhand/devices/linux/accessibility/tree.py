"""The walk over an application's accessibles: breadth first, what can be seen only, bounded."""

from __future__ import annotations

from collections.abc import Sequence

from deskhand.devices.linux.accessibility.large import children_in_view
from deskhand.devices.linux.accessibility.pages import in_front
from deskhand.devices.linux.accessibility.protocol import ACCESSIBLE, Ref, ask, refs_of
from deskhand.devices.linux.accessibility.roles import Role, State
from deskhand.devices.linux.accessibility.sight import describe, read_states, visible_state, wrongly_hidden
from deskhand.devices.linux.accessibility.walk import NOTHING_TOLD, Node, Walk

_FEW = 100
"""So many children are listed even where a container makes them up as it is asked."""
_MANY = 400
"""More children than that are not listed: only those that are in view are looked for."""
_AT_ONCE = 400


def walk_down(walk: Walk, tops: Sequence[Node], most: int) -> list[Node]:
    """Read everything visible from `tops` downwards, at most `most` nodes; give those of `tops` that can be seen."""
    walk.met.update(top.ref for top in tops)
    shown = level = _look(walk, tops, most)
    while level and not walk.over:
        level = _look(walk, _children(walk, level), most)
        for node in level:
            if node.parent:
                node.parent.children.append(node)
    # What has no box is on a page that is not shown.
    cut = [node for node in walk.scrolled if node.box and len(node.children) < node.child_count]
    walk.notes += map(_scrolled, cut)
    return shown


def _look(walk: Walk, nodes: Sequence[Node], most: int) -> list[Node]:
    found: list[Node] = []
    showing = read_states(walk, nodes)
    for start in range(0, len(showing), _AT_ONCE):
        described = in_front(walk, describe(walk, showing[start : start + _AT_ONCE]))
        found += [node for node in described if walk.hidden or _in_sight(walk, node)]
        if walk.seen + len(found) > most or walk.over:
            break
    if walk.seen + len(found) > most:
        walk.notes.append(f"truncated: {most} of at least {walk.seen + len(showing)} elements")
        found = found[: most - walk.seen]
    walk.seen += len(found)
    return found


def _in_sight(walk: Walk, node: Node) -> bool:
    return visible_state(walk).within(node.states) or wrongly_hidden(walk, node)


def _children(walk: Walk, nodes: Sequence[Node]) -> list[Node]:
    full = [node for node in nodes if node.child_count and (walk.pages or node.role != Role.DOCUMENT_WEB)]
    listed = [node for node in full if _listable(walk, node)]
    refs = _list_children(walk, listed)
    found = []
    for node in full:
        if node.ref not in refs:
            refs[node.ref] = children_in_view(walk, node)
            if not walk.program.chromium:
                walk.scrolled.append(node)
        for ref in refs[node.ref]:
            if ref not in walk.met:
                walk.met.add(ref)
                walk.memory.parents.setdefault(ref, node.ref)
                found.append(Node(ref, node, node.place))
    return found


def _list_children(walk: Walk, nodes: Sequence[Node]) -> dict[Ref, list[Ref]]:
    found, asked = {}, []
    for node in nodes:
        told = walk.told.get(node.ref, NOTHING_TOLD).children
        if told is None:
            asked.append(node.ref)
        else:
            found[node.ref] = told
    answers = walk.ask_all([ask(ref, ACCESSIBLE, "GetChildren") for ref in asked])
    return found | dict(zip(asked, map(refs_of, answers), strict=True))


def _listable(walk: Walk, node: Node) -> bool:
    if walk.hidden and walk.program.chromium:
        return True
    if State.MANAGES_DESCENDANTS.within(node.states):
        return node.child_count <= (_MANY if walk.hidden else _FEW)
    return node.child_count <= _MANY


def _scrolled(node: Node) -> str:
    what = f" of {node.name!r}" if node.name else ""
    return f"truncated: {len(node.children)} of at least {node.child_count} cells or rows{what} are in view"
