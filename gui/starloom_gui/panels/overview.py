"""The inspector of a run or of many tasks: the sections that show them together, updated without haste."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from starloom.foresight.speedups import basis_of
from starloom_gui.models.ended_figures import EndedAttempts, KnownGroups
from starloom_gui.panels.graph_shape import GraphShape
from starloom_gui.panels.overview_sections import FailuresSection, SlowestSection, SpeedupsSection, ThroughputSection
from starloom_gui.panels.speedup_finder import SpeedupFinder
from starloom_gui.panels.summary import CountsSection, FactsSection, finish_of
from starloom_gui.text.words import amount, fill, tasks, took
from starloom_gui.viewmodel.fence_words import awaited_agents
from starloom_gui.viewmodel.figures import is_certain
from starloom_gui.viewmodel.status_forms import form_counts, form_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from starloom.foresight.projection import Projection
    from starloom.foresight.speedups import Speedups
    from starloom.scheduling.read.critical_path import CriticalPath
    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.panels.sections import Section
    from starloom_gui.theme.palette import Palette
    from starloom_gui.theme.status_form import StatusForm
    from starloom_gui.viewmodel.selection import Selection

MOST_GROUPS: Final = 5
_SHARE: Final = 20
"""How many times as long as the figures took nothing is computed after them, up to `_MOST_REST` seconds."""
_MOST_REST: Final = 1.0


class Overview(QObject):
    """The sections about a run or many tasks.

    Args:
        colours: gives the colours.
        selection: a click on a status selects its tasks.
        gateway: says what can be done.
        speedups: tries what would let the run end earlier; None: nothing does.
        parent: of the object.

    Attributes:
        counts, failures, throughput, speedups, slowest, facts: the sections, from top to bottom.

    Signals:
        changed(): something that was computed meanwhile is to be shown.
    """

    changed = Signal()

    def __init__(
        self,
        colours: Callable[[], Palette],
        selection: Selection,
        gateway: CommandGateway,
        speedups: Callable[[], Awaitable[Speedups]] | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._selection, self._gateway = selection, gateway
        self.counts, self.failures = CountsSection(colours), FailuresSection(colours)
        self.throughput, self.speedups = ThroughputSection(colours), SpeedupsSection(colours)
        self.slowest, self.facts = SlowestSection(colours), FactsSection(colours)
        self._shape, self._groups = GraphShape(self), KnownGroups()
        self._finder = SpeedupFinder(speedups, self)
        self._about: tuple[RunView, frozenset[int] | None] | None = None
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._rests_until = 0.0
        self._empty: set[Section] = set()
        self.counts.picked.connect(self._pick)
        for signal in (self._shape.changed, self._finder.found, self._again.timeout):
            signal.connect(self.changed)

    @property
    def sections(self) -> tuple[Section, ...]:
        """All sections, from top to bottom."""
        return (self.counts, self.failures, self.throughput, self.speedups, self.slowest, self.facts)

    @property
    def shown(self) -> tuple[Section, ...]:
        """The sections that have something to show."""
        return tuple(one for one in self.sections if one not in self._empty)

    def close(self) -> None:
        """Compute nothing more, as nobody looks."""
        self._shape.close()
        self._finder.close()
        self._again.stop()
        self._about = None

    def show_run(self, run: RunView, now: float, projection: Projection | None, path: CriticalPath | None) -> None:
        """Show a run.

        Args:
            run: the run, or a plan that is not run.
            now: seconds on the run's clock.
            projection: what is foreseen; None: nothing.
            path: the critical path of a run that has ended.
        """
        self.counts.show_counts(self.tr("By status"), form_counts(run), run.run_id)
        self._show_speedups(run, projection)
        facts = [(self.tr("Tasks"), amount(len(run.graph.place))), (self.tr("Revision"), amount(run.revision))]
        facts += self._shape.rows(run)
        if path is not None and path.steps:
            how_long = fill(self.tr("%1, %2"), took(path.seconds), tasks(len(set(path.numbers))))
            facts.append((self.tr("Critical path, with slots"), how_long))
            if path.waited >= 1.0:
                facts.append((self.tr("Waiting on it"), took(path.waited)))
        finish = finish_of(run, projection, now)
        facts += [finish] if finish is not None else []
        self._put(self.facts, wanted=True)
        self.facts.show_facts(self.tr("The run"), facts)
        self._show_figures(run, None, now)

    def show_tasks(self, run: RunView, numbers: Collection[int], now: float) -> None:
        """Show several tasks of a run; `now` in seconds on its clock."""
        some = frozenset(numbers)
        self.counts.show_counts(self.tr("By status"), form_counts(run, some), some)
        self._put(self.speedups, wanted=False)
        self._put(self.facts, wanted=False)
        self._show_figures(run, some, now)

    def _show_speedups(self, run: RunView, projection: Projection | None) -> None:
        """Show what decides the finish while something is foreseen: not of the past, an ended run, or a plan.

        Whether it is known is what the header says as well; what was tried before it was says nothing any more.
        """
        if projection is None or run.state.has_ended:
            self._finder.close()
            self._put(self.speedups, wanted=False)
            return
        if awaited := awaited_agents(run):
            self.speedups.show_awaited(awaited)
            self._put(self.speedups, wanted=True)
            return
        if not is_certain(projection):
            self.speedups.show_unknown(projection)
            self._put(self.speedups, wanted=True)
            return
        self._finder.ask()
        found = self._finder.now
        self._put(self.speedups, wanted=found is not None and found.is_certain)
        if found is None or not found.is_certain:
            return
        if found.basis == basis_of(run.facts, run.facts.fleet):
            self.speedups.show_speedups(found, self._gateway)
        else:
            self.speedups.show_changed()

    def _show_figures(self, run: RunView, numbers: frozenset[int] | None, now: float) -> None:
        """Show what every task has to be looked at for: at once of something else, else after a rest."""
        about, begun = (run, numbers), time.perf_counter()
        is_same = self._about is not None and self._about[0].facts is run.facts and self._about[1] == numbers
        if is_same and begun < self._rests_until:
            if not self._again.isActive():
                self._again.start(max(1, round((self._rests_until - begun) * 1000)))
            return
        self._about = about
        self._again.stop()
        self._put(self.failures, wanted=self.failures.show_failed(run, numbers, self._gateway))
        ended = EndedAttempts(run, numbers)
        throughput = ended.throughput(now)
        self._put(self.throughput, wanted=throughput is not None)
        if throughput is not None:
            self.throughput.show_throughput(throughput, is_over=run.state.has_ended)
        groups = ended.slowest_groups(self._groups.of(run), MOST_GROUPS) if ended else []
        self._put(self.slowest, wanted=bool(groups))
        self.slowest.show_groups(run, groups)
        done = time.perf_counter()
        self._rests_until = done + min(_MOST_REST, (done - begun) * _SHARE)

    def _put(self, section: Section, *, wanted: bool) -> None:
        """Have a section shown, or not."""
        (self._empty.discard if wanted else self._empty.add)(section)

    def _pick(self, form: StatusForm) -> None:
        """Select the tasks of a status, among those that are shown."""
        if self._about is None:
            return
        run, numbers = self._about
        among = run.graph.place.values() if numbers is None else numbers
        self._selection.select_all(task.number for task in run.tasks(among) if form_of(task) is form)
