"""Finding controls in pictures through OmniParser's HTTP service."""

from __future__ import annotations

import base64
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from zlib import crc32

import httpx2
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from deskhand.core.errors import DeviceError
from deskhand.core.geometry import Box, Size
from deskhand.perception.detecting import Detected
from deskhand.perception.options import DetectorOptions
from deskhand.perception.picture import Pixels, picture_of

_ROLES = {("icon", True): "button", ("icon", False): "img", ("text", True): "link", ("text", False): "label"}
_KEPT = 16
"""Pictures whose answers are remembered."""


class _Found(BaseModel):
    """Something that the service has found, as it says it."""

    model_config = ConfigDict(extra="ignore")

    type: str = "icon"
    bbox: tuple[float, float, float, float]
    """Left, top, right, bottom, as parts of the picture's width and height."""
    interactivity: bool = True
    content: str | None = None

    def within(self, size: Size) -> Detected:
        """Put it into the pixels of a picture; its box is empty when it lies outside."""
        left, top, right, bottom = self.bbox
        width, height = size
        box = Box(round(left * width), round(top * height), round(right * width), round(bottom * height))
        role = _ROLES.get((self.type, self.interactivity), "img")
        return Detected(role, (self.content or "").strip(), box.clipped(Box.at(0, 0, width, height)))


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore")

    found: list[_Found] = Field(alias="parsed_content_list")


class OmniParser:
    """A service that answers `parse/`."""

    def __init__(self, options: DetectorOptions, client: httpx2.AsyncClient) -> None:
        self._address = options.url.rstrip("/").removesuffix("/parse") + "/parse/"
        self._seconds = options.seconds
        self._client = client
        self._known: OrderedDict[tuple[Size, int], Sequence[Detected]] = OrderedDict()

    async def detect(self, pixels: Pixels) -> Sequence[Detected]:
        """Ask what a picture shows; of one that was shown before the answer is known.

        Raises:
            DeviceError: the service cannot be reached, refuses, takes too long, or answers something else.
        """
        key = (pixels.size, crc32(pixels.data))
        if key not in self._known:
            found = (each.within(pixels.size) for each in (await self._ask(pixels)).found)
            self._known[key] = [each for each in found if not each.box.empty]
        self._known.move_to_end(key)
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return self._known[key]

    async def _ask(self, pixels: Pixels) -> _Answer:
        picture = base64.b64encode(picture_of(pixels).data).decode()
        try:
            reply = await self._client.post(self._address, json={"base64_image": picture})
            reply.raise_for_status()
            return _Answer.model_validate_json(reply.content)
        except httpx2.TimeoutException as error:
            raise self._failed(f"did not answer within {self._seconds:g} s (detector.seconds)") from error
        except httpx2.HTTPStatusError as error:
            raise self._failed(f"answered {error.response.status_code}") from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise self._failed(f"cannot be reached ({error or type(error).__name__}); is it running?") from error
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"])) or "its answer"
            raise self._failed(f"answers in another form than OmniParser's ({where}: {first['msg']})") from error

    def _failed(self, how: str) -> DeviceError:
        return DeviceError(f"the detector at {self._address} {how}, so it has found nothing")


@asynccontextmanager
async def opened(options: DetectorOptions) -> AsyncIterator[OmniParser]:
    """Connect to a service; leaving the block closes the connections."""
    async with httpx2.AsyncClient(timeout=options.seconds, follow_redirects=True, trust_env=False) as client:
        yield OmniParser(options, client)
