"""The protocol of the timeline for gestures that move bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from starloom_gui.timeline.gestures import TimelineSurface

if TYPE_CHECKING:
    from starloom_gui.timeline.geometry import Geometry
    from starloom_gui.timeline.model import TimelineModel


class TimelineScene(TimelineSurface, Protocol):
    """The model and the geometry of a timeline, for overlays."""

    @property
    def model(self) -> TimelineModel:
        """The shown model."""

    def geometry_now(self) -> Geometry:
        """The present geometry."""

    def present(self) -> float:
        """The present, in seconds on the engine's clock."""
