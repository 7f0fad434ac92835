"""Which sites may be visited, and what stands in the way of those that do not come."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from deskhand.devices.browser.spec import BrowserSpec, host_of

ADVICE = {
    "ERR_CONNECTION_REFUSED": "nobody serves this port",
    "ERR_NAME_NOT_RESOLVED": "there is no such host, or it may not be visited",
    "ERR_CERT": "its certificate is not to be trusted",
    "ERR_FILE_NOT_FOUND": "there is no such file",
    "ERR_UNSAFE_PORT": "browsers refuse this port",
    "ERR_TOO_MANY_REDIRECTS": "it sends from one address to the next without end",
}
"""What an error of the network means."""


def refusal(spec: BrowserSpec, url: str) -> str:
    """Say why an address may not be visited; "" when it may."""
    parts = urlsplit(url)
    if parts.scheme == "file" and (spec.allow or spec.deny) and url != spec.url:
        return f"{url} may not be opened: with lists of sites (allow=, deny=), files are none of them"
    if parts.scheme not in ("http", "https", "ws", "wss"):
        return ""
    host = host_of((parts.hostname or "").lower().removesuffix("."))
    if any(_below(host, denied) for denied in spec.deny):
        return f"{host} may not be visited: deny={'+'.join(spec.deny)}"
    if spec.allow and not any(_below(host, allowed) for allowed in spec.allow):
        return f"{host} may not be visited: allow={'+'.join(spec.allow)}"
    return ""


def _below(host: str, site: str) -> bool:
    return host == site or host.endswith(f".{site}")


def rules(spec: BrowserSpec) -> Iterator[str]:
    """Give the arguments with which a browser finds no other hosts, however it comes upon them.

    Names are refused where they are resolved: that holds for redirects, frames, pop-ups, workers and sockets too.
    A proxy would resolve them itself.
    """
    denied = [name for site in spec.deny for name in (site, f"*.{site}", f"{site}.", f"*.{site}.")]
    mapped = [f"MAP {name} ~NOTFOUND" for name in denied]
    if spec.allow:
        mapped.append("MAP * ~NOTFOUND")
        mapped += [f"EXCLUDE {name}" for site in spec.allow for name in (site, f"*.{site}")]
    if mapped:
        yield f"--host-resolver-rules={','.join(mapped)}"
        yield "--no-proxy-server"


def cannot(spec: BrowserSpec, url: str, error: str) -> str:
    """Say why an address did not come, of which the browser says `error`."""
    advice = next((f"{meaning} ({sign})" for sign, meaning in ADVICE.items() if sign in error), error)
    return refusal(spec, url) or f"{url} cannot be opened: {advice}"
