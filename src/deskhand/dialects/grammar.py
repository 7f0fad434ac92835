"""Action text, such as `click(x=10, y=20)`, read as calls. Nothing in it is ever executed."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from deskhand.dialects.unreadable import Unreadable

FORM = 'write one call a line, parameters by name, like click(x=10, y=20) or write(message="text")'
_KEYS = re.compile(r"[A-Za-z]\w*(?: [+-] \w+)+")
"""A chord without quotes, such as ctrl + c."""
_WORDS = {"true": True, "false": False, "none": None, "null": None}
_LONGEST = 2_000_000
_UNUSUAL = re.compile(r"\d[xXoObB_.eE]|\.\d")
_WARNED_OF = re.compile(r"\\|\d\.?[A-Za-z]|\bis\b|[\])}\"'][ \t\n]*[(\[]")
"""What Python might warn of, which takes time to prevent."""
Tree = TypeVar("Tree", ast.Module, ast.Expression)


@dataclass(frozen=True)
class Bare:
    """A word without quotes where a value belongs; what it means depends on the parameter."""

    word: str


class Written(int):
    """A whole number that was written in an unusual way, such as 0x1F; where a text belongs, that way is the text."""

    text: str


class WrittenFloat(float):
    """The same for other numbers, such as 12.50."""

    text: str


class Call(NamedTuple):
    """A call as it was written; what its name means is not looked at here."""

    name: str
    args: tuple[object, ...]
    kwargs: dict[str, object]


def parse_calls(text: str) -> tuple[Call, ...]:
    """Read every call in `text`, in order; blank lines and `#` comments are passed over.

    Values are literals, lists, tuples and objects of literals; `true`, `false`, `null` count as such. Of a dotted
    name the last part counts. Nothing is repaired.

    Raises:
        UnreadableReply: it holds no call, or something else than calls.
    """
    calls = tuple(_call(statement, bare=False) for statement in _statements(text))
    if not calls:
        raise Unreadable("no_action", f"there is no action in {shown(text)}; {FORM}")
    return calls


def parse_call(source: str) -> Call:
    """Read one call; words without quotes are handed on as `Bare`.

    Raises:
        SyntaxError: it is not even Python.
        UnreadableReply: it is something else than a call of literals.
    """
    if len(source) > _LONGEST:
        raise _too_long(source)
    try:
        return _call(_with_spellings(_parsed(source, ast.Expression), source).body, bare=True)
    except (ValueError, MemoryError, RecursionError) as error:
        raise SyntaxError(_reason(error)) from error


def shown(text: str) -> str:
    """Quote a text for a message, cut to a sensible length."""
    return repr(text if len(text) <= 300 else text[:300] + "…")


def cannot_be_read(text: str, reason: str) -> Unreadable:
    return Unreadable("syntax_error", f"{shown(text)} cannot be read as an action ({reason}); {FORM}")


def _too_long(text: str) -> Unreadable:
    return Unreadable("syntax_error", f"this action is {len(text)} characters long; at most {_LONGEST} are read")


def _statements(text: str) -> Iterator[ast.expr]:
    if len(text) > _LONGEST:
        raise _too_long(text)
    tripled = '"""' in text or "'''" in text
    # Lines may be indented as a whole or one by one; only a triple-quoted text can hold a line's start.
    lines = text.strip() if tripled else re.sub(r"\n[ \t]+", "\n", text.strip())
    try:
        body = _with_spellings(_parsed(lines, ast.Module), lines).body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise cannot_be_read(text, _reason(error)) from error
    for statement in body:
        if not isinstance(statement, ast.Expr):
            raise Unreadable("syntax_error", f"{shown(text)} holds something else than calls; {FORM}")
        yield statement.value


def _parsed(source: str, kind: type[Tree]) -> Tree:
    mode = "eval" if kind is ast.Expression else "exec"
    if not _WARNED_OF.search(source):
        tree = ast.parse(source, mode=mode)
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # unknown escapes such as "\d" are kept as they stand
            tree = ast.parse(source, mode=mode)
    assert isinstance(tree, kind)
    return tree


def _with_spellings(tree: Tree, source: str) -> Tree:
    if not _UNUSUAL.search(source):
        return tree
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or isinstance(node.value, bool):
            continue
        text = ast.get_source_segment(source, node) or str(node.value)
        if isinstance(node.value, float):
            node.value = WrittenFloat(node.value)
            node.value.text = text
        elif isinstance(node.value, int) and text != str(node.value):
            node.value = Written(node.value)
            node.value.text = text
    return tree


def _reason(error: BaseException) -> str:
    return error.msg if isinstance(error, SyntaxError) else "it is nested too deeply or holds unreadable signs"


def _call(node: ast.expr, *, bare: bool) -> Call:
    if not isinstance(node, ast.Call):
        raise Unreadable("syntax_error", f"{shown(ast.unparse(node))} is not a call; {FORM}")
    name = _name(node.func)
    kwargs: dict[str, object] = {}
    for keyword in node.keywords:
        if keyword.arg is None or keyword.arg in kwargs:
            code = "duplicate_param" if keyword.arg else "non_literal"
            given = f"{name} is given {keyword.arg or '**'} in a way that has no meaning"
            raise Unreadable(code, f"{given}; {FORM}")
        kwargs[keyword.arg] = _value(keyword.value, bare)
    return Call(name, tuple(_value(argument, bare) for argument in node.args), kwargs)


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    raise Unreadable("syntax_error", f"{shown(ast.unparse(node))} is not the name of an action; {FORM}")


def _value(node: ast.expr, bare: bool) -> object:
    match node:
        case ast.Constant(value=str() | int() | float() | None as value):
            return value
        case ast.Name(id=word) if word.lower() in _WORDS:
            return _WORDS[word.lower()]
        case ast.Name(id=word) if bare:
            return Bare(word)
        case ast.BinOp(op=ast.Add() | ast.Sub()) if bare and (keys := _KEYS.fullmatch(ast.unparse(node))):
            return Bare(re.sub(r"\s", "", keys[0]))
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=ast.Constant(value=int() | float() as number)):
            return -number if isinstance(sign, ast.USub) else number
        case ast.List(elts=items):
            return [_value(item, bare) for item in items]
        case ast.Tuple(elts=items):
            return tuple(_value(item, bare) for item in items)
        case ast.Dict(keys=keys, values=values):
            return {_key(key): _value(value, bare) for key, value in zip(keys, values, strict=True)}
    raise not_plain(shown(ast.unparse(node)))


def not_plain(what: str) -> Unreadable:
    """Say that something stands where a plain value belongs."""
    return Unreadable("non_literal", f"{what} is not a plain value: give numbers, texts in quotes, or lists")


def _key(node: ast.expr | None) -> str:
    match node:
        case ast.Constant(value=str() as key):
            return key
    raise Unreadable("non_literal", "the keys of an object are texts in quotes")
