"""Reading text with tesseract, as Debian brings it: a program that is run for every picture."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from PIL import Image as PillowImage

from deskhand.core import child
from deskhand.core.errors import DeviceError
from deskhand.core.geometry import Box
from deskhand.perception.ocr import Word
from deskhand.perception.options import OcrOptions
from deskhand.perception.picture import Pixels, greys_of
from deskhand.perception.strips import Strip, read_in_strips

PROGRAM = "tesseract"
INSTALL = "apt-get install tesseract-ocr, for Chinese also tesseract-ocr-chi-sim, and so on"
_SPARSE = "11"
"""Its mode for texts that are strewn about, as on screens, rather than set in columns."""
_NO_LANGUAGES = frozenset({"osd", "equ", "snum"})
_GROUND = 0.05
"""The part of a picture from which on a grey is the ground of something: of fields, of the window around them."""
_LIGHT, _DARK = 192, 64
"""Greys from which on a ground is light, and up to which it is dark: letters on one between may be either."""
_ENLARGED = 600_000
"""Pixels up to which a picture is read at twice its size: small letters are read better, and it takes half as long
again."""


def make(options: OcrOptions) -> Tesseract:
    return Tesseract(options.languages)


class Tesseract:
    """Runs tesseract; as many at once as there are processors."""

    def __init__(self, languages: Sequence[str] = ()) -> None:
        """Read texts of `languages`; of all that are installed when there are none."""
        self._wanted = tuple(languages)
        self._languages = ""

    async def read(self, pixels: Pixels) -> list[Word]:
        """Read a picture; cancelling ends the programs that read it.

        Raises:
            DeviceError: tesseract or one of the languages is not installed, or it fails.
        """
        self._languages = self._languages or await self._usable()
        image = greys_of(pixels)
        larger = 2 if image.width * image.height <= _ENLARGED else 1

        async def read_strip(_: int, strip: Strip) -> list[Word]:
            return await self._run(image.crop((0, strip.top, image.width, strip.bottom)), larger)

        return await read_in_strips(pixels, read_strip)

    async def _usable(self) -> str:
        if shutil.which(PROGRAM) is None:
            raise DeviceError(f"there is no tesseract to read its text: {INSTALL}")
        listed = await child.run([PROGRAM, "--list-langs"])
        printed = (listed.stdout or listed.stderr).decode(errors="replace")  # older ones list them as errors
        installed = [name for name in printed.splitlines()[1:] if "/" not in name]
        if missing := [name for name in self._wanted if name not in installed]:
            raise DeviceError(
                f"tesseract has no {', '.join(missing)} to read its text (ocr.languages); it has "
                f"{', '.join(installed) or 'no language'}: {INSTALL}"
            )
        usable = self._wanted or sorted(set(installed) - _NO_LANGUAGES, key=lambda name: (name != "eng", name))
        if not usable:
            raise DeviceError(f"tesseract has no language to read its text: {INSTALL}")
        return "+".join(usable)

    async def _run(self, image: PillowImage.Image, larger: int) -> list[Word]:
        # One thread each: several of its threads take turns at every few lines of code, and are five times as slow.
        command = ["env", "OMP_THREAD_LIMIT=1", PROGRAM, "stdin", "stdout"]
        command += ["--psm", _SPARSE, "--dpi", str(96 * larger), "-l", self._languages, "tsv"]
        image = _on_one_ground(image)
        if larger > 1:
            image = image.resize((image.width * larger, image.height * larger), PillowImage.Resampling.BICUBIC)
        header = f"P5 {image.width} {image.height} 255\n".encode()
        done = await child.run(command, input=header + image.tobytes())
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            raise DeviceError(f"tesseract failed on its text: {said or f'it ended with {done.returncode}'}")
        return words_of(done.stdout.decode(errors="replace"), larger)


def _on_one_ground(image: PillowImage.Image) -> PillowImage.Image:
    """Make all light grounds white and all dark ones black.

    Tesseract divides the greys of a picture in two: the white of fields from the light grey around them if there is
    much of both, and then all that is written on the grey is gone.
    """
    counts = image.histogram()
    grounds = [grey for grey, count in enumerate(counts) if count > _GROUND * sum(counts)]
    white = min((grey for grey in grounds if grey >= _LIGHT), default=255)
    black = max((grey for grey in grounds if grey <= _DARK), default=0)
    return image.point([(min(max(grey, black), white) - black) * 255 // (white - black) for grey in range(256)])


def words_of(table: str, larger: int = 1) -> list[Word]:
    """Read the words off tesseract's table of tab-separated values, of a picture that was made `larger`."""
    found = []
    for row in table.splitlines()[1:]:
        cells = row.split("\t")
        if len(cells) >= 12 and cells[0] == "5":  # the fifth level is that of words
            left, top, width, height = (int(cell) // larger for cell in cells[6:10])
            text = "\t".join(cells[11:]).strip()
            found.append(Word(text, Box.at(left, top, max(1, width), max(1, height)), float(cells[10]) / 100))
    return found
