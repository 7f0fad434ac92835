"""Faults that users met in the settings of other systems, by the number of their report."""

from __future__ import annotations

import ast
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import anyio
import pytest
from PIL import Image as Canvas
from pydantic import BaseModel

from deskhand import __version__
from deskhand.app import open_session, runs_folder
from deskhand.core.action import Hotkey, OnElement, OpenApp, Write
from deskhand.core.errors import DeviceError, SettingsError
from deskhand.core.event import Noted, Scope
from deskhand.core.message import ModelRequest, Reply
from deskhand.core.observation import Observation, OneWindow
from deskhand.core.ports import Pictures
from deskhand.core.secret import Secrets
from deskhand.core.status import RunningMode, RunOutcome
from deskhand.dialects.grammar import parse_calls
from deskhand.journal.file import EVENTS, FileJournal
from deskhand.journal.memory import MemoryJournal
from deskhand.models.options import ModelSettings, Prices
from deskhand.perception.detecting import open_detector
from deskhand.perception.ocr import Reader, engine_of
from deskhand.perception.options import Perception
from deskhand.perception.picture import picture_of, pixels_of
from deskhand.processors.limits import Limits
from deskhand.processors.policy import Policy
from deskhand.processors.rules import Rule
from deskhand.session.nobody import NobodyThere
from deskhand.session.session import BaseSession
from deskhand.settings import Settings, load
from deskhand.testing import PaperDesk, ScriptedModel, ScriptedUser
from deskhand.testing.server import ScriptedServer
from deskhand.tools.options import ToolServer
from deskhand.wiring import Wiring, make_models
from deskhand.workplace import workplace_on
from tests.command import ROOT, deskhand
from tests.paper import app, context, host, one_subtask, session, write
from tests.test_retention import run_of


def leaves(model: type[BaseModel], before: str = "") -> Iterator[str]:
    """List what can be set, by dotted key."""
    for name, field in model.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from leaves(inner, f"{before}{name}.")
        else:
            yield before + name


def refused(settings: Settings) -> str:
    """Give what is said when a session cannot be opened with these settings."""

    async def scene() -> None:
        async with open_session("x", settings=settings):
            pass

    with pytest.raises(SettingsError) as caught:
        anyio.run(scene)
    return str(caught.value)


def opened(folder: Path, *options: str) -> BaseSession:
    """Give the session that these settings make."""

    async def scene() -> BaseSession:
        async with open_session("x", settings=load(options, {}, ROOT), run_dir=folder) as session_:
            return session_

    return anyio.run(scene)


def made_room(folder: Path, keep: int) -> int:
    """Give how many of two old runs there are after another was begun."""
    for second in (1, 2):
        run_of(folder, second)
    refused(Settings(device="paper", runs=str(folder), keep_runs=keep))
    return len([*folder.iterdir()])


def said_first(folder: Path) -> str:
    """Give the instructions of a host whose prompt is replaced by a file."""
    (folder / "json_host.md").write_text("Be brief.")
    made = opened(folder / "run", f"prompts={folder}").context
    return made.dialect_of("host").compose("host", ()).system


def done_at_once(folder: Path, speculation: str) -> int:
    """Give how many of two actions in one reply are done before the next look."""
    desk = PaperDesk()
    made = context(one_subtask(app("CONTINUE", write("a"), write("b")), app("FINISH")), desk=desk)
    settings = opened(folder / speculation, f"speculation={speculation}")
    made.speculation = settings.context.speculation
    anyio.run(session(made).run)
    return len(desk.windows[0].text)


def limited(limits: Limits) -> str:
    """Give what a session that would never end says when it reaches a limit."""

    class Slow(ScriptedModel):
        async def ask(self, request: ModelRequest, pictures: Pictures) -> Reply:
            await anyio.sleep(0.001)
            return await super().ask(request, pictures)

    model = Slow(*[host("CONTINUE", thought=str(n)) if n % 5 else host() for n in range(99)], usd=0.5)
    user = ScriptedUser(requests=[str(n) for n in range(99)])
    result = anyio.run(session(context(model, limits=limits, mode=RunningMode.NORMAL, user=user)).run)
    assert result.outcome is RunOutcome.LIMIT
    return result.answer or ""


def presses(settings: Settings, place: str = "x=33, y=25") -> int:
    """Give how often a button that is called Delete, or what is elsewhere, is pressed, with nobody there to ask."""
    desk = PaperDesk()

    async def scene() -> None:
        workplace = workplace_on(desk, Wiring(settings, NobodyThere(), ()), MemoryJournal())
        await workplace.act(parse_calls(f"open_app('editor')\nclick({place})"))

    anyio.run(scene)
    return desk.windows[0].presses


def looks_of_the_grounder(folder: Path, zoom: int) -> int:
    """Give how often a model that points at nothing is asked where something is."""

    async def scene(url: str) -> None:
        given = ("models.grounder.model=openai:x", "models.grounder.key=k", f"models.grounder.base_url={url}")
        wiring = Wiring(load([f"grounding.zoom={zoom}", *given], {}, ROOT), NobodyThere(), ())
        async with wiring.connected(folder):
            made = wiring.context(PaperDesk(), MemoryJournal(), RunningMode.REQUEST)
            await wiring.grounder(made).locate("it", await made.dispatcher.observe())

    with ScriptedServer(always="(5, 5)") as server:
        anyio.run(scene, server.url)
    return len(server.requests)


def written_through(folder: Path, *, fsync: bool) -> bool:
    """Tell whether a record is flushed to the disk; /dev/null takes it, and has no disk to flush to."""
    file = folder / str(fsync) / EVENTS
    file.parent.mkdir()
    file.symlink_to("/dev/null")
    with closing(FileJournal(file.parent, fsync=fsync)) as journal:
        try:
            journal.append(Noted(text="x"), Scope())
        except OSError:
            return True
        return False


def perceiving(*options: str) -> Perception:
    return load(options, {}, ROOT).perception


def picture_length(*options: str) -> int:
    return len(picture_of(BLANK, perceiving("pictures.format=jpeg", *options).pictures).data)


def trouble_reading(*options: str) -> str:
    """Give why a picture cannot be read by these settings."""
    ocr = perceiving(*options).ocr
    engine = engine_of(ocr)
    assert engine is not None
    with pytest.raises(DeviceError) as caught:
        anyio.run(Reader(engine, ocr.seconds).read, "here", BLANK)
    return str(caught.value)


def trouble_detecting(*options: str) -> str:
    """Give why controls cannot be found by these settings, at a place where nobody ever answers."""

    async def detect(port: int) -> None:
        async with open_detector(perceiving(f"detector.url=http://127.0.0.1:{port}", *options).detector) as detector:
            await detector.detect(BLANK)

    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(DeviceError) as caught:
        anyio.run(detect, silent.getsockname()[1])
    return str(caught.value)


KEYED = ("model=openai:x", "models.default.key=sk-0123456789")
BLANK = pixels_of(Canvas.effect_noise((200, 100), 60).convert("RGB"))
RULES = "[{name = 'mine', verdict = 'allow', text = 'Delete'}]"
EFFECTS: dict[str, Callable[[Path], bool]] = {
    "device": lambda _: "'paper'" in refused(Settings(device="paper")),
    "model": lambda _: "nothing:x" in refused(Settings(model="nothing:x")),
    "models": lambda _: make_models(load(["models.host.model=literal"], {}, ROOT))[1]["host"] == "literal",
    "limits.round_steps": lambda _: "limits.round_steps" in limited(Limits(round_steps=2)),
    "limits.session_steps": lambda _: "limits.session_steps" in limited(Limits(session_steps=2)),
    "limits.rounds": lambda _: "limits.rounds" in limited(Limits(rounds=2, usd=99)),
    "limits.seconds": lambda _: "limits.seconds" in limited(Limits(seconds=0.005, usd=99)),
    "limits.tokens": lambda _: "limits.tokens" in limited(Limits(tokens=5)),
    "limits.usd": lambda _: "limits.usd" in limited(Limits(usd=1)),
    "policy.rules": lambda _: presses(load([f"policy.rules={RULES}"], {}, ROOT)) == 1,
    "secrets": lambda _: Secrets(load(["secrets.pw=hunter22"], {}, ROOT).secrets).mask("hunter22") != "hunter22",
    "secret_variables": lambda _: load(["secret_variables=['PW']"], {"PW": "hunter22"}, ROOT).secrets != {},
    "yes": lambda _: (presses(Settings()), presses(Settings(yes=True))) == (0, 1),
    "runs": lambda folder: runs_folder(Settings(runs=str(folder))) == folder,
    "keep_runs": lambda folder: (made_room(folder, 0), made_room(folder, 1)) == (2, 1),
    "fsync": lambda folder: written_through(folder, fsync=True) and not written_through(folder, fsync=False),
    "agent": lambda folder: opened(folder / "run", "agent=native", *KEYED).started.agent == "native",
    "prompts": lambda folder: said_first(folder) == "Be brief.",
    "speculation": lambda folder: (done_at_once(folder, "true"), done_at_once(folder, "false")) == (2, 1),
    "running_mode": lambda folder: opened(folder / "run", "running_mode=normal").started.mode == "normal",
    "evaluate": lambda _: "literal" in refused(Settings(evaluate=True)),
    "reflection": lambda _: "literal" in refused(Settings(reflection="model")),
    "shell": lambda _: "no 'nothing'" in refused(Settings(shell="shell:nothing")),
    "tools": lambda _: "tools.x" in refused(Settings(tools={"x": ToolServer(command=("/nonexistent",))})),
    "functions": lambda _: "no.such:f" in refused(Settings(functions=("no.such:f",))),
    "pictures.format": lambda _: picture_of(BLANK, perceiving("pictures.format=jpeg").pictures).data[:2] == b"\xff\xd8",
    "pictures.quality": lambda _: picture_length("pictures.quality=10") < picture_length("pictures.quality=90"),
    "ocr.engine": lambda _: engine_of(perceiving("ocr.engine=none").ocr) is None,
    "ocr.when": lambda _: perceiving("ocr.when=always").ocr.when == "always",
    "ocr.languages": lambda _: "no xyz" in trouble_reading("ocr.languages=['xyz']"),
    "ocr.seconds": lambda _: "0.05 s" in trouble_reading("ocr.seconds=0.05"),
    "detector.url": lambda _: "http://127.0.0.1" in trouble_detecting("detector.seconds=0.2"),
    "detector.seconds": lambda _: "0.2 s" in trouble_detecting("detector.seconds=0.2"),
    "grounding.snap": lambda _: (
        [presses(load([f"grounding.snap={snap}"], {}, ROOT), "x=10, y=33") for snap in (0, 5)] == [0, 1]
    ),
    "grounding.zoom": lambda folder: [looks_of_the_grounder(folder, zoom) for zoom in (0, 9)] == [1, 2],
    "agents": lambda _: "no.such:Agent" in refused(Settings(agents=("no.such:Agent",))),
}


def test_r110_every_setting_that_there_is_is_tried_here() -> None:
    assert set(EFFECTS) == set(leaves(Settings))


@pytest.mark.parametrize("key", EFFECTS)
def test_r110_every_setting_has_an_effect(key: str, tmp_path: Path) -> None:
    assert EFFECTS[key](tmp_path)


def test_r110_the_dialect_of_a_model_is_the_one_that_is_set(tmp_path: Path) -> None:
    made = opened(
        tmp_path / "run", "models.app.model=openai:x", "models.app.dialect=marks", "models.app.key=sk-0123456789"
    )

    assert {role: made.context.dialect_of(role).name for role in ("host", "app")} == {"host": "json", "app": "marks"}


@pytest.mark.parametrize("model", [ModelSettings, Prices])
def test_r110_every_option_of_a_model_is_read_where_models_are_made_or_asked(model: type[BaseModel]) -> None:
    folder = ROOT / "src" / "deskhand"
    files = [path for path in folder.rglob("*.py") if path.name != "options.py" and path.parent.name != "cli"]
    read = {
        node.attr
        for path in files
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    }
    assert set(model.model_fields) - read == set()


async def an_editor() -> Observation:
    desk = PaperDesk()
    await desk.perform(OpenApp(app_name="editor"))
    return (await desk.observe(OneWindow(id="w1"))).observation


@pytest.mark.parametrize(
    ("field", "fits", "not_"),
    [
        ("action", ("write",), ("click",)),
        ("application", "editor", "browser"),
        ("role", ("textbox",), ("button",)),
        ("text", "/etc", "elsewhere"),
        ("path", "/etc/*", "/home/*"),
        ("verdict", "deny", "allow"),
    ],
)
def test_r110_every_condition_of_a_rule_counts(field: str, fits: object, not_: object) -> None:
    seen = anyio.run(an_editor)
    action = Write(message="/etc/passwd", target=OnElement(id="e100"))

    def verdict(value: object) -> str:
        rule = Rule.model_validate({"name": "mine", "verdict": "deny", field: value})
        return Policy([rule]).judge(action, seen, "w1").verdict

    assert (verdict(fits), verdict(not_)) == ("deny", "allow")
    chord = Rule(name="mine", verdict="deny", keys="ctrl+q")
    assert Policy([chord]).judge(Hotkey(keys=("ctrl", "q")), seen, "w1") == ("deny", "mine")


@pytest.mark.parametrize(
    ("toml", "hint"),
    [
        ("[plannr]\nmodel = 'x'", "there is no setting 'plannr"),
        ("[models.plannr]\nmodel = 'x'", "did you mean 'models.planner'"),
        ("snapsht = 'none'", "there is no setting 'snapsht'"),
        ("time_machine = true", "there are device, model"),
        ("[planner.models]\nmodel = 'x'", "there is no setting 'planner"),
        ("models = 'openai:gpt-5'", "models"),
        ("limits = 5", "limits"),
        ("[device]\nkind = 'linux'", "device is a value"),
    ],
)
def test_r097_r113_a_key_that_does_not_exist_or_stands_elsewhere_is_an_error(
    toml: str, hint: str, tmp_path: Path
) -> None:
    (tmp_path / "deskhand.toml").write_text(toml)

    done = deskhand("config", home=tmp_path)

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert hint in done.stderr
    assert "deskhand.toml" in done.stderr


def test_r097_the_settings_in_force_are_shown_with_where_they_come_from_and_no_key(tmp_path: Path) -> None:
    (tmp_path / "deskhand.toml").write_text(
        "[models.planner]\nmodel = 'openai:gpt-5'\nbase_url = 'http://127.0.0.1:1/v1'\nkey = 'sk-0123456789abcdef'\n"
    )

    shown = deskhand("config", home=tmp_path, DESKHAND_LIMITS__USD="2").stdout.splitlines()

    def line(key: str) -> str:
        return next(text for text in shown if text.startswith(f"{key} = "))

    assert "openai:gpt-5" in line("models.planner.model")
    assert "deskhand.toml" in line("models.planner.model")
    assert "http://127.0.0.1:1/v1" in line("models.planner.base_url")
    assert "DESKHAND_LIMITS__USD" in line("limits.usd")
    assert "# default" in line("device")
    assert "cdef" in line("models.planner.key")
    assert not any("0123456789" in text for text in shown)


def test_r113_the_version_is_said_and_written_down(tmp_path: Path) -> None:
    assert __version__ in deskhand("--version", home=tmp_path).stdout
    made = context(ScriptedModel(host()))
    anyio.run(session(made).run)

    assert made.view.started is not None
    assert made.view.started.version
