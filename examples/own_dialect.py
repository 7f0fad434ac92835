"""A dialect of your own: `-c models.default.dialect=own_dialect:TwoWords`, for a model that says `press Save`."""

import re

from deskhand.core.action import Click, Described
from deskhand.core.decision import AppDecision
from deskhand.core.errors import UnreadableReply
from deskhand.core.geometry import Frame
from deskhand.core.message import ElementsPart, ModelRequest, Part, Reply, RequestPart, Role, SubtaskPart, Turn
from deskhand.core.status import AppAgentStatus

SYSTEM = "Answer `press NAME` to press the button of that name, or `done` when the task is fulfilled. Nothing else."


class TwoWords:
    name, marked = "two words", False

    def __init__(self, wanted: object = None) -> None:
        """Take what is known of model and device, as `deskhand.dialects.factory.Wanted`; two words need none of it."""

    def compose(self, role: Role, parts: tuple[Part, ...]) -> ModelRequest:
        told = [f"The task: {part.text}" for part in parts if isinstance(part, RequestPart | SubtaskPart)]
        seen = [e.name for part in parts if isinstance(part, ElementsPart) for e in part.elements if e.role == "button"]
        text = "\n".join((*told, f"The buttons: {', '.join(seen)}"))
        return ModelRequest(role=role, system=SYSTEM, parts=parts, turns=(Turn(speaker="user", text=text),))

    def parse(self, role: Role, reply: Reply, frame: Frame) -> AppDecision:
        if reply.text.strip().lower() == "done":
            return AppDecision(status=AppAgentStatus.FINISH)
        if said := re.fullmatch(r"\s*press (.+?)\s*", reply.text, re.IGNORECASE):
            press = Click(target=Described(text=f"the button {said[1]}"))
            return AppDecision(status=AppAgentStatus.CONTINUE, actions=(press,))
        raise UnreadableReply("say `press NAME` or `done`")
