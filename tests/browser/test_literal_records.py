"""Texts, records and small problems of pages, worked on by the built-in model in plain words, laid out in many ways."""

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
SAID = """<p id=out></p><script>const got = []
const say = (x) => { got.push(x); out.textContent = 'got ' + got.join(' ') }</script>"""

LOGIN = """<div style="display:flex"><span style="width:90px">User name</span><input id=a></div>
<div style="display:flex"><span style="width:90px">Password</span><input type=password id=b></div>
<a href="#" role=button onclick="say(a.value + '/' + b.value)">Log in</a>"""
FORM = """<ul><li><b>City</b> <i>Oslo</i><li><b>Street</b> <i>Main Road</i><li><b>Zip</b> <i>0150</i></ul><table>
<tr><td>Zip:<td><input id=z><tr><td>City:<td><input id=c></table>
<button onclick="say(c.value + z.value)">Save</button>"""
WORDS = """<article><p>Early birds sing, softly. Then comes rain!</p></article><input id=a>
<button onclick="say(a.value)">Done</button>"""
PROBLEM = """<div><b>3y + 4 = 19</b></div><div>y = <input id=a></div><button onclick="say(a.value)">Submit</button>"""
DICE = """<output id=o style="display:block">–</output><button onclick="o.textContent = (n = n * 5 % 17)">Roll</button>
<button onclick="say(n)">Submit</button><script>let n = 7</script>"""
TRIPS = "".join(
    f"""<article><h4>{name}</h4><span>Duration</span> <span>{time}</span> <span>Price</span> <span>{price}</span>
    <a href="#" role=button onclick="say('{name}')">Choose</a></article>"""
    for name, time, price in (("North", "3h 10m", "$80"), ("East", "2h 55m", "$95"), ("West", "12h 05m", "$60"))
)
POSTS = "".join(
    f"""<div><b>{who}</b> <small>{place}h ago</small><p>{text}</p><button onclick="say('like{place}')">Like</button>
    <button onclick="say('share{place}')">Share</button></div>"""
    for place, (who, text) in enumerate((("@ann", "Hello"), ("@bob", "Nice"), ("@ann", "Night"), ("@cy", "Bye")))
)
POSTS = f'<div style="height:230px;overflow:auto">{POSTS}</div><button onclick="say(\'sent\')">Submit</button>'
MAIL = (
    "<table id=l>"
    + "".join(
        f"""<tr onclick="show('{who}')" style="cursor:pointer"><td>{who}<td>{about}<td>
        <button onclick="event.stopPropagation(); say('star {who}')">☆</button>"""
        for who, about in (("Zoe", "Lunch"), ("Max", "Report"), ("Kim", "Trip"))
    )
    + """</table><div id=m hidden><h4 id=w></h4><button onclick="f.hidden = false">Forward</button>
    <button>Reply</button><div id=f hidden><label>To <input id=to></label>
    <button onclick="say(w.textContent + '>' + to.value)">Send</button></div>
    </div><script>const show = (x) => { l.hidden = true; m.hidden = false; w.textContent = x }</script>"""
)
SEARCH = """<form onsubmit="say([u.value, g.value, y.value]); return false"><p>Author <input id=u>
<p>Genre <input id=g>
<p>Year <input id=y><p><button>Find</button></form>"""
PEOPLE = """<div id=c></div><a href="#" onclick="go(-1)">&lt;</a> <a href="#" id=n>1</a>
<a href="#" onclick="go(1)">&gt;</a>
<script>const p = [['Ida', '12 Elm', '111'], ['Olaf', '9 Oak', '222'], ['Uma', '3 Fir', '333']]; let i = 0
const go = (d) => { i = Math.max(0, Math.min(2, i + d)); const [who, where, tel] = p[i]; c.innerHTML = `<h2>${who}</h2>
<p>Phone: <button onclick="say(${tel})">${tel}</button><p>Address: <button onclick="say('${where}')">${where}</button>`
n.textContent = i + 1 }; go(0)</script>"""
MARKED = (
    """<p>First words here.</p><p>Second words there.</p><button onclick="say(getSelection().toString())">OK</button>"""
)
CITIES = """<label>City <input id=a oninput="s.innerHTML = ''; ['Bern', 'Berlin', 'Bergen'].filter((x) => a.value &&
x.startsWith(a.value)).forEach((x) => { const l = document.createElement('li'); l.textContent = x; l.role = 'option';
l.onclick = () => { a.value = x; s.innerHTML = '' }; s.append(l) })"></label><ul id=s role=listbox></ul>
<button onclick="say(a.value)">Submit</button>"""
RISING = """<p>Acme price: <b id=p>$20.00</b></p><button onclick="say(v > 22 ? 'high' : 'low')">Sell</button><script>
let v = 20; setInterval(() => p.textContent = '$' + (v += 1) + '.00', 100)</script>"""

USED = [
    (LOGIN, 'Sign in with the user name "olga" and password "x1".', "olga/x1"),
    (FORM, "Fill in the form with the values from the list and press Save.", "Oslo0150"),
    (WORDS, "Type the second word of the paragraph in the box and press Done.", "birds"),
    (PROBLEM, "Solve for y, enter the result in the field and submit.", "5"),
    (DICE, "Roll an even number, then submit it.", "8"),
    (TRIPS, "Book the trip with the shortest duration.", "East"),
    (POSTS, "Click Like on all posts by @ann, then press Submit.", "like0 like2 sent"),
    (MAIL, "Open the mail from Zoe and forward it to Ben.", "Zoe>Ben"),
    (MAIL, "Mark Kim's email as important.", "star Kim"),
    (SEARCH, "Find crime novels by Christie from the year 1934.", "Christie,crime,1934"),
    (PEOPLE, "Look up Uma in the contacts and click on her phone number.", "333"),
    (MARKED, "Highlight the second paragraph and press OK.", "Second words there."),
    (CITIES, 'Enter a city that begins with "Ber" and ends with "lin", then submit.', "Berlin"),
    (RISING, "Sell Acme as soon as the price is above $22.", "high"),
]


@pytest.mark.device
@pytest.mark.anyio
@pytest.mark.parametrize("asked", USED, ids=[request[:40] for _, request, _ in USED])
async def test_what_a_page_says_is_read_and_worked_with(
    browser: Device, site: Site, tmp_path: Path, asked: tuple[str, str, str]
) -> None:
    page, request_, result = asked
    run = await asked_of(browser, site.page(SAID + page), request_, tmp_path)

    seen = (await browser.observe(ACTIVE_WINDOW)).observation
    assert f"got {result}" in [e.name for e in seen.elements], run.result.answer


@pytest.mark.device
@pytest.mark.anyio
async def test_whose_control_is_meant_is_asked_where_two_could_be(browser: Device, site: Site, tmp_path: Path) -> None:
    run = await asked_of(browser, site.page(SAID + POSTS), "Click Like of the post by @ann.", tmp_path)

    seen = (await browser.observe(ACTIVE_WINDOW)).observation
    assert "2 of them have '@ann'" in str(run.result.answer)
    assert not any(e.name.startswith("got") for e in seen.elements)


FORWARD, STAR = "forward the message by “Ann” to “Bob”", "star the message by “Ann”"


@pytest.mark.parametrize(
    ("request_", "clauses"),
    [
        ("Please find the mail by Ann. Forward it to Bob.", [("message forward", FORWARD)]),
        ("Bob wants the email you got from Ann.", [("message forward", FORWARD)]),
        ("Send Bob Ann's latest email.", [("message forward", FORWARD)]),
        ("The message from Ann should be marked as important.", [("message star", STAR)]),
        ("Locate Ann's email and flag it.", [("message star", STAR)]),
        (
            'Answer the e-mail by Ann with "Fine".',
            [("message reply", "reply to the message by “Ann” with the text “Fine”")],
        ),
        (
            "Find the email by Ann and press Submit.",
            [("find", "Find the email by Ann"), ("click", "press Submit")],
        ),
        (
            'For the user @ann, click "Share" and then click Submit.',
            [("click", "click “Share” of the record of “@ann”"), ("click", "click Submit")],
        ),
        ('Type "abc" in upper case.', [("write", "Type “abc” in upper case")]),
        (
            'Use "olga" as the user name, "x1" as the password.',
            [("write replace", "Use “olga” as the user name"), ("write replace", "Use “x1” as the password")],
        ),
        (
            "Type the price of Milk into the box.",
            [("read", "read the price of Milk"), ("write", "Type {{price}} into the box")],
        ),
        ("Draw a number between 3 and 7.", [("generate draw", "Draw a number between 3 and 7")]),
        (
            "Once the temperature is below 10, press Heat.",
            [("await", "wait until the temperature is below 10"), ("click", "press Heat")],
        ),
        (
            "Scroll the text to the end press Submit",
            [("scroll_to end", "Scroll the text to the end"), ("click", "press Submit")],
        ),
        (
            "Click the numbers from largest to smallest.",
            [("click_order falling", "Click the numbers from largest to smallest")],
        ),
        ("Buy the cheapest ticket.", [("obtain buy", "Buy the cheapest ticket")]),
        ("Order 2 dishes that are vegan.", [("order_items", "Order 2 dishes that are vegan")]),
        ("Look up Ann in my contacts and tap her email.", [("entry", "click the entry “email” of “Ann”")]),
    ],
)
def test_words_for_texts_and_records_are_read_however_they_are_put(
    request_: str, clauses: list[tuple[str, str]]
) -> None:
    assert [(line.kind, line.text) for line in explain(request_, (), (PAGE,))] == clauses


def test_upper_and_lower_case_are_asked_for_in_many_ways() -> None:
    said = ("in all upper case letters", "in capitals", "in uppercase", "in capital letters")

    written = {explain(f'Type "aB" {how} in the field.', (), (PAGE,))[0].target for how in said}

    assert written == {"field"}
