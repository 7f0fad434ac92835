"""Every error this package raises on purpose, by who can put it right.

DeskhandError
├── SettingsError        the operator: settings, specs, arguments
├── ContractError        the developer: strategies, states, keys that do not fit together
├── DeviceError          the operator: the device cannot do its work
│   ├── DeviceLost       ... any more
│   └── Unsupported      ... and never will
├── ModelError           the operator: the model service gives no answer
│   ├── ModelBusy        ... for now
│   └── ModelRefused     ... to this request
├── JournalError         the operator: a run's folder cannot be read or written
├── LimitReached         the user: a limit of steps, rounds, seconds or money
├── NeedsUser            the user: a question, and nobody there to answer it
├── Stuck                the user: the same again and again, without effect
├── ReplayDiverged       the developer: a replayed session does something else than was recorded
├── WireError            the operator: a remote party breaks the protocol
└── Correctable          the model; its text goes into the next prompt
    ├── UnreadableReply  the reply is not a decision
    ├── TargetNotFound   nothing on the screen fits
    └── ToolFailed       a tool gave an error
"""

from __future__ import annotations


class DeskhandError(Exception):
    """Base of all errors raised on purpose."""


class SettingsError(DeskhandError):
    """A setting, spec or argument is wrong; names the nearest that is right."""


class ContractError(DeskhandError):
    """Parts of the program do not fit together; raised while building where possible."""


class DeviceError(DeskhandError):
    """The device cannot do its work."""


class DeviceLost(DeviceError):
    """The device was there and is gone."""


class Unsupported(DeviceError):
    """This device can never do that; says what to do instead."""


class ModelError(DeskhandError):
    """The model service cannot answer."""


class ModelBusy(ModelError):
    """The model service could not answer in time; later it might."""


class ModelRefused(ModelError):
    """The model service does not take this request."""


class JournalError(DeskhandError):
    """A run's folder cannot be read or written."""


class LimitReached(DeskhandError):
    """A limit set by the user is reached; names it and how to raise it."""


class NeedsUser(DeskhandError):
    """A question is open and nobody is there to answer; the text is the question."""


class Stuck(DeskhandError):
    """The same thing was done again and again, and nothing came of it."""


class ReplayDiverged(DeskhandError):
    """A replayed session no longer does what was recorded."""


class WireError(DeskhandError):
    """A remote party breaks the protocol."""


class Correctable(DeskhandError):
    """The model can put this right; the message tells it what was wrong and what is allowed."""


class UnreadableReply(Correctable):
    """The reply is not a decision in this dialect."""


class TargetNotFound(Correctable):
    """Nothing on the screen fits the description."""


class ToolFailed(Correctable):
    """A tool gave an error."""
