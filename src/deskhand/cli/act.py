"""`deskhand act`: do single actions, written as in the action space."""

from __future__ import annotations

from argparse import Namespace

from deskhand.cli.complaints import FAILED, FINISHED
from deskhand.cli.interrupt import run_until_interrupted
from deskhand.cli.overrides import settings_of
from deskhand.cli.streams import say, say_json
from deskhand.cli.terminal import user_at
from deskhand.core.errors import SettingsError, UnreadableReply
from deskhand.core.secret import Secrets
from deskhand.dialects.grammar import parse_calls
from deskhand.journal.memory import MemoryJournal
from deskhand.wiring import Wiring, open_device
from deskhand.workplace import Done, check_calls, workplace_on


def main(arguments: Namespace) -> int:
    settings = settings_of(arguments)
    try:
        calls = [call for text in arguments.actions for call in parse_calls(text)]
        check_calls(calls)
    except UnreadableReply as error:
        raise SettingsError(str(error)) from error

    async def work() -> list[Done]:
        async with open_device(settings.device, Secrets(settings.secrets), settings.perception) as device:
            wiring = Wiring(settings, user_at(silent=arguments.json), ())
            return await workplace_on(device, wiring, MemoryJournal()).act(calls)

    done = run_until_interrupted(work)
    for text, result in done:
        if arguments.json:
            say_json({"action": text, **result.model_dump()})
        else:
            say(f"{result.outcome}: {text}" + (f" - {result.text}" if result.text else ""))
            say(*(f"  {line}" for line in result.value.splitlines()))
    return FAILED if any(result.outcome == "failed" for _, result in done) else FINISHED
