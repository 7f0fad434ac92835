"""The one way out: every action and every look of an agent passes here, and is written down."""

from __future__ import annotations

import re
from collections.abc import Mapping
from time import perf_counter

from deskhand.core.action import (
    Action,
    ActionResult,
    CallTool,
    CallUser,
    OnElement,
    Respond,
    SelectOption,
    SetValue,
    Target,
    Terminate,
    Write,
    target_of,
)
from deskhand.core.errors import Correctable, Unsupported
from deskhand.core.event import ActionFinished, ActionStarted, Observed
from deskhand.core.observation import ACTIVE_WINDOW, WHOLE_DESKTOP, Image, Observation, OneWindow, Subject
from deskhand.core.ports import Device, Grounder, Tool
from deskhand.processors.context import Context
from deskhand.processors.gate import PolicyGate
from deskhand.processors.grounding import grounded, has_words
from deskhand.processors.snapping import Snapped, snapped
from deskhand.processors.traces import Traces
from deskhand.processors.wording import aimed_at

_LANDING = frozenset({"write", "press", "hotkey", "keyDown", "click", "doubleClick", "rightClick", "run_command"})
"""Kinds of action that land where focus or pointer are when they have no target."""
HELD = "not done: the user held the run before it, and the screen is another one since; see what is there now"
_KEY = re.compile(r"\{\{(?!secret:)([^{}]+)\}\}")


class CommandDispatcher:
    """Carries out actions on a device or a tool, behind the policy gate, between two journal records.

    Nothing else holds the device.
    """

    def __init__(
        self,
        device: Device,
        context: Context,
        gate: PolicyGate,
        grounder: Grounder,
        tools: Mapping[str, Tool] | None = None,
    ) -> None:
        self.gate = gate
        self._device = device
        self._journal = context.journal
        self._view = context.view
        self._record = context.record
        self._held = context.held
        self._grounder = grounder
        self._snap = context.snap
        self._tools = tools or {}
        self._seen: Observation | None = None
        self._fresh = False
        self._traces = Traces()

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The tools that can be called, by the name they are called by."""
        return self._tools

    async def observe(self, subject: Subject = ACTIVE_WINDOW) -> Observation:
        """Look at the device and keep what was seen.

        Raises:
            DeviceError: nothing can be seen.
        """
        started = perf_counter()
        observation, pictures = await self._device.observe(subject)
        for data in pictures.values():
            self._journal.keep(data)
        seconds = round(perf_counter() - started, 4)
        written = self._record(Observed(subject=subject, observation=observation, seconds=seconds)).event
        assert isinstance(written, Observed)
        self._seen, self._fresh = written.observation, bool(observation.elements)
        self._traces.saw(written.observation)
        return written.observation  # as it was written down: without half characters and secrets

    async def picture(self, subject: Subject) -> Image:
        """Keep a picture without telling any agent; raises as `observe`."""
        observation, pictures = await self._device.observe(subject)
        for data in pictures.values():
            self._journal.keep(data)
        return observation.screen

    async def dispatch(self, action: Action, window: str = "", *, approved: bool = False) -> ActionResult:
        """Carry out one action meant for `window`; what the gate refuses is a failed result.

        `approved` says that the user has just agreed to this very action.

        Raises:
            DeviceError: the device is broken. An action that merely did not work is a result.
            JournalError: it cannot be written down, so it was not done.
        """
        try:
            action = await self._grounded(with_values(action, self._values()))
        except Correctable as error:
            return self._done_with(action, ActionResult(outcome="failed", text=str(error)))
        if _depends_on_the_screen(action) and not self._shows(window):
            await self.observe(OneWindow(id=window) if window else ACTIVE_WINDOW)
        if (put_off := await self._put_off(action)) is not None:
            return put_off
        if not approved and (instead := self._snapped(action, window)) is not None:
            return await self._carry_out(instead.action, window, instead.why)
        judged, seen = self._traces.with_held(action), self._traces.around(action, self._seen)
        if refusal := await self.gate.refusal(judged, seen, window, approved=approved):
            return self._done_with(action, ActionResult(outcome="failed", text=refusal))
        return await self._carry_out(action, window)

    def _snapped(self, action: Action, window: str) -> Snapped | None:
        """Give what is done in place of a click that just misses a control; only what needs no leave."""
        instead = snapped(action, self._seen, self._snap) if self._snap and self._seen is not None else None
        if instead is None:
            return None
        judged, seen = self._traces.with_held(instead.action), self._traces.around(instead.action, self._seen)
        return instead if self.gate.lets_pass(judged, seen, window) else None

    async def _put_off(self, action: Action) -> ActionResult | None:
        """Wait while the user holds the run; give what an action comes to that is not done since the screen changed."""
        before = self._seen
        if not await self._held() or before is None:
            return None
        now = await self.observe(OneWindow(id=before.window) if before.window else WHOLE_DESKTOP)
        if (now.elements, now.windows, now.focus) == (before.elements, before.windows, before.focus):
            return None
        return self._done_with(action, ActionResult(outcome="failed", text=HELD))

    async def _carry_out(self, action: Action, window: str, why: str = "") -> ActionResult:
        if (put_off := await self._put_off(action)) is not None:
            return put_off
        self._record(ActionStarted(action=action, on=aimed_at(action, self._seen)))
        started = perf_counter()
        self._fresh = False
        try:
            result = await self._perform(action, window)
        except Correctable as error:
            result = ActionResult(outcome="failed", text=str(error))
        except Unsupported as error:
            result = ActionResult(outcome="failed", text=str(error))
        if why:
            result = result.model_copy(update={"text": "; ".join(filter(None, (result.text, why)))})
        self._traces.did(action, result)
        self._record(ActionFinished(result=result, seconds=round(perf_counter() - started, 4)))
        return result

    def _shows(self, window: str) -> bool:
        """Whether what was seen last still stands, and is what an action meant for `window` lands in."""
        return self._fresh and self._seen is not None and window in ("", self._seen.window)

    async def _perform(self, action: Action, window: str) -> ActionResult:
        match action:
            case CallTool():
                if (tool := self._tools.get(action.tool)) is None:
                    known = ", ".join(self._tools) or "none"
                    return ActionResult(outcome="failed", text=f"there is no tool {action.tool!r}; there are: {known}")
                return ActionResult(outcome="done", value=await tool.call(action.arguments))
            case Respond():
                return ActionResult(outcome="done", value=action.answer)
            case CallUser() | Terminate():
                text = "this is said by the status of the reply (PENDING, FINISH or FAIL), not by an action"
                return ActionResult(outcome="failed", text=text)
            case _:
                return await self._device.perform(action, window)

    def _values(self) -> Mapping[str, str]:
        return {key: entry.value for key, entry in self._view.blackboard.items()}

    async def _grounded(self, action: Action) -> Action:
        """Turn places in words into places.

        Raises:
            TargetNotFound: nothing fits, or several things do.
        """
        if not has_words(action):
            return action
        seen = self._seen if self._fresh and self._seen is not None else await self.observe(ACTIVE_WINDOW)
        return await grounded(action, self._grounder, seen)

    @property
    def seen(self) -> Observation | None:
        """What was seen last."""
        return self._seen

    async def change_of(self, target: Target | None, before: Observation) -> str:
        """Look whether the element a target names is still what it was `before`, and say what has become of it.

        "" when all is as it was, or no element is named. The look is at the same window.

        Raises:
            DeviceError: nothing can be seen.
        """
        if not isinstance(target, OnElement) or (was := before.element(target.id)) is None:
            return ""
        now = (await self.observe(OneWindow(id=before.window) if before.window else ACTIVE_WINDOW)).element(target.id)
        called = f"{was.role} {was.name!r}"
        if now is None:
            return f"{called} is gone"
        if (now.role, now.name) != (was.role, was.name):
            return f"{called} is now {now.role} {now.name!r}"
        if "disabled" in now.states:
            return f"{called} is disabled"
        return "" if now.box == was.box else f"{called} has moved"

    def _done_with(self, action: Action, result: ActionResult) -> ActionResult:
        """Write down an action that did not come to the device."""
        self._record(ActionStarted(action=action, on=aimed_at(action, self._seen)))
        self._record(ActionFinished(result=result, seconds=0.0))
        return result


def with_values(action: Action, values: Mapping[str, str]) -> Action:
    """Put the blackboard's values where an action names their keys, as `{{key}}`; what names no key stays as it is."""
    match action:
        case Write():
            return action.model_copy(update={"message": _filled(action.message, values)})
        case SetValue() | SelectOption():
            return action.model_copy(update={"value": _filled(action.value, values)})
        case _:  # no other action carries a text that is entered
            return action


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _KEY.sub(lambda named: values.get(named.group(1).strip(), named.group()), text)


def _depends_on_the_screen(action: Action) -> bool:
    """Whether where it lands must be seen for it to be judged."""
    return action.kind in _LANDING or target_of(action) is not None
