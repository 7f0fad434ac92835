"""Text into real applications of every toolkit, under several layouts and with locks on."""

from __future__ import annotations

import shutil
import string
import zipfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from xml.etree import ElementTree

import anyio
import pytest

from benchmarks.fields import KITS, Field, Open, begin, page
from deskhand.core.action import ActionResult, OnElement, Press, Write
from deskhand.core.observation import Element
from deskhand.devices.linux.applications.launch import with_options
from deskhand.devices.linux.desktops.virtual import Desktop, virtual_desktop
from deskhand.devices.linux.device import LinuxDevice, open_linux
from deskhand.devices.linux.waiting import until

pytestmark = [pytest.mark.anyio, pytest.mark.device]

MISSPELT = "het"[::-1]
"""What word processors make "the" of."""
LAYOUTS = ("us", "gb", "de", "fr")
LINE = {
    "ascii": string.ascii_letters + string.digits + string.punctuation + " ",
    "what programs like to correct": MISSPELT + ' (c) -- 1/2 "said" i am. next TWo 1st --help :-)',
    "scripts": "naïve – 你好 – 😀 Ж かな ไทย 한국어 αβγ €",
    "right to left": "שלום עולם, مرحبا بالعالم 123 \u200fabc\u200e",
    "combining": "e\u0301 A\u030a\u0323 \u0915\u094d\u0937\u093f Z\u0351\u036b\u0343",
    "joined": "👨‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇩🇪 ❤️",
    "blanks": "  before and after  ",
}
TEXT = {**LINE, "lines": "ABC\nDEF\n\n\tGHI\\n end", "long": ("0123456789汉字😀é" * 700)[:9_990] + "\nlast line"}


@asynccontextmanager
async def a_device() -> AsyncIterator[tuple[Desktop, LinuxDevice]]:
    async with (
        virtual_desktop() as desktop,
        open_linux(f"linux:display={desktop.display_name}", desktop.environment) as device,
    ):
        yield desktop, device


async def lay_out(desktop: Desktop, layout: str) -> None:
    await anyio.run_process(["setxkbmap", "-display", desktop.display_name, layout])


async def arrives(opened: Open[Field], device: LinuxDevice, text: str, target: OnElement | None) -> ActionResult:
    await begin(opened, device, text)
    result = await device.perform(Write(message=text, target=target))
    held = await opened.field.held(5)
    assert held.text == text, f"{opened.kit}: {result}"
    return result


@pytest.mark.parametrize("kit", ["gtk3", "gtk4", "qt5"])
async def test_r038_every_text_arrives_exactly_under_every_layout_with_locks_on(kit: str) -> None:
    async with a_device() as (desktop, device), KITS[kit](desktop, device) as opened:
        await device.perform(Press(keys=("Caps_Lock", "Num_Lock")))
        for number, (kind, text) in enumerate(TEXT.items()):
            await lay_out(desktop, LAYOUTS[number % len(LAYOUTS)])
            result = await arrives(opened, device, text, opened.target)
            assert result.outcome == "done", (kind, result)


async def test_a_document_gets_the_paragraphs_that_pressing_return_would_make(tmp_path: Path) -> None:
    file = tmp_path / "letter.odt"
    items = "<text:list><text:list-item><text:p>item</text:p></text:list-item></text:list>"
    store(file, "text", f"<text:p>before</text:p>{items}<text:p>after</text:p>")
    ten_thousand = "\n".join(f"line {number} of a text that is longer than its page" for number in range(250))[:10_000]
    texts = [f"{text}\n" for text in LINE.values()] + [
        f"{TEXT['lines']}\n\n",
        f"{ten_thousand}\n",
        f"{'one' * 682}\n",  # all that Writer reads first of what is pasted
        "in one piece " * 700,
    ]
    async with a_device() as (desktop, device):
        await desktop.start(with_options(["soffice", str(file)], desktop.environment))
        assert await until_focused(device)
        await device.perform(Press(keys=("Caps_Lock", "Num_Lock", "End")))
        written = [await device.perform(Write(message="\n"))]
        for number, text in enumerate(texts):
            await lay_out(desktop, LAYOUTS[number % len(LAYOUTS)])
            written.append(await device.perform(Write(message=text)))
        written.append(await device.perform(Write(message=MISSPELT)))
        await device.perform(Press(keys=("Return", "Down", "End")))
        written.append(await device.perform(Write(message=" – of\na list")))
        await device.perform(Press(keys=("Down",)))
        written.append(await device.perform(Write(message="in its\nplace", replace=True)))
        await device.perform(Press(keys=("Return",)))
        written.append(await device.perform(Write(message=MISSPELT)))
        await device.perform(Press(keys=("Tab",)))
        written.append(await device.perform(Write(message="end")))
        saved = file.stat().st_mtime_ns
        await device.perform(Press(keys=("ctrl+s",)))
        assert await until(lambda: file.stat().st_mtime_ns != saved, 10)
    lines = "".join([*texts, MISSPELT]).split("\n")
    assert stored(file) == ["before", *lines, "", "item – of", "a list", "in its", "place", f"{MISSPELT}\tend"]
    # Of a long text Writer may not tell a line that it has not laid out yet; then that is what the result says.
    assert [result for result in written if result.outcome != "done" and "cannot be read back" not in result.text] == []
    assert {result.outcome for result in written} <= {"done", "unverified"}


PARTS = "urn:oasis:names:tc:opendocument:xmlns:"
WORDS = f"{PARTS}text:1.0"


async def test_shapes_of_slides_are_opened_for_what_is_written_into_them(tmp_path: Path) -> None:
    file = tmp_path / "slides.odp"
    store(file, "presentation", "")
    async with a_device() as (desktop, device):
        await desktop.start(with_options(["soffice", str(file)], desktop.environment))
        title, box = await boxes_of(device)
        written = [await device.perform(Write(message=f"one – (c)\n{MISSPELT}", target=box))]
        await device.perform(Press(keys=("Return",)))
        written.append(await device.perform(Write(message="last")))
        written.append(await device.perform(Write(message="old", target=title)))
        written.append(await device.perform(Write(message="new (c)", target=title, replace=True)))
        written.append(await device.perform(Write(message="\nmore\n", target=box)))
        saved = file.stat().st_mtime_ns
        await device.perform(Press(keys=("ctrl+s",)))
        assert await until(lambda: file.stat().st_mtime_ns != saved, 10)
    assert [each for each in written if each.outcome != "done"] == []
    assert stored(file) == ["new (c)", "one – (c)", MISSPELT, "last", "more", ""]


async def boxes_of(device: LinuxDevice) -> list[OnElement]:
    """Wait for the boxes of a new slide: its title, and what is below."""
    with anyio.fail_after(30):
        while True:
            elements = (await device.observe()).observation.elements
            boxes = {each.name: OnElement(id=each.id) for each in elements if each.name.startswith("Presentation")}
            if {"PresentationTitle", "PresentationSubtitle"} <= {*boxes}:
                return [boxes["PresentationTitle"], boxes["PresentationSubtitle"]]


def store(file: Path, kind: str, held: str) -> None:
    """Make a document of LibreOffice's: `text` or `presentation`."""
    names = f"xmlns:office='{PARTS}office:1.0' xmlns:text='{WORDS}' office:version='1.3'"
    body = f"<office:body><office:{kind}>{held}</office:{kind}></office:body>"
    kind = f"application/vnd.oasis.opendocument.{kind}"
    entries = "".join(
        f"<m:file-entry m:full-path='{path}' m:media-type='{media}'/>"
        for path, media in (("/", kind), ("content.xml", "text/xml"))
    )
    with zipfile.ZipFile(file, "w") as parts:
        parts.writestr("mimetype", kind)
        parts.writestr("content.xml", f"<office:document-content {names}>{body}</office:document-content>")
        parts.writestr("META-INF/manifest.xml", f"<m:manifest xmlns:m='{PARTS}manifest:1.0'>{entries}</m:manifest>")


def stored(file: Path) -> list[str]:
    """Give the paragraphs of such a document; a line break within one comes as a mark."""
    with zipfile.ZipFile(file) as parts:
        content = ElementTree.fromstring(parts.read("content.xml"))
    return ["".join(_texts(each)) for each in content.iter(f"{{{WORDS}}}p")]


def _texts(node: ElementTree.Element) -> Iterator[str]:
    kind = node.tag.removeprefix(f"{{{WORDS}}}")
    yield {"s": " " * int(node.get(f"{{{WORDS}}}c", "1")), "tab": "\t", "line-break": "<br>"}.get(kind, "")
    yield node.text or ""
    for child in node:
        yield from _texts(child)
        yield child.tail or ""


async def test_every_text_arrives_exactly_in_every_kind_of_field_of_a_page() -> None:
    async with a_device() as (desktop, device), page(desktop, device) as opened:
        short = {kind: LINE[kind] for kind in ("ascii", "right to left", "joined", "blanks")}
        for texts in (TEXT, short, short):
            for number, (kind, text) in enumerate(texts.items()):
                await lay_out(desktop, LAYOUTS[number % len(LAYOUTS)])
                result = await arrives(opened, device, text, None)
                assert result.outcome == "done", (kind, result)
            await device.perform(Press(keys=("Tab",)))


async def test_editors_of_pages_are_read_line_by_line_and_what_throws_pastes_away_is_typed(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(
        "<meta charset=utf-8><div contenteditable autofocus role=textbox aria-multiline=true>one</div>"
        "<input onpaste='return false'><script>const [editor, line] = document.querySelectorAll('div, input');"
        "editor.focus(); oninput = () => { document.title = `${editor.innerText}|${line.value}` }</script>"
    )
    async with a_device() as (desktop, device):
        await desktop.start(with_options(["chromium", f"--app=file://{file}"], desktop.environment))
        assert await until_focused(device)
        lines = await device.perform(Write(message="first – 1\n2nd", replace=True))
        await device.perform(Press(keys=("Tab",)))
        line = await device.perform(Write(message="naïve – 你好"))
        (window,) = (await device.observe()).observation.windows
    assert (lines.outcome, line.outcome) == ("done", "done"), (lines, line)
    assert " ".join(window.title.split()).startswith("first – 1 2nd|naïve – 你好")


async def test_cells_hold_what_was_asked_whatever_the_program_likes_to_complete_and_correct() -> None:
    wanted = {
        "A1": "Hello world",
        "A2": "Hello",
        "A3": MISSPELT,
        "B1": "naïve 你好 😀\ntwo " + MISSPELT,
        "B2": 'it\'s "so" -- TWo',
    }
    async with a_device() as (desktop, device):
        await desktop.start(with_options(["soffice", "--calc"], desktop.environment))
        cells = await cells_of(device)
        for name, text in {**wanted, "B3": "=1+2"}.items():
            written = await device.perform(Write(message=text, target=OnElement(id=cells[name].id)))
            assert written.outcome == "done", written
            await device.perform(Press(keys=("Return",)))
        assert (
            await device.perform(Write(message="in its place", target=OnElement(id=cells["A1"].id)))
        ).outcome == "done"
        more = await device.perform(Write(message=" and more"))
        assert more.outcome == "done", more
        await device.perform(Press(keys=("Return",)))
        held = {name: cell.value for name, cell in (await cells_of(device)).items() if cell.value}
    assert held == {**wanted, "B3": "3", "A1": "in its place and more"}


async def cells_of(device: LinuxDevice) -> dict[str, Element]:
    with anyio.fail_after(30):
        while True:
            elements = (await device.observe()).observation.elements
            cells = {each.name: each for each in elements if each.role == "cell"}
            if any("focused" in cell.states for cell in cells.values()):
                return cells
            await anyio.sleep(0.05)


@pytest.mark.parametrize("program", ["xfce4-terminal --disable-server -x", "lxterminal --no-remote -e"])
async def test_a_terminal_of_vte_gets_every_text_as_keys(program: str, tmp_path: Path) -> None:
    command, file = program.split(), tmp_path / "typed"
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    script = tmp_path / "take"
    script.write_text(f"#!/bin/sh\nstty -echo; : > {file}; exec cat > {file}\n")
    script.chmod(0o700)
    async with a_device() as (desktop, device):
        await lay_out(desktop, "fr")
        await desktop.start([*command, str(script)])
        assert await until(file.exists, 20)
        assert await until_focused(device)
        expected = ""
        for text in [*LINE.values(), TEXT["lines"]]:
            result = await device.perform(Write(message=f"{text}\n"))
            expected += f"{text}\n"
            assert await until(lambda: file.read_text() == expected, 5), (result, file.read_text())  # noqa: B023
            assert result.outcome == "unverified"


async def until_focused(device: LinuxDevice) -> bool:
    with anyio.move_on_after(20):
        while True:
            look = await device.observe()
            if any("focused" in each.states for each in look.observation.elements):
                return True
    return False
