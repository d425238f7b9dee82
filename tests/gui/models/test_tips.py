"""Tooltips say what others wrote as it stands: nothing of it is taken for markup."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtGui import Qt as Gui
from PySide6.QtGui import QTextDocument
from tests.driver import Driver, plan, task

from starloom_gui.models.outline import Outline
from starloom_gui.models.task_table import TaskTable
from starloom_gui.text.words import tip

pytestmark = pytest.mark.usefixtures("app")

MARKUP = '<img src="file:///etc/hostname"><b>bold</b> & <i>more</i>'


def said(tooltip: str) -> str:
    """What is read of a tooltip, as Qt shows it."""
    if not Gui.mightBeRichText(tooltip):
        return tooltip
    document = QTextDocument()
    document.setHtml(tooltip)
    return document.toPlainText()


@pytest.mark.parametrize("text", [MARKUP, "a < b > c", "plain", "two\n  lines <b>", ""])
def test_a_tip_says_what_it_was_given(text: str):
    assert said(tip(text)) == text


@pytest.mark.parametrize("kind", [Outline, TaskTable])
def test_a_task_called_by_markup_is_called_so_in_tooltips(kind: type[QAbstractItemModel]):
    driver = Driver()
    driver.create(plan([task("a", name=MARKUP)], []))
    model: QAbstractItemModel = kind(driver.run, lambda: 0.0)  # type: ignore[call-arg, arg-type]
    tips = [data for row in every(model) if (data := row.data(Qt.ItemDataRole.ToolTipRole))]
    assert any(MARKUP in said(one) for one in tips)
    assert not any("bold</b>" in one for one in tips)


def every(model: QAbstractItemModel, parent: QModelIndex | None = None) -> list[QModelIndex]:
    """All cells of a model."""
    parent = parent or QModelIndex()
    found = []
    for row in range(model.rowCount(parent)):
        for column in range(model.columnCount(parent)):
            found.append(model.index(row, column, parent))
        found += every(model, model.index(row, 0, parent))
    return found
