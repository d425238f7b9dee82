"""The dialog with what a run's edits would change in its plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom_gui.diff.plan_difference_words import rows_of
from starloom_gui.text.words import fill
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.question import WIDTH, Choice, Choices
from starloom_gui.widgets.rows import ListRow, RowList

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.diff.plan_difference import Difference
    from starloom_gui.theme.appearance import Appearance

COPY, APPLY = "copy", "apply"


class ChangePlurals(QObject):
    """Counts of changes."""

    def apply(self, count: int) -> str:
        """The button that makes so many changes."""
        return self.tr("Apply %n change(s)", "", count)


class ChangesDialog(Dialog):
    """Shows the difference between two plans; the answer is `apply`, or none.

    Args:
        appearance: the colours.
        changes: what would be done.
        plan: the title of the plan it would be done to.
        run: the title of the run it comes from.
        parent: a widget of the window.
    """

    def __init__(
        self, appearance: Appearance, changes: Difference, plan: str, run: str, parent: QWidget | None = None
    ) -> None:
        lines = [ListRow(row.sign.value, row.title, row.lines) for row in rows_of(changes)]
        title = fill(self.tr("Apply to plan “%1”"), plan)
        self.rows = RowList(appearance, lines, title)
        sentence = self.tr(
            "These edits of “%1” would be carried over to the plan. The run stays as it is; "
            "the plan's file changes only when you save it."
        )
        super().__init__(appearance, title, "", width=WIDTH, parent=parent)
        choices = [
            Choice(COPY, self.tr("Copy text"), is_apart=True),
            Choice("", self.tr("Cancel")),
            Choice(APPLY, ChangePlurals().apply(len(changes)), is_default=True),
        ]
        self.choices = Choices(self, fill(sentence, run), choices, self.rows, self._chosen)

    def _chosen(self, key: str) -> None:
        if key == COPY:
            self.rows.clearSelection()
            self.rows.copy()
        else:
            self.choices.answer(key)
