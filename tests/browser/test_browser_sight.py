"""What pages show without words: drawn shapes, coloured boxes, pictures, options of closed lists."""

from __future__ import annotations

import pytest

from tests.browser.site import Site, Visit

pytestmark = [pytest.mark.anyio, pytest.mark.device]

DRAWN = """<style>span, i {display: inline-block; width: 20px; height: 20px}</style>
<svg width=200 height=100>
<circle cx=20 cy=20 r=10 fill=red /><ellipse cx=50 cy=20 rx=10 ry=10 fill=#00ff00 />
<rect x=70 y=5 width=20 height=20 fill=none stroke=black stroke-width=2 />
<polygon points="100,30 110,10 120,30" fill=rgb(0,0,255) />
<path d="M150 20 l10 -10 l10 10 l-10 10 z" fill=orange /><line x1=5 y1=60 x2=90 y2=60 stroke=navy />
<polygon points="130,50 149,64 142,86 118,86 111,64" fill=#4286f4 /><text x=100 y=60 fill=green>7</text></svg>
<span style="background: white; border: 1px solid"></span> <span style="background: hsl(240, 50%, 80%)"></span>
<span style="border-radius: 50%; background: purple"></span> <b style="background: yellow">note</b>
<i style="content: url(/pictures/gray-star.png)"></i>
<div onclick="1" style="width: 99px">row <i style="background: url(/pictures/bin.png)"></i></div>
<a href="/"><svg width=16 height=16><circle cx=8 cy=8 r=8 /></svg>Home</a>
<button style="background: teal">Buy</button> <button>Plain</button>"""


async def test_what_has_no_words_is_told_by_its_looks(site: Site, visit: Visit) -> None:
    async with visit(site.page(DRAWN)) as visitor:
        told = [(e.name, e.drawn) for e in visitor.seen.elements if e.drawn or e.role == "img"]

    names = [name for name, _ in told if name]
    assert names == [
        *("red circle", "lime circle", "black outlined square", "blue triangle", "orange square", "navy line"),
        *("blue pentagon", "7", "white box", "light blue box", "purple circle", "note", "gray star", "bin", "Buy"),
    ]
    assert dict(told)["7"] == "green digit"
    assert dict(told)["note"] == "yellow box"
    assert dict(told)["Buy"] == "teal box"


CANVASES = """<canvas id=a width=90 height=90></canvas><canvas id=b width=90 height=90></canvas>
<canvas id=c width=150 height=60></canvas><canvas id=d width=90 height=90></canvas><script>
const on=(e,n,turn)=>{const g=e.getContext('2d');g.beginPath();for(let i=0;i<=n;i++){const w=turn+i*2*Math.PI/n;
g.lineTo(45+35*Math.cos(w),45+35*Math.sin(w))}return g};
let g=on(a,6,0.3);g.strokeStyle='red';g.lineWidth=3;g.stroke();g=on(b,60,0);g.fillStyle='navy';g.fill();
g=c.getContext('2d');g.font='20px serif';g.fillText('Hello there',9,30)</script>"""


async def test_a_figure_on_a_canvas_is_told_and_writing_is_none(site: Site, visit: Visit) -> None:
    async with visit(site.page(CANVASES)) as visitor:
        assert [e.name for e in visitor.seen.elements] == ["red hexagon", "navy circle", "", ""]


async def test_an_option_of_a_closed_list_is_told_and_says_how_it_is_chosen(site: Site, visit: Visit) -> None:
    page = "<label>Size <select><option>S<option>XL</select></label>"
    async with visit(site.page(page)) as visitor:
        result = await visitor.click("XL")

    assert result.outcome == "failed"
    assert "select_option" in result.text
