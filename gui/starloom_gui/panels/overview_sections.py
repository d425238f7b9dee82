"""The sections of the inspector about a run or many tasks: failures, throughput, what decides the finish, groups."""

from __future__ import annotations

from heapq import nlargest
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QGuiApplication, QIcon, QPainter
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget
from typing_extensions import override

from starloom.model.status import TaskStatus
from starloom.scheduling import commands as c
from starloom.scheduling.reservation_commands import ReleaseReservation
from starloom_gui.editing.effect_words import gain_words
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.panels.device_card import paint_plot
from starloom_gui.panels.figure_rows import OUT, Figure, rows_in
from starloom_gui.panels.sections import Section
from starloom_gui.panels.task_copying import errors_text
from starloom_gui.panels.task_facts import result_text
from starloom_gui.text.words import amount, figure, fill, moment, plain, share, tasks, took
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import GAPS
from starloom_gui.viewmodel.fence_words import answer_words
from starloom_gui.viewmodel.status_forms import form_of
from starloom_gui.widgets.controls import MARGIN, button, mark, text
from starloom_gui.widgets.flow import Flow
from starloom_gui.widgets.offers import Look, Offer, Offered, offered

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from starloom.foresight.projection import Projection
    from starloom.foresight.speedups import Speedup, Speedups
    from starloom.scheduling.read.run_view import RunView, TaskView
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.models.ended_figures import GroupTimes, Throughput
    from starloom_gui.theme.palette import Palette

MOST_FAILED: Final = 5
MOST_SPEEDUPS: Final = 4
_CURVE: Final = 40
_MINUTE: Final = 60.0


class FailuresSection(Section):
    """The tasks that have failed, the latest first, and what can be done about all of them.

    Signals:
        tasks_asked(): the user wants to see them in the Tasks pane.
    """

    tasks_asked = Signal()

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__(colours)
        self._run: RunView | None = None
        self._failed: list[TaskView] = []
        self._latest: list[TaskView] = []
        self._retry_all: Offered | None = None
        self.copy, self.retry, self.show_all = button("", height=18), button(""), button("")
        mark(self.copy, "flat")
        self.top.addWidget(self.copy)
        self.figures = rows_in(self)
        self.more = text(role=Role.SMALL, look="muted")
        self.more.setContentsMargins(OUT, 0, OUT, 0)
        self.inner.addWidget(self.more)
        self.inner.addSpacing(6)
        buttons, below = Flow(6), QHBoxLayout()
        for one in (self.retry, self.show_all):
            buttons.add(one)
        below.setContentsMargins(OUT, 0, OUT, 0)
        below.addWidget(buttons)
        self.inner.addLayout(below)
        self.figures.chosen.connect(lambda at: self.chosen.emit(Look("", self._latest[at].number)))
        self.copy.clicked.connect(self._copy)
        self.retry.clicked.connect(self._do_retry)
        self.show_all.clicked.connect(self.tasks_asked)

    def show_failed(self, run: RunView, numbers: Collection[int] | None, gateway: CommandGateway) -> bool:
        """Show the failed tasks; returns whether there are any.

        Args:
            run: the run.
            numbers: of the tasks that are looked at; None: all of the run.
            gateway: says whether they can be retried.
        """
        failed = run.with_status(TaskStatus.FAILED)
        self._run = run
        self._failed = failed if numbers is None else [task for task in failed if task.number in numbers]
        if not self._failed:
            return False
        self.title(self.tr("Failed"))
        self._latest = nlargest(MOST_FAILED, self._failed, key=lambda task: task.ended_at)
        self.figures.show_figures([self._figure(task) for task in self._latest])
        more = len(self._failed) - len(self._latest)
        self.more.setText(self.tr("and %n more", "", more) if more else "")
        self.more.setVisible(more > 0)
        self._show_buttons(run, gateway)
        return True

    def _figure(self, task: TaskView) -> Figure:
        """A failed task: its name, its attempts, and its error's first line with the time."""
        fields, result = task.fields, task.result
        allowed = fields.retry.attempts if fields is not None else 1
        error = plain(next(iter(result_text(result).splitlines()), "")) if result is not None else ""
        when = moment(task.run.wall(task.ended_at, is_end=True)) if task.has_last_attempt else ""
        return Figure(
            name=task.title,
            value=share(task.attempt, allowed) if 0 < task.attempt <= allowed else amount(task.attempt),
            detail=" · ".join(filter(None, (when, error))),
            form=form_of(task),
            hint=self.tr("Select this task"),
        )

    def _show_buttons(self, run: RunView, gateway: CommandGateway) -> None:
        ids = tuple(task.id for task in self._failed)
        label = self.tr("Retry %n failed", "", len(ids))
        (self._retry_all,) = offered(gateway, [Offer(label, c.RetryTasks(run_id=run.run_id, task_ids=ids), Icon.RETRY)])
        reason = reason_of(self._retry_all.verdict)
        said = (
            (self.retry, label, reason or self.tr("Run the failed tasks again")),
            (self.show_all, self.tr("Show in Tasks"), self.tr("List all failed tasks in the Tasks pane")),
            (self.copy, self.tr("Copy as text"), self.tr("Copy the errors of all failed tasks")),
        )
        for made, words, meaning in said:
            made.setText(words)
            made.setToolTip(meaning)
            made.setAccessibleDescription(meaning)
        self.retry.setEnabled(not reason)
        self.copy.setAccessibleName(self.copy.text())
        self._fit()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show the icon of a button whose text does not fit beside the heading."""
        self.copy.setIcon(QIcon())
        self.copy.setText(self.copy.accessibleName())
        if self.heading.sizeHint().width() + GAPS[1] + self.copy.sizeHint().width() > self.width() - 2 * MARGIN:
            self.copy.setText("")
            self.copy.setIcon(icon(Icon.COPY, self.colours()))

    def _copy(self) -> None:
        if self._run is not None:
            QGuiApplication.clipboard().setText(errors_text(self._run, [task.number for task in self._failed]))

    def _do_retry(self) -> None:
        if self._retry_all is not None:
            self.chosen.emit(self._retry_all)


class ThroughputCurve(QWidget):
    """A curve of the throughput over the time of the run."""

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__()
        self._colours = colours
        self._samples: tuple[float, ...] = ()
        self.setFixedHeight(_CURVE)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_samples(self, samples: tuple[float, ...]) -> None:
        """Show shares of the highest throughput, oldest first."""
        if samples != self._samples:
            self._samples = samples
            self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, palette = QPainter(self), self._colours()
        if len(self._samples) > 1:
            paint_plot(painter, QRectF(self.rect()).adjusted(0, 2, 0, 0), self._samples, palette, palette.panel)
        painter.end()


class ThroughputSection(Section):
    """The throughput as a figure and a curve."""

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__(colours)
        self.curve = ThroughputCurve(colours)
        self.inner.addWidget(self.curve)

    def show_throughput(self, throughput: Throughput, *, is_over: bool) -> None:
        """Show the throughput. `is_over`: the figure is that of the whole run."""
        words = self.rate_words(throughput.rate)
        if is_over:
            words = fill(self.tr("%1 on average"), words)
        self.title(self.tr("Throughput"), words)
        self.curve.show_samples(throughput.samples)
        most = fill(self.tr("At most %1; %2 have ended"), self.rate_words(throughput.most), tasks(throughput.ended))
        self.curve.setToolTip(most)
        self.curve.setAccessibleName(fill(self.tr("%1: %2"), self.tr("Throughput"), words))
        self.curve.setAccessibleDescription(most)

    def rate_words(self, rate: float) -> str:
        """Tasks in a minute, or in an hour where they are fewer, as text."""
        if rate >= 1:
            return fill(self.tr("%1 tasks/min"), amount(round(rate)) if rate >= 10 else figure(f"{rate:.1f}"))
        return fill(self.tr("%1 tasks/h"), figure(f"{rate * 60:.1f}"))


class SpeedupsSection(Section):
    """What decides the finish: the commands that would let the run end earlier, each with how much."""

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__(colours)
        self._offers: tuple[Offered, ...] = ()
        self.figures = rows_in(self)
        self.figures.chosen.connect(lambda at: self.chosen.emit(self._offers[at]))
        self.none = text(role=Role.SMALL, look="muted")
        self.none.setContentsMargins(OUT, 0, OUT, 0)
        self.inner.addWidget(self.none)

    def show_awaited(self, agents: Sequence[str]) -> None:
        """Show that nothing goes on without the answer of agents."""
        self._show_none()
        self.none.setText(f"{answer_words(agents)}.")

    def _show_none(self) -> None:
        self.title(self.tr("What decides the finish"))
        self._offers = ()
        self.figures.show_figures([])
        self.none.show()

    def show_changed(self) -> None:
        """Show that what was found holds no more: it was of other limits or devices."""
        self._show_none()
        self.none.setText(self.tr("Being looked for: a limit or a device has changed."))

    def show_unknown(self, projection: Projection) -> None:
        """Show why nobody can tell what decides the finish, of which a projection is not certain."""
        self._show_none()
        if projection.unestimated_beside and not projection.unestimated and not projection.unforeseen:
            self.none.setText(
                self.tr("Not known: tasks of a run beside this one have no estimate and may take its slots.")
            )
        else:
            self.none.setText(self.tr("Not known: some of what is left has no estimate, or waits for a person."))

    def show_speedups(self, found: Speedups, gateway: CommandGateway) -> None:
        """Show what would help, or why nothing is named.

        Args:
            found: what was found last.
            gateway: says whether it can be done.
        """
        self.title(self.tr("What decides the finish"))
        best = found.found[:MOST_SPEEDUPS]
        self._offers = offered(gateway, [Offer(self._words(one), one.command, Icon.RAISE) for one in best])
        hint = self.tr("Do it now. Foreseen as if every task took as long as it does now.")
        self.figures.show_figures(
            [
                Figure(
                    name=one.offer.label,
                    value=gain_words(-speedup.earlier_s),
                    hint=one.verdict.caution or hint,
                    refused=reason_of(one.verdict),
                )
                for one, speedup in zip(self._offers, best, strict=True)
            ]
        )
        self.none.setVisible(not best)
        self.none.setText("" if best else self._why_none(found))

    def _why_none(self, found: Speedups) -> str:
        path = found.projection.path
        if not path:
            return self.tr("No limit, slot or device alone would let it end earlier.")
        text = self.tr("Its critical path: %1, %2. No limit, slot or device alone would let it end earlier.")
        return fill(text, tasks(len({step.task_id for step in path})), took(found.projection.path_s))

    def _words(self, speedup: Speedup) -> str:
        command, numbers = speedup.command, (speedup.before or 0, speedup.after or 0)
        match command:
            case c.SetRunLimit():
                return fill(self.tr("Limit of the run %1 to %2"), *map(amount, numbers))
            case c.SetLimits(groups=dict() as groups):
                return fill(self.tr("Limit group %1: %2 to %3"), next(iter(groups)), *map(amount, numbers))
            case c.SetLimits():
                return fill(self.tr("Limit of all runs %1 to %2"), *map(amount, numbers))
            case c.SetSlots():
                return fill(self.tr("Slots of %1: %2 to %3"), command.device_id, *map(amount, numbers))
            case c.EnableDevice():
                return fill(self.tr("Enable %1"), command.device_id)
            case c.ResumeDevice():
                return fill(self.tr("Resume %1"), command.device_id)
            case ReleaseReservation():
                return fill(self.tr("End the reservation of %1"), command.device_id)
            case _:
                return type(command).__name__


class SlowestSection(Section):
    """The groups whose tasks take longest on average."""

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__(colours)
        self._groups: Sequence[GroupTimes] = ()
        self.figures = rows_in(self)
        self.figures.chosen.connect(lambda at: self.chosen.emit(Look("", self._groups[at].longest)))

    def show_groups(self, run: RunView, groups: Sequence[GroupTimes]) -> None:
        """Show groups, slowest first."""
        self._groups = groups
        are_groups = any(one.ended > 1 for one in groups)
        if are_groups:
            self.title(self.tr("Slowest by group"), self.tr("on average"))
        else:  # each stands for a task of its own
            self.title(self.tr("Slowest tasks"))
        self.figures.show_figures([self._figure(run, one, is_group=are_groups) for one in groups])

    def _figure(self, run: RunView, group: GroupTimes, *, is_group: bool) -> Figure:
        longest = run.task(group.longest).title
        detail = fill(self.tr("%1 · longest %2: %3"), tasks(group.ended), took(group.longest_s), longest)
        # A group of one may be called as another task, so it gets its task's title.
        name = group.name if is_group and group.ended > 1 else longest
        return Figure(
            name=name,
            value=took(group.mean),
            detail=detail if group.ended > 1 else "",
            hint=fill(self.tr("Select the task that took longest: %1"), longest),
        )
