"""What a command would do, judged on how it is read and not on how it looks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from deskhand.core.shell import Folders
from deskhand.processors import commands_programs as known
from deskhand.processors.commands_git import against_git
from deskhand.processors.commands_options import has_option, is_attached, name_of, operands_of, unknown, values_of
from deskhand.processors.commands_paths import Place, is_for_keys, is_harmless_device
from deskhand.processors.commands_scripts import EDITORS, only_prints
from deskhand.processors.commands_syntax import Redirection, Simple, read_script
from deskhand.processors.commands_words import NotUnderstood, Word

CATASTROPHIC = "destroying the system, or all that is in a home"
"""What is not done whoever agrees."""
UNKNOWN = "a program of which it is not known what it does"
OUTSIDE = "writing outside of the folder"
_DEPTH = 6


def reasons_against(command: str, folders: Folders | None, *, replaces: bool = False) -> set[str]:
    """Say what speaks against running a command without asking; nothing when it only reads, or makes what is new.

    `folders` says where it would run; None when nobody knows. `replaces` says that `>` replaces files, as it does
    everywhere but in the device's own shell.
    """
    return _Judge(Place(folders), replaces).script(command)


def is_one(command: str) -> bool:
    """Tell whether this is one command with nothing strung to it, within it or behind it."""
    try:
        script = read_script(command)
    except NotUnderstood:
        return False
    return len(script.commands) == 1 and not script.functions and not script.commands[0].redirections


class _Judge:
    def __init__(self, place: Place, replaces: bool, depth: int = 0) -> None:
        self.place = place
        self.replaces = replaces
        self.depth = depth
        self.found: set[str] = set()
        self.functions: set[str] = set()

    def script(self, text: str) -> set[str]:
        try:
            script = read_script(text)
        except NotUnderstood as problem:
            return {f"a command that cannot be understood: {problem}"}
        self._functions(script.functions, text)
        before = None
        # What stands first may run again in a place that what stands last has gone to.
        while before != (before := (frozenset(self.place.working), self.place.linked)):
            for command in script.commands:
                self._simple(command)
            if not script.repeats:
                break
        return self.found

    def _functions(self, names: set[str], text: str) -> None:
        """Judge the making of functions: one that takes a program's name, or that calls itself side by side."""
        for name in names:
            if not re.fullmatch(r"[A-Za-z_]\w*", name) and not re.search(rf"{re.escape(name)}\s*[|&]", text):
                self.found.add("a function with a strange name")
            if re.search(rf"(?<!\w){re.escape(name)}\s*\|\s*{re.escape(name)}(?!\w)", text):
                self.found.add(CATASTROPHIC)
            if name in _EVERY_NAME:
                self.found.add("giving a known command another meaning")
        self.functions = names - _EVERY_NAME

    def _simple(self, command: Simple) -> None:
        for name, value in command.variables:
            self._variable(name, value, handed=bool(command.words))
        for redirection in command.redirections:
            self._redirection(redirection)
        if command.words:
            self.run(command.words)

    def _variable(self, name: str, value: Word, *, handed: bool) -> None:
        safe = known.SAFE_VARIABLES.fullmatch(name)
        if known.LOADED_VARIABLES.fullmatch(name) or (handed and not safe):
            self.found.add(f"setting {name}, which programs go by")
        if "$(" in value.text or "`" in value.text:
            self.found.add("keeping a command in a variable")
        self._reads([value])

    def _redirection(self, redirection: Redirection) -> None:
        target, operator = redirection.target, redirection.operator
        if operator in (">&", "<&") and re.fullmatch(r"\d+-?|-", target.text) and target.whole:
            return
        if target.text.startswith(("/dev/tcp/", "/dev/udp/")) or (not target.start and not target.whole):
            self.found.add("network" if target.text.startswith("/dev/") else OUTSIDE)
        elif operator == "<":
            self._reads([target])
        elif is_harmless_device(target):
            return
        else:
            self._writes(target, replaces=operator in (">|", "<>") or (self.replaces and operator not in (">>", "&>>")))

    def _writes(self, target: Word, *, replaces: bool) -> None:
        if re.match(r"/dev/(sd|nvme|vd|hd|mmcblk|disk|mapper|mem|kmem)|/proc/sys", target.text):
            self.found.add(CATASTROPHIC)
        if not self.place.inside(target):
            self.found.add(OUTSIDE)
        if replaces:
            self.found.add("replacing a file")

    def _reads(self, words: Sequence[Word]) -> None:
        if any(is_for_keys(word, self.place) for word in words):
            self.found.add("reading keys or passwords")

    def run(self, words: Sequence[Word]) -> None:
        """Judge a program with its arguments."""
        name, arguments = words[0], words[1:]
        program = name_of(name)
        if program == "":
            self.found.add(
                "a program that is not the system's" if name.whole else "a program that is only known when it runs"
            )
            self._reads(arguments)
            return
        self._reads(arguments)
        if program in self.functions:
            return
        judge = next((judge for names, judge in _JUDGES if program in names), None)
        if judge is not None:
            judge(self, program, arguments)
        elif known.FORMATTING.fullmatch(program):
            self.found.add(CATASTROPHIC)
        else:
            self.found.add(UNKNOWN)

    # Each of the following judges programs of one kind by their arguments.

    def reading(self, program: str, arguments: Sequence[Word]) -> None:
        risky = known.READING_BUT.get(program, frozenset())
        arguments = arguments[:1] if program == "printf" else arguments  # all behind the format is text
        # Of `less` a plus begins a command, and `date` sets the clock to what is all digits.
        ordered = {"less": r"\+.*", "date": r"[0-9.]+"}.get(program, "")
        if risky and (has_option(arguments, risky) or any(re.fullmatch(ordered, w.text, re.S) for w in arguments)):
            self.found.add(f"an option of {program} that writes or runs something")

    def counted_reading(self, program: str, arguments: Sequence[Word]) -> None:
        """Judge what writes to its second operand, if there is one."""
        operands = [word for word in arguments if not word.start.startswith("-")]
        if program == "hostname" and has_option(arguments, frozenset({"-F", "--file", "-b", "--boot"})):
            self.found.add("privilege")
        if len(operands) > (0 if program == "hostname" else 1) or any(not word.whole for word in arguments):
            self.found.add("replacing a file" if program != "hostname" else "privilege")

    def moving(self, program: str, arguments: Sequence[Word]) -> None:
        self.place.go(arguments[0] if len(arguments) == 1 and program == "cd" else None)

    def making(self, program: str, arguments: Sequence[Word]) -> None:
        known_to_be = all(word.whole for word in arguments)
        if not known_to_be or not all(self.place.inside(word) for word in operands_of(arguments, "m")):
            self.found.add(OUTSIDE)

    def placing(self, program: str, arguments: Sequence[Word]) -> None:
        keeps = any(known.KEEPING_OPTIONS.fullmatch(word.text) for word in arguments) or program == "ln"
        if not keeps or has_option(arguments, frozenset({"-f", "--force", "--remove-destination"})):
            self.found.add("replacing a file")
        if any(word.start.startswith("-") and not known.PLACING_OPTIONS.fullmatch(word.text) for word in arguments):
            self.found.add(f"an option of {program} that is not known")
        operands = operands_of(arguments, "t")
        targets = values_of(arguments, "-t", "--target-directory")
        sources = operands if targets or len(operands) < 2 else operands[:-1]
        targets = targets or (operands[-1:] if len(operands) > 1 else [Word(".")])
        known_to_be = all(self.place.inside(word) for word in sources)
        upwards = program == "ln" and any(".." in word.text.split("/") for word in sources)
        taken = all(self.place.takes(word, sources) for word in targets)
        if not taken or upwards or (program != "cp" and not known_to_be):
            self.found.add(OUTSIDE)
        self.place.linked |= program == "cp" and not known_to_be and has_option(arguments, known.KEEPING_LINKS)
        if program == "mv" and any(self.place.is_top(word) for word in operands[:-1]):
            self.found.add(CATASTROPHIC)

    def deleting(self, program: str, arguments: Sequence[Word]) -> None:
        self.found.add("deleting")
        operands = operands_of(arguments, "")
        if any(self.place.is_top(word) for word in operands) and program != "rmdir":
            self.found.add(CATASTROPHIC)
        if any(re.match(r"/dev/(sd|nvme|vd|hd|mmcblk|disk|mapper)", word.text) for word in operands):
            self.found.add(CATASTROPHIC)
        if not all(self.place.inside(word) for word in operands):
            self.found.add(OUTSIDE)

    def overwriting(self, program: str, arguments: Sequence[Word]) -> None:
        self.found.add("replacing a file")
        for word in arguments:
            if re.match(r"(of=)?/dev/(sd|nvme|vd|hd|mmcblk|disk|mapper)", word.text):
                self.found.add(CATASTROPHIC)

    def permitting(self, program: str, arguments: Sequence[Word]) -> None:
        self.found.add("changing permissions or owners")
        deep = has_option(arguments, frozenset({"-R", "--recursive"}))
        if deep and any(self.place.is_top(word) for word in arguments[1:]):
            self.found.add(CATASTROPHIC)

    def writing(self, program: str, arguments: Sequence[Word]) -> None:
        """Judge tee: what it writes to are its operands."""
        adds = any(word.whole and word.text in ("-a", "--append") for word in arguments)
        for word in operands_of(arguments, ""):
            if not is_harmless_device(word):
                self._writes(word, replaces=not adds)

    def editing(self, program: str, arguments: Sequence[Word]) -> None:
        """Judge sed and awk, whose scripts can write and run."""
        if not only_prints(program, arguments):
            self.found.add("running code, or replacing a file")

    def finding(self, program: str, arguments: Sequence[Word]) -> None:
        for at, word in enumerate(arguments):
            if word.text in ("-exec", "-execdir", "-ok", "-okdir"):
                place = self.place if word.text in ("-exec", "-ok") else Place(None)  # wherever it has found something
                inner = list(arguments[at + 1 :])
                end = next((i for i, each in enumerate(inner) if each.text in (";", "+")), len(inner))
                inner = [unknown() if "{}" in each.text else each for each in inner[:end]]
                self.inner(inner, place)
            elif word.text == "-delete":
                self.found.add("deleting")
                if any(self.place.is_top(each) for each in arguments[:1]):
                    self.found.add(CATASTROPHIC)
            elif word.text.startswith(("-fprint", "-fls")):
                self.found.add("replacing a file")
            elif not word.sure:
                self.found.add("an option that is only known when it runs")

    def packing(self, program: str, arguments: Sequence[Word]) -> None:
        """Judge tar: what it lists, or packs to its output, changes nothing."""
        words = [word.text for word in arguments]
        mode = words[0].lstrip("-") if words else ""
        packs = re.fullmatch(r"c[zjJv]*", mode) is not None and words[1:3] == ["-f", "-"]
        lists = re.fullmatch(r"t[zjJv]*f?", mode) is not None or mode in ("list", "tf", "tvf", "tzf")
        more = arguments[3:] if packs else arguments[1:]
        odd = any(word.start.startswith("-") and word.text not in ("--", "-v", "-f", "-C") for word in more)
        if any(":" in word for word in words):
            self.found.add("network")
        if not (packs or lists) or odd or any(not word.sure for word in more if "--" not in words):
            self.found.add("replacing a file")

    def git(self, program: str, arguments: Sequence[Word]) -> None:
        self.found |= against_git(arguments)

    def installing(self, program: str, arguments: Sequence[Word]) -> None:
        reads = known.INSTALLING[program]
        first = next((word for word in arguments if word.text in reads or not word.start.startswith("-")), None)
        if first is None or first.text not in reads:
            self.found.add("installing or removing software")

    def setting(self, program: str, arguments: Sequence[Word]) -> None:
        handed = program == "export" or has_option(arguments, frozenset({"-x"}))
        for word in arguments:
            name, sign, value = word.start.partition("=")
            if (not word.whole and not sign) or re.match(r"-\w*[inAa]", name) or "[" in name:
                self.found.add("setting variables in a way that is not read")
            elif not name.startswith("-"):
                self._variable(name.rstrip("+"), Word(value, word.whole), handed=handed)

    def options(self, program: str, arguments: Sequence[Word]) -> None:
        """Judge set: what makes a script strict is fine."""
        if not all(word.whole and word.text in _STRICT for word in arguments):
            self.found.add("changing how the shell works")

    def asking(self, program: str, arguments: Sequence[Word]) -> None:
        """Judge read and getopts: they set the variables they name."""
        if program in ("mapfile", "readarray") and has_option(arguments, frozenset({"-C"})):
            self.found.add("running code")
        for word in arguments:
            if not re.fullmatch(r"-\w+|[A-Za-z_]\w*|\d+|", word.text) or not word.whole:
                self.found.add("setting variables in a way that is not read")
            elif known.LOADED_VARIABLES.fullmatch(word.text):
                self.found.add(f"setting {word.text}, which programs go by")

    def testing(self, program: str, arguments: Sequence[Word]) -> None:
        """Judge what may evaluate a name as arithmetic, in which a value may hold a command."""
        texts = [word.text for word in arguments if word.text != "]"]
        unclear = len(texts) == 2 and not arguments[0].whole and not arguments[0].start
        split = any(word.splits and not _NUMBERS.issuperset(word.variables or ("",)) for word in arguments)
        if unclear or split or any(text in ("-v", "-R") or "$(" in text or "`" in text for text in texts):
            self.found.add("a test that calculates")

    def asked(self, program: str, arguments: Sequence[Word]) -> None:
        self.found.add(_ALWAYS[program])
        if program in known.KILLING and any(word.text == "-1" for word in arguments[1:]):
            self.found.add(CATASTROPHIC)

    def code(self, program: str, arguments: Sequence[Word]) -> None:
        """Judge what runs code; a shell's command that stands there is judged itself, besides."""
        if program == "eval" and arguments and all(word.whole for word in arguments):
            self._inner_script(" ".join(word.text for word in arguments), replaces=self.replaces)
            return
        at = next((i for i, word in enumerate(arguments) if re.fullmatch(r"-[a-z]*c", word.text)), -1)
        plain = all(re.fullmatch(r"-[ceux]+", word.text) for word in arguments[: at + 1])
        given = arguments[at + 1] if 0 <= at < len(arguments) - 1 else None
        if program in known.SHELLS and given is not None and given.whole and plain:
            self._inner_script(given.text, replaces=True)
        else:
            self.found.add("running code")

    def wrapping(self, program: str, arguments: Sequence[Word]) -> None:
        """Judge what a program runs that runs another."""
        if program in ("sudo", "doas"):
            self.found.add("privilege")
        if program == "command" and [word.text for word in arguments[:1]] in (["-v"], ["-V"]):
            return
        rest = self._past_options(program, list(arguments))
        if program == "timeout" and rest:
            rest = rest[1:]
        if program == "xargs" and rest:
            rest = [*rest, unknown()]
        if rest:
            self.inner(rest)

    def _past_options(self, program: str, rest: list[Word]) -> list[Word]:
        valued = known.WRAPPERS[program]
        while rest:
            word = rest[0]
            assigned = program == "env" and re.match(r"[A-Za-z_]\w*=", word.start)
            if assigned:
                name, _, value = word.text.partition("=")
                self._variable(name, Word(value, word.whole), handed=True)
                rest = rest[1:]
            elif word.text == "--":
                return rest[1:]
            elif not word.start.startswith("-") or word.text == "-":
                return rest
            elif word.text in valued and word.whole:
                rest = rest[2:]
            elif word.whole and (
                word.text in known.PASSED_OPTIONS or any(is_attached(word, option) for option in valued)
            ):
                rest = rest[1:]
            else:
                self.found.add(f"an option of {program} that is not known")
                rest = rest[1:]
        return rest

    def inner(self, words: Sequence[Word], place: Place | None = None) -> None:
        if self.depth >= _DEPTH or not words:
            self.found.add(UNKNOWN)
            return
        judge = _Judge(place or self.place, replaces=True, depth=self.depth + 1)
        judge.run(words)
        self.found |= judge.found

    def _inner_script(self, text: str, *, replaces: bool) -> None:
        if self.depth >= _DEPTH:
            self.found.add(UNKNOWN)
            return
        self.found |= _Judge(self.place, replaces, self.depth + 1).script(text)


_NUMBERS = frozenset("?#$!")
"""Variables that hold numbers."""
_STRICT = frozenset(
    {"-e", "-u", "-x", "-o", "pipefail", "-eu", "-ex", "-euo", "-exo", "-euxo", "errexit", "nounset", "+x", "+e"}
)
_ALWAYS: Mapping[str, str] = {
    **dict.fromkeys(known.NETWORK, "network"),
    **dict.fromkeys(known.PRIVILEGE, "privilege"),
    **dict.fromkeys(known.KILLING, "ending processes"),
    **dict.fromkeys(known.SHELL_CHANGING, "changing what later commands mean"),
}
"""Programs that are asked about whatever their arguments."""

_Kind = Callable[[_Judge, str, Sequence[Word]], None]
_JUDGES: tuple[tuple[frozenset[str], _Kind], ...] = (
    (known.READING | known.READING_BUT.keys(), _Judge.reading),
    (frozenset({"uniq", "xxd", "hostname"}), _Judge.counted_reading),
    (frozenset({"cd", "pushd", "popd"}), _Judge.moving),
    (known.MAKING, _Judge.making),
    (known.PLACING, _Judge.placing),
    (known.DELETING, _Judge.deleting),
    (known.OVERWRITING, _Judge.overwriting),
    (known.PERMITTING, _Judge.permitting),
    (frozenset({"tee"}), _Judge.writing),
    (frozenset(EDITORS), _Judge.editing),
    (frozenset({"find"}), _Judge.finding),
    (frozenset({"tar"}), _Judge.packing),
    (frozenset({"git"}), _Judge.git),
    (frozenset(known.INSTALLING), _Judge.installing),
    (known.SETTING, _Judge.setting),
    (frozenset({"set"}), _Judge.options),
    (frozenset({"read", "getopts", "mapfile", "readarray"}), _Judge.asking),
    (frozenset({"[", "test"}), _Judge.testing),
    (frozenset(_ALWAYS), _Judge.asked),
    (frozenset(known.WRAPPERS), _Judge.wrapping),
    (known.CODE, _Judge.code),
)
_EVERY_NAME = frozenset().union(*(names for names, _ in _JUDGES))
