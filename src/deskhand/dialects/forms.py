"""How families of models write a reply, whatever their words are: three forms, each read and written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from deskhand.core.errors import UnreadableReply
from deskhand.dialects.calls import find_calls
from deskhand.dialects.grammar import Call, parse_calls, shown
from deskhand.dialects.json_calls import WRAPPERS, calls_of, calls_of_json
from deskhand.dialects.json_text import one_object
from deskhand.dialects.layout import fenced, labelled, sections, without_thinking
from deskhand.dialects.objects import read_objects, write_objects
from deskhand.dialects.unreadable import CutOff, Unreadable
from deskhand.dialects.words import Form, Words, letters

_FUNCTION = re.compile(r"<(?:function=|invoke\s+name=)\s*[\"']?(?P<name>[\w.-]+)[\"']?\s*>")
_PARAMETER = re.compile(
    r"\s*<parameter(?:=|\s+name=)\s*[\"']?(?P<name>[\w.-]+)[\"']?\s*>(?P<value>.*?)"
    r"(?:</parameter>(?=\s*(?:<parameter\b|</function|</invoke|</?[\w:]*tool_call|<function|\Z))|(?P<cut>\Z))",
    re.DOTALL,
)
_NO_PARAMETER = re.compile(
    r"\s*+(?!</(?:function|invoke)>|</?[\w:]*(?:tool_call|function_calls?)>|<(?:function=|invoke\s)|\Z)"
)
"""What stands between a call's parameters and its end, and is neither."""
_NESTED = frozenset({"arguments", "path", "keys", "modifiers", "args"})
"""Parameters whose values are JSON even where others are texts."""
_TAGS = re.compile(r"</?(?:seed:)?(?:tool_call|function_calls?|answer|action)>")
_CALLS = re.compile(r"<(?:seed:)?(?:tool_call|function_calls?)>")
_ACTION_LABEL = re.compile(r"^[ \t#*_]*actions?[ \t*_]*[:：][ \t*_]*", re.IGNORECASE | re.MULTILINE)
_INFEASIBLE = "[INFEASIBLE]"
_BOXES = re.compile(r"<\|(?:begin|end)_of_box\|>")
_MEMORY = re.compile(r"^[ \t]*memory[ \t]*[:：]", re.IGNORECASE | re.MULTILINE)
_CODE_LABEL = re.compile(r"^[ \t]*(?:#+[ \t]*code[ \t]*[:：]?|\(grounded action\))[ \t]*$", re.I | re.M)
_MEANT = re.compile(
    r"^[ \t]*(?:#+[ \t]*action[ \t]*[:：]?|\(next action\))[ \t]*\n(?P<text>.*?)(?=^[ \t]*(?:#+|\(\w)|^```|\Z)",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_THOUGHT = re.compile(r"^[ \t]*#+[ \t]*(?:step \d+|thought|observation|reflection)[ \t]*[:：]?[ \t]*", re.I | re.M)
_IMPORTS = re.compile(r"^[ \t]*(?:import|from)\b[^\n;]*;?[ \t]*", re.MULTILINE)
_NOTHING = re.compile(r"(?:\s|;|#[^\n]*)*")


class Said(NamedTuple):
    """A reply, taken apart; its calls are in the family's words."""

    calls: tuple[Call, ...]
    thought: str = ""
    instruction: str = ""
    """What is done next, in words."""


class Way(NamedTuple):
    """A form: how a reply in it is read, and how one is written."""

    name: Form
    read: Callable[[str], Said]
    write: Callable[[str, Sequence[Call], Words], str]
    """Writes a thought and calls."""


def _read_tool_call(text: str) -> Said:
    thought, rest = without_thinking(text)
    first = min((found.start() for tag in (_FUNCTION, _CALLS) if (found := tag.search(rest))), default=None)
    before = rest.partition("{")[0] if first is None else rest[:first]
    instruction = _ACTION_LABEL.sub("", _TAGS.sub("", before)).strip("`\n ")
    block = fenced(rest)
    blocks = sections(rest).blocks or ((block[0],) if block else ())
    if _FUNCTION.search(rest) and not any(block.lstrip()[:1] in ("{", "[") for block in blocks):
        return Said(tuple(_tagged_calls(rest)), thought, instruction)
    calls = tuple(call for block in blocks if block.strip() for call in _of_block(block))
    if calls:
        return Said(calls, thought, instruction)
    if _INFEASIBLE in rest:
        why = rest.replace(_INFEASIBLE, "").strip()
        return Said((Call("terminate", (), {"status": "failure", "info": why}),), thought, why)
    if (parted := labelled(rest)) is not None and (labelled_calls := find_calls(parted[1], cut=True).calls):
        return Said(labelled_calls, thought, parted[0])
    return Said(calls_of(one_object(rest)).calls if rest.strip() else (), thought, instruction)


def read_own_tool(text: str) -> Said:
    """Read a reply of a service that takes calls apart from the text; one without a call ends the task in words."""
    thought, rest = without_thinking(text)
    if _CALLS.search(rest):
        return _read_tool_call(text)
    said = rest.strip()
    return Said((Call("terminate", (), {"status": "success", "info": said}),) if said else (), thought, said)


def _of_block(block: str) -> tuple[Call, ...]:
    """Read what stands in a tag for calls: JSON, or calls as in code.

    Raises:
        UnreadableReply: it is neither.
    """
    objects = calls_of_json(block)
    if objects is None and block.lstrip()[:1] == "{":
        return calls_of(one_object(block)).calls
    calls = find_calls(block, cut=True).calls if objects is None else objects.calls
    if not calls:
        raise nothing_in(block, "tool_call")
    return calls


def _tagged_calls(text: str) -> Iterator[Call]:
    """Read calls whose parameters stand in tags.

    Raises:
        UnreadableReply: one breaks off in the middle.
    """
    at = 0
    while (start := _FUNCTION.search(text, at)) is not None:
        given: dict[str, object] = {}
        at = start.end()
        while (found := _PARAMETER.match(text, at)) is not None:
            given[found["name"]], at = _value_in_tags(found), found.end()
        if _NO_PARAMETER.match(text, at):
            inside = shown(text[at : at + 100].strip())
            raise Unreadable(
                "syntax_error", f"{start['name']} holds {inside}, which is no parameter; write it in its tag"
            )
        verb = given.get("action")
        if letters(start["name"]) in WRAPPERS and isinstance(verb, str):
            yield Call(verb.strip(), (), {key: value for key, value in given.items() if key != "action"})
        else:
            yield Call(start["name"], (), given)


def _value_in_tags(found: re.Match[str]) -> object:
    name, text = found["name"], found["value"]
    if found["cut"] is not None:
        raise CutOff(f"the reply breaks off in the parameter {name}; close it")
    if len(text) > 1 and text[0] == text[-1] == "\n":
        text = text[1:-1]
    if name in _NESTED and text.strip()[:1] in ("[", "{"):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text


def _write_tool_call(thought: str, calls: Sequence[Call], words: Words) -> str:
    written = [_in_tags(call, words) if words.tags else _in_json(call, words) for call in calls]
    return "\n".join([*([f"Action: {thought}"] if thought else []), *written])


def _in_json(call: Call, words: Words) -> str:
    arguments: Mapping[str, object] = {"action": call.name, **call.kwargs} if words.tool else call.kwargs
    made = {"name": words.tool or call.name, "arguments": arguments}
    return f"<tool_call>\n{json.dumps(made, ensure_ascii=False)}\n</tool_call>"


def _in_tags(call: Call, words: Words) -> str:
    given = {"action": call.name, **call.kwargs} if words.tool else call.kwargs
    rows = [f"<parameter={name}>{_text_in_tags(value, words)}</parameter>" for name, value in given.items()]
    function = words.tool or call.name
    if words.tags == "function_calls":
        rows = [re.sub(r"^<parameter=([\w-]+)>", r'<parameter name="\1">', row) for row in rows]
        return "\n".join([f"<{words.tags}>", f'<invoke name="{function}">', *rows, "</invoke>", f"</{words.tags}>"])
    return "\n".join([f"<{words.tags}>", f"<function={function}>", *rows, "</function>", f"</{words.tags}>"])


def _text_in_tags(value: object, words: Words) -> str:
    if isinstance(value, str):
        return f"\n{value}\n" if value[:1] == "\n" == value[-1:] else value
    if words.point and _is_point(value):
        return _point(value, words.point)
    return json.dumps(value, ensure_ascii=False)


def _read_thought_action(text: str) -> Said:
    thought, rest = without_thinking(text)
    parted = labelled(_BOXES.sub("", rest))
    said, body = parted or ("", _BOXES.sub("", rest))
    if body.lstrip()[:1] == "{":
        return Said(calls_of(one_object(body)).calls, thought, said)
    memory = _MEMORY.search(body)
    found = find_calls(body[: memory.start()] if memory else body, loose=parted is None, cut=True)
    return Said(found.calls, thought, said or ("" if parted else found.gaps[0].strip()))


def _write_thought_action(thought: str, calls: Sequence[Call], words: Words) -> str:
    acts = "\n\n".join(_spelled(call, words.point) for call in calls)
    return f"Thought: {thought}\nAction: {acts}"


def _read_code(text: str) -> Said:
    thought, rest = without_thinking(text)
    blocks = sections(rest).blocks
    if blocks and (objects := calls_of_json(blocks[0])) is not None:
        coded = objects.calls[0].kwargs
        calls = _of_code(str(coded["code"]), cut=False) if "code" in coded else objects.calls
        return Said(calls, thought, str(coded.get("description") or rest.partition("<")[0].strip()))
    labels = [*_CODE_LABEL.finditer(rest)]
    block = fenced(rest[labels[-1].end() :] if labels else rest)
    meant = next(reversed([*_MEANT.finditer(rest)]), None)
    if block is None:
        found = find_calls("\n".join(blocks) or rest, loose=not blocks, cut=True)
        return Said(found.calls, thought, meant["text"].strip() if meant else found.gaps[0].strip())
    before = rest[: rest.find(block[0])].rpartition("```")[0]
    instruction = meant["text"].strip() if meant else _CODE_LABEL.sub("", _TAGS.sub("", before)).strip()
    earlier = _THOUGHT.sub("", before[: meant.start()]).strip() if meant else ""
    return Said(_of_code(block[0], cut=not block[1]), thought or earlier, instruction)


def _of_code(code: str, *, cut: bool) -> tuple[Call, ...]:
    """Read code that is nothing but calls, one after the other; imports are passed over.

    Raises:
        UnreadableReply: it holds something else.
    """
    plain = _IMPORTS.sub("", code)
    try:
        return parse_calls(plain)
    except UnreadableReply as error:
        found = find_calls(plain, cut=cut)
        if not found.calls or not all(map(_NOTHING.fullmatch, found.gaps)):
            raise error
        return found.calls


def _write_code(thought: str, calls: Sequence[Call], words: Words) -> str:
    plain = "\n".join(_spelled(call, words.point) for call in calls)
    code = f"```python\n{plain}\n```" if words.fenced else plain
    if words.tags:
        return f"<think>{thought}</think>\n<{words.tags}>{code}</{words.tags}>"
    return f"## Action:\n{thought}\n\n## Code:\n{code}"


def _spelled(call: Call, point: str) -> str:
    given = [_literal(value, point) for value in call.args]
    given += [f"{name}={_literal(value, point)}" for name, value in call.kwargs.items()]
    return f"{call.name}({', '.join(given)})"


def _literal(value: object, point: str) -> str:
    if _is_point(value):
        return repr(_point(value, point)) if point else repr([*value])  # type: ignore[misc]  # it is a pair
    return repr(value)


def _is_point(value: object) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) == 2
        and all(isinstance(n, int | float) and not isinstance(n, bool) for n in value)
    )


def _point(value: Any, point: str) -> str:
    return point.format(x=value[0], y=value[1])


WAYS: Mapping[Form, Way] = {
    "tool_call": Way("tool_call", _read_tool_call, _write_tool_call),
    "thought_action": Way("thought_action", _read_thought_action, _write_thought_action),
    "pyautogui": Way("pyautogui", _read_code, _write_code),
    "objects": Way("objects", lambda text: Said(*read_objects(text)), write_objects),
}


def nothing_in(text: str, form: Form) -> Unreadable:
    """Say that a reply holds no action."""
    said = " ".join(text.split())[:300]
    return Unreadable("no_action", f"the reply holds no action; {_WANTED[form]}. It was: {said}")


_WANTED: Mapping[Form, str] = {
    "objects": "answer with one JSON object that holds an action",
    "tool_call": 'answer with one call, <tool_call>{"name": ..., "arguments": {"action": ...}}</tool_call>',
    "thought_action": "answer with two lines, Thought: what you do next, and Action: one call",
    "pyautogui": "answer with ## Action: what you do next, in words, then ## Code: and a block of Python with calls",
}
