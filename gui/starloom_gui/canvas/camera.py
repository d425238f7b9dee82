"""Maps the scene to device pixels, and chooses one of three levels of detail by the scale."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from starloom.layout.values import FloatArray, IntArray

NODE: Final = (192.0, 64.0)
BLOCK: Final = 28.0
SMALLEST_BLOCK: Final = 14.0
FULL_FROM: Final = 0.45
NAMES_FROM: Final = 0.25
NAME_ROOM: Final = 40.0
NAME_GAP: Final = 8.0
SMALLEST_NAME_GAP: Final = 4.0


class Level(IntEnum):
    """A level of detail."""

    FAR = 0
    """A solid block."""
    NAME = 1
    """Block and glyph, and the name while it has 40 pixels."""
    FULL = 2
    """Everything."""


def level_of(scale: float) -> Level:
    """How much of a node there is room for at a scale of logical pixels."""
    return Level.FULL if scale >= FULL_FROM else Level.NAME if scale >= NAMES_FROM else Level.FAR


@dataclass(frozen=True, slots=True)
class Camera:
    """The transformation from the scene to a viewport, in device pixels.

    Attributes:
        scale: logical pixels for each unit of the scene.
        ratio: device pixels for each logical one.
        left: where the origin of the scene is.
        top: likewise.
        width: of the viewport.
        height: likewise.
    """

    scale: float
    ratio: float
    left: float
    top: float
    width: int
    height: int

    @property
    def total(self) -> float:
        """Device pixels for each unit of the scene."""
        return self.scale * self.ratio

    @property
    def level(self) -> Level:
        """How much of a node is shown."""
        return level_of(self.scale)

    @property
    def node(self) -> tuple[int, int]:
        """Width and height of a node; never less than 3 by 2 logical pixels."""
        least = (3 * self.ratio, 2 * self.ratio) if self.level is Level.FAR else (0, 0)
        return (
            max(1, round(max(NODE[0] * self.total, least[0]))),
            max(1, round(max(NODE[1] * self.total, least[1]))),
        )

    @property
    def block(self) -> int:
        """Width of a node's left block."""
        return round(max(BLOCK * self.scale, SMALLEST_BLOCK) * self.ratio)

    @property
    def name_left(self) -> int:
        """Where the name begins, from the node's left."""
        return self.block + round(max(NAME_GAP * self.scale, SMALLEST_NAME_GAP) * self.ratio)

    @property
    def has_names(self) -> bool:
        """Whether the names of nodes have room."""
        room = self.node[0] - self.name_left - SMALLEST_NAME_GAP * self.ratio
        return self.level is Level.FULL or (self.level is Level.NAME and room >= NAME_ROOM * self.ratio)

    def points(self, scene: FloatArray) -> FloatArray:
        """Where points of the scene are; (…, 2)."""
        placed: FloatArray = scene * self.total + (self.left, self.top)
        return placed

    def box_size(self, size: FloatArray) -> IntArray:
        """Width and height of a node that has a size of its own; likewise."""
        least = (3 * self.ratio, 2 * self.ratio) if self.level is Level.FAR else (1.0, 1.0)
        rounded: IntArray = np.rint(np.maximum(size * self.total, least)).astype(np.int64)
        return rounded

    def boxes(self, middles: FloatArray, sizes: FloatArray) -> IntArray:
        """Left, top, width and height of each node, in whole pixels; (N, 4)."""
        wanted = self.box_size(sizes)
        corners = np.rint(self.points(middles) - wanted / 2).astype(np.int64)
        return np.hstack([corners, wanted])

    def corners(self, middles: FloatArray) -> IntArray:
        """The whole pixel at the upper left of each node whose middle is given; (N, 2)."""
        rounded: IntArray = np.rint(self.points(middles) - np.array(self.node) / 2).astype(np.int64)
        return rounded

    def seen(self, margin: float = 0.0) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of what is in sight, in the scene, and a margin of device pixels around it."""
        k = self.total
        return (
            (-margin - self.left) / k,
            (-margin - self.top) / k,
            (self.width + margin - self.left) / k,
            (self.height + margin - self.top) / k,
        )
