"""What is known about families of models: the one table of how each is asked, and what it counts in when it points."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from deskhand.core.errors import SettingsError
from deskhand.core.geometry import PICTURE_PIXELS, RATIO, THOUSANDTHS, Size, Space
from deskhand.core.nearest import hint


class Family(NamedTuple):
    """How the models of a family are best asked, and how they point."""

    name: str
    space: Space = PICTURE_PIXELS
    pattern: str = ""
    """A regular expression that the names of its models match, in lower case; "" for a space without a family."""
    dialect: Literal[
        "json", "native", "plan", "marks", "tool_call", "thought_action", "pyautogui", "objects", "computer"
    ] = "json"
    """The one it is asked in unless the settings name another."""
    words: str = ""
    """Whose words for actions it says in the dialect of its own form, where that is not `name`."""
    stop: tuple[str, ...] = ()
    """Where its replies are cut off in that dialect: what it would go on to make up."""
    pictures: int = 1
    """How many of the last pictures it is shown in that dialect, that of now included."""
    tool_space: Space | None = None
    """What it counts in when it answers with a call of a tool for using a computer, if that is something else."""
    sends_temperature: bool = True
    own_tool: bool = False
    """Whether its service has a tool of its own for using a computer, so that none of it is told in words."""

    @property
    def coordinates(self) -> str:
        """Say what it counts in."""
        if self.space.fixed is None:
            return "pixels as resized for it" if self.space.factor else "pixels"
        return self.space.name or "x".join(map(str, self.space.fixed))


_RESIZED = Space(factor=28)
_QWEN2_5 = Space(factor=28, max_pixels=12_845_056)
_UI_TARS_1_5 = Space(factor=28, min_pixels=78_400, max_pixels=12_845_056)
_GTA1 = Space(factor=28, max_pixels=4096 * 2160, floor=True)
ANTHROPIC = Space(factor=28, longest=1568, patches=1568)
"""What the service takes without making it smaller itself, which would move every point."""
_TO_999 = Space(fixed=Size(999, 999))

FAMILIES = {
    family.name: family
    for family in (
        Family("scalecua", _RESIZED, r"scale-?cua", "native", tool_space=THOUSANDTHS),
        Family("ui-tars-1.5", _UI_TARS_1_5, r"ui-?tars-1\.5", "thought_action", pictures=5),
        Family("ui-tars-2", THOUSANDTHS, r"ui-?tars-?2(?!\d)|seed-1\.[5-9]", "tool_call", pictures=5),
        Family("ui-tars", THOUSANDTHS, r"ui-?tars", "thought_action", pictures=5),
        Family("opencua", _QWEN2_5, r"opencua", "pyautogui", pictures=3),
        Family("fara", _QWEN2_5, r"fara", "tool_call", pictures=3),
        Family("mai-ui", _TO_999, r"mai-?ui", "tool_call", pictures=3),
        Family("autoglm-phone", THOUSANDTHS, r"autoglm-?phone", "pyautogui"),
        Family("autoglm", THOUSANDTHS, r"autoglm", "pyautogui"),
        Family("qwen2.5-vl", _QWEN2_5, r"qwen-?2\.5-?vl", words="qwen", pictures=4),
        Family("qwen2-vl", THOUSANDTHS, r"qwen-?2-?vl", words="qwen"),
        Family("qwen3.5", _TO_999, r"qwen-?3\.[5-9]", pictures=20),
        Family("qwen3-vl", THOUSANDTHS, r"qwen-?3", words="qwen", pictures=4),
        Family("glm-v", THOUSANDTHS, r"glm-?\d(?:\.\d)?v", pictures=5),
        Family("internvl", THOUSANDTHS, r"internvl"),
        Family("gemini-computer", THOUSANDTHS, r"^gemini-computer:", "tool_call", "gemini", pictures=4, own_tool=True),
        Family("gemini", THOUSANDTHS, r"gemini", pictures=3),
        Family("minimax", THOUSANDTHS, r"minimax", stop=("</tool_call>",)),
        Family("yutori", THOUSANDTHS, r"yutori", "tool_call"),
        Family("kimi", RATIO, r"kimi", words="opencua", pictures=3),
        Family("moondream", RATIO, r"moondream"),
        Family("holo1.5", _QWEN2_5, r"holo-?1"),
        Family("holo", THOUSANDTHS, r"\bholo-?\d"),
        Family("gta1", _GTA1, r"gta-?1"),
        Family("gelato", _QWEN2_5, r"gelato|ui-?ins"),
        Family("agent-s3", pattern=r"agent-?s3", dialect="pyautogui"),
        Family("browser-use", pattern=r"browser-?use|\bbu-\d", dialect="objects"),
        Family("omniparser", pattern=r"omniparser", dialect="objects"),
        Family("android_world", pattern=r"android_?world", dialect="objects"),
        Family("mobilerun", THOUSANDTHS, r"mobilerun|droidrun", "tool_call", stop=("</function_calls>",)),
        Family("ufo", RATIO, r"\bufo\b", "objects"),
        Family("gym-anything", pattern=r"gym-anything", dialect="objects"),
        Family(
            "openai-computer",
            pattern=r"^openai-computer:",
            dialect="tool_call",
            words="openai",
            pictures=4,
            own_tool=True,
        ),
        Family(
            "computer-use",
            pattern=r"computer-use-preview",
            dialect="tool_call",
            words="openai",
            sends_temperature=False,
        ),
        Family("anthropic-computer", ANTHROPIC, r"^anthropic-computer:", "computer", pictures=11),
        Family("gpt-5", pattern=r"gpt-5|\bo[134](?:-|$)", sends_temperature=False, words="openai"),
        Family("gpt", pattern=r"gpt", words="openai"),
        Family("claude", pattern=r"claude", words="anthropic"),
    )
}
"""The families that are known, by name; a model's is the first that its name matches."""

SPACES = {
    family.name: family
    for family in (
        Family("pixels"),
        Family("0-1000", THOUSANDTHS),
        Family("0-1", RATIO),
        Family("1920x1080", Space(fixed=Size(1920, 1080))),
    )
}
"""The spaces themselves, for a model of any other family; so is any size, written like the last."""

ANY = Family("any")
"""For models of no known family; that they point at the pixels of the picture is a guess."""

SCALECUA = FAMILIES["scalecua"]


def family_of(model: str) -> Family:
    """Give the family that a spec or a model's name belongs to."""
    name = model.lower()
    return next((family for family in FAMILIES.values() if re.search(family.pattern, name)), ANY)


def family_called(name: str) -> Family:
    """Find a family, or a space, by its own name or by that of one of its models.

    Raises:
        SettingsError: there is none of this name; a space is never guessed.
    """
    known = FAMILIES | SPACES | {ANY.name: ANY}
    if (found := known.get(name.lower())) is not None:
        return found
    if size := Size.read(name):
        return Family(name, Space(fixed=size))
    if (family := family_of(name)) is not ANY:
        return family
    raise SettingsError(f"there is no profile {name!r}; {hint(name.lower(), known)}")
