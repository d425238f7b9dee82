"""The selection, shared by all views of one run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starloom.scheduling.read.run_view import RunView


@dataclass(frozen=True, slots=True)
class Selected:
    """The selected tasks at one moment, as numbers.

    Attributes:
        current: the one that keys act on; it need not be selected itself.
        numbers: all that are selected.
    """

    current: int | None = None
    numbers: frozenset[int] = frozenset()


NOTHING = Selected()
_ANY: Final = 1 << 62


class Selection(QObject):
    """The selection of one run. It changes only by these methods, each called for an action of the user.

    Args:
        known: gives how many numbers there are: what is beyond may be drawn, but is nothing that could be selected.

    Signals:
        changed(Selected): something else is current or selected now; never sent when nothing has changed.
    """

    changed = Signal(Selected)

    def __init__(self, known: Callable[[], int] = lambda: _ANY) -> None:
        super().__init__()
        self._now, self._known = NOTHING, known

    @property
    def now(self) -> Selected:
        """The present selection."""
        return self._now

    def select(self, number: int) -> None:
        """Select one task only."""
        self._become(Selected(number, frozenset((number,))))

    def select_all(self, numbers: Iterable[int], current: int | None = None) -> None:
        """Select exactly these tasks; a current task among them stays current, unless another is given.

        Args:
            numbers: of the tasks.
            current: the one the keyboard is at; None: the one before, if it is among them, else the lowest number.
        """
        chosen = frozenset(numbers)
        kept = self._now.current if self._now.current in chosen else min(chosen, default=None)
        self._become(Selected(kept if current is None else current, chosen))

    def toggle(self, number: int) -> None:
        """Add a task to the selection, or take it out; it is the current one in either case."""
        self._become(Selected(number, self._now.numbers ^ {number}))

    def move(self, number: int) -> None:
        """Make a task the current one, without changing the selection."""
        self._become(Selected(number, self._now.numbers))

    def clear(self) -> None:
        """Select nothing; the current task stays current, so that keys go on from there."""
        self._become(Selected(self._now.current))

    def forget(self, numbers: Iterable[int]) -> None:
        """Remove tasks that are no longer in the graph."""
        gone = frozenset(numbers)
        current = None if self._now.current in gone else self._now.current
        self._become(Selected(current, self._now.numbers - gone))

    def _become(self, selected: Selected) -> None:
        known = self._known()
        if max(selected.numbers, default=0) >= known or (selected.current or 0) >= known:
            current = selected.current if (selected.current or 0) < known else None
            selected = Selected(current, frozenset(number for number in selected.numbers if number < known))
        if selected != self._now:
            self._now = selected
            self.changed.emit(selected)


def there(run: RunView, numbers: Iterable[int]) -> set[int]:
    """The given tasks that a run has, without removed ones and those that are only staged."""
    return {number for number in numbers if run.has(number)}
