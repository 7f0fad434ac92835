"""Text into fields: which way it goes, and whether it has arrived."""

from __future__ import annotations

import signal
import struct
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
import pytest

from deskhand.core.action import ActionResult
from deskhand.devices.linux.input.clipboard import Clipboard
from deskhand.devices.linux.input.text import Contents, TextEntry, enter_text, paste_text
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.x11.display import Display

if TYPE_CHECKING:
    from tests.linux.input.conftest import Form, Seat

pytestmark = [pytest.mark.anyio, pytest.mark.device]

HARD = {
    "many scripts": "naïve façade – 你好 – 😀 Ж かな ไทย 한국어 αβγ € " * 4,
    "right to left": "שלום עולם, مرحبا بالعالم 123 \u200fabc\u200e",
    "combining marks": "e\u0301 A\u030a\u0323 \u0915\u094d\u0937\u093f Z\u0351\u036b\u0343",
    "emoji with joiners": "👨‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇩🇪 ❤️",
    "lines and tabs": "ABC\nDEF\n\tGHI\\n end\n",
    "dashes": "--help -n 5",
    "more dashes": "-rf",
    "for a shell": "'single' \"double\" `back` $HOME $(id) ; & | > < * ? ~ ! # \\ %s %d",
    "ten thousand": "0123456789" * 1000,
    "ten thousand others": "汉字かな😀éЖ한αß" * 1000,
}


async def enter(seat: Seat, entry: TextEntry, text: str) -> ActionResult:
    return await enter_text(entry, text, seat.keyboard, seat.clipboard)


@asynccontextmanager
async def silent_owner(seat: Seat) -> AsyncIterator[None]:
    """Own the clipboard and never answer."""
    display = Display.open(seat.display.name)
    window = display.conn.generate_id()
    display.conn.core.CreateWindow(0, window, display.root, 0, 0, 1, 1, 0, 0, 0, 0, [])
    display.conn.core.SetSelectionOwner(window, display.atom("CLIPBOARD"), 0)
    assert display.conn.core.GetSelectionOwner(display.atom("CLIPBOARD")).reply().owner == window
    yield
    display.close()


async def user_copies(form: Form, text: str) -> None:
    await form.ask(f'copy "{text}"')


async def clipboard_seen_by_another(seat: Seat, text: str | None) -> str | None:
    """Give what another program reads from the clipboard, once it is as expected."""
    other = Clipboard(seat.display.name)
    read = await other.read(2)
    with anyio.move_on_after(3):
        while read != text:
            await anyio.sleep(0.01)
            read = await other.read(2)
    other.close()
    return read


def children() -> set[str]:
    """Give the processes that this one has started and not yet buried."""
    threads = Path("/proc/self/task").iterdir()
    return {pid for thread in threads for pid in (thread / "children").read_text().split()}


@pytest.mark.parametrize("text", HARD.values(), ids=HARD)
async def test_r045_hard_text_arrives_exactly(seat: Seat, text: str) -> None:
    async with seat.form("view") as form:
        result = await enter(seat, TextEntry(multiline=True, read=form.reader("view")), text)
        assert (await form.ask())["texts"]["view"] == text
    assert result.outcome == "done"
    assert await seat.nothing_is_down()


async def test_hard_text_arrives_exactly_by_keys(seat: Seat) -> None:
    async with seat.form("entry") as form:
        for text in (text for text in HARD.values() if len(text) < 200 and "\n" not in text):
            await seat.keyboard.type(text)
            assert await form.text("entry", text) == text
            await seat.keyboard.hotkey("ctrl+a")
            await seat.keyboard.press(["Delete"])
            assert await form.text("entry", "") == ""


async def test_keys_are_used_where_no_paste_is_taken_and_the_result_says_so(seat: Seat) -> None:
    async with seat.form("unpasteable") as form:
        result = await enter(seat, TextEntry(multiline=False, read=form.reader("unpasteable")), "naïve – 你好")
        assert (await form.ask())["texts"]["unpasteable"] == "naïve – 你好"
    assert result.outcome == "done"
    assert "typed, since no paste was taken" in result.text


async def test_text_goes_in_at_the_caret_and_over_the_selection(seat: Seat) -> None:
    async with seat.form("view") as form:
        entry = TextEntry(multiline=True, read=form.reader("view"))
        await enter(seat, entry, "one three")
        await seat.keyboard.press(["Left"], presses=5)
        await form.until(lambda s: s["selections"]["view"] == [4])
        assert (await enter(seat, entry, "two – ")).outcome == "done"
        assert (await form.ask())["texts"]["view"] == "one two – three"
        await seat.keyboard.press(["shift+Left"], presses=2)
        await form.until(lambda s: s["selections"]["view"] == [8, 10])
        result = await enter(seat, entry, "+ ")
        assert result.outcome == "done", result
        assert (await form.ask())["texts"]["view"] == "one two + three"


async def test_a_result_says_that_a_selection_was_replaced(seat: Seat) -> None:
    async with seat.form("view") as form:

        async def read() -> Contents:
            return Contents((await form.ask())["texts"]["view"])

        await enter(seat, TextEntry(multiline=True), "old text")
        await seat.keyboard.hotkey("ctrl+a")
        result = await enter(seat, TextEntry(multiline=True, read=read), "new")
    assert result.outcome == "done"
    assert "in place of the 8 that were selected" in result.text


async def test_text_can_replace_what_is_there(seat: Seat) -> None:
    async with seat.form("view") as form:
        entry = TextEntry(multiline=True, replace=True, read=form.reader("view"))
        for text in ("first\nlines", "second: 你好", "3", ""):
            assert (await enter(seat, entry, text)).outcome == "done"
            assert (await form.ask())["texts"]["view"] == text


async def test_an_interface_that_takes_the_text_is_used_and_believed_only_when_read_back(seat: Seat) -> None:
    held = "before "

    async def insert(text: str) -> bool:
        nonlocal held
        held += text
        return True

    async def read() -> Contents:
        return Contents(held, 7, 7)

    assert (await enter(seat, TextEntry(insert=insert, read=read), "你好")).outcome == "done"
    assert (await enter(seat, TextEntry(insert=insert), "unseen")).outcome == "unverified"


async def test_a_caret_that_is_not_known_may_be_anywhere(seat: Seat) -> None:
    async with seat.form("view") as form:

        async def read() -> Contents:
            return Contents((await form.ask())["texts"]["view"])

        entry = TextEntry(multiline=True, read=read)
        await enter(seat, entry, "aaaa")
        await seat.keyboard.press(["Left", "Left"])
        assert (await enter(seat, entry, "aba")).outcome == "done"
        assert (await form.ask())["texts"]["view"] == "aaabaaa"


async def test_an_interface_that_does_nothing_is_passed_over(seat: Seat) -> None:
    async def insert(_text: str) -> bool:
        return False

    async with seat.form("entry") as form:
        entry = TextEntry(multiline=False, insert=insert, read=form.reader("entry"))
        assert (await enter(seat, entry, "by keys")).outcome == "done"
        assert (await form.ask())["texts"]["entry"] == "by keys"


async def test_text_that_arrives_changed_is_a_failure_that_says_where_and_quotes_nothing(seat: Seat) -> None:
    async with seat.form("limited") as form:
        result = await enter(seat, TextEntry(multiline=False, read=form.reader("limited")), "too long")
    assert result.outcome == "failed"
    assert "from character 5" in result.text
    assert "too l" not in result.text


async def test_text_that_went_in_elsewhere_than_at_the_caret_is_unverified(seat: Seat) -> None:
    async with seat.form("view") as form:

        async def read() -> Contents:
            return Contents((await form.ask())["texts"]["view"], 0, 0)

        await enter(seat, TextEntry(multiline=True), "one two")
        result = await enter(seat, TextEntry(multiline=True, read=read), " three")
        assert (await form.ask())["texts"]["view"] == "one two three"
    assert result.outcome == "unverified"
    assert "elsewhere than where the caret" in result.text


async def test_what_a_field_adds_to_complete_the_text_is_taken_out_again(seat: Seat) -> None:
    async with seat.form("completing") as form:
        result = await enter(seat, TextEntry(multiline=False, read=form.reader("completing")), "hel")
        assert (await form.ask())["texts"]["completing"] == "hel"
    assert result.outcome == "done"


async def test_text_that_goes_elsewhere_is_a_failure(seat: Seat) -> None:
    async with seat.form("view") as form:
        result = await enter(seat, TextEntry(read=form.reader("entry")), "lost")
    assert result.outcome == "failed"
    assert "nothing has arrived" in result.text


async def test_text_that_cannot_be_read_back_is_unverified(seat: Seat) -> None:
    async with seat.form("view") as form:
        result = await enter(seat, TextEntry(), "somewhere – 你好")
        assert await form.text("view", "somewhere – 你好") == "somewhere – 你好"
    assert result.outcome == "unverified"


@pytest.mark.parametrize("kind", ["field", "password"])
async def test_r046_line_breaks_are_refused_where_there_is_one_line(seat: Seat, kind: str) -> None:
    async with seat.form("entry") as form:
        one_line = TextEntry(kind="password") if kind == "password" else TextEntry(multiline=False)
        result = await enter(seat, one_line, "a\nb")
        state = await form.ask()
    assert result.outcome == "failed"
    assert "press Return" in result.text
    assert not state["events"]


async def test_control_characters_are_refused(seat: Seat) -> None:
    result = await enter(seat, TextEntry(), "bell\x07")
    assert result.outcome == "failed"
    assert "U+0007 at 4" in result.text


async def test_a_password_is_typed_and_never_on_the_clipboard(seat: Seat) -> None:
    password = "pässwörd – 你好 " * 5
    async with seat.form("password") as form:
        await user_copies(form, "the user's own")
        owner = seat.clipboard_owner()
        result = await enter(seat, TextEntry(kind="password"), password)
        assert await form.text("password", password) == password
        assert seat.clipboard_owner() == owner
    assert result.outcome == "unverified"
    assert "pässwörd" not in result.text


async def test_a_terminal_is_typed_into_line_by_line(seat: Seat, tmp_path: Path) -> None:
    text = "first – 你好\n\tsecond $HOME `id`\n"
    async with seat.terminal(tmp_path) as typed:
        result = await enter(seat, TextEntry(kind="terminal"), text)
        await seat.wait_for(typed, text)
        refused = await enter(seat, TextEntry(kind="terminal", replace=True), "x")
    assert result.outcome == "unverified"
    assert refused.outcome == "failed"


async def test_a_paste_has_a_receipt_and_gives_the_clipboard_back(seat: Seat) -> None:
    async with seat.form("view") as form:
        await user_copies(form, "mine")
        assert (await paste_text(seat.keyboard, seat.clipboard, "theirs – 你好")).taken
        assert await form.text("view", "theirs – 你好") == "theirs – 你好"
        assert await clipboard_seen_by_another(seat, "mine") == "mine"
        assert await seat.clipboard.read() == "mine"


async def test_a_picture_on_the_clipboard_survives_a_paste(seat: Seat) -> None:
    async with seat.form("view") as form:
        await form.ask("draw")
        result = await enter(seat, TextEntry(multiline=True, read=form.reader("view")), "你好")
        assert result.text == "2 characters pasted and read back"
        with anyio.fail_after(5):
            while not (await form.ask("picture"))["same"]:
                pass
        assert await seat.clipboard.read() is None


async def test_the_clipboard_is_given_back_at_once_by_what_takes_no_paste(seat: Seat) -> None:
    async with seat.form("unpasteable") as form:
        await user_copies(form, "mine")
        assert not (await paste_text(seat.keyboard, seat.clipboard, "ours")).frozen
        assert await clipboard_seen_by_another(seat, "mine") == "mine"


async def test_what_the_user_copies_meanwhile_stays(seat: Seat) -> None:
    async with seat.form("view") as form:
        async with seat.clipboard.offering("ours") as offer:
            await user_copies(form, "newer")
            assert not await offer.taken(0.1)
        assert await clipboard_seen_by_another(seat, "newer") == "newer"


async def test_a_reader_without_the_keyboard_is_no_receipt(seat: Seat) -> None:
    async with seat.form("view"), seat.clipboard.offering("text") as offer:
        assert await clipboard_seen_by_another(seat, "text") == "text"
        assert not await offer.taken(0.2)


async def test_r041_an_owner_that_never_answers_counts_as_empty(seat: Seat) -> None:
    async with seat.form("view") as form, silent_owner(seat):
        with anyio.fail_after(4):
            result = await enter(seat, TextEntry(read=form.reader("view")), "你好")
    assert result.outcome == "done"
    assert "has lost what it held: something whose owner has not answered" in result.text


async def test_a_clipboard_manager_keeps_what_we_leave(seat: Seat) -> None:
    display = Display.open(seat.display.name)
    core, manager, save = display.conn.core, *display.atoms("CLIPBOARD_MANAGER", "SAVE_TARGETS")
    window = display.conn.generate_id()
    core.CreateWindow(0, window, display.root, 0, 0, 1, 1, 0, 0, 0, 0, [])
    core.SetSelectionOwner(window, manager, 0)
    assert core.GetSelectionOwner(manager).reply().owner == window
    keeper = Clipboard(seat.display.name)
    await seat.clipboard.write("left behind")

    async with anyio.create_task_group() as group:
        group.start_soon(anyio.to_thread.run_sync, seat.clipboard.close)
        request = await until(display.conn.poll_for_event, 5)
        assert request.target == save
        kept = await keeper.read(2)
        assert kept == "left behind"
        await keeper.write(kept)
        notice = struct.pack(
            "=BxHIIIIIxxxxxxxx", 31, 0, request.time, request.requestor, manager, save, request.property
        )
        core.SendEvent(False, request.requestor, 0, notice)
        display.conn.flush()

    assert await clipboard_seen_by_another(seat, "left behind") == "left behind"
    keeper.close()
    display.close()


async def test_an_empty_clipboard_reads_as_nothing(seat: Seat) -> None:
    assert await seat.clipboard.read() is None


async def test_the_clipboard_is_set_again_and_again_without_helper_processes(seat: Seat) -> None:
    await seat.clipboard.write("first")
    before, threads = children(), threading.active_count()
    started = time.monotonic()
    for number in range(50):
        await seat.clipboard.write(f"text {number}")
    assert time.monotonic() - started < 25, "half a second each"
    assert children() == before
    assert threading.active_count() <= threads
    assert await clipboard_seen_by_another(seat, "text 49") == "text 49"


async def test_a_megabyte_crosses_the_clipboard(seat: Seat) -> None:
    text = "汉字 and more\n" * 70_000
    await seat.clipboard.write(text)
    assert await clipboard_seen_by_another(seat, text) == text


async def test_a_large_paste_arrives_whole(seat: Seat) -> None:
    text = "汉字 and more\n" * 20_000
    async with seat.form("view") as form:
        assert (await paste_text(seat.keyboard, seat.clipboard, text)).taken
        assert await form.text("view", text) == text


async def test_a_frozen_application_does_not_get_the_users_clipboard_later(seat: Seat) -> None:
    async with seat.form("view") as form:
        await user_copies(form, "private")
        await seat.clipboard.read()
        await seat.clipboard.write("private")
        form.process.send_signal(signal.SIGSTOP)
        result = await enter(seat, TextEntry(multiline=True), "meant\nfor it")
        form.process.send_signal(signal.SIGCONT)
        assert await form.text("view", "meant\nfor it") == "meant\nfor it"
    assert result.outcome == "failed"
    assert "has not reacted to the paste" in result.text
    assert await clipboard_seen_by_another(seat, "private") == "private"
