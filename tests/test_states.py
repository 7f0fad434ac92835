from __future__ import annotations

import anyio
import pytest

from deskhand.agents.app_states import ContinueAppAgentState
from deskhand.agents.factory import AgentRegistry
from deskhand.agents.host import HostAgent
from deskhand.agents.states import AgentStatus, AppAgentStateManager, HostAgentStateManager
from deskhand.core.action import OpenApp
from deskhand.core.errors import ContractError
from deskhand.core.event import (
    ActionStarted,
    BlackboardSet,
    Observed,
    Record,
    Snapshot,
    StateChanged,
    StepStarted,
    SubtaskEnded,
    UserAsked,
)
from deskhand.core.message import BlackboardPart, ModelRequest, NotesPart, Reply, ReportsPart, SubtaskPart
from deskhand.core.observation import WHOLE_DESKTOP, OneWindow
from deskhand.core.ports import Pictures
from deskhand.core.status import RunningMode, RunOutcome
from deskhand.processors.context import Context
from deskhand.session.session import SessionResult
from deskhand.testing import PaperDesk, ScriptedModel, ScriptedUser
from deskhand.testing.desk import PaperWindow
from tests.paper import app, assign, click, context, events, host, one_subtask, session, write


def run(made: Context) -> SessionResult:
    return anyio.run(session(made).run)


def path(made: Context) -> list[str]:
    """The states in the order they were handled, with whose they are."""
    steps = [r for r in made.journal.records() if isinstance(r.event, StepStarted)]
    return [f"{r.scope.agent.partition('/')[0]} {r.event.status}" for r in steps if isinstance(r.event, StepStarted)]


def test_the_main_line_goes_from_host_to_app_and_back() -> None:
    made = context(one_subtask(app("CONTINUE", write("a")), app("FINISH", result="a")))

    result = run(made)

    assert result.outcome is RunOutcome.FINISHED
    assert path(made) == [
        "HostAgent CONTINUE",
        "HostAgent ASSIGN",
        "AppAgent CONTINUE",
        "AppAgent CONTINUE",
        "AppAgent FINISH",
        "HostAgent CONTINUE",
    ]
    assert result.steps == 6


def test_each_state_that_is_entered_is_written_down() -> None:
    made = context(one_subtask(app("FINISH")))
    run(made)

    entered = [r.event.status for r in made.journal.records() if isinstance(r.event, StateChanged)]
    assert entered == ["ASSIGN", "CONTINUE", "FINISH", "CONTINUE", "FINISH"]


def test_the_end_of_a_subtask_leaves_a_picture_and_its_result_on_the_blackboard() -> None:
    made = context(one_subtask(app("FINISH", result="100")))
    run(made)

    assert [e.why for e in events(made, Snapshot)] == ["subtask"]
    assert {(e.key, e.value) for e in events(made, BlackboardSet)} == {("result_1", "100")}


def test_the_name_of_a_result_never_means_another_one() -> None:
    user = ScriptedUser(requests=["a", "b"])
    steps = [app("FINISH", result=result) for result in ("7", "8", "9")]
    model = ScriptedModel(host=[assign(), assign(), host(), assign(), host()], app=steps)
    made = context(model, mode=RunningMode.NORMAL, user=user)
    run(made)

    assert {k: e.value for k, e in made.view.blackboard.items()} == {"result_1": "7", "result_2": "8", "result_3": "9"}


@pytest.mark.parametrize(("status", "outcome"), [("FINISH", "finished"), ("FAIL", "failed"), ("ERROR", "error")])
def test_a_host_ends_the_round(status: str, outcome: str) -> None:
    result = run(context(ScriptedModel(host(status, "because"))))

    assert (result.outcome, result.answer, result.steps) == (outcome, "because", 1)


def test_a_host_that_continues_looks_again() -> None:
    made = context(ScriptedModel(host("CONTINUE"), host("FINISH")))

    assert run(made).outcome is RunOutcome.FINISHED
    assert path(made) == ["HostAgent CONTINUE", "HostAgent CONTINUE"]


def test_questions_of_the_host_are_really_asked_and_the_answers_reach_it() -> None:
    user = ScriptedUser(answers=["the blue one", "today"])
    model = ScriptedModel(host("PENDING", questions=["Which one?", "When?"]), host("FINISH"))
    made = context(model, user=user)

    assert run(made).outcome is RunOutcome.FINISHED
    assert user.asked == ["Which one?", "When?"]
    assert "the blue one" in model.requests[1].model_dump_json()
    assert path(made) == ["HostAgent CONTINUE", "HostAgent PENDING", "HostAgent CONTINUE"]


def test_questions_of_an_app_agent_are_asked_too() -> None:
    user = ScriptedUser(answers=["42"])
    made = context(one_subtask(app("PENDING", questions=["How much?"]), app("FINISH")), user=user)

    assert run(made).outcome is RunOutcome.FINISHED
    assert user.asked == ["How much?"]
    assert "AppAgent PENDING" in path(made)


@pytest.mark.parametrize("who", ["host", "app"])
def test_a_question_with_nobody_there_ends_as_needs_user(who: str) -> None:
    asks = {"status": "PENDING", "questions": ["Which?"], "action": []}
    model = ScriptedModel(asks) if who == "host" else one_subtask(asks)

    result = run(context(model))

    assert (result.outcome, result.answer) == (RunOutcome.NEEDS_USER, "Which?")


def test_confirmation_comes_before_the_action() -> None:
    user = ScriptedUser(confirms=[True])
    made = context(one_subtask(app("CONFIRM", write("gone"), thought="this sends it"), app("FINISH")), user=user)

    assert run(made).outcome is RunOutcome.FINISHED
    kinds = [type(r.event) for r in made.journal.records()]
    asked, wrote = (
        kinds.index(UserAsked),
        [
            i
            for i, r in enumerate(made.journal.records())
            if isinstance(r.event, ActionStarted) and r.event.action.kind == "write"
        ],
    )
    assert len(wrote) == 1
    assert asked < wrote[0]
    assert "this sends it" in user.asked[0]


def test_the_desktop_is_looked_at_once_to_choose_an_application_and_bring_it_up() -> None:
    made = context(one_subtask(app("FINISH")))
    run(made)

    looks = [seen.subject for seen in events(made, Observed)]
    assert looks[:2] == [WHOLE_DESKTOP, OneWindow(id="w1")]


def test_a_window_that_went_while_the_host_thought_is_looked_for_anew() -> None:
    desk = PaperDesk(windows=[PaperWindow("w7", "editor")])

    class Closing(ScriptedModel):
        async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
            desk.windows = [window for window in desk.windows if window.id != "w7"]
            return await super().ask(request, pictures)

    made = context(Closing(host=[assign(), host()], app=[app("FINISH")]), desk=desk)

    assert run(made).outcome is RunOutcome.FINISHED
    assert [action.kind for action in desk.done] == ["focus_window", "open_app"]


@pytest.mark.parametrize("confirms", [[False], []], ids=["refused", "nobody there"])
def test_what_is_not_confirmed_is_not_done_and_fails_the_subtask(confirms: list[bool]) -> None:
    desk = PaperDesk()
    model = ScriptedModel(host=[assign(), host("FAIL", "not allowed")], app=[app("CONFIRM", write("gone"))])
    made = context(model, desk=desk, user=ScriptedUser(confirms=confirms))

    assert run(made).outcome is RunOutcome.FAILED
    assert [a.kind for a in desk.done] == ["open_app"]
    assert events(made, SubtaskEnded)[0].status == "FAIL"


def test_leave_given_beforehand_confirms() -> None:
    desk = PaperDesk()
    run(context(one_subtask(app("CONFIRM", write("x")), app("FINISH")), desk=desk, allow_all=True))

    assert desk.windows[0].text == "x"


def test_a_screenshot_state_looks_again_and_goes_on() -> None:
    made = context(one_subtask(app("SCREENSHOT"), app("FINISH")))

    assert run(made).outcome is RunOutcome.FINISHED
    assert path(made)[2:4] == ["AppAgent CONTINUE", "AppAgent SCREENSHOT"]


def test_a_failed_subtask_can_be_planned_anew() -> None:
    model = ScriptedModel(
        host=[assign("editor"), assign("calculator", "another way"), host()],
        app=[app("FAIL", result="no such menu"), app("FINISH")],
    )
    made = context(model)

    assert run(made).outcome is RunOutcome.FINISHED
    reports = next(p for p in model.requests[2].parts if isinstance(p, ReportsPart))
    assert (reports.reports[0].status, reports.reports[0].result) == ("FAIL", "no such menu")


def test_an_app_error_ends_the_round_as_an_error() -> None:
    made = context(ScriptedModel(host=[assign()], app=[app("ERROR", result="it crashed")]))

    result = run(made)

    assert (result.outcome, result.answer) == (RunOutcome.ERROR, "it crashed")
    assert path(made)[-1] == "AppAgent ERROR"
    assert events(made, SubtaskEnded)[0].status == "ERROR"


def test_in_follower_mode_a_finished_app_ends_the_round() -> None:
    made = context(ScriptedModel(host=[assign()], app=[app("FINISH", result="7")]))
    running = session(made)
    made.mode = RunningMode.FOLLOWER

    result = anyio.run(running.run)

    assert (result.outcome, result.answer) == (RunOutcome.FINISHED, "7")
    assert path(made)[-1] == "AppAgent FINISH"


def test_an_application_that_cannot_be_opened_is_a_failed_subtask() -> None:
    made = context(ScriptedModel(assign("spreadsheet"), host("FAIL", "none")))

    assert run(made).outcome is RunOutcome.FAILED
    assert path(made) == ["HostAgent CONTINUE", "HostAgent ASSIGN", "HostAgent CONTINUE"]
    assert "spreadsheet" in events(made, SubtaskEnded)[0].result


def test_an_app_agent_is_found_again_when_its_window_gets_a_second_subtask() -> None:
    model = ScriptedModel(
        host=[assign("editor", "one"), assign("editor", "two"), host()], app=[app("FINISH"), app("FINISH")]
    )
    desk = PaperDesk()
    made = context(model, desk=desk)
    running = session(made)

    anyio.run(running.run)

    assert len(running.host.below) == 1
    assert sum(isinstance(a, OpenApp) for a in desk.done) == 1


def test_two_windows_of_one_application_have_agents_of_different_names() -> None:
    desk = PaperDesk()
    model = ScriptedModel(host=[assign("editor"), assign("w2"), host()], app=[app("FINISH"), app("FINISH")])
    made = context(model, desk=desk)
    running = session(made)

    async def scene() -> None:
        await desk.perform(OpenApp(app_name="editor"))
        await desk.perform(OpenApp(app_name="editor"))
        await running.run()

    anyio.run(scene)
    assert len({a.name for a in running.host.below}) == len(running.host.below)


@pytest.mark.parametrize("bad", ["CONFIRMX", "", "maybe", None, 7])
def test_an_unknown_status_is_a_correction_and_never_an_end(bad: object) -> None:
    model = ScriptedModel({"status": bad}, host("FINISH"))
    made = context(model)

    assert run(made).outcome is RunOutcome.FINISHED
    notes = [n for p in model.requests[1].parts if isinstance(p, NotesPart) for n in p.notes]
    assert any("FINISH" in note and "ASSIGN" in note for note in notes)


@pytest.mark.parametrize("spelled", ["finished", "FINISH", "finish ", "Done"])
def test_a_finish_is_understood_however_it_is_spelled(spelled: str) -> None:
    result = run(context(ScriptedModel(host(spelled))))

    assert (result.outcome, result.steps) == (RunOutcome.FINISHED, 1)


def test_a_finish_beside_a_failed_action_is_not_taken_at_its_word() -> None:
    model = one_subtask(app("FINISH", ("go_forward", {})), app("FINISH"))
    made = context(model)

    assert run(made).outcome is RunOutcome.FINISHED
    assert path(made).count("AppAgent CONTINUE") == 2
    assert "paper cannot go_forward" in model.requests[2].model_dump_json()


def test_what_was_not_done_after_a_failure_is_told() -> None:
    desk = PaperDesk()
    model = one_subtask(app("CONTINUE", write("a"), ("go_forward", {}), write("b"), write("c")), app("FINISH"))
    run(context(model, desk=desk))

    assert desk.windows[0].text == "a"
    assert "2 of your actions were not done: the one before failed" in model.requests[2].model_dump_json()


def test_a_subtask_reaches_the_app_agent_with_all_that_stands_on_the_blackboard() -> None:
    value = "007\nzwölf 你好 " + "x" * 20_000
    model = ScriptedModel(
        host=[assign("editor", "read"), assign("calculator", "use it", message=["a tip"]), host()],
        app=[app("FINISH", blackboard={"order_no": value}), app("FINISH")],
    )
    run(context(model))

    second = model.requests[3]
    board = next(p for p in second.parts if isinstance(p, BlackboardPart))
    subtask = next(p for p in second.parts if isinstance(p, SubtaskPart))
    assert [(e.key, e.value) for e in board.entries] == [("order_no", value)]
    assert board.entries[0].writer == "AppAgent/editor"
    assert (subtask.text, subtask.message) == ("use it", ("a tip",))


def test_a_status_without_a_state_raises() -> None:
    with pytest.raises(ContractError, match="has no state for 'CONFIRM'"):
        HostAgentStateManager.get_state(AgentStatus.CONFIRM)
    with pytest.raises(ContractError, match="has no state for 'WHATEVER'"):
        AppAgentStateManager.get_state("WHATEVER")


def test_an_agent_refuses_a_state_of_another_kind() -> None:
    with pytest.raises(ContractError, match="is for a AppAgent"):
        HostAgent().set_state(ContinueAppAgentState())


def test_states_are_shared() -> None:
    assert AppAgentStateManager.get_state("CONTINUE") is AppAgentStateManager.get_state(AgentStatus.CONTINUE)


def test_every_status_of_each_kind_has_a_state() -> None:
    from deskhand.core.status import AppAgentStatus, HostAgentStatus

    for host_status in HostAgentStatus:
        assert HostAgentStateManager.get_state(host_status).name().value == host_status.value
    for app_status in AppAgentStatus:
        assert AppAgentStateManager.get_state(app_status).name().value == app_status.value


def test_an_agent_of_other_people_takes_a_subtask() -> None:
    from deskhand.agents.app import AppAgent

    class Poet(AppAgent):
        pass

    AgentRegistry.register("poet", Poet)
    try:
        model = ScriptedModel(
            host=[assign("poet"), host()], app=[app("FINISH", click("e1"), result="a poem"), app("FINISH")]
        )
        made = context(model, agents=("poet",))
        running = session(made)
        anyio.run(running.run)
        assert isinstance(running.host.below[0], Poet)
    finally:
        AgentRegistry.forget("poet")


def test_listeners_hear_every_record_once_and_their_faults_harm_nothing() -> None:
    heard: list[Record] = []

    def broken(_record: Record) -> None:
        raise RuntimeError("foreign code")

    made = context(one_subtask(app("FINISH")))
    made.listeners += [broken, heard.append]

    assert run(made).outcome is RunOutcome.FINISHED
    assert [r.seq for r in heard] == [r.seq for r in made.journal.records()]


def test_half_a_character_in_a_reply_does_no_harm() -> None:
    made = context(ScriptedModel('{"status": "FINISH", "result": "half \\ud83d and \ud83d whole \\ud83d\\ude00"}'))

    assert run(made).answer == "half \ufffd and \ufffd whole 😀"


def test_a_value_of_the_blackboard_is_written_by_its_key_unchanged() -> None:
    value = "007\nzwölf 你好 {{secret:x}} " + "x" * 20_000
    desk = PaperDesk()
    model = ScriptedModel(
        host=[assign("editor", "read"), assign("calculator", "use it"), host()],
        app=[app("FINISH", blackboard={"order no": value}), app("FINISH", write("<{{order no}}|{{unknown}}>"))],
    )
    run(context(model, desk=desk))

    assert desk.windows[0].text == f"<{value}|{{{{unknown}}}}>"
