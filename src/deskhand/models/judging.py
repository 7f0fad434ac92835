"""What an answer of a service means: a reply, something to try again, or a refusal and who can put it right."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from deskhand.models.transport import Response
from deskhand.models.wire import Answer, Garbled, Wire

TRY_AGAIN = frozenset({408, 409, 425, 429})
_MARKUP = re.compile(r"<(?:script|style).*?</(?:script|style)>|<[^>]*>", re.DOTALL | re.IGNORECASE)
_OUT_OF_CREDIT = re.compile(r"insufficient_quota|billing|credit balance|spend.?limit|exceeded your current quota", re.I)
_TOO_LONG = re.compile(r"context.{0,10}(?:length|window|size|limit)|prompt is too long|too many tokens", re.I)
_FILTERED = re.compile(r"content_filter|content management policy|ResponsibleAIPolicyViolation", re.I)
_NO_MODEL = re.compile(r"model|deployment", re.I)


class Trouble(NamedTuple):
    """It may work the next time; `wait` are the seconds the service asks for, when it does."""

    why: str
    wait: float | None = None


@dataclass(frozen=True)
class Fault:
    """What a service says is wrong."""

    status: int
    message: str
    code: str = ""
    param: str = ""
    plain: bool = False
    """Whether it was said in no API's form, so that no API may be there at all."""

    @property
    def is_elsewhere(self) -> bool:
        """Whether the path is wrong rather than the request; a server's front page comes with a good status."""
        wrong_path = self.status in (404, 405) and (self.plain or not _NO_MODEL.search(self.message))
        return wrong_path or self.status < 300

    @property
    def trouble(self) -> bool:
        """Whether it may be over the next time."""
        passing = self.status in TRY_AGAIN or self.status < 300
        return (passing or (self.status >= 500 and self.status not in (501, 505))) and not self.out_of_credit

    @property
    def out_of_credit(self) -> bool:
        return self.status == 402 or bool(_OUT_OF_CREDIT.search(f"{self.code} {self.message}"))

    @property
    def advice(self) -> str:
        """What a person can do about it; "" for what is about the key, which the caller knows better."""
        said = f"{self.code} {self.message}"
        if self.out_of_credit:
            return "the account has no credit left; top it up or choose another model"
        if self.status in (401, 403):
            return ""
        if _FILTERED.search(said):
            return "a content filter of the service withholds the request; word it otherwise or choose another model"
        if _TOO_LONG.search(said) or self.status == 413:
            return "the request is longer than the model takes; choose one that takes more, or show it fewer pictures"
        if 300 <= self.status < 400:
            return "the service is somewhere else; set base_url to where it redirects"
        if self.status in (404, 405):
            return "see whether base_url and the name of the model are right"
        return "the service does not take this request; see what it says"


def judge(response: Response, wire: Wire) -> Answer | Fault | Trouble:
    """Read an answer; an error that was sent with a good status is an error."""
    if not 200 <= response.status < 300:
        return fault_of(response.status, response.text)
    try:
        body = json.loads(response.text)
    except ValueError:
        return Fault(response.status, _excerpt(response.text) or "an empty answer", plain=True)
    if not isinstance(body, dict):
        return Trouble(f"the answer is no object: {response.text[:200]}")
    if body.get("error") and not body.get("choices"):
        fault = fault_of(500, response.text)
        return Fault(int(fault.code), fault.message) if re.fullmatch(r"[3-5]\d\d", fault.code) else fault
    try:
        return wire.decode(body)
    except Garbled as error:
        return Trouble(str(error))


def fault_of(status: int, text: str) -> Fault:
    """Find out what is wrong, in any of the forms in use."""
    try:
        body = json.loads(text)
    except ValueError:
        return Fault(status, _excerpt(text) or "no more is said", plain=True)
    match body:
        case {"error": {"message": str(message)} as error}:
            code = _word(error.get("code")) or _word(error.get("type"))
            return Fault(status, message, code, _word(error.get("param")))
        case {"error": str(message)} | {"message": str(message)} | {"detail": str(message)}:
            return Fault(status, message, _word(body.get("code")), _word(body.get("param")))
        case {"detail": [{"msg": str(message)} as first, *_]}:
            return Fault(status, f"{_place(first)}: {message}", param=_place(first))
    return Fault(status, _excerpt(text))


def _place(detail: Mapping[str, Any]) -> str:
    return ".".join(str(part) for part in detail.get("loc", ()) if part != "body")


def _word(value: object) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _excerpt(text: str) -> str:
    return " ".join(_MARKUP.sub(" ", text).split())[:200]
