"""What models call keys. What each does is known to the device; here only what is surely no key is told apart."""

from __future__ import annotations

import re

_NAMES = """
enter return ret newline carriagereturn tab backtab isolefttab escape esc backspace back bksp bs delete del
forwarddelete insert ins home end pageup pgup prior pup pagedown pgdn pgdown next pdn left right up down arrowleft
arrowright arrowup arrowdown leftarrow rightarrow uparrow downarrow menu apps contextmenu application print
printscreen prtsc prtscr prntscrn snapshot sysrq pause break scrolllock numlock capslock capital help undo redo find
cancel select execute clear multikey compose shift ctrl control ctl ctrll ctrlr alt opt option super cmd command win
windows meta os hyper altgr altgraph fn function cmdorctrl modeswitch accept add subtract multiply divide decimal
separator equal convert nonconvert final junja kana kanamode kanji hanguel hangul hangulmode hanja hanjamode
hiraganakatakana muhenkan henkan zenkakuhankaku eisutoggle hangulhanja modechange process yen volumemute mute volumedown
volumeup audiomute audiovolumemute audiovolumedown audiovolumeup playpause mediaplaypause play stop mediastop
prevtrack nexttrack mediatrackprevious mediatracknext previoustrack micmute brightnessup brightnessdown browserback
browserforward browserrefresh browserstop browsersearch browserfavorites browserhome launchmail launchapp1 launchapp2
launchmediaselect eject sleep wakeup power copy cut paste space spacebar exclam exclamation exclamationmark quotedbl
doublequote numbersign hash pound dollar percent ampersand apostrophe quote singlequote quoteright parenleft leftparen
parenright rightparen asterisk star plus comma minus hyphen dash period dot fullstop slash forwardslash colon
semicolon less lessthan equals greater greaterthan question questionmark at bracketleft leftbracket openbracket
backslash bracketright rightbracket closebracket asciicircum caret circumflex underscore grave backtick backquote
quoteleft braceleft leftbrace bar pipe verticalbar braceright rightbrace asciitilde tilde
"""
_NAMED = frozenset(_NAMES.split())
_SIDE = "(?:left|right|l|r)?"
_SIDED = re.compile(f"{_SIDE}(?:shift|ctrl|control|alt|opt|option|super|cmd|command|win|meta|hyper){_SIDE}")
_FAMILIES = re.compile(r"f\d{1,2}|(?:kp|num|numpad)\w{1,9}|xf86\w{1,30}|isolevel[35]shift|level[35]shift|dead\w{1,20}")
_LONGEST = 80
_APART = re.compile(r"\s*[+-]\s*|\s+")


def is_key(name: str) -> bool:
    """Tell whether this may be a key: a single sign, or one of the names in use for keys, in any spelling."""
    if len(name) == 1:
        return name.isprintable() or name in "\n\t\r"
    bare = re.sub(r"(?<=\w)[\s_-]+(?=\w)|_", "", name.strip().strip("<>{}")).casefold()
    return bare in _NAMED or bool(_SIDED.fullmatch(bare) or _FAMILIES.fullmatch(bare))


def chord(text: str) -> list[str]:
    """Take `ctrl+shift+s`, `ctrl s` and `ctrl-s` apart; what is a key as it stands, or no row of keys, stays whole."""
    if is_key(text) or len(text) > _LONGEST:
        return [text]
    for parting in _APART.finditer(text, 1):
        head, tail = text[: parting.start()], text[parting.end() :] or parting[0].strip()
        if is_key(head) and tail:
            return [head, *chord(tail)]
    return [text]
