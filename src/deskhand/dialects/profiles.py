"""What families of models count in when they point into a picture."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import NamedTuple

from deskhand.core.errors import SettingsError
from deskhand.core.geometry import PICTURE_PIXELS, RATIO, THOUSANDTHS, Size, Space


class Profile(NamedTuple):
    """How one family points."""

    name: str
    space: Space
    tool_space: Space | None = None
    """What it counts in when it answers with a call of a tool for using a computer, if that is something else."""


_FULL_HD = Space(fixed=Size(1920, 1080))
_SCALECUA = Space(factor=28)
_QWEN2_5 = Space(factor=28, max_pixels=12_845_056)

PROFILES = {
    profile.name: profile
    for profile in (
        Profile("scalecua", _SCALECUA, THOUSANDTHS),
        Profile("qwen2.5-vl", _QWEN2_5),
        Profile("qwen3-vl", THOUSANDTHS),
        Profile("qwen2-vl", THOUSANDTHS),
        Profile("ui-tars-1.5", Space(factor=28, min_pixels=78_400, max_pixels=12_845_056)),
        Profile("ui-tars", THOUSANDTHS),
        Profile("opencua", _QWEN2_5),
        Profile("internvl", THOUSANDTHS),
        Profile("glm-4.5v", THOUSANDTHS),
        Profile("1920x1080", _FULL_HD),
        Profile("0-1000", THOUSANDTHS),
        Profile("0-1", RATIO),
        Profile("pixels", PICTURE_PIXELS),
    )
}
"""The families that are known, by name; the last ones are the spaces themselves, for any other."""

SCALECUA = PROFILES["scalecua"]


def profile(name: str) -> Profile:
    """Find a profile.

    Raises:
        SettingsError: there is none of this name; a space is never guessed.
    """
    if (found := PROFILES.get(name.lower())) is not None:
        return found
    if size := re.fullmatch(r"([1-9]\d{0,4})x([1-9]\d{0,4})", name):
        return Profile(name, Space(fixed=Size(int(size[1]), int(size[2]))))
    near = get_close_matches(name.lower(), PROFILES, 1, 0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(PROFILES)}"
    raise SettingsError(f"there is no profile {name!r}; {hint}")
