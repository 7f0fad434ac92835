"""Who may speak to the service: whoever has the token, from a page of this computer or from none."""

from __future__ import annotations

import hmac
import ipaddress
import os
import re
import secrets
from pathlib import Path
from urllib.parse import urlsplit

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from deskhand.core.errors import SettingsError

SHORTEST = 16
"""Characters of a token."""
_LOCAL_NAME = re.compile(r"(?:[\w-]+\.)*localhost", re.IGNORECASE)


class Guard:
    """Lets a request through to `app` that has the token and comes by an address, not by somebody's name for it.

    A name that a stranger has pointed at this computer (DNS rebinding) is how a web page would get here.
    """

    def __init__(self, app: ASGIApp, token: str, *, loopback: bool = True) -> None:
        self._app = app
        self._token = token.encode()
        self._loopback = loopback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        answer: ASGIApp = self._refusal(_headers(scope)) or self._app
        await answer(scope, receive, send)

    def _refusal(self, headers: dict[bytes, list[bytes]]) -> JSONResponse | None:
        hosts = [value.decode("latin-1") for value in headers.get(b"host", [])]
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            return refused(421, "the Host header names another computer; use the address that is listened on")
        origins = [value.decode("latin-1") for value in headers.get(b"origin", [])]
        if any(not self._is_ours(_place(origin)) for origin in origins):
            return refused(403, "requests from web pages of other places are not taken")
        given = headers.get(b"authorization", [])
        scheme, _, token = given[0].partition(b" ") if len(given) == 1 else (b"", b"", b"")
        # Compared in any case, and in the same time wherever it differs.
        right = hmac.compare_digest(token.strip(), self._token)
        if scheme.lower() != b"bearer" or not right:
            wrong = refused(401, "a token is needed: Authorization: Bearer TOKEN")
            wrong.headers["www-authenticate"] = "Bearer"
            return wrong
        return None

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return _LOCAL_NAME.fullmatch(name) is not None
        return address.is_loopback or not self._loopback


def refused(status: int, why: str) -> JSONResponse:
    """Make the answer to what is not done."""
    return JSONResponse({"error": why}, status)


def _headers(scope: Scope) -> dict[bytes, list[bytes]]:
    headers: dict[bytes, list[bytes]] = {}
    for name, value in scope["headers"]:
        headers.setdefault(name.lower(), []).append(value)
    return headers


def _place(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def token_in(path: Path) -> str:
    """Read the token in a file, which is made with a new one where it is not there.

    Raises:
        SettingsError: the file cannot be read or made, or holds no token.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        return _read(path)
    except OSError as error:
        raise SettingsError(f"the token file {path} cannot be made: {_why(error)}") from error
    token = secrets.token_urlsafe(32)
    with os.fdopen(fd, "w") as file:
        file.write(token + "\n")
    return token


def _read(path: Path) -> str:
    try:
        token = path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise SettingsError(f"the token file {path} cannot be read: {_why(error)}") from error
    except UnicodeDecodeError:
        token = ""
    if len(token) < SHORTEST or not token.isprintable() or " " in token:
        raise SettingsError(f"{path} holds no token: one line of at least {SHORTEST} letters, digits and signs")
    return token


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
