"""`deskhand doctor`: each requirement, checked by really doing it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from argparse import Namespace
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from functools import partial

from deskhand.cli.complaints import FAILED, FINISHED
from deskhand.cli.interrupt import run_until_interrupted
from deskhand.cli.overrides import settings_of
from deskhand.cli.streams import say, say_json
from deskhand.core.action import Click, OnElement, OpenApp, Write
from deskhand.core.errors import DeviceError
from deskhand.core.observation import Element, OneWindow
from deskhand.core.ports import Device
from deskhand.devices.linux.desktops.own_screen import own_screen
from deskhand.devices.linux.desktops.packages import Package, packages
from deskhand.wiring import open_device

SPEC = "linux:virtual,size=1024x768"
EDITOR = "mousepad"
SAMPLE = "naïve – 你好 – 😀"
PYTHON = (3, 11)


@dataclass(frozen=True)
class Check:
    """One requirement. `fix` is the command that repairs it; one that is not `needed` fails nothing."""

    name: str
    ok: bool
    found: str
    fix: str = ""
    needed: bool = True


def main(arguments: Namespace) -> int:
    device = settings_of(arguments).device
    checks = _checks(device)
    if arguments.fix and (missing := [p.name for p in packages() if not p.present]):
        _install(missing)
        checks = _checks(device)
    if arguments.json:
        say_json({"ok": all(map(_passes, checks)), "checks": [asdict(check) for check in checks]})
    else:
        say(*map(_line, checks))
    return FINISHED if all(map(_passes, checks)) else FAILED


def _checks(device: str) -> list[Check]:
    version = sys.version_info[:2]
    wanted = ".".join(map(str, PYTHON))
    checks = [
        Check("python", version >= PYTHON, sys.version.split()[0], f"install Python {wanted}"),
        *(_package(p) for p in packages()),
    ]
    checks += run_until_interrupted(_desktop_checks)
    return checks + run_until_interrupted(partial(_own_screen_checks, device))


def _package(package: Package) -> Check:
    found = package.why if package.present else f"absent: {package.why}"
    return Check(f"package {package.name}", package.present, found, _install_command([package.name]), package.needed)


async def _own_screen_checks(spec: str) -> list[Check]:
    """Look at the user's own screen, if it is to be used, or there is one; it is needed in the first case only."""
    used = spec.partition(":")[0] == "linux" and not spec.startswith(("linux:virtual", "linux:desktop="))
    there = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if not (used or there):
        return []
    facts = await own_screen(spec if used else "linux", os.environ)
    return [Check(fact.name, fact.ok, fact.found, fact.fix, used and fact.vital) for fact in facts]


async def _desktop_checks() -> list[Check]:
    """Start a desktop and use it: each check needs the one before it."""
    try:
        async with open_device(SPEC) as device:
            up = Check("desktop", True, f"{device.name} is up")
            return [up, *await _until_one_fails(_uses(device))]
    except DeviceError as error:
        return [Check("desktop", False, str(error), "deskhand doctor --fix")]


async def _until_one_fails(checks: AsyncIterator[Check]) -> list[Check]:
    done = []
    async for check in checks:
        done.append(check)
        if not check.ok:
            break
    return done


async def _uses(device: Device) -> AsyncIterator[Check]:
    look = await device.observe()
    size = look.observation.screen.size
    picture = look.pictures[look.observation.screen.sha256]
    yield Check("picture", len(picture) > 100, f"{size.width}x{size.height}, {len(picture)} bytes", _reinstall("xvfb"))
    opened = await device.perform(OpenApp(app_name=EDITOR))
    yield Check("open an application", opened.outcome == "done", opened.text or EDITOR, _reinstall(EDITOR))
    seen = (await device.observe(OneWindow(id=opened.value))).observation
    field = next((e for e in seen.elements if e.role == "textbox"), None)
    found = seen.truncated or f"{len(seen.elements)} elements"
    yield Check("read the elements", field is not None, found, _reinstall("at-spi2-core"))
    assert field is not None  # a failed check is the last
    async for check in _inputs(device, opened.value, field):
        yield check


async def _inputs(device: Device, window: str, field: Element) -> AsyncIterator[Check]:
    typed = await device.perform(Write(message=SAMPLE, target=OnElement(id=field.id)), window)
    after = (await device.observe(OneWindow(id=window))).observation
    arrived = next((e.value for e in after.elements if e.id == field.id), "")
    yield Check("type text", arrived == SAMPLE, f"{typed.outcome}: {arrived!r} arrived", _reinstall("at-spi2-core"))
    menu = next((e for e in after.elements if e.role in ("menu", "menuitem")), None)
    if menu is None:
        yield Check("click", False, "the editor shows no menu to click", _reinstall(EDITOR))
        return
    await device.perform(Click(target=OnElement(id=menu.id)), window)
    open_ = (await device.observe(OneWindow(id=window))).observation
    more = len(open_.elements) > len(after.elements)
    yield Check("click", more, f"the menu {menu.name!r} {'opened' if more else 'did not open'}", _reinstall("xvfb"))


def _install_command(names: list[str]) -> str:
    return f"{'' if os.geteuid() == 0 else 'sudo '}apt-get install {' '.join(names)}"


def _reinstall(name: str) -> str:
    return _install_command(["--reinstall", name])


def _install(names: list[str]) -> None:
    before = [] if os.geteuid() == 0 else ["sudo"]
    apt = shutil.which("apt-get")
    if apt is None:
        print(f"deskhand: there is no apt-get here; install what corresponds to {' '.join(names)}", file=sys.stderr)
        return
    for arguments in (["update"], ["install", "--yes", "--no-install-recommends", *names]):
        subprocess.run([*before, apt, "-qq", *arguments], stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)


def _passes(check: Check) -> bool:
    return check.ok or not check.needed


def _line(check: Check) -> str:
    mark = "ok  " if check.ok else "FAIL" if check.needed else "none"
    return f"{mark} {check.name}: {check.found}" + ("" if check.ok else f"\n     repair with: {check.fix}")
