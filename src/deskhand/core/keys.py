"""The names that model families give to keys: one table, in which each is found under all of them."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
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
Return ff0d enter ret newline carriagereturn dpadcenter ⏎ ↩ ↵ eingabe entree intro invio ввод 回车 エンター 엔터
Tab ff09 ⇥ ↹ tabulator 制表
ISO_Left_Tab fe20 backtab ⇤
Escape ff1b esc ⎋ echap
BackSpace ff08 back bksp bs rubout erase keycodedel kpbackspace ⌫ rück retourarriere retroceso 退格
Delete ffff del forwarddelete forwarddel ⌦ entf suppr supr canc 删除
Insert ff63 ins insrt einfg
Home ff50 movehome ↖ pos1 debut inicio
End ff57 moveend ↘ fin fine
Page_Up ff55 pgup prior pup ⇞ bildauf bild↑ pgprec pageprecedente repag pagsu
Page_Down ff56 pgdn pgdown next pdn ⇟ bildab bild↓ pgsuiv pagesuivante avpag paggiu
Left ff51 arrowleft leftarrow cursorleft dpadleft ← ⬅ ◀ ◄ ⇦ pfeillinks linkspfeil flechegauche flechaizquierda 左箭头
Up ff52 arrowup uparrow cursorup dpadup ↑ ⬆ ▲ pfeiloben pfeilhoch flechehaut flechaarriba 上箭头
Right ff53 arrowright rightarrow cursorright dpadright → ➡ ▶ ► ⇨ pfeilrechts rechtspfeil \
flechedroite flechaderecha 右箭头
Down ff54 arrowdown downarrow cursordown dpaddown ↓ ⬇ ▼ ⇩ pfeilunten pfeilrunter flechebas flechaabajo 下箭头
Menu ff67 apps app contextmenu application ▤ kontextmenu
Print ff61 printscreen prtsc prtscr prtscn prntscrn snapshot sysrq sysreq printscr prscr ⎙ druck imprecran imprpant \
stamp 截屏
Pause ff13 pause/break pausebreak
Break ff6b
Scroll_Lock ff14 scrlk vkscroll rollen arretdefil
Num_Lock ff7f numlk verrnum bloqnum
Caps_Lock ffe5 capital caps ⇪ feststell verrmaj bloqmayus 大写锁定
Help ff6a
Undo ff65
Redo ff66 again
Find ff68
Cancel ff69
Select ff60
Execute ff62
Clear ff0b ⌧
Multi_key ff20 compose
Kanji ff21
Muhenkan ff22 nonconvert 無変換
Henkan ff23 convert 変換
Hiragana_Katakana ff27 kana kanamode katakanahiragana
Zenkaku_Hankaku ff2a 半角/全角
Eisu_toggle ff30
Hangul ff31 hangulmode hanguel hangeul lang1 한/영
Hangul_Hanja ff34 hanja hanjamode lang2 한자
Shift_L ffe1 shift leftshift shiftleft lshift ⇧ shiftl umschalt maj mayus maiusc
Shift_R ffe2 rightshift shiftright rshift shiftr
Control_L ffe3 ctrl control leftctrl ctrlleft controlleft lctrl leftcontrol ctl ctrll lcontrol ⌃ ⎈ \
mod primary cmdorctrl commandorcontrol controlormeta strg steuerung 控制
Control_R ffe4 rightctrl ctrlright controlright rctrl rightcontrol ctrlr rcontrol
Alt_L ffe9 alt leftalt altleft lalt option opt optionleft vkmenu lmenu ⌥ ⎇ altl
Alt_R ffea rightalt altright ralt optionright altr optionr rmenu
Meta_L ffe7
Meta_R ffe8
Super_L ffeb super cmd command win windows meta winleft leftwin lwin os superleft leftsuper metaleft leftmeta \
commandleft cmdleft leftcmd cmdl commandl winl winkey windowskey leftwindows start ⌘ ⊞ ❖
Super_R ffec winright rightwin rwin superright rightsuper metaright rightmeta commandright cmdright rightcmd \
cmdr commandr winr rightwindows
Hyper_L ffed hyper
Hyper_R ffee
ISO_Level3_Shift fe03 altgr altgraph level3shift
ISO_Level5_Shift fe11 level5shift
Mode_switch ff7e modechange
KP_Enter ff8d numenter kpreturn ⌤
KP_Add ffab add kpplus kp+
KP_Subtract ffad subtract kpminus kp-
KP_Multiply ffaa multiply kpasterisk kpstar kp*
KP_Divide ffaf divide kpslash kp/
KP_Decimal ffae decimal kpdot kpperiod kp.
KP_Separator ffac separator kpcomma kp,
KP_Equal ffbd kpequals kp=
KP_Space ff80
KP_Tab ff89
KP_F1 ff91
KP_F2 ff92
KP_F3 ff93
KP_F4 ff94
KP_Home ff95
KP_Left ff96
KP_Up ff97
KP_Right ff98
KP_Down ff99
KP_Page_Up ff9a kpprior
KP_Page_Down ff9b kpnext
KP_End ff9c
KP_Begin ff9d kpclear
KP_Insert ff9e
KP_Delete ff9f
XF86AudioMute 1008ff12 volumemute audiomute mute audiovolumemute mediavolumemute volmute
XF86AudioLowerVolume 1008ff11 volumedown audiovolumedown mediavolumedown voldown vol- volume-
XF86AudioRaiseVolume 1008ff13 volumeup audiovolumeup mediavolumeup volup vol+ volume+
XF86AudioPlay 1008ff14 playpause mediaplaypause play mediaplay play/pause ⏯
XF86AudioStop 1008ff15 mediastop stop stopcd ⏹
XF86AudioPrev 1008ff16 prevtrack mediatrackprevious previoustrack mediaprevious previous mediaprevioustrack \
mediaprevtrack prevsong previoussong ⏮
XF86AudioNext 1008ff17 nexttrack mediatracknext medianext medianexttrack nextsong ⏭
XF86AudioMicMute 1008ffb2 micmute microphonemute
XF86MonBrightnessUp 1008ff02 brightnessup monbrightnessup brightness+
XF86MonBrightnessDown 1008ff03 brightnessdown monbrightnessdown brightness-
XF86Back 1008ff26 browserback webback keyback keycodeback
XF86Forward 1008ff27 browserforward keyforward
XF86Reload 1008ff73 browserrefresh keyrefresh
XF86Stop 1008ff28 browserstop
XF86Search 1008ff1b browsersearch keysearch
XF86Favorites 1008ff30 browserfavorites
XF86HomePage 1008ff18 browserhome keyhomepage
XF86Mail 1008ff19 launchmail keymail
XF86Calculator 1008ff1d launchapp2 keycalc
XF86Explorer 1008ff5d launchapp1
XF86AudioMedia 1008ff32 launchmediaselect
XF86Eject 1008ff2c eject ejectcd ⏏
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
XF86ZoomIn 1008ff8b zoomin
XF86ZoomOut 1008ff8c zoomout
XF86KbdBrightnessUp 1008ff05 kbdbrightnessup keyboardbrightnessup
XF86KbdBrightnessDown 1008ff06 kbdbrightnessdown keyboardbrightnessdown
Linefeed ff0a lf
Hangul_Jeonja ff38 junja
"""

_OTHERS = """
XF86 1008ff00 KbdLightOnOff:04 Standby:10 Start:1a Memo:1e ToDoList:1f Calendar:20 PowerDown:21 Refresh:29
XF86 1008ff00 ScreenSaver:2d WWW:2e MyComputer:33 VendorHome:34 Shop:36 History:37 OpenURL:38 AddFavorite:39 Finance:3c
XF86 1008ff00 Launch0:40 Launch1:41 Launch2:42 Launch3:43 Launch4:44 Launch5:45 Launch6:46 Launch7:47 Launch8:48
XF86 1008ff00 Launch9:49 LaunchA:4a LaunchB:4b LaunchC:4c LaunchD:4d LaunchE:4e LaunchF:4f Book:52 CD:53 Clear:55
XF86 1008ff00 Close:56 Display:59 DOS:5a Documents:5b Excel:5c Game:5e Go:5f iTouch:60 LogOff:61 Market:62 Meeting:63
XF86 1008ff00 MenuKB:65 New:68 News:69 OfficeHome:6a Open:6b Option:6c Phone:6e Reply:72 RotateWindows:74 Save:77
XF86 1008ff00 ScrollUp:78 ScrollDown:79 Send:7b Spell:7c SplitScreen:7d Support:7e TaskPane:7f Terminal:80 Tools:81
XF86 1008ff00 Travel:82 Video:87 Word:89 Xfer:8a Away:8d Messenger:8e WebCam:8f MailForward:90 Pictures:91 Music:92
XF86 1008ff00 Battery:93 Bluetooth:94 WLAN:95 UWB:96 AudioRepeat:98 AudioRandomPlay:99 Subtitle:9a AudioCycleTrack:9b
XF86 1008ff00 CycleAngle:9c FrameBack:9d FrameForward:9e Time:9f Select:a0 View:a1 TopMenu:a2 Red:a3 Green:a4 Yellow:a5
XF86 1008ff00 Blue:a6 Suspend:a7 Hibernate:a8 TouchpadToggle:a9 TouchpadOn:b0 TouchpadOff:b1 Keyboard:b3 WWAN:b4
XF86 1008ff00 RFKill:b5 AudioPreset:b6 FullScreen:b8
dead_ fe00 grave:50 acute:51 circumflex:52 tilde:53 macron:54 breve:55 abovedot:56 diaeresis:57 abovering:58
dead_ fe00 doubleacute:59 caron:5a cedilla:5b ogonek:5c iota:5d belowdot:60 hook:61 horn:62 stroke:63 abovecomma:64
dead_ fe00 abovereversedcomma:65 doublegrave:66 currency:6f greek:8c
"""
"""Keys with no other name: what their names begin with, their first number, and the rest of each."""

_CHARACTER_NAMES = {
    " ": "space spacebar blank leer ␣ ⎵ espacio spazio пробел 空格 スペース",
    "!": "exclam exclamation exclamationmark bang exclamationpoint",
    '"': "quotedbl doublequote quotationmark",
    "#": "numbersign hash pound",
    "$": "dollar dollarsign",
    "%": "percent percentsign",
    "&": "ampersand",
    "'": "apostrophe quote singlequote quoteright oem7",
    "(": "parenleft leftparen openparen leftparenthesis parenthesisleft kpparenleft",
    ")": "parenright rightparen closeparen rightparenthesis parenthesisright kpparenright",
    "*": "asterisk star",
    "+": "plus plussign",
    ",": "comma oemcomma",
    "-": "minus hyphen dash minussign hyphenminus oemminus",
    ".": "period dot fullstop oemperiod",
    "/": "slash forwardslash oem2",
    ":": "colon",
    ";": "semicolon oem1",
    "<": "less lessthan lessthansign 102nd intlbackslash oem102",
    "=": "equal equals equalsign equalssign oemplus",
    ">": "greater greaterthan greaterthansign",
    "?": "question questionmark",
    "@": "at atsign",
    "[": "bracketleft leftbracket openbracket leftsquarebracket oem4",
    "\\": "backslash oem5 intlro ro",
    "]": "bracketright rightbracket closebracket rightsquarebracket oem6",
    "^": "asciicircum caret circumflex",
    "_": "underscore lowline",
    "`": "grave backtick backquote quoteleft graveaccent oem3",
    "{": "braceleft leftbrace leftcurlybracket opencurlybracket",
    "|": "bar pipe verticalbar",
    "}": "braceright rightbrace rightcurlybracket closecurlybracket",
    "~": "asciitilde tilde",
    "¥": "yen intlyen",
    "£": "sterling",
    "€": "eurosign euro",
    "§": "section sectionsign",
    "°": "degree",
}

_RARE = """
exclamdown¡ cent¢ currency¤ brokenbar¦ copyright© ordfeminineª guillemotleft« notsign¬ registered® plusminus±
twosuperior² threesuperior³ muµ paragraph¶ periodcentered· onesuperior¹ masculineº guillemotright» onequarter¼
onehalf½ threequarters¾ questiondown¿ division÷ ssharpß aeæ oslashø ethð thornþ oeœ lstrokeł dstrokeđ hstrokeħ
idotlessı engŋ leftdoublequotemark“ rightdoublequotemark” doublelowquotemark„ leftsinglequotemark‘
rightsinglequotemark’ endash– emdash— ellipsis… bullet• trademark™
"""
"""X's names of other characters, each with its own at the end."""
_ACCENTS = {"grave": "\u0300", "acute": "\u0301", "circumflex": "\u0302", "tilde": "\u0303", "macron": "\u0304"}
_ACCENTS |= {"breve": "\u0306", "abovedot": "\u0307", "diaeresis": "\u0308", "ring": "\u030a", "doubleacute": "\u030b"}
_ACCENTS |= {"caron": "\u030c", "cedilla": "\u0327", "ogonek": "\u0328"}
_ACCENTED = re.compile(rf"([A-Za-z])({'|'.join(_ACCENTS)})")
_CODE = re.compile(r"U\+?([0-9A-F]{4,6})", re.IGNORECASE)
_ALPHABET = re.compile(r"(Greek|Cyrillic)_(\w+)")


MODIFIERS = frozenset(
    f"{name}_{side}" for name in ("Shift", "Control", "Alt", "Meta", "Super", "Hyper") for side in "LR"
) | {"ISO_Level3_Shift", "ISO_Level5_Shift", "Mode_switch"}

_PREFIXES = re.compile(r"(?:vk|xk|keycode|keys?\.|key|digit)(?=.)")
"""What the lists of names of Windows, X, evdev, Android, pynput and browsers put before each."""
_KEYPAD = re.compile(r"(?:numpad|numericpad|keypad|num|np|gr[ae]y|kp)\s*(.+)")
"""What lists of names put before the keys of the keypad."""
_SUFFIX = re.compile(r"(?:key|taste|键|キー|키)$")
_SEPARATOR = re.compile(r"\s*[+＋‑–-]|\s+")
_SIGNS = "⌃⌥⇧⌘⎈⎇⊞❖"
"""Modifiers as menus of other systems show them, with nothing between them and the key."""
_BRACKETED = re.compile(r"<(\w+)>\s*\+?(?=.)")
"""A modifier as GTK writes it: "<Control>s"."""
_LONGEST = 80
_MARKS = re.compile("[\u0300-\u036f]")


def keysym_of(char: str) -> int:
    """Give the keysym that every toolkit reads as this character."""
    code = ord(char)
    return code if 0x20 <= code < 0x7F or 0xA0 <= code < 0x100 else 0x01000000 + code


def _bare(name: str) -> str:
    """Take off what does not distinguish names: case, accents, brackets around, spaces, underscores and hyphens."""
    name = name.strip()
    if len(name) > 2 and (name[0], name[-1]) in {("<", ">"), ("{", "}"), ("[", "]")}:
        name = name[1:-1]
    bare = re.sub(r"(?<=\w)[\s_-]+(?=\w)|_", "", name.strip()).casefold()
    if bare.isascii():
        return bare
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", bare)))


def _named() -> dict[str, Key]:
    found: dict[str, Key] = {}
    for line in _TABLE.strip().replace("\\\n", "").splitlines():
        name, keysym, *others = line.split()
        found |= dict.fromkeys(map(_bare, (name, *others)), Key(name, int(keysym, 16)))
    for char, names in _CHARACTER_NAMES.items():
        found |= dict.fromkeys(map(_bare, names.split()), Key(char, keysym_of(char)))
    for number in range(1, 25):
        found[f"f{number}"] = Key(f"F{number}", 0xFFBD + number)
    for digit in range(10):
        found[f"kp{digit}"] = Key(f"KP_{digit}", 0xFFB0 + digit)
    for line in _OTHERS.strip().splitlines():
        prefix, first, *others = line.split()
        for name, _, offset in (other.partition(":") for other in others):
            found[_bare(prefix + name)] = Key(prefix + name, int(first, 16) + int(offset, 16))
    return found


_NAMED = _named()
_RARE_NAMED = {word[:-1]: word[-1] for word in _RARE.split()}

NAMES = tuple(
    name
    for found in dict.fromkeys(_NAMED.values())
    for name in [found.name if len(found.name) > 1 else _CHARACTER_NAMES[found.name].split()[0]]
)
"""A name of every key that has one; single characters are keys too."""


def find_key(name: str) -> Key | None:
    """Find a key by any of its names; case does not count, except for a single character."""
    # NFC: a letter and its accent may come as two characters and are one key. An arrow may be marked as a picture.
    char = unicodedata.normalize("NFC", (name.strip() or name).removesuffix("\ufe0f"))
    if char in _NAMED:
        return _NAMED[char]
    if len(char) == 1 and char.isprintable():
        return _character(char)
    if len(name) > _LONGEST:
        return None
    bare = {"\n": "return", "\r": "return", "\t": "tab"}.get(name) or _bare(name)
    plain = _PREFIXES.sub("", bare, count=1)
    for spelled in (bare, plain, _SUFFIX.sub("", bare), _KEYPAD.sub(r"kp\1", bare), _KEYPAD.sub(r"kp\1", plain)):
        if spelled in _NAMED:
            return _NAMED[spelled]
    letter = plain if len(plain) == 1 and plain.isalnum() else _letter(name.strip())
    return _character(letter) if letter else None


def _character(char: str) -> Key:
    return Key(char, keysym_of(char))


def _letter(name: str) -> str:
    """Give the character that X has a name for, such as "eacute", "Greek_alpha" or "U20AC"; "" for others."""
    char = ""
    if found := _CODE.fullmatch(name):
        code = int(found[1], 16)
        char = chr(code) if code <= sys.maxunicode else ""
    elif found := _ACCENTED.fullmatch(name):
        char = unicodedata.normalize("NFC", found[1] + _ACCENTS[found[2]])
    elif found := _ALPHABET.fullmatch(name):
        size = "SMALL" if found[2].islower() else "CAPITAL"
        with suppress(KeyError):
            char = unicodedata.lookup(f"{found[1]} {size} LETTER {found[2]}")
    elif known := _RARE_NAMED.get(name.lower(), ""):
        char = known.upper() if name[0].isupper() and len(known.upper()) == 1 else known
    return char if len(char) == 1 and char.isprintable() else ""


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
    if find_key(text):
        return (text.strip() or text,)
    if len(text) > _LONGEST:
        return None
    if text[:1] and text[0] in _SIGNS:
        tail = split_chord(text[1:].lstrip("+ "))
        return (text[0], *tail) if tail else None
    for separator in _SEPARATOR.finditer(text, 1):
        head = find_key(text[: separator.start()])
        if head is None or not head.is_modifier:
            continue
        # A last "+" or "-" is the key itself: "ctrl++", "ctrl -".
        tail = split_chord(text[separator.end() :] or separator.group().strip() or "?")
        if tail:
            return (text[: separator.start()].strip(), *tail)
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
