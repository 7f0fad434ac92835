"""A browser as a device: what it shows, and what each action comes to."""

from __future__ import annotations

import io
import os
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from PIL import Image as Canvas

from deskhand.core.action import (
    At,
    Click,
    CloseWindow,
    DoubleClick,
    DragTo,
    FocusWindow,
    GoBackward,
    GoForward,
    Hotkey,
    LongPress,
    MoveTo,
    OnElement,
    OpenApp,
    OpenUrl,
    Press,
    RightClick,
    Scroll,
    SelectOption,
    SetValue,
    Swipe,
    Write,
)
from deskhand.core.geometry import Point
from deskhand.core.observation import WHOLE_DESKTOP, OneWindow
from deskhand.devices.browser.device import open_browser
from deskhand.perception.options import Perception, PictureOptions
from deskhand.testing import check_device
from tests.browser.site import Site, Visit, visiting

pytestmark = [pytest.mark.anyio, pytest.mark.device]

FORM = """<title>Form</title><h1>Order</h1>
<form onsubmit="out.textContent='sent '+[n.value,c.value,k.checked,p.value.length];return false">
<label>Name <input id=n></label> <label><input type=checkbox id=k> Agree</label>
<label for=c>Colour</label><select id=c><option>Red<option disabled>Grey<option>Green<option>Greenish</select>
<label>Key <input type=password id=p></label> <button>Send</button></form><p id=out>nothing yet</p>"""


async def test_it_is_a_device(site: Site) -> None:
    spec = f"browser:{site.page(FORM)}"

    await check_device(lambda: open_browser(spec, dict(os.environ), Perception()))


async def test_a_form_is_filled_with_keys_and_mouse_and_results_say_what_came_of_it(site: Site, visit: Visit) -> None:
    trusted = "<script>bad=[];for(const t of ['click','input','change','keydown'])"
    trusted += "addEventListener(t,e=>{if(!e.isTrusted)bad.push(t)},true);"
    trusted += "function tell(){out.textContent='untrusted: '+bad.length}</script><button onclick=tell()>Tell</button>"
    async with visit(site.page(FORM + trusted)) as visitor:
        assert visitor.listed == [
            "heading 'Order' ''",
            "textbox 'Name' '' editable",
            "checkbox 'Agree' ''",
            "combobox 'Colour' 'Red'",
            "option 'Red' '' selected offscreen",
            "option 'Grey' '' disabled offscreen",
            "option 'Green' '' offscreen",
            "option 'Greenish' '' offscreen",
            "password 'Key' '' editable",
            "button 'Send' ''",
            "paragraph 'nothing yet' ''",
            "button 'Tell' ''",
        ]
        results = [
            await visitor.do(Write(message="Änn 漢字", target=visitor.on("Name"), replace=True)),
            await visitor.click("Agree"),
            await visitor.do(SelectOption(target=visitor.on("Colour", "combobox"), value="green")),
            await visitor.do(Write(message="geheim", target=visitor.on("Key"))),
            await visitor.click("Send"),
        ]
        assert [result.outcome for result in results] == ["done"] * 5, results
        assert results[1].text == "it is now checked"
        assert "'Green' is chosen" in results[2].text
        assert "6 characters" in results[3].text
        assert results[4].text == '"sent Änn 漢字,Green,true,6" is shown'
        grey = await visitor.do(SelectOption(target=visitor.on("Colour", "combobox"), value="Grey"))
        blue = await visitor.do(SelectOption(target=visitor.on("Colour", "combobox"), value="Blue"))
        assert (grey.outcome, blue.outcome) == ("failed", "failed")
        assert "disabled" in grey.text
        assert "there are 'Red', 'Grey', 'Green', 'Greenish'" in blue.text
        assert (await visitor.click("Tell")).text == '"untrusted: 0" is shown'
        await visitor.look()
        assert visitor.element("Key").value == ""


async def test_the_mouse_can_do_all_it_can_do(site: Site, visit: Visit) -> None:
    page = """<style>#pad{width:200px;height:100px;background:#eee;user-select:none}#far{margin-top:3000px}
      .box{width:80px;height:40px;border:1px solid}</style>
      <div id=pad role=button aria-label=Pad></div><p id=out></p>
      <div id=a class=box draggable=true role=button>Card</div><div id=b class=box role=button>Bin</div>
      <div id=menu style="display:none">Hovered</div><button id=far>Far</button><script>
      say=t=>out.textContent=t;
      for(const t of ['dblclick','contextmenu'])pad.addEventListener(t,e=>{e.preventDefault();say(t)});
      let at; pad.onmousedown=()=>at=performance.now();
      pad.onclick=e=>say('click'+(e.ctrlKey?' ctrl':'')+(e.shiftKey?' shift':'')+(performance.now()-at>250?' long':''));
      pad.onmouseenter=()=>menu.style.display='block';
      b.ondragover=e=>e.preventDefault(); b.ondrop=e=>{e.preventDefault();say('dropped')};
      far.onclick=()=>say('far');</script>"""
    async with visit(site.page(page)) as visitor:
        pad = visitor.on("Pad")
        results = [
            await visitor.do(MoveTo(target=pad)),
            await visitor.do(Click(target=pad, modifiers=("ctrl", "shift"))),
            await visitor.do(Click(target=pad)),
            await visitor.do(DoubleClick(target=pad)),
            await visitor.do(RightClick(target=pad)),
            await visitor.do(LongPress(target=pad, duration=0.3)),
            await visitor.do(DragTo(start=visitor.on("Card"), target=visitor.on("Bin"))),
        ]
        said = ["Hovered", "click ctrl shift", "click", "dblclick", "contextmenu", "click long", "dropped"]
        assert [(r.outcome, r.text) for r in results] == [("done", f'"{text}" is shown') for text in said]

        down, up, edge = [await visitor.do(Scroll(clicks=clicks)) for clicks in (-3, 2, 9)]
        assert down.text == "it scrolled; the page is at 0,300"
        assert up.text == "it scrolled; the page is at 0,100"
        assert edge.outcome == "done"
        assert (await visitor.do(Scroll(clicks=1))).outcome == "unverified"
        assert "scrolled" in (await visitor.do(Swipe(direction="up", amount=0.5))).text
        await visitor.look()
        assert "goes on up and down" in visitor.seen.truncated
        assert "more controls are out of sight" in visitor.seen.truncated


async def test_keys_reach_the_page_and_those_of_the_browser_the_browser(site: Site, visit: Visit) -> None:
    page = """<input id=i aria-label=Field><textarea aria-label=Notes></textarea><p id=out></p><script>
      i.onkeydown=e=>{if(e.key.length>1||e.ctrlKey)out.textContent=[e.ctrlKey?'ctrl':'',e.key].join(' ')}</script>"""
    site.page("<title>Second</title>two", "/two")
    async with visit(site.page(page)) as visitor:
        await visitor.click("Field")
        assert (await visitor.do(Hotkey(keys=("ctrl", "k")))).text == '"ctrl k" is shown'
        assert '"PageDown"' in (await visitor.do(Press(keys=("pgdn",)))).text
        assert (await visitor.do(Press(keys=("nokey",)))).outcome == "failed"
        tab = await visitor.do(Press(keys=("tab",)))
        assert tab.outcome == "done"
        lines = await visitor.do(Write(message="one\n\ttwo"))
        assert "entered into the textbox 'Notes'" in lines.text
        assert (await visitor.do(Write(message="a\nb", target=visitor.on("Field")))).outcome == "failed"

        assert (await visitor.do(OpenUrl(url=site.url("/two")))).text == f"the page is now {site.url('/two')}"
        assert (await visitor.do(Hotkey(keys=("alt", "left")))).text == f"the page is now {site.url('/')}"
        assert (await visitor.do(GoForward())).text == f"the page is now {site.url('/two')}"
        assert (await visitor.do(GoForward())).outcome == "failed"
        assert (await visitor.do(Press(keys=("f5",)))).text == f"{site.url('/two')} was loaded anew"
        assert (await visitor.do(GoBackward())).outcome == "done"


async def test_tabs_are_windows(site: Site) -> None:
    site.page("<title>Second</title><button>Two</button>", "/two")
    async with visiting(site.page("<title>First</title><a target=_blank href=/two>Open</a>")) as visitor:
        opened = await visitor.click("Open")
        assert (opened.outcome, opened.text) == ("done", f"a new tab came up: {site.url('/two')} (t2)")
        seen = await visitor.look()
        assert [(w.id, w.title.partition(" - ")[0], w.active) for w in seen.windows] == [
            ("t2", "Second", True),
            ("t1", "First", False),
        ]
        assert (await visitor.look(OneWindow(id="t1"))).window == "t1"
        assert visitor.listed == ["link 'Open' '' focused"]
        clicked = await visitor.do(Click(target=visitor.on("Open")), window="t1")
        assert "t3" in clicked.text
        empty = await visitor.do(OpenApp(app_name="browser"))
        assert empty.value == "t4"
        assert (await visitor.do(FocusWindow(window="t2"))).outcome == "done"
        for tab in ("t3", "t4", "t1"):
            assert (await visitor.do(CloseWindow(window=tab))).outcome == "done"
        assert (await visitor.do(Click(), window="t1")).outcome == "failed"
        last = await visitor.do(Hotkey(keys=("ctrl", "w")))
        assert last.text == "the tab was closed; about:blank is in front"
        assert len((await visitor.look(WHOLE_DESKTOP)).windows) == 1


async def test_sliders_and_fields_of_numbers_and_dates_take_values(site: Site, visit: Visit) -> None:
    page = """<label>Volume <input type=range min=0 max=200 step=5 value=20></label>
      <label>Count <input type=number value=7></label> <label>Day <input type=date></label>
      <label>At <input type=time></label> <label>When <input type=datetime-local></label>
      <label>Month <input type=month></label> <label>Week <input type=week></label>
      <label>Ink <input type=color></label> <input type=checkbox role=switch aria-label=Light>
      <div role=slider tabindex=0 aria-label=Zoom aria-valuenow=3 style="width:90px;height:20px;background:#ccc"></div>
      <select multiple aria-label=Sizes><option>S<option>M<option>L</select><script>
      const z=document.querySelector('div');z.onkeydown=e=>z.setAttribute('aria-valuenow',
        Number(z.getAttribute('aria-valuenow'))+(e.key==='ArrowRight')-(e.key==='ArrowLeft'))</script>"""
    wanted = {"Volume": "145", "Count": "12", "Day": "2026-12-31", "At": "15:30", "When": "2026-01-02T00:05"}
    wanted |= {"Month": "2026-07", "Week": "2026-W09", "Ink": "#336699", "Zoom": "9", "Light": "on"}
    async with visit(site.page(page)) as visitor:
        results = {
            name: await visitor.do(SetValue(target=visitor.on(name), value=value)) for name, value in wanted.items()
        }
        assert {name: r.outcome for name, r in results.items()} == dict.fromkeys(wanted, "done"), results
        for size in ("S", "L"):
            assert (await visitor.do(SelectOption(target=visitor.on("Sizes"), value=size))).outcome == "done"
        await visitor.look()
        assert visitor.element("Sizes").value == "S, L"
        assert "checked" in visitor.element("Light").states
        off = await visitor.do(SetValue(target=visitor.on("Volume"), value="3"))
        assert (off.outcome, off.text) == ("failed", "its value is '5', not '3'")


async def test_pictures_and_boxes_are_in_device_pixels_at_any_ratio(site: Site) -> None:
    page = "<body style='margin:0;zoom:1.25'><button style='width:100px;height:40px;border:0' "
    page += "onclick=\"this.textContent='hit'\">Go</button>"
    jpeg = Perception(pictures=PictureOptions(format="jpeg"))
    async with visiting(site.page(page), "size=400x300", "scale=2", perception=jpeg) as visitor:
        look = await visitor.device.observe()
        (data,) = look.pictures.values()
        assert Canvas.open(io.BytesIO(data)).size == (800, 600)
        assert visitor.element("Go").box == (0, 0, 250, 100)
        assert (await visitor.do(Click(target=At(point=Point(240, 90))))).text.startswith("it is now called 'hit'")
        assert (await visitor.do(Click(target=At(point=Point(800, 90))))).outcome == "failed"


async def test_files_go_up_and_come_down(site: Site, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("hello")
    page = """<a href="data:text/plain,data" download="../re port.csv">Get</a> <label>Paper <input type=file></label>
      <button onclick="h.click()">Attach</button><input type=file multiple id=h style="display:none"><p id=out></p>
      <script>h.onchange=()=>out.textContent='got '+[...h.files].map(f=>f.name+' '+f.size)</script>"""
    async with visiting(site.page(page), f"downloads={tmp_path / 'down'}") as visitor:
        first, second = await visitor.click("Get"), await visitor.click("Get")
        assert first.text.endswith(f"(4 bytes) is in {next((tmp_path / 'down').glob('*port.csv'))}")
        assert "(2).csv" in second.text
        await visitor.look()
        assert "(2).csv" in "".join(visitor.listed)

        assert (await visitor.do(Write(message=str(note), target=visitor.on("Paper")))).outcome == "done"
        assert "no file" in (await visitor.do(Write(message="/nowhere", target=visitor.on("Paper")))).text
        asked = await visitor.click("Attach")
        assert "asks for a file" in asked.text
        await visitor.look()
        assert visitor.element("File name").role == "textbox"
        await visitor.do(Write(message=str(note), target=visitor.on("File name")))
        assert (await visitor.click("Open")).outcome == "done"
        await visitor.look()
        visitor.element("got note.txt 5")


async def test_an_element_that_is_not_one_is_refused(site: Site, visit: Visit) -> None:
    async with visit(site.page("<button>Only</button>")) as visitor:
        missing = await visitor.do(Click(target=OnElement(id="e9999")))

        assert missing.outcome == "failed"
        assert f"there are now {visitor.element('Only').id} button 'Only'" in missing.text


async def test_a_picture_that_another_takes_the_place_of_under_the_pointer_takes_the_click(
    site: Site, visit: Visit
) -> None:
    picture = io.BytesIO()
    Canvas.new("RGB", (20, 20), "red").save(picture, "PNG")

    def slowly(request: BaseHTTPRequestHandler) -> None:
        time.sleep(0.3 * ("hover" in request.path))  # as a network is
        request.send_response(200)
        request.send_header("Content-Length", str(len(picture.getvalue())))
        request.end_headers()
        request.wfile.write(picture.getvalue())

    site.pages |= {"/heart.png": slowly, "/heart-hover.png": slowly}
    page = """<style>.heart { content: url(heart.png) } .heart:hover { content: url(heart-hover.png) }</style>
        <p style="width: 400px"><span class=heart onclick="out.textContent += 'liked '"></span></p><p id=out></p>"""
    async with visit(site.page(page)) as visitor:
        heart = visitor.element("heart")
        for target in (OnElement(id=heart.id), At(point=heart.box.center)):
            result = await visitor.do(Click(target=target))
            assert (result.outcome, result.text) == ("done", '"liked" is shown')
            await visitor.do(MoveTo(target=At(point=Point(600, 600))))
            await visitor.do(OpenUrl(url=site.url()))
