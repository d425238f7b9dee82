"""How a graph is arranged in a view: where dependencies point, which groups are folded, and what has to unfold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Signal
from typing_extensions import override

from starloom.layout import Direction
from starloom_gui.canvas.arranging import UNFOLDED, Arrangement, foldable
from starloom_gui.canvas.graph_view import GraphView
from starloom_gui.canvas.matching import found_in
from starloom_gui.canvas.motion import Place
from starloom_gui.canvas.standing import Moved, Standing, way_back

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtWidgets import QWidget

    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.viewmodel.grouping import Group
    from starloom_gui.viewmodel.selection import Selection


class ArrangedView(GraphView):
    """Shows a picture of a graph as the user wants it arranged; it asks for another one when that changes.

    Whoever lays out takes `arrangement` for it and shows what comes of it with `show_picture`, whenever that is.

    Signals:
        arrangement_changed(Arrangement): a picture with this arrangement is wanted.
        going_back(Layout): the next one is wanted to go on from this layout, not from the last one.
        tidied(): the next one is wanted to go on from no layout at all.
        rearranged(Moved): the user has put nodes elsewhere.
    """

    arrangement_changed = Signal(Arrangement)
    going_back = Signal(object)
    tidied = Signal()
    rearranged = Signal(object)

    def __init__(
        self, appearance: Appearance, selection: Selection, clock: Callable[[], float], parent: QWidget | None = None
    ) -> None:
        """Show an empty canvas.

        Args:
            appearance: theme and motion.
            selection: shared with the other views of the run.
            clock: gives seconds on the run's clock.
            parent: of the widget.
        """
        super().__init__(appearance, selection, clock, parent)
        self._arrangement = UNFOLDED
        self._to_reveal: int | None = None
        self._fits_next = False
        self._known: tuple[GraphRenderModel | None, list[Group]] = (None, [])

    @property
    def arrangement(self) -> Arrangement:
        """How the user wants it."""
        return self._arrangement

    def arrange(self, wanted: Arrangement) -> None:
        """Ask for a picture with another arrangement; what is shown stays until it comes."""
        if wanted != self._arrangement:
            self._arrangement = wanted
            self.arrangement_changed.emit(wanted)

    def set_direction(self, direction: Direction) -> None:
        """Let dependencies point elsewhere; then all nodes stand where the layout wants them."""
        if direction is not self._arrangement.direction:
            down = direction is Direction.DOWN
            words = self.tr("Let dependencies point down") if down else self.tr("Let dependencies point right")
            self.rearrange(replace(self._arrangement, direction=direction, pinned={}), words)

    # ---- what can be taken back

    def rearrange(self, wanted: Arrangement, label: str, merges: str = "") -> None:
        """Have nodes stand elsewhere, as a step of undo where there is somebody who keeps these.

        Args:
            wanted: how.
            label: what the step is called.
            merges: see `Moved`.
        """
        before = self.standing()
        self.arrange(wanted)
        if before is not None:
            self.rearranged.emit(Moved(label, way_back(self, before), merges))

    def tidy(self) -> None:
        """Lay everything out anew, also what was placed by hand, as one step, and look at all of it."""
        before = self.standing()
        if before is not None:
            self._fits_next = True
            self.tidied.emit()
            self.arrange(replace(self._arrangement, pinned={}))
            self.rearranged.emit(Moved(self.tr("Tidy"), way_back(self, before)))

    def standing(self) -> Standing | None:
        """How everything stands now; None: nothing is shown yet."""
        return Standing.of(self._arrangement, self.picture.layout) if self.picture is not None else None

    def stand_as(self, before: Standing) -> None:
        """Have everything stand as it did; what has come since finds its place anew."""
        self.going_back.emit(before.layout)
        self.arrange(replace(self._arrangement, direction=before.direction, pinned=before.pinned))

    def turn(self) -> None:
        """Let dependencies point down instead of right, or back."""
        down = self._arrangement.direction is Direction.RIGHT
        self.set_direction(Direction.DOWN if down else Direction.RIGHT)

    # ---- folding

    @property
    def group_names(self) -> tuple[str, ...]:
        """The groups that can be folded, by their first tasks."""
        return tuple(dict.fromkeys(each.name for each in self._groups()))

    def _groups(self) -> list[Group]:
        """The groups of the graph that is shown; read once for each picture, as an edit makes another one."""
        picture = self.picture
        if picture is not self._known[0]:
            self._known = picture, foldable(picture.facts) if picture is not None else []
        return self._known[1]

    def fold(self, names: Iterable[str]) -> None:
        """Show these groups as one node each."""
        self.arrange(replace(self._arrangement, folded=self._arrangement.folded | frozenset(names)))

    def unfold(self, names: Iterable[str]) -> None:
        """Show the tasks of these groups."""
        self.arrange(replace(self._arrangement, folded=self._arrangement.folded - frozenset(names)))

    def fold_all(self) -> None:
        """Show every group as one node."""
        self.fold(self.group_names)

    def unfold_all(self) -> None:
        """Show every task."""
        self.arrange(replace(self._arrangement, folded=frozenset()))

    def group_at(self, number: int | None) -> str:
        """The name of the group that a task is in and could be folded with, or is; empty: it is in none."""
        if number is None:
            return ""
        return next((each.name for each in self._groups() if number in each.numbers), "")

    def is_folded(self, number: int | None) -> bool:
        """Whether a task is shown as part of a folded group."""
        return self.picture is not None and number is not None and self.picture.is_hidden(number)

    def fold_group_of(self, number: int | None) -> bool:
        """Fold the group of a task, and bring it into sight; False: it is in none, or folded."""
        name = self.group_at(number)
        if not name or self.is_folded(number):
            return False
        self._to_reveal = number
        self.fold([name])
        return True

    def unfold_group_of(self, number: int | None) -> bool:
        """Unfold the group of a task, and bring the task into sight; False: it is in no folded group."""
        if not self.is_folded(number):
            return False
        self._to_reveal = number
        self.unfold([self.group_at(number)])
        return True

    def reveal_soon(self, number: int) -> None:
        """Bring a task into sight, once the picture has it."""
        self._to_reveal = None
        if self.picture is not None and self.picture.row(number) is not None:
            self.reveal_task(number)
        else:
            self._to_reveal = number

    # ---- search

    def find_task(self, text: str, *, forward: bool = True) -> int | None:
        """Select the next task with these words in its name, by rank, after the current one, and bring it into sight.

        If it is in a folded group, that unfolds.

        Returns:
            Its number; None: there is none.
        """
        found = found_in(self.picture, text) if self.picture is not None else []
        if not found:
            return None
        current = self._selection.now.current
        place = found.index(current) + (1 if forward else -1) if current in found else 0 if forward else -1
        number = found[place % len(found)]
        self._selection.select(number)
        self.reveal_task(number)
        self.unfold_group_of(number)
        return number

    def find_typed(self, text: str, step: int) -> bool:
        """Select a task by what is typed of its name; see `typed_find.TypedFind`."""
        current = self._selection.now.current
        if step == 0 and current is not None and self.picture is not None and current in found_in(self.picture, text):
            self._selection.select(current)
            self.reveal_task(current)
            return True
        return self.find_task(text, forward=step >= 0) is not None

    # ---- what comes of it

    @override
    def show_picture(self, picture: GraphRenderModel | None) -> None:
        """Show another picture of the same run; the view stays where it is, unless the user has turned the graph.

        Then what stood in the middle of the view does so again.
        """
        before = self.picture
        turned = before is not None and picture is not None and before.layout.direction is not picture.layout.direction
        middle = self._in_the_middle() if turned else None
        super().show_picture(picture)
        if picture is None:
            return
        if middle is not None and (row := picture.row(middle)) is not None:
            self.look(Place(self.zoom, *picture.layout.positions[row].tolist()), at_once=True)
        if self._fits_next:
            self._fits_next = False
            self.fit_all()
        wanted = self._to_reveal
        name = self.group_at(wanted)
        is_there = wanted is not None and picture.row(wanted) is not None
        if wanted is not None and is_there and picture.is_hidden(wanted) == (name in self._arrangement.folded):
            self._to_reveal = None
            self.reveal_task(wanted)

    def _in_the_middle(self) -> int | None:
        """The current task if it is in sight, else the one nearest to the middle of the view."""
        picture, seen = self.picture, self.seen
        assert picture is not None
        current = picture.row(self._selection.now.current)
        positions = picture.layout.positions
        if current is not None and seen.contains(QPointF(*positions[current].tolist())):
            return int(picture.numbers[current])
        if not picture.present.any():
            return None
        away = abs(positions - (seen.center().x(), seen.center().y())).sum(axis=1)
        away[~picture.present] = float("inf")
        return int(picture.numbers[away.argmin()])
