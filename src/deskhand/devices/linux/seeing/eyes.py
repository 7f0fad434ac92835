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
from deskhand.devices.linux.seeing.scene import ITEMS, MENU_ITEMS
from deskhand.devices.linux.windows.listing import list_windows, pop_ups
from deskhand.devices.linux.windows.open_menus import open_menus
from deskhand.devices.linux.x11.display import Display
from deskhand.devices.linux.x11.grab import Grabber
from deskhand.perception.detecting import Detector, open_detector
from deskhand.perception.merge import CONTAINERS, merge, said, share
from deskhand.perception.ocr import Reader, engine_of, moved
from deskhand.perception.options import Perception
from deskhand.perception.picture import Pixels, blanked, greys_of, part_of
from deskhand.perception.recognising import Recognised

UNREADABLE = ("is halted", "does not answer within", "has closed")
"""Why an application tells nothing that is not to be made up for: what its window shows is of the past."""
_MOST_BLIND = 4
"""Parts of a window that are read where its application tells nothing of them."""
_CONTRAST = 40
"""Levels of brightness between the darkest and the brightest of a part that shows anything."""
REMEMBERED = 5000
_COVERED = 0.5
"""The part of a text that other windows hide from which on it counts as covered."""


class _Area(NamedTuple):
    """A part of the screen that belongs to a window, and what it shows."""

    window: Window
    box: Box
    pixels: Pixels
    part: bool = False
    """Whether only this part of its window is read."""


class _Shown(NamedTuple):
    """An element as it was shown, where its window was, and a checksum of what it looked like."""

    element: Element
    corner: Point
    look: int
    part: Box | None
    """The part of the window it was read in, where not all of it was."""


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
        always = self._options.when == "always"
        if bare or always or self.detector:
            areas = await self._areas(window, windows, screen)
        else:
            areas = await self._blind(window, windows, reading, screen)
        notes = [reading.truncated]
        found: list[Element] = []
        for area in areas:
            found += await self._look_at(area, windows, reading, notes, read=bare or always or area.part)
        if bare:
            notes[0] = reading.truncated or f"the window {window.title!r} tells nothing about its controls"
            notes.append(self._instead(found))
        elif any(area.part for area in areas):
            notes.append(f"parts of the window tell nothing of what they show; {len(found)} texts were read off there")
        return Reading(merge(reading.elements, found), "; ".join(dict.fromkeys(filter(None, notes))))

    def knows(self, element: str) -> bool:
        """Tell whether an id is that of something that was read off a picture."""
        return element in self._shown

    async def live(self, element: str) -> Element | None:
        """Find what was read off a picture again; None when it is gone.

        Raises:
            DeviceError: nothing can be seen.
        """
        known, corner, look, part = self._shown[element]
        windows = list_windows(self._display)
        window = next((each for each in windows if each.id == known.window and not each.minimized), None)
        if window is None:
            return None
        right, down = window.box.left - corner.x, window.box.top - corner.y
        box = moved(known.box, right, down)
        screen = self._grabber.grab()
        if crc32(part_of(screen, box).data) == look:
            return known.model_copy(update={"box": box})
        nothing = Reading((), "")
        if part:
            area = await self._part(window, moved(part, right, down), windows, screen)
            again = await self._look_at(area, windows, nothing, [], read=True)
        else:
            again = [*(await self.complete(window, windows, nothing, screen)).elements]
        return next((each for each in again if each.id == element), None)

    async def _look_at(
        self, area: _Area, windows: Sequence[Window], reading: Reading, notes: list[str], *, read: bool
    ) -> list[Element]:
        """Find texts and controls in a part of the screen; what goes wrong is added to `notes`."""
        found: list[Element] = []
        try:
            if self.detector:
                found += [self._element(area, *each) for each in await self.detector.detect(area.pixels)]
        except DeviceError as error:
            notes.append(str(error))
        try:
            if self._reader and read:
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
        part = area.box if area.part else None
        named = self._recognised.name(_place(area), corner, found)
        covered = [any(share(each.box, box) >= _COVERED for box in above) for each in named]
        named = [e.model_copy(update={"states": ("covered",)}) if c else e for e, c in zip(named, covered, strict=True)]
        for element in named:
            box = moved(element.box, -area.box.left, -area.box.top)
            self._shown[element.id] = _Shown(element, corner, crc32(part_of(area.pixels, box).data), part)
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

    async def _blind(self, window: Window, windows: Sequence[Window], reading: Reading, screen: Pixels) -> list[_Area]:
        """Give the parts of a window, and the open menus, that show something its application tells nothing of."""
        if self._reader is None:
            return []
        menus = open_menus(self._display, window.pid)
        silent = [menu for menu in menus if _untold(menu, reading.elements)]
        empty = [box for box in reading.blind if not any(_lies_in(e, box) for e in reading.elements)]
        parts = [await self._part(window, box, windows, screen) for box in (*silent, *empty)[:_MOST_BLIND]]
        return [part for part in parts if part.pixels.size.width and _contrast(part.pixels) >= _CONTRAST]

    async def _part(self, window: Window, box: Box, windows: Sequence[Window], screen: Pixels) -> _Area:
        inside = box.clipped(self._display.box)
        own = not inside.clipped(window.box).empty
        pixels = await self._pixels(window, inside, windows, screen) if own else part_of(screen, inside)
        return _Area(window, inside, pixels, part=True)

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
    size = f"{area.window.id} {area.box.width}x{area.box.height}"
    corner = area.window.box
    return f"{size} at {area.box.left - corner.left},{area.box.top - corner.top}" if area.part else size


def _untold(menu: Box, elements: Sequence[Element]) -> bool:
    """Tell whether no elements are of an open menu: those there are may lie under it."""
    inside = [e for e in elements if e.role not in CONTAINERS and share(e.box, menu) == 1]
    items = any(e.role in MENU_ITEMS | ITEMS for e in inside)
    return not items and sum(e.box.area for e in inside) < _COVERED * menu.area


def _lies_in(element: Element, part: Box) -> bool:
    return element.box != part and share(element.box, part) == 1


def _contrast(pixels: Pixels) -> int:
    shades = greys_of(pixels).tobytes()
    return max(shades) - min(shades)


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
