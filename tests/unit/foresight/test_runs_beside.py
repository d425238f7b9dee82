"""A run's end is only the earliest there can be while runs beside it may take its slots for nobody knows how long."""

from __future__ import annotations

import pytest
from tests.driver import Driver, plan, task

from starloom.foresight.projection import Certainty, Projection, project
from starloom.model.task import Gate, Task
from starloom.scheduling import commands as c
from starloom.scheduling.fork import Fork
from starloom.testing import independent


def foreseen(*beside: Task, devices: tuple[str, ...] = ("d",), arrows: tuple[str, ...] = ()) -> Projection:
    """The projection of four tasks of a minute on one slot of `d`, beside a run that began before."""
    driver = Driver(slots=1, devices=devices)
    driver.create(plan(beside, arrows), run_id="other")
    for device in devices[1:]:
        driver.do(c.DisableDevice(device_id=device))
    driver.create(independent(4, simulate=60.0))
    return project(Fork.of(driver.scheduler, driver.now), "r", samples=0)


def test_while_another_run_takes_a_slot_for_an_unknown_time_the_end_is_the_earliest() -> None:
    found = foreseen(task("unknown"))
    assert (found.certainty, found.end, found.unestimated_beside) == (Certainty.LOWER_BOUND, 240.0, 1)
    (remark,) = found.remarks
    assert remark.startswith("1 attempt of another run has no estimate")


@pytest.mark.parametrize("seconds", [5.0, 60.0])
def test_another_run_whose_tasks_have_estimates_leaves_it_certain(seconds: float) -> None:
    found = foreseen(task("known", simulate=seconds))
    assert (found.certainty, found.end, found.unestimated_beside) == (Certainty.EXPECTED, 240.0 + seconds, 0)


@pytest.mark.parametrize("after", [task("after"), task("after", simulate=30.0, priority=90)])
@pytest.mark.parametrize("before", [task("before", simulate=1e-3), None])
def test_what_waits_for_a_person_in_another_run_holds_nothing(after: Task, before: Task | None) -> None:
    gate = task("gate", gate=Gate("Really?"))
    first = [] if before is None else [before]
    found = foreseen(*first, gate, after, arrows=("gate>after",) if before is None else ("before>gate", "gate>after"))
    assert (found.certainty, found.remarks) == (Certainty.EXPECTED, ())
    assert found.end == pytest.approx(240.0, abs=0.01)


def test_another_run_on_other_devices_holds_nothing() -> None:
    found = foreseen(task("unknown", device="e"), devices=("d", "e"))
    assert (found.certainty, found.end) == (Certainty.EXPECTED, 240.0)
