"""The parts of a date or time in a page: numbers of their own, in the order and with the limits of its language."""

from __future__ import annotations

from typing import NamedTuple

from deskhand.devices.linux.accessibility.acts import Control, grab_focus
from deskhand.devices.linux.accessibility.choices import list_options
from deskhand.devices.linux.accessibility.protocol import VALUE, Ref, prop, real_of
from deskhand.devices.linux.accessibility.roles import Role

_TOLD = ("MinimumValue", "MaximumValue", "CurrentValue")


class Part(NamedTuple):
    """A number of a date or time."""

    ref: Ref
    lowest: int
    highest: int
    now: int
    """0 where nothing was entered yet."""


def list_parts(control: Control) -> list[Part]:
    """List the parts of a date or time, as they stand; none of what has none."""
    refs = [option.ref for option in list_options(control) if option.role == Role.SPIN_BUTTON]
    calls = [prop(ref, VALUE, name) for ref in refs for name in _TOLD]
    numbers = [int(real_of(answer) or 0) for answer in control.program.line.calls(calls, control.until)]
    return [Part(ref, *numbers[3 * at : 3 * at + 3]) for at, ref in enumerate(refs)]


def focus_part(control: Control, part: Part) -> bool:
    """Give the keyboard to a part, in which a number then begins anew; true when it has it."""
    return grab_focus(control._replace(ref=part.ref, role=Role.SPIN_BUTTON))
