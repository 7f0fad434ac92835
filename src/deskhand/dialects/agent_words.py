"""What agents that are built on others' models call the actions: one line a word, read by `words`."""

from __future__ import annotations

AGENT_S3 = """
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
BROWSER_USE = """
click | click | index=mark coordinate_x=x coordinate_y=y
~click_element | click | index=mark
~click_element_by_index | click | index=mark
~input_text | write | index=mark text=message clear=cleared
~go_to_url | open_url | url=url new_tab=-
~search_google | open_url | query=search
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
search_page | instead=scroll_until_you_see_it | pattern=-
find_elements | instead=read_the_screen | selector=-
~screenshot | wait seconds=1 | file_name=-
~select_dropdown_option | select_option | index=mark text=value
dropdown_options | instead=click_the_list_to_see_them | index=-
upload_file | instead=use_the_dialog_that_opens | index=- path=-
evaluate | instead=use_the_screen | code=-
"""
OMNIPARSER = """
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
MOBILERUN = """
click | click | index=mark
~click_at | click | x=x y=y
~click_area | instead=click_its_middle_with_click__at | x1=- y1=- x2=- y2=-
long_press | long_press | index=mark
~long_press_at | long_press | x=x y=y
type | write | text=message index=mark clear=replace
~type_text | write | text=message clear=replace
swipe | swipe | coordinate=from_coord coordinate2=to_coord duration=-
system_button button=back | navigate_back |
system_button button=home | navigate_home |
system_button button=enter | press keys=enter |
open_app | open_app | text=app_name
wait | wait | duration=seconds
type_secret | write | secret_id=secret index=mark
complete | terminate | success=won message=info
remember | instead=keep_it_in_your_thoughts | information=-
"""
ANDROID_WORLD = """
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
~status goal_status=task__complete | terminate status=success | info=info
status goal_status=infeasible | terminate status=failure | info=info
"""
UFO = """
click_input | click | id=mark name=- button=button double=double
set_edit_text | write | id=mark name=- text=message clear_current_text=replace
keyboard_input | sendkeys | id=mark name=- keys=sendkeys control_focus=-
wheel_mouse_input | scroll | id=mark name=- wheel_dist=up/1
click_on_coordinates | click | x=x y=y button=button double=double
drag_on_coordinates | dragTo | start_x=start_x start_y=start_y end_x=end_x end_y=end_y button=button duration=-
summary | response | text=answer
texts | instead=read_the_screen | id=- name=-
annotation | instead=name_controls_by_their_numbers | control_labels=-
~click_input | click | controllabel=mark controltext=- button=button double=double
~set_edit_text | write | controllabel=mark controltext=- text=message clear_current_text=replace
~keyboard_input | sendkeys | controllabel=mark controltext=- keys=sendkeys control_focus=-
~wheel_mouse_input | scroll | controllabel=mark controltext=- wheel_dist=up/1
~click_control | click | control_id=mark control_name=-
~type_text | write | control_id=mark control_name=- text=message clear_current_text=replace
~launch_app | open_app | package_name=app_name id=-
~press_key key_code=KEYCODE__BACK | navigate_back |
~press_key key_code=KEYCODE__HOME | navigate_home |
~press_key key_code=KEYCODE__ENTER | press keys=enter |
"""
GYM = """
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
