"""Checks that files, functions, parameter lists and nesting stay small enough to be read."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("src", "tests", "benchmarks", "examples", "scripts")

LINES_IN_FILE = 400
LINES_IN_FUNCTION = 40
PARAMETERS = 5
NESTING = 3

EXCEPTIONS: dict[str, str] = {}
"""What may be larger, as "path" or "path:function", and why."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
Block = ast.If | ast.For | ast.AsyncFor | ast.While | ast.Try | ast.TryStar | ast.With | ast.AsyncWith | ast.Match


def main() -> int:
    findings = [finding for folder in FOLDERS for path in (ROOT / folder).rglob("*.py") for finding in judge(path)]
    for finding in sorted(findings):
        print(finding)
    return 1 if findings else 0


def judge(path: Path) -> Iterator[str]:
    """Say what is too large in one file."""
    name = path.relative_to(ROOT).as_posix()
    text = path.read_text(encoding="utf-8")
    lines = text.count("\n")
    if lines > LINES_IN_FILE and name not in EXCEPTIONS:
        yield f"{name}:1: {lines} lines, {LINES_IN_FILE} allowed; split it by concept"
    for node in ast.walk(ast.parse(text, filename=name)):
        if isinstance(node, Function) and f"{name}:{node.name}" not in EXCEPTIONS:
            yield from (f"{name}:{node.lineno}: {node.name} {excess}" for excess in judge_function(node))


def judge_function(node: Function) -> Iterator[str]:
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    if lines > LINES_IN_FUNCTION:
        yield f"has {lines} lines, {LINES_IN_FUNCTION} allowed"
    parameters = count_parameters(node.args)
    if parameters > PARAMETERS:
        yield f"has {parameters} parameters, {PARAMETERS} allowed"
    depth = nesting(node)
    if depth > NESTING:
        yield f"is nested {depth} deep, {NESTING} allowed"


def count_parameters(args: ast.arguments) -> int:
    names = [arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def nesting(node: ast.AST) -> int:
    """Count the blocks inside each other; an `elif` is no deeper than its `if`, an inner function starts anew."""
    deepest = 0
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.Lambda | ast.ClassDef):
            continue
        opens = isinstance(child, Block) and not is_elif(node, child)
        deepest = max(deepest, nesting(child) + opens)
    return deepest


def is_elif(parent: ast.AST, child: ast.AST) -> bool:
    return isinstance(parent, ast.If) and isinstance(child, ast.If) and parent.orelse == [child]


if __name__ == "__main__":
    sys.exit(main())
