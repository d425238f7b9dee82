"""An agent as a device: its card tells sessions, tokens and costs; table, inspector and report say the same."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.driver import RUN, Driver, plan, task
from tests.gui.panels.fleets import table_of

from starloom.model.result import AgentUsage, Outcome, OutcomeStatus, Result
from starloom.reporting.folding import build
from starloom.scheduling.read.run_view import TaskView
from starloom.scheduling.stimuli import AttemptEnded
from starloom_gui.models.device_table import DeviceColumn
from starloom_gui.panels.device_figures import description, details
from starloom_gui.panels.task_facts import attempts_of
from starloom_gui.text import translations

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

pytestmark = pytest.mark.usefixtures("app")


def used(*usages: AgentUsage | None, is_agent: bool = True) -> Driver:
    """A device whose attempts have told this of themselves."""
    driver = Driver(devices=())
    driver.add_device("coder", slots=9, asks_when_interrupted=is_agent)
    driver.create(plan([task(f"t{number}") for number, _ in enumerate(usages)]))
    for number, usage in enumerate(usages):
        outcome = Outcome(OutcomeStatus.COMPLETED, Result(usage=usage))
        driver.turn(AttemptEnded(RUN, f"t{number}", driver.ordered.pop((RUN, f"t{number}")).attempt, outcome))
    return driver


def done(driver: Driver) -> str:
    return dict(details(table_of(driver).rows[0], 2))["Done"]


def test_card_table_inspector_and_report_tell_the_same(spoken: QApplication) -> None:
    translations.install(spoken, "en")
    driver = used(AgentUsage(1_200, 0.25, "USD"), AgentUsage(34), None)
    table = table_of(driver)
    assert done(driver) == "3 sessions · 1,234 tokens, 0.25 USD"
    assert "3 sessions, 1,234 tokens, 0.25 USD" in description(table.rows[0])
    assert table.data(table.index(0, DeviceColumn.TOKENS)) == "1,234"
    (attempt,), _ = attempts_of(TaskView(driver.run(), 0), driver.now)
    assert attempt.text == "Used: 1,200 tokens, 0.25 USD"
    report = build(RUN, driver.events)
    assert (report.usage.tokens, report.usage.costs) == (1_234, {"USD": 0.25})


def test_its_card_says_what_it_is_and_not_that_it_offers_nothing() -> None:
    row = replace(table_of(used(None)).rows[0], about="Gemini CLI 0.9 · gemini-2.5-pro")
    assert dict(details(row, 0))["Offers"] == "Gemini CLI 0.9 · gemini-2.5-pro"
    assert dict(details(replace(row, capabilities=("gpu",)), 0))["Offers"] == f"{row.about} · gpu"
    assert dict(details(replace(row, about=""), 0))["Offers"] == "none"


def test_one_that_tells_nothing_and_one_that_is_no_agent_show_what_has_ended() -> None:
    assert done(used(None)) == "2 in the last minute"
    assert done(used(AgentUsage(5), is_agent=False)) == "2 in the last minute"


def test_in_german(spoken: QApplication) -> None:
    translations.install(spoken, "de")
    assert dict(details(table_of(used(AgentUsage(1_234, 0.5, "EUR"))).rows[0], 0))["Fertig"] == (
        "1 Sitzung · 1.234 Tokens, 0,50 EUR"
    )
