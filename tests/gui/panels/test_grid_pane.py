"""The grid of a plan's last runs: its cells, flags and heads, keys and clicks, and the run that goes on."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from tests.driver import task
from tests.gui.theme.test_palette import contrast
from tests.unit.reporting.plan_runs import column, ran

from starloom.reporting.run_digest import RunDigest
from starloom.scheduling.commands import CancelRun
from starloom.scheduling.state.codes import FAILED, RUNNING
from starloom_gui.gateway.changes import Changes
from starloom_gui.gateway.plan_runs import PlanReading, PlanRuns
from starloom_gui.panels.grid.corner import GridCorner
from starloom_gui.panels.grid.pane import GridPane
from starloom_gui.panels.grid.rows import GridOrder
from starloom_gui.panels.grid.shades import BOUNDS, shade_ink, shade_of
from starloom_gui.theme.palette import DARK, LIGHT, Palette
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.roles import ItemRole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QApplication

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.panels.grid.table import GridSpot
    from starloom_gui.theme.appearance import Appearance

FOREVER = float("inf")


class GridBench:
    """A grid in a window, over a store that has been read."""

    def __init__(
        self,
        app: QApplication,
        appearance: Appearance,
        columns: Sequence[RunDigest] = (),
        live: RunFacts | None = None,
        plan: str = "nightly",
    ) -> None:
        self.app, self.store = app, PlanRuns()
        self.store._readings[plan] = PlanReading(list(columns), is_over=True, is_whole=True)
        self.live = [] if live is None else [live]
        own = "" if live is None else live.run_id
        names = {"r8": "nightly · 2"}
        name_of = lambda run_id, name: names.get(run_id) or name or run_id  # noqa: E731
        self.pane = GridPane(lambda: plan, lambda: self.live, self.store, appearance, name_of, own)
        self.corner = GridCorner(self.pane, appearance)
        self.grid, self.rows = self.pane.grid, self.pane.rows
        self.spots: list[GridSpot] = []
        self.pane.opened.connect(self.spots.append)
        self.pane.resize(900, 300)
        self.pane.show()
        self.pane._update()
        app.processEvents()

    def forms(self) -> list[list[StatusForm | None]]:
        shape = range(self.rows.rowCount()), range(self.rows.columnCount())
        return [[self.rows.index(row, at).data(ItemRole.CODE) for at in shape[1]] for row in shape[0]]

    def said(self, row: int, at: int) -> str:
        found: str = self.rows.index(row, at).data(Qt.ItemDataRole.AccessibleTextRole)
        return found

    def names(self) -> list[Any]:
        vertical = Qt.Orientation.Vertical
        return [self.rows.headerData(row, vertical, Qt.ItemDataRole.DisplayRole) for row in range(self.rows.rowCount())]

    def press(self, *keys: Qt.Key, modifiers: Any = Qt.KeyboardModifier.NoModifier) -> tuple[int, int]:
        for key in keys:
            QTest.keyClick(self.grid, key, modifiers)
        return self.grid.currentIndex().row(), self.grid.currentIndex().column()


def four() -> list[RunDigest]:
    """Four runs in which one task fails once and one gets slower."""
    return [
        column(number, {"fetch": 4.0, "build": 10.0 if number < 4 else 30.0, "ship": 2.0}, fails=fails)
        for number, fails in enumerate(([], ["ship"], [], [], []))
    ]


def test_rows_are_tasks_and_columns_runs_with_what_is_told_of_both(app: QApplication, appearance: Appearance) -> None:
    bench = GridBench(app, appearance, four())
    done, failed = StatusForm.COMPLETED, StatusForm.FAILED
    assert bench.names() == ["fetch", "build", "ship"]
    assert bench.forms() == [[done] * 5, [done] * 5, [done, failed, done, done, done]]
    assert bench.grid.currentIndex().column() == 4, "the cursor begins at the newest run"
    said = bench.said(1, 4)
    assert all(part in said for part in ("build", "Done", "0:30", "3.0× its usual 0:10", "On lab-1")), said
    assert "It exited with 1." in bench.said(2, 1)
    tip = bench.rows.headerData(1, Qt.Orientation.Vertical, Qt.ItemDataRole.ToolTipRole)
    assert "Slower: took 0:30 last, and 0:10 in the median of 4 runs before" in tip
    assert "from 4 earlier runs on, at least 1.5× and 1.0 s longer" in tip
    tip = bench.rows.headerData(2, Qt.Orientation.Vertical, Qt.ItemDataRole.ToolTipRole)
    assert "Flaky: failed or was retried in 1 of 5 runs" in tip
    assert "1 flaky" in bench.pane.foot.text()
    assert "1 slower" in bench.pane.foot.text()


def test_keys_move_one_cell_find_tasks_and_open_the_run_at_the_task(app: QApplication, appearance: Appearance) -> None:
    bench = GridBench(app, appearance, four())
    assert bench.press(Qt.Key.Key_Down, Qt.Key.Key_Left) == (1, 3)
    assert bench.press(Qt.Key.Key_Home) == (1, 0)
    assert bench.press(Qt.Key.Key_End) == (1, 4)
    assert bench.press(Qt.Key.Key_Home, modifiers=Qt.KeyboardModifier.ControlModifier)[0] == 0
    QTest.keyClicks(bench.grid, "shi")
    assert bench.grid.currentIndex().row() == 2
    assert not bench.spots, "letters find, and nothing else"
    QTest.keyClick(bench.grid, Qt.Key.Key_Return)
    bench.press(Qt.Key.Key_Return)
    assert [(one.run_id, one.task_id) for one in bench.spots] == [("r0", "ship")]


def test_a_click_opens_a_task_of_a_run_that_had_it(app: QApplication, appearance: Appearance) -> None:
    columns = [*four(), column(5, {"fetch": 4.0, "new": 1.0})]
    bench = GridBench(app, appearance, columns)
    assert bench.names() == ["fetch", "new", "build", "ship"]
    for row, at in ((1, 0), (2, 5), (2, 1)):
        place = bench.grid.visualRect(bench.rows.index(row, at)).center()
        QTest.mouseClick(bench.grid.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert (bench.grid.currentIndex().row(), bench.grid.currentIndex().column()) == (row, at)
    assert [(one.run_id, one.task_id) for one in bench.spots] == [("r1", "build")]
    assert "This run had no such task." in bench.said(1, 0)
    tip = bench.rows.headerData(2, Qt.Orientation.Vertical, Qt.ItemDataRole.ToolTipRole)
    assert "Not in the newest run" in tip


def test_flags_filter_and_sort(app: QApplication, appearance: Appearance) -> None:
    bench = GridBench(app, appearance, four())
    bench.grid.go_to("r2", "ship")
    bench.corner.flaky.click()
    assert bench.names() == ["ship"]
    assert bench.grid.spot() == ("r2", "nightly", "", "ship"), "the cursor stays at its cell"
    bench.corner.slower.click()
    assert bench.names() == ["build", "ship"]
    bench.pane.arrange(GridOrder.FLAKY, frozenset())
    assert bench.names() == ["ship", "fetch", "build"]
    assert not bench.corner.flaky.isChecked()
    bench.pane.arrange(GridOrder.NAME)
    assert bench.names() == ["build", "fetch", "ship"]


def test_a_filter_that_nothing_fits_says_so_and_can_be_taken_off(app: QApplication, appearance: Appearance) -> None:
    bench = GridBench(app, appearance, four()[2:4])
    bench.corner.flaky.click()
    assert bench.pane._none.isVisible()
    bench.pane._clear.click()
    assert bench.grid.isVisible()
    assert not bench.corner.flaky.isChecked()


def test_the_run_that_goes_on_is_the_last_column_and_is_kept_up_to_date(
    app: QApplication, appearance: Appearance
) -> None:
    seconds = {"fetch": 4.0, "build": FOREVER, "ship": 2.0}
    driver = ran(7, seconds, tasks=[task("fetch"), task("build"), task("ship")])
    run = driver.run("r7")
    bench = GridBench(app, appearance, four(), run)
    place = run.graph.place["build"]
    assert [bench.forms()[row][5].value for row in range(3)][1] == RUNNING  # type: ignore[union-attr]
    assert bench.grid.runs.own == "r7"
    resets: list[object] = []
    bench.rows.modelReset.connect(lambda: resets.append(0))
    driver.fail("build", "r7")
    bench.pane.on_changes(Changes(run_id="r7", tasks=frozenset({place})))
    bench.pane._update()
    assert bench.forms()[1][5] == FAILED
    driver.ask(CancelRun, run_id="r7")
    bench.pane.on_changes(Changes(run_id="r7", run=True))
    bench.pane._update()
    assert bench.rows.column(5).state == str(run.state)
    assert not resets, "the rows stay where they are"
    bench.live.clear()
    bench.pane._update()
    assert bench.rows.columnCount() == 6, "it stays when the engine forgets it"


def test_runs_that_cannot_be_read_say_so(app: QApplication, appearance: Appearance) -> None:
    lost = [RunDigest(run_id=one, state="unreadable", trouble="It is damaged.") for one in ("r8", "r9")]
    bench = GridBench(app, appearance, [*four(), *lost])
    tips = [
        bench.rows.headerData(at, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        for at in range(bench.rows.columnCount())
    ]
    assert [tip for tip in tips if "It is damaged." in tip] == ["nightly · 2\nUnreadable\nIt is damaged."]
    assert "cannot be read" in bench.pane.foot.text(), "of the other one nobody knows the plan"


def test_without_runs_or_a_name_a_sentence_says_why(app: QApplication, appearance: Appearance) -> None:
    bench = GridBench(app, appearance)
    assert bench.pane._nothing.text().startswith("No runs of this plan yet.")
    asked: list[object] = []
    bench.pane.start_asked.connect(lambda: asked.append(0))
    bench.pane._start.click()
    assert asked
    unnamed = GridBench(app, appearance, plan="plan")
    assert "has no name" in unnamed.pane._nothing.text()


def test_all_of_it_is_copied_as_csv(app: QApplication, appearance: Appearance) -> None:
    bench = GridBench(app, appearance, four())
    bench.press(Qt.Key.Key_C, modifiers=Qt.KeyboardModifier.ControlModifier)
    lines = list(csv.DictReader(io.StringIO(QGuiApplication.clipboard().text())))
    assert len(lines) == 15
    failed = next(line for line in lines if line["status"] == "failed")
    assert (failed["task"], failed["run"], failed["device"]) == ("ship", "r1", "lab-1")
    assert failed["error"] == "It exited with 1."
    assert {line["seconds"] for line in lines if line["task"] == "build"} == {"10.0", "30.0"}


def test_the_menu_offers_what_keys_do(app: QApplication, appearance: Appearance) -> None:
    bench = GridBench(app, appearance, four())
    menu = bench.pane._open_menu(QPoint(0, 0))
    said = [action.text().partition("\t")[0] for action in menu.actions() if action.text()]
    assert said[:4] == ["Open this run at this task", "Compare this run with…", "Copy as CSV", "Read again"]
    asked: list[GridSpot] = []
    bench.pane.compare_asked.connect(asked.append)
    menu.actions()[1].trigger()
    menu.close()
    assert [one.run_id for one in asked] == ["r4"]


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_the_tick_can_be_told_from_every_shade(palette: Palette) -> None:
    inks = [shade_ink(shade, palette) for shade in range(len(BOUNDS) + 1)]
    assert all(contrast(ink.shape, ink.text) >= 3.0 for ink in inks)
    assert len({ink.shape for ink in inks}) == len(inks)
    assert [shade_of(ratio) for ratio in (0.1, 0.7, None, 1.2, 1.9, 9.0)] == [0, 1, 2, 2, 3, 4]
