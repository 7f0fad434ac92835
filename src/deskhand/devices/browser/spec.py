"""Reading what a user writes for a browser: `browser`, `browser:https://example.org`, `browser:headed,url=...`."""

from __future__ import annotations

import ipaddress
import re
from typing import NamedTuple
from urllib.parse import urlsplit

from deskhand.core.errors import SettingsError
from deskhand.core.geometry import Size

EXAMPLE = "browser:size=1280x800,url=https://example.org"
SCHEMES = ("http", "https", "file", "about", "data")
KEYS = ("url", "cdp", "size", "scale", "profile", "downloads", "wait", "allow", "deny")


class BrowserSpec(NamedTuple):
    """Which browser is meant."""

    url: str = ""
    """What is opened first; "" for an empty page."""
    headed: bool = False
    """On a virtual desktop of its own, with real windows; else without any."""
    cdp: str = ""
    """Where a browser that runs already is reached; only a new tab of ours is used in it."""
    size: Size = Size(1280, 800)
    """Of the page's viewport, in CSS pixels."""
    scale: float = 1
    """Device pixels for a CSS pixel."""
    profile: str = ""
    """A folder for what the browser keeps; "" for one of its own, gone at the end."""
    downloads: str = ""
    """A folder for what pages have it fetch; "" for one of its own, which stays when there is something in it."""
    wait: float = 20
    """Seconds that a page has to come, and to answer."""
    allow: tuple[str, ...] = ()
    """Hosts that may be visited, with all below them; all when there are none."""
    deny: tuple[str, ...] = ()


def parse_browser(text: str) -> BrowserSpec:
    """Read a spec. A URL stands last, as it may hold commas.

    Raises:
        SettingsError: it is not one; says what is wrong.
    """
    kind, _, rest = text.strip().partition(":")
    if kind != "browser":
        raise SettingsError(f"{text!r} is no browser; write it like {EXAMPLE!r}, or just 'browser'")
    spec = BrowserSpec()
    while rest:
        if urlsplit(rest).scheme in SCHEMES:
            return _checked(spec._replace(url=_url(rest)))
        item, _, later = rest.partition(",")
        key, equals, value = item.partition("=")
        if key == "url":
            return _checked(spec._replace(url=_url(rest.partition("=")[2])))
        spec, rest = (_with(spec, key, value) if equals else _with_word(spec, item)), later
    return _checked(spec)


def _checked(spec: BrowserSpec) -> BrowserSpec:
    if spec.cdp and (spec.headed or spec.profile):
        raise SettingsError("a browser that runs already (cdp=) has its own windows and profile; leave the others out")
    if spec.cdp and (spec.allow or spec.deny):
        raise SettingsError("lists of sites (allow=, deny=) hold only for a browser of our own, not with cdp=")
    return spec


def _with_word(spec: BrowserSpec, word: str) -> BrowserSpec:
    if word == "headed":
        return spec._replace(headed=True)
    raise SettingsError(f"a browser knows no {word!r}; there are headed, {'=, '.join(KEYS)}=, or a URL")


def _with(spec: BrowserSpec, key: str, value: str) -> BrowserSpec:
    match key:
        case "cdp":
            return spec._replace(cdp=value)
        case "size":
            return spec._replace(size=_size(value))
        case "scale":
            return spec._replace(scale=_scale(value))
        case "profile":
            return spec._replace(profile=value)
        case "downloads":
            return spec._replace(downloads=value)
        case "wait":
            return spec._replace(wait=_seconds(value))
        case "allow":
            return spec._replace(allow=(*spec.allow, *_hosts(value)))
        case "deny":
            return spec._replace(deny=(*spec.deny, *_hosts(value)))
        case _:
            return _with_word(spec, key)


def _url(value: str) -> str:
    if urlsplit(value).scheme not in SCHEMES:
        raise SettingsError(f"url={value}: it begins with one of {', '.join(SCHEMES)}")
    return value


def _size(value: str) -> Size:
    size = Size.read(value)
    if size is None:
        raise SettingsError(f"size={value}: it is written like 1280x800")
    return size


def _scale(value: str) -> float:
    if not re.fullmatch(r"[1-4](\.\d+)?", value):
        raise SettingsError(f"scale={value}: it is a number from 1 to 4")
    return float(value)


def _seconds(value: str) -> float:
    if not re.fullmatch(r"\d+(\.\d+)?", value) or not 0 < float(value) <= 600:
        raise SettingsError(f"wait={value}: it is a number of seconds, at most 600")
    return float(value)


def _hosts(value: str) -> tuple[str, ...]:
    """Read hosts, with `+` between them, as the comma is taken; addresses of IPv6 with brackets or without."""
    hosts = tuple(map(host_of, filter(None, value.lower().split("+"))))
    for host in hosts:
        if ":" not in host and not re.fullmatch(r"[a-z0-9.\-]+", host):
            raise SettingsError(f"{host!r} is no host; write it like example.org, several with + between them")
        if ":" in host and ("%" in host or not _is_address(host)):
            raise SettingsError(f"{host!r} is no host; write it like example.org or [::1], without a port")
    return hosts


def host_of(written: str) -> str:
    """Give an IPv6 address as browsers write it, so that all its spellings are one; any other host as it stands."""
    bare = written.removeprefix("[").removesuffix("]")
    return ipaddress.IPv6Address(bare).compressed if _is_address(bare) else written


def _is_address(host: str) -> bool:
    try:
        ipaddress.IPv6Address(host)
    except ValueError:
        return False
    return True
