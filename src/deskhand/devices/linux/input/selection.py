"""An X client in a thread of its own that owns the clipboard and asks others for it."""

from __future__ import annotations

import os
import queue
import select
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

import xcffib
import xcffib.xproto

from deskhand.core.errors import Correctable, DeviceError
from deskhand.devices.linux.input.transfer import Content, Kept, Reader, Sender, content_of, text_of
from deskhand.devices.linux.x11.display import Display

T = TypeVar("T")

_SETTLE = 0.1
"""Seconds after the last request before the clipboard changes back: some programs ask twice for one paste."""
_SAVING = 1.0
"""Seconds a clipboard manager may take to keep what we leave."""


class Offer:
    """Something that is on the clipboard for a while."""

    def __init__(self, content: Content, previous: Content | None) -> None:
        self.content = content
        self.previous = previous
        self.withdrawn = False
        self.taken_by_focus: Future[None] = Future()
        """Done when the program that has the keyboard has fetched it."""
        self.taken_by_others = 0
        """How often another program has; clipboard managers do so at once, so it proves little."""


class Selection:
    """Owner and reader of the clipboard. Every method but `close` returns at once; the thread does the work."""

    def __init__(self, display_name: str) -> None:
        self._display = Display.open(display_name)
        self._clipboard, self._clock = self._display.atoms("CLIPBOARD", "DESKHAND_TIME")
        self._manager, self._save = self._display.atoms("CLIPBOARD_MANAGER", "SAVE_TARGETS")
        self._window = self._make_window()
        self._sender = Sender(self._display, self._note_taking)
        self._reader: Reader | None = None
        self._content: Content | None = None
        self._since = 0
        self._offer: Offer | None = None
        self._restore_at: float | None = None
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._open: set[Future[Any]] = set()
        self._ended = False
        self._woken, self._wake = os.pipe()
        self._thread = threading.Thread(target=self._run, name="deskhand-clipboard", daemon=True)
        self._thread.start()

    def offer(self, text: str, previous: Content | None) -> Future[Offer]:
        """Own the clipboard with `text`; `previous` comes back when it is withdrawn."""
        return self._job(lambda: self._take_over(Offer(content_of(self._display, text), previous)))

    def withdraw(self, offer: Offer, *, wanted: bool) -> None:
        """Put back what was there before, as soon as nobody asks for the text any more.

        While it is still `wanted`, it stays until it was fetched, or something else is offered or copied.
        """
        self._job(lambda: self._plan_restoring(offer, wanted=wanted))

    def write(self, text: str) -> Future[None]:
        """Own the clipboard until another program does."""
        return self._job(lambda: self._replace(content_of(self._display, text)))

    def read(self) -> Future[Kept]:
        """Ask for what the user has copied. Wait with a limit: an owner need not answer."""
        answer: Future[Kept] = Future()
        self._post(answer, lambda: self._ask(answer))
        return answer

    def close(self) -> None:
        """Put back what an offer displaced, leave it to a clipboard manager if there is one, and go.

        Without a manager what we own goes with us: a clipboard is as alive as its owner.
        """
        if not self._ended:
            self._job(self._leave)
        self._thread.join()
        os.close(self._woken)
        os.close(self._wake)

    def _job(self, work: Callable[[], T]) -> Future[T]:
        done: Future[T] = Future()
        self._post(done, lambda: done.set_result(work()))
        return done

    def _post(self, done: Future[Any], work: Callable[[], None]) -> None:
        def run() -> None:
            try:
                work()
            except (Correctable, DeviceError) as error:
                done.set_exception(error)

        self._open.add(done)
        done.add_done_callback(self._open.discard)
        self._jobs.put(run)
        if self._ended:
            self._fail_open()
        else:
            os.write(self._wake, b".")

    def _fail_open(self) -> None:
        for waiting in list(self._open):
            waiting.set_exception(self._display.lost())

    def _run(self) -> None:
        try:
            while not self._ended:
                self._turn()
        except xcffib.ConnectionException:
            self._ended = True
        self._fail_open()
        self._display.close()

    def _turn(self) -> None:
        """Handle all that has come, then sleep until there is more."""
        conn = self._display.conn
        while (event := self._next(conn.poll_for_event)) is not None:
            self._handle(event)
        try:
            self._jobs.get_nowait()()
            return
        except queue.Empty:
            conn.flush()
        timeout = None if self._restore_at is None else self._restore_at - time.monotonic()
        if timeout is not None and timeout <= 0:
            self._restore()
            return
        ready, _, _ = select.select([conn.get_file_descriptor(), self._woken], [], [], timeout)
        if self._woken in ready:
            os.read(self._woken, 4096)

    @staticmethod
    def _next(take: Callable[[], Any]) -> Any:
        while True:
            try:
                return take()
            except xcffib.Error:  # a program that had asked for the text is gone
                continue

    def _handle(self, event: Any) -> None:
        match event:
            case xcffib.xproto.SelectionRequestEvent():
                self._sender.answer(event, self._content, self._since)
            case xcffib.xproto.SelectionNotifyEvent() if self._reader:
                self._reader.hear(event)
            case xcffib.xproto.SelectionClearEvent() if event.selection == self._clipboard:
                # Somebody copied something: that is the clipboard now, and nothing is to be put back.
                self._content = self._offer = self._restore_at = None
            case xcffib.xproto.PropertyNotifyEvent() if event.state == xcffib.xproto.Property.Delete:
                self._sender.go_on(event.window, event.atom)
            case xcffib.xproto.PropertyNotifyEvent() if event.window == self._window and self._reader:
                self._reader.go_on(event.atom)
            case _:
                pass

    def _make_window(self) -> int:
        conn = self._display.conn
        window = int(conn.generate_id())
        mask = [xcffib.xproto.EventMask.PropertyChange]
        conn.core.CreateWindow(0, window, self._display.root, -1, -1, 1, 1, 0, 0, 0, xcffib.xproto.CW.EventMask, mask)
        return window

    def _now(self) -> int:
        """Ask the server what time it is: it says so when a property changes."""
        conn = self._display.conn
        conn.core.ChangeProperty(2, self._window, self._clock, xcffib.xproto.Atom.INTEGER, 32, 0, b"")
        conn.flush()
        while True:
            event = self._next(conn.wait_for_event)
            if isinstance(event, xcffib.xproto.PropertyNotifyEvent) and event.atom == self._clock:
                return int(event.time)
            self._handle(event)

    def _owner(self, selection: int) -> int:
        return int(self._display.conn.core.GetSelectionOwner(selection).reply().owner)

    def _own(self, content: Content | None) -> None:
        core = self._display.conn.core
        if content is None:
            if self._owner(self._clipboard) == self._window:
                core.SetSelectionOwner(0, self._clipboard, self._now())
            self._content = None
            return
        self._since = self._now()
        core.SetSelectionOwner(self._window, self._clipboard, self._since)
        if self._owner(self._clipboard) != self._window:
            raise Correctable("the clipboard cannot be had: another program took it at the same moment; try again")
        self._content = content

    def _take_over(self, offer: Offer) -> Offer:
        self._own(offer.content)
        self._offer, self._restore_at = offer, None
        return offer

    def _plan_restoring(self, offer: Offer, *, wanted: bool) -> None:
        offer.withdrawn = True
        if offer is self._offer and not (wanted and not offer.taken_by_focus.done()):
            self._restore_at = time.monotonic() + _SETTLE

    def _restore(self) -> None:
        offer, self._offer, self._restore_at = self._offer, None, None
        if offer:
            self._own(offer.previous)

    def _replace(self, content: Content) -> None:
        self._offer = self._restore_at = None
        self._own(content)

    def _leave(self) -> None:
        # A program that is frozen may still paste: it must get what was meant for it, not the user's own.
        if self._offer and (self._restore_at is not None or not self._offer.withdrawn):
            self._restore()
        if self._content is not None and self._owner(self._manager):
            self._have_it_saved()
        self._ended = True

    def _have_it_saved(self) -> None:
        conn = self._display.conn
        conn.core.ConvertSelection(self._window, self._manager, self._save, self._clock, self._now())
        end = time.monotonic() + _SAVING
        while (left := end - time.monotonic()) > 0:
            conn.flush()
            event = self._next(conn.poll_for_event)
            if event is None:
                select.select([conn.get_file_descriptor()], [], [], left)
            elif isinstance(event, xcffib.xproto.SelectionNotifyEvent) and event.selection == self._manager:
                return
            else:
                self._handle(event)

    def _ask(self, answer: Future[Kept]) -> None:
        if self._offer:
            answer.set_result(Kept(self._offer.previous, text_of(self._display, self._offer.previous)))
        elif self._content is not None:
            answer.set_result(Kept(self._content, text_of(self._display, self._content)))
        elif not self._owner(self._clipboard):
            answer.set_result(Kept())
        else:
            if self._reader:
                self._reader.give_up()
            self._reader = Reader(self._display, self._window, self._now(), answer)

    def _note_taking(self, requestor: int) -> Callable[[], None]:
        """Count who fetches what is offered; give what notes the receipt once it has been sent."""
        offer = self._offer
        if offer is None:
            return _nothing
        focus = int(self._display.conn.core.GetInputFocus().reply().focus)
        ours = self._display.conn.get_setup().resource_id_mask
        known = focus > 1 and focus != self._display.root
        if known and focus & ~ours != requestor & ~ours:  # windows of one program share the bits above
            offer.taken_by_others += 1
            return _nothing
        return partial(self._note_taken, offer)

    def _note_taken(self, offer: Offer) -> None:
        # Keys that follow come by another connection: they must not reach the program before the text does.
        self._display.conn.core.GetInputFocus().reply()
        if not offer.taken_by_focus.done():
            offer.taken_by_focus.set_result(None)
        if offer.withdrawn and offer is self._offer:
            self._restore_at = time.monotonic() + _SETTLE


def _nothing() -> None:
    """Note nothing."""
