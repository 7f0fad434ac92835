"""Devices around devices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

from deskhand.core.action import Action, ActionResult, RunCommand, SetValue, Write
from deskhand.core.observation import ACTIVE_WINDOW, Look, Observation, Subject
from deskhand.core.ports import Device
from deskhand.core.secret import PLACEHOLDER, Secrets
from deskhand.devices.shell.secrets import with_secrets


@runtime_checkable
class DrawsText(Protocol):
    """A device whose pictures are drawn from text by itself, so that they can be without secrets, too."""

    def draw_masked(self, mask: Callable[[str], str]) -> None: ...


class SecretsDevice:
    """Types secrets where their placeholders stand, and masks them in all that it shows and says.

    The innermost of all wrappers: above it nothing holds a secret's value.
    """

    def __init__(self, device: Device, secrets: Secrets) -> None:
        self._device = device
        self._secrets = secrets
        if isinstance(device, DrawsText):
            device.draw_masked(secrets.mask)

    @property
    def name(self) -> str:
        return self._device.name

    async def observe(self, subject: Subject = ACTIVE_WINDOW) -> Look:
        observation, pictures = await self._device.observe(subject)
        return Look(self._masked(observation), pictures)

    async def perform(self, action: Action, window: str = "") -> ActionResult:
        """Do an action with its secrets in place.

        Raises:
            TargetNotFound: it names a secret that there is not; nothing was typed.
            DeviceError: as the device does.
        """
        match action:
            case Write():
                action = action.model_copy(update={"message": self._secrets.expand(action.message)})
            case SetValue():
                action = action.model_copy(update={"value": self._secrets.expand(action.value)})
            case RunCommand():
                action = action.model_copy(update={"command": with_secrets(action.command, self._secrets)})
            case _ if PLACEHOLDER.search(action.model_dump_json()):
                return ActionResult(
                    outcome="failed", text="only write, set_value and run_command take secrets; nothing was done"
                )
            case _:
                pass
        result = await self._device.perform(action, window)
        texts = {name: self._secrets.mask(getattr(result, name)) for name in ("text", "value", "receiver")}
        return result.model_copy(update=texts)

    def _masked(self, observation: Observation) -> Observation:
        if not self._secrets:
            return observation
        changes: dict[str, Any] = {
            "elements": tuple(
                e.model_copy(update={"name": self._secrets.mask(e.name), "value": self._secrets.mask(e.value)})
                for e in observation.elements
            ),
            "applications": tuple(
                a.model_copy(update={"id": self._secrets.mask(a.id), "name": self._secrets.mask(a.name)})
                for a in observation.applications
            ),
            "windows": tuple(w.model_copy(update={"title": self._secrets.mask(w.title)}) for w in observation.windows),
        }
        return observation.model_copy(update=changes)
