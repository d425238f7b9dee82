"""Counts by status in the inspector: they change with every frame of a run, and nothing is laid out anew for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel

from starloom_gui.panels.summary import CountsSection, StackedBar

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance


def words_of(section: CountsSection) -> list[str]:
    """What stands in the rows, one row after the other."""
    return [words for label in section.findChildren(QLabel) if (words := label.text())][1:]


def test_counts_change_where_they_stand(app: QApplication, appearance: Appearance) -> None:
    section = CountsSection(lambda: appearance.palette)
    section.show_counts("Tasks by status", (1, 0, 2, 3, 0, 0, 0, 0, 0), [("Revision", "4")])
    section.show()
    made, bar = list(section.findChildren(QLabel)), section.findChild(StackedBar)
    assert bar is not None
    before = bar.grab().toImage()
    section.show_counts("Tasks by status", (1, 0, 1, 4, 0, 0, 0, 0, 0), [("Revision", "5")])
    assert list(section.findChildren(QLabel)) == made, "labels made anew have the whole pane laid out anew"
    assert words_of(section) == ["Done", "4", "Running", "1", "Waiting", "1", "Revision", "5"]
    assert bar.grab().toImage() != before
    section.close()
    section.deleteLater()


def test_another_status_gets_a_row_of_its_own(app: QApplication, appearance: Appearance) -> None:
    section = CountsSection(lambda: appearance.palette)
    section.show_counts("Tasks by status", (5, 0, 0, 0, 0, 0, 0, 0, 0))
    section.show_counts("Tasks by status", (0, 0, 1, 3, 1, 0, 0, 0, 0))
    assert words_of(section)[-6:] == ["Done", "3", "Failed", "1", "Running", "1"]
    section.show_counts("Tasks by status", (0, 0, 0, 0, 0, 0, 0, 0, 0), [("Tasks", "0")])
    assert words_of(section)[-2:] == ["Tasks", "0"]
    section.deleteLater()
