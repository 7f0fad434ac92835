from __future__ import annotations

import io
import os
import random
import signal
from collections.abc import AsyncIterator

import pytest
from PIL import Image as PillowImage

from deskhand.core.errors import DeviceError, DeviceLost
from deskhand.core.geometry import Box, Size
from deskhand.devices.linux.desktops.virtual import Desktop, virtual_desktop
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.listing import list_windows
from deskhand.devices.linux.x11.display import Display
from deskhand.devices.linux.x11.grab import Grabber
from deskhand.perception.options import PictureOptions
from deskhand.perception.picture import Pixels, crop, decode, difference, picture_from_png, picture_of

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def desktop() -> AsyncIterator[Desktop]:
    async with virtual_desktop(Size(640, 480)) as desktop:
        yield desktop


def noise(size: Size, seed: int = 1) -> Pixels:
    return Pixels(size, random.Random(seed).randbytes(size.width * size.height * 4))


def colours(pixels: Pixels) -> bytes:
    """Give red, green, blue of each pixel, the slow and certain way."""
    data = pixels.data
    return b"".join(bytes((data[at + 2], data[at + 1], data[at])) for at in range(0, len(data), 4))


@pytest.mark.parametrize("size", [Size(1, 1), Size(7, 5), Size(300, 200), Size(5, 3000), Size(1920, 300)], ids=str)
def test_a_picture_holds_exactly_the_pixels_it_was_made_of(size: Size) -> None:
    pixels = noise(size)

    picture = picture_of(pixels)

    with PillowImage.open(io.BytesIO(picture.data)) as image:
        image.load()  # checks the checksums
        assert image.format == "PNG"
        assert image.size == size
    assert decode(picture.data).tobytes() == colours(pixels)
    assert picture.image.size == size


def test_the_same_pixels_make_the_same_picture_and_others_another() -> None:
    one, again, other = (picture_of(noise(Size(20, 20), seed)) for seed in (1, 1, 2))

    assert one.image == again.image
    assert one.image != other.image


def test_a_part_can_be_cut_out() -> None:
    pixels = noise(Size(50, 40))
    picture = picture_of(pixels)

    part = crop(picture.data, Box(10, 5, 60, 9))

    assert part.image.size == Size(40, 4)
    assert decode(part.data).tobytes() == decode(picture.data).crop((10, 5, 50, 9)).tobytes()
    with pytest.raises(ValueError, match="outside the picture of 50 x 40"):
        crop(picture.data, Box(50, 0, 60, 10))


def test_what_has_changed_is_found() -> None:
    before = noise(Size(50, 40))
    data = bytearray(before.data)
    for x, y in ((10, 5), (20, 30)):
        data[(y * 50 + x) * 4] ^= 0xFF

    assert difference(before, before) is None
    assert difference(before, Pixels(before.size, bytes(data))) == Box(10, 5, 21, 31)
    assert difference(before, noise(Size(5, 5))) == Box(0, 0, 5, 5)
    assert difference(before, Pixels(before.size, bytes(data)), [Box(0, 0, 99, 20)]) == Box(20, 30, 21, 31)


def test_a_png_file_is_taken_as_it_stands() -> None:
    made = picture_of(noise(Size(12, 10)))

    assert picture_from_png(made.data) == made
    with pytest.raises(ValueError, match="not a PNG file"):
        picture_from_png(b"GIF89a")


async def test_a_grab_shows_what_is_on_the_screen(desktop: Desktop) -> None:
    display = Display.open(desktop.display_name)
    display.paint(0x102030)
    grabber = Grabber(display)

    def painted() -> bool:
        return decode(picture_of(grabber.grab()).data).getcolors(1) == [(640 * 480, (0x10, 0x20, 0x30))]

    assert await until(painted, 5)
    assert grabber.shared
    assert grabber.grab(Box(600, 470, 700, 500)).size == Size(40, 10)
    with pytest.raises(DeviceError, match="outside the screen of 640 x 480"):
        grabber.grab(Box(640, 0, 650, 10))

    plain = Grabber(display, shared=False)
    await desktop.start(["galculator"])
    assert await until(lambda: list_windows(display), 20)
    assert await until(lambda: colours(plain.grab()) == colours(grabber.grab()), 5)
    assert not plain.shared
    grabber.close()
    display.close()


async def test_a_screen_that_has_not_changed_gives_the_same_picture(desktop: Desktop) -> None:
    display = Display.open(desktop.display_name)
    grabber = Grabber(display)

    first, second = (grabber.picture_of(grabber.grab()) for _ in range(2))

    assert first is second
    grabber.close()
    display.close()


@pytest.mark.parametrize(("form", "kind"), [("png", "PNG"), ("jpeg", "JPEG"), ("webp", "WEBP")])
def test_pictures_have_the_form_and_the_size_that_are_asked_for(form: str, kind: str) -> None:
    plain = Pixels(Size(300, 200), bytes((40, 80, 120, 0)) * 60_000)

    picture = picture_of(plain, PictureOptions.model_validate({"format": form}), Size(150, 100))

    with PillowImage.open(io.BytesIO(picture.data)) as image:
        assert (image.format, image.size, image.get_format_mimetype()) == (kind, (150, 100), picture.image.media_type)
        seen = image.convert("RGB").getpixel((75, 50))
    assert isinstance(seen, tuple)
    assert all(abs(one - other) <= 3 for one, other in zip(seen, (120, 80, 40), strict=True))


async def test_a_covered_window_has_a_picture_of_its_own_and_old_pictures_stay_as_they_were(desktop: Desktop) -> None:
    display = Display.open(desktop.display_name)
    grabber = Grabber(display)
    await desktop.start(["galculator"])
    assert await until(lambda: list_windows(display), 20)
    (calculator,) = list_windows(display)
    seen = grabber.grab()
    kept = bytes(seen.data)

    await desktop.start(["mousepad"])
    assert await until(lambda: len(list_windows(display)) == 2, 20)
    for shade in range(12):
        display.paint(0x405060 + shade)
        grabber.grab()
    own = await grabber.window(calculator)

    assert own.size == Size(calculator.box.width, calculator.box.height)
    assert bytes(seen.data) == kept
    grabber.close()
    assert bytes(seen.data) == kept
    display.close()


async def test_a_dead_display_gives_an_error_and_never_an_empty_picture(desktop: Desktop) -> None:
    display = Display.open(desktop.display_name)
    grabber = Grabber(display)
    os.kill(desktop.pids["Xvfb"], signal.SIGKILL)

    def lost() -> bool:
        try:
            grabber.grab()
        except DeviceLost as error:
            return "is gone" in str(error)
        return False

    assert await until(lost, 5)
    grabber.close()
    display.close()
