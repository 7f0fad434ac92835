"""What is seen of a desktop beyond what its applications tell: texts and controls read off pictures."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import NamedTuple
from zlib import crc32

from deskhand.core.errors import DeviceError, DeviceLost
from deskhand.core.geometry import Box, Point
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.accessibility.reader import Reading
from deskhand.devices.linux.display import Display
from deskhand.devices.linux.grab import Grabber
from deskhand.devices.linux.windows import list_windows, pop_ups
from deskhand.perception.detecting import Detector, open_detector
from deskhand.perception.merge import CONTAINERS, merge, said, share
from deskhand.perception.ocr import Reader, engine_of, moved
from deskhand.perception.options import Perception
from deskhand.perception.picture import Pixels, blanked, part_of
from deskhand.perception.recognising import Recognised

UNREADABLE = ("is halted", "does not answer", "has closed")
"""Why an application tells nothing that is not to be made up for: what its window shows is of the past."""
REMEMBERED = 5000
_COVERED = 0.5
"""The part of a text that other windows hide from which on it counts as covered."""


class _Area(NamedTuple):
    """A part of the screen that belongs to a window, and what it shows."""

    window: Window
    box: Box
    pixels: Pixels


class _Shown(NamedTuple):
    """An element as it was shown, where its window was, and a checksum of what it looked like."""

    element: Element
    corner: Point
    look: int


class Eyes:
    """Reads pictures of one desktop."""

    def __init__(self, display: Display, grabber: Grabber, options: Perception, numbers: Iterator[int]) -> None:
        """See what `grabber` gives of a display; ids are made of `numbers`.

        Raises:
            SettingsError: what is set needs an extra that is not installed.
        """
        self._display = display
        self._grabber = grabber
        self._options = options.ocr
        engine = engine_of(options.ocr)
        self._reader = Reader(engine, options.ocr.seconds) if engine else None
        self.detector: Detector | None = None
        self._recognised = Recognised(numbers)
        self._shown: OrderedDict[str, _Shown] = OrderedDict()

    async def complete(self, window: Window, windows: Sequence[Window], reading: Reading, screen: Pixels) -> Reading:
        """Add what can be read off the picture to what an application has told of a window.

        `screen` is the picture of the same moment. What cannot be had is said in `truncated`.

        Raises:
            DeviceLost: the X server is gone.
        """
        if any(reason in reading.truncated for reason in UNREADABLE):
            return reading
        bare = all(element.role in CONTAINERS for element in reading.elements)
        if not (bare or self._options.when == "always" or self.detector):
            return reading
        areas = await self._areas(window, windows, screen)
        notes = [reading.truncated]
        found: list[Element] = []
        for area in areas:
            found += await self._look_at(area, windows, reading, notes, bare=bare)
        if bare:
            notes[0] = reading.truncated or f"the window {window.title!r} tells nothing about its controls"
            notes.append(self._instead(found))
        return Reading(merge(reading.elements, found), "; ".join(dict.fromkeys(filter(None, notes))))

    def knows(self, element: str) -> bool:
        """Tell whether an id is that of something that was read off a picture."""
        return element in self._shown

    async def live(self, element: str) -> Element | None:
        """Find what was read off a picture again; None when it is gone.

        Raises:
            DeviceError: nothing can be seen.
        """
        known, corner, look = self._shown[element]
        windows = list_windows(self._display)
        window = next((each for each in windows if each.id == known.window and not each.minimized), None)
        if window is None:
            return None
        box = moved(known.box, window.box.left - corner.x, window.box.top - corner.y)
        screen = self._grabber.grab()
        if crc32(part_of(screen, box).data) == look:
            return known.model_copy(update={"box": box})
        again = await self.complete(window, windows, Reading((), ""), screen)
        return next((each for each in again.elements if each.id == element), None)

    async def _look_at(
        self, area: _Area, windows: Sequence[Window], reading: Reading, notes: list[str], *, bare: bool
    ) -> list[Element]:
        """Find texts and controls in a part of the screen; what goes wrong is added to `notes`."""
        found: list[Element] = []
        try:
            if self.detector:
                found += [self._element(area, *each) for each in await self.detector.detect(area.pixels)]
        except DeviceError as error:
            notes.append(str(error))
        try:
            if self._reader and (bare or self._options.when == "always"):
                left, top = area.box.left, area.box.top
                told = [moved(box, -left, -top) for box in said(reading.elements)]
                lines = await self._reader.read(_place(area), blanked(area.pixels, told))
                found += [self._element(area, "label", line.text, line.box, "ocr") for line in lines]
        except DeviceError as error:
            notes.append(str(error))
        return self._named(area, windows, found)

    def _named(self, area: _Area, windows: Sequence[Window], found: Sequence[Element]) -> list[Element]:
        """Give elements their ids, and say which of them are covered."""
        corner = Point(area.window.box.left, area.window.box.top)
        above = _above(area.window, windows)
        named = self._recognised.name(_place(area), corner, found)
        covered = [any(share(each.box, box) >= _COVERED for box in above) for each in named]
        named = [e.model_copy(update={"states": ("covered",)}) if c else e for e, c in zip(named, covered, strict=True)]
        for element in named:
            box = moved(element.box, -area.box.left, -area.box.top)
            self._shown[element.id] = _Shown(element, corner, crc32(part_of(area.pixels, box).data))
            self._shown.move_to_end(element.id)
        while len(self._shown) > REMEMBERED:
            self._shown.popitem(last=False)
        return named

    def _element(self, area: _Area, role: str, name: str, box: Box, source: str = "detector") -> Element:
        place = moved(box, area.box.left, area.box.top)
        return Element.model_validate(
            {"id": "", "role": role, "name": name, "box": place, "window": area.window.id, "source": source}
        )

    async def _areas(self, window: Window, windows: Sequence[Window], screen: Pixels) -> list[_Area]:
        """Give what a window and its dialogs show, and its menus and pop-ups where they reach beyond."""
        dialogs = [each for each in windows if each.dialog_of == window.id and not each.minimized]
        areas = []
        for each in (window, *dialogs):
            box = each.box.clipped(self._display.box)
            if not box.empty:
                areas.append(_Area(each, box, await self._pixels(each, box, windows, screen)))
        for menu in pop_ups(self._display, window.pid) if window.pid else ():
            box = menu.clipped(self._display.box)
            if not box.empty and all(share(box, area.box) < 1 for area in areas):
                areas.append(_Area(window, box, part_of(screen, box)))
        return areas

    async def _pixels(self, window: Window, box: Box, windows: Sequence[Window], screen: Pixels) -> Pixels:
        """Take what a window shows: its own picture where others cover it."""
        if any(not box.clipped(other).empty for other in _above(window, windows)):
            try:
                own = await self._grabber.window(window)
                return part_of(own, moved(box, -window.box.left, -window.box.top))
            except DeviceLost:
                raise
            except DeviceError:
                pass  # what can be seen of it is better than nothing
        return part_of(screen, box)

    def _instead(self, found: Sequence[Element]) -> str:
        """Say what stands in for an application's own words."""
        if self._reader is None and self.detector is None:
            return "nothing is read off its picture either (ocr.engine=none)"
        texts = sum(element.source == "ocr" for element in found)
        return f"{texts} texts were read off its picture instead, without what they are for or what they hold"


def _place(area: _Area) -> str:
    """Name a part of a window, also when the window has moved."""
    return f"{area.window.id} {area.box.width}x{area.box.height}"


def _above(window: Window, windows: Sequence[Window]) -> list[Box]:
    """Give where the windows are that lie over one; `windows` has the topmost first."""
    ids = [each.id for each in windows]
    higher = windows[: ids.index(window.id)] if window.id in ids else ()
    return [each.box for each in higher if not each.minimized]


@asynccontextmanager
async def open_eyes(
    display: Display, grabber: Grabber, options: Perception, numbers: Iterator[int]
) -> AsyncIterator[Eyes]:
    """Get ready to read pictures, as `options` say; ids are made of `numbers`.

    Raises:
        SettingsError: what is set needs an extra that is not installed.
    """
    async with AsyncExitStack() as stack:
        eyes = Eyes(display, grabber, options, numbers)
        if options.detector.url:
            eyes.detector = await stack.enter_async_context(open_detector(options.detector))
        yield eyes
