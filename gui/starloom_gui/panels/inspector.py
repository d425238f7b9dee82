"""The inspector: all properties of the selected task, and the actions on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

from starloom.scheduling.read.simulated import was_simulated
from starloom_gui.diff.run_difference import pair_of, whole
from starloom_gui.diff.run_difference_words import rows_of, whole_rows
from starloom_gui.gateway.verbs import verb_of
from starloom_gui.panels.bulk import change_all
from starloom_gui.panels.compared import ComparedSection
from starloom_gui.panels.fields import FieldsSection
from starloom_gui.panels.files_section import FilesSection, files_of
from starloom_gui.panels.head import Head
from starloom_gui.panels.held_still import HeldStill
from starloom_gui.panels.keyboard_return import KeyboardReturn
from starloom_gui.panels.larger_text import LargerText
from starloom_gui.panels.overview import Overview
from starloom_gui.panels.path_words import on_path
from starloom_gui.panels.result_section import ResultSection
from starloom_gui.panels.sections import AttemptsSection, ParentsSection, Section, WhySection
from starloom_gui.panels.summary import run_standing
from starloom_gui.panels.task_facts import attempts_of, parents_of, standing, times_of
from starloom_gui.panels.task_offers import SHOWN, fitting, offers_of, pins_of
from starloom_gui.panels.why_question import WhyQuestion
from starloom_gui.panels.why_rows import why_rows
from starloom_gui.text.words import clock, fill, tasks
from starloom_gui.theme.metrics import GAPS, NARROW_INSPECTOR_WIDTH
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.reach import TaskScope, within
from starloom_gui.viewmodel.selection import there
from starloom_gui.viewmodel.status_forms import form_of
from starloom_gui.viewmodel.task_fields import change, change_and_retry
from starloom_gui.widgets.controls import button, sheet, text
from starloom_gui.widgets.offers import Look, Offered
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QHideEvent, QShowEvent

    from starloom.foresight.projection import Projection
    from starloom.foresight.speedups import Speedups
    from starloom.scheduling.read.critical_path import CriticalPath
    from starloom.scheduling.read.run_view import RunView, TaskView
    from starloom.scheduling.read.why import Reason
    from starloom_gui.diff.baseline_run import BaselineRun
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.panels.open_parts import OpenParts
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.roles import Clock, ShownRun
    from starloom_gui.viewmodel.selection import Selection
    from starloom_gui.widgets.offers import Remedy


class Inspector(QScrollArea):
    """The pane that shows the selected task, several tasks, or the run.

    Signals:
        open_requested: there is no run, and the user wants to open one.
        add_task_requested: there are no tasks, and the user wants to add one.
        remedy_requested(object): the user wants what the window does, as `AddDeviceOffer` or `LookAtAgents`.
        tasks_requested(): the user wants to see the failed tasks in the Tasks pane.

    Args:
        appearance: the colours.
        selection: of the run; "Show …" buttons change it.
        run: gives the run with the staged edits; None: there is none.
        clock: gives seconds on the engine's clock.
        gateway: what verbs and edits are sent by.
        why: gives the reasons why a task of a run does not run.
        parent: the widget it lies in.
        author: who set a field of a task last; empty: nobody knows.
        unfolded: the parts of the form that are unfolded; None: those of a new user, which are not kept.
        speedups: tries what would let the run end earlier; None: nothing does.
        present: gives the run without staged edits, whose figures are shown; None: `run` does.
        quiet_since: gives since when a task has printed nothing for long, in seconds since 1970; None: it is not quiet.
        unheard_since: gives when a device that has missed a sign of life was last heard; None: it has missed none.
        other_key: gives whether a device is refused for another host key, which can be trusted here.
    """

    open_requested = Signal()
    add_task_requested = Signal()
    remedy_requested = Signal(object)
    tasks_requested = Signal()

    def __init__(
        self,
        appearance: Appearance,
        selection: Selection,
        run: ShownRun,
        clock: Clock,
        gateway: CommandGateway,
        why: Callable[[str, str], tuple[Reason, ...]],
        parent: QWidget | None = None,
        *,
        author: Callable[[TaskView, str], str] = lambda *_: "",
        unfolded: OpenParts | None = None,
        speedups: Callable[[], Awaitable[Speedups]] | None = None,
        present: ShownRun | None = None,
        quiet_since: Callable[[TaskView], float | None] = lambda _: None,
        unheard_since: Callable[[str], float | None] = lambda _: None,
        other_key: Callable[[str], bool] = lambda _: False,
    ) -> None:
        super().__init__(parent)
        self._appearance, self._selection, self._present = appearance, selection, present or run
        self._run, self._clock, self._gateway, self._why = run, clock, gateway, why
        self._quiet_since, self._unheard_since, self._other_key = quiet_since, unheard_since, other_key
        self._projection: Projection | None = None
        self._path: CriticalPath | None = None
        self._scope, self._meant = TaskScope.THESE, frozenset[int]()
        self.head = Head(self._palette)
        self.why = WhySection(self._palette)
        self.still = HeldStill(self, self.why)
        self.overview = Overview(self._palette, selection, gateway, speedups, self)
        self._keyboard = KeyboardReturn(self, (self.head, self.why, *self.overview.sections))
        self.fields = FieldsSection(self._palette, self._change, self._change_and_retry, clock, author, unfolded)
        self.result = ResultSection(self._palette)
        self.parents = ParentsSection(self._palette)
        self.files = FilesSection(self._palette)
        self.attempts = AttemptsSection(self._palette)
        self.compared = ComparedSection(self._palette)
        self._earlier: BaselineRun | None = None
        self._empty, self._nothing, self._open = QWidget(), text(look="muted"), button("")
        self._arrange()
        self.larger = LargerText(appearance, self)
        self.fields.scope.chosen.connect(self.mean)
        self.fields.room_wanted.connect(self.larger.open)
        self.result.large_asked.connect(self.larger.read)
        self.overview.changed.connect(self.refresh)
        self.overview.failures.tasks_asked.connect(self.tasks_requested)
        selection.changed.connect(self._selected)
        Restyling(self, appearance, self._apply_theme)

    def _arrange(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(NARROW_INSPECTOR_WIDTH - GAPS[4])
        pane = _Pane()
        pane.setObjectName("pane")
        column = QVBoxLayout(pane)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in self._parts():
            column.addWidget(part)
            part.chosen.connect(self._do)
        empty = QVBoxLayout(self._empty)
        empty.setContentsMargins(GAPS[4], GAPS[4], GAPS[4], GAPS[4])
        empty.setSpacing(GAPS[2])
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        empty.addWidget(self._nothing)
        empty.addWidget(self._open, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._empty)
        column.addStretch(1)
        self._open.clicked.connect(self._begin)
        self.setWidget(pane)

    def _parts(self) -> tuple[Section, ...]:
        of_task = (self.result, self.compared, self.fields, self.parents, self.files, self.attempts)
        return (self.head, self.why, *self.overview.sections, *of_task)

    def _palette(self) -> Palette:
        return self._appearance.palette

    # ---- being told

    def on_changes(self, changes: Changes) -> None:
        """Show what has changed; to be connected to a feed of the run and of the fleet."""
        numbers = self._selection.now.numbers
        concerns = changes.everything or changes.run or changes.devices or changes.load or changes.limits
        if concerns or changes.edits or changes.second or not numbers or not changes.tasks.isdisjoint(self._near()):
            self.refresh()

    def set_projection(self, projection: Projection | None, made: CriticalPath | None = None) -> None:
        """Show a projection, or None. `made`: the critical path of a run that has ended."""
        self._projection, self._path = projection, made
        self.refresh()

    def compare(self, earlier: BaselineRun | None) -> None:
        """Show the differences from an earlier run; None: hide them."""
        self._earlier = earlier
        self.refresh()

    def refresh(self) -> None:
        """Update the whole pane; unchanged sections keep their widgets."""
        if not self.isVisible():
            return
        self.still.hold()
        with self._keyboard.kept():
            self._show_selected()

    def _show_selected(self) -> None:
        self._say(run := self._run())
        if run is None:
            self._show(())
            return
        self.fields.look(run)
        present = there(run, self._selection.now.numbers)
        if len(present) == 1:
            self._show_task(run.task(next(iter(present))))
        elif present:
            self._show_several(run, present)
        else:
            self._show_run(self._present() or run)

    def _near(self) -> frozenset[int]:
        """The tasks that the sections show: the selected ones, those in the scope, and the parents of a single task."""
        run, numbers = self._run(), self._selection.now.numbers
        near = self._meant | numbers
        if run is not None and len(there(run, numbers)) == 1 == len(numbers):
            near = near.union(run.task(next(iter(numbers))).parents)
        return near

    def mean(self, scope: TaskScope) -> None:
        """Set the scope of new values, until other tasks are selected."""
        self._scope = scope
        self.refresh()

    def _selected(self, _selected: object) -> None:
        self._scope = TaskScope.THESE
        self.refresh()
        self.still.let_go()
        self.verticalScrollBar().setValue(0)

    # ---- showing

    def _show(self, parts: Collection[Section]) -> None:
        for part in self._parts():
            if part not in parts or not part.hides_when_empty:  # to show it and hide it again would move the others
                part.setVisible(part in parts)
        self._empty.setVisible(not parts or parts == (self.head,))

    def _show_task(self, task: TaskView) -> None:
        run, now = task.run, self._clock()
        of_task = (self.fields, self.parents, self.files, self.attempts)
        self._show((self.head, self.why, self.result, *self._comparing(), *of_task))
        self.head.show_head(form_of(task), task.title, self._standing(task, now))
        verbs = offers_of(self._gateway, run, (task.number,))
        self.head.show_verbs(_chosen(verbs, run, (task.number,)), (*verbs, *pins_of(self._gateway, task)))
        decided = _decided(task, self._present())
        asked = WhyQuestion(decided, now, self._gateway, self._projection, self._unheard_since, self._other_key)
        has_run = task.has_last_attempt and not was_simulated(run.facts, task.number)
        stage = {"is_running": task.is_running, "has_ended": task.has_ended, "has_run": has_run}
        self.why.show_rows(why_rows(asked, self._why(run.run_id, task.id)), times_of(task, self._projection), **stage)
        self.result.show_result(task)
        self._show_fields(run, (task.number,))
        self.parents.show_rows(*parents_of(task))
        self.files.show_files(files_of(task.fields))
        self.attempts.show_rows(*attempts_of(task, now))
        if self._earlier is not None:
            pair = pair_of(self._earlier, run.facts, task.number, now, self._projection)
            note = self.tr("It had no such task.") if pair.then is None else ""
            self.compared.show_rows(self._earlier.title, () if note else rows_of(pair), note)

    def _standing(self, task: TaskView, now: float) -> str:
        words, since = standing(task, now), self._quiet_since(task)
        if since is not None and task.is_running:
            quiet = fill(self.tr("no output for %1"), clock(task.run.wall(now) - since))
            words = fill(self.tr("%1 · %2"), words, quiet)
        path = on_path(task, self._projection, self._path)
        return fill(self.tr("%1 · %2"), words, path) if path else words

    def _comparing(self) -> tuple[Section, ...]:
        return (self.compared,) if self._earlier is not None else ()

    def _show_several(self, run: RunView, numbers: Collection[int]) -> None:
        self.overview.show_tasks(run, numbers, self._clock())
        self._show((self.head, *self.overview.shown, self.fields))
        self.head.show_head(StatusForm.REMOVED, tasks(len(numbers)), self.tr("selected"))
        verbs = offers_of(self._gateway, run, numbers)
        self.head.show_verbs(_chosen(verbs, run, numbers), verbs)
        self._show_fields(run, numbers)

    def _show_fields(self, run: RunView, numbers: Collection[int]) -> None:
        """Show the fields of all tasks in the scope."""
        selected, scope = frozenset(numbers), self._scope
        self._meant = within(run.graph, selected, scope)
        self.fields.scope.setVisible(not self.fields.fixed(None))
        self.fields.scope.show_scope(run, selected, scope, self._meant)
        if len(self._meant) > 1:
            self.fields.show_several(run, self._meant, (selected, scope))
        else:
            self.fields.show_fields(run.task(next(iter(selected))))

    def _show_run(self, run: RunView) -> None:
        now = self._clock()
        self.overview.show_run(run, now, self._projection, self._path)
        self._show((self.head, *self.overview.shown, *self._comparing()) if run.graph.place else (self.head,))
        self.head.show_head(StatusForm.REMOVED, run.name or run.run_id, run_standing(run, now))
        self.head.show_verbs((), ())
        if self._earlier is not None:
            both = whole(self._earlier, run.facts, now, self._projection)
            self.compared.show_rows(self._earlier.title, whole_rows(both))

    def _say(self, run: RunView | None) -> None:
        self.setAccessibleName(self.tr("Inspector"))
        if run is None:
            self._nothing.setText(self.tr("No run is open. What you select in it will be explained here."))
            self._open.setText(self.tr("Open…"))
        elif not run.graph.place:
            self._nothing.setText(self.tr("No tasks yet. What you select will be explained and edited here."))
            self._open.setText(self.tr("Add task…"))
        self._open.setVisible(run is None or not self.fields.fixed(None))

    def _begin(self) -> None:
        """Ask for what there is nothing of: a run, or a task."""
        (self.open_requested if self._run() is None else self.add_task_requested).emit()

    # ---- doing

    def _do(self, remedy: Remedy) -> None:
        if isinstance(remedy, Offered):
            self._gateway.do(remedy.offer.command)
        elif isinstance(remedy, Look):
            self._selection.select(remedy.number)
        else:
            self.remedy_requested.emit(remedy)

    def _change(self, numbers: tuple[int, ...], name: str, words: str, seen: int) -> str:
        run = self._run()
        if run is None:
            return self.tr("There is no run.")
        if len(numbers) == 1:
            return change(self._gateway, run.task(numbers[0]), name, words, seen)
        return change_all(self._gateway, run, numbers, name, words, seen)

    def _change_and_retry(self, numbers: Collection[int], texts: Mapping[str, str]) -> tuple[str, str]:
        run = self._run()
        if run is None:
            return next(iter(texts), ""), self.tr("There is no run.")
        return change_and_retry(self._gateway, list(run.tasks(numbers)), texts)

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(sheet(palette))
        self.refresh()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.overview.close()

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == event.Type.LanguageChange:
            for part in self._parts():
                part.forget()
            self.refresh()
        super().changeEvent(event)


class _Pane(QWidget):
    """The content of the scroll area; its height is the least that its width allows, as wrapped labels ask for more."""

    @override
    def minimumSizeHint(self) -> QSize:
        layout = self.layout()
        wraps = layout is None or layout.hasHeightForWidth()  # then the scroll area asks how high it has to be
        return QSize(1, 1 if wraps or layout is None else layout.minimumSize().height())


def _decided(task: TaskView, run: RunView | None) -> TaskView:
    """A task in the run without staged edits, of which the engine's reasons know nothing; a staged one as it is."""
    return run.task(task.number) if run is not None and there(run, {task.number}) else task


def _chosen(verbs: tuple[Offered, ...], run: RunView, numbers: Collection[int]) -> list[Offered]:
    """The actions that are shown as buttons, in their order."""
    by_verb = {verb_of(one.offer.command): one for one in verbs}
    wanted = [by_verb[verb] for verb in fitting(run, numbers)]
    if len(numbers) > 1:
        wanted.sort(key=lambda one: not one.verdict.ok)
    return wanted[:SHOWN]
