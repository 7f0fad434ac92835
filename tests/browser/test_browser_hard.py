"""Pages that ask, cover, hide, draw anew, hang or will not come."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import anyio
import pytest

from deskhand.core.action import Click, CloseWindow, Hotkey, OnElement, OpenUrl, Press, Wait, Write
from deskhand.core.errors import DeviceError
from deskhand.devices.browser.device import open_browser
from deskhand.perception.options import OcrOptions, Perception
from tests.browser.site import Site, Visit, Visitor, reply, sent_on, visiting

pytestmark = [pytest.mark.anyio, pytest.mark.device]

AT_ONCE = 3.0
"""Seconds; a driver that waits for an answer to a question takes thirty."""


@contextmanager
def in_time(seconds: float = AT_ONCE) -> Iterator[None]:
    began = time.monotonic()
    yield
    assert time.monotonic() - began < seconds


async def test_questions_of_a_page_are_things_to_act_on(site: Site, visit: Visit) -> None:
    page = """<button onclick="out.textContent='said '+confirm('Delete?')">Delete</button>
      <button onclick="out.textContent='name '+prompt('Who?','me')">Name</button>
      <button onclick="window.open('/loud')">Loud</button><p id=out>-</p>"""
    site.page("<title>Loud</title><script>alert('at once')</script><button>Quiet</button>", "/loud")
    async with visit(site.page(page)) as visitor:
        with in_time():
            assert (await visitor.click("Delete")).text == "the page asks: 'Delete?'"
        with in_time():
            await visitor.look()
        assert visitor.listed[0] == "dialog 'Delete?' '' modal active"
        with in_time():
            other = await visitor.do(OpenUrl(url=site.url("/loud")))
        assert (other.outcome, "press OK (dialog-ok) or Cancel" in other.text) == ("failed", True)
        assert (await visitor.click("Cancel")).text.startswith("refused 'Delete?'")
        await visitor.look()
        visitor.element("said false")

        await visitor.click("Name")
        await visitor.look()
        assert visitor.element("Who?", "textbox").value == "me"
        await visitor.do(Write(message="Ann", target=visitor.on("Who?", "textbox"), replace=True))
        await visitor.do(Press(keys=("enter",)))
        await visitor.look()
        visitor.element("name Ann")

        with in_time():
            loud = await visitor.click("Loud")
        assert loud.outcome == "done"
        await visitor.look()
        await visitor.click("OK")
        await visitor.look()
        visitor.element("Quiet")


async def test_a_page_that_is_left_may_ask_and_one_that_asks_for_ever_can_be_closed(site: Site, visit: Visit) -> None:
    leaving = "<title>Draft</title><input aria-label=Text><script>onbeforeunload=e=>e.preventDefault()</script>"
    site.page("<button onclick='for(;;)alert(1)'>Again</button>", "/again")
    async with visit(site.page(leaving)) as visitor:
        await visitor.do(Write(message="x", target=visitor.on("Text")))
        with in_time():
            assert "Leave this page?" in (await visitor.do(OpenUrl(url=site.url("/again")))).text
        await visitor.look()
        await visitor.click("Cancel")
        await visitor.look()
        visitor.element("Text")
        await visitor.do(OpenUrl(url=site.url("/again")))
        await visitor.look()
        assert (await visitor.click("Leave")).outcome == "done"
        await visitor.look()
        await visitor.click("Again")
        for _ in range(3):
            await visitor.look()
            with in_time():
                assert "now the page says: '1'" in (await visitor.click("OK")).text
        with in_time(8):
            closed = await visitor.do(CloseWindow(window=visitor.seen.window))
        assert closed.outcome == "done"
        await visitor.look()
        assert visitor.seen.windows[0].title.endswith("about:blank")


async def test_what_was_drawn_anew_is_found_again_and_what_is_gone_is_called_gone(site: Site, visit: Visit) -> None:
    page = """<div id=list></div><iframe srcdoc="<button>Inner</button>"></iframe><p id=out>-</p>
      <button onclick="document.querySelector('iframe').remove()">Drop</button>
      <button onclick="list.innerHTML='<button>Other</button>'">Stop</button><script>
      draw=()=>list.innerHTML=['A','B','B'].map((n,i)=>`<button onclick="out.textContent='${n}${i}'"
      style="display:block;height:60px">${n}</button>`).join('');draw();onkeydown=draw</script>"""
    async with visit(site.page(page)) as visitor:
        second, third = [OnElement(id=e.id) for e in visitor.seen.elements if e.name == "B"]
        alone = visitor.on("A")
        for target, said in ((alone, "A0"), (third, "B2"), (second, "B1")):
            await visitor.do(Press(keys=("F8",)))
            result = await visitor.do(Click(target=target))
            assert result.outcome == "done"
            assert "was drawn anew and is e" in result.text
            await visitor.look()
            visitor.element(said)
        inner = visitor.on("Inner")
        await visitor.click("Drop")
        await visitor.click("Stop")
        for target in (inner, alone):
            result = await visitor.do(Click(target=target))
            assert result.outcome == "failed"
            assert "button 'Other'" in result.text
        await visitor.look()
        assert "Inner" not in "".join(visitor.listed)


async def test_what_is_covered_or_hidden_is_said_so(site: Site, visit: Visit) -> None:
    page = """<style>body{margin:0}.over{position:fixed;inset:0 0 50% 0;background:#0008}</style>
      <button>Under</button><div style="margin-top:500px"><button onclick="this.textContent='hit'">Free</button></div>
      <p style="color:#fff">white on white</p><p style="opacity:0">clear</p><p style="font-size:1px">tiny text</p>
      <p style="position:absolute;width:1px;height:1px;overflow:hidden">for readers</p><p>plain</p>
      <p style="background:#000;color:#fff">inverse</p><p style="display:none">none</p>
      <div class=over role=dialog aria-label="Cookie wall"><button style="margin-top:100px">Accept</button></div>"""
    async with visit(site.page(page)) as visitor:
        assert "covered" in visitor.element("Under").states
        covered = await visitor.click("Under")
        assert (covered.outcome, covered.text) == ("failed", "the button 'Under' is covered by dialog Cookie wall")
        assert (await visitor.click("Free")).outcome == "done"
        hidden = {e.name for e in visitor.seen.elements if "hidden" in e.states}
        assert hidden == {"white on white", "clear", "tiny text", "for readers"}
        assert "none" not in {e.name for e in visitor.seen.elements}


async def test_controls_are_found_in_frames_shadows_dialogs_and_widgets(site: Site, visit: Visit) -> None:
    site.page("<body style='margin:0'><button onclick=\"this.textContent='far hit'\">Far</button>", "/far")
    page = f"""<div style="height:1200px"></div><iframe src="{site.url("/far", "localhost")}"></iframe>
      <div id=h></div><div contenteditable aria-label=Notes style="width:300px">old</div>
      <dialog id=d><p>Sure?</p><button>Yes</button></dialog><button onclick=d.showModal()>Open it</button>
      <button popovertarget=p>Menu</button><div popover id=p><button>Inside</button></div>
      <span style="cursor:pointer;text-decoration:underline" id=s>Like a link</span>
      <ul><li style="cursor:pointer">Entry <b>one</b></li></ul>
      <div role=tab aria-selected=true tabindex=0>One</div><div role=checkbox aria-checked=mixed tabindex=0>All</div>
      <script>h.attachShadow({{mode:'open'}}).innerHTML=
        '<button onclick="this.nextSibling.textContent=`shadow hit`">Shade</button><p>-</p>'</script>"""
    async with visit(site.page(page)) as visitor:
        await visitor.do(Press(keys=("end",)))
        await visitor.look()
        assert (await visitor.click("Far")).text.startswith("it is now called 'far hit'")
        assert (await visitor.click("Shade")).text == '"shadow hit" is shown'
        assert (await visitor.do(Write(message="new", target=visitor.on("Notes"), replace=True))).outcome == "done"
        assert "selected" in visitor.element("One").states
        assert visitor.element("Like a link").role == "link"
        assert visitor.element("Entry one").actions == ("press",)
        assert "mixed" in visitor.element("All").states
        assert '"Inside" is shown' in (await visitor.click("Menu")).text
        await visitor.do(Press(keys=("escape",)))
        assert "Sure?" in (await visitor.click("Open it")).text
        await visitor.look()
        assert "modal" in next(e for e in visitor.seen.elements if e.role == "dialog").states
        assert "covered" in visitor.element("Menu").states


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="apt-get install tesseract-ocr")
async def test_what_is_only_drawn_is_read_off_the_picture(site: Site) -> None:
    page = """<canvas id=c width=400 height=100></canvas><p id=out></p><script>
      g=c.getContext('2d');g.font='32px sans-serif';g.fillText('Start engine',40,60);
      c.onclick=e=>{out.textContent='at '+(e.offsetX>40&&e.offsetX<260)}</script>"""
    seeing = Perception(ocr=OcrOptions(when="always"))
    async with visiting(site.page(page), perception=seeing) as visitor:
        text = visitor.element("Start engine")
        assert text.source == "ocr"
        assert (await visitor.click("Start engine")).text == '"at true" is shown'


async def test_a_page_that_never_holds_still_is_read_all_the_same(site: Site, visit: Visit) -> None:
    page = "<button>Stay</button><script>setTimeout(()=>location.reload(),60)</script>"
    async with visit(site.page(page)) as visitor:
        for _ in range(5):
            with in_time():
                await visitor.look()
    clock = "<p id=c></p><button>Idle</button><script>setInterval(()=>c.textContent=performance.now(),5)</script>"
    async with visit(site.page(clock)) as visitor:
        await visitor.do(Wait(seconds=0.2))
        with in_time(9):
            idle = await visitor.click("Idle")
            again = await visitor.click("Idle")
        assert "has the keyboard" in idle.text
        assert again.outcome == "unverified"


async def test_a_page_that_hangs_costs_its_deadline_and_can_be_left(site: Site) -> None:
    site.page("<title>Fine</title>fine", "/fine")
    async with visiting(site.page("<button onclick='for(;;);'>Hang</button>"), "wait=1.5") as visitor:
        with in_time(6):
            hung = await visitor.click("Hang")
        assert hung.outcome == "failed"
        assert "does not answer" in hung.text
        with pytest.raises(DeviceError, match="too busy"), in_time(5):
            await visitor.look()
        with in_time(8):
            await visitor.do(Hotkey(keys=("ctrl", "t")))
            assert (await visitor.do(OpenUrl(url=site.url("/fine")))).outcome == "done"


async def set_out_when_looked_at(site: Site, visitor: Visitor) -> None:
    """See a page that sets out for another one because it is looked at, where it never comes."""
    page = f"<iframe src={site.page('inner', '/inner')}></iframe><button>Still here</button><script>asked=0;"
    page += "Object.defineProperty(document,'title',{get(){if(!asked++)location='/silent';return ''}})</script>"
    await visitor.do(OpenUrl(url=site.page(page, "/setting-out")))
    with in_time(9):
        await visitor.look()
    visitor.element("Still here")


async def test_addresses_that_do_not_come_say_why(site: Site) -> None:
    ended = threading.Event()

    def silent(_: BaseHTTPRequestHandler) -> None:
        ended.wait(10)

    site.pages["/silent"] = silent
    site.pages["/loop"] = sent_on("/loop")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        async with visiting(site.page("<a href=/silent>Never</a>"), "wait=3") as visitor:
            for url, said in (
                (nobody, "nobody serves this port"),
                (site.url("/silent"), "has not come within 3 s"),
                (site.url("/loop"), "without end"),
                ("http://no-such-host.invalid/", "no such host"),
                ("file:///nowhere", "no such file"),
            ):
                result = await visitor.do(OpenUrl(url=url))
                assert (result.outcome, said in result.text) == ("failed", True), result
            await visitor.do(OpenUrl(url=site.url()))
            await visitor.look()
            slow = await visitor.click("Never")
            # Chromium may be too busy with it to be asked anything at first; either way it is said in time.
            assert slow.outcome == "failed", slow
            assert "has not come within 3 s" in slow.text or "does not answer" in slow.text, slow
            with in_time():
                await visitor.look()
            visitor.element("Never")
            await set_out_when_looked_at(site, visitor)
        with pytest.raises(DeviceError, match="nobody serves this port"):
            async with visiting(nobody):
                pass
        ended.set()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="apt-get install openssl")
async def test_a_certificate_that_is_not_to_be_trusted_is_said(site: Site, visit: Visit, tmp_path: Path) -> None:
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "cert.pem")
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2"]
    await anyio.run_process([*made, "-keyout", key, "-out", certificate])
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=greet, args=(server, context), daemon=True).start()
        async with visit(site.page("plain")) as visitor:
            result = await visitor.do(OpenUrl(url=f"https://localhost:{server.getsockname()[1]}/"))
    assert result.outcome == "failed"
    assert "its certificate is not to be trusted" in result.text


def greet(server: socket.socket, context: ssl.SSLContext) -> None:
    while True:
        try:
            connection, _ = server.accept()
            context.wrap_socket(connection, server_side=True).close()
        except ssl.SSLError:
            continue
        except OSError:  # it was closed
            return


async def test_a_huge_page_is_bounded(site: Site, visit: Visit) -> None:
    row = "<p>" + "lorem ipsum " * 80 + "</p>"

    def huge(request: BaseHTTPRequestHandler) -> None:
        reply(request, f"<title>Huge</title><button>Top</button>{row * (8_000_000 // len(row))}")

    site.pages["/"] = huge
    with in_time(25):
        async with visit(site.url()) as visitor:
            visitor.element("Top")
            assert len(visitor.seen.elements) < 100


async def test_what_a_page_gets_besides_a_page_is_no_failure_of_what_follows(site: Site, visit: Visit) -> None:
    site.pages["/note"] = partial(reply, body="hello", Content_Disposition='attachment; filename="note.txt"')
    page = """<iframe src="http://127.0.0.1:9/"></iframe><a href=/note>Note</a>
      <button onclick="this.textContent='Hit'">Hit me</button>"""
    async with visit(site.page(page)) as visitor:
        assert "note.txt (5 bytes) is in" in (await visitor.click("Note")).text
        assert (await visitor.click("Hit me")).text.startswith("it is now called 'Hit'")


async def test_lists_of_sites_hold_for_redirects_frames_and_pop_ups(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", site.url())
    for host in ("127.0.0.1", "localhost"):
        site.page(f"<title>There</title>reached {host}", f"/{host}")
    there = site.url("/x", "localhost")
    site.pages["/redirect"] = sent_on(there)
    page = f"""<a href="{there}">Link</a> <a href=/redirect>Redirect</a> <iframe src="{there}"></iframe>
      <a href="{there}" target=_blank>Pop</a><script>fetch("{there}").catch(()=>0)</script>"""
    async with visiting(site.page(page), "allow=127.0.0.1") as visitor:
        for name in ("Link", "Redirect", "Pop"):
            result = await visitor.click(name)
            assert "localhost may not be visited" in result.text or "its page cannot be had" in result.text, result
            await visitor.do(Hotkey(keys=("ctrl", "w")))
            await visitor.do(OpenUrl(url=site.url()))
            await visitor.look()
        refused = [await visitor.do(OpenUrl(url=url)) for url in (there, "file:///etc/passwd")]
        assert [r.outcome for r in refused] == ["failed", "failed"]
        assert "localhost may not be visited: allow=127.0.0.1" in refused[0].text
    async with visiting(site.page(page), "deny=localhost") as visitor:
        assert (await visitor.do(OpenUrl(url=there))).outcome == "failed"
        await visitor.click("Redirect")
        dotted = await visitor.do(OpenUrl(url=site.url("/x", "localhost.")))
        elsewhere = await visitor.do(OpenUrl(url="http://asked-of-the-proxy.invalid/"))
        assert (dotted.outcome, elsewhere.outcome) == ("failed", "failed")
    assert not [asked for asked in site.asked if not asked.startswith("127.0.0.1")]


async def test_no_browser_and_none_that_answers_are_said(tmp_path: Path) -> None:
    for spec, environment, said in (
        ("browser", {"PATH": str(tmp_path)}, "apt-get install chromium"),
        ("browser:cdp=http://127.0.0.1:9", dict(os.environ), "no browser answers at"),
    ):
        with pytest.raises(DeviceError, match=said):
            async with open_browser(spec, environment, Perception()):
                pass
