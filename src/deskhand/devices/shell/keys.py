"""What a terminal sends for keys, by the names that actions have for them."""

from __future__ import annotations

_KEYS = {
    **{"enter": "\r", "return": "\r", "tab": "\t", "escape": "\x1b", "esc": "\x1b", "backspace": "\x7f", "space": " "},
    **{"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F"},
    **{"pageup": "\x1b[5~", "pagedown": "\x1b[6~", "insert": "\x1b[2~", "delete": "\x1b[3~", "del": "\x1b[3~"},
    **{f"f{n}": s for n, s in enumerate(("\x1bOP", "\x1bOQ", "\x1bOR", "\x1bOS"), 1)},
    **{f"f{n}": f"\x1b[{c}~" for n, c in zip(range(5, 13), (15, 17, 18, 19, 20, 21, 23, 24), strict=True)},
}
_MODIFIERS = frozenset({"ctrl", "control", "alt", "shift"})


def keys_of(chord: tuple[str, ...]) -> str:
    """Give what a terminal sends for keys that are pressed together.

    Raises:
        ValueError: a terminal has no such key; names it.
    """
    *held, key = (part.lower() if len(part) > 1 else part for part in chord)
    if odd := [part for part in held if part not in _MODIFIERS]:
        raise ValueError(f"a terminal has no key {'+'.join(odd)}; there are ctrl, alt and shift to hold")
    sent = _KEYS.get(key, key if len(key) == 1 else "")
    if not sent:
        raise ValueError(f"a terminal has no key {key!r}; there are {', '.join(_KEYS)}, and single characters")
    if {"ctrl", "control"} & set(held):
        sent = _controlled(sent)
    elif "shift" in held and len(sent) == 1:
        sent = "\x1b[Z" if sent == "\t" else sent.upper()
    return f"\x1b{sent}" if "alt" in held else sent


def _controlled(sent: str) -> str:
    if len(sent) > 1:
        return sent.replace("\x1b[", "\x1b[1;5", 1) if sent[-1] in "ABCDHF" else sent
    code = ord(sent.upper())
    if sent == " ":
        return "\0"
    if not 0x40 <= code < 0x60:
        raise ValueError(f"a terminal has no ctrl+{sent}; there are ctrl with letters and @ [ \\ ] ^ _")
    return chr(code - 0x40)
