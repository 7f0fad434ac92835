"""Models of the user's own: classes in a module of the current folder, with whatever is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command import deskhand

MODULE = """
from deskhand.core.message import Reply

class Good:
    name = "good"
    async def ask(self, request, pictures):
        import beside
        return Reply(text=beside.WORD)

class Texts:
    async def ask(self, request, pictures):
        return "click(x=1, y=2)"

class Raises:
    async def ask(self, request, pictures):
        raise KeyError("colour")

class Waits:
    def ask(self, request, pictures):
        return Reply(text="now")

class Wants:
    def __init__(self, key):
        self.key = key
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(MODULE)
    (tmp_path / "beside.py").write_text("WORD = 'ready'")
    (tmp_path / "broken.py").write_text("import not_installed_here")
    (tmp_path / "falls.py").write_text("1 / 0")
    return tmp_path


def test_a_class_in_the_current_folder_is_a_model_and_may_import_what_lies_beside_it(folder: Path) -> None:
    done = deskhand("models", "test", "mine:Good", home=folder)

    assert "ok   text: it answers 'ready'" in done.stdout


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("mine:Texts", "mine:Texts answered with a str; `ask` gives a deskhand.core.message.Reply"),
        ("mine:Raises", "mine:Raises raised KeyError: 'colour'"),
    ],
)
def test_an_answer_that_is_none_is_said_with_the_models_name(spec: str, said: str, folder: Path) -> None:
    done = deskhand("models", "test", spec, home=folder)

    assert done.returncode == 4
    assert said in done.stdout


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("mine:Waits", "it has no `async def ask(self, request, pictures)`"),
        ("mine:Wants", "making it raised TypeError"),
        ("mine:Nobody", "the module mine has no Nobody"),
        ("broken:Model", "its module cannot be imported: No module named 'not_installed_here'"),
        ("falls:Model", "its module cannot be imported: ZeroDivisionError: division by zero"),
        ("absent:Model", "absent is no module here either"),
        ("absent.inner:Model", "there is no module absent, neither installed nor in the current folder"),
        ("mine", "or module:Name of your own"),
        ("literal", "it reads what is to be done by rules"),
    ],
)
def test_what_is_no_model_is_said_before_anything_starts(spec: str, said: str, folder: Path) -> None:
    done = deskhand("models", "test", spec, home=folder)

    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("agent", ["native", "workflow"])
def test_an_agent_that_needs_a_model_of_language_is_refused_before_a_desktop_is_opened(
    agent: str, folder: Path
) -> None:
    done = deskhand("run", "hello", "--agent", agent, "--run-dir", "run", home=folder)

    assert (done.returncode, done.stdout) == (2, "")
    assert f"the agent {agent} needs a model of language" in done.stderr
    assert not (folder / "run").exists()
