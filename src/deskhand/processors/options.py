"""What can be set about the places that models point at."""

from __future__ import annotations

from pydantic import Field

from deskhand.core.value import Value


class GroundingOptions(Value):
    """What is done for small targets, in pixels of the screen; 0 for nothing."""

    snap: int = Field(default=0, ge=0, le=100)
    """A click at a point where nothing takes clicks goes to the nearest control within so many pixels, if it may be
    clicked without asking; result and journal say so."""
    zoom: int = Field(default=0, ge=0)
    """A grounding model is asked again on an enlarged part of the picture around its point, where that is on no control
    known to be larger."""
