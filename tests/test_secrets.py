from __future__ import annotations

import base64
import json
from pathlib import Path
from urllib.parse import quote

import anyio
import pytest

from deskhand.core.errors import TargetNotFound
from deskhand.core.secret import Secrets
from deskhand.devices.wrappers import SecretsDevice
from deskhand.journal.file import FileJournal
from deskhand.testing import PaperDesk
from tests.paper import app, context, one_subtask, session, write

VALUE = "S3cr3t-Ω! x/y"


@pytest.mark.parametrize(
    "spelled",
    [
        VALUE,
        json.dumps(VALUE)[1:-1],
        quote(VALUE),
        quote(VALUE, safe=""),
        base64.b64encode(VALUE.encode()).decode(),
        f"before {VALUE} after",
    ],
)
def test_every_spelling_is_masked(spelled: str) -> None:
    masked = Secrets({"pw": VALUE}).mask(spelled)

    assert "{{secret:pw}}" in masked
    assert "S3cr3t" not in masked


def test_a_secret_inside_another_leaves_nothing_behind() -> None:
    assert Secrets({"short": "abcd", "long": "abcdefgh"}).mask("abcdefgh") == "{{secret:long}}"


def test_an_unknown_placeholder_types_nothing() -> None:
    secrets = Secrets({"pw": VALUE})

    assert secrets.expand("{{secret:pw}}") == VALUE
    with pytest.raises(TargetNotFound, match="no secret called 'other'; there are: pw"):
        secrets.expand("{{secret:other}}")


def test_a_secret_reaches_the_device_and_nothing_else(tmp_path: Path) -> None:
    """Planted: typed, shown by the field, in a window's title, result, plan, thought, blackboard, note and answer."""
    secrets = Secrets({"pw": VALUE})
    desk = PaperDesk(apps=("editor", VALUE))
    model = one_subtask(
        app("CONTINUE", write("{{secret:pw}}"), thought=f"I type {VALUE}", plan=[f"then {VALUE}"]),
        app("CONTINUE", blackboard={"kept": VALUE}),
        "this is no JSON: " + VALUE,
        app("FINISH", result=f"it shows {VALUE}"),
    )
    journal = FileJournal(tmp_path, secrets=secrets)
    made = context(model, desk=SecretsDevice(desk, secrets), journal=journal)
    result = anyio.run(session(made, f"log in with {VALUE}").run)
    journal.close()

    assert desk.windows[0].text == VALUE
    assert "S3cr3t" not in str(result.answer)
    everything = b"\n".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
    for spelled in (VALUE, "S3cr3t", quote(VALUE), base64.b64encode(VALUE.encode()).decode()):
        assert spelled.encode() not in everything
    seen = [r.model_dump_json() for r in model.requests]
    assert all("S3cr3t" not in text for text in seen)


def test_an_unknown_secret_is_a_failed_action() -> None:
    desk = PaperDesk()
    model = one_subtask(app("CONTINUE", write("{{secret:nope}}")), app("FINISH"))
    anyio.run(session(context(model, desk=SecretsDevice(desk, Secrets()))).run)

    assert desk.windows[0].text == ""
    assert "no secret called" in model.requests[2].model_dump_json()
