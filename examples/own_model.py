"""A model of your own: `deskhand run --model own_model:Butler "..."` in the folder of this file.

It needs no language model: it reads the typed parts of a request and answers in the form of the dialect `json`.
"""

import json
from typing import Any

from deskhand.core.message import ElementsPart, ModelRequest, Reply, ReportsPart
from deskhand.core.ports import Pictures


class Butler:
    """Presses every button that says "Yes", in a calculator."""

    name = "butler"

    async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
        answer = _as_host(request) if request.role == "host" else _as_app(request)
        return Reply(text=json.dumps(answer), model=self.name)


def _as_host(request: ModelRequest) -> dict[str, Any]:
    reports = next(part.reports for part in request.parts if isinstance(part, ReportsPart))
    if reports:
        return {"status": "FINISH", "result": reports[-1].result}
    return {"status": "ASSIGN", "application": "editor", "current_subtask": "agree to everything"}


def _as_app(request: ModelRequest) -> dict[str, Any]:
    elements = next(part.elements for part in request.parts if isinstance(part, ElementsPart))
    yes = [{"function": "click", "arguments": {"element": e.id}} for e in elements if e.name == "Yes"]
    return {"status": "FINISH", "action": yes, "result": f"agreed {len(yes)} times"}
