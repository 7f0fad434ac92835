"""Public doubles: a model, a user and a device for tests of what is built on deskhand."""

from deskhand.testing.desk import PaperDesk
from deskhand.testing.scripted import ScriptedModel, ScriptedUser

__all__ = ["PaperDesk", "ScriptedModel", "ScriptedUser"]
