"""Passages of documents: how they look, what style they have, lines taken out, letters made large or small, tables."""

from __future__ import annotations

import re
from collections.abc import Callable

from deskhand.core.action import Hotkey, OnElement, Write
from deskhand.core.observation import Element
from deskhand.models.literal.moves import Ask, Done, Fail, Instead, Move, Turn
from deskhand.models.literal.passages import Passage, is_whole, read_passage, read_table
from deskhand.models.literal.sheets import Place, Sheet
from deskhand.models.literal.sight import has, look_again, said, text_area
from deskhand.perception.quoting import mask

_LOOKS = {
    "embolden": "Bold",
    "italics": "Italic",
    "italicize": "Italic",
    "italicise": "Italic",
    "underlined": "Underline",
    "centre": "Center",
    "centred": "Center",
    "centered": "Center",
    "justify": "Justified",
    "left-aligned": "Left",
    "right-aligned": "Right",
}
"""What a look is called by the control for it."""
_OF_PARAGRAPHS = frozenset({"Center", "Justified", "Left", "Right"})
_ONE_LINE = 60
"""Up to so many letters a paragraph is certain to be one line."""
_CUT = re.compile(r"… \(\d+ of \d+ characters\)$")


def dress(turn: Turn) -> Move:
    """Select what is meant, then bring the control for its look to on."""
    what = turn.clause.what
    label = _LOOKS.get(what, what.capitalize())
    reached = _reach(turn, whole=label not in _OF_PARAGRAPHS)
    if not isinstance(reached, Instead):
        return reached
    return reached._replace(clauses=(*reached.clauses, f"turn on the “{label}” button"))


def paragraph_style(turn: Turn) -> Move:
    """Put the cursor into what is meant, and choose its style in the menu that has the styles."""
    reached = _reach(turn, whole=False)
    if not isinstance(reached, Instead):
        return reached
    return reached._replace(clauses=(*reached.clauses, f"choose Styles > “{turn.clause.value}”"))


def _reach(turn: Turn, *, whole: bool) -> Move:
    """Give the clauses that bring the cursor into a passage, or select the whole of it."""
    passage = read_passage(mask(turn.clause.target))
    if passage is None:
        return Ask(f"“{turn.clause.text}”: what is {mask(turn.clause.target).plain!r}?")
    sheet = Sheet(turn.scene.elements)
    if sheet.cells:
        return _reach_cells(turn, passage, sheet)
    if not turn.memo.get("top"):
        return turn.prepare(Hotkey(keys=("ctrl", "home")), thought="go to the beginning of the document", top="1")
    texts = [e for e in turn.scene.elements if e.role == "paragraph" and has(e, "editable")]
    place = _paragraph(texts, passage)
    if place is None:
        waiting = look_again(turn, passage.text or "the paragraphs")
        return waiting or Ask(f"“{turn.clause.text}”: that does not stand there as one paragraph. Which one is meant?")
    down = (f"press Ctrl+Down {place} times",) if place > 1 else ("press Ctrl+Down",) * place
    # To the end of the line selects all of a line, and no more; a longer paragraph only goes as a whole.
    one_line = passage.unit == "line" or len(texts[place].value) <= _ONE_LINE
    marking = ("press Shift+End" if one_line else "press Ctrl+Shift+Down",) if whole else ()
    return Instead(("press Ctrl+Home", *down, *marking), f"it is paragraph {place + 1}")


def _paragraph(texts: list[Element], passage: Passage) -> int | None:
    """Give the place of the one paragraph that is meant, from 0."""
    filled = [at for at, e in enumerate(texts) if e.value.strip()]
    if passage.text:
        places = [at for at in filled if texts[at].value.strip() == passage.text.strip()]
        return places[0] if len(places) == 1 else None
    counted = passage.which - 1 if passage.which > 0 else passage.which
    if not passage.which or not -len(filled) <= counted < len(filled):
        return None
    # Which line of several a longer paragraph has cannot be told; only the first begins one for certain.
    return (
        filled[counted] if passage.unit == "paragraph" or passage.which == 1 else _single_lines(texts, filled, counted)
    )


def _single_lines(texts: list[Element], filled: list[int], counted: int) -> int | None:
    return filled[counted] if all(len(texts[at].value) <= _ONE_LINE for at in filled) else None


def _reach_cells(turn: Turn, passage: Passage, sheet: Sheet) -> Move:
    if passage.headings or (passage.which == 1 and passage.unit == "line"):
        cells = [Place(at, 1) for at in range(1, len(sheet.headings) + 1)]
    else:
        cells = [place for place in sheet.cells if passage.text and sheet.text(place) == passage.text.strip()]
        cells = cells if len(cells) == 1 else []
    if not cells:
        waiting = look_again(turn, "the cells")
        return waiting or Ask(f"“{turn.clause.text}”: which cells are meant?")
    named = cells[0].name if len(cells) == 1 else f"{cells[0].name} to {cells[-1].name}"
    verb = "click cell" if len(cells) == 1 else "select the cells"
    return Instead((f"{verb} {named}",), f"that is {named}")


def insert_table(turn: Turn) -> Move:
    """Have the dialog for a table come up where it goes, and fill in how large it is."""
    size = read_table(turn.clause.value)
    if size is None:
        return Ask(f"“{turn.clause.text}”: how many rows and columns?")
    going = {"end": ("press Ctrl+End",), "bottom": ("press Ctrl+End",)}.get(turn.clause.mode, ())
    going = ("press Ctrl+Home",) if turn.clause.mode in ("beginning", "start", "top") else going
    rows, columns = size
    steps = ("choose Table > Insert Table", f"set Columns to {columns}", f"set Rows to {rows}", "click Insert")
    return Instead((*going, *steps), "by the menu Table")


def save_page(turn: Turn) -> Move:
    """Bookmark the page that a browser shows."""
    del turn
    return Instead(("press Ctrl+D", "press Enter"), "browsers do it by Ctrl+D, and ask for a name then")


def delete_line(turn: Turn) -> Move:
    """Take a line out of a text, and see that the rest is as it was."""
    old = turn.clause.old
    return _rewrite(turn, f"the line {old!r}", lambda text: _without_line(text, old))


def recase(turn: Turn) -> Move:
    """Put the whole text into large or small letters."""
    plain = mask(turn.clause.target).plain.strip()
    if not is_whole(plain):
        return Ask(f"“{turn.clause.text}”: only the whole text can be put into other letters. Which text is meant?")
    upper = turn.clause.mode == "upper"
    return _rewrite(turn, "the text", lambda text: text.upper() if upper else text.lower())


def _without_line(text: str, line: str) -> str | None:
    lines = text.splitlines(keepends=True)
    places = [at for at, each in enumerate(lines) if each.strip() == line.strip()]
    return "".join(lines[: places[0]] + lines[places[0] + 1 :]) if len(places) == 1 else None


def _rewrite(turn: Turn, what: str, changed: Callable[[str], str | None]) -> Move:
    """Write the whole text of an editor anew, and see that it holds that."""
    area = text_area(turn)
    if area is None or not has(area, "multiline") or area.role == "paragraph":
        return look_again(turn, "a text") or Fail("there is no plain text here that could be rewritten")
    if turn.tries:
        if area.value == turn.memo.get("goal"):
            return Done(f"changed {what} in the {said(area, turn.scene)}")
        waiting = look_again(turn, "the new text")
        return waiting or Fail(f"the text is not what it should be{': ' if turn.failed else ''}{turn.failed}")
    goal = None if _CUT.search(area.value) else changed(area.value)
    if goal is None:
        return look_again(turn, what) or Ask(f"“{turn.clause.text}”: {what} is not there just once. Which is meant?")
    entry = Write(message=goal, target=OnElement(id=area.id), replace=True)
    return turn.act(entry, thought=f"change {what}", goal=goal)
