"""The tasks of OSWorld as their files say them, and why one can't run here."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from deskhand.core.errors import SettingsError

STEPS = frozenset({"launch", "execute", "command", "sleep", "open", "activate_window", "close_window"})
"""What a set-up may consist of; all others download, log in somewhere or need pages of the web."""
RESULTS = frozenset(
    {"vm_command_line", "vm_command_error", "vm_file", "cache_file", "content_from_vm_file", "rule", "bookmarks"}
    | {
        "gimp_config_file",
        "vlc_config",
        "default_search_engine",
        "profile_name",
        "chrome_font_size",
        "new_startup_page",
    }
    | {"data_delete_automacally", "enable_do_not_track", "enable_safe_browsing", "cookie_data", "history"}
)
"""What a judge may look at: files, and what commands print. Trees, live pages and recordings of a screen are not."""
ELSEWHERE = {
    r"\bgsettings\b|/run/user/1000": "it is about a session of GNOME, and a virtual desktop is none",
    r"\b(apt|apt-get|snap|pip|conda)\b": "it installs packages",
    r"\b(timedatectl|pactl|systemctl)\b": "it is about the machine itself, which a sandbox keeps as it is",
}
"""What commands must not be about, each with why."""
STAND_INS = {"google-chrome": "chromium", "sudo": "sh", "python": "python3"}
"""Programs under the names that tasks know, by what stands in for them here."""
HANDLED = frozenset({"socat", "pkill"})
"""Programs that are not started: nothing outside needs a port, and only what is on this desktop is ended."""


class Step(BaseModel):
    """A step of a set-up, or of what comes before the judge."""

    model_config = ConfigDict(frozen=True)

    type: str
    parameters: dict[str, Any] = {}

    @property
    def argv(self) -> list[str]:
        """Give its command as arguments.

        Raises:
            ValueError: it is a line for a shell that does more than start a program.
        """
        command = self.parameters.get("command", [])
        if isinstance(command, str):
            if re.search(r"[|&;<>$`\n()]", command):
                raise ValueError(command)
            words = shlex.split(command)
            return ["env", *words] if "=" in words[0] else words
        return [str(word) for word in command]


class OsTask(BaseModel):
    """A task's file."""

    model_config = ConfigDict(frozen=True)

    id: str
    instruction: str
    config: tuple[Step, ...] = ()
    evaluator: dict[str, Any]

    @property
    def afterwards(self) -> tuple[Step, ...]:
        """What is done before the judge looks."""
        return tuple(Step.model_validate(each) for each in self.evaluator.get("postconfig", ()))


class Named(NamedTuple):
    name: str
    task: OsTask


def read_tasks(folder: Path) -> tuple[Named, ...]:
    """Read every task in a folder, and in those below it, by the path of its file without the ending.

    Raises:
        SettingsError: there is no such folder, no task in it, or a file that cannot be read.
    """
    found = tuple(_tasks(folder)) if folder.is_dir() else ()
    if not found:
        raise SettingsError(f"{folder} holds no tasks of OSWorld: .json files with `instruction` and `evaluator`")
    return found


def _tasks(folder: Path) -> Iterator[Named]:
    for file in sorted(folder.rglob("*.json")):
        try:
            read = json.loads(file.read_text("utf-8"))
            if isinstance(read, dict) and {"instruction", "evaluator"} <= read.keys():
                yield Named(str(file.relative_to(folder).with_suffix("")), OsTask.model_validate(read))
        except (OSError, ValueError, ValidationError) as error:
            raise SettingsError(f"{file} cannot be read as a task of OSWorld: {error}") from error


def why_not(task: OsTask) -> str:
    """Say why a task cannot be set up or judged here, whatever judges there are; "" when it can."""
    steps = (*task.config, *task.afterwards)
    if task.evaluator.get("func") == "infeasible":
        return "it is to be refused; what an agent says of itself is not judged here"
    if foreign := sorted({step.type for step in steps} - STEPS):
        return f"its set-up needs {', '.join(foreign)}, which takes files or pages from the net"
    if unseen := sorted(set(_looked_at(task)) - RESULTS):
        return f"its judge looks at {', '.join(unseen)}, which is not served here"
    commands = json.dumps([step.parameters for step in steps] + [task.evaluator.get("result")])
    about = next((why for words, why in ELSEWHERE.items() if re.search(words, commands)), "")
    return about or next(filter(None, map(_not_startable, steps)), "")


def _looked_at(task: OsTask) -> Iterator[str]:
    for part in ("result", "expected"):
        given = task.evaluator.get(part) or ()
        yield from (str(each["type"]) for each in ([given] if isinstance(given, dict) else given) if each)


def _not_startable(step: Step) -> str:
    if "until" in step.parameters:
        return "its set-up repeats a command until something comes of it"
    if step.type == "launch":
        try:
            argv = step.argv
        except ValueError as error:
            return f"its set-up starts more than a program: {error}"
        return _not_there([word for word in argv if "=" not in word and word != "env"])
    return ""


def _not_there(argv: Sequence[str]) -> str:
    if not argv or argv[0] in HANDLED or shutil.which(STAND_INS.get(argv[0], argv[0])):
        return ""
    return f"{argv[0]} is not installed"
