"""What Anthropic's tools for the screen call the actions: one line a word."""

from __future__ import annotations

from deskhand.dialects.clicks import CLICKS

_MOUSE = f"""{CLICKS}type | write | text=line
key | chord | text=chord repeat=presses
hold_key | hold | text=chord duration=seconds
wait | wait | duration=seconds
"""
COMPUTER = f"""
{_MOUSE.replace("{held}", "text=held")}
left_click_drag | dragTo | start_coordinate=start coordinate=at text=held
scroll | scroll | coordinate=at scroll_direction=direction scroll_amount=notches text=held
~left_mouse_down | mouse_down | coordinate=at
~left_mouse_up | mouse_up | coordinate=at
~screenshot | wait seconds=1 |
zoom | instead=look_at_the_whole_screen | region=-
cursor_position | instead=say_the_place_itself |
"""
IN_WORDS = f"""
{COMPUTER}
done | terminate status=success |
fail | terminate status=failure |
"""
"""For a model that is told of the tool in words, and so needs words for the end as well."""
BROWSER = f"""
{_MOUSE.replace("{held}", "modifiers=held")}
hover | moveTo | coordinate=at
left_click_drag | dragTo | start_coordinate=start coordinate=at
left_mouse_down | mouse_down | coordinate=at
left_mouse_up | mouse_up | coordinate=at
scroll | scroll | coordinate=at scroll_direction=direction scroll_amount=notches
scroll_to | moveTo |
form_input | set_value | value=value
navigate url=back | go_backward |
navigate url=forward | go_forward |
navigate url=reload | press keys=f5 |
navigate | open_url | url=url
new_tab | open_app app_name=browser |
switch_tab | focus_window | tab_id=window
close_tab | close_window | tab_id=window
"""
"""Places are said as for the computer: `tool_uses` takes them out of what says whether they are points or elements."""
