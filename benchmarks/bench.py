"""Measures what the project promises: `make bench`, `make bench ONLY=part-of-name`.

Each row is printed as one JSON object a line on stdout and kept in benchmarks/results.json; a table follows on stderr.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import (
    browser_rows,
    call_rows,
    core_rows,
    family_rows,
    linux_act_rows,
    linux_input_rows,
    linux_picture_rows,
    linux_rows,
    linux_settle_rows,
    linux_tree_rows,
    linux_window_rows,
    model_rows,
    service_rows,
    shell_rows,
    step_rows,
)
from benchmarks.row import Result, Row
from deskhand.core.errors import DeskhandError

RESULTS = Path(__file__).with_name("results.json")
ROWS: tuple[Row, ...] = (
    *core_rows.ROWS,
    *family_rows.ROWS,
    *step_rows.ROWS,
    *linux_rows.ROWS,
    *linux_act_rows.ROWS,
    *linux_tree_rows.ROWS,
    *linux_input_rows.ROWS,
    *linux_picture_rows.ROWS,
    *linux_window_rows.ROWS,
    *linux_settle_rows.ROWS,
    *model_rows.ROWS,
    *call_rows.ROWS,
    *service_rows.ROWS,
    *shell_rows.ROWS,
    *browser_rows.ROWS,
)
BY_DEFAULT = ("core", "linux")
"""The groups that run when nothing is named; all others run by `ONLY`."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench", description="Measure what the project promises.")
    parser.add_argument("--only", default="", metavar="PART", help="rows with this in their name")
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FILE", help="where the rows are kept")
    arguments = parser.parse_args()
    only = arguments.only
    rows = [row for row in ROWS if (only in row.name if only else row.group in BY_DEFAULT)]
    if not rows:
        parser.error(f"no row is called like {only!r}; there are: {', '.join(row.name for row in ROWS)}")
    results = []
    for row in rows:
        results.append(measure(row))
        print(json.dumps(results[-1]), flush=True)
    keep(results, arguments.results)
    print(table(results), file=sys.stderr)
    return 1 if any("error" in result for result in results) else 0


def measure(row: Row) -> Result:
    try:
        return row.run()
    # One figure that cannot be had must not cost the others.
    except subprocess.CalledProcessError as error:
        return row.failed(error.stderr.decode(errors="replace").strip().rpartition("\n")[2] or str(error))
    except (DeskhandError, OSError, subprocess.SubprocessError, AssertionError) as error:
        return row.failed(f"{type(error).__name__}: {error}")


def keep(results: Sequence[Result], path: Path) -> None:
    """Replace the rows that were run, keep the others, in the order of `ROWS`."""
    earlier: list[Result] = json.loads(path.read_text()) if path.exists() else []
    rows = {result["name"]: result for result in (*earlier, *results)}
    order = [row.name for row in ROWS]
    known = sorted((name for name in rows if name in order), key=order.index)
    text = ",\n".join(json.dumps(rows[name]) for name in known)
    half_written = path.with_suffix(".part")
    half_written.write_text(f"[\n{text}\n]\n")
    half_written.replace(path)


def table(results: Sequence[Result]) -> str:
    lines = [f"{'':4} {'row':24} {'ours':>10} {'goal':>10} unit      range"]
    for result in results:
        mark = "ok" if result["ok"] else "MISS"
        figures = f"{result['ours'] if result['ours'] is not None else '-':>10} {result['goal']:>10g}"
        lines.append(f"{mark:4} {result['name']:24} {figures} {result['unit']:9} {remark(result)}".rstrip())
    return "\n".join(lines)


def remark(result: Result) -> str:
    if "error" in result:
        return result["error"]
    spread = f"{result['min']:g} to {result['max']:g} in {result['runs']} runs" if result["runs"] > 1 else ""
    if "peer" not in result:
        return spread
    beside = [f"{each['name']}: {each['value'] if each['ok'] else each['why']}" for each in result["peers"]]
    return "; ".join((spread, *beside))


if __name__ == "__main__":
    sys.exit(main())
