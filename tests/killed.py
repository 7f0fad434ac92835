"""Run a request, or go on with it, and die by SIGKILL right after the first record of a kind; KIND RUN_DIR REQUEST."""

import os
import signal
import sys
from pathlib import Path

import anyio

import deskhand
from deskhand.core.event import Record


async def main(kind: str, run_dir: str, request: str) -> None:
    def die(record: Record) -> None:
        if record.event.kind == kind:
            os.kill(os.getpid(), signal.SIGKILL)

    if not Path(run_dir, "events.jsonl").exists():
        await deskhand.run(request, run_dir=run_dir, listeners=[die])
    async with deskhand.reopen_session(run_dir, listeners=[die]) as (session, fresh):
        await session.resume(fresh=fresh)


def run() -> None:
    kind, run_dir, request = sys.argv[1:]
    anyio.run(main, kind, run_dir, request)


if __name__ == "__main__":
    run()
