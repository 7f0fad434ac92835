"""Says when the picture of a display changes, a blinking caret not counted: the truth that waiting is held against.

`python -m benchmarks.frames :7` prints "watching", then for every frame that differs from the one before the seconds of
the monotonic clock and the edges of what differs, one line each, until its input ends.
"""

from __future__ import annotations

import select
import sys
import time

from deskhand.devices.linux.seeing.settle import CARET
from deskhand.devices.linux.x11.display import Display
from deskhand.devices.linux.x11.grab import Grabber
from deskhand.perception.picture import difference

FRAME = 0.004
"""Seconds between two pictures: four in a frame of a screen that shows sixty a second."""


def main(name: str) -> None:
    display = Display.open(name)
    grabber = Grabber(display)
    before = grabber.grab()
    print("watching", flush=True)
    while not select.select([sys.stdin], [], [], FRAME)[0]:
        at, now = time.monotonic(), grabber.grab()
        if now.data == before.data:
            continue
        box = difference(before, now)
        if box is not None and box.width > CARET:
            print(at, *box, flush=True)
        before = now
    grabber.close()
    display.close()


if __name__ == "__main__":
    main(sys.argv[1])
