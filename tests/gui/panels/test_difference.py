"""The list of what differs between a run and a plan: very many rows, and what cannot be done says why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from tests.driver import Driver, plan, task

from starloom_gui.diff.diff_overlay import DiffOverlay
from starloom_gui.diff.plan_diff import ComparedPlan
from starloom_gui.diff.plan_difference_words import counted
from starloom_gui.panels.difference import MOST_ROWS, DifferencePane
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.viewmodel.staged_overlay import StagedOverlay


class Compared(QObject):
    """A comparison that was made elsewhere."""

    changed = Signal()

    def __init__(self, apart: DiffOverlay, beside: ComparedPlan) -> None:
        super().__init__()
        self.apart, self.beside = apart, beside

    @property
    def ghosts(self) -> StagedOverlay:
        return self.apart.ghosts

    def stop(self) -> bool:
        return True


def test_of_very_many_rows_the_first_are_listed_and_the_rest_is_counted(app: QApplication, appearance: Appearance):
    count = MOST_ROWS + 500
    ids = [f"t{number}" for number in range(count)]
    driver = Driver(slots=1, checked=False)
    run = driver.create(plan([task(id, timeout=5) for id in ids]))
    made = DiffOverlay(run, plan(ids))
    against, selection = (
        Compared(made, ComparedPlan(plan(ids), "p", lambda: Verdict(False, "No.", "Do so."))),
        Selection(),
    )
    pane = DifferencePane(against, lambda: False, appearance, selection)  # type: ignore[arg-type]  # as one is
    pane.show()
    app.processEvents()
    assert counted(made.found) == f"{count} changed"
    assert len(pane.rows.lines) == MOST_ROWS + 1
    assert pane.rows.lines[-1].title == "and 500 more"
    pane.rows.selectAll()
    assert len(selection.now.numbers) == MOST_ROWS
    assert not pane.apply.isEnabled()
    assert pane.apply.toolTip() == "No. Do so."


def test_rows_stay_where_they_are_while_others_come(app: QApplication, appearance: Appearance):
    driver = Driver(slots=1, checked=False)
    before = plan(["a", "b", "c"])
    run = driver.create(plan(["a", task("b", timeout=5), task("c", timeout=5)]))
    against = Compared(DiffOverlay(run, before), ComparedPlan(before, "p", lambda: Verdict(True)))
    pane = DifferencePane(against, lambda: False, appearance, Selection())  # type: ignore[arg-type]  # as one is
    pane.show()
    app.processEvents()
    pane.rows.setCurrentIndex(pane.rows.model().index(1, 0))
    against.apart = DiffOverlay(run, plan([task("a", timeout=9), "b", "c"]))
    against.changed.emit()
    assert [line.title for line in pane.rows.lines] == ["a", "b", "c"]
    assert pane.rows.currentIndex().row() == 2, "the keyboard is still on c"
