"""What is to be done with a message from somebody: forwarded, answered, deleted, marked. Read however it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from deskhand.perception.quoting import MARK, Phrase, quote

_LETTER = r"(?:e-?mails?|mails?|messages?|letters?|information|info)"
_NOT_A_NAME = (
    r"(?!(?i:forward|send|give|email|e-mail|reply|respond|answer|delete|remove|trash|star|flag|mark|find|locate|look|open|"
    r"please|search|go|navigate|take|pull|get|copy|resend|pass|the|an?|my|i|it|in|let|make|can|could|will|would|you|write|"
    r"tell|select|put|remind|show|view|tag|label|highlight|save|change|set|if|when|file|classify|from|to|to?day|yesterday|inbox|primary|monday|tuesday|wednesday|thursday|friday|"
    r"saturday|sunday|and|then|me|him|her|them|click|press)\b)"
)
_WORD = rf"{_NOT_A_NAME}[A-Z][\w-]*+"
_NAME = rf"(?:{MARK.pattern}|{_WORD}(?:\s{_WORD}(?!['’]s))?)"
_SENDER = (
    rf"\b(?:by|from)\s+(?P<n>{_NAME})",
    rf"(?P<n>{MARK.pattern}|{_WORD})['’]s?\s+(?:[\w-]+\s+){{0,2}}?{_LETTER}\b",
    rf"(?P<n>{_NAME})\s+(?:has\s+)?(?:sent|wrote|mailed)\b",
    rf"\bthe\s+(?P<n>{_NAME})\s+{_LETTER}\b",
    rf"\b{_LETTER}\s+of\s+(?P<n>{_NAME})",
    rf"\b(?i:reply|respond)(?:\s+back)?\s+(?:{MARK.pattern}\s+)?to\s+(?P<n>{_NAME})(?!['’]s)",
    rf"\b(?i:answer)\s+(?P<n>{_WORD})(?!['’]s)",
)
_RECIPIENT = (
    rf"\bto\s+(?P<n>{_NAME})",
    rf"\b(?i:forward|send|give|email|mail|resend|pass|show)\s+(?P<n>{_WORD}(?:\s{_WORD}(?!['’]s))?)(?!['’]s)",
    rf"(?P<n>{_NAME})\s+(?:wants|needs|would like|is waiting|must|should|has to)\b",
)
_ACTIONS = {
    "forward": r"(?:re)?forward(?:ed)?|fo?ward|send|sent|give|given|pass|resend|copy|wants?|needs?|waiting|receive|"
    r"e-?mail\s+\S+\s+(?:the|that)",
    "reply": r"repl(?:y|ies|ied)|respon(?:d|se)|answer|write back|send back",
    "delete": r"delete[sd]?|remove[sd]?|trash|erase|discard|get rid of|throw away|throw out",
    "star": r"star(?:red)?|important|flag(?:ged)?",
}
_BOUNDS = re.compile(r"\s*(?:[,.;?!]|\band\b|\bthen\b|\bso that\b)\s*", re.IGNORECASE)
_OTHER = re.compile(
    r"(?:please\s+)?(?:press|type|enter|fill|choose|tick|check|scroll|drag|wait|close|save|"
    r"click(?!.*\b(?:star|trash|bin|delete|important|flag|reply|forward)\b))\b",
    re.IGNORECASE,
)
_TEXT = re.compile(
    r"(?:saying|with the (?:text|words?|message)|with|:)\s+(?P<text>[^,;:\ue000-\uf8ff]+)$", re.IGNORECASE
)


class Errand(NamedTuple):
    """What to do with the message of a sender."""

    action: str
    sender: str
    to: str = ""
    text: str = ""

    @property
    def spelled(self) -> str:
        """The plainest way to say it, which reads back to the same."""
        letter = f"the message by {quote(self.sender)}"
        return {
            "forward": f"forward {letter} to {quote(self.to)}",
            "reply": f"reply to {letter} with the text {quote(self.text)}",
        }.get(self.action, f"{self.action} {letter}")


def read_errand(phrase: Phrase) -> Errand | None:
    """Read what is to be done with whose message; None when that is not said, or more than that is to be done."""
    text = phrase.text.strip()
    about = rf"\b(?:{_LETTER}|(?:reply|respond)(?: back)? to)\b"
    if not re.search(about, text, re.IGNORECASE) or any(map(_OTHER.match, _BOUNDS.split(text))):
        return None
    actions = [name for name, said in _ACTIONS.items() if re.search(rf"\b(?:{said})\b", text, re.IGNORECASE)]
    # What one forwards one also sends; whoever only "needs" it marked is no recipient.
    action = next((name for name in ("reply", "delete", "star", "forward") if name in actions), "")
    if not action or len(set(actions) - {"forward"}) > 1:
        return None
    senders = list(dict.fromkeys(_names(_SENDER, text)))
    if action == "forward":
        return _forwarding(phrase, text, senders)
    if len(senders) != 1:
        return None
    sender = phrase.part(senders[0]).plain
    if action != "reply":
        return Errand(action, sender)
    said = _reply(phrase, text, senders[0])
    return Errand(action, sender, text=said) if said else None


def _forwarding(phrase: Phrase, text: str, senders: list[str]) -> Errand | None:
    recipients = [name for name in dict.fromkeys(_names(_RECIPIENT, text)) if name not in senders]
    wanting = list(_names(_RECIPIENT[-1:], text))
    if not senders and len(recipients) > 1 and len(wanting) == 1:
        # "Anna wants her message to be sent to Bert"
        recipients, senders = [name for name in recipients if name not in wanting], wanting
    if len(senders) != 1 or len(recipients) != 1:
        return None
    return Errand("forward", phrase.part(senders[0]).plain, to=phrase.part(recipients[0]).plain)


def _names(patterns: tuple[str, ...], text: str) -> Iterator[str]:
    for pattern in patterns:
        yield from (found["n"] for found in re.finditer(pattern, text))


def _reply(phrase: Phrase, text: str, sender: str) -> str:
    quoted = [mark for mark in MARK.findall(text) if mark != sender]
    if len(quoted) == 1:
        return phrase.part(quoted[0]).plain
    found = None if quoted else _TEXT.search(text)
    return found["text"].strip(" .") if found else ""
