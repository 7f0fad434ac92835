"""`literal`: a model without a language model. It reads scripted requests and the typed parts of a model request."""

from __future__ import annotations

import json
from collections.abc import Mapping

from deskhand.core import shell
from deskhand.core.errors import ModelRefused
from deskhand.core.message import ModelRequest, Reply, SubtaskPart
from deskhand.core.ports import Pictures
from deskhand.models.literal import app, host
from deskhand.models.literal.requested import part
from deskhand.models.literal.shell import decide as commands


def _decide(request: ModelRequest) -> Mapping[str, object]:
    """Decide for an app agent, or for the one that works in a shell."""
    task = part(request, SubtaskPart)
    in_shell = task is not None and (task.application, task.window) == (shell.PLATFORM, shell.WINDOW)
    return commands.decide(request) if in_shell else app.decide(request)


class LiteralModel:
    """Answers like a language model, in the `json` dialect, from the parts of the request alone; keeps no state."""

    name = "literal"

    async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
        """Answer once; pictures are not looked at.

        Raises:
            ModelRefused: it is asked in another role than host or app.
        """
        del pictures
        if request.role not in ("host", "app"):
            raise ModelRefused(f"the built-in model cannot be the {request.role}; name another one with --model")
        fields = host.decide(request) if request.role == "host" else _decide(request)
        return Reply(text=json.dumps(fields, ensure_ascii=False), model=self.name)
