"""A run beside an earlier one in the whole console: chosen, read, shown everywhere, and gone with one action."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, small, started
from tests.gui.composition.test_history import directory
from tests.gui.composition.test_history import shown as history_shown
from tests.gui.composition.test_time_travel import looking_back, settled
from tests.gui.engines import orchestrator_of
from tests.waiting import until
from typing_extensions import override

from starloom.journal.base import JournalError
from starloom.journal.names import JOURNAL
from starloom.journal.recording import Recording, RecordingPart
from starloom.model.status import RunState
from starloom.scheduling.state.codes import COMPLETED
from starloom_gui.documents.document import RunTab
from starloom_gui.models.task_cells import COMPARED, TaskColumn
from starloom_gui.theme.metrics import LANE
from starloom_gui.workspace import recorded

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.composition.console import Console
    from starloom_gui.history.compare_dialog import CompareDialog
    from starloom_gui.panels.compared_bar import ComparedStrip
    from starloom_gui.panels.inspector import Inspector
    from starloom_gui.panels.tasks import TasksPanel

BOX = 26
"""Pixels of a check box and the gaps beside it."""

pytestmark = pytest.mark.usefixtures("app")
__all__ = ["directory"]


async def ran(console: Console, seconds: float = 0.01) -> str:
    """A run of the small plan that has ended; its id."""
    tab = await started(console, small(seconds=seconds))
    await orchestrator_of(console).run(tab.run_id).finished()
    await at_rest(console)
    return tab.run_id


async def another(console: Console, seconds: float = LONG) -> str:
    """Another run of the same plan, in front, which goes on; its id."""
    console.documents.close(console.documents.front.key) if console.documents.front is not None else None
    tab = await started(console, small(seconds=seconds))
    await until(lambda: orchestrator_of(console).run(tab.run_id).state is RunState.EXECUTING)
    await at_rest(console)
    return tab.run_id


async def offered(console: Console) -> CompareDialog:
    console.actions["compare"].trigger()
    await console.window_actions.controllers.baseline.settled()
    dialog = console.window_actions.controllers.baseline.dialog
    assert dialog is not None
    return dialog


def names(dialog: CompareDialog) -> list[str]:
    return [dialog.grid.record(row).run_id for row in range(dialog.grid.shown.rowCount())]


async def compared(console: Console) -> None:
    """Compare the run in front with the newest of the same plan."""
    dialog = await offered(console)
    QTest.keyClick(dialog.search, Qt.Key.Key_Return)
    await console.window_actions.controllers.baseline.settled()


def strip_of(console: Console) -> ComparedStrip:
    strip: ComparedStrip = front(console).compared._strip
    return strip


def tasks_of(console: Console) -> TasksPanel:
    panel: TasksPanel = front(console).views["tasks"].widget
    return panel


def test_a_run_is_laid_beside_the_last_one_of_its_plan_until_one_action_ends_it(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            old = await ran(console)
            new = await another(console)
            dialog = await offered(console)
            assert names(dialog) == [old], "the run itself is not offered"
            assert dialog.same.isChecked()
            name = QFontMetricsF(dialog.same.font()).horizontalAdvance(dialog.same.text())
            assert dialog.same.width() >= name + BOX, "the plan's name is whole"
            QTest.keyClick(dialog.search, Qt.Key.Key_Return)
            await console.window_actions.controllers.baseline.settled()
            view = front(console)
            assert view.source.run_id == new
            earlier = view.compared.earlier
            assert earlier is not None
            assert earlier.run.run_id == old
            assert view.timeline.model.ghosts(0).size == 3, "the only lane in which anything ran"
            assert strip_of(console).isVisible()
            assert "done by now" in strip_of(console).said
            view.selection.select(0)
            inspector: Inspector = view.views["inspector"].widget
            inspector.refresh()
            assert inspector.compared.isVisible()
            assert [cell.text() for cell in inspector.compared._cells[0]][:2] == ["Done", "Running"]
            head = tasks_of(console).grid.head
            assert set(head.shown()) >= COMPARED
            head.setSortIndicator(TaskColumn.LONGER, Qt.SortOrder.DescendingOrder)
            await until(console.actions["compare_off"].isEnabled)
            console.actions["compare_off"].trigger()
            assert view.compared.earlier is None
            assert view.timeline.model.earlier is None
            assert view.timeline.geometry_now().lane == LANE
            assert not strip_of(console).isVisible()
            assert COMPARED.isdisjoint(head.shown())
            assert head.sortIndicatorSection() == -1
            console.actions.refresh()
            assert not console.actions["compare_off"].isEnabled()
            assert "not compared" in console.actions["compare_off"].toolTip()

    desktop.run(main)


def test_runs_are_offered_as_their_tabs_are_called(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            for _ in range(2):
                await ran(console)
            await another(console)
            dialog = await offered(console)
            assert [dialog.grid.record(row).name for row in range(2)] == ["small · 2", "small"]
            dialog.reject()

    desktop.run(main)


def test_later_runs_are_not_offered(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            first = await ran(console)
            second = await another(console)
            await another(console)
            console.documents.put_run(second, title="second")
            await until(lambda: front(console).source.run_id == second)
            dialog = await offered(console)
            assert names(dialog) == [first]
            dialog.reject()

    desktop.run(main)


def test_the_timelines_button_begins_and_ends_it(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await ran(console)
            await another(console)
            button = front(console).views["timeline"].corner.compare  # type: ignore[union-attr]
            button.click()
            assert not button.isChecked(), "nothing is compared before a run is chosen"
            await console.window_actions.controllers.baseline.settled()
            dialog = console.window_actions.controllers.baseline.dialog
            assert dialog is not None
            dialog.do()
            await console.window_actions.controllers.baseline.settled()
            assert button.isChecked()
            button.click()
            assert front(console).compared.earlier is None
            assert not button.isChecked()
            assert console.window_actions.controllers.baseline.dialog is None

    desktop.run(main)


def test_runs_of_other_plans_are_offered_where_there_is_none_of_the_same(desktop: Desktop, directory: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await another(console)
            dialog = await offered(console)
            assert not dialog.same.isChecked()
            assert sorted(names(dialog)) == ["r1", "r2"]
            dialog.same.click()
            assert names(dialog) == []
            assert "small" in dialog.runs.sentence.text()
            assert not dialog.default.isEnabled()
            dialog.same.click()
            dialog.search.setText("nothing like that")
            assert dialog.runs.sentence.text() == "No run holds what you search for."
            dialog.reject()
            assert front(console).compared.earlier is None

    desktop.run(main)


def test_what_cannot_be_compared_with_says_why(desktop: Desktop, directory: Path) -> None:
    broken = directory / "runs" / "broken"
    broken.mkdir()
    (broken / JOURNAL).write_bytes(b"no journal " * 1000)

    async def main() -> None:
        async with desktop.console() as console:
            await another(console)
            dialog = await offered(console)
            row = names(dialog).index("broken")
            dialog.grid.selectRow(row)
            assert dialog.reason == "Its journal cannot be read."
            assert dialog._about.text() == dialog.grid.record(row).trouble
            assert dialog._about.text()
            dialog.do()
            assert console.window_actions.controllers.baseline.dialog is dialog, "it stays until a run is chosen"
            dialog.reject()

    desktop.run(main)


class Spoilt(Recording):
    """A journal whose last turn is damaged, though its list entry comes from a checkpoint and knows nothing of that."""

    @override
    def read(self) -> RecordingPart:
        part = super().read()
        turns = part.turns[:-1]
        return RecordingPart(part.events[: turns[-1][1]], turns, is_last=True, trouble="Its last row is damaged.")


def test_a_damaged_journal_is_compared_up_to_where_it_can_be_read(
    desktop: Desktop, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await another(console)
            dialog = await offered(console)
            dialog.grid.selectRow(names(dialog).index("r1"))
            with monkeypatch.context() as patch:
                patch.setattr(recorded, "Recording", Spoilt)
                dialog.do()
                await console.window_actions.controllers.baseline.settled()
            said = console.strip.shown
            assert said is not None
            assert said.what == "“plan” is compared up to where its journal is damaged"
            assert said.reason == "Its last row is damaged."
            earlier = front(console).compared.earlier
            assert earlier is not None
            assert not earlier.has_ended, "its end is what cannot be read"
            assert "it did not end" in strip_of(console).said

    desktop.run(main)


def test_a_journal_that_breaks_while_it_is_read_is_told_and_nothing_changes(
    desktop: Desktop, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise JournalError("The disk is gone.")

    async def main() -> None:
        async with desktop.console() as console:
            await another(console)
            dialog = await offered(console)
            with monkeypatch.context() as patch:
                patch.setattr(recorded, "Recording", fail)
                dialog.do()
                await console.window_actions.controllers.baseline.settled()
            said = console.strip.shown
            assert said is not None
            assert said.what.startswith("Not compared with ")
            assert said.reason == "The disk is gone."
            assert front(console).compared.earlier is None
            assert not console.files.loading.isVisible()

    desktop.run(main)


def test_reading_can_be_given_up(desktop: Desktop, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, may_go_on = threading.Event(), threading.Event()
    true = Recording

    def slow(path: Path) -> Recording:
        asked.set()
        may_go_on.wait()
        return true(path)

    async def main() -> None:
        async with desktop.console() as console:
            await another(console)
            dialog = await offered(console)
            with monkeypatch.context() as patch:
                patch.setattr(recorded, "Recording", slow)
                dialog.do()
                await until(asked.is_set)
                console.files.loading.cancel_asked.emit()
                await console.window_actions.controllers.baseline.settled()
            assert front(console).compared.earlier is None
            threads = [one for one in threading.enumerate() if one.name == "console: background"]
            may_go_on.set()
            await until(lambda: not any(one.is_alive() for one in threads))

    desktop.run(main)


def test_a_view_that_is_closed_meanwhile_is_left_alone(
    desktop: Desktop, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on = threading.Event()
    true = Recording

    def slow(path: Path) -> Recording:
        may_go_on.wait()
        return true(path)

    async def main() -> None:
        async with desktop.console() as console:
            await ran(console)
            dialog = await offered(console)
            view = front(console)
            with monkeypatch.context() as patch:
                patch.setattr(recorded, "Recording", slow)
                dialog.do()
                assert console.documents.front is not None
                console.documents.close(console.documents.front.key)
                may_go_on.set()
                await console.window_actions.controllers.baseline.settled()
            assert view.compared.earlier is None

    desktop.run(main)


def test_runs_that_have_ended_and_their_past_are_compared_too(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await ran(console)
            await another(console, 0.01)
            await orchestrator_of(console).run(front(console).source.run_id).finished()
            await at_rest(console)
            await compared(console)
            view = front(console)
            assert "finish after" in strip_of(console).said or "As fast as" in strip_of(console).said
            ghosts = sum(view.timeline.model.ghosts(row).size for row in range(len(view.timeline.model.lanes)))
            assert ghosts == 3
            travel = await looking_back(console)
            travel.go_to_begin()
            await settled(console, travel)
            assert view.timeline.model.earlier is not None
            travel.go_to_end()
            await settled(console, travel)
            facts = view.reader.facts()
            assert facts is not None
            assert facts.status.count(COMPLETED) == 3
            assert sum(view.timeline.model.ghosts(row).size for row in range(len(view.timeline.model.lanes))) == 3

    desktop.run(main)


def test_a_run_that_only_its_journal_tells_of_is_compared(desktop: Desktop, directory: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            dialog = await history_shown(console)
            dialog.grid.selectRow(0)
            dialog.do()
            await console.recorded.settled()
            await at_rest(console)
            assert isinstance(console.documents.front, RunTab)
            await compared(console)
            earlier = front(console).compared.earlier
            assert earlier is not None
            assert {earlier.run.run_id, front(console).source.run_id} == {"r1", "r2"}
            assert strip_of(console).isVisible()

    desktop.run(main)


def test_where_there_is_nothing_to_compare_it_says_so(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.actions.refresh()
            assert not console.actions["compare"].isEnabled()
            console.documents.put_plan(small())
            console.actions.refresh()
            assert "No run is in front." in console.actions["compare"].toolTip()
            assert front(console).views["timeline"].corner.compare.isHidden()  # type: ignore[union-attr]
            console.window_actions.controllers.baseline.choose()
            assert console.window_actions.controllers.baseline.dialog is None
            await another(console)
            dialog = await offered(console)
            assert dialog.runs.sentence.text().startswith("There is no earlier run.")
            assert dialog.reason == "There is no run to select."
            dialog.reject()

    desktop.run(main)
