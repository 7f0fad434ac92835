"""A model without a language model: scripted English, grounded by names on what the screen shows."""

from deskhand.models.literal.explain import explain
from deskhand.models.literal.model import LiteralModel

__all__ = ["LiteralModel", "explain"]
