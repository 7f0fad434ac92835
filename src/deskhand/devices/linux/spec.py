"""Reading what a user writes for a Linux desktop: `linux`, `linux:display=:7`, `linux:virtual,size=1280x800`."""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from deskhand.core.errors import SettingsError
from deskhand.core.geometry import Size
from deskhand.core.nearest import hint

FULL_HD = Size(1920, 1080)
EXAMPLE = "linux:virtual,size=1920x1080,scale=1,layout=us"
WORDS = ("virtual",)
KEYS = ("display", "desktop", "monitor", "size", "scale", "layout", "delay")
NAME = r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}"
"""What a desktop that stays up can be called."""
SMALLEST, LARGEST = 200, 16384
LAYOUTS = Path("/usr/share/X11/xkb/rules/evdev.lst")


class LinuxSpec(NamedTuple):
    """Which Linux desktop is meant."""

    virtual: bool = False
    display: str = ""
    """Of a desktop that is there already; "" is the one of the caller's DISPLAY."""
    desktop: str = ""
    """The name of one that `deskhand desktop start` has brought up."""
    size: Size = FULL_HD
    scale: int = 1
    layout: str = "us"
    """An XKB layout, with its variant in brackets: "de(nodeadkeys)"."""
    delay: int = 0
    """Milliseconds between the characters of a text, which is typed then; 0 for whatever is quickest."""
    monitor: str = ""
    """The one that is looked at, by its name, its number from the left, or "primary"; "" is all of them."""


def parse_linux(text: str) -> LinuxSpec:
    """Read a spec.

    Raises:
        SettingsError: it is not one; names the nearest that is right.
    """
    kind, _, rest = text.strip().partition(":")
    if kind != "linux":
        raise SettingsError(f"{text!r} is no Linux desktop; write it like {EXAMPLE!r}, or just 'linux'")
    spec = LinuxSpec()
    given = set()
    for item in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = item.partition("=")
        if key in given:
            raise SettingsError(f"{key!r} stands twice in {text!r}")
        given.add(key)
        spec = _with(spec, key, value) if equals else _with_word(spec, item)
    if {"display", "desktop"} <= given:
        raise SettingsError(f"{text!r} names two desktops; keep display= or desktop=")
    odd = given & ({"display", "desktop", "monitor"} if spec.virtual else {"size", "scale", "layout"})
    if odd:
        owner = "a desktop that is there already" if spec.virtual else "a virtual desktop"
        raise SettingsError(
            f"{'/'.join(sorted(odd))} in {text!r} can only be said of {owner}; write it like {EXAMPLE!r}"
        )
    return spec


def _with_word(spec: LinuxSpec, word: str) -> LinuxSpec:
    if word in WORDS:
        return spec._replace(virtual=True)
    raise SettingsError(_unknown(word))


def _with(spec: LinuxSpec, key: str, value: str) -> LinuxSpec:
    match key:
        case "display":
            return spec._replace(display=_display(value))
        case "desktop":
            return spec._replace(desktop=_name(value))
        case "size":
            return spec._replace(size=_size(value))
        case "scale":
            if value not in ("1", "2", "3", "4"):
                raise SettingsError(f"scale={value}: it is a whole number from 1 to 4")
            return spec._replace(scale=int(value))
        case "layout":
            return spec._replace(layout=_layout(value))
        case "monitor":
            return spec._replace(monitor=value)
        case "delay":
            return spec._replace(delay=_delay(value))
        case _:
            raise SettingsError(_unknown(key))


def _unknown(name: str) -> str:
    return f"a Linux desktop knows no {name!r}; {hint(name, (*WORDS, *KEYS))}"


def _display(value: str) -> str:
    if not re.fullmatch(r"[\w.\-/]*:\d+(\.\d+)?", value):
        raise SettingsError(f"display={value}: it is written like :7")
    return value


def _name(value: str) -> str:
    if not re.fullmatch(NAME, value):
        raise SettingsError(f"desktop={value}: it is the name of one that deskhand desktop list shows")
    return value


def _size(value: str) -> Size:
    size = Size.read(value)
    if size is None:
        raise SettingsError(f"size={value}: it is written like 1920x1080")
    if not all(SMALLEST <= extent <= LARGEST for extent in size):
        raise SettingsError(f"size={value}: width and height are from {SMALLEST} to {LARGEST}")
    return size


def _delay(value: str) -> int:
    if not re.fullmatch(r"\d{1,4}", value):
        raise SettingsError(f"delay={value}: it is in milliseconds, from 0 to 9999")
    return int(value)


def _layout(value: str) -> str:
    found = re.fullmatch(r"([a-z]+)(?:\(([\w-]+)\))?", value)
    if not found:
        raise SettingsError(f"layout={value}: it is written like us, de or de(nodeadkeys)")
    layouts, variants = _known_layouts()
    name, variant = found[1], found[2]
    if layouts and name not in layouts:
        near = ", ".join(get_close_matches(name, layouts, 3, 0.4)) or "us, gb, de, fr"
        raise SettingsError(f"layout={value}: there is no keyboard layout {name!r}; the nearest are {near}")
    if variant and layouts and variant not in variants.get(name, ()):
        near = ", ".join(get_close_matches(variant, variants.get(name, []), 3, 0.3)) or "none"
        raise SettingsError(f"layout={value}: {name!r} has no variant {variant!r}; the nearest are: {near}")
    return value


def _known_layouts() -> tuple[list[str], dict[str, list[str]]]:
    """List the system's layouts and their variants; nothing where that list is not installed."""
    try:
        lines = LAYOUTS.read_text("utf-8", "replace").splitlines()
    except OSError:
        return [], {}
    layouts: list[str] = []
    variants: dict[str, list[str]] = {}
    section = ""
    for line in lines:
        words = line.split(None, 2)
        if line.startswith("!"):
            section = line[1:].strip()
        elif words and section == "layout":
            layouts.append(words[0])
        elif len(words) > 1 and section == "variant":
            variants.setdefault(words[1].rstrip(":"), []).append(words[0])
    return layouts, variants
