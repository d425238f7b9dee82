"""Limits: changed in one gesture while everything runs; what is refused says why and the old value is back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from tests.driver import plan, task
from tests.gui.panels.queues import QueueBench, waiting
from tests.virtual_time import engine, run

from starloom.devices.simulated import SimulatedDevice
from starloom.model.plan import Limits
from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.state.fleet_facts import FleetFacts
from starloom_gui.gateway.bridge import Bridge
from starloom_gui.gateway.commands import Commands, Refusal
from starloom_gui.gateway.live_reader import LiveReader
from starloom_gui.gateway.local_engine import LocalEngine
from starloom_gui.models.queue_table import QueueTable
from starloom_gui.panels.limits import LimitsList
from starloom_gui.panels.queue import QueuePane
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.specs.plan_commands import SetPlanGroupLimit
from starloom_gui.viewmodel.limit_lines import LimitPart, limit_lines
from starloom_gui.viewmodel.selection import Selection
from starloom_gui.widgets.number_field import MOST, NumberField

if TYPE_CHECKING:
    from starloom_gui.panels.limits import LimitRow


@pytest.fixture
def bench(app, appearance) -> QueueBench:
    return QueueBench(waiting(), appearance, app)


def all_runs(bench: QueueBench) -> LimitRow:
    return bench.pane.limits.row(LimitPart.RUNNING)


def typed(field: NumberField, words: str) -> None:
    field.line.setFocus()
    field.line.selectAll()
    QTest.keyClicks(field.line, words)


def turn(field: NumberField, notches: int) -> QWheelEvent:
    event = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    field.line.wheelEvent(event)
    return event


def test_every_limit_is_listed_with_how_much_of_it_is_used(bench):
    fleet = bench.driver.scheduler.fleet
    lines = limit_lines(fleet, RunView(bench.facts_of("r")))
    assert [(line.label, line.used, line.most) for line in lines] == [
        ("All runs", 2, 2),
        ("This run", 2, None),
        ("local", 1, 4),
        ("lab", 1, 1),
        ("licences", 1, 1),
    ]
    assert all_runs(bench).figures.text() == "2 of 2"


@pytest.mark.parametrize(
    ("part", "name", "command"),
    [
        (LimitPart.RUNNING, "", c.SetLimits(max_concurrency=7)),
        (LimitPart.RUNNING, "r", c.SetRunLimit(run_id="r", max_concurrency=7)),
        (LimitPart.DEVICE, "local", c.SetSlots(device_id="local", slots=7)),
        (LimitPart.GROUP, "licences", c.SetLimits(groups={"licences": 7})),
    ],
)
def test_typing_a_number_and_return_sets_any_limit(bench, part, name, command):
    field = bench.pane.limits.row(part, name).field
    typed(field, "7")
    assert not bench.asks.sent
    QTest.keyClick(field.line, Qt.Key.Key_Return)
    assert bench.asks.sent == [command]
    bench.told()
    assert field.value() == 7


def test_one_click_is_enough_and_several_are_one_command(bench, qtbot):
    row = all_runs(bench)
    for _ in range(3):
        row.field.more.click()
    assert not bench.asks.sent
    qtbot.waitUntil(lambda: bool(bench.asks.sent))
    assert bench.asks.sent == [c.SetLimits(max_concurrency=5)]


def test_the_wheel_changes_a_number_only_where_the_focus_is(bench, app):
    field = all_runs(bench).field
    field.line.clearFocus()
    assert not turn(field, 1).isAccepted()
    assert field.value() == 2
    bench.pane.activateWindow()
    field.line.setFocus()
    app.processEvents()
    assert field.line.hasFocus()
    turn(field, 2)
    turn(field, -1)
    assert field.value() == 3


def test_arrow_keys_step_and_escape_takes_back(bench):
    field = all_runs(bench).field
    field.line.setFocus()
    QTest.keyClick(field.line, Qt.Key.Key_PageUp)
    QTest.keyClick(field.line, Qt.Key.Key_Down)
    assert field.value() == 11
    QTest.keyClick(field.line, Qt.Key.Key_Escape)
    assert field.value() == 2
    field.finish()
    assert not bench.asks.sent


def test_a_limit_is_lifted_and_set_again(bench):
    row = all_runs(bench)
    row.field.clear.trigger()
    assert bench.asks.sent == [c.SetLimits(max_concurrency=None)]
    bench.told()
    assert row.field.line.text() == ""
    assert row.field.line.placeholderText() == "unlimited"
    assert not row.field.clear.isVisible()
    row.field.less.click()
    assert row.field.value() == bench.driver.scheduler.fleet.running
    typed(row.field, "unlimited")
    assert row.field.value() is None


def test_from_no_limit_no_step_leads_up_and_one_down_to_what_runs_and_at_least_to_1(bench):
    bench.driver.do(c.SetLimits(max_concurrency=None, groups={"licences": None}))
    bench.told()
    row = all_runs(bench)
    assert not row.field.more.isEnabled(), "a limit of what runs is not one more than none"
    QTest.keyClick(row.field.line, Qt.Key.Key_Up)
    assert row.field.value() is None
    row.field.less.click()
    assert row.field.value() == bench.driver.scheduler.fleet.running > 1
    assert row.field.more.isEnabled()
    unused = NumberField(optional=True)
    unused.show_value(None)
    unused.less.click()
    assert unused.value() == 1, "not 0, with which nothing would ever start"


def test_a_number_has_a_sign_that_clears_it_and_says_what_that_means(bench):
    row = all_runs(bench)
    assert row.field.clear in row.field.line.actions()
    assert row.field.clear.isVisible()
    assert row.field.clear.toolTip() == "Clear: unlimited"
    row.field.line.clear()
    assert not row.field.clear.isVisible()


def test_a_plan_that_runs_nothing_itself_shows_no_figures(bench, appearance):
    facts = bench.facts_of("r")
    facts.limits = Limits(groups={"licences": 1})
    pane = LimitsList(appearance, FleetFacts, lambda: RunView(facts), bench.asks, is_plan=True)
    pane.refresh()
    assert pane.row(LimitPart.PLAN_GROUP, "licences").figures.text() == ""
    assert pane.row(LimitPart.PLAN_GROUP, "licences").accessibleName() == "Limit of licences"


def test_devices_must_have_a_number_of_slots(bench):
    row = bench.pane.limits.row(LimitPart.DEVICE, "local")
    assert row.field.clear not in row.field.line.actions()
    row.field.line.clear()
    row.field.finish()
    assert "There has to be a number. Nothing was changed." in row.reason
    assert row.field.value() == 4
    assert not bench.asks.sent


@pytest.mark.parametrize("words", ["many", "1.5", "-3", "٣", str(MOST + 1)])
def test_what_is_no_number_is_explained_and_the_old_one_is_back(bench, words):
    row = all_runs(bench)
    row.field.line.setText(words)  # QTest types Latin letters only
    row.field.finish()
    assert row.reason
    assert row.field.value() == 2
    assert not bench.asks.sent


def test_what_the_engine_refuses_stands_under_the_field_until_something_else_is_typed(bench, monkeypatch):
    row = all_runs(bench)
    no = Verdict(False, "The engine is halted.", "Mend that.")
    monkeypatch.setattr(bench.asks, "can", lambda *_args, **_given: no)
    typed(row.field, "9")
    row.field.finish()
    assert row.reason == "The engine is halted. Mend that. Nothing was changed."
    assert row.field.value() == 2
    assert not bench.asks.sent
    bench.told()
    assert row.reason
    typed(row.field, "3")
    assert not row.reason


def test_what_is_refused_for_a_while_is_said_no_longer_than_that(bench, monkeypatch):
    row = all_runs(bench)
    with monkeypatch.context() as past:
        past.setattr(bench.asks, "can", lambda *_args, **_given: Verdict(False, "The past is shown."))
        row.field.more.click()
        row.field.finish()
        bench.told()
        assert row.reason == "The past is shown. Nothing was changed."
    bench.told()
    assert not row.reason
    row.field.line.setText("many")
    row.field.finish()
    bench.told()
    assert row.reason, "what is mistyped is read first"


def test_a_refusal_that_comes_later_finds_its_field(bench):
    row = all_runs(bench)
    typed(row.field, "9")
    row.field.finish()
    bench.driver.do(c.SetLimits(max_concurrency=2))
    bench.told()
    bench.pane.refuse(Refusal(ticket=99, who="operator", what="", reason="Not this one."))
    assert not row.reason
    bench.pane.refuse(Refusal(ticket=1, who="operator", what="", reason="Too late."))
    assert row.reason == "Too late. Nothing was changed."
    assert row.field.value() == 2


def test_what_is_being_typed_is_not_written_over(bench):
    field = all_runs(bench).field
    typed(field, "1")
    bench.driver.do(c.SetLimits(max_concurrency=6))
    bench.told()
    assert field.line.text() == "1"
    QTest.keyClick(field.line, Qt.Key.Key_Return)
    assert bench.asks.sent == [c.SetLimits(max_concurrency=1)]


def test_rows_stay_the_same_widgets_while_devices_come_and_go(bench):
    kept = bench.pane.limits.row(LimitPart.DEVICE, "local")
    typed(kept.field, "8")
    bench.driver.add_device("new", slots=2)
    bench.told()
    assert bench.pane.limits.row(LimitPart.DEVICE, "local") is kept
    assert kept.field.line.text() == "8"
    assert bench.pane.limits.row(LimitPart.DEVICE, "new").field.value() == 2
    bench.driver.do(c.RemoveDevice(device_id="new"))
    bench.told()
    with pytest.raises(KeyError):
        bench.pane.limits.row(LimitPart.DEVICE, "new")


def test_every_field_has_a_name_for_screen_readers(bench: Any):
    names = [field.line.accessibleName() for field in bench.pane.limits.findChildren(NumberField)]
    assert names == [f"Limit of {one}" for one in ("All runs", "This run", "local", "lab", "licences")]


def test_the_limit_groups_of_a_plan_are_listed_whether_its_file_limits_them_or_not(bench):
    facts = bench.facts_of("r")
    facts.limits = Limits(groups={"cards": 2})
    lines = limit_lines(FleetFacts(), RunView(facts), is_plan=True)
    assert [one.label for one in lines if one.part is LimitPart.RUNNING] == ["All runs", "Each run of this plan"]
    of_plan = [one for one in lines if one.part is LimitPart.PLAN_GROUP]
    assert [(one.label, one.used, one.most) for one in of_plan] == [("cards", None, 2), ("licences", None, None)]
    assert of_plan[1].command(1) == SetPlanGroupLimit(run_id="r", group="licences", limit=1)
    assert not [one for one in limit_lines(FleetFacts(), RunView(facts)) if one.part is LimitPart.PLAN_GROUP]


def test_the_bridge_carries_a_limit_to_a_running_engine_and_its_refusal_back(app, appearance):
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=1)) as orchestrator:
            bridge, commands = Bridge(LocalEngine(orchestrator)), Commands(LocalEngine(orchestrator))
            reader = LiveReader(LocalEngine(orchestrator), bridge, "r")
            table = QueueTable(reader.in_line, reader.run, reader.why)
            pane = QueuePane(
                table,
                appearance,
                Selection(),
                fleet=reader.fleet,
                run=reader.view,
                runs=lambda: map(RunView, reader.runs()),
                gateway=commands,
            )
            commands.refused.connect(pane.refuse)
            pane.show()
            slow = [task(name, simulate={"duration": 60.0}) for name in "abc"]
            started = await orchestrator.start(plan(slow), run_id="r")
            pane.refresh()
            assert [row.task_id for row in table.rows] == ["b", "c"]
            field = pane.limits.row(LimitPart.DEVICE, "d").field
            field.set_to(2)
            field.finish()
            await commands.answered()
            assert orchestrator.counters().active_count == 2
            field.set_to(3)
            commands.do(c.CancelRun(run_id="r"))
            await started.finished()
            await orchestrator.fleet.remove("d")
            row = pane.limits.row(LimitPart.DEVICE, "d")
            field.finish()
            await commands.answered()
            assert "There is no device 'd'" in row.reason
            bridge.close()

    run(main())


def test_of_hundreds_of_limits_only_those_near_sight_have_widgets(app, appearance):
    driver = waiting()
    for number in range(300):
        driver.add_device(f"n{number}", slots=1)
    bench = QueueBench(driver, appearance, app)
    limits = bench.pane.limits
    assert len(limits.findChildren(NumberField)) < 60
    kept = limits.row(LimitPart.DEVICE, "n9").field
    kept.line.setText("5")
    bar = limits.verticalScrollBar()
    for place in range(0, bar.maximum() + 1, 200):
        bar.setValue(place)
    bar.setValue(bar.maximum())
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert len(limits.findChildren(NumberField)) < 80
    assert limits.row(LimitPart.GROUP, "licences").isVisible()
    bar.setValue(0)
    assert limits.row(LimitPart.DEVICE, "n9").field is kept
    assert kept.line.text() == "5"


def test_a_reason_moves_what_stands_below_it_and_gives_the_room_back(bench, app):
    first, second = all_runs(bench), bench.pane.limits.row(LimitPart.RUNNING, "r")
    before = second.y()
    first.field.line.setText("many")
    first.field.finish()
    assert second.y() > before
    assert first.height() >= first.heightForWidth(first.width())
    typed(first.field, "3")
    assert second.y() == before
