"""The names that model families give to keys, and the X keysyms they mean."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz import fuzz, process

from deskhand.core.errors import TargetNotFound


class Key(NamedTuple):
    """A key by what it means, not by where it sits."""

    name: str
    """The X name of the keysym, or the character itself."""
    keysym: int

    @property
    def is_modifier(self) -> bool:
        return self.name in MODIFIERS

    @property
    def char(self) -> str:
        """The character it stands for, "" for keys without one."""
        return self.name if len(self.name) == 1 else ""


# One line a key: X name, keysym, then what else it is called. Case, spaces, "_" and "-" do not count.
_TABLE = """
Return ff0d enter ret newline carriagereturn
Tab ff09
ISO_Left_Tab fe20 backtab
Escape ff1b esc
BackSpace ff08 back bksp bs
Delete ffff del forwarddelete
Insert ff63 ins
Home ff50
End ff57
Page_Up ff55 pgup prior pup
Page_Down ff56 pgdn pgdown next pdn
Left ff51 arrowleft leftarrow
Up ff52 arrowup uparrow
Right ff53 arrowright rightarrow
Down ff54 arrowdown downarrow
Menu ff67 apps contextmenu application
Print ff61 printscreen prtsc prtscr prntscrn snapshot sysrq
Pause ff13
Break ff6b
Scroll_Lock ff14
Num_Lock ff7f
Caps_Lock ffe5 capital
Help ff6a
Undo ff65
Redo ff66
Find ff68
Cancel ff69
Select ff60
Execute ff62
Clear ff0b
Multi_key ff20 compose
Kanji ff21
Muhenkan ff22 nonconvert
Henkan ff23 convert
Hiragana_Katakana ff27 kana kanamode
Zenkaku_Hankaku ff2a
Eisu_toggle ff30
Hangul ff31 hangulmode
Hangul_Hanja ff34 hanja hanjamode
Shift_L ffe1 shift leftshift shiftleft lshift
Shift_R ffe2 rightshift shiftright rshift
Control_L ffe3 ctrl control leftctrl ctrlleft controlleft lctrl leftcontrol ctl ctrll lcontrol
Control_R ffe4 rightctrl ctrlright controlright rctrl rightcontrol ctrlr rcontrol
Alt_L ffe9 alt leftalt altleft lalt option opt optionleft
Alt_R ffea rightalt altright ralt optionright
Meta_L ffe7
Meta_R ffe8
Super_L ffeb super cmd command win windows meta winleft leftwin lwin os superleft leftsuper metaleft leftmeta \
commandleft cmdleft leftcmd cmdorctrl
Super_R ffec winright rightwin rwin superright rightsuper metaright rightmeta commandright cmdright rightcmd
Hyper_L ffed hyper
Hyper_R ffee
ISO_Level3_Shift fe03 altgr altgraph level3shift
ISO_Level5_Shift fe11 level5shift
Mode_switch ff7e
KP_Enter ff8d numpadenter numenter
KP_Add ffab add kpplus numpadadd numpadplus
KP_Subtract ffad subtract kpminus numpadsubtract numpadminus
KP_Multiply ffaa multiply numpadmultiply
KP_Divide ffaf divide numpaddivide
KP_Decimal ffae decimal numpaddecimal
KP_Separator ffac separator numpadcomma
KP_Equal ffbd numpadequal
KP_Home ff95 numpadhome
KP_Left ff96 numpadleft
KP_Up ff97 numpadup
KP_Right ff98 numpadright
KP_Down ff99 numpaddown
KP_Page_Up ff9a kpprior numpadpageup
KP_Page_Down ff9b kpnext numpadpagedown
KP_End ff9c numpadend
KP_Begin ff9d
KP_Insert ff9e numpadinsert
KP_Delete ff9f numpaddelete
XF86AudioMute 1008ff12 volumemute audiomute mute audiovolumemute
XF86AudioLowerVolume 1008ff11 volumedown audiovolumedown
XF86AudioRaiseVolume 1008ff13 volumeup audiovolumeup
XF86AudioPlay 1008ff14 playpause mediaplaypause play
XF86AudioStop 1008ff15 mediastop
XF86AudioPrev 1008ff16 prevtrack mediatrackprevious previoustrack
XF86AudioNext 1008ff17 nexttrack mediatracknext
XF86AudioMicMute 1008ffb2 micmute
XF86MonBrightnessUp 1008ff02 brightnessup
XF86MonBrightnessDown 1008ff03 brightnessdown
XF86Back 1008ff26 browserback
XF86Forward 1008ff27 browserforward
XF86Reload 1008ff73 browserrefresh
XF86Stop 1008ff28 browserstop
XF86Search 1008ff1b browsersearch
XF86Favorites 1008ff30 browserfavorites
XF86HomePage 1008ff18 browserhome
XF86Mail 1008ff19 launchmail
XF86Calculator 1008ff1d launchapp2
XF86Explorer 1008ff5d launchapp1
XF86AudioMedia 1008ff32 launchmediaselect
XF86Eject 1008ff2c eject
XF86Sleep 1008ff2f sleep
XF86WakeUp 1008ff2b wakeup
XF86PowerOff 1008ff2a power
XF86Copy 1008ff57 copy
XF86Cut 1008ff58 cut
XF86Paste 1008ff6d paste
"""

_CHARACTER_NAMES = {
    " ": "space spacebar",
    "!": "exclam exclamation exclamationmark",
    '"': "quotedbl doublequote",
    "#": "numbersign hash pound",
    "$": "dollar",
    "%": "percent",
    "&": "ampersand",
    "'": "apostrophe quote singlequote quoteright",
    "(": "parenleft leftparen",
    ")": "parenright rightparen",
    "*": "asterisk star",
    "+": "plus",
    ",": "comma",
    "-": "minus hyphen dash",
    ".": "period dot fullstop",
    "/": "slash forwardslash",
    ":": "colon",
    ";": "semicolon",
    "<": "less lessthan",
    "=": "equal equals",
    ">": "greater greaterthan",
    "?": "question questionmark",
    "@": "at",
    "[": "bracketleft leftbracket openbracket",
    "\\": "backslash",
    "]": "bracketright rightbracket closebracket",
    "^": "asciicircum caret circumflex",
    "_": "underscore",
    "`": "grave backtick backquote quoteleft",
    "{": "braceleft leftbrace",
    "|": "bar pipe verticalbar",
    "}": "braceright rightbrace",
    "~": "asciitilde tilde",
}

MODIFIERS = frozenset(
    f"{name}_{side}" for name in ("Shift", "Control", "Alt", "Meta", "Super", "Hyper") for side in "LR"
) | {"ISO_Level3_Shift", "ISO_Level5_Shift", "Mode_switch"}

_BORROWED = {
    **dict.fromkeys(
        ("cmd", "command", "leftcmd", "rightcmd", "leftcommand", "rightcommand", "win", "windows"), "Super"
    ),
    **dict.fromkeys(("option", "opt"), "Alt"),
}
"""What the keys of other systems are here."""

_SEPARATOR = re.compile(r"\s*[+-]|\s+")


def keysym_of(char: str) -> int:
    """Give the keysym that every toolkit reads as this character."""
    code = ord(char)
    return code if 0x20 <= code < 0x7F or 0xA0 <= code < 0x100 else 0x01000000 + code


def _bare(name: str) -> str:
    """Take off what does not distinguish names: case, brackets around, spaces, underscores and hyphens."""
    if len(name) > 2 and (name[0], name[-1]) in {("<", ">"), ("{", "}")}:
        name = name[1:-1]
    return re.sub(r"(?<=\w)[\s_-]+(?=\w)|_", "", name.strip()).casefold()


def _named() -> dict[str, Key]:
    found: dict[str, Key] = {}
    for line in _TABLE.strip().replace("\\\n", "").splitlines():
        name, keysym, *others = line.split()
        found |= dict.fromkeys([_bare(name), *others], Key(name, int(keysym, 16)))
    for char, names in _CHARACTER_NAMES.items():
        found |= dict.fromkeys(names.split(), Key(char, keysym_of(char)))
    for number in range(1, 25):
        found[f"f{number}"] = Key(f"F{number}", 0xFFBD + number)
    for digit in range(10):
        key = Key(f"KP_{digit}", 0xFFB0 + digit)
        found |= dict.fromkeys([f"kp{digit}", f"num{digit}", f"numpad{digit}"], key)
    return found


_NAMED = _named()

NAMES = tuple(
    name
    for found in dict.fromkeys(_NAMED.values())
    for name in [found.name if len(found.name) > 1 else _CHARACTER_NAMES[found.name].split()[0]]
)
"""A name of every key that has one; single characters are keys too."""


def _look_up(name: str) -> Key | None:
    # NFC: a letter and its accent may come as two characters and are one key.
    char = unicodedata.normalize("NFC", name)
    if len(char) == 1 and char.isprintable():
        return Key(char, keysym_of(char))
    return _NAMED.get({"\n": "return", "\t": "tab"}.get(name) or _bare(name))


def key(name: str) -> Key:
    """Find a key by any of its names; case does not count, except for a single character.

    Raises:
        TargetNotFound: there is no such key; names those that are spelled nearly like it.
    """
    found = _look_up(name)
    if found:
        return found
    near = process.extract(_bare(name), _NAMED.keys(), scorer=fuzz.ratio, limit=4, score_cutoff=60)
    hint = f"did you mean {', '.join(match for match, *_ in near)}? " if near else ""
    raise TargetNotFound(f"there is no key called {name!r}; {hint}single characters are keys as well")


def borrowed(keys: Sequence[str]) -> str:
    """Say which keys of other systems were named and what they are here; "" when none was."""
    names = dict.fromkeys(name for part in keys for name in re.split(r"[\s+-]+", part.casefold()) if name)
    told = [f"{name} is the {_BORROWED[name]} key here" for name in names if name in _BORROWED]
    return f"{' and '.join(told)}; most shortcuts of Linux begin with ctrl" if told else ""


def _split(text: str) -> tuple[str, ...] | None:
    """Cut "ctrl+shift+x" into names; None when it is no row of modifiers with one key at the end."""
    whole = _look_up(text) or _look_up(text.strip())
    if whole:
        return (whole.name,)
    for separator in _SEPARATOR.finditer(text, 1):
        head = _look_up(text[: separator.start()])
        if head is None or not head.is_modifier:
            continue
        # A last "+" or "-" is the key itself: "ctrl++", "ctrl -".
        tail = _split(text[separator.end() :] or separator.group().strip() or "?")
        return (head.name, *tail) if tail else None
    return None


def _unknown_part(text: str) -> str:
    parts = _SEPARATOR.sub("\n", text).split("\n")
    return next((part for part in parts if part and not _look_up(part)), text)


def chord(keys: str | Sequence[str]) -> tuple[str, ...]:
    """Read a chord in any of its spellings: "ctrl+shift+x", "ctrl x", ["ctrl", "x"], ["ctrl+x"].

    Gives canonical names, in the order in which the keys go down.

    Raises:
        TargetNotFound: one of them is no key.
    """
    names: list[str] = []
    for part in [keys] if isinstance(keys, str) else keys:
        names.extend(_split(part) or (key(_unknown_part(part)).name,))
    if not names:
        raise TargetNotFound("a chord needs at least one key")
    return tuple(names)
