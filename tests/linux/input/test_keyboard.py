"""Keys as applications see them: a GTK form that logs them, and an xterm."""

from __future__ import annotations

import random
import re
import signal
import string
import time
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import pytest

from deskhand.core.errors import Correctable, TargetNotFound
from deskhand.core.keys import NAMES, chord, key
from deskhand.devices.linux.input.extensions import xtest_of
from deskhand.devices.linux.input.keyboard import Keyboard
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.x11.display import Display

if TYPE_CHECKING:
    from tests.linux.input.conftest import Seat

pytestmark = [pytest.mark.anyio, pytest.mark.device]

ASCII = string.digits + string.ascii_letters + string.punctuation + " "
LAYOUTS = [("us",), ("gb",), ("de", "nodeadkeys"), ("de",), ("fr",)]
MIXED = "汉字かな é Ж 😀 42 naïve façade – 你好 ไทย עברית العربية 한국어 αβγ €"


@pytest.mark.parametrize(
    ("spelling", "names"),
    [
        ("ctrl+shift+x", ("Control_L", "Shift_L", "x")),
        ("ctrl x", ("Control_L", "x")),
        (["ctrl", "x"], ("Control_L", "x")),
        (["ctrl+x"], ("Control_L", "x")),
        ("CTRL+Page_Down", ("Control_L", "Page_Down")),
        ("ctrl+page down", ("Control_L", "Page_Down")),
        ("cmd-s", ("Super_L", "s")),
        ("ctrl+-", ("Control_L", "-")),
        ("ctrl++", ("Control_L", "+")),
        ("ctrl+plus", ("Control_L", "+")),
        ("ctrl + c", ("Control_L", "c")),
        ("+", ("+",)),
        ("-", ("-",)),
        (" ", (" ",)),
        ("page-down", ("Page_Down",)),
        ("ArrowLeft", ("Left",)),
        ("\n", ("Return",)),
        ("é", ("é",)),
        ("汉", ("汉",)),
        ("<Return>", ("Return",)),
        ("<Control><Shift>s", ("Control_L", "Shift_L", "s")),
        ("⌘⇧S", ("Super_L", "Shift_L", "S")),
        ("Ctrl + Alt + Shift + Super + F12", ("Control_L", "Alt_L", "Shift_L", "Super_L", "F12")),
        ("ControlLeft+KeyA", ("Control_L", "a")),
        ("control_l alt_gr numpad5", ("Control_L", "ISO_Level3_Shift", "KP_5")),
        ("Alt Gr+e", ("ISO_Level3_Shift", "e")),
        ("Windows Key + R", ("Super_L", "R")),
        ("<ctrl>+<shift>+c", ("Control_L", "Shift_L", "c")),
        ("ctrl＋c", ("Control_L", "c")),
        ("⌥⌘⎋", ("Alt_L", "Super_L", "Escape")),
        ("Strg+Umschalt+Entf", ("Control_L", "Shift_L", "Delete")),
        ("Ctrl+numpad +", ("Control_L", "KP_Add")),
        ("CmdOrCtrl+z", ("Control_L", "z")),
    ],
)
def test_a_chord_is_read_in_every_spelling(spelling: str | list[str], names: tuple[str, ...]) -> None:
    assert chord(spelling) == names


@pytest.mark.parametrize(
    ("name", "families"),
    {
        "Return": "Return VK_RETURN KEY_ENTER KEYCODE_ENTER Key.enter XK_Return [Enter] enter-key ⏎ Entrée 回车键",
        "Page_Down": "Page_Down pgdn PgDown pagedown PAGE-DOWN Next Key.page_down",
        "Left": "Left ArrowLeft left_arrow ARROW-LEFT cursorleft KEYCODE_DPAD_LEFT ← ⬅ ⬅️ ◀",
        "Control_L": "ctrl Control ControlLeft <ctrl> Control_L Key.ctrl_l KEY_LEFTCTRL ⌃",
        "Super_L": "cmd Command super win Windows meta MetaLeft OS winkey Key.cmd ⌘",
        "Alt_L": "alt option opt AltLeft VK_MENU VK_LMENU ⌥",
        "BackSpace": "BackSpace VK_BACK KEYCODE_DEL KEY_BACKSPACE ⌫ Rücktaste",
        "Delete": "Delete del KEYCODE_FORWARD_DEL VK_DELETE ⌦ Suppr",
        "XF86Back": "XF86Back BrowserBack KEY_BACK KEYCODE_BACK",
        "KP_Enter": "KP_Enter NumpadEnter num_enter numpad-return KEY_KPENTER keypad_enter",
        "KP_5": "KP_5 numpad5 Numpad5 num5 kp5 KEY_KP5 VK_NUMPAD5",
        "KP_Add": "KP_Add NumpadAdd add kp_plus numpad_plus numpad+ KP_+",
        "é": "é eacute U00E9 U+00E9",
        "Я": "Я Cyrillic_YA",
        "XF86LaunchA": "XF86LaunchA xf86launcha",
        "dead_belowdot": "dead_belowdot DeadBelowDot",
        "-": "- minus hyphen dash",
        "+": "+ plus",
        "a": "a KeyA",
        "7": "7 Digit7",
        "F24": "F24 f24 VK_F24",
        "XF86AudioPlay": "XF86AudioPlay playpause MediaPlayPause media_play_pause",
        "Menu": "Menu ContextMenu apps",
    }.items(),
)
def test_a_key_is_known_under_the_names_of_every_family(name: str, families: str) -> None:
    assert {spelling: key(spelling).name for spelling in families.split()} == dict.fromkeys(families.split(), name)


@pytest.mark.parametrize("spelling", ["", "abc", "F25", "ctrl+foo", "C-x", [], "a+b"])
def test_what_is_no_chord_is_refused(spelling: str | list[str]) -> None:
    with pytest.raises(TargetNotFound):
        chord(spelling)


def test_an_unknown_key_is_answered_with_the_ones_spelled_like_it() -> None:
    with pytest.raises(TargetNotFound, match=r"'retrun'.*return"):
        key("retrun")


async def test_r049_named_keys_and_chords_arrive_as_asked_and_write_nothing(seat: Seat) -> None:
    async with seat.form("view") as form:
        names = ["Home", "End", "Left", "F2", "Delete", "BackSpace", "pgdn", "enter", "Tab", "esc"]
        await seat.keyboard.press(names)
        await seat.keyboard.hotkey(["ctrl", "a"])
        await seat.keyboard.hotkey("ctrl+shift+S")
        await seat.keyboard.hotkey("ctrl+plus")
        await seat.keyboard.press(["ctrl+Home"], presses=2)

        *plain, last = await form.events(22)
        state = await form.ask()
    assert plain[:10] == [
        "Home", "End", "Left", "F2", "Delete", "BackSpace", "Page_Down", "Return", "Tab", "Escape",
    ]  # fmt: skip
    assert [*plain[10:], last] == [
        "Control_L", "ctrl+a",
        "Control_L", "ctrl+Shift_L", "ctrl+shift+S",
        "Control_L", "ctrl+Shift_L", "ctrl+shift+plus",
        "Control_L", "ctrl+Home", "Control_L", "ctrl+Home",
    ]  # fmt: skip
    assert state["texts"]["view"] == "\n\t"
    assert await seat.nothing_is_down()


async def test_a_hotkey_presses_its_letter_once(seat: Seat) -> None:
    async with seat.form() as form:
        await seat.keyboard.hotkey(["shift", "a"])
        assert await form.events(2) == ["Shift_L", "shift+A"]


async def test_a_chord_has_up_to_four_modifiers(seat: Seat) -> None:
    async with seat.form() as form:
        for held in (["ctrl"], ["ctrl", "alt"], ["shift", "ctrl", "alt"], ["cmd", "shift", "ctrl", "alt"]):
            await seat.keyboard.hotkey([*held, "Home"])
        events = [event for event in await form.events(14) if event.endswith("Home")]
    assert events == ["ctrl+Home", "ctrl+alt+Home", *["ctrl+shift+alt+Home"] * 2]
    assert await seat.nothing_is_down()


async def test_alt_f4_closes_the_window(seat: Seat) -> None:
    async with seat.form() as form:
        await seat.keyboard.hotkey("alt+F4")
        with anyio.fail_after(5):
            assert await form.process.wait() == 0
    assert await seat.nothing_is_down()


async def test_every_key_that_has_a_name_gives_its_keysym(seat: Seat) -> None:
    media = [name for name in NAMES if name.startswith("XF86")]
    names = [name for name in NAMES if name not in media and not name.startswith("dead_")] + media[::8] + ["dead_hook"]
    wanted = [key(name).keysym for name in names]
    async with seat.form() as form:
        await seat.keyboard.press(["Num_Lock", "Caps_Lock"])  # each is pressed once more below
        for name in names:
            await seat.keyboard.press([name])
        state = await form.until(lambda s: s["keysyms"][-1:] == wanted[-1:] and len(s["keysyms"]) > len(wanted))
    held = {key(name).keysym for name in ("shift", "altgr")}  # pressed along for upper levels of keys
    seen = [keysym for keysym in state["keysyms"][2:] if keysym not in held]
    assert seen == [keysym for keysym in wanted if keysym not in held]
    assert held <= set(state["keysyms"])
    assert await seat.nothing_is_down()


@pytest.mark.parametrize("layout", LAYOUTS, ids="-".join)
async def test_r043_every_ascii_character_is_typed_right_under_every_layout(
    seat: Seat, layout: tuple[str, ...]
) -> None:
    await seat.layout(*layout)
    before = await seat.keymap()
    async with seat.form("view") as form:
        await seat.keyboard.type(ASCII)
        assert await form.text("view", ASCII) == ASCII
        await seat.keyboard.press(["Caps_Lock", "Num_Lock"])
        await seat.keyboard.type(ASCII)
        assert await form.text("view", ASCII * 2) == ASCII * 2
        assert seat.locked_modifiers() & 2, "Caps Lock was on before, so it is on again"
    assert await seat.keymap() == before


@pytest.mark.parametrize("layout", [("us",), ("de",), ("fr",)], ids="-".join)
async def test_every_ascii_character_reaches_a_terminal(seat: Seat, layout: tuple[str, ...], tmp_path: Path) -> None:
    await seat.layout(*layout)
    async with seat.terminal(tmp_path) as typed:
        await seat.keyboard.type(f"{ASCII}\n")
        await seat.wait_for(typed, f"{ASCII}\n")


async def test_other_scripts_reach_a_terminal(seat: Seat, tmp_path: Path) -> None:
    async with seat.terminal(tmp_path) as typed:
        await seat.keyboard.type(f"{MIXED}\n")
        await seat.wait_for(typed, f"{MIXED}\n")


async def test_the_active_one_of_several_layouts_counts(seat: Seat) -> None:
    await seat.layout("us,ru")
    async with seat.form("view") as form:
        await seat.keyboard.type("abc")
        seat.lock_group(1)
        assert seat.keyboard.can_type("ж")
        assert not seat.keyboard.can_type("a")
        await seat.keyboard.type("жук bug")
        assert await form.text("view", "abcжук bug") == "abcжук bug"
        await seat.keyboard.hotkey(["ctrl", "a"])
        await seat.keyboard.press(["Delete"])
        assert await form.text("view", "") == ""


@pytest.mark.parametrize("layout", [("ru",), ("gr",)], ids="-".join)
async def test_shortcuts_work_under_a_layout_without_latin_letters(seat: Seat, layout: tuple[str, ...]) -> None:
    await seat.layout(*layout)
    async with seat.form("view") as form:
        await seat.keyboard.type("gone")
        await seat.keyboard.hotkey(["ctrl", "a"])
        await seat.keyboard.press(["Delete"])
        assert await form.text("view", "") == ""


async def test_hundreds_of_characters_without_a_key_are_typed_without_a_slip(seat: Seat) -> None:
    before = await seat.keymap()
    chance = random.Random(38)
    scripts = ["汉字文本输入测试", "かなカナ", "éàüñçß", "ЖБЮя", "😀🎉👍", "0123456789", "한국어"]
    async with seat.form("entry") as form:
        for _ in range(3):
            text = "".join(chance.choice(chance.choice(scripts)) for _ in range(100))
            text += "".join(chr(chance.randrange(0x4E00, 0x9FA5)) for _ in range(200))
            await seat.keyboard.type(text)
            assert await form.text("entry", text) == text
            await seat.keyboard.hotkey("ctrl+a")
            await seat.keyboard.press(["BackSpace"])
            assert await form.text("entry", "") == ""
    assert await seat.keymap() == before


async def test_a_thousand_characters_are_typed_as_fast_as_the_application_reads(seat: Seat) -> None:
    text = "The quick brown fox jumps over the lazy dog? Yes! " * 20
    async with seat.form("entry") as form:
        started = time.monotonic()
        await seat.keyboard.type(text)
        assert await form.text("entry", text) == text
        assert time.monotonic() - started < 6, "ten milliseconds a character would be ten seconds"


async def test_a_delay_between_characters_is_kept(seat: Seat) -> None:
    async with seat.form("entry") as form:
        started = time.monotonic()
        await seat.keyboard.type("slowly", delay=0.05)
        assert time.monotonic() - started >= 0.3
        assert await form.text("entry", "slowly") == "slowly"


async def test_typing_stops_soon_when_cancelled_and_leaves_no_trace(seat: Seat) -> None:
    before = await seat.keymap()
    async with seat.form("view") as form:
        with anyio.move_on_after(0.1) as scope:
            await seat.keyboard.type("汉字 and THEN some " * 1000)
        assert scope.cancelled_caught
        assert time.monotonic() - scope.deadline < 1
        assert await seat.nothing_is_down()
        assert len((await form.ask())["texts"]["view"]) < 10_000
    assert await seat.keymap() == before


async def test_a_frozen_application_is_reported_and_not_waited_for(seat: Seat) -> None:
    impatient = Keyboard(seat.display, patience=0.2)
    async with seat.form("view") as form:
        form.process.send_signal(signal.SIGSTOP)
        with anyio.fail_after(5), pytest.raises(Correctable, match="stopped reading keys: 64 of 200"):
            await impatient.type("x" * 200)
        form.process.send_signal(signal.SIGCONT)
    impatient.close()


async def test_a_window_that_closes_is_not_waited_for(seat: Seat) -> None:
    async with seat.form("view") as form:
        assert await seat.keyboard.kept_up(5) is True
        form.process.send_signal(signal.SIGSTOP)
        answers: list[bool | None] = []

        async def ask() -> None:
            answers.append(await seat.keyboard.kept_up(60))

        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:
                group.start_soon(ask)
                await anyio.wait_all_tasks_blocked()
                form.process.kill()
        assert answers == [None]


@pytest.mark.parametrize("text", ["a\x07b", "\x00", "a\rb", "\x7f", "\ud800", "\x1b[0m"])
async def test_control_characters_are_refused_by_name(seat: Seat, text: str) -> None:
    with pytest.raises(Correctable, match=r"U\+[0-9A-F]{4} at \d"):
        await seat.keyboard.type(text)


async def test_r077_the_rest_of_a_text_is_not_typed_into_a_window_that_comes_up_meanwhile(
    seat: Seat, tmp_path: Path
) -> None:
    said: list[str] = []

    async def type_slowly() -> None:
        with pytest.raises(Correctable) as refused:
            await seat.keyboard.type("x" * 3000, delay=0.01)
        said.append(str(refused.value))

    async with seat.form("entry") as form, anyio.create_task_group() as group:
        group.start_soon(type_slowly)
        await form.until(lambda state: bool(state["texts"]["entry"]))
        async with seat.terminal(tmp_path) as typed:
            await until(lambda: bool(said), 10)
            strayed = len(typed.read_text())
        (sent,) = re.findall(r"another window has the keyboard now: (\d+) of 3000 characters were typed", said[0])
        held = len((await form.ask())["texts"]["entry"])

    assert (held <= int(sent) < 3000, strayed <= 1) == (True, True), (held, sent, strayed)


async def test_text_is_not_typed_while_a_modifier_is_held(seat: Seat) -> None:
    await seat.keyboard.down("ctrl")
    with pytest.raises(Correctable, match="held down"):
        await seat.keyboard.type("text")
    await seat.keyboard.up("ctrl")
    assert await seat.nothing_is_down()


async def test_held_keys_are_released_by_up_or_all_together(seat: Seat) -> None:
    async with seat.form() as form:
        await seat.keyboard.down("shift")
        await seat.keyboard.press(["left"])
        assert await form.events(2) == ["Shift_L", "shift+Left"]
        await seat.keyboard.up("shift")
        assert await seat.nothing_is_down()
        await seat.keyboard.down("ctrl")
        await seat.keyboard.down("alt")
        assert seat.pressed()[0]
        seat.keyboard.release_all()
        assert await seat.nothing_is_down()


async def test_r044_keys_that_a_dead_process_left_down_are_released_on_start(seat: Seat) -> None:
    dead = Display.open(seat.display.name)
    for keycode in (37, 53):
        xtest_of(dead).FakeInput(2, keycode, 0, 0, 0, 0, 0)
    dead.sync()
    dead.close()
    assert seat.pressed()[0], "the server keeps them down"

    seat.keyboard.release_all(everything=True)

    assert await seat.nothing_is_down()


async def test_text_is_refused_while_no_window_has_the_keyboard(seat: Seat) -> None:
    with pytest.raises(Correctable, match="no window has the keyboard"):
        await seat.keyboard.type("a")


async def test_a_chord_that_the_window_manager_takes_is_told_from_others(seat: Seat) -> None:
    taken = {text for text in ("alt+F4", "Alt+Shift+Tab", "alt+F3", "F4", "ctrl+s", "a") if seat.keyboard.taken([text])}
    assert taken == {"alt+F4", "Alt+Shift+Tab"}
    await seat.keyboard.press(["Num_Lock"])
    # A window manager may be taking its keys anew.
    assert await until(lambda: seat.keyboard.taken(["F5", "alt+F10"]) == "alt+F10", 5)


async def test_a_key_that_this_keyboard_lacks_is_lent_one(seat: Seat) -> None:
    await seat.layout("de")
    before = await seat.keymap()
    async with seat.form() as form:
        await seat.keyboard.press(["F13"])
        await seat.keyboard.hotkey("ctrl+shift+ж")
        await seat.keyboard.hotkey("ctrl+KP_5")
        await seat.keyboard.hotkey("ralt+F5")
        await seat.keyboard.press(["Caps_Lock", "é"])
        assert await form.events(10) == [
            "F13",
            "Control_L", "ctrl+Shift_L", "ctrl+shift+U+0436",
            "Control_L", "ctrl+KP_5",
            "Alt_L", "alt+F5",
            "Caps_Lock", "eacute",
        ]  # fmt: skip
    assert seat.locked_modifiers() & 2, "Caps Lock was on before, so it is on again"
    assert await seat.keymap() == before
