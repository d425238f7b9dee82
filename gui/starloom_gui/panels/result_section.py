"""The inspector's part with what came of a task: the value it returned, or its error."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout

from starloom_gui.panels.sections import Section
from starloom_gui.panels.task_facts import error_line, is_told_by_output, result_text
from starloom_gui.text.words import fill, tip
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.viewmodel.result_words import value_page, value_text
from starloom_gui.widgets.controls import Elided, button, mark, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QPushButton

    from starloom.scheduling.read.run_view import TaskView


class ResultSection(Section):
    """What came of a task that has ended in one line, with buttons that copy it and open all of it; else hidden.

    Of a failed one that is its error, a sentence that wraps or the line of its output that says why; else the value it
    returned.

    Signals:
        large_asked(str, str): the user wants to read the whole of it; with a title and the text.
    """

    large_asked = Signal(str, str)
    hides_when_empty = True

    def show_result(self, task: TaskView) -> None:
        """Show what came of a task."""
        result = task.result if task.has_ended else None
        is_error = result is not None and result.has_failed and result.error is not None
        shows = result is not None and (is_error or result.value not in (None, ""))
        self.setVisible(shows)
        self.title(self.tr("Error") if is_error else self.tr("Result"))
        if result is None or not shows or not self.has_new(task.title, result):
            return
        if is_error:
            line, whole = error_line(result), result_text(result)
            name, title = self.tr("Error: %1"), fill(self.tr("Error of %1"), task.title)
            copy, opens = self.tr("Copy the error as text"), self.tr("Show the whole error")
        else:
            line, whole = value_text(result.value), value_page(result.value)
            name, title = self.tr("Result: %1"), fill(self.tr("Result of %1"), task.title)
            copy, opens = self.tr("Copy the result as text"), self.tr("Show the whole result")
        row = QHBoxLayout()
        row.setSpacing(4)
        is_sentence = is_error and not is_told_by_output(result)
        value = text(line) if is_sentence else Elided(line, Role.MONOSPACE)
        value.setAccessibleName(fill(name, line))
        value.setToolTip(tip(line))
        row.addWidget(value, 1)
        row.addWidget(self._act(Icon.COPY, copy, partial(_copy, whole)))
        row.addWidget(self._act(Icon.FILE, opens, partial(self.large_asked.emit, title, whole)))
        self.rows.addLayout(row)

    def _act(self, shape: Icon, words: str, act: Callable[[], object]) -> QPushButton:
        """Return a button of the row, with its name as tooltip."""
        made = button("", height=20)
        made.setFixedWidth(24)
        mark(made, "flat")
        made.setIcon(icon(shape, self.colours()))
        made.setIconSize(QSize(16, 16))
        made.setToolTip(words)
        made.setAccessibleName(words)
        made.clicked.connect(lambda: act())
        return made


def _copy(words: str) -> None:
    QGuiApplication.clipboard().setText(words)
