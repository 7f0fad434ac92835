"""The tabs of a browser: which there are, which is in front, what each is waiting for."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar, TypeVarTuple, Unpack

import anyio
from playwright.async_api import BrowserContext, CDPSession, Dialog, FileChooser, Page, Request
from playwright.async_api import Error as PlaywrightError

from deskhand.core.errors import DeviceError, DeviceLost
from deskhand.core.groups import as_it_was
from deskhand.devices.browser.documents import Documents, Names
from deskhand.devices.browser.downloads import Downloads
from deskhand.devices.browser.sites import cannot
from deskhand.devices.browser.spec import BrowserSpec

WAITED_FOR = frozenset({"document", "script", "stylesheet", "xhr", "fetch"})
"""Kinds of request whose answers change what a page shows; pictures and streams come when they come."""
ERROR = "chrome-error:"
"""What a page that could not be had is called."""
T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Coming(NamedTuple):
    """A page that was asked for and has not come; until it does, the one before is shown but tells nothing."""

    request: Request
    since: float


class Asked(Exception):
    """The page has put up a question meanwhile, and answers nothing until that is answered."""


@dataclass
class Tab:
    """One tab. `id` is never given again."""

    id: str
    page: Page
    cdp: CDPSession
    documents: Documents
    question: Dialog | FileChooser | None = None
    """What the page has put up and waits for."""
    answer: str = ""
    """What was written into the field of a question that is up."""
    loading: dict[Request, float] = field(default_factory=dict)
    """Requests that have begun and not ended, with the time they began at."""
    title: str = ""
    """As it was when the tab was looked at last."""
    gone: anyio.Event = field(default_factory=anyio.Event)
    """Set when it is closed."""
    coming: Coming | None = None
    refused: str = ""
    """Why the page that was asked for last could not be had."""

    def shows(self, request: Request) -> bool:
        """Tell whether a request is for a page of its own, not for what is in one."""
        return request.is_navigation_request() and request.frame is self.page.main_frame

    def began(self, request: Request) -> None:
        if request.resource_type in WAITED_FOR:
            self.loading[request] = anyio.current_time()
        if self.shows(request):  # it may be where another one has sent us on to, which is the same wait
            since = self.coming.since if self.coming is not None else anyio.current_time()
            self.coming, self.refused = Coming(request, since), ""

    def ended(self, request: Request) -> None:
        self.loading.pop(request, None)
        if request.failure is not None and self.coming is not None and self.coming.request is request:
            self.coming = None

    def came(self, navigated: dict[str, Any]) -> None:
        frame = navigated["frame"]
        # What is shown instead of a page that failed may come when the next one has been asked for.
        if "parentId" not in frame and not frame["url"].startswith(ERROR):
            self.coming = None


class Tabs:
    """Keeps track of pages as they come and go; pop-ups come to the front, as they do for a person.

    In a browser that ran before, only tabs that we opened and what they opened count: the others are somebody else's.
    """

    def __init__(self, context: BrowserContext, names: Names, downloads: Downloads, spec: BrowserSpec) -> None:
        self.context = context
        self.open: list[Tab] = []
        self.asked = anyio.Event()
        """Set while a question is up in any of them."""
        self._names = names
        self._downloads = downloads
        self._spec = spec
        self._metrics: dict[str, Any] = {}
        if spec.scale != 1:
            self._metrics = {**spec.size._asdict(), "deviceScaleFactor": spec.scale, "mobile": False}
        self._front: Tab | None = None
        self._count = 0
        self._lock = anyio.Lock()  # between an action that opens tabs and looks that take them up
        self._waiting: list[Page] = []
        self._early: dict[Page, Dialog] = {}
        self._expected = -math.inf
        """When a page last began to open another, which has not come yet."""
        context.on("page", lambda page: self._waiting.append(page))  # it sets attributes of what is called
        # A listener at the context keeps the driver from closing dialogs by itself, also those of other tabs.
        context.on("dialog", self._on_dialog)

    async def settle(self) -> None:
        """Take up pages that have come since; when the last one was closed or has crashed, there is an empty one.

        Raises:
            DeviceLost: the browser is gone.
        """
        async with self._lock:
            while self._waiting:
                page, self._expected = self._waiting.pop(0), -math.inf
                if not self._spec.cdp or await self._is_ours(page):
                    await self._take(page)
            if not self.open:
                await self._take(await self._empty())

    async def _empty(self) -> Page:
        try:
            return await self.context.new_page()
        except PlaywrightError as error:
            raise DeviceLost("the browser is gone") from error

    async def _is_ours(self, page: Page) -> bool:
        opener = await page.opener()
        return any(tab.page is opener for tab in self.open)

    async def add(self) -> Tab:
        """Open a new tab in front."""
        return await self.adopt(await self.context.new_page())

    async def adopt(self, page: Page) -> Tab:
        """Take up a page as one of ours, in front."""
        async with self._lock:
            await self._take(page)
        return self.front

    async def _take(self, page: Page) -> None:
        if page.is_closed() or any(tab.page is page for tab in self.open):
            return
        try:
            cdp = await self.context.new_cdp_session(page)
            # Enabling it waits for the page, which may have put up a question already.
            if page not in self._early:
                await self.unless_asked(self._prepare, cdp)
        except Asked:
            pass
        except PlaywrightError:  # it was closed again
            return
        self._count += 1
        tab = Tab(f"t{self._count}", page, cdp, Documents(self._names))
        self._listen(tab)
        self.open.append(tab)
        self._front = tab
        if (early := self._early.pop(page, None)) is not None:
            self._ask(tab, early)

    async def _prepare(self, cdp: CDPSession) -> None:
        await cdp.send("Page.enable")
        if self._metrics:  # pictures are taken as finely as the session that takes them knows the page to be
            await cdp.send("Emulation.setDeviceMetricsOverride", self._metrics)

    def _on_dialog(self, dialog: Dialog) -> None:
        tab = next((tab for tab in self.open if tab.page is dialog.page), None)
        if tab is not None:
            self._ask(tab, dialog)
        elif dialog.page is not None:
            self._early[dialog.page] = dialog
            self.asked.set()

    def _ask(self, tab: Tab, question: Dialog | FileChooser) -> None:
        tab.question, tab.answer = question, ""
        self._front = tab
        self.asked.set()

    def answered(self, tab: Tab) -> None:
        """Take note that a tab's question is gone, whoever answered it."""
        tab.question, tab.answer = None, ""
        if not any(each.question for each in self.open):
            self.asked = anyio.Event()

    def _listen(self, tab: Tab) -> None:
        def failed(request: Request) -> None:
            tab.ended(request)
            # One that was given up has become a file, or another page, or had nothing to show.
            if tab.shows(request) and request.failure not in (None, "net::ERR_ABORTED"):
                tab.refused = cannot(self._spec, request.url, request.failure)

        def closed(_: Any) -> None:
            if isinstance(tab.question, Dialog):
                self.answered(tab)

        page = tab.page
        page.on("close", lambda _: self._went(tab))
        page.on("crash", lambda _: self._went(tab))
        page.on("filechooser", lambda chooser: self._ask(tab, chooser))
        page.on("download", self._downloads.begin)
        page.on("request", tab.began)
        page.on("requestfinished", tab.ended)
        page.on("requestfailed", failed)
        tab.cdp.on("Page.javascriptDialogClosed", closed)
        tab.cdp.on("Page.windowOpen", self._opens)
        tab.cdp.on("Page.frameNavigated", tab.came)

    def _opens(self, _: Any) -> None:
        self._expected = anyio.current_time()

    def expects(self, within: float) -> bool:
        """Tell whether a page has begun to open another `within` the last seconds, which has not come yet."""
        return anyio.current_time() - self._expected < within

    def _went(self, tab: Tab) -> None:
        self.open = [other for other in self.open if other is not tab]
        self.answered(tab)
        tab.gone.set()
        if self._front is tab:
            self._front = self.open[-1] if self.open else None

    async def unless_asked(self, act: Callable[[Unpack[Ts]], Awaitable[T]], *given: *Ts) -> T:
        """Do something in a page; give up waiting for it when a question comes up.

        Raises:
            Asked: one has come up.
        """
        done: list[T] = []

        async def watch() -> None:
            await self.asked.wait()
            group.cancel_scope.cancel()

        with as_it_was():
            async with anyio.create_task_group() as group:
                group.start_soon(watch)
                done.append(await act(*given))
                group.cancel_scope.cancel()
        if not done:
            raise Asked
        return done[0]

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
        if tab.question is None:
            await tab.page.bring_to_front()
