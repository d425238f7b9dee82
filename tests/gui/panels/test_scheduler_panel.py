"""The scheduler's settings, seen and changed while everything runs; its figures; what is refused says why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.driver import edge, plan, task
from tests.gui.panels.queues import QueueBench, waiting

from starloom.constellation.edits import AddDependency
from starloom.model.plan import Plan
from starloom.model.status import Placement
from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import RunView
from starloom_gui.panels import graph_figures
from starloom_gui.panels.scheduler_facts import FigureGroup
from starloom_gui.text.limit_words import placement_word
from starloom_gui.text.words import tasks

if TYPE_CHECKING:
    from starloom_gui.panels.scheduler_panel import SchedulerPanel


@pytest.fixture
def bench(app, appearance) -> QueueBench:
    made = QueueBench(waiting(), appearance, app)
    made.pane.tabs.setCurrentIndex(1)
    app.processEvents()
    return made


def panel(bench: QueueBench) -> SchedulerPanel:
    return bench.pane.scheduler


def shown(bench: QueueBench) -> dict[str, str]:
    """The figures that can be read."""
    panel(bench).refresh()
    return {figure.label: figure.value for figure in panel(bench)._shown}


def test_it_lies_beside_the_limits_and_shows_what_the_fleet_goes_by(bench: QueueBench) -> None:
    fleet, seen = bench.driver.scheduler.fleet, panel(bench)
    assert seen.isVisible()
    assert not bench.pane.limits.isVisible()
    assert seen.placement.text() == "Load balance"
    assert seen.timeout.line.text() == "30"
    assert seen.longest.line.text() == ""
    assert "by 2 a second, in 30 s" in seen.rows["starvation_timeout"].note.text()
    assert "12 ready now" in seen.rows["max_queue"].note.text()
    bench.driver.do(c.SetLimits(placement=Placement.ROUND_ROBIN, starvation_timeout=2.5, max_queue=50))
    seen.refresh()
    assert seen.placement.text() == "Round robin"
    assert "2.5 s" in seen.rows["starvation_timeout"].note.text(), "what the field rounds is said exactly"
    assert seen.longest.line.text() == "50"
    assert fleet.max_queue == 50


@pytest.mark.parametrize("placement", list(Placement))
def test_a_placement_is_chosen_from_a_list_and_holds_at_once(bench: QueueBench, placement: Placement) -> None:
    menu = panel(bench).menu()
    actions = dict(zip(Placement, menu.actions(), strict=True))
    assert [one for one, action in actions.items() if action.isChecked()] == [Placement.LOAD_BALANCE]
    assert all(action.toolTip() for action in menu.actions())
    actions[placement].trigger()
    assert bench.driver.scheduler.fleet.placement == placement
    panel(bench).refresh()
    assert panel(bench).placement.text() == placement_word(placement)


@pytest.mark.parametrize(
    ("field", "typed", "command"),
    [
        ("timeout", "12", c.SetLimits(starvation_timeout=12)),
        ("timeout", "", c.SetLimits(starvation_timeout=0)),
        ("longest", "40", c.SetLimits(max_queue=40)),
        ("overdue", "2.5", c.SetLimits(overdue_factor=2.5)),
        ("overdue", "4,25", c.SetLimits(overdue_factor=4.25)),
        ("overdue", "", c.SetLimits(overdue_factor=0)),
        ("patience", "90", c.SetLimits(modification_timeout=90)),
    ],
)
def test_what_is_typed_is_asked_for(bench: QueueBench, field: str, typed: str, command: Any) -> None:
    edited = getattr(panel(bench), field)
    edited.line.setFocus()
    edited.line.selectAll()
    QTest.keyClick(edited.line, Qt.Key.Key_Delete)
    QTest.keyClicks(edited.line, typed)
    edited.finish()
    fleet = bench.driver.scheduler.fleet
    for name in ("starvation_timeout", "max_queue", "overdue_factor", "modification_timeout"):
        wanted = getattr(command, name)
        if isinstance(wanted, int | float):
            assert getattr(fleet, name) == wanted


def test_it_shows_when_a_task_is_overdue_and_how_long_agents_may_take(bench: QueueBench) -> None:
    seen = panel(bench)
    assert (seen.overdue.line.text(), seen.patience.line.text()) == ("3", "600")
    assert "3 times the estimate" in seen.rows["overdue_factor"].note.text()
    assert "600 s" in seen.rows["modification_timeout"].note.text()
    bench.driver.do(c.SetLimits(overdue_factor=1.5, modification_timeout=2.5))
    seen.refresh()
    assert (seen.overdue.line.text(), seen.patience.line.text()) == ("1.5", "2")
    assert "2.5 s" in seen.rows["modification_timeout"].note.text(), "what the field rounds is said exactly"
    assert "This run" not in seen.rows["modification_timeout"].note.text()
    bench.driver.do(c.SetFence(run_id="r", modification_timeout=7.0))
    seen.refresh()
    assert "This run waits 7 s." in seen.rows["modification_timeout"].note.text()


@pytest.mark.parametrize(
    ("field", "key", "typed", "told"),
    [
        ("overdue", "overdue_factor", "often", "That is no number."),
        ("overdue", "overdue_factor", "1.", "That is no number."),
        ("overdue", "overdue_factor", "0.5", "The least is 1."),
        ("patience", "modification_timeout", "1.5", "That is no whole number."),
        ("patience", "modification_timeout", "", "There has to be a number."),
        ("patience", "modification_timeout", "-3", "The least is 1."),
    ],
)
def test_what_no_task_and_no_agent_can_be_measured_by_is_refused_below(
    bench: QueueBench, field: str, key: str, typed: str, told: str
) -> None:
    edited = getattr(panel(bench), field)
    before = edited.line.text()
    edited.line.setText(typed)
    edited.finish()
    assert panel(bench).rows[key].error.text() == f"{told} Nothing was changed."
    assert edited.line.text() == before


def test_aging_the_longest_queue_and_overdue_are_switched_off_by_clearing_them(bench: QueueBench) -> None:
    bench.driver.do(c.SetLimits(max_queue=50))
    panel(bench).refresh()
    fields = (panel(bench).timeout, panel(bench).longest, panel(bench).overdue)
    for field in fields:
        assert field.clear.isVisible()
        field.clear.trigger()
    fleet = bench.driver.scheduler.fleet
    assert (fleet.starvation_timeout, fleet.max_queue, fleet.overdue_factor) == (0, 0, 0)
    panel(bench).refresh()
    assert panel(bench).rows["overdue_factor"].note.text() == "No task is said to be overdue."
    assert panel(bench).rows["starvation_timeout"].note.text() == "Waiting tasks do not age."
    assert not any(field.clear.isVisible() for field in fields)
    said = [field.clear.toolTip() for field in fields]
    assert said == ["Clear: No aging", "Clear: unlimited", "Clear: Never"]


def test_what_is_no_number_is_said_below_and_the_old_value_is_back(bench: QueueBench) -> None:
    field, row = panel(bench).timeout, panel(bench).rows["starvation_timeout"]
    field.line.setText("soon")
    field.finish()
    assert row.error.text() == "That is no whole number. Nothing was changed."
    assert row.error.isVisible()
    assert field.line.text() == "30"
    field.set_to(20)
    assert not row.error.isVisible()


def test_the_run_that_has_a_placement_of_its_own_says_so(bench: QueueBench) -> None:
    tasks = plan(["x"]).tasks
    bench.driver.create(Plan(name="own", tasks=tasks, placement=Placement.ROUND_ROBIN), run_id="own")
    bench.run_id = "own"
    panel(bench).refresh()
    assert "This run has its own: Round robin" in panel(bench).rows["placement"].note.text()


def test_figures_of_runs_of_the_graph_and_of_edit_cycles_are_seen(app, appearance) -> None:
    driver = waiting(0)
    edges = ["a>b", "a>c", "b>d", "c>d"]
    driver.create(plan([task(name, estimate=2.0) for name in "abcd"], edges), run_id="diamond")
    driver.do(c.AttachAgent(run_id="diamond", agent="careful"))
    bench = QueueBench(driver, appearance, app, run_id="diamond")
    found = shown(bench)
    assert found["Promoted by age"] == "0"
    assert (found["Longest chain"], found["Width"]) == (tasks(3), tasks(2))
    assert (found["Longest chain by time"], found["Parallelism"]) == ("0:06", "1.3 times")
    assert (found["Handed to agents"], found["Answered"], found["Timed out"]) == ("0", "0", "0")
    assert {figure.group for figure in panel(bench)._shown} == set(FigureGroup)
    bench.run_id = "r"
    assert "Handed to agents" not in shown(bench), "no agent was ever attached to it"


def test_promotions_are_counted(bench: QueueBench) -> None:
    bench.driver.run().promoted.add(0)
    assert shown(bench)["Promoted by age"] == "1"


def test_without_a_run_there_are_settings_and_no_figures(app, appearance) -> None:
    bench = QueueBench(waiting(0), appearance, app, run_id="nobody")
    assert shown(bench) == {}
    assert panel(bench).placement.text() == "Load balance"


@pytest.fixture
def nothing_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_figures, "SMALL", 3)


def test_what_the_figures_of_a_large_graph_need_is_made_in_a_thread(nothing_is_small: None, qtbot: Any) -> None:
    figures, driver = graph_figures.GraphFigures(), waiting()
    run = RunView(driver.run())
    with qtbot.waitSignal(figures.found, timeout=20_000):
        assert figures.of(run) is None
        assert not run.graph.kept_paths.follow(run.graph)
    made = figures.of(run)
    assert made is not None
    assert (made.max_width, made.longest_path_length) == (14, 1)
    driver.edit(AddDependency(edge("t0", "t1")))
    followed = figures.of(run)
    assert followed is not None, "from now on an edit is followed at once"
    assert (followed.max_width, followed.longest_path_length) == (13, 2)


def test_what_was_made_of_a_graph_that_was_edited_meanwhile_is_not_kept(nothing_is_small: None, qtbot: Any) -> None:
    figures, driver = graph_figures.GraphFigures(), waiting()
    run = RunView(driver.run())
    with qtbot.waitSignal(figures.found, timeout=20_000):
        assert figures.of(run) is None
        driver.edit(AddDependency(edge("t0", "t1")))
    assert not run.graph.kept_paths.follow(run.graph)
    with qtbot.waitSignal(figures.found, timeout=20_000):
        assert figures.of(run) is None, "it is asked for again"
    made = figures.of(run)
    assert made is not None
    assert (made.max_width, made.longest_path_length) == (13, 2)


def test_while_limits_are_in_front_nothing_is_read_for_it(bench: QueueBench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.pane.tabs.setCurrentIndex(0)
    asked: list[object] = []
    monkeypatch.setattr(panel(bench), "refresh", lambda: asked.append(1))
    bench.pane.refresh()
    assert asked == []
