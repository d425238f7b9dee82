"""A change of limits is told by what has changed, not by one limit whatever was changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import Driver

from starloom import events as ev
from starloom.model.status import Placement
from starloom.scheduling import commands as c
from starloom_gui.gateway.event_log import EventLog
from starloom_gui.models.event_table import EventColumn, EventFilter, EventTable
from starloom_gui.text.words import tasks
from starloom_gui.time_travel.log import PastLog, ShownLog
from starloom_gui.viewmodel.event_words import event_text

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

BEFORE = ev.LimitsChanged(1, 0.0, "", max_concurrency=8, groups={"gpu": 1, "net": 2}, max_queue=100)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"max_concurrency": None}, "no global limit"),
        ({"max_concurrency": 3}, f"at most {tasks(3)} at once"),
        ({"groups": {"gpu": 4, "net": 2}}, "limit group gpu: 4"),
        ({"groups": {"gpu": 1}}, "limit group net: no limit"),
        ({"placement": Placement.CRITICAL_PATH.value}, "placement “Critical path”"),
        ({"starvation_timeout": 12.0}, "starvation time-out 12 s"),
        ({"starvation_timeout": 0.0}, "waiting tasks do not age"),
        ({"max_queue": 0}, "new runs are never refused"),
        ({"max_queue": 7}, f"new runs are refused from {tasks(7)} in the queue on"),
        ({"modification_timeout": 5.0}, "agents are waited for up to 5 s"),
        ({"overdue_factor": 2.5}, "overdue beyond 2.5 times the estimate"),
        ({"overdue_factor": 0.0}, "nothing is said to be overdue"),
        (
            {"max_concurrency": 3, "placement": Placement.ROUND_ROBIN.value},
            f"at most {tasks(3)} at once; placement “Round robin”",
        ),
    ],
)
def test_it_says_what_has_changed_and_nothing_else(changed: dict[str, Any], told: str) -> None:
    known: dict[str, Any] = {"max_concurrency": 8, "groups": BEFORE.groups, "max_queue": 100}
    event = ev.LimitsChanged(2, 1.0, "", **known | changed)
    assert event_text(event, before=BEFORE) == f"Limits changed: {told}"


def test_every_limit_there_is_has_its_words() -> None:
    other: dict[str, Any] = {
        "max_concurrency": 1,
        "groups": {},
        "max_queue": 1,
        "starvation_timeout": 1.0,
        "placement": Placement.ROUND_ROBIN.value,
        "modification_timeout": 1.0,
        "overdue_factor": 1.0,
    }
    own = set(ev.LimitsChanged.__struct_fields__) - set(ev.Event.__struct_fields__) - {"origin"}
    assert own == set(other), "a limit that is new needs words"
    for name, value in other.items():
        known = {field: getattr(BEFORE, field) for field in own}
        assert ": " in event_text(ev.LimitsChanged(2, 1.0, "", **known | {name: value}), before=BEFORE)


def test_where_nobody_knows_what_was_before_nothing_is_claimed() -> None:
    assert event_text(ev.LimitsChanged(2, 1.0, "", max_concurrency=None)) == "Limits changed"
    first = ev.LimitsChanged(2, 1.0, "", max_concurrency=3, groups={"db": 1})
    assert event_text(first).startswith("Limits changed; since then: at most 3 ")
    assert event_text(first).endswith(" at once; limit group db: 1")


def test_a_log_knows_what_each_change_of_it_found(app: QApplication) -> None:
    made = Driver()
    log = EventLog(fleet=made.scheduler.fleet)
    made.turn(c.SetLimits(placement=Placement.ROUND_ROBIN))
    made.turn(c.SetLimits(max_concurrency=2))
    for event in made.of(ev.LimitsChanged):
        log.add(event)
    table = EventTable(ShownLog(log), lambda at: at)
    found = [table.index(row, EventColumn.TEXT).data() for row in range(table.rowCount())]
    assert found == ["Limits changed: placement “Round robin”", f"Limits changed: at most {tasks(2)} at once"]
    table.set_filter(EventFilter(text="round robin"))
    assert table.rowCount() == 1


def test_after_events_were_lost_it_does_not_guess() -> None:
    made = Driver()
    log = EventLog(fleet=made.scheduler.fleet)
    log.limits.restart(None)
    made.turn(c.SetLimits(placement=Placement.ROUND_ROBIN))
    made.turn(c.SetLimits(max_concurrency=2))
    lost, known = made.of(ev.LimitsChanged)
    log.add(lost)
    log.add(known)
    assert log.limits_before(lost) is None
    assert log.limits_before(known) == lost


def test_a_journal_tells_it_too() -> None:
    made = Driver()
    snapshot = ev.FleetSnapshot(1, 0.0, "r", fleet=made.scheduler.fleet.snapshot())

    class Recording:
        events = (snapshot, ev.LimitsChanged(2, 1.0, "r", placement=Placement.ROUND_ROBIN.value))
        times = (0.0, 1.0)

    log = PastLog(Recording())  # type: ignore[arg-type]  # all that it reads of one
    log.go_to(2)
    event = log.get(0)
    assert event_text(event, before=log.limits_before(event)) == "Limits changed: placement “Round robin”"
