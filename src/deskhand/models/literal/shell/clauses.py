"""Requests for a shell, clause by clause, as commands: what the user names is always quoted."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from shlex import quote
from typing import NamedTuple

from deskhand.perception.quoting import Phrase, mask

_VALUE = r"\S+?"
_SPLIT = re.compile(
    r"\s*[;；。\n]+\s*|\.\s+(?=\S)|\s*,?\s+(?:and\s+)?then\s+|\s*,?\s+(?:und\s+)?(?:dann|danach)\s+"
    r"|\s*[,，]?\s*(?:然后|接着|之后再)\s*",
    re.IGNORECASE,
)
_END = r"[\s.!?。！？]*"
_POLITE = re.compile(r"^(?:please|bitte|请)[\s,]*", re.IGNORECASE)
_SIZES = {"kb": "k", "k": "k", "mb": "M", "m": "M", "gb": "G", "g": "G"}
_GLOB = re.compile(r"[*?\[]")
Maker = Callable[["Said"], str]


class Said(NamedTuple):
    """What the slots of a rule took, without quotes."""

    slots: dict[str, str]

    def path(self, slot: str, default: str = ".") -> str:
        """Give a path as a word of the shell: quoted, never an option, a home's sign left to the shell."""
        text = self.slots.get(slot) or default
        if text == "~" or text.startswith("~/"):
            return f"~/{quote(text[2:])}" if text[2:] else "~"
        return quote(f"./{text}" if text.startswith("-") else text)

    def text(self, slot: str) -> str:
        return quote(self.slots.get(slot, ""))

    def has(self, slot: str) -> bool:
        return bool(self.slots.get(slot))


class Rule(NamedTuple):
    """Ways to say one thing; `<a>` and the like stand for what is named."""

    make: Maker
    says: tuple[str, ...]


def clauses_of(request: str) -> list[str]:
    """Part a request into clauses; what stands in quotes stays whole."""
    phrase = mask(request.strip())
    return [phrase.part(piece).spelled.strip() for piece in _SPLIT.split(phrase.text) if piece.strip()]


def command_for(clause: str) -> str | None:
    """Give the command for a clause; None when no rule fits."""
    phrase = mask(_POLITE.sub("", clause.strip()))
    for rule, pattern in _patterns():
        if found := pattern.fullmatch(phrase.text):
            slots = {name: _value(phrase.part(text)) for name, text in found.groupdict().items() if text}
            return rule.make(Said(slots))
    return None


def _value(phrase: Phrase) -> str:
    return phrase.quoted if phrase.quoted is not None else phrase.plain.strip()


def _found(said: Said) -> str:
    where = said.path("where")
    if said.has("kind"):
        return f"find {where} -type f -iname {quote('*.' + said.slots['kind'].lower().lstrip('*.'))}"
    if said.has("n"):
        size = f"+{said.slots['n']}{_SIZES[said.slots['unit'].lower()]}"
        return f"find {where} -type f -size {size}"
    if said.has("text"):
        return f"grep -rlF -e {said.text('text')} -- {where}"
    name = said.slots["name"]
    return f"find {where} -iname {quote(name if _GLOB.search(name) else f'*{name}*')}"


def _placed(program: str) -> Maker:
    """Move or copy without replacing anything, which is silent then: so it says what it does."""

    def make(said: Said) -> str:
        source, target = said.slots["a"], said.path("b")
        deep = "-r " if program == "cp" else ""
        if not _GLOB.search(source):
            return f"{program} {deep}-v -n -- {said.path('a')} {target}"
        folder, _, names = source.rpartition("/")
        where = Said({"a": folder}).path("a")
        return f"find {where} -maxdepth 1 -name {quote(names)} -exec {program} {deep}-v -n -t {target} -- {{}} +"

    return make


def _archived(said: Said) -> str:
    """Pack to the output, which goes to a file that must be new."""
    name = said.slots.get("b") or said.slots["a"].rstrip("/")
    name = name if re.search(r"\.(?:tar|tgz|tar\.gz)$", name) else f"{name}.tar.gz"
    mode = "-c" if name.endswith(".tar") else "-cz"
    return f"tar {mode} -f - -- {said.path('a')} > {Said({'b': name}).path('b')}"


def _lines(said: Said) -> str:
    program = "tail" if re.match(r"(?i)last|letzten|后|最后", said.slots["end"]) else "head"
    return f"{program} -n {int(said.slots['n'])} -- {said.path('a')}"


_FIND, _FINDE = r"(?:find|search(?: for)?)", r"(?:finde|suche?)"
_UNDER, _UNTER = r"(?: (?:in|under) <where>)?", r"(?: (?:in|unter) <where>)?"
_FILES_EN = r"(?:all )?(?:the )?(?:files?(?: and folders?)?|contents?|entries|folders?)"
_FILES_DE = r"(?:alle |die )?(?:dateien(?: und ordner)?|inhalte?|ordner)"
RULES: tuple[Rule, ...] = (
    Rule(
        lambda said: f"wc -l < {said.path('a')}",
        (
            r"count (?:the )?lines (?:in|of) <a>",
            r"how many lines (?:are in|does|has|are there in) <a>(?: have)?",
            r"zähle? (?:die )?zeilen (?:in|von) <a>",
            r"wie viele zeilen hat <a>",
            r"(?:统计|数一?下?)\s*<a>\s*(?:的行数|有多少行)",
            r"<a>\s*有(?:多少|几)行",
        ),
    ),
    Rule(
        lambda said: f"wc -w < {said.path('a')}",
        (
            r"count (?:the )?words (?:in|of) <a>",
            r"how many words (?:are in|does|has|are there in) <a>(?: have)?",
            r"zähle? (?:die )?wörter (?:in|von) <a>",
            r"wie viele wörter hat <a>",
            r"统计\s*<a>\s*的(?:字数|词数)",
        ),
    ),
    Rule(
        lambda said: f"find {said.path('where')} -maxdepth 1 -type f | wc -l",
        (
            r"(?:count|how many) (?:the )?files(?: are)?(?: there)?(?: in(?:side)? (?:the )?(?:folder )?<where>)?",
            r"zähle? (?:die )?dateien(?: (?:in|im)(?: ordner)? <where>)?",
            r"wie viele dateien (?:sind|gibt es)(?: (?:in|im)(?: ordner)? <where>)?",
            r"(?:统计|数一?下?)\s*<where>\s*(?:中|里)?的?文件(?:数量?|个数)",
            r"<where>\s*(?:中|里面?)有多少个?文件",
        ),
    ),
    Rule(
        _lines,
        (
            r"(?:show|print|read|display) (?:me )?(?:the )?(?P<end>first|last) <n> lines (?:of|in) <a>",
            r"zeige? (?:mir )?(?:die )?(?P<end>ersten|letzten) <n> zeilen (?:von|aus|in) <a>",
            r"(?:显示|查看)\s*<a>\s*的?(?P<end>前|后|最后)\s*<n>\s*行",
        ),
    ),
    Rule(
        lambda _: "pwd",
        (
            r"(?:show|print|tell me) (?:me )?(?:the )?(?:working|current) (?:folder|directory)|where am i",
            r"zeige? (?:mir )?(?:den |das )?(?:aktuellen? )?(?:arbeitsordner|arbeitsverzeichnis)|wo bin ich",
            r"显示(?:当前|工作)目录|我在哪里?",
        ),
    ),
    Rule(
        lambda _: "df -h",
        (
            r"(?:show|how much) (?:me )?(?:the )?(?:free )?(?:disk )?space(?: is (?:free|left))?",
            r"(?:zeige? (?:den )?freien? speicherplatz|wie ?viel (?:speicher)?platz ist frei)",
            r"(?:显示|查看)?(?:磁盘|剩余)空间",
        ),
    ),
    Rule(
        lambda said: f"du -sh -- {said.path('a')}",
        (
            r"(?:how (?:big|large) is|(?:show|measure) (?:me )?the size of) (?:the )?(?:folder |file )?<a>",
            r"wie groß ist (?:der ordner |die datei )?<a>",
            r"zeige? die größe von <a>",
            r"<a>\s*(?:有多大|的大小)",
        ),
    ),
    Rule(
        lambda said: f"ls -la -- {said.path('where')}" if said.has("all") else f"ls -l -- {said.path('where')}",
        (
            rf"(?:list|show)(?: me)? (?P<all>hidden )?{_FILES_EN}(?: (?:in|of|inside) (?:the )?(?:folder )?<where>)?",
            r"(?:what is in|what's in|list) (?:the )?(?:folder |directory )?<where>",
            rf"(?:liste|zeige?)(?: mir)? {_FILES_DE}(?: (?:in|von|im)(?: ordner)? <where>)?(?: auf| an)?",
            r"was ist (?:in|im)(?: ordner)? <where>",
            r"(?:列出|显示|查看)\s*<where>\s*(?:中|里面?|下)的?(?:所有|全部)?(?:文件|内容)",
            r"(?:列出|显示|查看)(?:所有|全部)?(?:文件|目录)",
        ),
    ),
    Rule(
        _found,
        (
            rf"{_FIND} (?:all )?(?:the )?files (?:named|called) <name>{_UNDER}",
            rf"{_FIND} (?:all )?(?:the )?files (?:larger|bigger) than (?P<n>\d+) ?(?P<unit>[kmg]b?){_UNDER}",
            rf"{_FIND} (?:all )?(?:the )?files (?:that contain|containing|with) <text>{_UNDER}",
            rf"{_FIND} (?:all )?(?:the )?(?P<kind>\.?\w+) files{_UNDER}",
            rf"{_FIND} (?:the )?(?:file )?<name>{_UNDER}",
            rf"{_FINDE} (?:alle )?(?:die )?dateien (?:namens|mit namen?) <name>{_UNTER}",
            rf"{_FINDE} (?:alle )?(?:die )?dateien (?:größer als|über) (?P<n>\d+) ?(?P<unit>[kmg]b?){_UNTER}",
            rf"{_FINDE} (?:alle )?(?:die )?dateien,? (?:die|mit dem text|mit) <text>(?: enthalten)?{_UNTER}",
            rf"{_FINDE} (?:alle )?(?:die )?(?P<kind>\.?\w+)-dateien{_UNTER}",
            rf"{_FINDE} (?:nach )?(?:die datei )?<name>{_UNTER}",
            r"在\s*<where>\s*(?:中|里|下)(?:查找|寻找|搜索)\s*(?:名为)?<name>(?:的文件)?",
            r"(?:查找|寻找|搜索)包含\s*<text>\s*的文件",
            r"(?:查找|寻找|搜索)(?:所有)?(?:名为)?\s*<name>\s*(?:的文件)?",
        ),
    ),
    Rule(
        _placed("cp"),
        (
            r"copy (?:the )?(?:files? |folder )?<a> (?:to|into|as) (?:the )?(?:folder |file )?<b>",
            r"kopiere? (?:die datei |den ordner )?<a> (?:nach|in|als) (?:den ordner )?<b>",
            r"(?:把|将)?\s*<a>\s*(?:复制|拷贝)(?:到|为|成)\s*<b>",
            r"(?:复制|拷贝)\s*<a>\s*(?:到|为|成)\s*<b>",
        ),
    ),
    Rule(
        _placed("mv"),
        (
            r"(?:move|rename) (?:the )?(?:files? |folder )?<a> (?:to|into|as) (?:the )?(?:folder |file )?<b>",
            r"verschiebe? (?:die datei |den ordner )?<a> (?:nach|in) (?:den ordner )?<b>",
            r"benenne? (?:die datei |den ordner )?<a> (?:in|zu) <b>(?: um)?",
            r"(?:把|将)?\s*<a>\s*(?:移动|移|重命名|改名)(?:到|为|成)\s*<b>",
            r"(?:移动|重命名)\s*<a>\s*(?:到|为|成)\s*<b>",
        ),
    ),
    Rule(
        _archived,
        (
            r"(?:archive|compress|pack|zip) (?:the )?(?:files? |folder )?<a>(?: (?:to|into|as) <b>)?",
            r"(?:archiviere?|packe?|komprimiere?) (?:die datei |den ordner )?<a>(?: (?:als|in|nach) <b>)?",
            r"(?:把|将)\s*<a>\s*(?:打包|压缩)(?:(?:到|为|成)\s*<b>)?",
            r"(?:打包|压缩)\s*<a>(?:\s*(?:到|为|成)\s*<b>)?",
        ),
    ),
    Rule(
        lambda said: f"tar -x -k -f {said.path('a')} -C {said.path('b')}",
        (
            r"(?:extract|unpack|unzip) (?:the )?(?:archive )?<a>(?: (?:to|into) <b>)?",
            r"entpacke? (?:das archiv )?<a>(?: (?:nach|in) <b>)?",
            r"(?:把|将)?\s*<a>\s*解压(?:到\s*<b>)?",
            r"解压\s*<a>",
        ),
    ),
    Rule(
        lambda said: f"mkdir -p -- {said.path('a')}",
        (
            r"(?:create|make) (?:a |the )?(?:new )?(?:folder|directory) (?:called |named )?<a>",
            r"(?:erstelle?|lege?) (?:einen |den )?(?:neuen )?(?:ordner|verzeichnis) (?:namens )?<a>(?: an)?",
            r"(?:创建|新建|建立)(?:一个)?(?:文件夹|目录)\s*<a>",
            r"(?:创建|新建|建立)(?:一个)?(?:名为)?\s*<a>\s*的?(?:文件夹|目录)",
        ),
    ),
    Rule(
        lambda said: f"touch -- {said.path('a')}",
        (
            r"(?:create|make) (?:an? |the )?(?:new )?(?:empty )?file (?:called |named )?<a>",
            r"(?:erstelle?|lege?) (?:eine |die )?(?:neue )?(?:leere )?datei (?:namens )?<a>(?: an)?",
            r"(?:创建|新建)(?:空)?文件\s*<a>",
        ),
    ),
    Rule(
        lambda said: f"rm -r -- {said.path('a')}" if said.has("folder") else f"rm -- {said.path('a')}",
        (
            r"(?:delete|remove) (?:the )?(?:file |(?P<folder>folder |directory ))?<a>",
            r"lösche? (?:die datei |(?P<folder>den ordner ))?<a>",
            r"删除(?:文件(?!夹)|(?P<folder>文件夹|目录))?\s*<a>",
        ),
    ),
    Rule(
        lambda said: f"sudo -n apt-get install -y -- {said.text('a')}",
        (
            r"install (?:the )?(?:package |program )?<a>",
            r"installiere? (?:das paket |das programm )?<a>",
            r"安装(?:软件包?|程序)?\s*<a>",
        ),
    ),
    Rule(
        lambda said: f"cat -- {said.path('a')}",
        (
            r"(?:show|print|read|display|open) (?:me )?(?:the )?(?:contents? of )?(?:the )?(?:file )?<a>",
            r"(?:zeige?|lies) (?:mir )?(?:den inhalt (?:von|der datei) )?(?:die datei )?<a>(?: an)?",
            r"(?:显示|查看|读取)(?:文件)?\s*<a>\s*(?:的内容)?",
        ),
    ),
)
"""What can be asked for, in the order it is tried."""


@cache
def _patterns() -> list[tuple[Rule, re.Pattern[str]]]:
    return [(rule, _pattern(say)) for rule in RULES for say in rule.says]


def _pattern(say: str) -> re.Pattern[str]:
    number = re.sub(r"(?<!\?P)<n>", r"(?P<n>\\d{1,6})", say)
    slotted = re.sub(r"(?<!\?P)<(\w+)>", lambda slot: f"(?P<{slot[1]}>{_VALUE})", number)
    return re.compile(f"(?:{slotted}){_END}", re.IGNORECASE)
