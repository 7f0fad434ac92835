"""A model and a user that say what they were told to say."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping

from deskhand.core.errors import ModelError, NeedsUser
from deskhand.core.message import ModelRequest, Reply, Usage
from deskhand.core.ports import Pictures

Line = str | Mapping[str, object] | Exception | Callable[[ModelRequest], str | Mapping[str, object]]
"""A reply as text, as the object of the `json` dialect, as an error to raise, or as a function of the request."""


class ScriptedModel:
    """Gives its lines in order, and keeps every request; when they are used up it fails.

    With `host`, `app`, `evaluator` or `operator`, agents of these roles have lines of their own.
    """

    def __init__(
        self,
        *lines: Line,
        host: Iterable[Line] = (),
        app: Iterable[Line] = (),
        evaluator: Iterable[Line] = (),
        operator: Iterable[Line] = (),
        usd: float = 0.0,
    ) -> None:
        self.name = "scripted"
        self.requests: list[ModelRequest] = []
        own = {"host": host, "app": app, "evaluator": evaluator, "operator": operator}
        self._lines = {"any": list(lines), **{role: list(given) for role, given in own.items()}}
        self._usd = usd

    async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
        """Give the next line.

        Raises:
            ModelError: there is none left.
        """
        self.requests.append(request)
        lines = self._lines.get(request.role) or self._lines["any"]
        if not lines:
            raise ModelError(f"the script has no line left for the {request.role}")
        line = lines.pop(0)
        if isinstance(line, Exception):
            raise line
        said = line(request) if callable(line) else line
        text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        return Reply(text=text, usage=Usage(input_tokens=1, output_tokens=1, usd=self._usd), model=self.name)


class ScriptedUser:
    """Answers in order; keeps what was asked. Without an answer left, nobody is there."""

    def __init__(
        self, answers: Iterable[str] = (), confirms: Iterable[bool] = (), requests: Iterable[str] = ()
    ) -> None:
        self.asked: list[str] = []
        self._answers, self._confirms, self._requests = list(answers), list(confirms), list(requests)

    async def next_request(self) -> str | None:
        return self._requests.pop(0) if self._requests else None

    async def answer(self, question: str) -> str:
        """Give the next answer.

        Raises:
            NeedsUser: there is none left.
        """
        self.asked.append(question)
        if not self._answers:
            raise NeedsUser(question)
        return self._answers.pop(0)

    async def confirm(self, question: str) -> bool | None:
        self.asked.append(question)
        return self._confirms.pop(0) if self._confirms else None
