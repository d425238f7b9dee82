"""The overlay of a run's difference from a plan, which follows the run.

What only the plan has is drawn as what edits would remove; what only the run has bears a plus and its own status.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.model.dependency import Dependency
from starloom.scheduling.fold.apply import apply
from starloom_gui.diff.plan_difference import difference, plan_of
from starloom_gui.viewmodel.stage import Stage
from starloom_gui.viewmodel.staged_overlay import StagedOverlay, follow_tasks

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from starloom.constellation.graph import Graph
    from starloom.model.plan import Plan
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.viewmodel.staged_overlay import Pair


def _compared(run: RunFacts) -> tuple[int, int, bytes]:
    """What a comparison of a run goes by."""
    return len(run.graph.ids), run.revision, bytes(run.priority)


class DiffOverlay:
    """The overlay of one comparison; after a structural change of the run or the plan another one is needed.

    Args:
        run: as it is.
        plan: what it is compared with.

    Attributes:
        found: what turns the plan into what the run has.
        ghosts: what is drawn; its facts are a copy of the run's with what only the plan has.
    """

    def __init__(self, run: RunFacts, plan: Plan) -> None:
        self.found = difference(plan, plan_of(run, plan))
        self._size, self._compared = len(run.graph.ids), _compared(run)
        drawn = run.copy(run.fleet)
        apply(drawn, _added(run, self._missing(run)))
        self.ghosts = self._ghosts(drawn)

    def _missing(self, run: RunFacts) -> Iterator[ed.Edit]:
        """The edits that add the plan's own tasks to the run's graph, at the places they had in it, if any."""
        gone = {task.id for task in self.found.removed}
        places = {run.graph.ids[at]: at for at, task in enumerate(run.graph.tasks) if task is None} if gone else {}
        yield from (ed.AddTask(task, places.get(task.id)) for task in self.found.removed)
        # into what is there only dependencies lead that are drawn besides: those of the plan and of the run together
        # may close cycles, while none leads out of what is new
        yield from (ed.AddDependency(one) for one in self.found.disconnected if one.child in gone)

    def _ghosts(self, drawn: RunFacts) -> StagedOverlay:
        found, graph = self.found, drawn.graph
        place = graph.place
        stages = {place[task.id]: Stage.REMOVED for task in found.removed}
        stages |= {place[task.id]: Stage.EXTRA for task in found.added}
        stages |= {place[change.after.id]: Stage.CHANGED for change in found.changed}
        edge_stages = dict.fromkeys(_pairs(graph, found.disconnected), Stage.REMOVED)
        edge_stages |= dict.fromkeys(_pairs(graph, found.connected), Stage.EXTRA)
        edge_stages |= dict.fromkeys(_pairs(graph, (change.after for change in found.altered)), Stage.CHANGED)
        extra = tuple(pair for pair in _pairs(graph, found.disconnected) if not graph.has_edge(*pair))
        for one in found.disconnected:
            if one != Dependency(parent=one.parent, child=one.child):
                graph.special[place[one.parent], place[one.child]] = one
        order = graph.positions() if extra else ()
        lent = frozenset(number for number in stages if number >= self._size)
        return StagedOverlay(drawn, stages, edge_stages, extra, order, lent)

    def follow(self, run: RunFacts, numbers: Collection[int]) -> bool:
        """Update these tasks from the run; calling it twice is allowed.

        Returns:
            Whether the run is still as it was compared: else another comparison is needed.
        """
        known = [number for number in numbers if number < self._size and self._is_of_run(number)]
        follow_tasks(run, self.ghosts.facts, known)
        return _compared(run) == self._compared

    def _is_of_run(self, number: int) -> bool:
        return self.ghosts.stages.get(number) is not Stage.REMOVED


def _added(run: RunFacts, changes: Iterable[ed.Edit]) -> ev.ConstellationModified:
    """The event that adds tasks to a copy of the run; no command is sent, as the run may have ended long ago."""
    return ev.ConstellationModified(
        seq=run.seq, at=0.0, run_id=run.run_id, revision=run.revision, changes=tuple(changes), inverse=(), origin=""
    )


def _pairs(graph: Graph, dependencies: Iterable[Dependency]) -> Iterator[Pair]:
    return ((graph.place[one.parent], graph.place[one.child]) for one in dependencies)
