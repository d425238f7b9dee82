"""Plans with the shape of Montage's: mosaics of the sky in three colours, with any number of tasks."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from starloom.model.dependency import Dependency
from starloom.model.plan import Plan
from starloom.model.task import Simulate, Task

if TYPE_CHECKING:
    from collections.abc import Iterator

BANDS: Final = 3
FEWEST: Final = 160
"""Fewer tasks make no mosaic of three colours."""
_ONCE: Final = 5
"""Tasks that each colour has one of."""
_EACH: Final = 5
"""Tasks an image comes to: projected, its background taken away, and compared with some three that it overlaps."""


def montage(count: int) -> Plan:
    """A plan with exactly this number of tasks.

    Images of the sky are projected, those that overlap are compared, the differences of a colour become one model of
    its background, which is taken away from each image; these make one picture a colour, and the three one of all.

    Args:
        count: of the tasks; `FEWEST` or more.
    """
    mosaic = _Mosaic()
    share, rest = divmod(count - 1, BANDS)
    adds = [mosaic.add_band(share + (band < rest)) for band in range(BANDS)]
    mosaic.add("mViewer", adds)
    return Plan(name=f"montage-{count}", tasks=tuple(mosaic.tasks), dependencies=tuple(mosaic.dependencies))


class _Mosaic:
    """Collects the tasks of a mosaic and their dependencies."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []
        self.dependencies: list[Dependency] = []

    def add(self, kind: str, parents: list[str]) -> str:
        """Add a task of a kind; returns its id, which ends with its number as in recorded workflows."""
        name = f"{kind}_ID{len(self.tasks) + 1:07}"
        self.tasks.append(Task(id=name, simulate=Simulate(1.0)))
        self.dependencies += [Dependency(parent=parent, child=name) for parent in parents]
        return name

    def add_band(self, count: int) -> str:
        """Add all tasks of one colour; returns the id of the task that joins its picture."""
        images = (count - _ONCE) // _EACH
        projected = [self.add("mProject", []) for _ in range(images)]
        overlaps = islice(_overlaps(images), count - _ONCE - 2 * images)
        compared = [self.add("mDiffFit", [projected[one], projected[other]]) for one, other in overlaps]
        model = self.add("mBgModel", [self.add("mConcatFit", compared)])
        flat = [self.add("mBackground", [image, model]) for image in projected]
        picture = self.add("mAdd", [self.add("mImgtbl", flat)])
        self.add("mViewer", [picture])
        return picture


def _overlaps(images: int) -> Iterator[tuple[int, int]]:
    """The pairs of images of a square piece of the sky, those beside each other first."""
    side = round(images**0.5)
    for by in dict.fromkeys((1, side, side + 1, side - 1, *range(2, images))):
        yield from ((one, one + by) for one in range(images - by))
