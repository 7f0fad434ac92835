"""A model that says what no console of the nineties can show."""

from __future__ import annotations

import json

from deskhand.core.message import ModelRequest, Reply
from deskhand.core.ports import Pictures

ODD = "😀 你好 naïve \ud83d half"


class Talkative:
    """Finishes at once; without needing anything of the screen."""

    name = "talkative"

    async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
        return Reply(text=json.dumps({"status": "FINISH", "thought": ODD, "result": ODD}, ensure_ascii=False))
