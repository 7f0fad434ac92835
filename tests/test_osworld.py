from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deskhand.bench.osworld import OsWorld
from deskhand.bench.suites import SUITES
from deskhand.core.action import OpenApp, Write
from deskhand.core.errors import SettingsError
from deskhand.settings import Settings

PACKAGE = {
    "__init__.py": "",
    "evaluators/__init__.py": "",
    "evaluators/metrics/__init__.py": "raise ImportError('this needs a graphics card')",
    "evaluators/metrics/general.py": "def exact_match(result, rules): return float(result == rules['expected'])",
    "evaluators/metrics/sound.py": "import no_such_package\ndef alike(result): return 1.0",
    "evaluators/getters/misc.py": "def get_rule(env, config): return config['rules']",
    "evaluators/getters/general.py": """
import json
from urllib.request import Request, urlopen

def get_vm_command_line(env, config):
    print("what getters print is not the answer")
    asked = Request(f"http://{env.vm_ip}:{env.server_port}/execute", json.dumps(config).encode())
    return json.load(urlopen(asked))["output"]

def get_vm_file(env, config):
    return (env.controller.get_file(config["path"]) or b"").decode()
""",
}
"""A package that is laid out as desktop-env is."""
PROOF = "/var/tmp/deskhand-test-of-osworld"
CLICK = "import pyautogui; import time; pyautogui.click({SCREEN_WIDTH_HALF}, {SCREEN_HEIGHT_HALF}); time.sleep(0.1);"
RENAME: dict[str, Any] = {
    "id": "rename",
    "instruction": 'Rename the directory "todo_1" to "todo_2".',
    "config": [
        {"type": "execute", "parameters": {"command": "echo {CLIENT_PASSWORD} | sudo -S mkdir todo_1", "shell": True}},
        {"type": "execute", "parameters": {"command": f"touch {PROOF} || touch ~/walled", "shell": True}},
        {"type": "execute", "parameters": {"command": ["python", "-c", CLICK]}},
    ],
    "evaluator": {
        "func": ["exact_match", "exact_match"],
        "result": [
            {"type": "vm_command_line", "command": "cd /home/user && ls -d todo_* walled", "shell": True},
            {"type": "vm_file", "path": "/home/user/written"},
        ],
        "expected": [{"type": "rule", "rules": {"expected": text}} for text in ("todo_2\nwalled\n", "later\n")],
        "postconfig": [{"type": "execute", "parameters": {"command": "echo later > ~/written", "shell": True}}],
    },
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in PACKAGE.items():
        file = tmp_path / "packages/desktop_env" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.syspath_prepend(tmp_path / "packages")


def suite(folder: Path, *tasks: dict[str, Any]) -> OsWorld:
    for number, task in enumerate(tasks):
        file = folder / f"tasks/os/{task.get('id', number)}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(task))
    return OsWorld(Settings(), str(folder / "tasks"))


@pytest.mark.anyio
@pytest.mark.usefixtures("package")
async def test_a_task_is_set_up_behind_walls_and_judged_by_the_package(tmp_path: Path) -> None:
    tasks = suite(tmp_path, RENAME)
    assert (tasks.tasks, tasks.skipped) == (("os/rename",), {})

    async with tasks.posed("os/rename", 0, tmp_path / "attempt") as posed:
        before = await posed.check()
        opened = await posed.device.perform(OpenApp(app_name="xfce4-terminal"))
        await posed.device.perform(Write(message="mv ~/todo_1 ~/todo_2; exit\n"), opened.value)
        after = await posed.check()

    assert posed.request == RENAME["instruction"]
    assert (before.success, before.reward) == (False, 0)
    assert (after.success, after.reward) == (True, 1)
    assert not Path(PROOF).exists()


def changed(**changes: Any) -> dict[str, Any]:
    return {**RENAME, **changes}


def setting_up(kind: str, **parameters: Any) -> dict[str, Any]:
    return changed(config=[{"type": kind, "parameters": parameters}])


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("task", "why"),
    [
        (setting_up("download", files=[]), "download"),
        (setting_up("chrome_open_tabs", urls_to_open=["https://example.org"]), "chrome_open_tabs"),
        (setting_up("launch", command=["no-such-program"]), "no-such-program is not installed"),
        (setting_up("launch", command="vlc; rm -r /", shell=True), "more than a program"),
        (setting_up("execute", command=["gsettings", "set", "org.gnome.shell", "a", "b"]), "GNOME"),
        (setting_up("execute", command="sudo apt install jq", shell=True), "installs packages"),
        (changed(evaluator={"func": "infeasible"}), "refused"),
        (changed(evaluator={"func": "exact_match", "result": {"type": "page_info"}}), "page_info"),
        (changed(evaluator={"func": "alike", "result": {"type": "vm_file", "path": "a"}}), "no_such_package"),
        (changed(evaluator={"func": "guess", "result": {"type": "vm_file", "path": "a"}}), "has no guess"),
    ],
)
def test_what_cannot_run_here_is_named_with_why(task: dict[str, Any], why: str, tmp_path: Path) -> None:
    tasks = suite(tmp_path, task)

    assert tasks.tasks == ()
    assert why in tasks.skipped["os/rename"]


def test_without_the_package_it_says_how_to_install_it(tmp_path: Path) -> None:
    assert "pip install" in suite(tmp_path, RENAME).skipped["os/rename"]


@pytest.mark.parametrize(
    ("text", "says"), [("{", "cannot be read"), ("[]", "holds no tasks"), (None, "holds no tasks")]
)
def test_a_folder_without_tasks_is_refused(text: str | None, says: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "a.json").write_text(text)

    with pytest.raises(SettingsError, match=says):
        OsWorld(Settings(), str(tmp_path))


def test_it_needs_a_folder_and_says_that_it_gives_no_score() -> None:
    assert "no OSWorld score" in SUITES["osworld"].note
    with pytest.raises(SettingsError, match="deskhand bench osworld FOLDER"):
        OsWorld(Settings())
