"""Copies of runs that can be given away."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import pytest

from deskhand.core.action import ActionResult, CallTool, Click, OnElement, Write
from deskhand.core.event import (
    ActionFinished,
    ActionStarted,
    ModelAsked,
    ModelReplied,
    Observed,
    RoundStarted,
    Scope,
    SessionStarted,
    Snapshot,
    StepStarted,
)
from deskhand.core.geometry import Box, Size
from deskhand.core.message import ElementsPart, ModelRequest, PicturePart, RequestPart, Usage
from deskhand.core.observation import ActiveWindow, Element, Image, Observation, Window
from deskhand.core.secret import Secrets
from deskhand.core.status import RunningMode
from deskhand.journal.file import FileJournal, read_records
from deskhand.journal.personal import BY_FORM, home_of, names_of, words_of
from deskhand.journal.scrubbing import Scrubbing
from deskhand.journal.writing import json_of
from deskhand.testing.server import Fail, ScriptedServer
from tests.command import deskhand

MAIL, CARD, PHONE, IBAN = (
    "jane.doe@example.org",
    "4111 1111 1111 1111",
    "+49 171 1234567",
    "DE89 3704 0044 0532 0130 00",
)
KEY = "sk-test-0123456789abcdefghij"
SCREEN = Size(640, 200)
WRITTEN, DRAWN = Box(20, 60, 620, 90), (20, 120)


def scrubbing(*words: str) -> Scrubbing:
    names = names_of("user", ["jane", "Jane Doe"]), names_of("host", ["lap-7"])
    kinds = (home_of("/srv/jane"), *BY_FORM, *([words_of(words)] if words else ()), *names)
    return Scrubbing(kinds, Secrets({"pin": "hunter22"}))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"to {MAIL}, or <JANE.DOE@Example.org>", "to [e-mail 1], or <[e-mail 1]>"),
        ("mailto:bob%40mail.example.co.uk?x=1 李雷@例子.公司。", "mailto:[e-mail 1]?x=1 [e-mail 2]。"),
        (f"{IBAN} and gb82west12345698765432", "[IBAN 1] and [IBAN 2]"),
        (f"{CARD} 12/29 123; 4111111111111111", "[card 1] 12/29 123; [card 1]"),
        ("378282246310005, No.5500-0000-0000-0004", "[card 1], No.[card 2]"),
        ("+49 (0)171 1234567, 030/1234567, (555) 123-4567", "[phone 1], [phone 2], [phone 3]"),
        ("1-555-123-4567, 06 12 34 56 78, 13812345678, 555-0123", "[phone 1], [phone 2], [phone 3], [phone 4]"),
        (
            "Tel: 12345. Phone number: 333 1234567；电话：1234567",
            "Tel: [phone 1]. Phone number: [phone 2]；电话：[phone 3]",
        ),
        (
            "/srv/jane/a file:///home/bob/b C:\\Users\\Bob\\c",
            "[home 1]/a file:///home/[user 1]/b C:\\Users\\[user 1]\\c",
        ),
        ("jane@lap-7:~$ JANE, jane_x, %2Fjane%2F", "[user 1]@[host 1]:~$ [user 1], [user 1]_x, %2F[user 1]%2F"),
        (f"{KEY} Bearer abcdefghijkl123456 password=hunter22", "[key 1] Bearer [key 2] password={{secret:pin}}"),
        (
            'api_key: "xyz12345" https://u:p@h.org {{secret:pin}}',
            'api_key: "[key 1]" https://[key 2]@h.org {{secret:pin}}',
        ),
        ("MÜLLERS, Mu\u0308ller, M%C3%BCller, project  x", "[word 1]S, [word 1], [word 1], [word 2]"),
    ],
)
def test_what_is_personal_is_replaced_by_a_word_for_it(text: str, left: str) -> None:
    assert scrubbing("Müller", "Project X").text(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-30 21:12:55, 30.11.2026, 12/11/2026, 2026.11.30, 00:12:33, 20261130-205447",
        "192.168.0.1, 10.0.0.12:8080, 1,234,567.89, 0.1234567, v1.2.3, 12345678, 1796070797226",
        "4111 1111 1111 1112, 0 0 1920 1080, 12 34 56 78, 100 - 2000",
        "550e8400-e29b-41d4-a716-446655440000 click(x=512, y=300) 0x1400003 <box>10 20 300 400</box>",
        "janet, a@b, user@host, /srv/janet, the password is wanted, x @ y.org",
    ],
)
def test_other_numbers_and_words_stay(text: str) -> None:
    assert scrubbing().text(text) == text


def picture() -> bytes:
    screen = PIL.Image.new("RGB", SCREEN, "white")
    pen, font = PIL.ImageDraw.Draw(screen), PIL.ImageFont.load_default(24)
    pen.text((20, 15), "Nothing personal here", "black", font)
    pen.text((WRITTEN.left, WRITTEN.top), "to: whoever", "black", font)  # told of by an element, which says another
    pen.text(DRAWN, f"Drawn: {MAIL}", "black", font)  # told of by none
    file = io.BytesIO()
    screen.save(file, "PNG")
    return file.getvalue()


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run with personal data in every place that takes text."""
    journal = FileJournal(tmp_path / "run")
    screen = Image(sha256=journal.keep(picture()), size=SCREEN)
    field = Element(id="e1", role="textbox", name="To", value=MAIL, box=WRITTEN, window="w1")
    seen = Observation(
        screen=screen,
        elements=(field,),
        windows=(Window(id="w1", title="Letters", box=Box(0, 0, *SCREEN)),),
        window="w1",
    )
    parts = (RequestPart(text=f"write to {MAIL}"), ElementsPart(elements=(field,)), PicturePart(image=screen))
    request = journal.keep(json_of(ModelRequest(role="app", system=f"call {PHONE}", parts=parts)).encode())
    step = Scope(agent="AppAgent/mail", round=1, step=1)
    models = {"app": "openai:m"}
    journal.append(SessionStarted(version="1", device="linux", models=models, mode=RunningMode.REQUEST), Scope())
    journal.append(RoundStarted(request=f"Pay with {CARD} from {IBAN} for Zoe"), Scope(round=1))
    for event in (
        StepStarted(status="CONTINUE"),
        Observed(subject=ActiveWindow(), observation=seen, seconds=0.1),
        ModelAsked(role="app", model="openai:m", request=request),
        ModelReplied(role="app", text=f'{{"text": "{PHONE}"}}', usage=Usage(), seconds=1),
        ActionStarted(action=Write(message=f"{MAIL}\n{KEY}", target=OnElement(id="e1")), on="textbox 'To'"),
        ActionFinished(result=ActionResult(outcome="done", text=f"holds {MAIL}"), seconds=0.1),
        ActionStarted(action=CallTool(tool="pay", arguments={MAIL: 4111111111111111}), on=""),
        ActionStarted(action=Click(target=OnElement(id="e1")), on=""),
        Snapshot(image=screen, why="Zoe"),
    ):
        journal.append(event, step)
    journal.close()
    return tmp_path / "run"


def test_a_copy_of_a_run_holds_nothing_personal_and_is_a_run_with_a_page(run: Path, tmp_path: Path) -> None:
    # The words that are named are also words of ours, as fields and values of records, which have to stay.
    words = ("--word", "zoe", "--word", "click", "--word", "text", "--word", "host")
    done = deskhand("export", str(run), "copy", *words, home=tmp_path, USER="jane")

    assert done.returncode == 0, done.stderr
    copy = tmp_path / "copy"
    assert done.stdout.splitlines() == [
        "copy/index.html",
        "scrubbed: 1 IBAN, 1 card, 1 e-mail, 1 key, 1 phone, 2 words",
        "left out: 1 picture; --pictures keeps them, with what is scrubbed painted over",
    ]
    told = "".join(path.read_text(errors="replace") for path in copy.rglob("*") if path.is_file())
    assert not [each for each in (MAIL, CARD, PHONE, IBAN, KEY, "4111111111111111", "Zoe") if each in told]
    records, before = list(read_records(copy)), list(read_records(run))
    assert [record.event.kind for record in records] == [record.event.kind for record in before]
    asked = next(record.event for record in records if isinstance(record.event, ModelAsked))
    shown = next(record.event.observation.screen for record in records if isinstance(record.event, Observed))
    request = ModelRequest.model_validate_json(copy.joinpath("blobs", asked.request).read_bytes())
    assert request.parts[-1] == PicturePart(image=shown)
    blank = PIL.Image.open(copy / "blobs" / shown.sha256)
    assert blank.size == SCREEN
    assert blank.convert("RGB").getcolors(1)
    assert "holds [e-mail 1]" in copy.joinpath("index.html").read_text()


def test_pictures_are_painted_over_where_they_show_what_is_scrubbed_and_packed(run: Path, tmp_path: Path) -> None:
    done = deskhand("export", str(run), "mine/copy.zip", "--pictures", home=tmp_path)

    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(tmp_path / "mine" / "copy.zip") as packed:
        packed.extractall(tmp_path)
    seen = next(e.observation for e in (r.event for r in read_records(tmp_path / "copy")) if isinstance(e, Observed))
    left = PIL.Image.open(tmp_path / "copy" / "blobs" / seen.screen.sha256).convert("RGB")
    before = PIL.Image.open(io.BytesIO(picture())).convert("RGB")
    assert left.crop((0, 0, 640, 50)).tobytes() == before.crop((0, 0, 640, 50)).tobytes()
    for box in (WRITTEN, (DRAWN[0] + 2, DRAWN[1] + 8, DRAWN[0] + 300, DRAWN[1] + 20)):
        assert left.crop(box).getcolors(1), f"{box} can still be read"


def test_a_copy_never_takes_the_place_of_something_and_is_whole_or_not_there(run: Path, tmp_path: Path) -> None:
    tmp_path.joinpath("full").mkdir()
    tmp_path.joinpath("full", "mine").touch()

    for words, why in {
        ("export", str(run), "full"): "there is something already",
        ("export", str(tmp_path / "full"), "to"): "is not a run",
        ("export", str(run), "to", "--word", " "): "nothing in it",
        ("export", str(run), "to", "--pictures", "-c", "ocr.engine=none"): "ocr.engine is none",
        ("export", str(run), "full/mine/to.zip"): "cannot be written",
    }.items():
        done = deskhand(*words, home=tmp_path)
        assert (done.returncode, why in done.stderr) == (2, True), (words, done.stderr)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["full", "run"]


def test_r129_keys_are_shown_nowhere_also_not_those_in_queries_of_urls(tmp_path: Path) -> None:
    key, in_query = "sk-0123456789abcdef", "0123456789querykey"
    with ScriptedServer("ready", Fail(401, f"wrong: {key}, {in_query}")) as server:
        where = ("-c", f"models.default.base_url={server.url}?key={in_query}", "-c", f"models.default.key={key}")
        tried = deskhand("models", "test", "openai:m", "-vv", *where, home=tmp_path)
        told = deskhand("config", *where, home=tmp_path)

    assert tried.stderr.count("?key=...") >= 2
    assert "wrong: ...cdef, ...ykey" in tried.stdout
    assert f'"{server.url}?key=..."' in told.stdout
    assert not [each for each in (tried.stdout, tried.stderr, told.stdout) if "0123456789" in each]
