"""A copy of a run that can be given away: scrubbed of secrets and personal data, and shown like any other."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from deskhand.core.errors import JournalError
from deskhand.core.event import ModelAsked, Observed, Record, Snapshot
from deskhand.core.geometry import Box
from deskhand.core.observation import Image
from deskhand.journal.file import BLOBS, EVENTS, read_blob, read_records
from deskhand.journal.scrubbing import BLOB_NAME, Scrubbing
from deskhand.perception.ocr import Reader
from deskhand.viewer.page import write_page
from deskhand.viewer.painting import NOTHING_TOLD, Told, left_out, painted, told

_NOWHERE = Box.at(0, 0, 0, 0)


class Seen(NamedTuple):
    """A picture of the journal, and what its look told."""

    image: Image
    known: Told


async def export(run_dir: Path, to: Path, scrubbing: Scrubbing, reader: Reader | None = None) -> int:
    """Write a scrubbed copy of a run, with its page, into the empty folder `to`; give the number of its pictures.

    Pictures are painted over where `reader` reads what was scrubbed or was told of it; without one they are left out,
    as are those in any case that only a model was shown. What lies beside the journal is not copied.

    Raises:
        JournalError: the folder holds no run, or the copy cannot be written.
        DeviceError: a picture cannot be read.
    """
    before = list(read_records(run_dir))
    after = [_scrubbed(record, scrubbing) for record in before]
    requests = dict(_requests(before, run_dir, scrubbing))
    pictures = _pictures(before, after)
    names: dict[str, str] = {}
    try:
        to.joinpath(BLOBS).mkdir(mode=0o700)
        for sha256, seen in pictures.items():
            if (data := _blob(run_dir, sha256)) is not None:
                shown = await painted(data, seen.known, scrubbing, reader) if reader else None
                names[sha256] = _put(to, (shown or left_out(seen.image, data)).data)
        names |= {sha256: _put(to, _renamed(text, names).encode()) for sha256, text in requests.items()}
        lines = (_renamed(record.model_dump_json(), names) + "\n" for record in after)
        to.joinpath(EVENTS).write_text("".join(lines), encoding="utf-8")
    except OSError as error:
        raise JournalError(f"{to} cannot be written ({error.strerror})") from error
    write_page(to)
    return len(pictures)


def _scrubbed(record: Record, scrubbing: Scrubbing) -> Record:
    return Record.model_validate_json(json.dumps(scrubbing.json(record.model_dump(mode="json"))))


def _requests(records: list[Record], run_dir: Path, scrubbing: Scrubbing) -> Iterator[tuple[str, str]]:
    for record in records:
        if isinstance(record.event, ModelAsked) and (data := _blob(run_dir, record.event.request)) is not None:
            yield record.event.request, json.dumps(scrubbing.json(json.loads(data)), ensure_ascii=False)


def _pictures(before: list[Record], after: list[Record]) -> Mapping[str, Seen]:
    """Give what was seen, by the hash of its picture; a picture that is only kept is of what was seen last."""
    pictures: dict[str, Seen] = {}
    known = NOTHING_TOLD
    for one, other in zip(before, after, strict=True):
        match one.event, other.event:
            case Observed(observation=seen), Observed(observation=left):
                known = told(seen, left)
                _add(pictures, seen.screen, known)
                if seen.alone is not None:
                    box = next((window.box for window in seen.windows if window.id == seen.window), _NOWHERE)
                    _add(pictures, seen.alone, known.within_window(box))
            case Snapshot(image=image), _:
                _add(pictures, image, known)
    return pictures


def _add(pictures: dict[str, Seen], image: Image, known: Told) -> None:
    """Take up a picture; of the same one a later look may tell more."""
    before = pictures.get(image.sha256, Seen(image, NOTHING_TOLD))
    pictures[image.sha256] = Seen(image, before.known.together(known))


def _blob(run_dir: Path, sha256: str) -> bytes | None:
    try:
        return read_blob(run_dir, sha256)
    except JournalError:  # it is missed from the copy as it is here
        return None


def _put(folder: Path, data: bytes) -> str:
    sha256 = hashlib.sha256(data).hexdigest()
    folder.joinpath(BLOBS, sha256).write_bytes(data)
    return sha256


def _renamed(text: str, names: Mapping[str, str]) -> str:
    return BLOB_NAME.sub(lambda found: names.get(found.group(), found.group()), text)
