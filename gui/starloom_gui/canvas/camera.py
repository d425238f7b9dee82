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
    """The level of detail at a scale in logical pixels."""
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
        """The device pixels for each unit of the scene."""
        return self.scale * self.ratio

    @property
    def level(self) -> Level:
        """The level of detail."""
        return level_of(self.scale)

    @property
    def node(self) -> tuple[int, int]:
        """The width and height of a node; at least 3 by 2 logical pixels."""
        least = (3 * self.ratio, 2 * self.ratio) if self.level is Level.FAR else (0, 0)
        return (
            max(1, round(max(NODE[0] * self.total, least[0]))),
            max(1, round(max(NODE[1] * self.total, least[1]))),
        )

    @property
    def block(self) -> int:
        """The width of a node's left block."""
        return round(max(BLOCK * self.scale, SMALLEST_BLOCK) * self.ratio)

    @property
    def name_left(self) -> int:
        """The distance of the name from the node's left side."""
        return self.block + round(max(NAME_GAP * self.scale, SMALLEST_NAME_GAP) * self.ratio)

    @property
    def has_names(self) -> bool:
        """Whether names of nodes are shown."""
        room = self.node[0] - self.name_left - SMALLEST_NAME_GAP * self.ratio
        return self.level is Level.FULL or (self.level is Level.NAME and room >= NAME_ROOM * self.ratio)

    def points(self, scene: FloatArray) -> FloatArray:
        """Points of the scene in device pixels; (…, 2)."""
        placed: FloatArray = scene * self.total + (self.left, self.top)
        return placed

    def box_size(self, size: FloatArray) -> IntArray:
        """The size of nodes that have their own size, in device pixels; from afar at least 3 by 2 logical pixels."""
        least = (3 * self.ratio, 2 * self.ratio) if self.level is Level.FAR else (1.0, 1.0)
        rounded: IntArray = np.rint(np.maximum(size * self.total, least)).astype(np.int64)
        return rounded

    def boxes(self, middles: FloatArray, sizes: FloatArray) -> IntArray:
        """The left, top, width and height of each node, in whole device pixels; (N, 4)."""
        wanted = self.box_size(sizes)
        corners = np.rint(self.points(middles) - wanted / 2).astype(np.int64)
        return np.hstack([corners, wanted])

    def corners(self, middles: FloatArray) -> IntArray:
        """The upper left corner of each node, given their centres, in whole device pixels; (N, 2)."""
        rounded: IntArray = np.rint(self.points(middles) - np.array(self.node) / 2).astype(np.int64)
        return rounded

    def seen(self, margin: float = 0.0) -> tuple[float, float, float, float]:
        """The left, top, right and bottom of the visible part of the scene, with a margin in device pixels."""
        k = self.total
        return (
            (-margin - self.left) / k,
            (-margin - self.top) / k,
            (self.width + margin - self.left) / k,
            (self.height + margin - self.top) / k,
        )
