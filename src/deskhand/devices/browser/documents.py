"""The documents of a page: a walker in each, and names for their elements that outlive a look."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.resources import files
from itertools import count
from typing import Any, NamedTuple

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, JSHandle

WALKER = files(__package__).joinpath("walker.js").read_text("utf-8")


@dataclass(eq=False)
class Document:
    """One document in a frame, as long as it is shown."""

    frame: Frame
    walker: JSHandle
    names: dict[int, str] = field(default_factory=dict)
    """The id of each node that was told of, by the walker's number for it."""

    async def ask(self, what: str, *arguments: Any) -> Any:
        """Call a function of the walker.

        Raises:
            PlaywrightError: the document is gone.
        """
        return await self.walker.evaluate("(w, [what, given]) => w[what](...given)", [what, list(arguments)])


class Node(NamedTuple):
    """Where an element is."""

    document: Document
    number: int


class Names:
    """Gives each node an id, the same in every look, and finds it again."""

    def __init__(self) -> None:
        self._count = count(1)
        self._nodes: dict[str, Node] = {}

    def of(self, document: Document, number: int) -> str:
        if (name := document.names.get(number)) is None:
            name = document.names[number] = f"e{next(self._count)}"
            self._nodes[name] = Node(document, number)
        return name

    def node(self, element_id: str) -> Node | None:
        return self._nodes.get(element_id)

    def forget(self, document: Document) -> None:
        """Drop the names of a document that is gone."""
        for name in document.names.values():
            self._nodes.pop(name, None)


async def document_of(documents: dict[Frame, Document], frame: Frame, names: Names) -> Document:
    """Give the document that a frame shows, with its walker.

    Raises:
        PlaywrightError: the frame is gone, or navigates just now.
    """
    if (known := documents.get(frame)) is not None:
        try:
            await known.ask("changes")
            return known
        except PlaywrightError:  # another document is there now
            names.forget(known)
    made = documents[frame] = Document(frame, await frame.evaluate_handle(WALKER))
    return made
