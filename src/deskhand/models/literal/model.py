"""`literal`: a model without a language model. It reads scripted English and the typed parts of a request."""

from __future__ import annotations

import json

from deskhand.core.errors import ModelRefused
from deskhand.core.message import ModelRequest, Reply
from deskhand.core.ports import Pictures
from deskhand.models.literal import app, host


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
        fields = host.decide(request) if request.role == "host" else app.decide(request)
        return Reply(text=json.dumps(fields, ensure_ascii=False), model=self.name)
