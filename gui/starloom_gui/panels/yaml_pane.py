"""The pane that shows the selection as YAML of a plan file, to be read and copied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget
from typing_extensions import override

from starloom.errors import PlanError
from starloom.formats.native_writer import plan_value, task_value, usual_fields
from starloom.formats.yaml_writer import to_yaml
from starloom.scheduling.read.as_steered import as_steered
from starloom_gui.editing.words import problems_words
from starloom_gui.text.words import amount, fill, tasks, tip
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import GAPS, NARROW_INSPECTOR_WIDTH
from starloom_gui.viewmodel.keys import Scope, shown
from starloom_gui.viewmodel.selection import there
from starloom_gui.widgets.controls import MARGIN, Elided, button, mark, sheet, text
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QShowEvent

    from starloom.model.plan import Plan
    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.roles import ShownRun
    from starloom_gui.viewmodel.selection import Selection

MOST_TASKS: Final = 200
"""So many tasks are shown at most: more are hardly read, and would take time at each change."""


class YamlPane(QWidget):
    """Shows the selected tasks, or the whole plan without a selection, as a plan file. The text is read-only.

    Attributes:
        view: the text.
        copy: puts the text on the clipboard.

    Args:
        appearance: the colours.
        selection: of the run or plan.
        run: gives the run or plan with the staged edits; None: there is none.
        head: gives the properties of the plan; its tasks are taken from the run.
        parent: the widget it lies in.
    """

    def __init__(
        self,
        appearance: Appearance,
        selection: Selection,
        run: ShownRun,
        head: Callable[[RunView], Plan],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._appearance, self._selection, self._run, self._head = appearance, selection, run, head
        self._priorities = b""
        self._said = Elided("", Role.SMALL, "muted", ends=True)
        self._fixed = text(role=Role.SMALL, look="muted")
        self.copy = button("", height=24)
        self.view = QPlainTextEdit()
        self._arrange()
        self.copy.clicked.connect(lambda _=False: QGuiApplication.clipboard().setText(self.view.toPlainText()))
        selection.changed.connect(lambda _now: self.refresh())
        Restyling(self, appearance, self._apply_theme)

    def _arrange(self) -> None:
        self.setObjectName("pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumWidth(NARROW_INSPECTOR_WIDTH - GAPS[4])
        mark(self.copy, "flat")
        self.view.setReadOnly(True)
        self.view.setCursorWidth(0)  # one that blinks says that one may type; what is selected by keys is seen without
        self.view.setTabChangesFocus(True)
        self.view.setFont(font(Role.MONOSPACE))
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.view.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFocusProxy(self.view)
        top = QHBoxLayout()
        top.addWidget(self._said, 1)
        top.addWidget(self.copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, GAPS[1], MARGIN, GAPS[2])
        column.setSpacing(GAPS[0])
        column.addLayout(top)
        column.addWidget(self._fixed)
        column.addWidget(self.view, 1)

    # ---- being told

    def on_changes(self, changes: Changes) -> None:
        """Show what has changed; to be connected to a feed of the run."""
        if changes.everything or changes.edits or changes.run or (changes.tasks and self._has_other_priorities()):
            self.refresh()

    def _has_other_priorities(self) -> bool:
        run = self._run()
        return run is not None and bytes(run.facts.priority) != self._priorities

    def refresh(self) -> None:
        """Update the text, if the pane is visible; an equal text is left alone."""
        if not self.isVisible():
            return
        run = self._run()
        chosen = sorted(there(run, self._selection.now.numbers)) if run is not None else []
        if run is None:
            self._show(self.tr("Nothing is open."), "")
            return
        self._priorities = bytes(run.facts.priority)
        numbers = chosen or [number for number, _ in run.graph.present()]
        try:
            written = self._written(run, numbers[:MOST_TASKS], is_plan=not chosen)
        except PlanError as error:
            self._show(problems_words(error.problems), "")
            return
        said = tasks(len(numbers)) if chosen else self.tr("The whole plan")
        if len(numbers) > MOST_TASKS:
            said = fill(self.tr("The first %1 of %2"), amount(MOST_TASKS), tasks(len(numbers)))
        self._show(said, written)

    def _written(self, run: RunView, numbers: Iterable[int], *, is_plan: bool) -> str:
        head = self._head(run).edited((), ())
        usual = usual_fields(head.defaults)
        listed = [_task(run, number, usual) for number in numbers]
        return to_yaml({**plan_value(head), "tasks": listed} if is_plan else {"tasks": listed})

    def _show(self, said: str, written: str) -> None:
        self._said.setText(said)
        self.copy.setEnabled(bool(written))
        if written != self.view.toPlainText():
            bar = self.view.verticalScrollBar()
            at = bar.value()
            self.view.setPlainText(written)
            bar.setValue(at)

    # ---- looks and words

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(sheet(palette))
        self.copy.setIcon(icon(Icon.COPY, palette))
        self._say()

    def _say(self) -> None:
        fixed = fill(self.tr("Read-only: edit in the Inspector (%1)."), shown(Scope.WINDOW, "pane_inspector"))
        self._fixed.setText(fixed)
        self.view.setAccessibleName(self.tr("What is selected, as YAML"))
        self.view.setAccessibleDescription(fixed)
        self.view.setToolTip(tip(fixed))
        self.copy.setText(self.tr("Copy"))
        self.copy.setToolTip(self.tr("Copy this text, e.g. into a plan file"))
        self.refresh()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == event.Type.LanguageChange:
            self._say()
        super().changeEvent(event)


def _task(run: RunView, number: int, usual: Mapping[str, Any]) -> dict[str, Any]:
    """A task with its dependencies, as a mapping."""
    graph, task = run.graph, as_steered(run.facts, number)
    return task_value(task, [graph.dependency(parent, number) for parent in sorted(graph.parents[number])], usual)
