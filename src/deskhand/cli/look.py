"""`deskhand look`: show what is on the screen, as agents are told it."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Set

from deskhand.cli.complaints import FAILED, FINISHED
from deskhand.cli.interrupt import run_until_interrupted
from deskhand.cli.overrides import settings_of
from deskhand.cli.pictures import check_pictures, write_pictures
from deskhand.cli.streams import say, say_json
from deskhand.core.geometry import Box
from deskhand.core.observation import ACTIVE_WINDOW, WHOLE_DESKTOP, Element, Look, Observation, OneWindow, Subject
from deskhand.core.ports import Device
from deskhand.core.secret import Secrets
from deskhand.perception.marks import COLOURS_IN_WORDS
from deskhand.wiring import open_device


def main(arguments: Namespace) -> int:
    settings = settings_of(arguments)
    check_pictures(arguments)
    perception = settings.perception
    if arguments.ocr:
        perception = perception.model_copy(update={"ocr": perception.ocr.model_copy(update={"when": "always"})})

    async def look() -> Look:
        async with open_device(settings.device, Secrets(settings.secrets), perception) as device:
            return await device.observe(await _subject(device, arguments))

    seen = run_until_interrupted(look)
    observation = seen.observation
    if arguments.window and not observation.window:
        none = f"no window has the id {arguments.window!r}, or that in its title or its application's name"
        observation = observation.model_copy(update={"truncated": none})
    roles = {e.role for e in observation.elements}
    wanted = tuple(e for e in observation.elements if _fits(e, arguments))
    if len(wanted) < len(observation.elements):
        observation = observation.model_copy(update={"elements": wanted})
    write_pictures(arguments, Look(observation, seen.pictures))
    if arguments.json:
        say_json(observation.model_dump(mode="json"), indent=1)
    else:
        say(*_lines(observation, roles, marked=bool(arguments.marks)))
    return FAILED if arguments.window and not observation.window else FINISHED


async def _subject(device: Device, arguments: Namespace) -> Subject:
    """Find the window that is meant: by its id, else by its title or application, the topmost of several."""
    wanted, special = arguments.window, {"alone": bool(arguments.window_picture), "hidden": arguments.all}
    if not wanted and not any(special.values()):
        return ACTIVE_WINDOW
    windows = (await device.observe(WHOLE_DESKTOP)).observation.windows
    if not wanted:
        active = next((each for each in windows if each.active), None)
        return OneWindow(id=active.id, **special) if active else ACTIVE_WINDOW
    if any(each.id == wanted for each in windows):
        return OneWindow(id=wanted, **special)
    part = wanted.casefold()
    found = [each for each in windows if part in each.title.casefold() or part in each.app.casefold()]
    return OneWindow(id=found[0].id if found else wanted, **special)


def _fits(element: Element, arguments: Namespace) -> bool:
    """Tell whether an element is one of those that are asked for."""
    return (
        arguments.role in (None, element.role)
        and (arguments.name or "").casefold() in element.name.casefold()
        and (not arguments.focused or "focused" in element.states)
    )


def _lines(seen: Observation, roles: Set[str], *, marked: bool) -> list[str]:
    """Write a look; `roles` are those of all elements there are, also where none is among those asked for."""
    lines = [f"screen {seen.screen.size.width}x{seen.screen.size.height}"]
    for monitor in seen.monitors:
        shown = monitor.box == Box.at(0, 0, *seen.screen.size)
        lines.append(f"{'*' if shown else ' '} monitor {monitor}")
    for window in seen.windows:
        marks = "*" if window.id == seen.window else " "
        lines.append(f"{marks} {window.id:10} {window.app:20} {window.title}")
    if seen.elements:
        lines += ["", f"{'id':6} {'role':16} {'box':23} name", *map(_row, seen.elements)]
        if marked:
            lines += ["", f"numbers in the picture are those of the ids; {COLOURS_IN_WORDS}"]
    elif roles:
        lines.append(f"no element fits; roles here: {', '.join(sorted(roles))}")
    elif not seen.truncated:
        lines.append("there are no elements" if seen.window else "no window is active, so there are no elements")
    return [*lines, *([seen.truncated] if seen.truncated else [])]


def _row(element: Element) -> str:
    box = ",".join(map(str, element.box))
    text = f"{element.name!r}" + (f" = {element.value!r}" if element.value else "")
    states = f" ({', '.join(element.states)})" if element.states else ""
    source = f" [{element.source}]" if element.source in ("ocr", "detector") else ""
    return f"{element.id:6} {element.role:16} {box:23} {text}{states}{source}"
