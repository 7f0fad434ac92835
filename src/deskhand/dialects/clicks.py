"""The clicks as several families call them: one line a word; `{held}` stands for how keys that are held are told."""

from __future__ import annotations

CLICKS = """
left_click | click | coordinate=at {held}
right_click | rightClick | coordinate=at
right_click | click button=right | coordinate=at {held}
middle_click | click button=middle | coordinate=at {held}
double_click | doubleClick | coordinate=at
double_click | click clicks=2 | coordinate=at {held}
triple_click | click clicks=3 | coordinate=at {held}
mouse_move | moveTo | coordinate=at
"""
