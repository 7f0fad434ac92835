"""`deskhand look`: show what is on the screen, as agents are told it."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from deskhand.cli.complaints import FAILED, FINISHED
from deskhand.cli.interrupt import run_until_interrupted
from deskhand.cli.overrides import settings_of
from deskhand.cli.streams import say, say_json
from deskhand.core.errors import SettingsError
from deskhand.core.observation import ACTIVE_WINDOW, Element, Look, Observation, OneWindow
from deskhand.core.secret import Secrets
from deskhand.wiring import open_device


def main(arguments: Namespace) -> int:
    settings = settings_of(arguments)

    async def look() -> Look:
        async with open_device(settings.device, Secrets(settings.secrets), settings.perception) as device:
            return await device.observe(OneWindow(id=arguments.window) if arguments.window else ACTIVE_WINDOW)

    observation, pictures = run_until_interrupted(look)
    wanted = tuple(e for e in observation.elements if _fits(e, arguments))
    if len(wanted) < len(observation.elements):
        observation = observation.model_copy(update={"elements": wanted})
    if arguments.picture:
        _write(Path(arguments.picture), pictures[observation.screen.sha256])
    if arguments.json:
        say_json(observation.model_dump(mode="json"), indent=1)
    else:
        say(*_lines(observation))
    return FAILED if arguments.window and not observation.window else FINISHED


def _fits(element: Element, arguments: Namespace) -> bool:
    """Tell whether an element is one of those that are asked for."""
    return (
        arguments.role in (None, element.role)
        and (arguments.name or "").casefold() in element.name.casefold()
        and (not arguments.focused or "focused" in element.states)
    )


def _write(path: Path, picture: bytes) -> None:
    try:
        path.write_bytes(picture)
    except OSError as error:
        raise SettingsError(f"--picture {path}: {error.strerror}") from error


def _lines(seen: Observation) -> list[str]:
    lines = [f"screen {seen.screen.size.width}x{seen.screen.size.height}"]
    for window in seen.windows:
        marks = "*" if window.id == seen.window else " "
        lines.append(f"{marks} {window.id:10} {window.app:20} {window.title}")
    if seen.elements:
        lines += ["", f"{'id':6} {'role':16} {'box':23} name", *map(_row, seen.elements)]
    elif not seen.truncated:
        lines.append("no element fits" if seen.window else "no window is active, so there are no elements")
    return [*lines, *([seen.truncated] if seen.truncated else [])]


def _row(element: Element) -> str:
    box = ",".join(map(str, element.box))
    text = f"{element.name!r}" + (f" = {element.value!r}" if element.value else "")
    states = f" ({', '.join(element.states)})" if element.states else ""
    return f"{element.id:6} {element.role:16} {box:23} {text}{states}"
