from __future__ import annotations

from pathlib import Path

import pytest

from deskhand.bench.attempt import Case
from deskhand.bench.desktop import DesktopSuite
from deskhand.bench.desktop.tasks import GOALS, TASKS
from deskhand.bench.trying import attempted
from deskhand.core.errors import SettingsError
from deskhand.settings import Settings

SOLVED = Settings(model="deskhand.bench.desktop:Solution", yes=True)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
@pytest.mark.parametrize("name", ["editor-line-numbers", "terminal-count", "calculator-bill"])
async def test_a_task_is_not_done_until_it_is_done_and_leaves_nothing_behind(name: str, tmp_path: Path) -> None:
    suite = DesktopSuite(SOLVED)

    attempt, whole = await attempted(Case(task=name, seed=0), suite, tmp_path, SOLVED)
    async with suite.posed(name, 0, tmp_path) as posed:
        again = await posed.check()

    assert (attempt.reward, attempt.reason, whole) == (1, "", True)
    assert (again.success, again.reward) == (False, 0)
    assert again.reason


def test_there_are_enough_tasks_each_with_words_and_a_solution_of_its_own() -> None:
    assert len(GOALS) >= 30
    assert len({task.name for task in TASKS}) == len({task.request for task in TASKS}) == len(TASKS)
    assert all(part.steps for task in TASKS for part in task.solution)


def test_tasks_that_cannot_run_here_are_named_with_why() -> None:
    suite = DesktopSuite(SOLVED)

    assert {*suite.tasks} | suite.skipped.keys() == {task.name for task in TASKS}
    assert not {*suite.tasks} & suite.skipped.keys()
    assert all("apt-get install" in why for why in suite.skipped.values())


@pytest.mark.parametrize("device", ["linux", "linux:display=:0", "browser"])
def test_nobodys_own_files_and_settings_are_used(device: str) -> None:
    with pytest.raises(SettingsError, match=r"linux:virtual|no Linux desktop"):
        DesktopSuite(Settings(device=device))


def test_it_takes_no_folder() -> None:
    with pytest.raises(SettingsError, match="takes no folder"):
        DesktopSuite(SOLVED, "/tmp")
