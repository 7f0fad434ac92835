"""The sockets of the system: whoever implements one can be plugged in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from deskhand.core.action import Action, ActionResult, At, OnElement
from deskhand.core.decision import AppDecision, HostDecision
from deskhand.core.event import Event, Record, Scope
from deskhand.core.geometry import Frame
from deskhand.core.message import ModelRequest, Part, Reply, Role, ToolSpec
from deskhand.core.observation import ACTIVE_WINDOW, Image, Look, Observation, Subject


class Device(Protocol):
    """Something with a screen that can be looked at and acted on. Not re-entrant: one call at a time."""

    @property
    def name(self) -> str:
        """Its spec, as the user would write it."""
        ...

    async def observe(self, subject: Subject = ACTIVE_WINDOW) -> Look:
        """Look once: picture and elements of the same moment, as near as the device can.

        A frozen or closing application costs its deadline and is named in `truncated`.

        Raises:
            DeviceError: nothing can be seen. Never an empty picture: an agent must not act blind.
        """
        ...

    async def perform(self, action: Action, window: str = "") -> ActionResult:
        """Do one action and wait until the screen rests.

        `window` is the id of the window that the action is meant for: its application is brought up first if
        need be, and keys that would go elsewhere are not sent. If cancelled, held keys and buttons are
        released first.

        Raises:
            DeviceError: the device is broken. An action that merely did not work is a result.
        """
        ...


class Pictures(Protocol):
    """Where the bytes of a picture are."""

    def read(self, image: Image) -> bytes: ...


class Model(Protocol):
    """A model service, or a program that answers like one."""

    @property
    def name(self) -> str: ...

    async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
        """Answer once.

        Raises:
            ModelError: no answer can be had.
        """
        ...


class Dialect(Protocol):
    """How one family of models is told about actions and says what it wants. Pure: no I/O."""

    @property
    def name(self) -> str: ...

    @property
    def marked(self) -> bool:
        """Whether pictures are to show the numbers of the elements."""
        ...

    def compose(self, role: Role, parts: tuple[Part, ...]) -> ModelRequest:
        """Put a step's facts into the form this family understands."""
        ...

    def parse(self, role: Role, reply: Reply, frame: Frame) -> HostDecision | AppDecision:
        """Read a reply; a host's for the role "host", else an app agent's.

        Raises:
            UnreadableReply: with a message the model can act on.
        """
        ...


class Grounder(Protocol):
    """Finds a described place on a screen."""

    async def locate(self, text: str, on: Observation) -> At | OnElement:
        """Find the place: an element where there is one, else a device pixel.

        Raises:
            TargetNotFound: nothing fits, or several things fit equally.
        """
        ...


class Tool(Protocol):
    """Something an agent can call instead of using the screen."""

    @property
    def about(self) -> ToolSpec:
        """What models are told of it; `name` is what they call it by. It may change from step to step."""
        ...

    async def call(self, arguments: dict[str, Any]) -> str:
        """Do it and say what came of it. Limits of time and of length are the tool's own.

        Raises:
            ToolFailed: it did not work, or the arguments do not fit; the text is for the model.
        """
        ...


class User(Protocol):
    """The person on the other side."""

    async def next_request(self) -> str | None:
        """Ask what to do next; None when that was all."""
        ...

    async def answer(self, question: str) -> str:
        """Put a question.

        Raises:
            NeedsUser: nobody is there.
        """
        ...

    async def confirm(self, question: str) -> bool | None:
        """Ask for leave to do something; None when nobody is there, which counts as no."""
        ...


class Journal(Pictures, Protocol):
    """An append-only list of records, and the bytes of the blobs they name.

    `append` is not a coroutine: recording has to work while a task is being cancelled.
    """

    def append(self, event: Event, scope: Scope) -> Record:
        """Write one record before anything else happens.

        Raises:
            JournalError: it cannot be written; nothing may be done then.
        """
        ...

    def records(self) -> Iterable[Record]: ...

    def keep(self, data: bytes) -> str:
        """Keep a blob; give its SHA-256."""
        ...
