"""Aligns and distributes the selected nodes of a canvas, or says why that is not possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import translate
from starloom_gui.viewmodel.aligning import Align, label, least, lie_over_each_other, offsets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom_gui.canvas.surface import Surface
    from starloom_gui.viewmodel.selection import Selection

_IN_LINE: Final = 0.01
"""Nodes that are less than so far from a line stand on it."""


class Alignment:
    """Aligns and distributes the selected nodes of a canvas.

    Args:
        surface: the parts of the canvas.
        selection: of its run.
    """

    def __init__(self, surface: Surface, selection: Selection) -> None:
        self._surface, self._selection = surface, selection

    def nodes(self, numbers: Iterable[int]) -> list[int]:
        """The nodes that show these tasks, as numbers."""
        picture = self._surface.graph.picture
        rows = {picture.row(number) for number in numbers} if picture is not None else set()
        return sorted(int(picture.numbers[row]) for row in rows if picture is not None and row is not None)

    def can(self, how: Align) -> Verdict:
        """Whether enough nodes are selected to be aligned in this way."""
        picture, found = self._surface.graph.picture, set[int]()
        for number in self._selection.now.numbers:  # asked whenever anything changes: it looks no further than it must
            row = picture.row(number) if picture is not None else None
            found |= {row} if row is not None else set()
            if len(found) >= least(how):
                return Verdict(True)
        two = translate("Aligning", "It takes two selected tasks or more to align them.")
        three = translate("Aligning", "It takes three selected tasks or more to distribute them.")
        return Verdict(False, two if least(how) == 2 else three)

    def do(self, how: Align) -> None:
        """Align the selected nodes as one step; a message says where that is not possible or changes nothing."""
        surface, verdict = self._surface, self.can(how)
        picture, nodes = surface.graph.picture, self.nodes(self._selection.now.numbers)
        if picture is None or not verdict.ok:
            surface.overlay.say_of(self._selection.now.current, verdict.reason)
            return
        places = np.array([surface.layout_controller.place_of(number) for number in nodes])
        sizes = picture.layout.sizes[[row for number in nodes if (row := picture.row(number)) is not None]]
        found = offsets(places, sizes, how)
        far = np.abs(found).sum(axis=1) > _IN_LINE
        moved = {node: (dx, dy) for node, (dx, dy), moves in zip(nodes, found.tolist(), far, strict=True) if moves}
        if moved:
            surface.layout_controller.move_tasks(moved, label(how, surface.layout_controller.called(nodes)))
            if lie_over_each_other((places + found)[far], sizes[far], how):  # one that stays gives way to others
                surface.overlay.say_of(nodes[0], translate("Aligning", "Some of these tasks lie over each other now."))
        else:
            surface.overlay.say_of(nodes[0], translate("Aligning", "These tasks stand like that already."))
