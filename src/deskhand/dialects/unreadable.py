"""Replies that cannot be read, each with the kind of what is wrong with it."""

from __future__ import annotations

from deskhand.core.errors import UnreadableReply


class Unreadable(UnreadableReply):
    """A reply that cannot be read; the message is for the model.

    `code` is the kind of fault: empty_response, no_action, no_instruction, no_point, syntax_error, non_literal,
    unknown_action, unknown_param, duplicate_param, missing_param, type_error, out_of_range, or invalid_NAME for a
    parameter whose values are words of a closed list (invalid_key, invalid_button, invalid_status, ...).
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class CutOff(Unreadable):
    """A reply that breaks off in the middle of something; nobody knows how it goes on."""

    def __init__(self, message: str) -> None:
        super().__init__("syntax_error", message)
