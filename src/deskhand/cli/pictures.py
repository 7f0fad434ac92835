"""The pictures that `deskhand look` writes."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from deskhand.core.errors import DeviceError, SettingsError
from deskhand.core.geometry import Size
from deskhand.core.observation import Look
from deskhand.perception.covering import uncovered
from deskhand.perception.marks import draw_marks
from deskhand.perception.options import PictureOptions
from deskhand.perception.picture import decode, form_of, picture_of, pixels_of

FORMS = {
    ".png": PictureOptions(format="png"),
    ".jpg": PictureOptions(format="jpeg"),
    ".jpeg": PictureOptions(format="jpeg"),
    ".webp": PictureOptions(format="webp"),
}


def check_pictures(arguments: Namespace) -> None:
    """See that what is said of pictures makes sense, before a device is opened.

    Raises:
        SettingsError: it does not; names what would.
    """
    _limit(arguments.size)
    for option, name in _files(arguments):
        if name == "-":
            raise SettingsError(f"--{option} -: pictures go to files; name one")
        if not Path(name).parent.is_dir():
            raise SettingsError(f"--{option} {name}: there is no folder {Path(name).parent}")
        if Path(name).suffix.lower() not in FORMS:
            raise SettingsError(f"--{option} {name}: its name ends in none of {', '.join(FORMS)}")


def write_pictures(arguments: Namespace, seen: Look) -> None:
    """Write the pictures that were asked for, in the form that each file's ending says.

    Raises:
        SettingsError: a file cannot be written.
        DeviceError: the device has no picture of the window alone.
    """
    observation, pictures = seen
    limit = _limit(arguments.size)
    for option, name in _files(arguments):
        image = observation.alone if option == "window-picture" else observation.screen
        if image is None:
            raise DeviceError(f"--window-picture {name}: there is no such window, or no picture of it alone")
        data = pictures[image.sha256]
        if option == "marks":
            data = draw_marks(data, uncovered(observation.elements, observation.windows)).data
        path = Path(name)
        try:
            path.write_bytes(_formed(data, FORMS[path.suffix.lower()], limit))
        except OSError as error:
            raise SettingsError(f"--{option} {path}: {error.strerror}") from error


def _files(arguments: Namespace) -> Iterator[tuple[str, str]]:
    for option in ("picture", "marks", "window-picture"):
        if name := getattr(arguments, option.replace("-", "_")):
            yield option, name


def _limit(text: str | None) -> Size | None:
    if text is None:
        return None
    found = re.fullmatch(r"([1-9]\d{0,4})[xX]([1-9]\d{0,4})", text)
    if not found:
        raise SettingsError(f"--size {text}: it is written like 1280x720")
    return Size(int(found[1]), int(found[2]))


def _formed(data: bytes, form: PictureOptions, limit: Size | None) -> bytes:
    if limit is None and form.format == form_of(data).format:
        return data
    pixels = pixels_of(decode(data))
    width, height = pixels.size
    part = min(1.0, *((limit.width / width, limit.height / height) if limit else (1.0,)))
    return picture_of(pixels, form, Size(max(1, round(width * part)), max(1, round(height * part)))).data
