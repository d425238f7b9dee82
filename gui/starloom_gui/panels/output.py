"""The pane with the output of the selected task, live."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.models.output_lines import OutputLines
from starloom_gui.panels.output_attempts import AttemptButton
from starloom_gui.panels.output_comparing import OutputComparing
from starloom_gui.panels.output_earlier import PaneSearch
from starloom_gui.panels.output_saving import Saver, lines_menu
from starloom_gui.panels.output_search import SearchRow
from starloom_gui.panels.output_source import AttemptKey, OutputSource
from starloom_gui.panels.output_style import output_sheet
from starloom_gui.panels.output_view import OutputView
from starloom_gui.panels.pane_message_bar import PaneMessageBar
from starloom_gui.panels.sections import StatusMark
from starloom_gui.panels.task_facts import standing
from starloom_gui.text.words import fill
from starloom_gui.theme.metrics import GAPS
from starloom_gui.viewmodel.selection import there
from starloom_gui.viewmodel.status_forms import form_of
from starloom_gui.widgets.controls import Elided, line, text
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtCore import QEvent, QPoint
    from PySide6.QtGui import QShowEvent
    from PySide6.QtWidgets import QMenu

    from starloom.scheduling.read.run_view import TaskView
    from starloom.scheduling.state.attempts import Attempt
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.output import OutputHub, Printed
    from starloom_gui.panels.output_source import FileOf
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.roles import Clock, ShownRun
    from starloom_gui.viewmodel.selection import Selection

_HEAD = 32
_MARK = 16
_NAME = 120
"""So much of the task's name is seen in a narrow pane, too."""


def open_with_system(path: Path) -> bool:
    """Open a file in the system's program for it; returns whether there is one."""
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


class _Head(QWidget):
    """Over the lines: of which task and attempt they are, and how that stands; then the search.

    Args:
        appearance: the colours.
        choose: shows another attempt; None: the last one.
        search: the field.
    """

    def __init__(self, appearance: Appearance, choose: Callable[[int | None], None], search: SearchRow) -> None:
        super().__init__()
        self.mark = StatusMark(_MARK, lambda: appearance.palette)
        self.name, self._standing = Elided(), Elided(look="muted")
        self.attempts = AttemptButton(appearance, choose)
        self.name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.name.setMinimumWidth(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(GAPS[2], 0, GAPS[1], 0)
        row.setSpacing(GAPS[1])
        row.addWidget(self.mark)
        row.addWidget(self.name)
        row.addWidget(self._standing, 1)
        row.addWidget(self.attempts)
        row.addWidget(search)
        self.setFixedHeight(_HEAD)

    def show_task(self, task: TaskView, now: float, chosen: int | None) -> None:
        """Show the state of a task.

        Args:
            task: any.
            now: seconds on the engine's clock.
            chosen: the attempt that the user chose; None: none.
        """
        attempts = task.attempts
        self.mark.form = form_of(task)
        self.mark.show()
        self.mark.update()
        self.name.setText(task.title)
        self.name.setMinimumWidth(min(_NAME, self.name.sizeHint().width()))
        self._standing.setText(standing(task, now))
        running = attempts[-1].number if task.is_running and attempts else None
        self.attempts.show_attempts(attempts, chosen, running)

    def clear(self) -> None:
        """Show no task."""
        self.mark.hide()
        self.name.setText("")
        self.name.setMinimumWidth(1)
        self._standing.setText("")
        self.attempts.show_attempts((), None, None)


class OutputPane(QWidget):
    """The Output pane: the end of one attempt's output; earlier lines are read from its file on demand.

    Attributes:
        lines: what is shown, and `view` where.
        search: the field, which Ctrl+F in the lines goes to.
        name, attempts: of the task whose output it is.
        notice: says what is not in memory, and offers it.
        untimed: says that what is shown may have been printed after the moment that is looked back to.
        trouble: says what went wrong.

    Signals:
        pinned(bool): it stays with its task now, whatever is selected, or does not any more.

    Args:
        appearance: the colours.
        selection: of the run; of several selected tasks the current one is shown.
        run: gives the run that is shown; None: there is none.
        clock: gives seconds on the engine's clock.
        hub: what tasks print.
        file_of: gives where an attempt's whole output is.
        open_file: shows a file outside; returns whether that was possible.
        moment: gives the moment that is looked back to, in seconds since 1970; None: the present is shown.
        parent: the widget it lies in.
    """

    pinned = Signal(bool)

    def __init__(
        self,
        appearance: Appearance,
        selection: Selection,
        run: ShownRun,
        clock: Clock,
        hub: OutputHub,
        file_of: FileOf = lambda *_: None,
        open_file: Callable[[Path], bool] = open_with_system,
        moment: Callable[[], float | None] = lambda: None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._appearance, self._selection, self._run, self._clock = appearance, selection, run, clock
        self._open_file, self._moment = open_file, moment
        self._pin: int | None = None
        self._chosen: int | None = None
        """The attempt the user chose; None: the last one, whichever that is."""
        self._is_stale = False
        self.lines = OutputLines(parent=self)
        self.source = OutputSource(self.lines, hub, file_of)
        self.view = OutputView(self.lines, appearance)
        self.search = SearchRow(appearance)
        self.saver = Saver(self.source, self.lines, self)
        self.comparing = OutputComparing(appearance, self._shown_attempt, file_of, self)
        self._head = _Head(appearance, self.choose_attempt, self.search)
        self.name, self.attempts = self._head.name, self._head.attempts
        self.notice, self.untimed, self.trouble = PaneMessageBar(), PaneMessageBar(), PaneMessageBar("wrong")
        self._load_more = self.notice.offer(self.load_earlier)
        self._open_all = self.notice.offer(self.open_whole)
        self.seeking = PaneSearch(self.search, self.view, self.source, self.notice, self.trouble, self)
        self._dismiss = self.trouble.offer(lambda: self.trouble.say(""))
        self._sentence = text(look="muted")
        self._stack = QStackedLayout()
        self._arrange()
        self._connect(hub)
        self._say()
        Restyling(self, appearance, self._apply_theme)

    def _arrange(self) -> None:
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.view.setParent(self)  # a stack without a parent yet would show it as a window
        self._stack.addWidget(self.view)
        self._stack.addWidget(self._sentence)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self._head, line(), self.trouble, self.untimed, self.notice):
            column.addWidget(part)
        column.addLayout(self._stack, 1)
        self.setTabOrder(self.search, self.view)

    def _connect(self, hub: OutputHub) -> None:
        self._selection.changed.connect(self._selected)
        hub.printed.connect(self._hear)
        self.lines.rowsRemoved.connect(self._say_notice)
        self.search.left.connect(self.view.setFocus)
        self.view.input.find_asked.connect(self.search.begin)
        self.view.input.typed.connect(self.search.begin_with)
        self.view.input.step_asked.connect(self.seeking.step)
        self.seeking.changed.connect(self._say_notice)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(lambda at: self.open_menu(self.view.viewport().mapToGlobal(at)))
        self.saver.failed.connect(self.trouble.say)

    # ---- being told

    def on_changes(self, changes: Changes) -> None:
        """Show what has changed; to be connected to a feed of the run."""
        number = self.number
        if changes.everything or changes.edits or changes.second or number is None or number in changes.tasks:
            self.refresh()

    def _hear(self, printed: Printed) -> None:
        of = self.source.of
        if of is None or (of.run_id, of.task_id) not in printed.pieces or self._moment() is not None:
            return  # or what is new came after the moment that is looked back to
        if not self.isVisible():
            self._is_stale = True  # it is read anew when it can be seen
            return
        was_empty = not len(self.lines)
        self.lines.take(printed)
        if was_empty:
            self.refresh()

    def _selected(self) -> None:
        if self._pin is None:
            self._chosen = None
            self.refresh()

    def refresh(self) -> None:
        """Read the run again; the lines stay as long as they are of the same attempt."""
        if not self.isVisible():
            return
        run, number = self._run(), self.number
        if run is None or number is None:
            self._show_nothing(self.tr("Select a task to see what it prints."))
            return
        task = run.task(number)
        attempts = task.attempts
        self._head.show_task(task, self._clock(), self._chosen)
        if not attempts:
            self._show_nothing(fill(self._without_attempt(task), task.title), keeps_head=True)
            return
        shown = next((one for one in attempts if one.number == self._chosen), attempts[-1])
        then = self._moment() if shown.ended is None else None  # what has ended had printed all of it
        self._load(AttemptKey(run.run_id, task.id, shown.number), shown, then)
        silent = self.tr("%1 has printed nothing yet.") if shown.ended is None else self.tr("%1 printed nothing.")
        self._sentence.setText(fill(silent, task.title))
        self._stack.setCurrentIndex(0 if len(self.lines) else 1)
        self._say_notice()

    def _without_attempt(self, task: TaskView) -> str:
        if task.fields is not None and task.fields.gate is not None:
            return self.tr("%1 is a gate: it asks a person and prints nothing.")
        if task.has_ended:
            return self.tr("%1 never ran, so it printed nothing.")
        return self.tr("%1 has not begun. What it prints will appear here.")

    @property
    def number(self) -> int | None:
        """The task that is shown; None: none is."""
        run = self._run()
        if run is None:
            return None
        if self._pin is not None and run.has(self._pin):
            return self._pin
        chosen = self._selection.now
        numbers = there(run, chosen.numbers)
        return chosen.current if chosen.current in numbers else min(numbers, default=None)

    def _shown_attempt(self) -> tuple[TaskView, int] | None:
        run, number, of = self._run(), self.number, self.source.of
        return (run.task(number), of.attempt) if run is not None and number is not None and of is not None else None

    # ---- showing

    def _show_nothing(self, sentence: str, *, keeps_head: bool = False) -> None:
        if self.source.of is not None:
            self.source.forget()
        if not keeps_head:
            self._head.clear()
        self._sentence.setText(sentence)
        self._stack.setCurrentIndex(1)
        self._say_notice()

    def _load(self, of: AttemptKey, attempt: Attempt, then: float | None) -> None:
        before, until = self.source.of, self.source.until
        is_same = then is not None if self.source.is_untimed else then == until
        if of == before and not self._is_stale and is_same:
            return
        if of == before and then is not None and until is not None and then > until:
            self.source.go_on_until(then)
            return
        self._is_stale = False
        self.seeking.forget()
        self.source.load(of, attempt, then)
        if of != before:
            self.view.start_over()
            self.trouble.say("")
        self._say_unread()
        self.seeking.look()  # only now it is known whether there are earlier lines

    def _say_notice(self) -> None:
        """Show how many lines came before the kept ones, and whether some may be later than the shown moment."""
        shows_later = self.source.is_untimed and len(self.lines) > 0
        later = self.tr("Output is not timed: this is all of it, also what was printed after this moment.")
        self.untimed.say(later if shows_later else "")
        earlier = self.source.earlier
        if earlier == 0 or not len(self.lines):
            self.notice.say("")
            return
        is_filed = self.source.path is not None
        self.seeking.look()
        self._load_more.setVisible(is_filed and self.source.can_load)
        self._open_all.setVisible(is_filed)
        if earlier is None:
            kept, lost = self.tr("Earlier lines are in the task's file."), self.tr("Earlier lines were not kept.")
        else:
            kept = self.tr("%n earlier line(s) are in the task's file.", "", earlier)
            lost = self.tr("%n earlier line(s) were not kept.", "", earlier)
        self.notice.say(kept if is_filed else lost)

    def _say_unread(self) -> None:
        error = self.source.trouble
        if error is not None:
            why = error.strerror or str(error)
            self.trouble.say(fill(self.tr("The output file %1 cannot be read: %2."), error.filename or "", why))

    # ---- doing

    def set_pinned(self, pinned: bool) -> None:
        """Stay with the task that is shown whatever is selected, or follow the selection again."""
        pin = self.number if pinned else None
        if pin != self._pin:
            self._pin = pin
            self._chosen = self._chosen if pinned else None
            self.refresh()
        self.pinned.emit(self._pin is not None)

    def choose_attempt(self, attempt: int | None) -> None:
        """Show one of the task's attempts; None: always the last one."""
        self._chosen = attempt
        self.refresh()

    def load_earlier(self) -> None:
        """Load earlier lines above those that are kept."""
        self.trouble.say("")
        self.source.load_earlier()
        self._say_unread()
        self._say_notice()

    def open_whole(self) -> None:
        """Show the whole output in a program of the system's."""
        path = self.source.path
        if path is not None and not self._open_file(path):
            self.trouble.say(fill(self.tr("No program of this system opens %1. The whole output is there."), path))

    def copy_all(self) -> None:
        """Copy all kept lines to the clipboard."""
        QGuiApplication.clipboard().setText(self.lines.text())

    def open_menu(self, at: QPoint) -> QMenu:
        """Show the menu of the lines at a screen position."""
        menu = lines_menu(self, self._appearance.palette)
        menu.popup(at)
        return menu

    # ---- looks

    def _say(self) -> None:
        self.setAccessibleName(self.tr("Output"))
        self.view.setAccessibleName(self.tr("Output"))
        self._load_more.setText(self.tr("Load earlier lines"))
        self._open_all.setText(self.tr("Open the whole file"))
        self._dismiss.setText(self.tr("Dismiss"))

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(output_sheet(palette))
        self._head.mark.update()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == event.Type.LanguageChange:
            self._say()
            self.refresh()
        super().changeEvent(event)
