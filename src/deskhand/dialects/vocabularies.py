"""What families of models, and agents that are built on others, call the actions: one line a word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from deskhand.core.family import Family
from deskhand.dialects.anthropic_words import BROWSER, COMPUTER, IN_WORDS
from deskhand.dialects.words import Form, Words

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
computer.wait | wait | seconds=seconds
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
_AGENT_S3 = """
agent.click | click | element_description=words num_clicks=clicks button_type=button hold_keys=held
agent.switch_applications | focus_window | app_code=window
agent.open | open_app | app_or_filename=app_name
agent.type | write | element_description=words text=message overwrite=replace enter=submit
agent.drag_and_drop | dragTo | starting_description=start ending_description=words hold_keys=held
agent.scroll | scroll | element_description=words clicks=up/1 shift=sideways
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
_BROWSER_USE = """
click | click | index=mark
input | write | index=mark text=message clear=cleared
navigate | open_url | url=url new_tab=-
search | open_url | query=search engine=-
go_back | go_backward |
wait | wait | seconds=seconds
scroll | scroll | down=downward pages=pages/10 index=mark
send_keys | chord | keys=chord
select_dropdown | select_option | index=mark text=value
done | terminate | text=info success=won files_to_display=-
switch | instead=use_the_tabs_on_the_screen | tab_id=-
close | instead=use_the_tabs_on_the_screen | tab_id=-
extract | instead=read_the_screen | query=-
find_text | instead=scroll_until_you_see_it | text=-
dropdown_options | instead=click_the_list_to_see_them | index=-
upload_file | instead=use_the_dialog_that_opens | index=- path=-
evaluate | instead=use_the_screen | code=-
"""
_OMNIPARSER = """
left_click | click | box_id=mark
right_click | rightClick | box_id=mark
double_click | doubleClick | box_id=mark
hover | moveTo | box_id=mark
type | write | box_id=mark value=message
hotkey | chord | value=chord
scroll_up | scroll clicks=5 | box_id=mark
scroll_down | scroll clicks=-5 | box_id=mark
wait | wait seconds=1 |
none | terminate status=success | value=info
"""
_MOBILERUN = """
click | click | index=mark
long_press | long_press | index=mark
type | write | text=message index=mark clear=replace
swipe | swipe | coordinate=from_coord coordinate2=to_coord
system_button button=back | navigate_back |
system_button button=home | navigate_home |
system_button button=enter | press keys=enter |
open_app | open_app | text=app_name
wait | wait | duration=seconds
type_secret | write | secret_id=secret index=mark
complete | terminate | success=won message=info
remember | instead=keep_it_in_your_thoughts | information=-
"""
_ANDROID_WORLD = """
click | click | index=mark x=x y=y
double_tap | doubleClick | index=mark x=x y=y
long_press | long_press | index=mark x=x y=y
input_text | write | text=message index=mark x=x y=y
keyboard_enter | press keys=enter |
navigate_home | navigate_home |
navigate_back | navigate_back |
open_app | open_app | app_name=app_name
scroll | scroll | direction=direction index=mark amount=notches
swipe | swipe | direction=direction
wait | wait | seconds=seconds
answer | response | text=answer
status goal_status=complete | terminate status=success | info=info
~status goal_status=task_complete | terminate status=success | info=info
status goal_status=infeasible | terminate status=failure | info=info
"""
_UFO = """
click_input | click | id=mark name=- button=button double=double
set_edit_text | write | id=mark name=- text=message clear_current_text=replace
keyboard_input | sendkeys | id=mark name=- keys=sendkeys control_focus=-
wheel_mouse_input | scroll | id=mark name=- wheel_dist=up/1
click_on_coordinates | click | x=x y=y button=button double=double
drag_on_coordinates | dragTo | start_x=start_x start_y=start_y end_x=end_x end_y=end_y button=button duration=-
summary | response | text=answer
texts | instead=read_the_screen | id=- name=-
annotation | instead=name_controls_by_their_numbers | control_labels=-
"""
_GYM = """
mouse.left_click | click | at=at
mouse.right_click | rightClick | at=at
mouse.middle_click | click button=middle | at=at
mouse.double_click | doubleClick | at=at
mouse.triple_click | click clicks=3 | at=at
mouse.move | moveTo | at=at
mouse.left_click_drag | dragTo | ends=ends
mouse.scroll | scroll | amount=down/1
keyboard.keys | chord | keys=chord
keyboard.text | write | text=message
action.wait | wait | time=seconds
~action.screenshot | wait seconds=1 |
"""

WORDS: Mapping[str, Words] = {
    "qwen": Words("tool_call", _QWEN, tool="computer_use"),
    "qwen3.5": Words("tool_call", _QWEN3_5, tool="computer_use", tags="tool_call"),
    "fara": Words("tool_call", _FARA, tool="computer_use"),
    "mai-ui": Words("tool_call", _MAI, tool="mobile_use"),
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
    "autoglm": Words("pyautogui", _AUTOGLM),
    "agent-s3": Words("pyautogui", _AGENT_S3),
    "browser-use": Words("objects", _BROWSER_USE, chord="+", thought="next_goal"),
    "omniparser": Words("objects", _OMNIPARSER, chord="+", tool="Next Action", thought="Reasoning"),
    "android_world": Words("objects", _ANDROID_WORLD, tool="action_type", thought="Reason:"),
    "ufo": Words("objects", _UFO, tool="function"),
    "gym-anything": Words("objects", _GYM),
    "mobilerun": Words("tool_call", _MOBILERUN, tags="function_calls"),
}
"""By the name of the family, or of the agent, that says them."""


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
