"""Faults that users met in what guards other systems, by the number of their report."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import anyio
import pytest

from deskhand.core.action import Action, OpenUrl, Press, Write
from deskhand.core.event import Judged, SessionEnded
from deskhand.core.secret import Secrets
from deskhand.core.status import RunOutcome
from deskhand.devices.wrappers import SecretsDevice
from deskhand.journal.file import FileJournal
from deskhand.processors.context import Context
from deskhand.processors.gate import PolicyGate
from deskhand.processors.limits import Limits
from deskhand.processors.policy import Policy
from deskhand.processors.rules import Rule
from deskhand.session.session import SessionResult
from deskhand.testing import PaperDesk, ScriptedModel, ScriptedUser
from tests.paper import app, click, context, events, host, one_subtask, session, write

PASSWORD = "S3cr3t-Ω!"
SECRETS = Secrets({"pw": PASSWORD})


def run(made: Context) -> SessionResult:
    return anyio.run(session(made).run)


class Absent(ScriptedUser):
    """Somebody who cannot be asked, in one of several ways."""

    def __init__(self, error: Exception | None) -> None:
        super().__init__()
        self._error = error

    async def confirm(self, question: str) -> bool | None:
        if self._error is None:
            await anyio.sleep_forever()
        raise self._error or AssertionError


@pytest.mark.parametrize("status", ["CONTINUE", "CONFIRM"])
@pytest.mark.parametrize("error", [RuntimeError("broken"), OSError("no terminal"), TimeoutError()], ids=repr)
def test_r123_a_fault_in_asking_for_leave_is_no_leave(status: str, error: Exception) -> None:
    desk = PaperDesk()
    made = context(one_subtask(app(status, click("e102")), app("FINISH")), desk=desk, user=Absent(error))

    assert run(made).outcome is RunOutcome.FINISHED
    assert desk.windows[0].presses == 0
    if status == "CONTINUE":
        assert [(j.allowed, j.by) for j in events(made, Judged)] == [(False, "nobody there")]


def test_r123_an_answer_that_never_comes_is_no_leave() -> None:
    desk = PaperDesk()
    made = context(
        one_subtask(app("CONTINUE", click("e102"))), desk=desk, user=Absent(None), limits=Limits(seconds=0.2)
    )

    assert run(made).outcome is RunOutcome.LIMIT
    assert desk.windows[0].presses == 0


def test_r123_without_a_user_nothing_that_needs_leave_is_done() -> None:
    desk = PaperDesk()
    made = context(one_subtask(app("CONTINUE", click("e102")), app("FINISH")), desk=desk)
    run(made)

    assert desk.windows[0].presses == 0


DELETE_AT = ("click", {"x": 33, "y": 25})
"""The place of the button that is called Delete."""


@pytest.mark.parametrize(
    ("rule", "action"),
    [
        (Rule(name="mine", verdict="ask", application="editor", action=("press",)), ("press", {"keys": ["a"]})),
        (Rule(name="mine", verdict="ask", keys="ctrl+q"), ("hotkey", {"args": ["ctrl", "q"]})),
        (Rule(name="mine", verdict="ask", text="rm -rf"), write("rm -rf /")),
        (Rule(name="mine", verdict="ask", text="Delete|Pay|Send", role=("button",)), click("e102")),
        (Rule(name="mine", verdict="ask", text="Delete|Pay|Send", role=("button",)), DELETE_AT),
    ],
    ids=["application", "chord", "text", "button", "button at a point"],
)
def test_r124_rules_of_the_user_ask_with_the_exact_target_and_hold_for_one_action(
    rule: Rule, action: tuple[str, dict[str, object]]
) -> None:
    user = ScriptedUser(confirms=[True, False])
    desk = PaperDesk()
    steps = [app("CONTINUE", action), app("CONTINUE", write("x")), app("CONTINUE", action), app("FINISH")]
    model = one_subtask(*steps)
    made = context(model, desk=desk, user=user, rules=(rule,))

    assert run(made).outcome is RunOutcome.FINISHED
    assert len([a for a in desk.done if a.kind == action[0] and a != Write(message="x")]) == 1
    assert len(user.asked) == 2
    told = {"write": "write 'rm -rf /'", "click": "button 'Delete'", "press": "'a'", "hotkey": "'ctrl+q'"}[action[0]]
    assert told in user.asked[0]
    assert "in 'editor - paper'" in user.asked[0]
    judged = [(j.rule, j.allowed, j.by) for j in events(made, Judged)]
    assert judged == [("mine", True, "user"), ("mine", False, "user")]
    assert "mine was refused" in model.requests[4].model_dump_json()


@pytest.mark.parametrize("action", [click("e102"), DELETE_AT], ids=["element", "point"])
def test_r124_what_is_to_be_confirmed_is_named_exactly(action: tuple[str, dict[str, object]]) -> None:
    user = ScriptedUser(confirms=[True])
    made = context(one_subtask(app("CONFIRM", action, thought="Away with it"), app("FINISH")), user=user)
    run(made)

    assert "click on button 'Delete'" in user.asked[0]
    assert "in 'editor - paper' - Away with it - go ahead?" in user.asked[0]


def test_r124_the_question_says_where_the_screen_can_be_looked_at(tmp_path: Path) -> None:
    asked = PolicyGate(
        Policy(), user := ScriptedUser(confirms=[True]), lambda _: None, album=tmp_path / "blobs"
    ).refusal
    seen = anyio.run(PaperDesk().observe).observation

    assert anyio.run(asked, Press(keys=("shift+delete",)), seen, "") == ""
    assert user.asked == [
        f"deleting: press 'shift+delete' - go ahead? (the screen: {tmp_path}/blobs/{seen.screen.sha256})"
    ]


def on_login(title: str, message: str) -> tuple[str, Context]:
    """Write into a window of this title, where a secret may only go into one called Login."""

    class Desk(PaperDesk):
        pass

    desk = Desk(apps=(title,))
    rule = Rule(name="secrets", verdict="deny", text=r"\{\{\s*secret\s*:", application=r"^(?!.*login)")
    model = ScriptedModel(
        host=[{"status": "ASSIGN", "application": title, "current_subtask": "x"}, host()],
        app=[app("CONTINUE", write(message)), app("FINISH")],
    )
    made = context(model, desk=SecretsDevice(desk, SECRETS), rules=(rule,), allow_all=True)
    assert run(made).outcome is RunOutcome.FINISHED
    return desk.windows[0].text, made


def test_r128_a_secret_is_put_in_at_the_last_moment_and_only_where_it_may_go() -> None:
    assert on_login("login", "{{secret:pw}}")[0] == PASSWORD
    assert on_login("login", "{{ Secret: pw }}")[0] == PASSWORD
    assert on_login("chat", "{{secret:pw}}")[0] == ""
    assert on_login("chat", "hello")[0] == "hello"


@pytest.mark.parametrize("message", ["{{secret:unknown}}", "{{secret: }}", "my {{secret:PW2}} is"])
def test_r128_a_placeholder_that_stands_for_nothing_is_never_typed(message: str) -> None:
    typed, made = on_login("login", message)

    assert typed == ""
    assert any("no secret called" in r.model_dump_json() for r in made.journal.records())


def test_r128_placeholders_go_nowhere_but_into_fields() -> None:
    desk = PaperDesk()
    action: Action = OpenUrl(url="http://127.0.0.1/?{{secret:pw}}")

    result = anyio.run(SecretsDevice(desk, SECRETS).perform, action)

    assert (result.outcome, desk.done) == ("failed", [])


@pytest.mark.parametrize("mode", [0o022, 0o000])
def test_r130_only_the_user_can_read_a_run_whatever_the_umask(tmp_path: Path, mode: int) -> None:
    import os

    before = os.umask(mode)
    try:
        journal = FileJournal(tmp_path / "run", secrets=SECRETS)
        model = one_subtask(app("CONTINUE", write("{{secret:pw}}")), app("FINISH"))
        run(context(model, desk=SecretsDevice(PaperDesk(), SECRETS), journal=journal))
        journal.close()
    finally:
        os.umask(before)

    modes: Mapping[str, int] = {str(p): p.stat().st_mode & 0o077 for p in (tmp_path / "run", *tmp_path.rglob("run/**"))}
    assert set(modes.values()) == {0}


def test_r131_an_api_cancellation_ends_the_call_and_leaves_a_run_that_can_be_resumed() -> None:
    ended: list[str] = []

    class Slow:
        name = "slow"

        async def ask(self, request: object, pictures: object) -> object:
            try:
                await anyio.sleep(60)
            finally:
                ended.append("cancelled")
            raise AssertionError

    made = context(Slow())

    async def scene() -> float:
        began = anyio.current_time()
        with anyio.move_on_after(0.1):
            await session(made).run()
        return anyio.current_time() - began

    assert anyio.run(scene) < 1
    assert ended == ["cancelled"]
    assert [e.outcome for e in events(made, SessionEnded)] == [RunOutcome.INTERRUPTED]
    assert made.view.round is not None
