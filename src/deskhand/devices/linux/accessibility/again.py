"""Finding one control again: what it is now, where it is now, and what has the focus."""

from __future__ import annotations

from collections.abc import Mapping

from deskhand.core.geometry import Box
from deskhand.core.observation import Element
from deskhand.devices.linux.accessibility.details import find_details
from deskhand.devices.linux.accessibility.ids import Ids, Known
from deskhand.devices.linux.accessibility.place import Place
from deskhand.devices.linux.accessibility.protocol import (
    ACCESSIBLE,
    ROOT,
    SCREEN,
    Ref,
    ask,
    prop,
    ref_of,
    refs_of,
    states_of,
)
from deskhand.devices.linux.accessibility.records import make_element
from deskhand.devices.linux.accessibility.roles import NAMED_BY_CONTENT, Role, State
from deskhand.devices.linux.accessibility.sight import describe, read_states, visible_state
from deskhand.devices.linux.accessibility.tree import walk_down
from deskhand.devices.linux.accessibility.walk import Node, Walk

_DEEPEST = 64
_CONTENT = 40
"""How many nodes a control's own name or value is looked for in."""

Places = Mapping[Ref, Place]
"""Where the top-levels were when they were last read."""


def look_again(walk: Walk, known: Known, places: Places, ids: Ids) -> Element | None:
    """Read one control afresh; None when it is gone or another one has taken its path.

    What cannot be seen has an empty box and the state "offscreen".
    """
    chain = _chain(walk, known, places)
    if not chain:
        return None
    answers = walk.ask_all([ask(node.ref, ACCESSIBLE, "GetState") for node in chain])
    for node, answer in zip(chain, answers, strict=True):
        node.states = states_of(answer) or 0
    inside = describe(walk, chain)
    node = chain[-1]
    if node.role != known.role or node.states == 0 or State.DEFUNCT.within(node.states):
        return None
    if len(inside) < len(chain) or not visible_state(walk).within(node.states):
        node.box = None
    if node.role in NAMED_BY_CONTENT | {Role.COMBO_BOX} and not node.name and node.box:
        walk_down(walk, [node], _CONTENT)
    details = find_details(walk, [node])[node.ref]
    return make_element(node, details, ids, _parent(ids, node))


def _chain(walk: Walk, known: Known, places: Places) -> list[Node]:
    """Give the nodes from the top-level down; none when it hangs in the air."""
    refs = [known.ref]
    while len(refs) < _DEEPEST:
        parent = ref_of(walk.ask_all([prop(refs[-1], ACCESSIBLE, "Parent")])[0])
        if parent is None and len(refs) == 1:
            return []
        if parent is None or parent.path == ROOT or parent.bus != known.ref.bus or parent in refs:
            break
        refs.append(parent)
    # LibreOffice's own controls lead up to another top-level than down to them.
    last = (place for place in places.values() if place.window == known.window)
    found = (places[each] for each in refs if each in places)
    place = next(found, None) or next(last, None) or _everywhere(walk.screen)
    chain: list[Node] = []
    for each in reversed(refs):
        chain.append(Node(each, chain[-1] if chain else None, place))
    return chain


def find_focus(walk: Walk, places: Places, ids: Ids, most: int) -> Element | None:
    """Find what has the keyboard focus in an application; None when it does not say."""
    roots = refs_of(walk.ask_all([ask(walk.program.root, ACCESSIBLE, "GetChildren")])[0])
    tops = [Node(ref, None, places.get(ref, _everywhere(walk.screen))) for ref in roots]
    shown = read_states(walk, tops)
    active = [top for top in shown if State.ACTIVE.within(top.states)]
    # A menu that is open can have the focus without being the active window.
    for group in (active, [top for top in shown if top not in active]):
        focused = _focused_below(walk_down(walk, group, most))
        if focused:
            details = find_details(walk, [focused])[focused.ref]
            return make_element(focused, details, ids, _parent(ids, focused))
    return None


def _focused_below(tops: list[Node]) -> Node | None:
    """Find the innermost node that has the focus."""
    focused = None
    while tops:
        focused = next((top for top in tops if State.FOCUSED.within(top.states) and top.box), focused)
        tops = [child for top in tops for child in top.children]
    return focused


def _parent(ids: Ids, node: Node) -> str:
    """Give the id of the nearest node above that has one."""
    above = node.parent
    while above:
        if ids.named(above.ref):
            return ids.named(above.ref)
        above = above.parent
    return ""


def _everywhere(screen: Box) -> Place:
    """The place of a top-level that was never read."""
    return Place(SCREEN, 1.0, 0, 0, "", screen, screen)
