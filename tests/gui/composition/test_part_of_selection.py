"""Actions about many selected tasks, as of a folded group, are about those alone for which they are possible."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QMenu
from tests.driver import plan, task
from tests.gui.composition.test_console import LONG, front, started
from tests.gui.composition.test_menus_at_the_pointer import Pointer, entry, names
from tests.waiting import POLL, until

from starloom.model.device import DeviceSpec
from starloom.model.status import TaskStatus
from starloom.model.task import Simulate

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop

    from starloom.model.plan import Plan
    from starloom_gui.composition.console import Console


def half_done() -> Plan:
    """A group of which two tasks fail, one is done, and two wait for one that takes long."""
    fails = Simulate(duration=0.0, outcome="failed")
    steps = [
        *(task(f"job{n}", simulate=fails, metadata={"group": "jobs"}) for n in range(2)),
        task("job2", simulate=0.0, metadata={"group": "jobs"}),
        task("slow", simulate=LONG),
        *(task(f"job{n}", simulate=0.0, metadata={"group": "jobs"}) for n in (3, 4)),
    ]
    device = DeviceSpec(id="d", kind="simulated", slots=4)
    return replace(plan(steps, ["slow>job3", "slow>job4"]), name="half", devices=(device,))


def statuses(console: Console) -> dict[str, TaskStatus | None]:
    facts = front(console).reader.facts()
    assert facts is not None
    return {facts.graph.ids[number]: facts.status_of(number) for number, _ in facts.graph.present()}


def test_a_group_retries_what_failed_and_holds_what_has_not_started(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await started(console, half_done())
            await until(lambda: list(statuses(console).values()).count(TaskStatus.FAILED) == 2, every=POLL)
            pointer = Pointer(console)
            view = pointer.canvas
            await until(lambda: view.graph.picture is not None, every=POLL)
            view.folding.fold(["jobs"])
            await until(lambda: view.folding.is_folded(pointer.facts.graph.place["job2"]), every=POLL)
            menu = pointer.menu_at(pointer.node("job0"))
            assert {"Retry, 2 of those selected", "Hold, 2 of those selected"} <= set(names(menu))
            priorities = entry(menu, "Priority").menu()
            assert isinstance(priorities, QMenu)
            priorities.actions()[0].trigger()
            entry(menu, "Hold, 2 of those selected").trigger()
            facts = pointer.facts
            await until(lambda: {facts.graph.place["job3"], facts.graph.place["job4"]} == set(facts.held), every=POLL)
            assert facts.priority[facts.graph.place["job4"]] == 100
            menu.close()
            menu = pointer.menu_at(pointer.node("job0"))
            entry(menu, "Release").trigger()
            await until(lambda: not facts.held, every=POLL)
            menu.close()
            menu = pointer.menu_at(pointer.node("job0"))
            entry(menu, "Retry, 2 of those selected").trigger()
            await until(lambda: facts.tries[facts.graph.place["job0"]] == 2, every=POLL)
            assert facts.tries[facts.graph.place["job2"]] == 1, "what was done is not done again"
            while (popup := QApplication.activePopupWidget()) is not None:
                popup.close()

    desktop.run(main)


def test_an_action_that_is_possible_for_all_does_not_count_them(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(half_done())
            pointer = Pointer(console)
            view = pointer.canvas
            await until(lambda: view.graph.picture is not None, every=POLL)
            view.folding.fold(["jobs"])
            await until(lambda: view.folding.is_folded(pointer.facts.graph.place["job2"]), every=POLL)
            menu = pointer.menu_at(pointer.node("job0"))
            assert not [name for name in names(menu) if "of those selected" in name]
            menu.close()

    desktop.run(main)


def test_everything_is_selected_and_held_by_keys(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await started(console, half_done())
            await until(lambda: list(statuses(console).values()).count(TaskStatus.FAILED) == 2, every=POLL)
            await until(lambda: statuses(console)["slow"] is TaskStatus.RUNNING, every=POLL)
            console.actions["select_all"].trigger()
            assert len(front(console).selection.now.numbers) == 6
            await until(lambda: console.actions["hold"].text() == "Hold, 2 of those selected", every=POLL)
            assert "2 of those selected (Ctrl+H)" in console.actions["hold"].toolTip()
            console.actions["hold"].trigger()
            facts = front(console).reader.facts()
            assert facts is not None
            await until(lambda: {facts.graph.ids[number] for number in facts.held} == {"job3", "job4"}, every=POLL)

    desktop.run(main)
