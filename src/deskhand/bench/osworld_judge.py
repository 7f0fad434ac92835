"""The judges of the package `desktop-env`, run in a process of their own: `python -m deskhand.bench.osworld_judge`.

Standard input takes a question as JSON, standard output gives the answer. Of the package only the modules are loaded
that hold what a task names: others need graphics cards and services.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

PACKAGE = "desktop_env"
LIMIT = 60.0
"""Seconds that a command of a judge may take."""


class Controller:
    """What getters use to look into the machine, which is the sandbox they run in themselves."""

    def get_file(self, path: str) -> bytes | None:
        file = Path(path)
        return file.read_bytes() if file.is_file() else None

    def execute_python_command(self, command: str) -> dict[str, object]:
        return run(["python3", "-c", command], shell=False)

    run_python_script = execute_python_command


class Machine:
    """What getters know of the machine."""

    def __init__(self, port: int, cache: str) -> None:
        self.controller = Controller()
        self.vm_platform, self.vm_ip, self.server_port, self.cache_dir = "Linux", "127.0.0.1", port, cache


def run(command: str | Sequence[str], *, shell: bool) -> dict[str, object]:
    argv = ["bash", "-c", str(command)] if shell else command.split() if isinstance(command, str) else [*command]
    ended = subprocess.run(argv, capture_output=True, text=True, errors="replace", timeout=LIMIT, check=False)
    return {"status": "success", "output": ended.stdout, "error": ended.stderr, "returncode": ended.returncode}


class Execute(BaseHTTPRequestHandler):
    """The one call that getters make by HTTP; nobody else reaches it, as the sandbox has a network of its own."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(run(asked["command"], shell=bool(asked.get("shell")))).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)


def function(kind: str, name: str) -> Callable[..., Any]:
    """Give a metric or a getter of the package by its name.

    Raises:
        ImportError: it is not there, or its module lacks a package.
    """
    root = importlib.util.find_spec(PACKAGE)
    if root is None or not root.submodule_search_locations:
        raise ImportError("the package desktop-env is not installed: pip install --no-deps desktop-env")
    folder = Path(root.submodule_search_locations[0]) / "evaluators" / kind
    module = next((file.stem for file in sorted(folder.glob("*.py")) if name in _defined(file)), "")
    if not module:
        raise ImportError(f"desktop-env has no {name} among its {kind}")
    for bare in (f"{PACKAGE}.evaluators", f"{PACKAGE}.evaluators.{kind}"):
        place = Path(root.submodule_search_locations[0], *bare.split(".")[1:])
        sys.modules.setdefault(bare, _package(bare, place))
    found: Callable[..., Any] = getattr(importlib.import_module(f"{PACKAGE}.evaluators.{kind}.{module}"), name)
    return found


def _defined(file: Path) -> Iterator[str]:
    if file.name != "__init__.py":
        yield from (node.name for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.FunctionDef))


def _package(name: str, place: Path) -> ModuleType:
    """Make a package that loads nothing by itself."""
    package = ModuleType(name)
    package.__path__ = [str(place)]
    return package


def parts(evaluator: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any, Mapping[str, Any]]]:
    """Give the metrics of an evaluator, each with where its result and what is expected come from, and its options."""
    names = _listed(evaluator["func"])
    fields = (_listed(evaluator.get(key)) or [None] * len(names) for key in ("result", "expected", "options"))
    for name, result, expected, options in zip(names, *fields, strict=True):
        yield name, result, expected, options or {}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if not value else [value]


def lacking(evaluator: Mapping[str, Any]) -> str:
    """Say what is missing to judge by; "" when all is there."""
    try:
        for name, result, expected, _ in parts(evaluator):
            function("metrics", name)
            for source in filter(None, (result, expected)):
                function("getters", f"get_{source['type']}")
    except ModuleNotFoundError as error:
        return f"its judge needs the Python package {error.name}"
    except ImportError as error:
        return str(error)
    return ""


def score(evaluator: Mapping[str, Any], machine: Machine) -> float:
    """Judge: all metrics must hold, or one where the evaluator says `or`."""
    given = [_score(machine, *part) for part in parts(evaluator)]
    return max(given) if evaluator.get("conj") == "or" else min(given)


def _score(machine: Machine, name: str, result: Any, expected: Any, options: Mapping[str, Any]) -> float:
    try:
        states = [function("getters", f"get_{each['type']}")(machine, each) for each in (result, expected) if each]
    except FileNotFoundError:
        return 0.0
    return float(function("metrics", name)(*states, **options))


def main() -> None:
    """Answer the question on standard input; what the judges print goes elsewhere."""
    question = json.load(sys.stdin)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if "evaluators" in question:
        answer: object = {name: lacking(evaluator) for name, evaluator in question["evaluators"].items()}
    else:
        with ThreadingHTTPServer(("127.0.0.1", 0), Execute) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            answer = score(question["evaluator"], Machine(server.server_address[1], question["cache"]))
            server.shutdown()
    with answers:
        json.dump(answer, answers)


if __name__ == "__main__":
    main()
