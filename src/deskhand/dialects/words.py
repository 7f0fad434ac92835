"""What families of models call the actions, as tables of one line a word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

Form = Literal["tool_call", "thought_action", "pyautogui"]
"""How replies are written: a call of a tool in tags, a thought and an action with labels, or code."""


class Word(NamedTuple):
    """A family's word for an action."""

    name: str
    ours: str
    """Our name for it; `chord`, `hold`, `hold_press`, `mouse_down` and `mouse_up` are made of several; "" for none."""
    said: Mapping[str, object]
    """What of ours the word itself says; of a word that cannot be followed, `instead`."""
    when: Mapping[str, object]
    """What of theirs must be given for the word to mean this."""
    params: Mapping[str, str]
    """What each parameter is called with us, in the order in which they may be given without names.

    Besides parameters of ours: `at` a place, `held` and `chord` keys in any spelling, `up/N` and `right/N` turns of
    the wheel of which N are a notch, `direction` with `notches`, `line` a text whose last line break submits it,
    `submit`, `sideways` and `won` a yes or no, `search` words for the web, `*keys` keys without names, `-` nothing.
    """

    @property
    def key(self) -> str:
        return letters(self.name)


@dataclass(frozen=True)
class Words:
    """All the words of one family, and how they are written."""

    form: Form
    table: str
    """A line a word: its name and what must be given with it, ours and what it says, its parameters and ours."""
    point: str = ""
    """How a point is written in a text; without, it is a list."""
    chord: str = ""
    """What parts the keys of a chord; without, they are a list."""
    tool: str = ""
    """The one function whose argument `action` is the word, where there is one."""
    tags: str = ""
    """The tag around calls whose arguments stand in tags too; without, they are JSON."""

    @cached_property
    def rows(self) -> tuple[Word, ...]:
        return tuple(_words(self.table))

    @cached_property
    def by_key(self) -> Mapping[str, tuple[Word, ...]]:
        found: dict[str, tuple[Word, ...]] = {}
        for word in self.rows:
            found[word.key] = (*found.get(word.key, ()), word)
        return found

    @cached_property
    def chords(self) -> tuple[Word, ...]:
        """The words for keys that are pressed together."""
        return tuple(word for word in self.rows if word.ours == "chord")


def letters(name: str) -> str:
    """Make names comparable; a module before a name does not count."""
    return re.sub(r"[^a-z]", "", name.rpartition(".")[2].lower())


def _words(rows: str) -> Iterator[Word]:
    for line in filter(None, rows.splitlines()):
        name, ours, params = (part.split() for part in line.split("|"))
        kind = "" if "=" in ours[0] else ours.pop(0)
        said = {key: _value(value) for key, _, value in (one.partition("=") for one in ours)}
        when = {key: _value(value) for key, _, value in (one.partition("=") for one in name[1:])}
        yield Word(name[0], kind, said, when, dict(one.split("=") for one in params))


def _value(text: str) -> object:
    return int(text) if text.isdigit() else {"True": True, "False": False}.get(text, text.replace("_", " "))


_CLICKS = """
left_click | click | coordinate=at {held}
right_click | rightClick | coordinate=at
right_click | click button=right | coordinate=at {held}
middle_click | click button=middle | coordinate=at {held}
double_click | doubleClick | coordinate=at
double_click | click clicks=2 | coordinate=at {held}
triple_click | click clicks=3 | coordinate=at {held}
mouse_move | moveTo | coordinate=at
type | write | text=message
"""
_QWEN_ENDS = """
wait | wait | time=seconds
answer | response | text=answer
terminate | terminate | status=status answer=info
left_mouse_down | mouse_down | coordinate=at
left_mouse_up | mouse_up | coordinate=at
screenshot | wait seconds=1 |
"""
_QWEN = f"""
{_CLICKS.replace("{held}", "keys=held")}
left_click_drag | dragTo | coordinate=at start_coordinate=start keys=held
key | chord | keys=chord
scroll | scroll | pixels=up/100 coordinate=at keys=held
hscroll | scroll | pixels=right/100 coordinate=at keys=held
{_QWEN_ENDS}
"""
_QWEN3_5 = f"""
{_CLICKS.replace("{held}", "keys=held")}
left_click_drag | dragTo | coordinate2=at coordinate=start keys=held
key | chord | keys=chord
key_down | keyDown | keys=key
key_up | keyUp | keys=key
scroll | scroll | pixels=up/1 coordinate=at keys=held
hscroll | scroll | pixels=right/1 coordinate=at keys=held
{_QWEN_ENDS}
"""
_FARA = f"""
{_QWEN}
type | write | coordinate=at text=message press_enter=submit delete_existing_text=replace
drag | dragTo | start_coordinate=start end_coordinate=at
hotkey | chord | keys=chord
visit_url | open_url | url=url
web_search | open_url | query=search
history_back | go_backward |
open_application | open_app | name=app_name
ask_user_question | call_user | question=question
pause_and_memorize_fact | instead=keep_it_in_your_thoughts | fact=-
""".replace("\ntype | write | text=message\n", "\n")
_MAI = """
click | click | coordinate=at
long_press | long_press | coordinate=at
double_click | doubleClick | coordinate=at
type | write | text=message
swipe | swipe | direction=direction coordinate=from_coord
open | open_app | text=app_name
awake | open_app | text=app_name
drag | dragTo | start_coordinate=start end_coordinate=at
system_button button=back | navigate_back |
system_button button=home | navigate_home |
system_button button=menu | press keys=menu |
system_button button=enter | press keys=enter |
wait | wait | time=seconds
terminate | terminate | status=status
answer | response | text=answer
ask_user | call_user | text=question
info | call_user | text=question
"""
_MINIMAX = f"""
{_CLICKS.replace("{held}", "text=held")}
left_click_drag | dragTo | start_coordinate=start coordinate=at text=held
key | chord | text=chord
hold_key | hold | text=chord duration=seconds
scroll | scroll | coordinate=at scroll_direction=direction scroll_amount=notches text=held
wait | wait | duration=seconds
done | terminate status=success |
fail | terminate status=failure |
left_mouse_down | mouse_down | coordinate=at
left_mouse_up | mouse_up | coordinate=at
screenshot | wait seconds=1 |
"""
_UI_TARS = """
click | click | {point}=at
left_double | doubleClick | {point}=at
right_single | rightClick | {point}=at
drag | dragTo | {start}=start {end}=at
hotkey | chord | key=chord
type | write | content=line
scroll | scroll | {point}=at direction=direction amount=notches
wait | wait seconds=5 |
wait | wait | seconds=seconds
finished | terminate status=success | content=info
call_user | call_user | content=question
press | keyDown | key=key
keydown | keyDown | key=key
release | keyUp | key=key
keyup | keyUp | key=key
mouse_down | mouse_down | {point}=at
mouse_up | mouse_up | {point}=at
move_to | moveTo | {point}=at
take_screenshot | wait seconds=1 |
long_press | long_press | {point}=at time=duration
open_app | open_app | app_name=app_name
press_home | navigate_home |
press_back | navigate_back |
"""
_BOXES = _UI_TARS.replace("{point}", "start_box").replace("{start}", "start_box").replace("{end}", "end_box")
_GLM = """
left_click | click | start_box=at hold_keys=held
right_click | rightClick | start_box=at
right_click | click button=right | start_box=at hold_keys=held
middle_click | click button=middle | start_box=at hold_keys=held
hover | moveTo | start_box=at
left_double_click | doubleClick | start_box=at
left_double_click | click clicks=2 | start_box=at hold_keys=held
left_triple_click | click clicks=3 | start_box=at hold_keys=held
left_drag | dragTo | start_box=start end_box=at hold_keys=held
left_click_hold | long_press duration=8 | start_box=at hold_keys=held
key | chord | keys=chord
type | write | content=message
scroll | scroll | start_box=at direction=direction step=notches hold_keys=held
WAIT | wait seconds=5 |
WAIT | wait | seconds=seconds
DONE | terminate status=success |
FAIL | terminate status=failure |
"""
_PYAUTOGUI = """
pyautogui.click | click | x=x y=y clicks=clicks interval=- button=button
pyautogui.rightClick | rightClick | x=x y=y
pyautogui.middleClick | click button=middle | x=x y=y
pyautogui.doubleClick | doubleClick | x=x y=y interval=- button=button
computer.triple_click | click clicks=3 | x=x y=y
pyautogui.moveTo | moveTo | x=x y=y duration=-
pyautogui.dragTo | dragTo | x=x y=y duration=- tween=- button=button
pyautogui.scroll | scroll | clicks=up/1 x=x y=y
pyautogui.vscroll | scroll | clicks=up/1 x=x y=y
pyautogui.hscroll | scroll | clicks=right/1 x=x y=y
pyautogui.write | write | message=message interval=-
pyautogui.press | press | keys=keys presses=presses interval=-
pyautogui.hotkey | hotkey | *keys=*keys
pyautogui.keyDown | keyDown | key=key
pyautogui.keyUp | keyUp | key=key
pyautogui.mouseDown | mouse_down | x=x y=y button=button
pyautogui.mouseUp | mouse_up | x=x y=y button=button
pyautogui.move | instead=give_the_place_itself,_with_moveTo | x=x y=y
pyautogui.moveRel | instead=give_the_place_itself,_with_moveTo | x=x y=y
pyautogui.drag | instead=give_the_place_itself,_with_dragTo | x=x y=y
pyautogui.dragRel | instead=give_the_place_itself,_with_dragTo | x=x y=y
time.sleep | wait | secs=seconds
computer.wait | wait | seconds=seconds
computer_wait | wait | seconds=seconds
computer.terminate | terminate | status=status answer=info
computer_terminate | terminate | status=status answer=info
"""
_AUTOGLM = """
Agent.click | click | coordinate=at num_clicks=clicks button_type=button
Agent.type | write | coordinate=at text=message overwrite=replace enter=submit
Agent.drag_and_drop | dragTo | drag_from_coordinate=start drop_on_coordinate=at
Agent.scroll | scroll | coordinate=at direction=direction amount=notches
Agent.open_app | open_app | app_name=app_name
Agent.switch_window | focus_window | window_id=window
Agent.hotkey | chord | keys=chord
Agent.quote | response | content=answer
Agent.wait | wait seconds=5 |
Agent.wait | wait | seconds=seconds
Agent.exit success=True | terminate status=success |
Agent.exit success=False | terminate status=failure |
Agent.exit | terminate | success=won
"""
_AGENT_S3 = """
agent.click | click | element_description=at num_clicks=clicks button_type=button hold_keys=held
agent.switch_applications | focus_window | app_code=window
agent.open | open_app | app_or_filename=app_name
agent.type | write | element_description=at text=message overwrite=replace enter=submit
agent.drag_and_drop | dragTo | starting_description=start ending_description=at hold_keys=held
agent.scroll | scroll | element_description=at clicks=up/1 shift=sideways
agent.hotkey | chord | keys=chord
agent.hold_and_press | hold_press | hold_keys=held press_keys=keys
agent.wait | wait | time=seconds
agent.done | terminate status=success |
agent.fail | terminate status=failure |
agent.highlight_text_span | instead=drag_from_its_first_word_to_its_last | starting_phrase=- ending_phrase=- button=-
agent.set_cell_values | instead=click_each_cell_and_write | cell_values=- app_name=- sheet_name=-
agent.call_code_agent | instead=use_the_screen | task=-
agent.save_to_knowledge | instead=keep_it_in_your_thoughts | text=-
"""

WORDS: Mapping[str, Words] = {
    "qwen": Words("tool_call", _QWEN, tool="computer_use"),
    "qwen3.5": Words("tool_call", _QWEN3_5, tool="computer_use", tags="tool_call"),
    "fara": Words("tool_call", _FARA, tool="computer_use"),
    "mai-ui": Words("tool_call", _MAI, tool="mobile_use"),
    "minimax": Words("tool_call", _MINIMAX, tool="computer", chord="+"),
    "ui-tars-2": Words(
        "tool_call",
        _UI_TARS.replace("{point}", "point").replace("{start}", "start_point").replace("{end}", "end_point"),
        point="<point>{x} {y}</point>",
        chord=" ",
        tags="seed:tool_call",
    ),
    "ui-tars-1.5": Words("thought_action", _BOXES, point="({x},{y})", chord=" "),
    "ui-tars": Words("thought_action", _BOXES, point="<|box_start|>({x},{y})<|box_end|>", chord=" "),
    "glm-v": Words("thought_action", _GLM, point="[{x},{y}]", chord="+"),
    "opencua": Words("pyautogui", _PYAUTOGUI),
    "autoglm": Words("pyautogui", _AUTOGLM),
    "agent-s3": Words("pyautogui", _AGENT_S3),
}
"""By the name of the family, or of the agent, that says them."""

USUAL: Mapping[Form, str] = {"tool_call": "qwen", "thought_action": "ui-tars-1.5", "pyautogui": "opencua"}
"""Whose words are used with a family that has none of the form."""
