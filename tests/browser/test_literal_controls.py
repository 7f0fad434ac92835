"""Controls as pages make them, used by the built-in model in plain words: none of them says what it is by a class."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskhand.core.geometry import Box
from deskhand.core.observation import ACTIVE_WINDOW, Window
from deskhand.core.ports import Device
from deskhand.models.literal.explain import explain
from tests.browser.asked import asked_of
from tests.browser.site import Site

PAGE = Window(id="t1", title="A page", app="browser", box=Box.at(0, 0, 800, 600), active=True)
SAID = "<p id=out></p><script>const say = (x) => { out.textContent = 'got ' + x; }</script>"

TABS = """<button class=a>General</button><button class=a>Billing</button><button class=a>Team</button>
<section><p>See <a href="#" onclick="say('terms')">Terms</a>, <a href="#" onclick="say('wrong')">help</a></section>
<section hidden><p>Pay <a href="#" onclick="say('bills')">Invoices</a></section>
<section hidden><p>Ask for <a href="#" onclick="say('right')">Help</a></section>
<script>const s = [...document.querySelectorAll('section')];
document.querySelectorAll('.a').forEach((b, i) => b.onclick = () => s.forEach((x, j) => x.hidden = i !== j))</script>"""
SECTIONS = """<details><summary>Shipping</summary><p><a href="#" onclick="say('parcel')">Track it</a></details>
<details><summary>Returns</summary><p><button onclick="say('return')">Start a return</button></details>"""
TREE = """<style>.c > ul { display: none } i { cursor: pointer }</style><ul><li class=c><i>+</i> <span>src</span><ul>
<li><span onclick="say('main')">main.py</span></li><li class=c><i>+</i> <span>lib</span><ul>
<li><span onclick="say('util')" style="cursor:pointer">util.py</span></li></ul></li></ul></li></ul><script>
document.querySelectorAll('i').forEach((i) => i.onclick = () => i.parentElement.classList.toggle('c'))</script>"""
MENU = """<style>[role=menu] { list-style: none; padding: 0; width: 110px } li { position: relative; padding: 5px }
li > ul { display: none; position: absolute; left: 105px; top: 0; background: #ddd } li:hover > ul { display: block }
</style><ul role=menu><li role=menuitem aria-haspopup=true>Shop<ul role=menu><li role=menuitem aria-haspopup=true>Shoes
<ul role=menu><li role=menuitem onclick="say('boots')">Boots</li></ul></li><li role=menuitem>Hats</li></ul></li></ul>"""
CALENDAR = """<label>Arrival <input id=d readonly></label> <button onclick="say(d.value)">Book</button><div id=c></div>
<script>let m = 2; const day = (k) => { const on = new Date(2026, m, k, 12), other = on.getMonth() !== m;
return `<td><button ${other ? 'disabled' : ''} value=${on.toISOString().slice(0, 10)}>${on.getDate()}</button>`; };
const draw = () => { const title = new Date(2026, m, 1).toLocaleDateString('en', { month: 'long', year: 'numeric' });
const first = 1 - new Date(2026, m, 1).getDay(); let rows = ''; for (let k = first; k < first + 42; k += 7)
rows += '<tr>' + [0, 1, 2, 3, 4, 5, 6].map((i) => day(k + i)).join('');
c.innerHTML = `<button>‹</button> <b>${title}</b> <button>›</button><table>${rows}</table>`; };
c.onclick = (e) => { const b = e.target; if (b.textContent === '‹') m -= 1; else if (b.textContent === '›') m += 1;
else { d.value = b.value; c.textContent = ''; return; } draw() }; d.onclick = draw</script>"""
FIELDS = """<p><label>Birthday <input type=date id=d></label><p><label>Wake-up time <input type=time id=t></label>
<p><label>Volume <input type=range id=r max=50 value=10></label>
<p><label>Guests <input type=number id=g value=2></label>
<p><label>Accent colour <input type=color id=k value="#336699"></label>
<button onclick="say([d.value, t.value, r.value, g.value, k.value])">Save</button>"""
SLIDER = """<p>Brightness</p><div style="position:relative;width:200px;height:6px;background:#bbb;margin:20px"><div id=h
style="position:absolute;left:0;top:-7px;width:20px;height:20px;background:#36c;cursor:pointer"></div></div>
<p>Level: <b id=v>0</b></p><button onclick="say(v.textContent)">Apply</button><script>let on = false, at = 0;
h.onmousedown = (e) => { on = true; at = e.clientX - h.offsetLeft; e.preventDefault() }; onmouseup = () => on = false;
onmousemove = (e) => { if (!on) return; const x = Math.max(0, Math.min(180, e.clientX - at)); h.style.left = x + 'px';
v.textContent = Math.round(x / 1.8) }</script>"""
LISTS = """<style>#o { display: none; height: 60px; overflow: auto; width: 120px } .open #o { display: block }
li { cursor: pointer; height: 24px }</style><div id=w>
<div id=f style="cursor:pointer;width:120px" tabindex=0>Choose a city</div>
<ul id=o><li>Oslo<li>Rome<li>Paris<li>Lima<li>Cairo</ul></div>
<select multiple id=x size=3 aria-label=Paint><option>red<option>green<option>blue<option>pink<option>teal</select>
<button onclick="say(f.textContent + [...x.selectedOptions].map((o) => '+' + o.text).join(''))">OK</button>
<script>f.onclick = () => w.classList.toggle('open'); document.querySelectorAll('li').forEach((l) => l.onclick = () => {
f.textContent = l.textContent; w.classList.remove('open') })</script>"""
RESULTS = """<input aria-label=Query id=q><button onclick="p = 0; draw()">Go</button><div id=l></div><div id=g></div>
<script>let p = 0; const hit = (n) => `<h3><a href="#" onclick="say(${n})">Hit ${n}</a></h3><p>Some words</p>`;
const draw = () => { l.innerHTML = [1, 2, 3, 4].map((i) => hit(p * 4 + i)).join(''); g.innerHTML = [1, 2, 3].map((i) =>
`<button onclick="p = ${i - 1}; draw()">${i}</button>`).join('') + '<button onclick="p += 1; draw()">Next</button>' }
</script>"""
DIALOG = """<button>OK</button><div role=dialog aria-label=Newsletter style="position:fixed;top:90px;border:1px solid">
Subscribe? <button aria-label=Close onclick="say('closed')">✕</button><button>Yes</button></div>"""
_MARKS = (
    "<td><label><input type=radio name={0} value=even>even</label><td><label><input type=radio name={0} value=odd>odd"
)
NUMBERS = f"""<table><tr><td>14{_MARKS.format("a")}</label><tr><td>9{_MARKS.format("b")}</label></table>
<button onclick="say([...document.querySelectorAll(':checked')].map((x) => x.value))">Send</button>"""
COVERED = """<input id=i onfocus="n.hidden = false" onblur="n.hidden = true"><div style="position:relative"><button
onclick="say('sent ' + i.value)">Send</button><div id=n hidden onclick="say('wrong')" style="position:absolute;inset:0;
background:#eee">Suggestions</div></div><p>Nothing here.</p>"""

USED = [
    (TABS, 'Look through the tabs until you find the link "Help" and click it.', "right"),
    (SECTIONS, 'Open the sections one by one to find the button "Start a return", then press it.', "return"),
    (TREE, 'Browse the folder tree and click on the file or folder named "util.py".', "util"),
    (MENU, "Choose Shop > Shoes > Boots from the menu.", "boots"),
    (CALENDAR, "Set the arrival date to May 9, 2026 and press Book.", "2026-05-09"),
    (
        FIELDS,
        "Enter 10/20/2017 as the birthday, set the wake-up time to 7:55 PM, move the volume slider to 33, "
        "set the number of guests to 5, choose teal as the accent colour and save.",
        "2017-10-20,19:55,33,5,#008080",
    ),
    (SLIDER, "Select 42 with the slider, then apply.", "42"),
    (LISTS, 'Pick "Lima" from the city dropdown, select teal and red from the list and hit OK.', "Lima+red+teal"),
    (RESULTS, 'Type "x" into the query field, press Go and open the 7th result.', "7"),
    (DIALOG, "Close the newsletter dialog by pressing the x.", "closed"),
    (NUMBERS, "For each number, mark whether it is odd or even, then send.", "even,odd"),
    (COVERED, 'Type "hi" into the text field and click Send.', "sent hi"),
]


@pytest.mark.device
@pytest.mark.anyio
@pytest.mark.parametrize("case", USED, ids=[request[:40] for _, request, _ in USED])
async def test_a_control_of_a_page_is_used_as_asked(
    browser: Device, site: Site, tmp_path: Path, case: tuple[str, str, str]
) -> None:
    page, request_, result = case
    run = await asked_of(browser, site.page(SAID + page), request_, tmp_path)

    seen = (await browser.observe(ACTIVE_WINDOW)).observation
    assert f"got {result}" in [e.name for e in seen.elements], run.result.answer


LOOKED_THROUGH = "click the link “A” in one of the tabs"


@pytest.mark.parametrize(
    ("request_", "clauses"),
    [
        ('Switch between the tabs to find and click the link "A".', [("click", LOOKED_THROUGH)]),
        ('Look through the tabs and click the link "A".', [("click", LOOKED_THROUGH)]),
        ('Flip through all the tabs to locate and click the link "A".', [("click", LOOKED_THROUGH)]),
        ('Find the link "A" and click it.', [("click", "click the link “A”")]),
        (
            'Search the sections for "A", then click it.',
            [("seek", "seek “A” in one of the sections"), ("click", "click “A”")],
        ),
        ("Choose 24 December 2026 as the date.", [("date", "Choose 24 December 2026 as the date")]),
        ("Enter 2026-12-24 as the departure day.", [("date", "Enter 2026-12-24 as the departure day")]),
        ("Set the alarm time to 7 pm.", [("date", "Set the alarm time to 7 pm")]),
        ("Type 7:55 PM.", [("write", "Type 7:55 PM")]),
        ("Pick 12 using the slider.", [("set", "Pick 12 using the slider")]),
        ("Choose navy with the colour picker.", [("set", "Choose navy with the colour picker")]),
        ("Label each number as even or odd.", [("classify", "Label each number as even or odd")]),
        ("Mark the message as odd.", [("toggle on", "Mark the message as odd")]),
    ],
)
def test_words_for_controls_are_read_however_they_are_put(request_: str, clauses: list[tuple[str, str]]) -> None:
    assert [(line.kind, line.text) for line in explain(request_, (), (PAGE,))] == clauses
