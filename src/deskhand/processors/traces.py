"""What earlier looks and actions tell about the next action: elements that were shown, keys that are held."""

from __future__ import annotations

from deskhand.core.action import Action, ActionResult, Hotkey, KeyDown, KeyUp, OnElement, Press, target_of
from deskhand.core.observation import Element, Observation

REMEMBERED = 10_000
"""Elements that are kept, the latest; those of a large window, many times."""


class Traces:
    """Completes an action, and what was seen of its surroundings, to what has to be judged."""

    def __init__(self) -> None:
        self._shown: dict[str, Element] = {}
        self._held: list[str] = []

    def saw(self, observation: Observation) -> None:
        """Keep what was shown: an element can be used while another window is looked at."""
        for element in observation.elements:
            self._shown.pop(element.id, None)
            self._shown[element.id] = element
        for old in list(self._shown)[:-REMEMBERED]:
            del self._shown[old]

    def did(self, action: Action, result: ActionResult) -> None:
        """Take note of keys that are held from now on, or no longer."""
        match action:
            case KeyDown(key=key) if result.outcome != "failed":
                self._held.append(key)
            case KeyUp(key=key):
                self._held = [each for each in self._held if each != key]
            case _:
                return

    def with_held(self, action: Action) -> Action:
        """Give the action that an action comes to while keys are held."""
        if not self._held:
            return action
        match action:
            case Press(keys=keys):
                return action.model_copy(update={"keys": tuple("+".join([*self._held, key]) for key in keys)})
            case Hotkey(keys=keys):
                return action.model_copy(update={"keys": (*self._held, *keys)})
            case KeyDown(key=key):
                return action.model_copy(update={"key": "+".join([*self._held, key])})
            case _:
                return action

    def around(self, action: Action, seen: Observation | None) -> Observation | None:
        """Give what was seen, together with the element an action is aimed at when that was shown before."""
        target = target_of(action)
        if seen is None or not isinstance(target, OnElement) or seen.element(target.id) is not None:
            return seen
        element = self._shown.get(target.id)
        return seen if element is None else seen.model_copy(update={"elements": (*seen.elements, element)})
