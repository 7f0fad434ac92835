"""The tabs of a browser: which there are, which is in front, what each is waiting for."""

from __future__ import annotations

from dataclasses import dataclass, field

import anyio
from playwright.async_api import BrowserContext, CDPSession, Dialog, Download, Frame, Page, Request

from deskhand.core.errors import DeviceError
from deskhand.devices.browser.documents import Document


@dataclass
class Tab:
    """One tab. `id` is never given again; `dialog` is what the page has put up and waits for."""

    id: str
    page: Page
    cdp: CDPSession
    dialog: Dialog | None = None
    asked: anyio.Event = field(default_factory=anyio.Event)
    """Set while a dialog is up."""
    answer: str = ""
    """What was written into the field of a prompt that is up."""
    downloads: list[Download] = field(default_factory=list)
    loading: int = 0
    """Requests that have begun and not ended."""
    documents: dict[Frame, Document] = field(default_factory=dict)
    """What each frame showed when it was looked at last."""


class Tabs:
    """Keeps track of pages as they come and go; pop-ups come to the front, as they do for a person."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.open: list[Tab] = []
        self._front: Tab | None = None
        self._count = 0
        self._lock = anyio.Lock()
        context.on("page", self._came)
        self._waiting: list[Page] = []

    def _came(self, page: Page) -> None:
        self._waiting.append(page)

    async def settle(self) -> None:
        """Take up pages that have come since."""
        async with self._lock:
            while self._waiting:
                await self._take(self._waiting.pop(0))

    async def add(self) -> Tab:
        """Open a new tab in front."""
        page = await self.context.new_page()
        await self.settle()
        return next(tab for tab in self.open if tab.page is page)

    async def _take(self, page: Page) -> None:
        if page.is_closed() or any(tab.page is page for tab in self.open):
            return
        self._count += 1
        tab = Tab(f"t{self._count}", page, await self.context.new_cdp_session(page))
        _listen(tab)
        page.on("close", lambda _: self._went(tab))
        self.open.append(tab)
        self._front = tab

    def _went(self, tab: Tab) -> None:
        self.open = [other for other in self.open if other is not tab]
        if self._front is tab:
            self._front = self.open[-1] if self.open else None

    @property
    def front(self) -> Tab:
        """The tab that is shown.

        Raises:
            DeviceError: all are closed.
        """
        if self._front is None:
            raise DeviceError("all tabs of the browser are closed")
        return self._front

    def find(self, tab_id: str) -> Tab | None:
        return next((tab for tab in self.open if tab.id == tab_id), None)

    async def bring_up(self, tab: Tab) -> None:
        self._front = tab
        await tab.page.bring_to_front()


def _listen(tab: Tab) -> None:
    def asked(dialog: Dialog) -> None:
        tab.dialog = dialog
        tab.asked.set()

    def began(_: Request) -> None:
        tab.loading += 1

    def ended(_: Request) -> None:
        tab.loading = max(0, tab.loading - 1)

    tab.page.on("dialog", asked)
    tab.page.on("download", lambda download: tab.downloads.append(download))
    tab.page.on("request", began)
    tab.page.on("requestfinished", ended)
    tab.page.on("requestfailed", ended)
