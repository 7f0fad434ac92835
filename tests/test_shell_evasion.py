"""Ways around the judgement of commands: each was done by a real bash, git or coreutils without being asked about."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from deskhand.core.action import RunCommand
from deskhand.core.shell import Folders
from deskhand.processors.commands import reasons_against
from deskhand.processors.wording import in_words
from deskhand.wiring import open_device

HIDDEN = [
    "cat <<E\nE\\\n\nrm a.txt\nE",
    "cat <<END\nEN\\\nD\nrm a.txt\nEND",
    "echo ${x:-<(rm a.txt)}",
    "echo \"${x:-'$(rm a.txt)'}\"",
    "cat <<E\n${x:-'$(rm a.txt)'}\nE",
    'echo "`echo \\"\'\\" ; rm a.txt ; echo \\"\'\\"`"',
    "[[ 'a[$(rm a.txt)]' -eq 1 ]]",
    "[[ -v 'a[$(rm a.txt)]' ]]",
    "x=$(cat a.txt); [[ x -eq 1 ]]",
    "for x in 'a[$(rm a.txt)]'; do [[ $x == 1 ]]; done",
    "x=$(cat a.txt); [ -f $x ]",
    "test -f $(cat a.txt)",
    ": ${PROMPT_COMMAND:=rm a.txt}",
    'echo "${PROMPT_COMMAND=rm a.txt}"',
    "awk 'BEGIN{system\\\n(\"rm a.txt\")}'",
    "x=-delete; find $x",
    "x=lete; find . -de$x",
    "x='a -delete'; find ./$x",
    "touch ./-delete; find . -de*",
    "x=o; sort -$x a.txt b.txt",
    "x='b -o a.txt'; sort ./$x",
    "x='b -i'; sed -n p ./$x",
    "x=f; cp -n$x b.txt a.txt",
    "x=; echo hi | tee -p$x a.txt",
    "x=a=1; awk -v$x 'BEGIN{system(\"rm a.txt\")}' '{print}'",
    "x=1; xargs -n$x rm cat",
    "x=' --to-command=sh'; tar -tf a.tar ./$x",
    "touch ./-delete; find *",
]
BY_OPTIONS = [
    "zstdcat -o out in.zst",
    "zstdcat --rm in.zst",
    "date 010100002026",
    "date -u 0101000026.30",
    "less '+!rm a.txt' a.txt",
    "less --lesskey-content='#env' a.txt",
    "less -kfile a.txt",
    "man -C ./conf ls",
    "man --config-file=./conf ls",
    "git reflog expire --expire=now --all",
    "git reflog delete HEAD@{0}",
    "git cat-file --filters HEAD:a",
    "env -i git status",
    "env -u GIT_CONFIG_COUNT git status",
    "cp -rnb sub other",
    "cp -fn a.txt b.txt",
    "getent ahosts name.example.org",
]
OUTSIDE = [
    "x=' ../new'; mkdir -p$x",
    "echo x >> ~-/new",
    "echo x >> ~+/../new",
    "touch ~1/new",
    "mkdir a; for i in 1 2; do echo x >> new; cd ..; done",
    "while true; do touch new; cd ..; done",
    "f() { echo x >> new; }; cd ..; f",
    "f() { cd ..; }; f; touch new",
    "cp -nP /etc/alternatives/editor new; echo hi >> new",
    "cp -na /etc/alternatives/editor new && tee -a new < a.txt",
    "cp -ns /etc/passwd new; echo x >> new",
    "find / -maxdepth 1 -execdir touch new ;",
    "cp -rn /other/.git sub",
    "cp -n /other/.bashrc .",
    "cp -rn /other/. .",
    'cp -n "./$x" .',
    "mv -n a.txt sub/.envrc",
]
KEYS = [
    "diff --from-file=.env /dev/null",
    "date -f.env",
    "date --file=.env",
    "cat /etc/{shadow,passwd}",
    "cat .e{n,}v",
    "cat .{a..z}nv",
    "x=/etc/shadow; cat $x",
    "for f in .env; do cat $f; done",
]
HARMLESS = [
    "cp -n sub/b.py .",
    "cp -rn sub other",
    "cp -anv sub other",
    "cp -n a.txt sub/",
    "mv -n a.txt sub",
    "ln -s a.txt sub/b.txt",
    "env LANG=C sort -u a.txt",
    "date -d '2 days ago' +%F",
    "date --date=@0",
    "for f in *.txt; do wc -l $f; done; echo x > new",
    "[[ 1 -lt 2 && -v HOME ]]",
    'echo "${x:-plain}" ${x:-"a b"}',
    '[ $? -eq 0 ] && [ -f "$x" ] && test -n "$(cat a.txt)"',
    "git reflog",
    'for f in *.txt; do wc -l $f; sort "./$f"; done',
    'find "./$x" -name "*.py"',
    "find ./*.d -type f",
    'sort --key="$n" a.txt',
    "git reflog show -3",
    "cat <<'E'\na\\\nE",
    "getent passwd root",
]


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.txt").write_text("one\n")
    return Folders(session=str(tmp_path), working=str(tmp_path))


@pytest.mark.parametrize("command", [*HIDDEN, *BY_OPTIONS, *OUTSIDE, *KEYS])
def test_a_way_around_the_judgement_is_asked_about(command: str, folders: Folders) -> None:
    assert reasons_against(command, folders)


def test_a_link_made_below_where_it_leads_from_is_asked_about(folders: Folders, tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    below = Folders(session=folders.session, working=str(deep))
    assert reasons_against("ln -s ../.. ../../../l; echo x >> ../../../l/new", below)


@pytest.mark.parametrize("command", HARMLESS)
def test_what_looks_like_one_but_is_harmless_needs_no_leave(command: str, folders: Folders) -> None:
    assert not reasons_against(command, folders)


def test_whoever_is_asked_about_a_command_is_shown_all_of_it() -> None:
    command = f"echo {'a' * 3000}; rm a.txt\x1b[2K\u202e\u200b"

    assert in_words(RunCommand(command=command), None).endswith("aaa; rm a.txt\\x1b[2K\\u202e\\u200b'")


def test_git_runs_nothing_for_a_folder_that_only_looks_like_a_repository(tmp_path: Path) -> None:
    made = tmp_path / "new"
    settings = f'[core]\nbare = false\nworktree = {tmp_path}\nfsmonitor = "touch {tmp_path}/ran; false"\n'
    for name in ("objects", "refs"):
        (made / name).mkdir(parents=True)
    (made / "HEAD").write_text("ref: refs/heads/main\n")
    (made / "config").write_text(settings)

    async def main() -> None:
        async with open_device(f"shell:cwd={tmp_path}") as device:
            await device.perform(RunCommand(command="cd new && git status", seconds=20))

    anyio.run(main)
    assert not (tmp_path / "ran").exists()
