"""The agent whose model is a vendor's, made for using computers."""

from __future__ import annotations

from typing import ClassVar

from deskhand.agents.app import AppAgent
from deskhand.processors.operator import OperatorProcessor
from deskhand.processors.template import ProcessorTemplate


class OperatorAgent(AppAgent):
    """Works in the application that its host assigned, in an app agent's states.

    A call that the vendor wants acknowledged is CONFIRM, a question PENDING, a wish for another picture SCREENSHOT, and
    its last message FINISH: the dialect that speaks the vendor's form says so.
    """

    processor_class: ClassVar[type[ProcessorTemplate]] = OperatorProcessor
