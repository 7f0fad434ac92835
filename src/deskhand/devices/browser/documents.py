"""The documents of a page: a walker in each, and names for their elements that outlive a look."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import count
from typing import Any, NamedTuple

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, JSHandle

from deskhand.core.observation import Element

_WALKER, _DRAWING = (files(__package__).joinpath(name).read_text("utf-8") for name in ("walker.js", "drawing.js"))
WALKER = f"() => ({_WALKER})(({_DRAWING})())"


@dataclass(eq=False)
class Document:
    """One document in a frame, as long as it is shown."""

    frame: Frame
    walker: JSHandle
    within: Node | None = None
    """The element of another document that shows it, for all but the page's own."""
    names: dict[int, str] = field(default_factory=dict)
    """The id of each node that was told of, by the walker's number for it."""

    async def ask(self, what: str, *arguments: Any) -> Any:
        """Call a function of the walker.

        Raises:
            PlaywrightError: the document is gone.
        """
        answer = await self.walker.evaluate("(w, [what, given]) => w[what](...given)", [what, list(arguments)])
        return json.loads(answer) if what == "walk" else answer

    async def handle(self, number: int) -> JSHandle:
        """Give the element that the walker knows by a number."""
        return await self.walker.evaluate_handle("(w, n) => w.node(n)", number)


class Node(NamedTuple):
    """Where an element is."""

    document: Document
    number: int

    async def ask(self, what: str, *arguments: Any) -> Any:
        """Call a function of the walker for this element; raises as `Document.ask`."""
        return await self.document.ask(what, self.number, *arguments)


class Names:
    """Gives each node an id, the same in every look, and finds it again."""

    def __init__(self) -> None:
        self.count = count(1)
        self._nodes: dict[str, Node] = {}
        self._told: dict[str, Element] = {}

    def of(self, document: Document, number: int) -> str:
        if (name := document.names.get(number)) is None:
            name = document.names[number] = f"e{next(self.count)}"
            self._nodes[name] = Node(document, number)
        return name

    def tell(self, element: Element) -> None:
        """Remember how an element was described last."""
        self._told[element.id] = element

    def node(self, element_id: str) -> Node | None:
        return self._nodes.get(element_id)

    def told(self, element_id: str) -> Element | None:
        return self._told.get(element_id)

    def forget(self, document: Document) -> None:
        """Drop the nodes of a document that is gone; how they were described is still known."""
        for name in document.names.values():
            self._nodes.pop(name, None)


class Documents:
    """What each frame of a tab shows."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._known: dict[Frame, Document] = {}

    def known(self) -> tuple[Document, ...]:
        return tuple(self._known.values())

    async def ask(self, frame: Frame, what: str, *arguments: Any) -> tuple[Document, Any]:
        """Call a function of the walker in whatever a frame shows now.

        Raises:
            PlaywrightError: the frame is gone, or navigates just now.
        """
        if (known := self._known.get(frame)) is not None:
            try:
                return known, await known.ask(what, *arguments)
            except PlaywrightError:  # another document is there now
                self.drop(known)
        made = Document(frame, await frame.evaluate_handle(WALKER))
        answer = await made.ask(what, *arguments)
        self._known[frame] = made
        return made, answer

    def drop(self, document: Document) -> None:
        """Forget a document that is gone."""
        self._known.pop(document.frame, None)
        self._names.forget(document)
