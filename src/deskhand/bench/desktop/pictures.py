"""Tasks in the image viewer and the image editor."""

from __future__ import annotations

from PIL import Image, ImageDraw

from deskhand.bench.desktop.home import Home
from deskhand.bench.desktop.task import Task, differs, first, on, saved_as

SIZE = (400, 300)
BLUE, YELLOW = (40, 90, 200), (240, 220, 60)
PHOTO = "Pictures/photo.png"
NO_WARNING = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="ristretto" version="1.0"><property name="errors" type="empty">
<property name="missing-thumbnailer" type="bool" value="false"/></property></channel>
"""


def _drawn() -> Image.Image:
    """Draw a picture whose left and right, and top and bottom, can be told apart."""
    picture = Image.new("RGB", SIZE, BLUE)
    ImageDraw.Draw(picture).rectangle((0, 0, 99, 74), fill=YELLOW)
    return picture


async def _viewed(home: Home) -> None:
    home.configure("xfce4/xfconf/xfce-perchannel-xml/ristretto.xml", NO_WARNING)
    _drawn().save(home.path / PHOTO)
    _drawn().rotate(180).save(home.path / "Pictures/blurred.png")
    await home.open("ristretto", home.path / "Pictures/blurred.png")


async def _edited(home: Home) -> None:
    _drawn().save(home.path / PHOTO)
    await home.open("gimp", home.path / PHOTO)


def _read(home: Home, name: str) -> Image.Image:
    with Image.open(home.path / name) as picture:
        picture.load()
        return picture


def _corners(picture: Image.Image) -> list[bool]:
    """Say of each corner whether it is the yellow one: upper left, upper right, lower left, lower right."""
    right, bottom = picture.width - 5, picture.height - 5
    seen = [picture.convert("RGB").getpixel(place) for place in ((4, 4), (right, 4), (4, bottom), (right, bottom))]
    return [isinstance(each, tuple) and each[0] > each[2] for each in seen]


def _copied(home: Home) -> str:
    names = ["blurred.png", "photo.png", "turned.png"]
    return first(
        differs(home.names("Pictures"), names, "the folder"),
        differs(_corners(_read(home, "Pictures/turned.png")), [False, False, False, True], "its yellow corner"),
    )


def _scaled(home: Home) -> str:
    small = _read(home, "Pictures/small.png")
    return first(
        differs(small.size, (200, 150), "its size"),
        differs(_corners(small), [True, False, False, False], "its yellow corner"),
    )


def _mirrored(home: Home) -> str:
    mirrored = _read(home, "Pictures/mirrored.png")
    return first(
        differs(mirrored.size, SIZE, "its size"),
        differs(_corners(mirrored), [False, True, False, False], "its yellow corner"),
    )


def _grey(home: Home) -> str:
    seen = _read(home, "Pictures/grey.png").convert("RGB")
    colours = [seen.getpixel(place) for place in ((4, 4), (390, 290))]
    plain = [isinstance(each, tuple) and max(each) - min(each) <= 4 for each in colours]
    return first(
        differs(plain, [True, True], "whether it is without colour"),
        differs(colours[0] != colours[1], True, "whether anything can be seen on it"),
    )


TASKS = (
    Task(
        "viewer-save-copy",
        "Save a copy of the picture that is open as turned.png in the Pictures folder.",
        ("ristretto",),
        _viewed,
        _copied,
        (on("ristretto", *saved_as("~/Pictures/turned.png")),),
        told="Press Ctrl+S, type {home}/Pictures/turned.png as the name and click Save.",
    ),
    Task(
        "viewer-delete",
        "Delete the picture I am looking at, it is no good.",
        ("ristretto",),
        _viewed,
        lambda home: differs(home.names("Pictures"), ["photo.png"], "the folder"),
        (on("ristretto", 'press("delete")', 'click(element="OK")'),),
        writes_late=True,
        told="Click Delete in the toolbar and then OK.",
    ),
    Task(
        "gimp-scale",
        "Make the picture in GIMP 200 pixels wide, keep its proportions, and export it as small.png to Pictures.",
        ("gimp",),
        _edited,
        _scaled,
        (
            on(
                "gimp",
                'hotkey("alt", "i")',
                'press("s")',
                'write(message="200", element="Width:", replace=True)',
                'press("tab")',
                'click(element="Scale button")',
                *saved_as("~/Pictures/small.png", 'hotkey("ctrl", "shift", "e")'),
                brings="Export Image as PNG",
            ),
            on("Export Image as PNG", 'click(element="Export button")'),
        ),
        seconds=240,
        told="Choose Image > Scale Image, set the width to 200 and click Scale. Then press Shift+Ctrl+E, type "
        "{home}/Pictures/small.png as the name, click Export, and click Export again.",
    ),
    Task(
        "gimp-mirror",
        "Mirror the picture from left to right in GIMP and export it as mirrored.png into the same folder.",
        ("gimp",),
        _edited,
        _mirrored,
        (
            on(
                "gimp",
                'hotkey("alt", "i")',
                'press(["t", "h"])',
                *saved_as("~/Pictures/mirrored.png", 'hotkey("ctrl", "shift", "e")'),
                brings="Export Image as PNG",
            ),
            on("Export Image as PNG", 'click(element="Export button")'),
        ),
        seconds=240,
        told="Choose Image > Transform > Flip Horizontally. Then press Shift+Ctrl+E, type "
        "{home}/Pictures/mirrored.png as the name, click Export, and click Export again.",
    ),
    Task(
        "gimp-grey",
        "Take all colour out of the picture with GIMP and export it as grey.png to Pictures.",
        ("gimp",),
        _edited,
        _grey,
        (
            on(
                "gimp",
                'hotkey("alt", "i")',
                'press(["m", "g"])',
                *saved_as("~/Pictures/grey.png", 'hotkey("ctrl", "shift", "e")'),
                brings="Export Image as PNG",
            ),
            on("Export Image as PNG", 'click(element="Export button")'),
        ),
        seconds=240,
        told="Choose Image > Mode > Grayscale. Then press Shift+Ctrl+E, type {home}/Pictures/grey.png as the "
        "name, click Export, and click Export again.",
    ),
)
