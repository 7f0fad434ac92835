"""Writes the lower part of docs/events.md from what the events' own module says of them; `--check` only compares."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from deskhand.core import event
from deskhand.core.value import Value

PAGE = Path(__file__).resolve().parent.parent / "docs" / "events.md"

BELOW = "## Kinds\n"
"""What comes after this line is written here; what stands before, by hand."""


def page() -> str:
    """Give the whole page, with its head as it is."""
    module = ast.parse(inspect.getsource(event))
    classes = {node.name: node for node in module.body if isinstance(node, ast.ClassDef)}
    kinds = get_args(get_args(event.Event)[0])
    sections = [_section(kind, classes[kind.__name__]) for kind in kinds]
    others = [
        f"\n## {name}\n\n{_sentence(classes[name])}\n\n{_table(classes[name], getattr(event, name))}\n"
        for name in ("Score", "Scope", "Record")
    ]
    head = PAGE.read_text(encoding="utf-8").partition(BELOW)[0]
    version = f"Of `deskhand.core.event`, schema {event.SCHEMA}; written by `scripts/events_doc.py`."
    return head + BELOW + "\n" + version + "\n" + "".join([*sections, *others]).rstrip() + "\n"


def _section(kind: type[Value], node: ast.ClassDef) -> str:
    table = _table(node, kind)
    return f"\n### {kind.model_fields['kind'].default}\n\n{_sentence(node)}\n" + (f"\n{table}\n" if table else "")


def _sentence(node: ast.ClassDef) -> str:
    return " ".join((ast.get_docstring(node) or "").split())


def _table(node: ast.ClassDef, kind: type[Value]) -> str:
    rows = [f"| `{name}` | `{about[0]}` | {about[1]} |" for name, about in _fields(node, kind)]
    return "\n".join(["| field | type | |", "|---|---|---|", *rows]) if rows else ""


def _fields(node: ast.ClassDef, kind: type[Value]) -> Iterator[tuple[str, tuple[str, str]]]:
    for index, line in enumerate(node.body):
        if not isinstance(line, ast.AnnAssign) or not isinstance(line.target, ast.Name) or line.target.id == "kind":
            continue
        field = kind.model_fields[line.target.id]
        after = node.body[index + 1] if index + 1 < len(node.body) else None
        said = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
        typed = ast.unparse(line.annotation).replace("|", "\\|")
        optional = "" if field.is_required() else "may be left out. "
        yield field.alias or line.target.id, (typed, f"{optional}{' '.join(str(said).split())}".strip())


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(PAGE.read_text(encoding="utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8")
