"""Requests that are carried out in a shell."""

from __future__ import annotations

import json
from pathlib import Path

import anyio
import pytest

import deskhand
from deskhand.agents.shell import LinuxAgent, LinuxAgentStateManager
from deskhand.core.action import ActionResult, CallTool, RunCommand
from deskhand.core.errors import SettingsError, ToolFailed
from deskhand.core.event import Decided, Noted, Record
from deskhand.core.message import AnswersPart, HistoryPart, ModelRequest, PastStep, SubtaskPart
from deskhand.core.observation import Image
from deskhand.core.plan import Plan
from deskhand.core.secret import Secrets
from deskhand.core.status import AgentStatus, RunOutcome
from deskhand.journal.file import read_records
from deskhand.journal.view import View
from deskhand.models.literal import LiteralModel
from deskhand.processors.policy import Policy
from deskhand.processors.rules import Rule
from deskhand.session.session import SessionResult
from deskhand.settings import load
from deskhand.testing import ScriptedUser
from deskhand.tools.shell import ShellTool
from deskhand.viewer.page import write_page
from deskhand.wiring import open_device


class NoPictures:
    def read(self, image: Image) -> bytes:
        raise AssertionError(f"{image} was asked for")


def carried_out(request: str, folder: Path, run_dir: Path, *options: str) -> SessionResult:
    settings = load([f"device=shell:cwd={folder}", *options], {}, folder)

    async def main() -> SessionResult:
        return await deskhand.run(request, settings=settings, user=ScriptedUser(), run_dir=run_dir)

    return anyio.run(main)


def command_of(request: str) -> str:
    """The command that the built-in model begins with; "" when it cannot read the request."""
    task = SubtaskPart(text=request, application="shell", window="shell")
    asked = ModelRequest(role="app", parts=(task, HistoryPart(steps=())))
    reply = json.loads(anyio.run(LiteralModel().ask, asked, NoPictures()).text)
    actions = reply.get("action", [])
    return actions[0]["arguments"]["command"] if actions else ""


@pytest.mark.parametrize(
    ("english", "german", "chinese", "command"),
    [
        ("list the files in sub", "liste die Dateien in sub auf", "列出sub中的文件", "ls -l -- sub"),
        ("count the lines in a.txt", "zähle die Zeilen in a.txt", "统计a.txt的行数", "wc -l < a.txt"),
        ("show a.txt", "zeige a.txt", "显示a.txt的内容", "cat -- a.txt"),
        ("move a.txt to sub", "verschiebe a.txt nach sub", "把a.txt移动到sub", "mv -v -n -- a.txt sub"),
        ("rename a.txt to b", "benenne a.txt in b um", "把a.txt重命名为b", "mv -v -n -- a.txt b"),
        ("copy a.txt to b", "kopiere a.txt nach b", "把a.txt复制到b", "cp -r -v -n -- a.txt b"),
        ("archive sub as x.tar", "archiviere sub als x.tar", "把sub打包成x.tar", "tar -c -f - -- sub > x.tar"),
        ("zip sub into x.zip", "packe sub als x.zip", "把sub压缩成x.zip", "zip -q -r - sub > x.zip"),
        ("unzip x.zip", "entpacke x.zip", "解压x.zip", "unzip -n x.zip -d ."),
        ("find a.txt in sub", "finde a.txt in sub", "在sub中查找a.txt", "find sub -iname '*a.txt*'"),
        ("delete a.txt", "lösche a.txt", "删除a.txt", "rm -- a.txt"),
        ("install htop", "installiere htop", "安装htop", "sudo -n apt-get install -y -- htop"),
        ("list the files here", "liste die Dateien hier auf", "列出当前目录中的文件", "ls -l -- ."),
        (
            "how many files are in this folder?",
            "wie viele Dateien sind in diesem Ordner?",
            "当前文件夹里有多少个文件",
            "find . -maxdepth 1 -type f | wc -l",
        ),
        ('write "a b" into c.txt', "schreibe „a b“ in c.txt", "把“a b”写入c.txt", "printf '%s\\n' 'a b' > c.txt"),
        ("append x to c.txt", "füge x zu c.txt hinzu", "把x追加到c.txt", "printf '%s\\n' x >> c.txt"),
    ],
)
def test_the_same_is_read_in_three_languages(english: str, german: str, chinese: str, command: str) -> None:
    assert [command_of(english), command_of(german), command_of(chinese)] == [command] * 3


@pytest.mark.parametrize("name", ["a; rm -rf ~", "$(touch x)", "`id`", "-rf", "a'b", "a\nb", "> out", "*", "&"])
def test_nothing_of_a_request_reaches_the_shell_unquoted(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("what it holds")

    result = carried_out(f"show “{name}”", tmp_path, tmp_path / "run")

    assert (result.outcome, result.answer) == (RunOutcome.FINISHED, "what it holds")
    assert not (tmp_path / "x").exists()


def test_several_clauses_are_done_one_after_the_other(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1\n2\n3\n")

    request = "create a folder called new, then copy a.txt to new; count the lines in new/a.txt"
    result = carried_out(request, tmp_path, tmp_path / "run")

    assert (result.outcome, result.answer) == (RunOutcome.FINISHED, "3")
    view = View.of(read_records(tmp_path / "run"))
    assert [step.agent for step in view.rounds[0].steps] == ["LinuxAgent"] * 4
    assert all(act.result is not None for step in view.rounds[0].steps for act in step.acts)
    assert "mkdir -p -- new" in write_page(tmp_path / "run").read_text()


def test_what_cannot_be_read_is_said_before_anything_is_done(tmp_path: Path) -> None:
    result = carried_out("create a folder called new, then book a flight", tmp_path, tmp_path / "run")

    assert result.outcome is RunOutcome.FAILED
    assert "“book a flight” cannot be read" in str(result.answer)
    assert "“create a folder called new”" in str(result.answer)
    assert not (tmp_path / "new").exists()


def test_without_leave_nothing_is_deleted(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1")

    refused = carried_out("delete a.txt", tmp_path, tmp_path / "one")
    assert refused.outcome is RunOutcome.FAILED
    assert (tmp_path / "a.txt").exists()
    assert [j.rule for s in View.of(read_records(tmp_path / "one")).rounds[0].steps for j in s.judged] == ["deleting"]

    allowed = carried_out("delete a.txt", tmp_path, tmp_path / "two", "yes=true")
    assert allowed.outcome is RunOutcome.FINISHED
    assert not (tmp_path / "a.txt").exists()


def test_what_is_in_the_place_already_is_not_replaced_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    (tmp_path / "b").write_text("2")

    result = carried_out("copy a to b", tmp_path, tmp_path / "run")

    assert result.outcome is RunOutcome.FAILED
    assert "nothing was moved or copied" in str(result.answer)
    assert (tmp_path / "b").read_text() == "2"


def test_a_command_of_the_tool_is_judged_as_any_other() -> None:
    def verdict(command: str, *rules: Rule) -> str:
        tool = Policy(rules).judge(CallTool(tool="shell", arguments={"command": command}), None).verdict
        assert Policy(rules).judge(RunCommand(command=command), None).verdict == tool
        return tool

    mine = Rule(name="mine", verdict="allow", text="^git push$")
    assert verdict("ls") == "allow"
    assert verdict("rm a") == "ask"
    assert verdict("git push") == "ask"
    assert verdict("git push", mine) == "allow"
    assert verdict("rm -rf /", Rule(name="mine", verdict="allow")) == "deny"
    assert verdict("git push; rm a", Rule(name="mine", verdict="allow", text="git push")) == "ask"
    assert verdict("ls", Rule(name="none", verdict="deny", text="ls")) == "deny"


def test_a_shell_agent_has_states_of_its_own() -> None:
    agent = LinuxAgent()

    for status in set(AgentStatus) - {AgentStatus.ASSIGN}:
        agent.set_state(LinuxAgentStateManager.get_state(status))
        assert agent.state.name() is status
        assert agent.state.agent_class() is LinuxAgent


def test_a_failed_command_is_told_with_what_it_printed() -> None:
    task = SubtaskPart(text="show a.txt", application="shell", window="shell")
    failed = ActionResult(outcome="failed", text="exit code 1", value="cat: a.txt: No such file or directory")
    step = PastStep(step=1, actions=(RunCommand(command="cat -- a.txt"),), results=(failed,))
    asked = ModelRequest(role="app", parts=(task, HistoryPart(steps=(step,))))

    reply = json.loads(anyio.run(LiteralModel().ask, asked, NoPictures()).text)

    assert reply["status"] == "FAIL"
    assert "No such file" in reply["result"]


@pytest.mark.parametrize(
    ("cut", "answer", "status", "next_"),
    [
        ("mkdir -p -- new", "", "PENDING", "$ mkdir -p -- new was begun and cut off. Is it done?"),
        ("mkdir -p -- new", "yes", "CONTINUE", "ls -l -- new"),
        ("mkdir -p -- new", "no", "CONTINUE", "mkdir -p -- new"),
        ("find . -iname x", "", "CONTINUE", "mkdir -p -- new"),
    ],
)
def test_a_command_that_was_cut_off_is_asked_about_unless_it_only_reads(
    cut: str, answer: str, status: str, next_: str
) -> None:
    task = SubtaskPart(text="create a folder called new, then list new", application="shell", window="shell")
    parts = (task, HistoryPart(steps=(PastStep(step=1, actions=(RunCommand(command=cut),)),)))
    asked = ModelRequest(role="app", parts=parts)
    reply = json.loads(anyio.run(LiteralModel().ask, asked, NoPictures()).text)
    if answer:
        answered = AnswersPart(answers=((reply["questions"][0], answer),))
        again = asked.model_copy(update={"parts": (*parts, answered)})
        reply = json.loads(anyio.run(LiteralModel().ask, again, NoPictures()).text)

    assert reply["status"] == status
    assert next_ in str(reply.get("questions") or reply["action"][0]["arguments"]["command"])


def test_a_plan_is_followed_in_a_shell_and_what_cannot_be_done_is_asked_about(tmp_path: Path) -> None:
    steps = ("create a folder called new", "show b.txt", "count the files in .")
    plan = Plan(task="tidy", steps=steps)
    settings = load([f"device=shell:cwd={tmp_path}"], {}, tmp_path)
    user = ScriptedUser(answers=['write "hello" into b.txt'])

    async def main(plan: Plan, run_dir: str) -> SessionResult:
        return await deskhand.run(plan, settings=settings, user=user, run_dir=tmp_path / run_dir)

    result = anyio.run(main, plan, "run")

    assert (result.outcome, result.answer, result.rounds) == (RunOutcome.FINISHED, "1", 3)
    assert "step 2 of 3 could not be done (exit code 1" in user.asked[0]
    assert (tmp_path / "b.txt").read_text() == "hello\n"
    with pytest.raises(SettingsError, match="holds a NUL character"):
        anyio.run(main, plan.model_copy(update={"steps": ("show a\0b",)}), "nul")


def test_a_resumed_shell_says_that_it_is_a_new_one(tmp_path: Path) -> None:
    settings = load([f"device=shell:cwd={tmp_path}"], {}, tmp_path)

    async def main() -> SessionResult:
        with anyio.CancelScope() as scope:

            def cut(record: Record) -> None:
                if isinstance(record.event, Decided):
                    scope.cancel()

            await deskhand.run("list the files", settings=settings, run_dir=tmp_path / "run", listeners=[cut])
        async with deskhand.reopen_session(tmp_path / "run", settings=settings) as (session, fresh):
            return await session.resume(fresh=fresh)

    assert anyio.run(main).outcome is RunOutcome.FINISHED
    notes = [r for r in read_records(tmp_path / "run") if isinstance(r.event, Noted)]
    assert (notes[0].scope.agent, "variables" in str(notes[0].event)) == ("LinuxAgent", True)


def test_an_agent_of_a_desktop_runs_commands_where_that_is_set(tmp_path: Path) -> None:
    async def main() -> tuple[str, str]:
        async with open_device(f"shell:cwd={tmp_path}", Secrets({"pin": "s3cret-value"})) as device:
            tool = ShellTool(device)
            assert tool.about.name == "shell"
            said = await tool.call({"command": "x=5; echo $x {{secret:pin}}", "seconds": 5})
            with pytest.raises(ToolFailed, match="exit code 3"):
                await tool.call({"command": "(exit 3)"})
            with pytest.raises(ToolFailed, match="takes no cwd"):
                await tool.call({"command": "ls", "cwd": "/"})
            with pytest.raises(ToolFailed, match="command"):
                await tool.call({})
            return said, await tool.call({"command": "echo $x"})

    assert anyio.run(main) == ("5 {{secret:pin}}\n", "5\n")


def test_what_is_set_as_a_shell_and_is_none_is_said(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="shell=linux"):
        carried_out("show a.txt", tmp_path, tmp_path / "run", "shell=linux")
