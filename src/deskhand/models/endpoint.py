"""Where a service is: whatever form of its URL a user has at hand, and how the key is sent there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

from deskhand.core.errors import SettingsError

AZURE_HOSTS = (".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com")
AZURE_VERSION = "2024-10-21"
_OPERATIONS = re.compile(
    r"/(?:chat/completions|completions|messages|responses|models|embeddings|models/[^/]+:generateContent)/*$"
)
_VERSIONED = re.compile(r"/(?:api/)?v\d+(?:beta\d*|alpha\d*)?(?:/|$)")
_AZURE_PATH = re.compile(r"(?P<before>.*?)/openai(?:/deployments(?:/(?P<deployment>[^/]+))?)?$")
_PUBLIC_QUERY = frozenset({"api-version"})
_IN_QUERY = re.compile(r"([?&]([\w.-]+)=)[^&\s\"'<>)]+")


@dataclass(frozen=True)
class Endpoint:
    """Base URLs that an operation's path is appended to, the likeliest first."""

    bases: tuple[str, ...]
    query: Mapping[str, str] = field(default_factory=dict)
    key_header: str = "authorization"

    def shown(self, base: str, operation: str) -> str:
        """Give the whole URL for a message; what a query holds is hidden, as it may be a key."""
        hidden = {name: value if name in _PUBLIC_QUERY else "..." for name, value in self.query.items()}
        return f"{base}{operation}" + (f"?{urlencode(hidden, safe='.')}" if hidden else "")

    def may_be_keys(self) -> Iterator[str]:
        """Give what a query holds and nobody is to read."""
        yield from (value for name, value in self.query.items() if value and name not in _PUBLIC_QUERY)

    def headers(self, key: str) -> dict[str, str]:
        if not key:
            return {}
        return {self.key_header: f"Bearer {key}" if self.key_header == "authorization" else key}

    @property
    def local(self) -> bool:
        """Whether it is on this machine, where no proxy stands in between."""
        return (urlsplit(self.bases[0]).hostname or "") in ("localhost", "127.0.0.1", "::1")

    @property
    def plain(self) -> bool:
        """Whether no certificate will ever be asked for, so that none need be read."""
        return self.local and urlsplit(self.bases[0]).scheme == "http"


def without_queries(text: str) -> str:
    """Hide what the queries of URLs in a text hold, as it may be a key."""
    return _IN_QUERY.sub(lambda found: found.group() if found[2] in _PUBLIC_QUERY else f"{found[1]}...", text)


def endpoint(url: str, model: str, *, azure: bool = False, api_version: str = "", version: str = "v1") -> Endpoint:
    """Read a base URL: a root, `/v1`, with or without a slash, a whole path, or any of Azure's forms.

    `version` is what stands for `/v1` with services that call it otherwise.

    Raises:
        SettingsError: it is no URL that a service can be reached at.
    """
    split = _split(url)
    path = _OPERATIONS.sub("", split.path.rstrip("/")).rstrip("/")
    query = dict(parse_qsl(split.query))
    root = f"{split.scheme}://{split.netloc}"
    on_azure = azure or (split.hostname or "").endswith(AZURE_HOSTS) or "/openai/deployments" in path
    if on_azure and not _VERSIONED.search(path):
        found = _AZURE_PATH.fullmatch(path)
        before, deployment = (found["before"], found["deployment"]) if found else (path, None)
        dated = {"api-version": api_version or query.get("api-version") or AZURE_VERSION}
        return Endpoint((f"{root}{before}/openai/deployments/{deployment or model}",), {**query, **dated}, "api-key")
    key_header = "api-key" if on_azure else "authorization"
    if _VERSIONED.search(path):
        return Endpoint((root + path,), query, key_header)
    # A root nearly always means /v1; a gateway's path may stand for either.
    likely = (f"{path}/{version}", path) if not path else (path, f"{path}/{version}")
    return Endpoint(tuple(root + p for p in likely), query, key_header)


def _split(url: str) -> SplitResult:
    try:
        split = urlsplit(url.strip())
        split.port  # noqa: B018  raises when it is none
    except ValueError as error:
        raise SettingsError(f"base_url: {url!r} is no URL: {error}") from error
    if split.scheme not in ("http", "https") or not split.hostname:
        raise SettingsError(f"base_url: {url!r} is no URL; write it like http://127.0.0.1:8000/v1")
    if split.username is not None:
        raise SettingsError("base_url holds a name or password before its @; put the key into `key` or `key_variable`")
    return split
