"""What can be set about seeing: the form of pictures, reading text off them, a detector of controls."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from deskhand.core.value import Value


class PictureOptions(Value):
    """The form that pictures of the screen have."""

    format: Literal["png", "jpeg", "webp"] = "png"
    """`png` is without loss."""
    quality: int = Field(default=80, ge=1, le=100)
    """Of jpeg and webp; more is larger and nearer to what the screen shows."""


class OcrOptions(Value):
    """Reading text off pictures."""

    engine: Literal["tesseract", "fast", "none"] = "tesseract"
    """`tesseract` is Debian's; `fast` needs the extra `ocr`, whose weights have a licence with limits of use."""
    when: Literal["missing", "always"] = "missing"
    """`missing`: only windows, and large parts of windows, of which their application tells nothing; `always`: also
    what controls leave unsaid in others."""
    languages: tuple[str, ...] = ()
    """As tesseract calls them, such as `eng` and `chi_sim`; all that are installed unless set."""
    seconds: float = Field(default=10.0, gt=0)
    """For one reading; what takes longer is given up, and said."""


class DetectorOptions(Value):
    """A service that finds controls in pictures, as OmniParser's does."""

    url: str = ""
    """Where it answers `parse/`, such as `http://127.0.0.1:8000`; none is asked unless set."""
    seconds: float = Field(default=30.0, gt=0)
    """For one picture; what takes longer is given up, and said."""


class Perception(Value):
    """All of them."""

    pictures: PictureOptions = PictureOptions()
    ocr: OcrOptions = OcrOptions()
    detector: DetectorOptions = DetectorOptions()
