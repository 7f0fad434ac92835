"""What whoever implements a socket of the system can hold it against: `check_device`, `check_model`, `check_dialect`.

Each raises AssertionError, saying what was expected and what came instead, and nothing else.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager

import anyio
from PIL import Image as Canvas
from PIL import UnidentifiedImageError

from deskhand.core.action import ActionResult, Click, OnElement, Wait
from deskhand.core.decision import AppDecision, HostDecision
from deskhand.core.errors import DeviceError, ModelError, UnreadableReply
from deskhand.core.geometry import Box, Frame, Size
from deskhand.core.message import ElementsPart, ModelRequest, Part, PicturePart, Reply, RequestPart, Role, Turn
from deskhand.core.observation import ACTIVE_WINDOW, WHOLE_DESKTOP, Element, Image, Look, OneWindow, Subject
from deskhand.core.ports import Device, Dialect, Model
from deskhand.journal.memory import MemoryJournal

AT_ONCE = 1.0
"""Seconds in which a call that is cancelled has to end."""
SIZE = Size(640, 480)
NONSENSE = ("", " \n", "I cannot help with that.", "{", "[[[[", '{"status": 7}', "click(", "<action>", "\x00\ufffd" * 9)
"""Replies that hold no decision."""

Opener = Callable[[], AbstractAsyncContextManager[Device]]


async def check_device(opener: Opener) -> None:
    """Open a device, look at it in each way, do what does no harm, and close it.

    Raises:
        AssertionError: it does not do what `deskhand.core.ports.Device` says.
    """
    async with opener() as device:
        assert device.name, "its name is empty; it is the spec that opens it"
        before = await _look(device, ACTIVE_WINDOW)
        await _look(device, WHOLE_DESKTOP)
        await _look_at_nothing(device)
        await _wait_and_be_cancelled(device)
        await _click_at_nothing(device)
        _same_names(before, await _look(device, ACTIVE_WINDOW))


async def _look(device: Device, subject: Subject) -> Look:
    look = await device.observe(subject)
    seen, picture = look.observation, look.pictures.get(look.observation.screen.sha256)
    assert picture is not None, f"observe({subject}) names a picture and does not give its bytes"
    assert hashlib.sha256(picture).hexdigest() == seen.screen.sha256, "the picture's hash is not that of its bytes"
    try:
        with Canvas.open(io.BytesIO(picture)) as canvas:
            assert canvas.size == tuple(seen.screen.size), f"the picture is {canvas.size}, not {seen.screen.size}"
            assert canvas.get_format_mimetype() == seen.screen.media_type, f"it is no {seen.screen.media_type}"
    except UnidentifiedImageError as error:
        raise AssertionError("the bytes of the picture are no picture") from error
    _consistent(look)
    return look


def _consistent(look: Look) -> None:
    seen = look.observation
    ids = [element.id for element in seen.elements]
    assert len({*ids, ""}) == len(ids) + 1, "elements share an id, or have none"
    before: set[str] = {""}
    for element in seen.elements:
        assert element.parent in before, f"the parent {element.parent!r} of {element.id} does not stand before it"
        assert element.role != "password" or not element.value, "the text of a password was read"
        before.add(element.id)
    windows = [window.id for window in seen.windows]
    assert len(set(windows)) == len(windows), "windows share an id"
    assert seen.window in ("", *windows), f"what was looked at, {seen.window!r}, is not among the windows"
    assert sum(window.active for window in seen.windows) <= 1, "several windows are active"


async def _look_at_nothing(device: Device) -> None:
    """A window that is not there is no reason to show another as if it were that."""
    try:
        seen = (await device.observe(OneWindow(id="no such window"))).observation
    except DeviceError:
        return
    assert seen.window != "no such window", "it says that it looked at a window that is not there"
    assert not seen.elements or seen.window, "there are elements, and it is not said of which window"


async def _wait_and_be_cancelled(device: Device) -> None:
    _a_result(await device.perform(Wait(seconds=0.01)))
    began = anyio.current_time()
    with anyio.move_on_after(0.05):
        await device.perform(Wait(seconds=60))
    took = anyio.current_time() - began
    assert took < AT_ONCE, f"an action that was cancelled went on for {took:.1f} s"


async def _click_at_nothing(device: Device) -> None:
    result = await device.perform(Click(target=OnElement(id="no such element")))
    _a_result(result)
    assert result.outcome == "failed", f"a click on an element that is not there was {result.outcome}"
    assert result.text, "a failed action says why, for the model to read"


def _a_result(result: object) -> None:
    assert isinstance(result, ActionResult), f"perform gave {type(result).__name__}, not an ActionResult"


def _same_names(before: Look, now: Look) -> None:
    """What is still there is called what it was called."""
    first, second = ({_what(e): e.id for e in look.observation.elements} for look in (before, now))
    renamed = [what for what, name in first.items() if second.get(what, name) != name]
    assert not renamed, f"elements have other ids in a second look, such as {renamed[0]}"


def _what(element: Element) -> tuple[str, str, Box, str]:
    return element.role, element.name, element.box, element.window


async def check_model(model: Model, request: ModelRequest | None = None) -> Reply:
    """Ask a model once and give its reply; then ask again and cancel that.

    Raises:
        AssertionError: it does not do what `deskhand.core.ports.Model` says.
    """
    assert model.name, "its name is empty"
    asked = request or ModelRequest(role="app", system="Answer.", turns=(Turn(speaker="user", text="Say yes."),))
    journal = MemoryJournal()
    try:
        reply: object = await model.ask(asked, journal)
    except ModelError as error:
        raise AssertionError(f"it has no answer: {error}") from error
    assert isinstance(reply, Reply), f"ask gave {type(reply).__name__}, not a Reply"
    assert min(reply.usage.input_tokens, reply.usage.output_tokens) >= 0, "it used less than nothing"
    began = anyio.current_time()
    with anyio.move_on_after(0.001):
        try:
            await model.ask(asked, journal)
        except ModelError:
            return reply  # one that has only so much to say
    took = anyio.current_time() - began
    assert took < AT_ONCE, f"a call that was cancelled went on for {took:.1f} s"
    return reply


def check_dialect(dialect: Dialect, role: Role = "app", replies: Sequence[str] = ()) -> None:
    """Let a dialect compose a request and read replies: `replies`, which hold decisions, and nonsense.

    Raises:
        AssertionError: it does not do what `deskhand.core.ports.Dialect` says.
    """
    assert dialect.name, "its name is empty"
    assert isinstance(dialect.marked, bool), "whether pictures show marks is yes or no"
    parts = _parts()
    request = dialect.compose(role, parts)
    assert request.role == role, f"the request is for the {request.role}, not for the {role}"
    assert request == dialect.compose(role, parts), "the same facts made another request: it is not pure"
    said = "\n".join((request.system, *(turn.text for turn in request.turns)))
    assert "buy milk" in said, "the request of the user is not in what the model is told"
    for text in replies:
        decision = dialect.parse(role, Reply(text=text), Frame(SIZE, SIZE))
        assert isinstance(decision, HostDecision if role == "host" else AppDecision), f"{text!r} gave {decision!r}"
    for text in NONSENSE:
        try:
            dialect.parse(role, Reply(text=text), Frame(SIZE, SIZE))
        except UnreadableReply as error:
            told = str(error)
            assert told, f"{text!r} is not readable, and it is not said why"


def _parts() -> tuple[Part, ...]:
    button = Element(id="e1", role="button", name="Save", box=Box.at(10, 10, 80, 20))
    picture = Image(sha256="0" * 64, size=SIZE)
    return RequestPart(text="buy milk"), ElementsPart(elements=(button,)), PicturePart(image=picture)
