"""The second pass: what the controls that were found are called, hold and can do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from deskhand.devices.linux.accessibility.bus import Answer
from deskhand.devices.linux.accessibility.protocol import (
    ACCESSIBLE,
    ACTION,
    SELECTION,
    TEXT,
    VALUE,
    Ref,
    ask,
    attributes_of,
    number_of,
    prop,
    real_of,
    ref_of,
    relations_of,
    text_of,
)
from deskhand.devices.linux.accessibility.roles import (
    HOLLOW,
    LABELLED,
    LABELS,
    MENU_ITEMS,
    MENUS,
    NAMED_BY_CONTENT,
    NAMED_BY_VALUE,
    NUMBERS,
    TEXTS,
    TOGGLES,
    TREES,
    WORDS,
    Role,
    State,
)
from deskhand.devices.linux.accessibility.sight import kind_of
from deskhand.devices.linux.accessibility.walk import Node, Walk
from deskhand.devices.linux.accessibility.wire import Call

LONGEST_TEXT = 4000
_LABELLED_BY = 2
"""A relation."""
_MOST_ACTIONS = 8
_PARTS = frozenset({Role.TOGGLE_BUTTON, Role.PUSH_BUTTON, Role.TEXT})
"""What LibreOffice makes controls of several parts of."""
WITH_WORDS = frozenset({Role.SPIN_BUTTON, Role.SLIDER})
"""Where a number may stand for a word: of a month, a half of the day, a mark."""
_CLICKED = "click"
"""Chromium's name for what a script does when it is clicked."""
BY_DEFAULT = "dodefault"
"""Chromium's name for what it has no name for."""
_ASKED_IN_VAIN = LABELS | TEXTS | TOGGLES | {Role.PASSWORD_TEXT, Role.LINK, Role.CHECK_BOX, Role.RADIO_BUTTON}
"""Where it does not matter what Chromium calls the action: it is what pressing does, or is never used."""


@dataclass(slots=True)
class Details:
    """What was found out about one control."""

    text: str | None = None
    length: int = 0
    number: float | None = None
    selected: str = ""
    switch: bool = False
    """Whether it is a switch, which toolkits without a role for it call a toggle button."""
    label: str = ""
    description: str = ""
    role_name: str = ""
    """The toolkit's own word, where we have none."""
    actions: tuple[str, ...] = ()
    index: int | None = None
    """Which child it is of its parent, where that is what it is known by."""

    @property
    def shown_text(self) -> str:
        """The text, cut off with a mark that says so."""
        text = self.text or ""
        if self.length <= LONGEST_TEXT:
            return text
        # A toolkit that counts in UTF-16 may have cut through a character.
        text = text.rstrip("\ufffd")
        return f"{text}… ({len(text)} of {self.length} characters)"


@dataclass(slots=True)
class Inquiry:
    """Questions gathered over all nodes, so that they are on their way together."""

    walk: Walk
    calls: list[Call] = field(default_factory=list)
    takers: list[Callable[[Answer], None]] = field(default_factory=list)
    alike: dict[tuple[Ref, int], list[Details]] = field(default_factory=dict)
    """Whose actions are the same: only the first of each kind is asked for them."""

    def put(self, call: Call, taker: Callable[[Answer], None]) -> None:
        self.calls.append(call)
        self.takers.append(taker)

    def run(self) -> None:
        """Ask until no answer raises a new question."""
        while self.calls:
            calls, takers = self.calls, self.takers
            self.calls, self.takers = [], []
            for taker, answer in zip(takers, self.walk.ask_all(calls), strict=True):
                taker(answer)
        for first, *others in self.alike.values():
            for each in others:
                each.actions = first.actions


def find_details(walk: Walk, nodes: Sequence[Node]) -> dict[Ref, Details]:
    """Look closer at `nodes`."""
    inquiry = Inquiry(walk)
    found = {node.ref: Details() for node in nodes}
    for node in nodes:
        details = found[node.ref]
        _ask_text(inquiry, node, details)
        _ask_number(inquiry, node, details)
        _ask_selected(inquiry, node, details)
        _ask_label(inquiry, node, details)
        _ask_description(inquiry, node, details)
        _ask_what_it_is(inquiry, node, details)
        _ask_index(inquiry, node, details)
        # What Qt does for an item leaves its menu open: it is to be clicked.
        open_qt_item = walk.program.qt and node.role in MENU_ITEMS and node.parent and node.parent.role in MENUS
        if "Action" in node.interfaces and not open_qt_item:
            _ask_actions(inquiry, node, details)
    inquiry.run()
    _ask_tooltips(inquiry, nodes, found)
    return found


def _ask_text(inquiry: Inquiry, node: Node, details: Details) -> None:
    sheet = node.drawn and node.role == Role.TABLE_CELL
    unnamed = not node.name and node.role in LABELS | {Role.ICON}
    wanted = sheet or unnamed or node.written_in or node.role in TEXTS | {Role.COMBO_BOX, Role.SPIN_BUTTON}
    worded = inquiry.walk.program.chromium and node.role in WITH_WORDS  # see `_ask_number`
    if "Text" not in node.interfaces or not wanted or worded:
        return

    def take_text(answer: Answer) -> None:
        details.text = text_of(answer)[:LONGEST_TEXT]
        details.length = max(details.length, len(details.text))

    def take_length(answer: Answer) -> None:
        details.length = max(details.length, number_of(answer) or 0)
        end = min(details.length, LONGEST_TEXT)
        inquiry.put(ask(node.ref, TEXT, "GetText", "ii", 0, end), take_text)

    line_of_page = inquiry.walk.program.chromium and node.role == Role.ENTRY
    if sheet or line_of_page:  # there are many of them, and their texts are short
        inquiry.put(ask(node.ref, TEXT, "GetText", "ii", 0, -1), take_text)
        return
    inquiry.put(prop(node.ref, TEXT, "CharacterCount"), take_length)


def _ask_number(inquiry: Inquiry, node: Node, details: Details) -> None:
    def take(answer: Answer) -> None:
        details.number = real_of(answer)

    def take_word(answer: Answer) -> None:
        details.text = attributes_of(answer).get("valuetext")

    if "Value" in node.interfaces and node.role in NUMBERS:
        inquiry.put(prop(node.ref, VALUE, "CurrentValue"), take)
        if inquiry.walk.program.chromium and node.role in WITH_WORDS:
            inquiry.put(ask(node.ref, ACCESSIBLE, "GetAttributes"), take_word)


def _ask_selected(inquiry: Inquiry, node: Node, details: Details) -> None:
    def take_name(answer: Answer) -> None:
        details.selected = text_of(answer).strip()

    def take_child(answer: Answer) -> None:
        child = ref_of(answer)
        if child:
            inquiry.put(prop(child, ACCESSIBLE, "Name"), take_name)

    def take_list(answer: Answer) -> None:
        options = ref_of(answer)
        if options:
            inquiry.put(ask(options, SELECTION, "GetSelectedChild", "i", 0), take_child)

    if node.role != Role.COMBO_BOX:
        return
    if "Selection" in node.interfaces:
        inquiry.put(ask(node.ref, SELECTION, "GetSelectedChild", "i", 0), take_child)
    if inquiry.walk.program.chromium and not State.EDITABLE.within(node.states):  # whose list knows what is chosen
        inquiry.put(ask(node.ref, ACCESSIBLE, "GetChildAtIndex", "i", 0), take_list)


def _ask_label_of(inquiry: Inquiry, ref: Ref, details: Details) -> None:
    def take_label(answer: Answer) -> None:
        details.label = details.label or text_of(answer).strip()

    def take_relations(answer: Answer) -> None:
        for label in relations_of(answer, _LABELLED_BY)[:1]:
            inquiry.put(prop(label, ACCESSIBLE, "Name"), take_label)

    inquiry.put(ask(ref, ACCESSIBLE, "GetRelationSet"), take_relations)


def _ask_label(inquiry: Inquiry, node: Node, details: Details) -> None:
    def take_attributes(answer: Answer) -> None:
        details.label = details.label or attributes_of(answer).get("placeholder-text", "").strip()

    if node.role in LABELLED and (node.role in NAMED_BY_VALUE or not node.name):
        _ask_label_of(inquiry, node.ref, details)
    if not node.name and node.role in TEXTS:
        inquiry.put(ask(node.ref, ACCESSIBLE, "GetAttributes"), take_attributes)


def _is_nameless_part(inquiry: Inquiry, node: Node) -> bool:
    """Tell whether it is a part of a control of LibreOffice's that is made of several, which have the names."""
    return inquiry.walk.program.libreoffice and node.role in _PARTS and not node.name


def _ask_description(inquiry: Inquiry, node: Node, details: Details) -> None:
    """Ask what a control without a name is described as."""

    def take(answer: Answer) -> None:
        details.description = details.description or text_of(answer).strip()

    def take_combo_box(answer: Answer) -> None:
        combo_box = ref_of(answer)
        if combo_box:
            inquiry.put(prop(combo_box, ACCESSIBLE, "Description"), take)
            _ask_label_of(inquiry, combo_box, details)

    # Chromium gives an action to everything.
    active = "Action" in node.interfaces and not inquiry.walk.program.chromium
    content = node.role in NAMED_BY_CONTENT and any(child.name and child.role in LABELS for child in node.children)
    if node.name or content or not (State.FOCUSABLE.within(node.states) or active):
        return
    inquiry.put(prop(node.ref, ACCESSIBLE, "Description"), take)
    if node.parent and node.role in TOGGLES and node.parent.role == Role.PANEL:  # an item of a tool bar, or of GIMP's
        inquiry.put(prop(node.parent.ref, ACCESSIBLE, "Description"), take)
    if _is_nameless_part(inquiry, node) and node.parent:
        # The tabs of sidebars are called by what they are in, and what is to be seen of a combo box by that, which is
        # hidden beside it.
        inquiry.put(prop(node.parent.ref, ACCESSIBLE, "Description"), take)
        inquiry.put(ask(node.parent.ref, ACCESSIBLE, "GetChildAtIndex", "i", 1), take_combo_box)


def _ask_tooltips(inquiry: Inquiry, nodes: Sequence[Node], found: Mapping[Ref, Details]) -> None:
    """Ask what parts of a page that only their scripts make buttons are described as, when they say nothing else."""
    for node in nodes if inquiry.walk.program.chromium else ():
        details = found[node.ref]

        def take(answer: Answer, details: Details = details) -> None:
            details.description = text_of(answer).strip()

        if node.role in HOLLOW and not node.name and _CLICKED in details.actions:
            inquiry.put(prop(node.ref, ACCESSIBLE, "Description"), take)
    inquiry.run()


def _ask_what_it_is(inquiry: Inquiry, node: Node, details: Details) -> None:
    def take(answer: Answer) -> None:
        details.role_name = text_of(answer)

    if node.role not in WORDS:
        inquiry.put(ask(node.ref, ACCESSIBLE, "GetRoleName"), take)
    # A toggle button of Chromium's is pressed or not, a switch is checked or not.
    checkable = inquiry.walk.program.chromium and State.CHECKABLE.within(node.states)
    details.switch = checkable and node.role == Role.TOGGLE_BUTTON


def _ask_index(inquiry: Inquiry, node: Node, details: Details) -> None:
    """Ask for the places of what Qt has in its trees: it makes their accessibles anew at every look."""

    def take(answer: Answer) -> None:
        details.index = number_of(answer)

    if inquiry.walk.program.qt and node.parent and node.parent.role in TREES:
        inquiry.put(ask(node.ref, ACCESSIBLE, "GetIndexInParent"), take)


def _ask_actions(inquiry: Inquiry, node: Node, details: Details) -> None:
    gtk3 = inquiry.walk.program.gtk3
    key, known = (kind_of(inquiry.walk, node) if gtk3 else node.ref, node.role), inquiry.walk.memory.actions
    if known.get(key):
        details.actions = known[key]
        return
    chromium = inquiry.walk.program.chromium
    if chromium and (node.role in _ASKED_IN_VAIN or not node.box):
        # It gives an action to everything, and much of a page is out of sight.
        details.actions = (BY_DEFAULT,)
        return
    alike = inquiry.alike.setdefault(key, [])
    alike.append(details)
    if len(alike) > 1:
        return

    def take_name(answer: Answer) -> None:
        details.actions = known[key] = (*details.actions, text_of(answer).lower())

    def take_count(answer: Answer) -> None:
        count = min(number_of(answer) or 0, _MOST_ACTIONS)
        details.actions = known[key] = details.actions[:count]
        for index in range(len(details.actions), count):
            inquiry.put(ask(node.ref, ACTION, "GetName", "i", index), take_name)

    # Most have one: its name is asked for along with the number, except of what had none the last time.
    if key not in known:
        inquiry.put(ask(node.ref, ACTION, "GetName", "i", 0), take_name)
    if not chromium:  # whose other actions are to open a menu and to scroll
        inquiry.put(prop(node.ref, ACTION, "NActions"), take_count)
