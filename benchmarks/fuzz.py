"""Generates and mutates replies and lets every dialect read them: `make fuzz`.

Whatever a model writes, reading it ends in a decision or in `UnreadableReply`, and nothing is done that is not in it.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from benchmarks.families import CASES as FAMILY_CASES
from deskhand.core.errors import UnreadableReply
from deskhand.core.family import FAMILIES, Family, family_called
from deskhand.core.geometry import Frame, Size
from deskhand.dialects.binding import Bound
from deskhand.dialects.ground import GroundReply, Pointing
from deskhand.dialects.json_reply import JsonReading, JsonReply
from deskhand.dialects.marks import MarksReply
from deskhand.dialects.native import NativeReply
from deskhand.dialects.own_form import OwnReply
from deskhand.dialects.plan import PlanReply
from deskhand.dialects.reading import Reading
from deskhand.dialects.signatures import ALIASES, CLOSED, SAID_FOR
from deskhand.dialects.vocabularies import WORDS

CASES = Path(__file__).resolve().parent.parent / "tests" / "cases" / "action_parse.jsonl"
SCREEN = Frame(Size(1920, 1080), Size(1920, 1080))
_WRITING = [family for family in FAMILIES.values() if family.dialect != "computer"]
_PHONES = "-phone"
_OF = {name: [f.name for f in _WRITING if {name, name.removesuffix(_PHONES)} & {f.words, f.name}] for name in WORDS}
OWN = {name: families for name, families in _OF.items() if families}
"""The families of each of the lists of words; those that call a vendor's own tool write no text to be read."""


def _own(name: str, family: Family) -> OwnReply:
    return OwnReply(WORDS[name].form, family, platform="android" if name.endswith(_PHONES) else "linux")


READERS: dict[str, Callable[[str], Reading | JsonReading | Pointing]] = {
    "native": lambda text: NativeReply().read(text, SCREEN),
    "plan": lambda text: PlanReply().read(text, SCREEN),
    "ground": lambda text: GroundReply().read(text, SCREEN),
    "json": lambda text: JsonReply().read(text, SCREEN),
    "marks": lambda text: MarksReply().read(text, SCREEN),
    **{name: partial(_own(name, FAMILIES[families[0]]).read, frame=SCREEN) for name, families in OWN.items()},
}
MODES = {"native": "native", "agentic": "plan", "grounding": "ground"}
_OBJECTS = (
    '{"observation": "o", "thought": "t", "status": "CONTINUE", "action": [{"function": "click", "arguments": '
    '{"element": "e12"}}], "plan": ["a", "b"], "questions": [], "result": "", "blackboard": {"k": "v"}}',
    '```json\n{"status": "FINISH", "result": "7",}\n```',
    '<think>{"status": "FAIL"}</think>{"status": "CONTINUE", "action": {"name": "write", "args": {"text": "a\\nb"}}}',
    '{"status": "CONTINUE", "action": [{"function": "click", "arguments": {"mark": "[3]"}}, '
    '{"action": "hotkey", "keys": ["ctrl", "s"]}, {"function": "scroll", "args": {"clicks": -3, "x": 1, "y": 2}}]}',
)
_CALLS = (
    "click(x=966, y=546)",
    "click(point='<point>200 150</point>')",
    "write(message='it\\'s (a) \"test\", x=1')",
    'write(message="""two\nlines""")',
    "hotkey('ctrl', 'shift', 't')",
    "press(keys=['down', 'enter'], presses=2)",
    "swipe(from_coord=(1, 2), to_coord=[3, 4])",
    "drag(start_box='(1,2)', end_box='(3,4)')",
    "terminate(status='success', info=None)",
    "tripleClick(x=0.5, y=0.25)",
    "call_tool(tool='ls', arguments={'path': ['/', 1, None, true]})",
)
_SPLINTERS = (
    *(
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "'",
        '"',
        '"""',
        ",",
        "=",
        ":",
        ";",
        "\\",
        "\n",
        "#",
        "`",
        "```",
        "//",
        "<",
        ">",
        "-",
    ),
    *(
        "（",
        "）",
        "，",
        "：",
        "＝",
        "“",
        "”",
        "‘",
        "’",
        "「",
        "」",
        "【",
        "２",
        "²",
        "\0",
        "\ufeff",
        "\u202e",
        "😀",
        "\ud83d",
        "é",
    ),
    *("<think>", "</think>", "<action>", "</action>", "<operation>", "</operation>", "<tool_call>", "</tool_call>"),
    *("<ACTION>", "<point>", "</point>", "<|box_start|>", "<|box_end|>", "<box>", "Action: ", "Thought: ", "1. ", "- "),
    *(
        "True",
        "None",
        "null",
        "nan",
        "1e999",
        "0x1F",
        "-",
        "9" * 40,
        "__import__('os')",
        "lambda: 0",
        "**",
        "*",
        "f'{1}'",
    ),
    *(
        "click(",
        "write(message=",
        "x=",
        "y=",
        "element=",
        "keys=",
        " if ",
        " for i in range(3): ",
        "\\u12",
        "\\N{",
        "\\x",
    ),
)
_SAID_BY_WORDS = (3, 5, -5)
"""What a name such as tripleClick says, and a direction without an amount."""
_NUMBER = re.compile(
    r"[-+]?0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|[-+]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d+)?"
)


def seeds(dialect: str) -> list[str]:
    """Give replies of a dialect, good and bad."""
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    raws = [case["raw"] for case in cases if MODES[case["mode"]] == dialect]
    if dialect in OWN:
        return [case["raw"] for case in _of_families() if family_called(case["family"]).name in OWN[dialect]]
    if dialect in ("json", "marks"):
        return [*_OBJECTS * 5, *(case["raw"] for case in cases[::7])]
    wrap = {"native": "<operation>o</operation><action>{}</action>", "plan": "```python\n# o\n{}\n```"}.get(
        dialect, "{}"
    )
    return [*raws, *(wrap.replace("{}", call) for call in _CALLS)]


def _of_families() -> list[dict[str, str]]:
    cases = [json.loads(line) for line in FAMILY_CASES.read_text(encoding="utf-8").splitlines()]
    return [case for case in cases if case["dialect"] != "ground"]


def replies(dialect: str, count: int, seed: int) -> Iterator[str]:
    """Give replies: mutated ones, and some made of nothing but splinters."""
    choose = random.Random(seed)
    known = seeds(dialect)
    for number in range(count):
        if number % 10 == 9:
            yield "".join(choose.choices(_SPLINTERS, k=choose.randint(0, 25)))
            continue
        text = choose.choice(known)
        for _ in range(choose.choice((1, 1, 2, 3, 6))):
            text = mutated(text, choose, known)
        yield text


def mutated(text: str, choose: random.Random, known: list[str]) -> str:
    """Change a reply in one place."""
    start = choose.randint(0, len(text))
    end = min(len(text), start + choose.choice((1, 1, 2, 5, 20)))
    piece = text[start:end]
    change = choose.randrange(8)
    if change == 0:
        return text[:start] + text[end:]
    if change == 1:
        return text[:start] + choose.choice(_SPLINTERS) + text[start:]
    if change == 2:
        return text[:start] + piece * choose.randint(2, 4) + text[end:]
    if change == 3:
        return text[:start]
    if change == 4:
        other = choose.choice(known)
        return text[:start] + other[choose.randint(0, len(other)) :]
    if change == 5:
        wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in piece)
        return text[:start] + wide + text[end:]
    if change == 6:
        return text[:start] + piece.swapcase() + text[end:]
    return text[:start] + choose.choice(_SPLINTERS) + text[end:]


def fault(dialect: str, reply: str) -> str:
    """Say what is wrong with how a reply is read; "" when nothing is."""
    try:
        read = READERS[dialect](reply)
    except UnreadableReply as error:
        return "" if str(error) else "nothing is said about what is wrong"
    except Exception as error:  # noqa: BLE001  what must not happen is to be told, whatever it is
        return f"{type(error).__name__}: {error}"
    if isinstance(read, Pointing):
        made = [n for n in (*read.point, *(read.to or ())) if not has_number(reply, n)]
        return f"the reply does not hold {made}" if made else ""
    judge = misplaced if dialect in OWN else invented
    return next((problem for one in read.bound if (problem := judge(reply, one, dialect))), "")


def misplaced(reply: str, one: Bound, dialect: str) -> str:
    """Say what of the places and texts of an action is not in the reply; units and names are a family's own."""
    for key in ("x", "y", "start", "path", "from_coord", "to_coord", "message", "answer", "app_name", "element"):
        for value in leaves([one.params.get(key)]):
            if isinstance(value, int | float) and not has_number(reply, value):
                return f"the reply does not hold {value}"
            if isinstance(value, str) and not has_text(reply, value, dialect):
                return f"the reply does not hold {value!r}"
    return ""


def invented(reply: str, one: Bound, dialect: str) -> str:
    """Say what of an action is not in the reply."""
    letters = re.sub(r"[^a-z]", "", unicodedata.normalize("NFKC", reply).lower())
    key = re.sub(r"[^a-z]", "", one.name.lower())
    names = [key, *(alias for alias, name in ALIASES.items() if name == key)]
    if not any(name in letters for name in names):
        return f"the reply has no {one.name}"
    for value in leaves(one.params.values()):
        if isinstance(value, bool) or value is None or value == "<grounder>":
            continue
        if isinstance(value, int | float) and not (has_number(reply, value) or value in _SAID_BY_WORDS):
            return f"the reply does not hold {value}"
        if isinstance(value, str) and not has_text(reply, value, dialect):
            return f"the reply does not hold {value!r}"
    return ""


def leaves(values: Iterable[object]) -> Iterator[object]:
    for value in values:
        if isinstance(value, dict):
            yield from leaves(value.values())
        elif isinstance(value, list | tuple):
            yield from leaves(value)
        else:
            yield value


def has_number(reply: str, number: float) -> bool:
    """Tell whether a number stands in a reply, or is the middle of two that do; escapes may make others of digits."""
    if "\\" in reply:
        return True
    said = [n for found in _NUMBER.findall(unicodedata.normalize("NFKC", reply)) for n in numbers(found)]
    return number in said or any((a + b) / 2 == number for a in said for b in said) or abs(number) == float("inf")


def numbers(text: str) -> Iterator[float]:
    """Give what a sign and digits may stand for; brackets and commas part them anew, so parts count, too."""
    for start in range(len(text)) if len(text) < 12 else (0,):
        for end in range(start + 1, len(text) + 1) if len(text) < 12 else (len(text),):
            try:
                yield float(text[start:end])
                yield float(-float(text[start:end]))
            except ValueError:
                continue
    try:
        yield int(text, 0)
    except ValueError:
        return


def has_text(reply: str, text: str, dialect: str) -> bool:
    """Tell whether the signs of a text stand in a reply, in order; escapes may make others of them."""
    words = {text, *(said for said, meant in SAID_FOR.items() if meant == text)}
    if any(text in allowed for allowed in CLOSED.values()):
        return any(word in unicodedata.normalize("NFKC", reply).lower() for word in {*words, "middle", "right"})
    if "\\" in reply or text in ("on", "off") or (dialect == "marks" and re.fullmatch(r"e\d+", text)):
        return True
    signs = iter(unicodedata.normalize("NFKC", reply).casefold())
    return all(sign in signs for sign in unicodedata.normalize("NFKC", text).casefold() if sign.isalnum())


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz", description="Let every dialect read generated replies.")
    parser.add_argument("--count", type=int, default=100_000, help="replies a dialect")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", metavar="DIALECT")
    arguments = parser.parse_args()
    failed = 0
    warnings.simplefilter("error")
    for dialect in READERS:
        if arguments.only not in ("", dialect):
            continue
        faults = [(r, f) for r in replies(dialect, arguments.count, arguments.seed) if (f := fault(dialect, r))]
        failed += len(faults)
        print(f"{dialect}: {arguments.count} replies, {len(faults)} faults")
        for reply, problem in faults[:10]:
            print(f"  {problem}\n    {reply!r}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
