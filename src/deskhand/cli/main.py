"""The command line: what can be said, and which exit code answers."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from importlib import import_module
from typing import NoReturn

from deskhand import __version__
from deskhand.cli.complaints import INTERRUPTED, TROUBLE, USAGE, explained
from deskhand.cli.signals import INTERRUPTION
from deskhand.cli.streams import close_quietly, complain
from deskhand.core.text import as_utf8
from deskhand.dialects.signatures import ACTIONS
from deskhand.models.endpoint import without_queries

_EXITS = (
    "exit codes: 0 finished, 1 failed / needs_user / stuck, 2 usage or settings, 3 limit, 4 device or model, 130 ^C"
)

_DEVICES = "default linux:virtual; your own screen is: linux; others are shell, shell:sandbox, browser:URL"
_WHERE = "such as linux, linux:display=:7; default linux:virtual, an empty desktop of its own"


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"{self.prog}: {message} (see {self.prog} --help)\n")


def parser() -> argparse.ArgumentParser:
    """Make the parser of all commands; importing what a command needs is left to the command."""
    top = _Parser("deskhand", description="Does on a computer what a person asks for in plain words.", epilog=_EXITS)
    top.add_argument("--version", action="version", version=f"deskhand {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    for name, about, arguments in _COMMANDS:
        command = commands.add_parser(name, help=about, description=about[0].upper() + about[1:] + ".", epilog=_EXITS)
        arguments(command)
        command.set_defaults(command=name)
    return top


def _run(command: argparse.ArgumentParser) -> None:
    command.add_argument("request", nargs="?", help="what is to be done; without it, requests are asked for")
    _run_options(command)
    _one_object(command)
    command.add_argument("--run-dir", metavar="DIR", default="", help="this run's own folder, absent or empty")
    command.add_argument("--mode", metavar="MODE", help="request, normal, follower, batch, operator; by what is given")
    command.add_argument("--plan", metavar="FILE", help="a plan to follow, as JSON; or a folder of plans, one run each")
    command.add_argument("--rows", metavar="FILE", help="a CSV or XLSX file: one run a row, which fills {placeholders}")
    command.add_argument("--jobs", metavar="N", type=int, default=1, help="so many runs of a batch at a time")
    command.add_argument(
        "--attempts", metavar="N", type=int, default=1, help="do it N times, each on a virtual desktop; a judge chooses"
    )
    command.add_argument("--retry", action="store_true", help="of a batch, also do again what failed")
    _events_option(command)


def _events_option(command: argparse.ArgumentParser) -> None:
    command.add_argument("--events", action="store_true", help="the journal's records as JSON lines on stdout")


def _events(command: argparse.ArgumentParser) -> None:
    command.add_argument("run_dir", nargs="?", metavar="RUN_DIR", default="", help="the folder of a run")
    command.add_argument("--schema", action="store_true", help="the JSON schema of a record instead")
    _options(command)


def _serve(command: argparse.ArgumentParser) -> None:
    _run_options(command, device=False)
    command.add_argument(
        "--device", metavar="SPEC", action="append", dest="devices", help="a queue each; may be given several times"
    )
    command.add_argument("--host", metavar="ADDRESS", default="127.0.0.1", help="default 127.0.0.1")
    command.add_argument("--port", metavar="N", type=int, default=8765, help="default 8765; 0 takes any that is free")
    command.add_argument("--token-file", metavar="FILE", default="", help="holds the token; made if it is not there")
    command.add_argument("--run-dir", metavar="DIR", default="", help="a folder for the jobs; kept from start to start")


def _bench(command: argparse.ArgumentParser) -> None:
    command.add_argument("suite", help="miniwob, desktop or osworld")
    command.add_argument("folder", nargs="?", metavar="FOLDER", default="", help="of tasks, for a suite that needs one")
    _run_options(command)
    command.add_argument("--tasks", metavar="NAMES", default="", help="such as click-test,enter-*; all unless given")
    command.add_argument("--seeds", metavar="SEEDS", default="0", help="such as 0-4 or 0,3,7; default 0")
    command.add_argument("--jobs", metavar="N", type=int, default=1, help="so many attempts at a time")
    command.add_argument("--out", metavar="DIR", default="", help="for the attempts; those over in it stay as they are")
    command.add_argument("--retry", action="store_true", help="of those over in it, make anew what ended in an error")
    command.add_argument("--json", action="store_true", help="a JSON object an attempt on stdout, last their summary")


def _demo(command: argparse.ArgumentParser) -> None:
    _run_options(command)
    _one_object(command)
    command.add_argument("--run-dir", metavar="DIR", default="", help="a folder for both runs, absent or empty")


def _resume(command: argparse.ArgumentParser) -> None:
    command.add_argument("run_dir", metavar="RUN_DIR", help="the folder of a run that was interrupted")
    _run_options(command, device=False)
    _one_object(command)
    _events_option(command)


def _explain(command: argparse.ArgumentParser) -> None:
    command.add_argument("request", help="a request; nothing is done")
    _options(command)
    command.add_argument("--device", metavar="SPEC", help="where it would be done: linux, or shell; default linux")
    command.add_argument("--json", action="store_true", help="one JSON object on stdout")


def _look(command: argparse.ArgumentParser) -> None:
    _options(command)
    command.add_argument("--device", metavar="SPEC", help=_WHERE)
    command.add_argument("--json", action="store_true", help="the whole observation as JSON")
    command.add_argument("--window", metavar="ID", help="this window, by id or part of its title, not the active one")
    command.add_argument("--all", action="store_true", help="also what is hidden: closed menus, other pages of tabs")
    command.add_argument("--ocr", action="store_true", help="also read off the picture what no element says")
    command.add_argument("--picture", metavar="FILE", help="also write the picture there, as .png, .jpg or .webp")
    command.add_argument("--marks", metavar="FILE", help="also write it with the numbers of the elements drawn in")
    command.add_argument("--window-picture", metavar="FILE", help="also write the window alone, even where covered")
    command.add_argument("--size", metavar="WxH", help="shrink what is written to fit into this")
    command.add_argument("--role", metavar="ROLE", help="only elements of this role, such as button")
    command.add_argument("--name", metavar="TEXT", help="only elements whose name holds this, in any case")
    command.add_argument("--focused", action="store_true", help="only what has the keyboard")


def _act(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "actions", nargs="+", metavar="ACTION", help=f"such as 'click(x=10, y=20)'; done in order; there are {ACTIONS}"
    )
    _options(command)
    command.add_argument("--device", metavar="SPEC", help=_WHERE)
    command.add_argument("--yes", action="store_true", help="answer every question of the policy with yes")
    command.add_argument("--json", action="store_true", help="one JSON object a result on stdout")


def _doctor(command: argparse.ArgumentParser) -> None:
    _options(command)
    command.add_argument("--json", action="store_true", help="the checks as one JSON object on stdout")
    command.add_argument("--fix", action="store_true", help="install what is missing, then check again")


def _page(command: argparse.ArgumentParser) -> None:
    command.add_argument("run_dir", metavar="RUN_DIR", help="the folder of a run")
    _options(command)


def _export(command: argparse.ArgumentParser) -> None:
    command.add_argument("run_dir", metavar="RUN_DIR", help="the folder of a run")
    command.add_argument("to", metavar="TO", help="a folder that is absent or empty, or a file that ends in .zip")
    command.add_argument(
        "--word", metavar="TEXT", action="append", default=[], dest="words", help="also scrub this, wherever it stands"
    )
    command.add_argument(
        "--pictures", action="store_true", help="keep them, what is scrubbed painted over; look through them yourself"
    )
    _options(command)


def _parse(command: argparse.ArgumentParser) -> None:
    ours = "native, plan, ground, json, marks, tool_call, thought_action, pyautogui, objects"
    command.add_argument("--dialect", metavar="NAME", required=True, help=f"{ours}, or module:Name of your own")
    command.add_argument("--screen", metavar="WxH", default="1920x1080", help="size of the picture that was shown")
    command.add_argument("--model", metavar="PROFILE", default="scalecua", help="whose coordinates they are")
    _options(command)


def _models(command: argparse.ArgumentParser) -> None:
    verbs = ("list", "test", "certify", "show")
    about = "list what there is; test by real round trips; certify by ten tasks; show a result"
    command.add_argument("verb", choices=verbs, help=about)
    command.add_argument(
        "spec", nargs="?", default="", metavar="SERVICE:NAME", help="to test or certify; a FILE or FOLDER to show"
    )
    command.add_argument("--out", metavar="DIR", default="", help="of certify; what is over in it stays as it is")
    command.add_argument("--tasks", metavar="NAMES", default="", help="of certify, such as editor-*; all unless given")
    command.add_argument("--pictures", action="store_true", help="of certify: also leave pictures of how tasks ended")
    command.add_argument("--yes", action="store_true", help="of certify: spend without being asked")
    _options(command)
    _agent_config(command)
    command.add_argument("--json", action="store_true", help="one JSON object on stdout")


def _config(command: argparse.ArgumentParser) -> None:
    _options(command)
    _agent_config(command)
    command.add_argument("--json", action="store_true", help="as one JSON object on stdout")


def _apps(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", nargs="?", help="only those with this in their names or keywords")
    _options(command)
    command.add_argument("--json", action="store_true", help="one JSON list on stdout")


def _desktop(command: argparse.ArgumentParser) -> None:
    command.add_argument("verb", choices=("start", "stop", "list"), help="start prints what to export, for eval")
    command.add_argument("name", nargs="?", default="", metavar="NAME", help="to start or stop; start finds one itself")
    command.add_argument("--size", metavar="WxH", help="of the screen, for start; default 1920x1080")
    _options(command)
    command.add_argument("--json", action="store_true", help="as JSON on stdout")


def _mcp(command: argparse.ArgumentParser) -> None:
    _run_options(command)
    command.add_argument("--run-dir", metavar="DIR", default="", help="for the journal of looks and actions")
    command.add_argument("--http", action="store_true", help="over HTTP on this machine, for whoever has the token")
    command.add_argument("--port", type=int, default=0, help="of --http; any free one unless given")
    command.add_argument("--token-file", metavar="FILE", default="", help="of --http; made where it is not there")


def _agent_config(command: argparse.ArgumentParser) -> None:
    command.add_argument("--agent-config", metavar="FILE", help="models from an agent file of ScaleCUA or UFO (YAML)")


def _options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-c", metavar="KEY=VALUE", action="append", default=[], dest="settings", help="set one setting"
    )
    command.add_argument("-v", action="count", default=0, dest="verbose", help="say more; a traceback where one helps")


def _run_options(command: argparse.ArgumentParser, *, device: bool = True) -> None:
    _options(command)
    if device:
        command.add_argument("--device", metavar="SPEC", help=_DEVICES)
    command.add_argument("--model", metavar="SPEC", help="SERVICE[:NAME]; default literal, which needs no key")
    _agent_config(command)
    if device:
        command.add_argument(
            "--agent", metavar="NAME", help="host, native or workflow; by the model's family unless given"
        )
    command.add_argument(
        "--no-speculation", action="store_true", help="of several actions in a reply, do only the first"
    )
    command.add_argument("--max-steps", metavar="N", help="of a round and of the session")
    command.add_argument("--max-seconds", metavar="S", help="of the session")
    command.add_argument("--yes", action="store_true", help="answer every question of the policy with yes")


def _one_object(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="one JSON object on stdout; nothing is asked")


_COMMANDS = (
    ("run", "carry out a request", _run),
    ("demo", "carry out two requests on real applications, on a desktop of their own", _demo),
    ("resume", "go on with a run that was interrupted", _resume),
    ("explain", "show how the literal model reads a request, without acting", _explain),
    ("look", "show the elements of a window", _look),
    ("act", "do single actions", _act),
    ("parse", "read a model's reply on standard input as a dialect does", _parse),
    ("models", "list models and services, test one, or certify it by real tasks", _models),
    ("apps", "list the applications that can be opened", _apps),
    ("desktop", "start, stop or list virtual desktops that stay up, for --device linux:desktop=NAME", _desktop),
    ("mcp", "offer a device to other people's agents, as tools of an MCP server", _mcp),
    ("doctor", "check each requirement by really doing it", _doctor),
    ("page", "write the page of a run", _page),
    ("export", "copy a run without its secrets and personal data, to be given away", _export),
    ("events", "print the records of a run as JSON lines", _events),
    ("serve", "take requests over HTTP on this computer, and do them one after the other", _serve),
    ("bench", "carry out the tasks of a suite and judge what was done", _bench),
    ("config", "show the settings in force and where each comes from", _config),
)


def main(argv: list[str] | None = None) -> int:
    """Run a command; give its exit code."""
    _tolerant_streams()
    arguments = parser().parse_args([as_utf8(word) for word in (sys.argv[1:] if argv is None else argv)])
    level = (logging.ERROR, logging.INFO, logging.DEBUG)[min(arguments.verbose, 2)]
    logging.basicConfig(level=level)
    for handler in logging.getLogger().handlers:
        handler.setFormatter(_Discreet("%(name)s: %(message)s"))
    # What a model is waited for, what its service turned out not to take, and what of a file is not used, is news.
    for news in ("deskhand.models", "deskhand.agent_config", "deskhand.prompt_files"):
        logging.getLogger(news).setLevel(min(level, logging.WARNING))
    try:
        code: int = import_module(f"deskhand.cli.{arguments.command}").main(arguments)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except Exception as error:  # noqa: BLE001  the outermost ring
        code, line = explained(error)
        complain(line)
    return _flushed(code)


class _Discreet(logging.Formatter):
    """Leaves out of what libraries tell what the queries of URLs hold: it may be a key."""

    def format(self, record: logging.LogRecord) -> str:
        return without_queries(super().format(record))


def _flushed(code: int) -> int:
    """Flush what was printed; a closed pipe is nobody's fault, an answer that could not be written is trouble."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            close_quietly(stream)
        except OSError as error:
            close_quietly(stream)
            if stream is sys.stdout and code != TROUBLE:
                code, line = explained(error)
                complain(line)
    return code


def _tolerant_streams() -> None:
    """Print what the terminal can show and a sign for the rest; text never ends a run."""
    if sys.stdin is not None:
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]  # a real stream here
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        else:
            stream.reconfigure(errors="backslashreplace" if name == "stderr" else "replace")


def entry() -> NoReturn:
    """Run as the command `deskhand`."""
    try:
        INTERRUPTION.listen()
        code = main()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except SystemExit as end:  # of the parser
        code = _flushed(int(end.code or 0))
    INTERRUPTION.leave(code)
