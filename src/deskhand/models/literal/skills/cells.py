"""Writing into the cells of spreadsheets and tables, which take what was typed only when it is confirmed."""

from __future__ import annotations

from deskhand.core.action import Click, OnElement, Press, Wait, Write
from deskhand.core.observation import Element
from deskhand.models.literal.arithmetic import read_number
from deskhand.models.literal.clauses import read_clause
from deskhand.models.literal.keys import read_keys
from deskhand.models.literal.moves import Done, Fail, Move, Turn
from deskhand.models.literal.sight import has, said

CELLS = frozenset({"cell", "row", "listitem", "treeitem"})
_CONFIRMING = (("enter",), ("tab",))
_LOOKS = 3
_CLICKS = 3


def write_in_cell(turn: Turn, cell: Element) -> Move:
    """Go to a cell, and type once it has the keyboard; the rest is up to `confirm_cell`."""
    what, text = said(cell, turn.scene), turn.clause.value
    other = next((e for e in turn.scene.elements if e.role in CELLS and has(e, "focused") and e.id != cell.id), None)
    clicks = turn.count("clicks")
    if not has(cell, "focused") and (not clicks or other):
        if clicks >= _CLICKS:
            where = f"; the {said(other, turn.scene)} has it" if other else ""
            return Fail(f"the {what} does not take the keyboard{where}")
        click = Click(target=OnElement(id=cell.id))
        return turn.prepare(click, thought=f"go to the {what}", id=cell.id, clicks=str(clicks + 1))
    return turn.act(Write(message=text), thought=f"type into the {what}", id=cell.id, cell=what)


def confirm_cell(turn: Turn) -> Move:
    """Confirm what was typed by Return, unless that comes next anyway, and see that the cell holds it."""
    what, text, cell = turn.memo["cell"], turn.clause.value, turn.scene.get(turn.memo["id"])
    if not turn.memo.get("confirmed"):
        # A cell shows nothing of what is typed before it is confirmed, so a device may see nothing arrive.
        if _confirms(turn.following):
            return Done(f"typed {text!r} into the {what}")
        return turn.act(Press(keys=("enter",)), thought="confirm it by Return", confirmed="1")
    if cell is not None and _holds(cell, text):
        return Done(f"the {what} holds {cell.value!r}")
    if turn.count("waited") < _LOOKS:
        return turn.again(Wait(seconds=0.3), "looking at the cell", waited=str(turn.count("waited") + 1))
    shows = f"holds {cell.value!r}" if cell is not None else "cannot be seen any more"
    return Fail(f"the {what} {shows}, not {text!r}" + (f": {turn.failed}" if turn.failed else ""))


def _confirms(following: str) -> bool:
    clause = read_clause(following) if following else None
    return clause is not None and clause.kind == "press" and (read_keys(clause.value) or ((),))[0] in _CONFIRMING


def _holds(cell: Element, text: str) -> bool:
    shown = cell.value or cell.name
    if shown.strip() == text.strip():
        return True
    number = read_number(text)
    return (number is not None and read_number(shown) == number) or (text.startswith("=") and bool(cell.value))
