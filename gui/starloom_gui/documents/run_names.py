"""The names of runs on the screen: that of the plan, with a number from the second run on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.text.words import fill

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starloom_gui.settings import Settings


class RunNames:
    """Gives each run a name, and stores it for later sessions. Names are looked up for every row of a table.

    Runs of one name are numbered in the order in which they were created, so that they are called alike in all consoles
    over an engine, whoever opens which of them first.

    Args:
        settings: where it is kept; None: for this session only.
        namesakes: gives the ids of the engine's runs of a plan of this name.

    Attributes:
        settings: likewise.
    """

    def __init__(
        self, settings: Settings | None = None, namesakes: Callable[[str], Iterable[str]] = lambda _name: ()
    ) -> None:
        self.settings, self._namesakes = settings, namesakes
        self._known = settings.run_names if settings is not None else dict[str, str]()

    def of(self, run_id: str, name: str) -> str:
        """The name of a run that may have got none yet.

        Args:
            run_id: of the run.
            name: of its plan.
        """
        return self._known.get(run_id) or name or run_id

    def given(self, run_id: str, name: str) -> str:
        """Return a run's name; a run without one gets this name, with a number if it is taken."""
        if run_id not in self._known:
            if self.settings is not None:
                self.settings.sync()
                self._known = self.settings.run_names | self._known  # another console may have given some meanwhile
            earlier = sorted(other for other in self._namesakes(name) if other < run_id)  # ids begin with the time
            for one in (*earlier, run_id):
                self._give(one, name)
            if self.settings is not None:
                self.settings.run_names = self._known
                self.settings.sync()
        return self._known[run_id]

    def _give(self, run_id: str, name: str) -> None:
        """Give a run this name, with a number if it is taken, unless it has one."""
        if run_id in self._known:
            return
        taken, number, new = set(self._known.values()), 2, name
        while new in taken:
            new, number = fill("%1 · %2", name, number), number + 1
        self._known[run_id] = new
