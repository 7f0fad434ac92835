"""What families of models call the actions: one line a word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from deskhand.core.family import Family
from deskhand.dialects.agent_words import AGENT_S3, ANDROID_WORLD, BROWSER_USE, GYM, MOBILERUN, OMNIPARSER, UFO
from deskhand.dialects.anthropic_words import BROWSER, COMPUTER, IN_WORDS
from deskhand.dialects.clicks import CLICKS
from deskhand.dialects.words import Form, Words

_CLICKS = f"""{CLICKS}type | write | text=message
"""
_QWEN_ENDS = """
wait | wait | time=seconds
answer | response | text=answer
terminate | terminate | status=status answer=info
~left_mouse_down | mouse_down | coordinate=at
~left_mouse_up | mouse_up | coordinate=at
~screenshot | wait seconds=1 |
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
left_click_drag | dragTo | coordinate=at keys=held
left_click_drag | dragTo | coordinate2=at coordinate=start keys=held
key | chord | keys=chord
key_down | keyDown | keys=key
key_up | keyUp | keys=key
scroll | scroll | pixels=up/1 coordinate=at keys=held
hscroll | scroll | pixels=right/1 coordinate=at keys=held
{_QWEN_ENDS}
"""
_QWEN_PHONE = """
click | click | coordinate=at
long_press | long_press | coordinate=at time=duration
swipe | swipe | coordinate=from_coord coordinate2=to_coord
type | write | text=message
key | chord | text=chord
system_button button=Back | navigate_back |
system_button button=Home | navigate_home |
system_button button=Menu | press keys=menu |
system_button button=Enter | press keys=enter |
open | open_app | text=app_name
wait | wait | time=seconds
answer | response | text=answer
terminate | terminate | status=status answer=info
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
~awake | open_app | text=app_name
drag | dragTo | start_coordinate=start end_coordinate=at
system_button button=back | navigate_back |
system_button button=home | navigate_home |
system_button button=menu | press keys=menu |
system_button button=enter | press keys=enter |
wait | wait | time=seconds
terminate | terminate | status=status
answer | response | text=answer
ask_user | call_user | text=question
~info | call_user | text=question
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
~left_mouse_down | mouse_down | coordinate=at
~left_mouse_up | mouse_up | coordinate=at
~screenshot | wait seconds=1 |
"""
_OPENAI = """
click | click | x=x y=y button=button keys=held
double_click | doubleClick | x=x y=y
double_click | click clicks=2 | x=x y=y keys=held
drag | dragTo | path=points keys=held
keypress | chord | keys=chord
~keypress | chord | key=chord
move | moveTo | x=x y=y keys=held
scroll | scroll | x=x y=y scroll_x=right/120 scroll_y=down/120 keys=held
~scroll | scroll | x=x y=y delta_x=right/120 delta_y=down/120 keys=held
type | write | text=message
wait | wait |
~screenshot | wait seconds=1 |
"""
_GEMINI = """
click | click | x=x y=y
double_click | doubleClick | x=x y=y
triple_click | click clicks=3 | x=x y=y
middle_click | click button=middle | x=x y=y
right_click | rightClick | x=x y=y
move | moveTo | x=x y=y
type | write | text=message press_enter=submit
drag_and_drop | dragTo | start_x=start_x start_y=start_y end_x=end_x end_y=end_y
scroll | scroll | x=x y=y direction=direction magnitude_in_wheel_clicks=notches
wait | wait | seconds=seconds
long_press | long_press | x=x y=y seconds=duration
press_key | chord | key=chord
hotkey | chord | keys=chord
key_down | keyDown | key=key
key_up | keyUp | key=key
navigate | open_url | url=url
go_back | go_backward |
go_forward | go_forward |
~scroll | scroll | x=x y=y direction=direction magnitude=measure/111
~scroll | scroll | x=x y=y direction=direction magnitude_in_pixels=measure/120
~scroll_at | scroll amount=7 | x=x y=y direction=direction magnitude=measure/111
~scroll_document | scroll | direction=direction
~drag_and_drop | dragTo | x=start_x y=start_y destination_x=end_x destination_y=end_y
~click_at | click | x=x y=y
~hover_at | moveTo | x=x y=y
~type_text_at | write | x=x y=y text=message press_enter=entered clear_before_typing=cleared
~key_combination | chord | keys=chord
~wait_5_seconds | wait seconds=5 |
~open_web_browser | wait seconds=1 |
~search | open_url url=https://www.google.com |
~mouse_down | mouse_down | x=x y=y
~mouse_up | mouse_up | x=x y=y
~take_screenshot | wait seconds=1 |
"""
_UI_TARS = """
click | click | {point}=at
left_double | doubleClick | {point}=at
right_single | rightClick | {point}=at
drag | dragTo | {start}=start {end}=at
~left_double_click | doubleClick | {point}=at
~right_click | rightClick | {point}=at
~right_single_click | rightClick | {point}=at
hotkey | chord | key=chord
type | write | content=line
scroll | scroll | {point}=at direction=direction amount=notches
wait | wait seconds=5 |
wait | wait | seconds=seconds
finished | terminate status=success | content=info
call_user | call_user | content=question
press | keyDown | key=key
~keydown | keyDown | key=key
release | keyUp | key=key
~keyup | keyUp | key=key
~mouse_down | mouse_down | {point}=at
~mouse_up | mouse_up | {point}=at
move_to | moveTo | {point}=at
~take_screenshot | wait seconds=1 |
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
~screenshot | wait seconds=1 |
DONE | terminate status=success |
FAIL | terminate status=failure |
~click | click | box_2d=at
~long_press | long_press | box_2d=at
~input_text | write submit=True | text=message box_2d=at override=replace
~keyboard_enter | press keys=enter |
~navigate_home | navigate_home |
~navigate_back | navigate_back |
~swipe | swipe | direction=direction box_2d=from_coord
~answer | response | text=answer
~status goal_status=complete | terminate status=success |
~status goal_status=infeasible | terminate status=failure |
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
~pyautogui.vscroll | scroll | clicks=up/1 x=x y=y
pyautogui.hscroll | scroll | clicks=right/1 x=x y=y
pyautogui.write | write | message=message interval=-
pyautogui.press | press | keys=keys presses=presses interval=-
pyautogui.hotkey | hotkey | *keys=*keys
pyautogui.keyDown | keyDown | key=key
pyautogui.keyUp | keyUp | key=key
~pyautogui.mouseDown | mouse_down | x=x y=y button=button
~pyautogui.mouseUp | mouse_up | x=x y=y button=button
pyautogui.move | instead=give_the_place_itself,_with_moveTo | x=x y=y
pyautogui.moveRel | instead=give_the_place_itself,_with_moveTo | x=x y=y
pyautogui.drag | instead=give_the_place_itself,_with_dragTo | x=x y=y
pyautogui.dragRel | instead=give_the_place_itself,_with_dragTo | x=x y=y
time.sleep | wait | secs=seconds
computer.wait | wait seconds=20 |
computer.wait | wait | seconds=seconds
~computer_wait | wait seconds=20 |
~computer_wait | wait | seconds=seconds
computer.terminate | terminate | status=status answer=info
~computer_terminate | terminate | status=status answer=info
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
_AUTOGLM_PHONE = """
do action=Launch | open_app | app=app_name
do action=Tap | click | element=at message=safety_decision
do action=Double_Tap | doubleClick | element=at
do action=Long_Press | long_press | element=at
do action=Type | write replace=True | text=message
~do action=Type__Name | write replace=True | text=message
do action=Swipe | swipe | start=from_coord end=to_coord
do action=Back | navigate_back |
do action=Home | navigate_home |
do action=Wait | wait | duration=seconds
do action=Take__over | call_user | message=question
~do action=Interact | call_user | message=question
~do action=Note | instead=keep_it_in_your_thoughts | message=-
~do action=Call__API | instead=keep_it_in_your_thoughts | instruction=-
finish | terminate status=success | message=info
"""
_YUTORI = """
left_click | click | coordinates=at
right_click | rightClick | coordinates=at
double_click | doubleClick | coordinates=at
triple_click | click clicks=3 | coordinates=at
hover | moveTo | coordinates=at
drag | dragTo | start_coordinates=start coordinates=at
scroll | scroll | coordinates=at direction=direction amount=notches
type | write | text=message press_enter_after=submit clear_before_typing=replace
key_press | chord | key_comb=chord
wait | wait | seconds=seconds
go_back | go_backward |
refresh | press keys=f5 |
goto_url | open_url | url=url
"""

WORDS: Mapping[str, Words] = {
    "qwen": Words("tool_call", _QWEN, tool="computer_use"),
    "qwen3.5": Words("tool_call", _QWEN3_5, tool="computer_use", tags="tool_call"),
    "qwen-phone": Words("tool_call", _QWEN_PHONE, tool="mobile_use"),
    "qwen3.5-phone": Words("tool_call", _QWEN_PHONE, tool="mobile_use", tags="tool_call"),
    "fara": Words("tool_call", _FARA, tool="computer_use"),
    "mai-ui": Words("tool_call", _MAI, tool="mobile_use"),
    "yutori": Words("tool_call", _YUTORI, chord="+"),
    "minimax": Words("tool_call", _MINIMAX, tool="computer", chord="+"),
    "anthropic": Words("tool_call", IN_WORDS, tool="computer", chord="+"),
    "anthropic-computer": Words("tool_call", COMPUTER, tool="computer", chord="+"),
    "anthropic-browser": Words("tool_call", BROWSER, chord="+"),
    "openai": Words("tool_call", _OPENAI, tool="computer"),
    "gemini": Words("tool_call", _GEMINI, chord="+"),
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
    "autoglm": Words("pyautogui", _AUTOGLM, tags="answer"),
    "autoglm-phone": Words("pyautogui", _AUTOGLM_PHONE, tags="answer", fenced=False),
    "agent-s3": Words("pyautogui", AGENT_S3),
    "browser-use": Words("objects", BROWSER_USE, chord="+", thought="next_goal"),
    "omniparser": Words("objects", OMNIPARSER, chord="+", tool="Next Action", thought="Reasoning"),
    "android_world": Words("objects", ANDROID_WORLD, tool="action_type", thought="Reason:"),
    "ufo": Words("objects", UFO, tool="function"),
    "gym-anything": Words("objects", GYM),
    "mobilerun": Words("tool_call", MOBILERUN, tags="function_calls"),
}
"""By the name of the family, or of the agent, that says them; where phones are used with others, also by that."""


def form_of(family: Family) -> Form | Literal[""]:
    """Give the form in which a family has words of its own; "" for one that has none."""
    own = WORDS.get(family.words or family.name)
    return own.form if own else ""


USUAL: Mapping[Form, str] = {
    "tool_call": "qwen",
    "thought_action": "ui-tars-1.5",
    "pyautogui": "opencua",
    "objects": "browser-use",
}
"""Whose words are used with a family that has none of the form."""
