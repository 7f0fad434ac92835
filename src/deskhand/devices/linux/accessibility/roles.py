"""AT-SPI's numbers for roles and states, and the words we use for them."""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache


class Role(IntEnum):
    """The roles of AT-SPI that we treat in a way of their own."""

    ALERT = 2
    CALENDAR = 5
    CANVAS = 6
    CHECK_BOX = 7
    CHECK_MENU_ITEM = 8
    COLOR_CHOOSER = 9
    COLUMN_HEADER = 10
    COMBO_BOX = 11
    DATE_EDITOR = 12
    DIAL = 15
    DIALOG = 16
    DRAWING_AREA = 18
    FILE_CHOOSER = 19
    FILLER = 20
    FONT_CHOOSER = 22
    FRAME = 23
    GLASS_PANE = 24
    ICON = 26
    IMAGE = 27
    INTERNAL_FRAME = 28
    LABEL = 29
    LAYERED_PANE = 30
    LIST = 31
    LIST_ITEM = 32
    MENU = 33
    MENU_BAR = 34
    MENU_ITEM = 35
    OPTION_PANE = 36
    PAGE_TAB = 37
    PAGE_TAB_LIST = 38
    PANEL = 39
    PASSWORD_TEXT = 40
    POPUP_MENU = 41
    PROGRESS_BAR = 42
    PUSH_BUTTON = 43
    RADIO_BUTTON = 44
    RADIO_MENU_ITEM = 45
    ROOT_PANE = 46
    ROW_HEADER = 47
    SCROLL_BAR = 48
    SCROLL_PANE = 49
    SEPARATOR = 50
    SLIDER = 51
    SPIN_BUTTON = 52
    SPLIT_PANE = 53
    STATUS_BAR = 54
    TABLE = 55
    TABLE_CELL = 56
    TABLE_COLUMN_HEADER = 57
    TABLE_ROW_HEADER = 58
    TEAROFF_MENU_ITEM = 59
    TERMINAL = 60
    TEXT = 61
    TOGGLE_BUTTON = 62
    TOOL_BAR = 63
    TOOL_TIP = 64
    TREE = 65
    TREE_TABLE = 66
    UNKNOWN = 67
    VIEWPORT = 68
    WINDOW = 69
    HEADER = 71
    FOOTER = 72
    PARAGRAPH = 73
    APPLICATION = 75
    AUTOCOMPLETE = 76
    EDITBAR = 77
    EMBEDDED = 78
    ENTRY = 79
    CAPTION = 81
    DOCUMENT_FRAME = 82
    HEADING = 83
    PAGE = 84
    SECTION = 85
    REDUNDANT_OBJECT = 86
    FORM = 87
    LINK = 88
    TABLE_ROW = 90
    TREE_ITEM = 91
    DOCUMENT_SPREADSHEET = 92
    DOCUMENT_PRESENTATION = 93
    DOCUMENT_TEXT = 94
    DOCUMENT_WEB = 95
    DOCUMENT_EMAIL = 96
    LIST_BOX = 98
    GROUPING = 99
    NOTIFICATION = 101
    INFO_BAR = 102
    LEVEL_BAR = 103
    TITLE_BAR = 104
    BLOCK_QUOTE = 105
    ARTICLE = 109
    LANDMARK = 110
    RATING = 114
    STATIC = 116
    PUSH_BUTTON_MENU = 129
    SWITCH = 130


class State(IntEnum):
    """The bits of an accessible's set of states."""

    ACTIVE = 1
    CHECKED = 4
    COLLAPSED = 5
    DEFUNCT = 6
    EDITABLE = 7
    ENABLED = 8
    EXPANDABLE = 9
    EXPANDED = 10
    FOCUSABLE = 11
    FOCUSED = 12
    MODAL = 16
    MULTI_LINE = 17
    PRESSED = 20
    SELECTABLE = 22
    SELECTED = 23
    SENSITIVE = 24
    SHOWING = 25
    VISIBLE = 30
    MANAGES_DESCENDANTS = 31
    INDETERMINATE = 32
    CHECKABLE = 41
    HAS_POPUP = 42
    READ_ONLY = 43

    def within(self, states: int) -> bool:
        return bool(states >> self & 1)


WORDS: dict[int, str] = {
    Role.ALERT: "alert",
    Role.CHECK_BOX: "checkbox",
    Role.CHECK_MENU_ITEM: "menuitemcheckbox",
    Role.COLOR_CHOOSER: "dialog",
    Role.COLUMN_HEADER: "columnheader",
    Role.COMBO_BOX: "combobox",
    Role.DIAL: "slider",
    Role.DIALOG: "dialog",
    Role.FILE_CHOOSER: "dialog",
    Role.FILLER: "group",
    Role.FONT_CHOOSER: "dialog",
    Role.FRAME: "window",
    Role.ICON: "img",
    Role.IMAGE: "img",
    Role.INTERNAL_FRAME: "window",
    Role.LABEL: "label",
    Role.LIST: "list",
    Role.LIST_ITEM: "listitem",
    Role.MENU: "menu",
    Role.MENU_BAR: "menubar",
    Role.MENU_ITEM: "menuitem",
    Role.PAGE_TAB: "tab",
    Role.PAGE_TAB_LIST: "tablist",
    Role.PANEL: "group",
    Role.PASSWORD_TEXT: "password",
    Role.POPUP_MENU: "menu",
    Role.PROGRESS_BAR: "progressbar",
    Role.PUSH_BUTTON: "button",
    Role.RADIO_BUTTON: "radio",
    Role.RADIO_MENU_ITEM: "menuitemradio",
    Role.ROW_HEADER: "rowheader",
    Role.SCROLL_BAR: "scrollbar",
    Role.SCROLL_PANE: "group",
    Role.SEPARATOR: "separator",
    Role.SLIDER: "slider",
    Role.SPIN_BUTTON: "spinbutton",
    Role.SPLIT_PANE: "group",
    Role.STATUS_BAR: "status",
    Role.TABLE: "table",
    Role.TABLE_CELL: "cell",
    Role.TABLE_COLUMN_HEADER: "columnheader",
    Role.TABLE_ROW_HEADER: "rowheader",
    Role.TEAROFF_MENU_ITEM: "menuitem",
    Role.TERMINAL: "terminal",
    Role.TEXT: "textbox",
    Role.TOGGLE_BUTTON: "button",
    Role.TOOL_BAR: "toolbar",
    Role.TOOL_TIP: "tooltip",
    Role.TREE: "tree",
    Role.TREE_TABLE: "table",
    Role.WINDOW: "window",
    Role.HEADER: "group",
    Role.FOOTER: "group",
    Role.PARAGRAPH: "paragraph",
    Role.AUTOCOMPLETE: "combobox",
    Role.EDITBAR: "textbox",
    Role.ENTRY: "textbox",
    Role.CAPTION: "label",
    Role.DOCUMENT_FRAME: "document",
    Role.HEADING: "heading",
    Role.SECTION: "group",
    Role.FORM: "form",
    Role.LINK: "link",
    Role.TABLE_ROW: "row",
    Role.TREE_ITEM: "treeitem",
    Role.DOCUMENT_SPREADSHEET: "document",
    Role.DOCUMENT_PRESENTATION: "document",
    Role.DOCUMENT_TEXT: "document",
    Role.DOCUMENT_WEB: "document",
    Role.DOCUMENT_EMAIL: "document",
    Role.LIST_BOX: "listbox",
    Role.GROUPING: "group",
    Role.NOTIFICATION: "alert",
    Role.INFO_BAR: "alert",
    Role.LEVEL_BAR: "progressbar",
    Role.TITLE_BAR: "group",
    Role.ARTICLE: "article",
    Role.LANDMARK: "group",
    Role.RATING: "slider",
    Role.STATIC: "label",
    Role.PUSH_BUTTON_MENU: "button",
    Role.SWITCH: "switch",
}

CHOOSER_DIALOGS = frozenset({Role.FILE_CHOOSER, Role.COLOR_CHOOSER, Role.FONT_CHOOSER})
DIALOGS = CHOOSER_DIALOGS | {Role.DIALOG, Role.ALERT}
PLAIN_WINDOWS = frozenset({Role.FILLER, Role.PANEL})
"""What a window may be that its program has not made of a class for windows."""
WITHIN_DIALOGS = CHOOSER_DIALOGS | {Role.FRAME, Role.WINDOW}
"""Top-levels that some toolkits have inside of others, where they are groups or show a text."""

MENUS = frozenset({Role.MENU, Role.POPUP_MENU})
MENU_ITEMS = frozenset({Role.MENU_ITEM, Role.CHECK_MENU_ITEM, Role.RADIO_MENU_ITEM, Role.TEAROFF_MENU_ITEM})
POP_UPS = MENUS | MENU_ITEMS | {Role.TOOL_TIP, Role.WINDOW, Role.DIALOG}
"""What is drawn outside of what contains it."""
OPENERS = MENUS | {Role.MENU_ITEM, Role.COMBO_BOX, Role.PUSH_BUTTON_MENU}
"""What draws its children outside of itself."""

TEXTS = frozenset({Role.TEXT, Role.ENTRY, Role.TERMINAL, Role.PARAGRAPH, Role.EDITBAR, Role.AUTOCOMPLETE})
TREES = frozenset({Role.TREE, Role.TREE_TABLE})
LABELS = frozenset({Role.LABEL, Role.STATIC, Role.CAPTION, Role.HEADING})
NUMBERS = frozenset({Role.SLIDER, Role.SPIN_BUTTON, Role.PROGRESS_BAR, Role.SCROLL_BAR, Role.LEVEL_BAR, Role.DIAL})
NUMBERS |= {Role.RATING}
TOGGLES = frozenset({Role.TOGGLE_BUTTON, Role.PUSH_BUTTON, Role.PUSH_BUTTON_MENU})
LABELLED = frozenset(
    {Role.TEXT, Role.ENTRY, Role.PASSWORD_TEXT, Role.COMBO_BOX, Role.SLIDER, Role.SPIN_BUTTON, Role.PROGRESS_BAR}
) | {Role.LIST_BOX, Role.LIST, Role.TABLE, Role.TREE, Role.TREE_TABLE, Role.LEVEL_BAR, Role.SWITCH, Role.CHECK_BOX}
LABELLED |= {Role.TOGGLE_BUTTON}
"""What is usually named by a label beside it."""

NAMED_BY_VALUE = frozenset({Role.COMBO_BOX, Role.SLIDER, Role.SPIN_BUTTON})
"""What some toolkits call by what it holds, which is no name."""

NAMED_BY_CONTENT = frozenset(
    {Role.LIST_ITEM, Role.TABLE_ROW, Role.TABLE_CELL, Role.MENU_ITEM, Role.PUSH_BUTTON, Role.TOGGLE_BUTTON}
) | {Role.LINK, Role.PAGE_TAB, Role.TREE_ITEM, Role.CHECK_BOX, Role.RADIO_BUTTON, Role.COLUMN_HEADER, Role.TOOL_TIP}
"""What is called by the texts in it when it has no name of its own."""

HOLLOW = frozenset(
    {0, Role.FILLER, Role.PANEL, Role.SCROLL_PANE, Role.VIEWPORT, Role.SPLIT_PANE, Role.LAYERED_PANE, Role.ROOT_PANE}
) | {Role.SECTION, Role.UNKNOWN, Role.GROUPING, Role.REDUNDANT_OBJECT, Role.GLASS_PANE, Role.OPTION_PANE}
HOLLOW |= {Role.EMBEDDED, Role.TITLE_BAR, Role.HEADER, Role.FOOTER, Role.WINDOW, Role.LANDMARK, Role.PAGE, Role.FORM}
HOLLOW |= {Role.BLOCK_QUOTE, Role.ARTICLE, Role.INTERNAL_FRAME}
"""Containers that mean nothing without a name."""


def word(role: int, toolkit_name: str = "") -> str:
    """Name a role; `toolkit_name` is used for those that have no word of ours."""
    return WORDS.get(role) or toolkit_name or "unknown"


@lru_cache(maxsize=4096)
def state_words(role: int, states: int) -> tuple[str, ...]:
    """Say what does not hold by default."""
    # Qt calls a field editable that it lets nobody write in; its read-only bit says so.
    held_back = role in TEXTS | {Role.SPIN_BUTTON} and State.READ_ONLY.within(states)
    found = [say for bit, say in _PLAIN if bit.within(states) and not (held_back and bit is State.EDITABLE)]
    if State.CHECKED.within(states) and not State.INDETERMINATE.within(states):
        found.append("pressed" if role in TOGGLES else "checked")
    elif State.PRESSED.within(states) and role in TOGGLES:
        found.append("pressed")
    if State.EXPANDED.within(states):
        found.append("expanded")
    elif State.COLLAPSED.within(states) or State.EXPANDABLE.within(states):
        found.append("collapsed")
    if not (State.SENSITIVE.within(states) or State.ENABLED.within(states)):
        found.append("disabled")
    if held_back or (role in TEXTS - {Role.TERMINAL} and not State.EDITABLE.within(states)):
        found.append("readonly")
    if role in TOGGLES and State.HAS_POPUP.within(states):
        found.append("haspopup")
    if role in TEXTS and State.MULTI_LINE.within(states):
        found.append("multiline")
    return tuple(found)


_PLAIN = (
    (State.FOCUSED, "focused"),
    (State.INDETERMINATE, "mixed"),
    (State.SELECTED, "selected"),
    (State.EDITABLE, "editable"),
    (State.MODAL, "modal"),
    (State.ACTIVE, "active"),
)
