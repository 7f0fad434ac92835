"""Takes pictures of a screen with other programs, run by the Python of build/peers. A peer.

`peers_pictures.py HOW RUNS EXPECTED` gives milliseconds; nothing when a picture has not the size and colours that
the file EXPECTED (red, green, blue of 1920 x 1080 pixels) holds.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SIZE, SMALL = (1920, 1080), (1280, 720)


def with_mss() -> Callable[[], Any]:
    import mss  # type: ignore[import-not-found]  # build/peers has it, ours not

    screen = mss.mss()
    return lambda: screen.grab(screen.monitors[0])


def with_pyautogui() -> Callable[[], Any]:
    import pyautogui  # type: ignore[import-untyped]  # build/peers has it

    return lambda: pyautogui.screenshot()


def with_imagegrab() -> Callable[[], Any]:
    from PIL import ImageGrab

    return lambda: ImageGrab.grab(xdisplay="")


def with_scrot() -> Callable[[], Any]:
    file = Path(tempfile.mkdtemp(prefix="deskhand-bench-")) / "shot.png"

    def take() -> bytes:
        subprocess.run(["scrot", "--overwrite", "--silent", str(file)], check=True)
        return file.read_bytes()

    return take


GRABS = {"mss": with_mss, "pyautogui": with_pyautogui, "imagegrab": with_imagegrab, "scrot": with_scrot}


def as_image(taken: Any) -> Any:
    from PIL import Image

    if isinstance(taken, bytes):
        return Image.open(io.BytesIO(taken)).convert("RGB")
    return taken.convert("RGB") if isinstance(taken, Image.Image) else Image.frombytes("RGB", taken.size, taken.rgb)


def as_png(taken: Any) -> bytes:
    if isinstance(taken, bytes):
        return taken
    if hasattr(taken, "rgb"):
        import mss.tools  # type: ignore[import-not-found]  # as above

        packed = mss.tools.to_png(taken.rgb, taken.size, level=1)
        assert isinstance(packed, bytes)
        return packed
    file = io.BytesIO()
    taken.save(file, "PNG", compress_level=1)
    return file.getvalue()


def as_small_jpeg(taken: Any) -> bytes:
    file = io.BytesIO()
    as_image(taken).resize(SMALL).save(file, "JPEG", quality=75)
    return file.getvalue()


def main() -> None:
    how, runs, expected = sys.argv[1:]
    grab_name, _, form = how.partition("-")
    grab = GRABS[grab_name]()
    finish: Callable[[Any], Any] = {"": lambda taken: taken, "png": as_png, "jpeg": as_small_jpeg}[form]
    figures = []
    right = as_image(grab()).tobytes() == Path(expected).read_bytes()
    for _ in range(int(runs)):
        start = time.perf_counter()
        finish(grab())
        figures.append((time.perf_counter() - start) * 1000)
    print(json.dumps(figures if right else []))


main()
