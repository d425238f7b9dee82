"""A plan that declares rules is started with them or without, as its user says; then they do what they say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.constellation.edits import ALL_KINDS
from starloom.model.device import DeviceSpec
from starloom_gui.dialogs.own_rules import WITH, WITHOUT, OwnRulesDialog
from starloom_gui.documents.document import Document, RunTab

if TYPE_CHECKING:
    from starloom.model.plan import Plan
    from starloom_gui.composition.console import Console

RULE = {"on": {"task": "a", "status": "completed"}, "do": [{"add_task": {"id": "y", "simulate": 3600, "needs": "a"}}]}


def lab() -> Plan:
    """A task that ends at once and one that runs for as long as the test, with a rule about the first."""
    made = plan([task("a", simulate=0.01), task("b", simulate=LONG)], ["a>b"])
    return replace(made, name="lab", rules=(RULE,), devices=(DeviceSpec(id="dev", kind="simulated", slots=2),))


async def asked(console: Console) -> OwnRulesDialog:
    """Start the plan in front, and return what asks about its rules."""
    await at_rest(console)
    await until(console.actions["start"].isEnabled)
    console.actions["start"].trigger()
    shown = lambda: [one for one in console.window.findChildren(OwnRulesDialog) if one.isVisible()]  # noqa: E731
    await until(lambda: bool(shown()))
    return shown()[0]


async def answered(console: Console, answer: str, trust: int) -> RunTab:
    dialog = await asked(console)
    assert "1 rule" in dialog.choices.sentence.text()
    dialog.trust.choose(trust)
    dialog.choices.choose(answer)
    await until(lambda: isinstance(console.documents.front, RunTab))
    front = console.documents.front
    assert isinstance(front, RunTab)
    return front


def test_a_plan_is_started_with_its_rules_and_they_apply(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(lab())
            tab = await answered(console, WITH, 2)
            run = orchestrator_of(console).run(tab.run_id)
            await until(lambda: "y" in run.facts.graph.place)

    desktop.run(main)


def test_their_edits_wait_for_approval_where_that_is_chosen(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(lab())
            tab = await answered(console, WITH, 0)
            run = orchestrator_of(console).run(tab.run_id)
            await until(lambda: bool(run.approvals))
            assert set(run.agents["rules"].asks) == set(ALL_KINDS)
            assert "y" not in run.facts.graph.place

    desktop.run(main)


def test_it_is_started_without_them_or_not_at_all(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(lab())
            dialog = await asked(console)
            dialog.reject()
            await console.starter.background_tasks.settled()
            assert isinstance(console.documents.front, Document)
            assert not list(orchestrator_of(console).runs)
            tab = await answered(console, WITHOUT, 2)
            run = orchestrator_of(console).run(tab.run_id)
            assert not run.agents

    desktop.run(main)
