"""The preview of a gesture as a value, which is painted over the graph.

Places are those of the scene and tasks go by number, so that a preview stays right while view or picture change.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtCore import QPointF, QRectF

    from starloom.layout.values import BoolArray
    from starloom_gui.canvas.ports import Port
    from starloom_gui.canvas.snapping import Segment

Offset = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PreviewEdge:
    """A dependency that is being connected.

    Attributes:
        begin: where it begins.
        end: where it ends: the arrow is there.
        sure: whether it would be made if the gesture ended now.
    """

    begin: QPointF
    end: QPointF
    sure: bool


@dataclass(frozen=True, slots=True)
class Caption:
    """A text beside a point of the scene.

    Attributes:
        words: as a sentence.
        at: where.
        wrong: whether it says why something can't be.
    """

    words: str
    at: QPointF
    wrong: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class GesturePreview:
    """The preview of a gesture.

    Attributes:
        line: the dependency that is being drawn.
        target: the task it would lead to or come from.
        open: by number, the tasks that it may lead to or come from; None: none is drawn.
        outgoing: whether those tasks would be its parents.
        port: the port under the pointer.
        edge: parent and child of the dependency that is selected.
        loose: likewise of the one whose end is being moved.
        band: the part of the scene that is being marked.
        marked: the tasks in it.
        moved: by number, how far tasks are moved.
        lines: what they are in line with, see `Snapped`.
        gaps: the equal gaps beside them, likewise.
        note: what is said at the pointer.
    """

    line: PreviewEdge | None = None
    target: int | None = None
    open: BoolArray | None = None
    outgoing: bool = False
    port: Port | None = None
    edge: tuple[int, int] | None = None
    loose: tuple[int, int] | None = None
    band: QRectF | None = None
    marked: tuple[int, ...] = ()
    moved: Mapping[int, Offset] = field(default_factory=dict)
    lines: tuple[Segment, ...] = ()
    gaps: tuple[Segment, ...] = ()
    note: Caption | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is shown."""
        things = (self.line, self.target, self.open, self.port, self.edge, self.loose, self.band, self.note)
        return not self.moved and not self.marked and all(each is None for each in things)


NO_PREVIEW = GesturePreview()
