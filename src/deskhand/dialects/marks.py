"""The `marks` dialect: controls are numbered in the picture and in a list, and answers name numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deskhand.core.decision import AppDecision, HostDecision
from deskhand.core.geometry import PICTURE_PIXELS, Frame, Space
from deskhand.core.message import ElementsPart, HistoryPart, ModelRequest, Part, Reply, Role, WindowsPart
from deskhand.core.observation import Element, Window
from deskhand.dialects.controls import by_window, named, telling
from deskhand.dialects.grammar import Call
from deskhand.dialects.json_reply import JsonReading, JsonReply, in_order, read_app_reply, turn_of
from deskhand.dialects.prompt import Platform, Prompts, counted_in
from deskhand.dialects.quoting import quoted, screen_data
from deskhand.dialects.render import render_parts, shown_frame
from deskhand.dialects.schemas import schema_of
from deskhand.dialects.signatures import in_json
from deskhand.dialects.tools import with_tools
from deskhand.dialects.unreadable import Unreadable
from deskhand.perception.covering import uncovered
from deskhand.perception.marks import COLOURS_IN_WORDS, markable, number_of

_MOST_CONTROLS = 300
_MOST_TEXTS = 100
_COVERED = "(others lie behind something: bring their window up, or close the menu, to use them)"
_NUMBER_KEYS = frozenset({"mark", "element", "id", "index", "label", "label_id", "number", "box_id", "control"})
_ID_SPELLED = re.compile(r'\b(element|start|from_coord|to_coord)="e(\d+)"')
_ID_TOLD = re.compile(r" \(e(\d+)\)")
_PLACE_KEYS = frozenset({"start", "from_coord", "to_coord"})
_SAID_BESIDE = frozenset({"name", "label", "control_text", "control_type", "role"})
"""What models say of a control besides its number."""
_TEXTS = frozenset({"label", "heading", "paragraph", "status", "alert", "cell", "document"})


class MarksReply:
    """Tells a model that reads numbers in pictures what to answer, and reads it.

    A control's number is that of its id, so that it stays the same from step to step, and a reply can be read
    without what was asked. Hosts are asked as in the `json` dialect.
    """

    name = "marks"
    marked = True

    def __init__(
        self,
        space: Space = PICTURE_PIXELS,
        *,
        platform: Platform = "linux",
        prompts: Prompts | None = None,
        earlier: int = 0,
    ) -> None:
        self.earlier = earlier
        """How many pictures of earlier steps are to be among the parts."""
        self._space = space
        self._platform = platform
        self._prompts = prompts or Prompts()
        self._host = JsonReply(space, platform=platform, prompts=prompts)

    def compose(self, role: Role, parts: tuple[Part, ...]) -> ModelRequest:
        """Say what is wanted, then what is known, with a list of the numbered controls."""
        if role == "host":
            return self._host.compose(role, parts)
        platform = self._prompts.filled(f"platform_{self._platform}")
        counted = counted_in(self._space)
        told = with_tools(lambda more: in_json(self._platform, "mark", more), parts)
        system = self._prompts.filled(
            "marks_app", actions=told, platform=platform, coordinates=counted, colours=COLOURS_IN_WORDS
        )
        frame = shown_frame(parts, self._space)
        texts = [_told(part, frame, parts) for part in in_order(parts)]
        turn = turn_of(parts, "\n\n".join(filter(None, texts)))
        return ModelRequest(role=role, system=system, parts=parts, turns=(turn,), reply_schema=schema_of("app"))

    def parse(self, role: Role, reply: Reply, frame: Frame) -> HostDecision | AppDecision:
        """Read the one JSON object of a reply; numbers become the elements they stand for.

        Raises:
            UnreadableReply: as in the `json` dialect.
        """
        if role == "host":
            return self._host.parse(role, reply, frame)
        return self.read(reply.text, frame).decision

    def read(self, text: str, frame: Frame) -> JsonReading:
        """Read an app agent's reply, and also say what was repaired; raises as `parse`."""
        return read_app_reply(text, frame, self._space, _by_element)


def _told(part: Part, frame: Frame | None, parts: tuple[Part, ...]) -> str:
    match part:
        case ElementsPart(elements=elements, truncated=truncated):
            windows = next((p.windows for p in parts if isinstance(p, WindowsPart)), ())
            return legend(elements, truncated, windows)
        case HistoryPart():
            return _ID_TOLD.sub(r" (\1)", _ID_SPELLED.sub(_numbered, render_parts([part], frame)))
        case _:
            return render_parts([part], frame, parts)


def _numbered(spelled: re.Match[str]) -> str:
    """Give the number that was said of a control, for the id that it became."""
    return f"{'mark' if spelled[1] == 'element' else spelled[1]}={spelled[2]}"


def legend(elements: Sequence[Element], truncated: str = "", windows: Sequence[Window] = ()) -> str:
    """List the numbered controls, and the texts beside them, of which there is no number."""
    told = telling(elements)
    shown = uncovered(told, windows)
    marked = {e.id for e in markable(shown)}
    menus = {e.id: e for e in elements if e.role == "menu"}
    controls: list[str] = []
    for group in by_window(markable(told), windows):
        own = [e for e in group.elements if e.id in marked]
        covered = "" if group.blocked or len(own) == len(group.elements) else _COVERED
        controls += [f"{group.title} none of its controls can be used" if group.blocked else group.title]
        controls += [f"{number_of(e)} {named(e)}{_of_menu(menus.get(e.parent))}" for e in own]
        controls.append(covered)
    others = [named(e) for e in shown if e.id not in marked and _is_text(e)]
    lines = _bounded(list(filter(None, controls)), _MOST_CONTROLS)
    if truncated:
        lines.append(f"(not all: {truncated})")
    listed = screen_data("Controls, by their numbers", lines, empty="none could be read")
    texts = screen_data("Texts on the screen", _bounded(others, _MOST_TEXTS))
    return f"{listed}\n\n{texts}".strip()


def _is_text(element: Element) -> bool:
    return element.role in _TEXTS and "covered" not in element.states and bool(element.name or element.value)


def _of_menu(menu: Element | None) -> str:
    return f" in menu {quoted(menu.name)}" if menu is not None and menu.name else ""


def _bounded(rows: list[str], most: int) -> list[str]:
    return rows if len(rows) <= most else [*rows[:most], f"... {len(rows) - most} more"]


def _by_element(call: Call) -> Call:
    """Put the element of a number in its place."""
    changed: dict[str, object] = {}
    for key, value in call.kwargs.items():
        name = key.strip().lower()
        if name == "mark" and element_of(value) is None:
            raise Unreadable("type_error", f"{call.name}: mark is the number of a control in the list, not {value!r}")
        element = element_of(value) if name in _NUMBER_KEYS | _PLACE_KEYS else None
        if element is not None and name in _NUMBER_KEYS:
            changed["element"] = element
        else:
            changed[key] = value if element is None else element
    if "element" in changed:
        changed = {key: value for key, value in changed.items() if key.lower() not in _SAID_BESIDE}
    return call._replace(kwargs=changed)


def element_of(value: object) -> str | None:
    """Give the id of the control that a number stands for, however it is written; None when it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float) and 0 <= value < 10**9 and value == int(value):
        return f"e{int(value)}"
    found = re.fullmatch(r"\s*[\[(#e]?(\d{1,9})[\])]?\s*", value) if isinstance(value, str) else None
    return f"e{int(found[1])}" if found else None
