"""The names that model families give to keys: one table, in which each is found under all of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from deskhand.core.errors import TargetNotFound


class Key(NamedTuple):
    """A key by what it means, not by where it sits."""

    name: str
    """What X calls it, or the character itself."""
    keysym: int
    """Its number in X11, Wayland and VNC."""

    @property
    def is_modifier(self) -> bool:
        return self.name in MODIFIERS

    @property
    def char(self) -> str:
        """The character it stands for, "" for keys without one."""
        return self.name if len(self.name) == 1 else ""


# One line a key: X name, keysym, then what else it is called. Case, spaces, "_" and "-" do not count.
_TABLE = """
Return ff0d enter ret newline carriagereturn ⏎ ↩ ↵
Tab ff09 ⇥ tabulator
ISO_Left_Tab fe20 backtab
Escape ff1b esc ⎋
BackSpace ff08 back bksp bs ⌫
Delete ffff del forwarddelete ⌦
Insert ff63 ins
Home ff50
End ff57
Page_Up ff55 pgup prior pup ⇞
Page_Down ff56 pgdn pgdown next pdn ⇟
Left ff51 arrowleft leftarrow cursorleft ←
Up ff52 arrowup uparrow cursorup ↑
Right ff53 arrowright rightarrow cursorright →
Down ff54 arrowdown downarrow cursordown ↓
Menu ff67 apps contextmenu application
Print ff61 printscreen prtsc prtscr prntscrn snapshot sysrq printscr prscr
Pause ff13
Break ff6b
Scroll_Lock ff14
Num_Lock ff7f
Caps_Lock ffe5 capital ⇪
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
Hangul ff31 hangulmode hanguel lang1
Hangul_Hanja ff34 hanja hanjamode lang2
Shift_L ffe1 shift leftshift shiftleft lshift ⇧ shiftl
Shift_R ffe2 rightshift shiftright rshift shiftr
Control_L ffe3 ctrl control leftctrl ctrlleft controlleft lctrl leftcontrol ctl strg ctrll lcontrol ⌃
Control_R ffe4 rightctrl ctrlright controlright rctrl rightcontrol ctrlr rcontrol
Alt_L ffe9 alt leftalt altleft lalt option opt optionleft ⌥ altl
Alt_R ffea rightalt altright ralt optionright altr optionr
Meta_L ffe7
Meta_R ffe8
Super_L ffeb super cmd command win windows meta winleft leftwin lwin os superleft leftsuper metaleft leftmeta \
commandleft cmdleft leftcmd cmdorctrl cmdl commandl winl winkey windowskey ⌘
Super_R ffec winright rightwin rwin superright rightsuper metaright rightmeta commandright cmdright rightcmd \
cmdr commandr winr
Hyper_L ffed hyper
Hyper_R ffee
ISO_Level3_Shift fe03 altgr altgraph level3shift
ISO_Level5_Shift fe11 level5shift
Mode_switch ff7e modechange
KP_Enter ff8d numpadenter numenter numpadreturn kpreturn
KP_Add ffab add kpplus numpadadd numpadplus numadd numplus
KP_Subtract ffad subtract kpminus numpadsubtract numpadminus numsubtract numminus
KP_Multiply ffaa multiply numpadmultiply nummultiply numpadasterisk numpadstar kpasterisk
KP_Divide ffaf divide numpaddivide numdivide numpadslash kpslash
KP_Decimal ffae decimal numpaddecimal numdecimal numpaddot numpadperiod kpdot kpperiod
KP_Separator ffac separator numpadcomma numpadseparator kpcomma numcomma
KP_Equal ffbd numpadequal numequal numpadequals kpequals
KP_Home ff95 numpadhome numhome
KP_Left ff96 numpadleft numleft
KP_Up ff97 numpadup numup
KP_Right ff98 numpadright numright
KP_Down ff99 numpaddown numdown
KP_Page_Up ff9a kpprior numpadpageup numpageup
KP_Page_Down ff9b kpnext numpadpagedown numpagedown
KP_End ff9c numpadend numend
KP_Begin ff9d numpadbegin numpadclear
KP_Insert ff9e numpadinsert numinsert
KP_Delete ff9f numpaddelete numdelete
XF86AudioMute 1008ff12 volumemute audiomute mute audiovolumemute mediavolumemute
XF86AudioLowerVolume 1008ff11 volumedown audiovolumedown mediavolumedown
XF86AudioRaiseVolume 1008ff13 volumeup audiovolumeup mediavolumeup
XF86AudioPlay 1008ff14 playpause mediaplaypause play mediaplay
XF86AudioStop 1008ff15 mediastop
XF86AudioPrev 1008ff16 prevtrack mediatrackprevious previoustrack mediaprevious previous
XF86AudioNext 1008ff17 nexttrack mediatracknext medianext
XF86AudioMicMute 1008ffb2 micmute microphonemute
XF86MonBrightnessUp 1008ff02 brightnessup
XF86MonBrightnessDown 1008ff03 brightnessdown
XF86Back 1008ff26 browserback webback
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
XF86AudioPause 1008ff31 mediapause
XF86AudioRecord 1008ff1c mediarecord
XF86AudioRewind 1008ff3e mediarewind
XF86AudioForward 1008ff97 mediafastforward
XF86WWW 1008ff2e
XF86MyComputer 1008ff33
XF86Tools 1008ff81
XF86Open 1008ff6b
XF86Close 1008ff56
XF86Save 1008ff77
XF86Refresh 1008ff29
XF86ZoomIn 1008ff8b zoomin
XF86ZoomOut 1008ff8c zoomout
XF86ScreenSaver 1008ff2d
XF86Display 1008ff59
XF86KbdBrightnessUp 1008ff05
XF86KbdBrightnessDown 1008ff06
XF86TouchpadToggle 1008ffa9
XF86WLAN 1008ff95
XF86Launch0 1008ff40
XF86Launch1 1008ff41
Linefeed ff0a lf
Hangul_Jeonja ff38 junja
dead_grave fe50
dead_acute fe51
dead_circumflex fe52
dead_tilde fe53
dead_macron fe54
dead_breve fe55
dead_abovedot fe56
dead_diaeresis fe57
dead_abovering fe58
dead_doubleacute fe59
dead_caron fe5a
dead_cedilla fe5b
dead_ogonek fe5c
"""

_CHARACTER_NAMES = {
    " ": "space spacebar blank",
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
    "¥": "yen",
    "£": "sterling",
    "€": "eurosign euro",
    "§": "section",
    "°": "degree",
}

MODIFIERS = frozenset(
    f"{name}_{side}" for name in ("Shift", "Control", "Alt", "Meta", "Super", "Hyper") for side in "LR"
) | {"ISO_Level3_Shift", "ISO_Level5_Shift", "Mode_switch"}

_PREFIXES = re.compile(r"(?:vk|xk|keycode|keys?\.|key|digit)(?=.)")
"""What the lists of names of Windows, X, evdev, Android, pynput and browsers put before each."""
_SEPARATOR = re.compile(r"\s*[+-]|\s+")
_SIGNS = "⌃⌥⇧⌘"
"""Modifiers as menus of another system show them, with nothing between them and the key."""
_BRACKETED = re.compile(r"<(\w+)>(?=.)")
"""A modifier as GTK writes it: "<Control>s"."""
_LONGEST = 80


def keysym_of(char: str) -> int:
    """Give the keysym that every toolkit reads as this character."""
    code = ord(char)
    return code if 0x20 <= code < 0x7F or 0xA0 <= code < 0x100 else 0x01000000 + code


def _bare(name: str) -> str:
    """Take off what does not distinguish names: case, brackets around, spaces, underscores and hyphens."""
    name = name.strip()
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


def find_key(name: str) -> Key | None:
    """Find a key by any of its names; case does not count, except for a single character."""
    # NFC: a letter and its accent may come as two characters and are one key.
    char = unicodedata.normalize("NFC", name)
    if char in _NAMED:
        return _NAMED[char]
    if len(char) == 1 and char.isprintable():
        return Key(char, keysym_of(char))
    if len(name) > _LONGEST:
        return None
    bare = {"\n": "return", "\r": "return", "\t": "tab"}.get(name) or _bare(name)
    known = _NAMED.get(bare) or _NAMED.get(_PREFIXES.sub("", bare, count=1)) or _NAMED.get(bare.removesuffix("key"))
    letter = _PREFIXES.sub("", bare, count=1)
    return known or (Key(letter, keysym_of(letter)) if len(letter) == 1 and letter.isalnum() else None)


def key(name: str) -> Key:
    """Find a key by any of its names; case does not count, except for a single character.

    Raises:
        TargetNotFound: there is no such key; names those that are spelled nearly like it.
    """
    found = find_key(name)
    if found:
        return found
    near = get_close_matches(_bare(name), _NAMED, n=4, cutoff=0.6)
    hint = f"did you mean {', '.join(near)}? " if near else ""
    raise TargetNotFound(f"there is no key called {name!r}; {hint}single characters are keys as well")


def split_chord(text: str) -> tuple[str, ...] | None:
    """Cut "ctrl+shift+x", "ctrl x", "ctrl-x" or "⌘x" into names, as they are spelled; a key by itself is one.

    None when it is no row of modifiers with one key at the end.
    """
    text = _BRACKETED.sub(r"\1+", text)
    whole = next((name for name in (text, text.strip()) if find_key(name)), None)
    if whole is not None or len(text) > _LONGEST:
        return None if whole is None else (whole,)
    if text[:1] and text[0] in _SIGNS:
        tail = split_chord(text[1:].lstrip("+ "))
        return (text[0], *tail) if tail else None
    for separator in _SEPARATOR.finditer(text, 1):
        head = find_key(text[: separator.start()])
        if head is None or not head.is_modifier:
            continue
        # A last "+" or "-" is the key itself: "ctrl++", "ctrl -".
        tail = split_chord(text[separator.end() :] or separator.group().strip() or "?")
        return (text[: separator.start()].strip(), *tail) if tail else None
    return None


def chord(keys: str | Sequence[str]) -> tuple[str, ...]:
    """Read a chord in any of its spellings: "ctrl+shift+x", "ctrl x", ["ctrl", "x"], ["ctrl+x"].

    Gives the names that the table has first, in the order in which the keys go down.

    Raises:
        TargetNotFound: one of them is no key.
    """
    names: list[str] = []
    for part in [keys] if isinstance(keys, str) else keys:
        names += [key(name).name for name in split_chord(part) or [_unknown_part(part)]]
    if not names:
        raise TargetNotFound("a chord needs at least one key")
    return tuple(names)


def _unknown_part(text: str) -> str:
    parts: Iterable[str] = _SEPARATOR.sub("\n", text).split("\n")
    return next((part for part in parts if part and not find_key(part)), text)
