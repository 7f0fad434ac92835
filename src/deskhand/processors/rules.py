"""Rules of the policy gate: what a user writes, and those that hold without."""

from __future__ import annotations

import re
from typing import Literal, get_args

from pydantic import field_validator

from deskhand.core.action import Action
from deskhand.core.nearest import hint
from deskhand.core.value import Value

Verdict = Literal["allow", "ask", "deny"]
KINDS: tuple[str, ...] = tuple(member.model_fields["kind"].default for member in get_args(get_args(Action)[0]))
"""What actions are called."""


class Rule(Value):
    """Fits an action when every condition that is given fits. Patterns are searched without regard to case."""

    name: str
    verdict: Verdict
    action: tuple[str, ...] = ()
    """Kinds of action, such as `click` or `write`; any when empty."""
    application: str = ""
    """A pattern for the application's name or the window's title."""
    role: tuple[str, ...] = ()
    """Roles of the element."""
    text: str = ""
    """A pattern for the element's name, for text that is typed, and for what is opened or called."""
    path: str = ""
    """A glob for a path in the text that is typed."""
    keys: str = ""
    """A chord, such as `ctrl+q` or `delete`."""

    @field_validator("application", "text")
    @classmethod
    def _is_pattern(cls, pattern: str) -> str:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"{pattern!r} is no pattern: {error}") from error
        return pattern

    @field_validator("action")
    @classmethod
    def _are_kinds(cls, kinds: tuple[str, ...]) -> tuple[str, ...]:
        """See that a rule fits something: a deny that is misspelt would deny nothing."""
        for kind in kinds:
            if kind not in KINDS:
                raise ValueError(f"there is no action {kind!r}; {hint(kind, KINDS)}")
        return kinds


_CONTROLS = ("button", "menuitem", "link", "img", "label", "listitem", "option")


def _words(*words: str) -> str:
    return r"(?<!\w)(" + "|".join(words) + r")(?!\w)"


BUILT_IN: tuple[Rule, ...] = (
    Rule(
        name="deleting",
        verdict="ask",
        role=_CONTROLS,
        text=_words(
            "delete",
            "remove",
            "erase",
            "discard",
            "wipe",
            "move to trash",
            "empty trash",
            "move to (?:the )?(?:recycle )?bin",
            "empty (?:the )?(?:recycle )?bin",
            "move to wastebasket",
            "trash",
            "shred",
            "format",
            "löschen",
            "entfernen",
            "verwerfen",
            "supprimer",
            "effacer",
            "eliminar",
            "borrar",
        )
        + "|删除|移除|清空|丢弃",
    ),
    Rule(name="deleting", verdict="ask", keys="delete", application=r"thunar|nautilus|files|nemo|caja|dolphin|pcmanfm"),
    Rule(name="deleting", verdict="ask", keys="shift+delete"),
    Rule(
        name="sending",
        verdict="ask",
        role=_CONTROLS,
        text=_words(
            "send",
            "send now",
            "publish",
            "post",
            "submit",
            "reply all",
            "senden",
            "abschicken",
            "veröffentlichen",
            "envoyer",
            "publier",
            "enviar",
            "publicar",
        )
        + "|发送|发布|提交",
    ),
    Rule(name="sending", verdict="ask", keys="ctrl+return", application=r"mail|thunderbird|evolution|geary|outlook"),
    Rule(
        name="paying",
        verdict="ask",
        role=_CONTROLS,
        text=_words(
            "pay",
            "pay now",
            "buy",
            "buy now",
            "purchase",
            "place order",
            "order now",
            "check ?out",
            "donate",
            "subscribe",
            "bezahlen",
            "kaufen",
            "zahlungspflichtig bestellen",
            "payer",
            "acheter",
            "pagar",
            "comprar",
        )
        + "|支付|付款|购买|下单",
    ),
    Rule(
        name="installing",
        verdict="ask",
        role=_CONTROLS,
        text=_words(
            "install",
            "uninstall",
            "install now",
            "upgrade",
            "installieren",
            "deinstallieren",
            "installer",
            "désinstaller",
            "instalar",
            "desinstalar",
        )
        + "|安装|卸载",
    ),
    Rule(
        name="replacing a file",
        verdict="ask",
        role=_CONTROLS,
        text=_words(
            "replace", "overwrite", "ersetzen", "überschreiben", "remplacer", "écraser", "reemplazar", "sobrescribir"
        )
        + "|替换|覆盖",
    ),
    Rule(
        name="typing into a password field",
        verdict="ask",
        action=("write", "press", "keyDown", "set_value"),
        role=("password",),
    ),
    Rule(name="pasting into a password field", verdict="ask", keys="ctrl+v", role=("password",)),
    Rule(name="pasting into a password field", verdict="ask", keys="shift+insert", role=("password",)),
)
"""What needs leave unless a rule of the user's says otherwise."""


class PolicySettings(Value):
    """The user's rules, tried in order before the built-in ones."""

    rules: tuple[Rule, ...] = ()
