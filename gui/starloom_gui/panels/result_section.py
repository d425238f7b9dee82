"""The inspector's part with the value that a task has returned."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout

from starloom_gui.panels.sections import Section
from starloom_gui.text.words import fill, tip
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.viewmodel.result_words import value_page, value_text
from starloom_gui.widgets.controls import Elided, button, mark

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QPushButton

    from starloom.scheduling.read.run_view import TaskView


class ResultSection(Section):
    """The value of a task that has ended in one line, with buttons that copy it and open all of it; else hidden.

    Signals:
        large_asked(str, str): the user wants to read the whole of it; with a title and the text.
    """

    large_asked = Signal(str, str)
    hides_when_empty = True

    def show_result(self, task: TaskView) -> None:
        """Show the value of a task."""
        result = task.result if task.has_ended else None
        self.setVisible(result is not None and result.value is not None)
        self.title(self.tr("Result"))
        if result is None or result.value is None or not self.has_new(task.title, result):
            return
        words = value_text(result.value)
        whole = value_page(result.value)
        row = QHBoxLayout()
        row.setSpacing(4)
        value = Elided(words, Role.MONOSPACE)
        value.setAccessibleName(fill(self.tr("Result: %1"), words))
        value.setToolTip(tip(words))
        row.addWidget(value, 1)
        title = fill(self.tr("Result of %1"), task.title)
        row.addWidget(self._act(Icon.COPY, self.tr("Copy the result as text"), partial(_copy, whole)))
        row.addWidget(
            self._act(Icon.FILE, self.tr("Show the whole result"), partial(self.large_asked.emit, title, whole))
        )
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
