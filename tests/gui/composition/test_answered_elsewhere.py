"""What is being answered stays in sight when somebody else, or time, answers it first, and no note is lost."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtTest import QTest
from tests.driver import plan, task
from tests.gui.composition.test_agents import pane_of, readied
from tests.gui.composition.test_console import front
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.model.device import DeviceSpec
from starloom.model.status import GateDefault
from starloom.model.task import Gate
from starloom.scheduling.commands import AnswerGate
from starloom_gui.workspace.unset import unset_of

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop

    from starloom.model.plan import Plan
    from starloom.orchestration.run import Run
    from starloom_gui.composition.console import Console

pytestmark = pytest.mark.usefixtures("app")


def two_gates(after: float | None = None) -> Plan:
    """Two gates that wait at once; the second one goes on by itself after some seconds."""
    g1 = task("g1", gate=Gate(message="First?"))
    g2 = task("g2", gate=Gate(message="Second?", after=after, then=GateDefault.PROCEED if after else None))
    device = DeviceSpec(id="dev", kind="simulated", slots=2)
    tasks = [g1, g2, task("x1", simulate=0.01), task("x2", simulate=0.01)]
    return replace(plan(tasks, ["g1>x1", "g2>x2"]), name="gates", devices=(device,))


async def answered_by_bob(console: Console, run: Run, *, approve: bool) -> None:
    command = AnswerGate(run_id=run.id, task_id="g2", approve=approve, note="done already", origin="bob")
    await orchestrator_of(console).pump.ask(command)


@pytest.mark.parametrize("by", ["somebody else", "time"])
def test_no_other_gate_comes_under_the_hand_that_answers_one(desktop: Desktop, by: str) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, pane = await readied(console, two_gates(3.0 if by == "time" else None)), pane_of(console)
            console.actions["start"].trigger()
            await until(lambda: len(pane.requests.waiting) == 2)
            pane.show_gate("g2")
            QTest.keyClicks(pane.gate.bar.note, "two is")
            if by == "somebody else":
                await answered_by_bob(console, run, approve=True)
            await until(lambda: run.task("g2").status == "completed")
            await until(lambda: len(pane.requests.waiting) == 1)
            pane.refresh()
            assert pane.entries.key == ("gate", ("g2", 1))
            QTest.keyClicks(pane.gate.bar.note, " good")
            assert pane.gate.bar.note.text() == "two is good"
            told = "by bob at" if by == "somebody else" else "nobody answered in time"
            await until(lambda: told in pane.gate._about.text())
            for button in pane.gate.answers:
                assert not button.isEnabled()
                button.click()
            assert run.task("g1").status != "completed", "nobody has answered it"
            pane.show_gate("g1")
            assert pane.gate.bar.note.text() == ""
            assert pane.gate.bar.accept.isEnabled()
            pane.refresh()
            assert [entry.key for entry in pane.entries.entries if entry.key] == [("gate", ("g1", 1))]
            pane.gate.bar.accept.click()
            await until(lambda: run.task("g1").status == "completed")

    desktop.run(main)


def test_a_note_stays_with_its_gate_while_another_one_is_looked_at(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, pane = await readied(console, two_gates()), pane_of(console)
            console.actions["start"].trigger()
            await until(lambda: len(pane.requests.waiting) == 2)
            pane.show_gate("g1")
            QTest.keyClicks(pane.gate.bar.note, "for one")
            pane.show_gate("g2")
            assert pane.gate.bar.note.text() == ""
            QTest.keyClicks(pane.gate.bar.note, "for two")
            pane.show_gate("g1")
            assert pane.gate.bar.note.text() == "for one"
            await answered_by_bob(console, run, approve=False)
            await until(lambda: len(pane.requests.waiting) == 1)
            pane.refresh()
            gone = next(entry for entry in pane.entries.entries if entry.key == ("gate", ("g2", 1)))
            assert gone.is_faint
            pane.entries.choose(gone.key)
            await until(lambda: "g2 was rejected (done already), by bob at" in pane.gate._about.text())
            assert (pane.gate._title.text(), pane.gate.bar.note.text()) == ("Second?", "for two")
            assert [one.words for one in unset_of(front(console))] == ["Note for “First?”"]
            assert not pane.gate.bar.accept.isEnabled()
            pane.show_gate("g1")
            pane.gate.bar.accept.click()
            await until(lambda: run.task("g1").status == "completed")
            result = run.task("g1").result
            assert result is not None
            assert result.value == "for one"

    desktop.run(main)


def test_what_is_answered_here_makes_room_for_the_next(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, pane = await readied(console, two_gates()), pane_of(console)
            console.actions["start"].trigger()
            await until(lambda: len(pane.requests.waiting) == 2)
            pane.show_gate("g1")
            QTest.keyClicks(pane.gate.bar.note, "for one")
            pane.gate.bar.accept.click()
            await until(lambda: run.task("g1").status == "completed")
            await until(lambda: pane.entries.key == ("gate", ("g2", 1)))
            assert pane.gate.bar.note.text() == ""

    desktop.run(main)


def test_a_gate_that_is_taken_back_and_asked_anew_keeps_its_note_and_its_place(desktop: Desktop) -> None:
    async def main() -> None:
        tasks = [task(id, gate=Gate(message=f"{id}?")) for id in ("g1", "g2")]
        gated = replace(plan(tasks, ["g1>g2"]), name="gates", devices=(DeviceSpec(id="dev", kind="simulated"),))
        async with desktop.console() as console:
            run, pane = await readied(console, gated), pane_of(console)

            async def first_passes() -> None:
                await until(lambda: ("gate", ("g1", run.facts.gates[0].attempt)) in pane.requests.waiting)
                answer = AnswerGate(run_id=run.id, task_id="g1", approve=True, origin="bob")
                await orchestrator_of(console).pump.ask(answer)

            console.actions["start"].trigger()
            await until(lambda: bool(pane.requests.waiting))
            await first_passes()
            await until(lambda: list(pane.requests.waiting) == [("gate", ("g2", 1))])
            pane.show_gate("g2")
            QTest.keyClicks(pane.gate.bar.note, "checked by hand")
            await run.rerun_from("g1")
            await until(lambda: list(pane.requests.waiting) == [("gate", ("g1", 2))])
            pane.refresh()
            assert pane.entries.key == ("gate", ("g2", 1))
            assert not pane.gate.bar.accept.isEnabled()
            await first_passes()
            await until(lambda: pane.entries.key == ("gate", ("g2", 2)))
            assert pane.gate.bar.note.text() == "checked by hand"
            assert pane.gate.bar.accept.isEnabled()
            pane.refresh()
            assert [entry.key for entry in pane.entries.entries if entry.key] == [("gate", ("g2", 2))]
            pane.gate.bar.accept.click()
            await until(lambda: run.task("g2").status == "completed")
            result = run.task("g2").result
            assert result is not None
            assert result.value == "checked by hand"

    desktop.run(main)
