"""What every gesture is: it is made by a press, follows the pointer, and ends by a release or by being given up.

And what gestures act on: a canvas on which they sketch what would come of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtCore import QPoint, QPointF, QRectF

    from starloom.layout.values import BoolArray
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.canvas.sketch import Sketch


class Gesture(Protocol):
    """One gesture from press to release; positions are those of the viewport, in logical pixels."""

    @property
    def scrolls(self) -> bool:
        """Whether the view scrolls for it now where the pointer is at its border."""

    def move(self, at: QPoint) -> None:
        """Follow the pointer; also said again when the view has moved under it."""

    def release(self, at: QPoint) -> None:
        """End, and do what was meant."""

    def cancel(self) -> None:
        """End, and leave everything as it was before the press where that is possible."""

    def renew(self) -> None:
        """Go on with another picture of the same run, which is shown now."""


class Surface(Protocol):
    """A canvas as gestures know it."""

    @property
    def picture(self) -> GraphRenderModel | None:
        """What is shown."""

    @property
    def zoom(self) -> float:
        """Logical pixels for each unit of the scene."""

    @property
    def seen(self) -> QRectF:
        """The part of the scene that is in sight."""

    @property
    def snaps(self) -> bool:
        """Whether nodes that are dragged now stop where they line up with others."""

    def place_of(self, number: int) -> tuple[float, float]:
        """Where a node that is shown stands, or will as soon as the layout has it there."""

    def scene_at(self, at: QPoint) -> QPointF:
        """Which point of the scene is at a place of the viewport."""

    def screen_at(self, at: QPoint) -> QPoint:
        """Which point of the screen is at a place of the viewport."""

    def row_at(self, at: QPoint) -> int | None:
        """The node at a place of the viewport."""

    def target_at(self, at: QPoint, *, outgoing: bool) -> int | None:
        """The node at a place of the viewport, or the one of whose port of that side it is within reach."""

    def show_sketch(self, sketch: Sketch) -> None:
        """Show what would come of the gesture; an empty sketch takes it away."""

    def set_apart(self, apart: BoolArray | None) -> None:
        """Let nodes recede, by row; None: none does for a gesture."""

    def await_edge(self, parent: int, child: int, instead: tuple[int, int] | None) -> None:
        """Go on showing a dependency that was asked for, until there is an answer; `instead` is the one it replaces."""

    def move_tasks(self, moved: Mapping[int, tuple[float, float]], label: str = "", merges: str = "") -> None:
        """Put nodes elsewhere, each by so much of the scene, as one step; there they stay."""
