"""Carry out a request from a script or a notebook, look at every record, and read what it did off its journal."""

import sys
from pathlib import Path

import deskhand
from deskhand.core.event import ActionStarted


def main(folder: Path) -> None:
    acted: list[str] = []

    def listen(record: deskhand.Record) -> None:
        if isinstance(record.event, ActionStarted):
            acted.append(record.event.action.kind)

    note = folder / "note.txt"
    request = f'In the text editor, write "Hello" and save it as {note}'
    result = deskhand.run_sync(request, run_dir=folder / "run", listeners=[listen])
    print(result.outcome, note.read_text().strip(), acted[0])

    view = deskhand.View.of(deskhand.read_records(folder / "run"))
    print(view.steps == result.steps, len(view.rounds[0].subtasks))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
