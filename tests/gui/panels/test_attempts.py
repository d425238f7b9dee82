"""How the Inspector lists attempts."""

from __future__ import annotations

from tests.driver import Driver, plan
from tests.unit.scheduling.test_recovery import died

from starloom.scheduling.codes import CANCELLED, RUNNING
from starloom_gui.panels.task_facts import attempts_of


def test_an_attempt_that_was_interrupted_with_its_program_is_told_as_that(app):
    driver = Driver()
    driver.create(plan(["a"]))
    heir = died(driver)
    (now_running, before), more = attempts_of(heir.run(), 0, heir.now)
    assert (now_running.number, now_running.code, now_running.text) == (2, RUNNING, "")
    assert (before.number, before.code, before.text[:11], more) == (1, CANCELLED, "Interrupted", 0)
