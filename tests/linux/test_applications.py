from __future__ import annotations

from pathlib import Path

import pytest

from deskhand.core.action import Click, OpenApp
from deskhand.core.observation import Application
from deskhand.devices.linux.applications.catalogue import Installed, Places, installed
from deskhand.devices.linux.applications.desktop_entry import command, languages_of, split
from deskhand.devices.linux.applications.launch import with_options
from deskhand.perception.applications import find
from tests.linux.stage import FORM, Stage


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with programs in `bin` and nothing installed yet."""
    for folder in ("data/applications/kde", "system/applications", "config", "bin"):
        (tmp_path / folder).mkdir(parents=True)
    for program in ("edit", "paint", "calc", "shell"):
        (tmp_path / "bin" / program).write_text("#!/bin/sh\n")
        (tmp_path / "bin" / program).chmod(0o755)
    return tmp_path


def entry(folder: Path, name: str, **keys: str) -> None:
    """Install an application."""
    lines = {"Type": "Application", "Name": name.title(), "Exec": "edit", **keys}
    text = "".join(f"{key.replace('_', '-')}={value}\n" for key, value in lines.items())
    file = folder / "applications" / f"{name}.desktop"
    file.write_text(f"# a comment\n[Desktop Entry]\n{text}\n[Desktop Action new]\nName=New\nExec=other\n")


def there(home: Path, language: str = "", desktop: str = "") -> dict[str, Installed]:
    environment = {
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_DATA_DIRS": str(home / "system"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_CONFIG_DIRS": "/nonexistent",
        "XDG_CURRENT_DESKTOP": desktop,
        "PATH": str(home / "bin"),
        "LANG": language,
    }
    return {each.application.id: each for each in installed(Places.of(environment))}


def named(home: Path, name: str, language: str = "") -> str | list[str]:
    """Give the id of the application that is meant, or the ids of the near ones."""
    found = find([each.application for each in there(home, language).values()], name)
    return found.id if isinstance(found, Application) else [each.id for each in found]


def test_an_application_is_what_its_file_says(home: Path) -> None:
    entry(
        home / "system",
        "org.example.Edit",
        Name="Scribble",
        GenericName="Text Editor",
        Keywords="text;notes;",
        Categories="Utility;TextEditor;",
        MimeType="text/plain;text/x-log;",
    )

    (found,) = there(home).values()

    assert found.application == Application(
        id="org.example.Edit",
        name="Scribble",
        generic_name="Text Editor",
        keywords=("text", "notes"),
        categories=("Utility", "TextEditor"),
        mime_types=("text/plain", "text/x-log"),
        default_for=("text/plain", "text/x-log"),
        program="edit",
    )


def test_what_does_not_belong_in_a_menu_is_left_out(home: Path) -> None:
    entry(home / "system", "hidden", NoDisplay="true")
    entry(home / "system", "deleted", Hidden="true")
    entry(home / "system", "gone", Exec="missing --now")
    entry(home / "system", "untried", TryExec="missing")
    entry(home / "system", "gnome-only", OnlyShowIn="GNOME;")
    entry(home / "system", "not-xfce", NotShowIn="XFCE;")
    entry(home / "system", "text-mode", Terminal="true")
    entry(home / "system", "link", Type="Link")
    entry(home / "system", "plain")

    assert set(there(home)) == {"not-xfce", "plain"}
    assert set(there(home, desktop="XFCE")) == {"plain"}
    assert "gnome-only" in there(home, desktop="ubuntu:GNOME")


def test_a_users_own_file_hides_the_systems(home: Path) -> None:
    entry(home / "system", "edit", Name="System's")
    entry(home / "data", "edit", Name="User's")
    entry(home / "data", "kde/paint", Exec="paint")

    found = there(home)

    assert found["edit"].application.name == "User's"
    assert "kde-paint" in found


def test_names_come_in_the_users_language_and_are_found_in_both(home: Path) -> None:
    entry(
        home / "system",
        "edit",
        **{"Name": "Editor X", "Name[de]": "Schreiber", "GenericName": "Text Editor", "GenericName[de]": "Texteditor"},
    )

    (found,) = there(home, "de_AT.UTF-8").values()
    assert (found.application.name, found.application.generic_name) == ("Schreiber", "Texteditor")
    for name in ("schreiber", "Texteditor", "Editor X", "text editor"):
        assert named(home, name, "de_AT.UTF-8") == "edit", name
    assert languages_of("sr_RS.UTF-8@latin") == ("sr_RS@latin", "sr_RS", "sr@latin", "sr")
    assert languages_of("C.UTF-8") == ()


def test_the_default_is_what_the_user_has_chosen_then_the_system(home: Path) -> None:
    for name in ("alpha", "beta", "gamma"):
        entry(home / "system", name, GenericName="Text Editor", MimeType="text/plain;")
    assert named(home, "text editor") == "alpha"

    (home / "system/applications/mimeinfo.cache").write_text("[MIME Cache]\ntext/plain=beta.desktop;alpha.desktop;\n")
    assert named(home, "text editor") == "beta"

    (home / "config/mimeapps.list").write_text(
        "[Added Associations]\ntext/plain=beta.desktop\n[Default Applications]\ntext/plain=gone.desktop;gamma.desktop\n"
    )
    assert named(home, "the text editor") == "gamma"
    assert there(home)["gamma"].application.default_for == ("text/plain",)


def test_a_kind_means_one_of_that_kind_not_all_that_opens_its_files(home: Path) -> None:
    folders = {"MimeType": "inode/directory;"}
    entry(home / "system", "kate", Categories="Utility;TextEditor;", **folders)
    entry(home / "system", "thunar", Name="Thunar", Categories="System;FileManager;", **folders)
    (home / "system/applications/mimeinfo.cache").write_text("[MIME Cache]\ninode/directory=kate.desktop;\n")

    names = ("file manager", "文件管理器", "Dateimanager", "gestionnaire de fichiers", "ファイルマネージャー")
    assert {named(home, name) for name in names} == {"thunar"}


def test_a_name_means_the_application_that_bears_it(home: Path) -> None:
    entry(home / "system", "org.example.Scribble", Name="Scribble Pro", Keywords="write;")
    entry(home / "system", "text-editor-settings", Name="Text Editor Settings")
    entry(home / "system", "calc", Name="Sums", Categories="Utility;Calculator;", Exec="calc")
    entry(home / "system", "paint", Name="Paint Box", Exec="paint", Categories="Graphics;2DGraphics;")
    entry(home / "system", "box", Name="Sand Box")

    for name in ("org.example.Scribble", "Scribble", "scribble pro", "the Scribble Pro app", "Scribble Pro.desktop"):
        assert named(home, name.replace("Pro.desktop", "Pro")) == "org.example.Scribble", name
    assert {named(home, name) for name in ("calculator", "calculatrice", "電卓")} == {"calc"}
    assert {named(home, name) for name in ("paint", "/usr/bin/paint")} == {"paint"}
    assert named(home, "write") == "org.example.Scribble"


def test_a_name_that_only_resembles_or_fits_several_starts_nothing(home: Path) -> None:
    entry(home / "system", "mousepad")
    entry(home / "system", "paint", Name="Paint Box", Exec="paint")
    entry(home / "system", "sand", Name="Sand Box")

    assert named(home, "mouspad") == ["mousepad"]
    assert named(home, "box") == ["paint", "sand"]
    assert named(home, "photoshop") == []
    assert named(home, " ") == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("edit %F", ["edit"]),
        ('edit "two words" x', ["edit", "two words", "x"]),
        (r'edit "a \"quoted\" \\ \$x"', ["edit", r'a "quoted" \ $x']),
        ("edit --name=%c %i", ["edit", "--name=Edit", "--icon", "pen"]),
        ("edit 100%% %k", ["edit", "100%", "{path}"]),
        ("edit %d %m", ["edit"]),
        ('edit ""', ["edit", ""]),
    ],
)
def test_a_command_line_is_taken_apart_without_a_shell(home: Path, line: str, words: list[str]) -> None:
    entry(home / "system", "edit", Exec=line.replace("\\", "\\\\"), Icon="pen")

    (found,) = there(home).values()

    assert command(found.entry, str(home / "bin")) == [word.format(path=found.entry.path) for word in words]
    assert split("") == []


def test_files_are_handed_over_where_the_command_takes_them(home: Path) -> None:
    entry(home / "system", "edit", Exec="edit --open %U --end")
    entry(home / "system", "one", Exec="edit %f")
    entry(home / "system", "none", Exec="edit")
    files = ["/a b", "http://x/?q=%20;rm"]

    found = {name: command(each.entry, str(home / "bin"), files) for name, each in there(home).items()}

    assert found["edit"] == ["edit", "--open", *files, "--end"]
    assert found["one"] == ["edit", "/a b"]
    assert found["none"] == ["edit"]


def test_a_text_mode_program_is_shown_in_a_terminal_if_there_is_one(home: Path) -> None:
    entry(home / "system", "top", Exec="shell --top", Terminal="true", Categories="System;")
    assert there(home) == {}

    (home / "bin/xterm").symlink_to(home / "bin/shell")
    found = there(home)["top"]
    assert command(found.entry, str(home / "bin")) == [str(home / "bin/xterm"), "-e", "shell", "--top"]


MAKES_ITSELF_INDEPENDENT = """#!/bin/sh
setsid sh -c 'sleep 0.5; exec xterm -T "$(pwd)"' &
"""
WALLED_IN = "bwrap --bind / / --dev /dev --proc /proc --unshare-pid"


def test_what_is_built_on_chromium_is_made_readable_whatever_it_is_called(home: Path) -> None:
    (home / "opt/chat/bin").mkdir(parents=True)
    (home / "opt/chat/resources").mkdir()
    (home / "opt/chat/resources/app.asar").touch()
    for place, text in {
        "opt/chat/chat": "\x7fELF",
        "opt/chat/bin/chat": '#!/bin/sh\nELECTRON="$(dirname "$0")/../chat"\nexec "$ELECTRON" "$@"\n',
        "bin/handed-over": f"#!/bin/sh\ncd /\nexec '{home}/opt/chat/chat' \"$@\"\n",
        "bin/opener": f"#!/bin/sh\n# exec {home}/opt/chat/chat\necho {home}/opt/chat/chat\n",
    }.items():
        (home / place).write_text(text)
        (home / place).chmod(0o755)
    (home / "bin/linked").symlink_to(home / "opt/chat/chat")
    (home / "bin/inner").symlink_to(home / "opt/chat/bin/chat")

    def options(line: str) -> list[str]:
        return with_options(line.split(), {"PATH": str(home / "bin")})

    for line in ("linked", "inner", "handed-over", f"{home}/opt/chat/chat", "env LANG=C linked"):
        *before, asked, page = options(f"{line} --page")
        assert "--force-renderer-accessibility" in (*before, asked)
        assert [*before, asked][: len(line.split())] == line.split()
        assert page == "--page"
    assert options("env LANG=C chromium")[3:5] == ["--force-renderer-accessibility", "--no-first-run"]
    for line in ("opener", "edit", "missing", "env LANG=C edit"):
        assert options(line) == line.split()


@pytest.mark.anyio
@pytest.mark.skipif(not Path("/usr/bin/bwrap").exists(), reason="needs bubblewrap")
async def test_windows_are_known_of_programs_that_fork_away_or_are_walled_in(stage: Stage) -> None:
    data = Path(stage.desktop.environment["XDG_DATA_HOME"])
    (data / "applications").mkdir(exist_ok=True)
    start = stage.folder / "start"
    start.write_text(MAKES_ITSELF_INDEPENDENT)
    start.chmod(0o755)
    entry(data, "Forked", Exec=str(start), Path=str(stage.folder))
    entry(data, "Walled", Exec=f"{WALLED_IN} /usr/bin/python3 {FORM} Form {stage.folder}/Form.log")

    forked = await stage.do(OpenApp(app_name="forked"))
    assert (forked.outcome, repr(str(stage.folder)) in forked.text) == ("done", True), forked.text

    walled = await stage.do(OpenApp(app_name="walled"))
    assert walled.outcome == "done", walled.text
    window = await stage.shown("Form")
    await stage.settled(window)
    assert (await stage.do(Click(target=await stage.on("OK", window=window.id)), window.id)).outcome == "done"
    assert await stage.logged("OK")
