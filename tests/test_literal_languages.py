"""Other languages than English: places, texts, answers and what cannot be read, in what is asked and on the screen."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import anyio
import pytest

from deskhand.core.action import Click, OnElement
from deskhand.core.geometry import Size
from deskhand.core.observation import Image, Observation
from deskhand.core.status import AppAgentStatus, HostAgentStatus
from deskhand.models.literal import explain
from deskhand.perception.ground import LexiconGrounder
from tests.command import deskhand
from tests.subtask import Scene, element
from tests.test_literal_chinese import INSTALLED, read
from tests.test_literal_host import FORM, decide

ELEMENTS = (
    element("e1 button 编辑"),
    element("e2 label 名称", 100),
    element("e3 button 编辑", 130),
    element("e4 button 删除", 200),
    element("e5 button 删除", 300),
    element("e6 textbox 地址", 400),
    element("e7 button Save", 500),
    element("e8 checkbox 自动换行", 600),
    element("e9 menuitem 另存为(A)…", 700),
)


@pytest.mark.parametrize(
    ("chinese", "english", "id_"),
    [
        ("点击第二个删除按钮", "click the second Delete button", "e5"),
        ("点击第一个“删除”按钮", "click the first “删除” button", "e4"),
        ("点击最后一个编辑按钮", "click the last Edit button", "e3"),
        ("点击名称下面的编辑按钮", "click the Edit button below Name", "e3"),
        ("点击保存按钮", "click the Save button", "e7"),
        ("勾选自动换行复选框", "tick the Word Wrap checkbox", "e8"),
        ("选择另存为", "choose Save As", "e9"),
        ("點擊保存按鈕", "click Save", "e7"),
    ],
)
def test_a_place_is_found_by_its_words_in_either_language(chinese: str, english: str, id_: str) -> None:
    for request in (chinese, english):
        scene = Scene(request, *ELEMENTS)

        (action,) = scene.acts()

        assert isinstance(action, Click), request
        assert action.target == OnElement(id=id_), request


@pytest.mark.parametrize(
    ("instruction", "id_"),
    [
        ("请点击保存按钮，以便保存文件", "e7"),
        ("点击“Save”", "e7"),
        ("在地址输入框中输入北京", "e6"),
        ("勾选自动换行", "e8"),
        ("Klicke auf Speichern, um die Datei zu sichern", "e7"),
    ],
)
def test_an_instruction_in_another_language_is_grounded(instruction: str, id_: str) -> None:
    look = Observation(screen=Image(sha256="0" * 64, size=Size(800, 600)), elements=ELEMENTS)

    assert anyio.run(LexiconGrounder().locate, instruction, look).id == id_


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        ("给我订一张机票", "读不懂“给我订一张机票”"),
        ("在记事本里写“x”，然后给我订机票", "读懂了“type “x””，但读不懂“给我订机票”"),
        ("打开星际漫游", "没有安装名为“星际漫游”的应用程序"),
        ("點擊確定", "没有打开的窗口"),
        ("click 确定", "no window is open"),
        ("das Fenster verschönern", "ist nicht zu verstehen"),
    ],
)
def test_what_cannot_be_done_is_said_in_the_language_of_the_request(request_: str, says: str) -> None:
    decision = decide(request_)

    assert decision.status is HostAgentStatus.FAIL
    assert says in decision.result


def test_a_text_that_is_only_described_is_asked_for() -> None:
    decision = decide("在文本编辑器里写一首关于爱情的诗")

    assert decision.status is HostAgentStatus.PENDING
    assert "究竟要写什么" in decision.questions[0]


@pytest.mark.parametrize(
    ("request_", "read"),
    [
        ("click 确定, then press Enter", [("click", "click 确定"), ("press or_click", "press Enter")]),
        ("type “打开” into the Name field", [("write", "type “打开” into the Name field")]),
        ("输入“打开计算器，然后退出”", [("write", "type “打开计算器，然后退出”")]),
        ("输入再见，朋友", [("write", "type “再见，朋友”")]),
        ("点击合并单元格", [("click", "click 合并单元格")]),
        ("点击自动保存", [("click", "click 自动保存")]),
    ],
)
def test_what_is_a_name_or_a_text_is_not_taken_for_something_to_do(request_: str, read: list[tuple[str, str]]) -> None:
    assert [(line.kind, line.text) for line in explain(request_, INSTALLED, (FORM,))] == read


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("minimiere das Fenster", "minimize the window"),
        ("Bitte maximiere das Fenster und stelle das Fenster wieder her", "maximize the window, restore the window"),
        ("verschiebe das Fenster nach 30, 40", "move the window to 30, 40"),
        ("Öffne den Taschenrechner, dann schließe das Fenster", "open the calculator, then close the window"),
    ],
)
def test_what_is_said_of_windows_in_german_reads_as_in_english(german: str, english: str) -> None:
    assert [(app, c.kind, c.mode, c.value) for app, c in read(german)] == [
        (app, c.kind, c.mode, c.value) for app, c in read(english)
    ]


def test_the_command_line_explains_a_request_in_chinese(tmp_path: Path) -> None:
    said = deskhand("explain", "--json", "打开计算器，计算３＋４", home=tmp_path)

    assert [line["kind"] for line in json.loads(said.stdout)] == ["open", "compute"]


def test_an_answer_in_chinese_chooses_among_several() -> None:
    scene = Scene("click 删除", *ELEMENTS)
    assert scene.decide().status is AppAgentStatus.PENDING
    scene.answers.append(("", "第二个"))

    assert scene.acts() == (Click(target=OnElement(id="e5")),)


def test_an_answer_in_chinese_calls_a_clause_off() -> None:
    scene = Scene("click 删除", *ELEMENTS)
    scene.decide()
    scene.answers.append(("", "算了"))

    assert scene.decide().status is AppAgentStatus.FAIL


def test_what_is_closed_in_chinese_may_be_a_switch() -> None:
    scene = Scene("关闭自动换行", element("e1 checkbox Word Wrap", states=("checked",)))

    assert scene.acts() == (Click(target=OnElement(id="e1")),)
    scene.becomes("e1", states=())

    assert scene.decide().status is AppAgentStatus.FINISH


SAID = {
    "n": "3",
    "m": "4",
    "nth": "3rd",
    "keys": "Ctrl+S",
    "sum": "3+4",
    "do": "click OK",
    "value": "“x”",
    "old": "“y”",
    "what": "file",
    "path": "File > Open",
    "list": "“A”, “B”",
    "pairs": "Name: Anna",
    "way": "down",
    "app": "galculator",
    "name": "order",
    "to": "/tmp/a.txt",
}


@pytest.mark.parametrize("language", ["zh", "de"])
def test_what_a_way_of_asking_means_is_always_something_that_can_be_read(language: str) -> None:
    data = tomllib.loads((files("deskhand.models.literal.words") / f"{language}.toml").read_text(encoding="utf-8"))
    asked = [re.sub(r"<(\w+)>", lambda slot: SAID.get(slot[1], "“Thing”"), each["plain"]) for each in data["clause"]]

    unread = [text for text in asked for line in explain(text, INSTALLED, (FORM,)) if not line.understood]

    assert unread == []
