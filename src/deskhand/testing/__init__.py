"""Public doubles: a model, a service, a user and a device for tests of what is built on deskhand."""

from deskhand.testing.desk import PaperDesk
from deskhand.testing.scripted import ScriptedModel, ScriptedUser
from deskhand.testing.server import ScriptedServer

__all__ = ["PaperDesk", "ScriptedModel", "ScriptedServer", "ScriptedUser"]
