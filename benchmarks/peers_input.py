"""Clicks and types with other programs; run by the Python of build/peers. A peer.

`peers_input.py PROGRAM click X Y COUNT` or `peers_input.py PROGRAM type TEXT` gives when each call began, in seconds of
the monotonic clock; PROGRAM is "pyautogui" or "xdotool", each as it comes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

STEP = 20
"""Pixels between two clicks, so that they are no double click."""


def xdotool(*words: str) -> None:
    subprocess.run(["xdotool", *words], check=True)


def click_of(program: str) -> Callable[[int, int], object]:
    if program == "xdotool":
        return lambda x, y: xdotool("mousemove", str(x), str(y), "click", "1")
    pyautogui: Any = import_module(program)
    return lambda x, y: pyautogui.click(x, y)


def type_of(program: str) -> Callable[[str], object]:
    if program == "xdotool":
        return lambda text: xdotool("type", "--", text)
    pyautogui: Any = import_module(program)
    return lambda text: pyautogui.write(text)


def clicks(program: str, x: int, y: int, count: int) -> list[float]:
    click = click_of(program)
    began = []
    for number in range(count):
        began.append(time.monotonic())
        click(x + STEP * number, y)
    return began


def typed(program: str, text: str) -> list[float]:
    write = type_of(program)
    began = time.monotonic()
    write(text)
    return [began]


def main() -> None:
    program, what, *words = sys.argv[1:]
    if what == "click":
        x, y, count = map(int, words)
        print(json.dumps(clicks(program, x, y, count)))
    else:
        print(json.dumps(typed(program, words[0])))


if __name__ == "__main__":
    main()
