"""Finding one control again: what it is now, where it is now, and what has the focus."""

from __future__ import annotations

from collections.abc import Mapping

from deskhand.core.geometry import Box
from deskhand.core.observation import Element
from deskhand.devices.linux.accessibility.details import find_details
from deskhand.devices.linux.accessibility.focusing import in_page, settle_focus, was_left
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
from deskhand.devices.linux.accessibility.roles import NAMED_BY_CONTENT, TEXTS, Role, State
from deskhand.devices.linux.accessibility.sight import describe, read_states, visible_state
from deskhand.devices.linux.accessibility.tree import walk_down
from deskhand.devices.linux.accessibility.walk import Node, Walk, all_below

_DEEPEST = 64
_CONTENT = 40
"""How many nodes a control's own name or value is looked for in."""

Places = Mapping[Ref, Place]
"""Where the top-levels were when they were last read."""


def look_again(walk: Walk, known: Known, places: Places, ids: Ids) -> Element | None:
    """Read one control afresh; None when it is gone or another one has taken its path.

    What cannot be seen has an empty box and the state "offscreen".
    """
    node = _find(walk, known, places)
    if node is None:
        return None
    by_content = node.role in NAMED_BY_CONTENT and not node.name
    if (by_content or node.role == Role.COMBO_BOX) and node.box:
        walk_down(walk, [node], _CONTENT)
    return _element(walk, node, ids)


def _find(walk: Walk, known: Known, places: Places) -> Node | None:
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
    return node


def _chain(walk: Walk, known: Known, places: Places) -> list[Node]:
    """Give the nodes from the top-level down; none when it hangs in the air."""
    refs = _climb(walk, known.ref)
    # LibreOffice's own controls lead up to another top-level than down to them.
    last = (place for place in places.values() if place.window == known.window)
    found = (places[each] for each in refs if each in places)
    place = next(found, None) or next(last, None) or _everywhere(walk.screen)
    chain: list[Node] = []
    for each in reversed(refs):
        chain.append(Node(each, chain[-1] if chain else None, place))
    return chain


def _climb(walk: Walk, ref: Ref) -> list[Ref]:
    """Give a control and what is above it, up to the top-level; nothing when it hangs in the air."""
    refs, guessed = [ref], _guess(walk.memory.parents, ref)
    told = dict(zip(guessed, walk.ask_all([prop(each, ACCESSIBLE, "Parent") for each in guessed]), strict=True))
    while len(refs) < _DEEPEST:
        last = refs[-1]
        parent = ref_of(told[last] if last in told else walk.ask_all([prop(last, ACCESSIBLE, "Parent")])[0])
        if parent is None and len(refs) == 1:
            return []
        if parent is None or parent.path == ROOT or parent.bus != ref.bus or parent in refs:
            break
        walk.memory.parents[last] = parent
        refs.append(parent)
    return refs


def _guess(parents: Mapping[Ref, Ref], ref: Ref) -> list[Ref]:
    refs = [ref]
    while len(refs) < _DEEPEST and refs[-1] in parents:
        refs.append(parents[refs[-1]])
    return refs


def find_focus(walk: Walk, places: Places, ids: Ids, most: int, last: Known | None) -> Element | None:
    """Find what has the keyboard focus in an application; None when it does not say. `last` had it before."""
    node = _find(walk, last, places) if last else None
    if node and _has_it(node) and not (walk.program.chromium and in_page(node)):
        return _element(walk, node, ids)
    roots = refs_of(walk.ask_all([ask(walk.program.root, ACCESSIBLE, "GetChildren")])[0])
    tops = [Node(ref, None, places.get(ref, _everywhere(walk.screen))) for ref in roots]
    shown = read_states(walk, tops)
    active = [top for top in shown if State.ACTIVE.within(top.states)]
    if walk.program.chromium:  # whose pages go on to claim the keyboard while the browser's own bar has it
        focused = _focused_around_pages(walk, active, most) or (node if node and _has_it(node) else None)
        if focused:
            return _element(walk, focused, ids)
    # A menu that is open can have the focus without being the active window.
    for group in (active, [top for top in shown if top not in active]):
        focused = _focused(walk, group, most)
        if focused:
            return _element(walk, focused, ids)
    return None


def _focused_around_pages(walk: Walk, tops: list[Node], most: int) -> Node | None:
    walk.pages = False
    focused = _focused(walk, [Node(top.ref, None, top.place) for top in tops], most)
    walk.pages = True
    walk.met.clear()
    return None if in_page(focused) else focused


def _focused(walk: Walk, tops: list[Node], most: int) -> Node | None:
    read = walk_down(walk, tops, most)
    settle_focus(all_below(read))
    return _focused_below(read)


def _has_it(node: Node) -> bool:
    """Tell whether a node has the focus, and nothing inside of it can have it instead."""
    top = node
    while top.parent:
        top = top.parent
    alone = node.role in TEXTS | {Role.PASSWORD_TEXT, Role.TABLE_CELL} and not node.child_count and node.box is not None
    claims = State.FOCUSED.within(node.states) and not was_left(node)
    return alone and claims and State.ACTIVE.within(top.states)


def _element(walk: Walk, node: Node, ids: Ids) -> Element:
    return make_element(node, find_details(walk, [node])[node.ref], ids, _parent(ids, node))


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
