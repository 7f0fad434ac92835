"""What the built-in model does with what is drawn: other pages and other words than those of any benchmark."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from deskhand.core.observation import ACTIVE_WINDOW
from deskhand.core.ports import Device
from deskhand.devices.browser.device import open_browser
from deskhand.models.literal.clauses import read_clause
from deskhand.perception.looks import Looks, read_looks
from deskhand.perception.options import Perception
from tests.browser.asked import asked_of
from tests.browser.site import Site

SAY = """<p id=log>-</p><script>let said='';const say=t=>log.textContent=said=(said+' '+t).trim();
onload=()=>document.querySelectorAll('[data-t]').forEach(e=>e.addEventListener('click',()=>say(e.dataset.t)))</script>"""
SHAPES = f"""<svg width=300 height=120><path d="M20 60 l15 -30 l15 30 z" fill="#c0392b" data-t=red />
<path d="M80 60 l8 -16 l8 16 z" fill="#2980b9" data-t=blue />
<ellipse cx=140 cy=40 rx=15 ry=15 fill="rgb(220,20,60)" data-t=round />
<circle cx=190 cy=40 r=7 fill="#27ae60" data-t=small /><circle cx=230 cy=40 r=15 fill="#27ae60" data-t=big />
<text x=60 y=110 font-size=20 fill=green data-t=K>K</text></svg>
<a href="#" data-t=two>2</a> <a href="#" data-t=three>3</a>{SAY}"""
QUEUE = """<ol id=q style="list-style:none; padding:0; width:200px"><li draggable=true>Delta<li draggable=true>Alpha
<li draggable=true>Carol<li draggable=true>Bravo</ol><style>li {border:1px solid; height:26px}</style><p id=log>-</p>
<script>let m;q.ondragstart=e=>{m=e.target};q.ondragover=e=>{e.preventDefault();
const t=e.target.closest('li');if(!t||t===m)return;
const r=t.getBoundingClientRect();
q.insertBefore(m,e.clientY>r.top+r.height/2?t.nextSibling:t)};q.ondrop=e=>e.preventDefault();
q.ondragend=()=>log.textContent=[...q.children].map(x=>x.textContent.trim()[0]).join('')</script>"""
BOXES = """<style>.m,.b {position:absolute; width:24px; height:24px}
.b {width:110px; height:90px; top:80px; border:2px solid gray}</style>
<div style="position:relative; height:200px"><i class=m style="left:10px; top:10px; background:orange"></i>
<i class=m style="left:60px; top:20px; background:green; border-radius:50%"></i>
<i class=m style="left:110px; top:15px; background:green; border-radius:50%"></i><i class=b style="left:20px"></i>
<i class=b style="left:180px"></i></div><p id=log>-</p><script>let h,x,y;const all=[...document.querySelectorAll('.m')];
all.forEach(e=>e.onmousedown=v=>{h=e;x=v.clientX-e.offsetLeft;y=v.clientY-e.offsetTop;v.preventDefault()});
onmousemove=v=>{if(h){h.style.left=v.clientX-x+'px';h.style.top=v.clientY-y+'px'}};
onmouseup=()=>{h=null;log.textContent=all.map(e=>e.offsetTop<70?'-':e.offsetLeft>170?'R':'L').join('')}</script>"""
PLOT = """<div style="position:relative; width:260px; height:220px" id=g></div><p id=log>-</p>
<script>const put=(x,y,t)=>{
const d=document.createElement('div');d.style.cssText=`position:absolute;left:${x}px;top:${y}px`;
d.textContent=t;g.append(d)};
for(let i=-3;i<4;i++)if(i){put(116+i*35,112,i);put(100,92-i*30,i)}g.onclick=e=>{const r=g.getBoundingClientRect();
log.textContent=Math.round((e.clientX-r.left-120)/35)+','+Math.round((100-(e.clientY-r.top))/30)}</script>"""
SHEET = """<svg id=s width=300 height=160 style="border:1px solid"><circle cx=150 cy=80 r=5 fill=red /></svg>
<p id=log>-</p><script>let p;s.onmousedown=e=>p=[];onmousemove=e=>{if(p)p.push(e.offsetY)};
onmouseup=()=>{log.textContent=Math.max(...p)-Math.min(...p)<3?'level':'steep'}</script>"""


@pytest.mark.parametrize(
    ("words", "looks"),
    [
        ("the red circle", Looks("one", "circle", "red")),
        ("all of the light blue tiles in the top row", Looks("all", "box", "light blue", where=("top",))),
        ("shades of grey", Looks("all", "", "gray", shades=True)),
        ("a small p", Looks("any", "", "", size="small", sign="p")),
        ("square that is red", Looks("one", "square", "red")),
        ("the larger box on the left", Looks("one", "box", size="largest", where=("left",))),
        ("Save button", None),
        ("center", None),
        ("Blue Danube", None),
    ],
)
def test_words_for_looks_are_read(words: str, looks: Looks | None) -> None:
    assert read_looks(words) == looks


@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        ("How many blue dots do you see", "count"),
        ("Choose the word that best describes the figure below", "answer"),
        ("Select every yellow tile", "click_all"),
        ("Shift Anna up by two places", "drag_way"),
        ("Bring the triangle to the lower right corner", "drag_place"),
        ("Put all squares in the left box and the rest in the right box", "gather"),
        ("Arrange the numbers from largest to smallest", "order"),
        ("make the width of the text area smaller", "resize"),
        ("click the middle of the green square", "click_spot"),
        ("draw a vertical line through the dot", "draw"),
        ("move the slider to 5", "set"),
        ("put the text hello into the box", "write"),
        ("click the tabs", "click"),
    ],
)
def test_clauses_about_what_is_drawn_are_told_from_others(clause: str, kind: str) -> None:
    read = read_clause(clause)

    assert read is not None
    assert read.kind == kind


@pytest.fixture(scope="module")
async def shown(anyio_backend: str) -> AsyncIterator[Device]:  # noqa: ARG001  (which makes it run with anyio)
    async with open_browser("browser:size=420x420", {}, Perception()) as device:
        yield device


@pytest.mark.device
@pytest.mark.anyio
@pytest.mark.parametrize(
    "case",
    [
        (SHAPES, "Please tap the red triangle", "red"),
        (SHAPES, "click the smaller green circle, then click on a large green item", "small big"),
        (SHAPES, "click every triangle and select the letter K", "red blue K"),
        (SHAPES, "How many circles can you see?", "three"),
        (SHAPES, "click the green circle", "-"),
        (QUEUE, "Move Bravo to the top of the list", "BDAC"),
        (QUEUE, "Arrange the names in alphabetical order", "ABCD"),
        (BOXES, "Put every green circle in the left box and everything else in the right box", "RLL"),
        (BOXES, "Drag the orange box so that it lies inside the left box", "L--"),
        (PLOT, "Tap at the coordinates (-3,1) on the grid", "-3,1"),
        (SHEET, "Draw a horizontal line through the red dot", "level"),
    ],
)
async def test_what_is_told_by_its_looks_is_acted_on(
    shown: Device, site: Site, tmp_path: Path, case: tuple[str, str, str]
) -> None:
    page, request, comes = case

    await asked_of(shown, site.page(f"<title>A page</title>{page}"), request, tmp_path)

    now = (await shown.observe(ACTIVE_WINDOW)).observation
    assert [e.name for e in now.elements if e.role == "paragraph"] == [comes]
