"""Public doubles: a model, a service, a user and a device for tests of what is built on deskhand.

`check_device`, `check_model` and `check_dialect` hold what somebody else implements against what its socket says.
"""

from deskhand.testing.conformance import check_device, check_dialect, check_model
from deskhand.testing.desk import PaperDesk
from deskhand.testing.scripted import ScriptedModel, ScriptedUser
from deskhand.testing.server import ScriptedServer

__all__ = [
    "PaperDesk",
    "ScriptedModel",
    "ScriptedServer",
    "ScriptedUser",
    "check_device",
    "check_dialect",
    "check_model",
]
