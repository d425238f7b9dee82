"""What staged edits would change is foreseen once they rest, and given up when they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec import structs
from tests.driver import task
from tests.gui.editing.foreseeing import Foresight, lab
from tests.gui.editing.run_editor_bench import RunEditorBench
from tests.gui.event_loop.loops import run_on
from tests.waiting import until

from starloom.constellation.edits import AddTask, RemoveDependency, RemoveTask, UpdateTask
from starloom.errors import CommandRefused
from starloom_gui.editing.base import Mode, Step
from starloom_gui.editing.effect_words import checks_of, figures_of, finish_of, gain_words, path_names
from starloom_gui.event_loop import QtEventLoop

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from PySide6.QtWidgets import QApplication

    from starloom.foresight.what_if import WhatIf

SHORTER = UpdateTask("soak", simulate={"duration": 40})


class Table:
    """A run whose staged edits are foreseen."""

    def __init__(self) -> None:
        driver = lab()
        self.foresight = Foresight(driver)
        self.bench = RunEditorBench(Mode.STAGED, self.foresight, driver)
        self.editor = self.bench.editor

    async def effect(self) -> WhatIf:
        await until(lambda: self.editor.staging.effect is not None)
        assert self.editor.staging.effect is not None
        return self.editor.staging.effect.what_if


def on_the_loop(main: Callable[[Table], Coroutine[Any, Any, None]]) -> None:
    async def within() -> None:
        table = Table()
        try:
            await main(table)
        finally:
            table.editor.close()

    run_on(QtEventLoop, within)


def test_every_staged_set_is_foreseen_with_bars_for_the_timeline(app: QApplication) -> None:
    async def main(table: Table) -> None:
        table.bench.do(SHORTER)
        found = await table.effect()
        assert found.delay_s == -60
        table.bench.do(AddTask(task("x", simulate={"duration": 5}, device="lab-b")))
        assert not table.editor.staging.effect, "what is shown is about other edits"
        await table.effect()
        effect = table.editor.staging.effect
        assert effect is not None
        assert effect.edits == table.editor.staging.fitting
        assert effect.bars is not None
        numbers = {number for lane in effect.bars.values() for number in lane.number[: lane.size].tolist()}
        assert table.editor.facts() is effect.facts
        assert effect.facts.graph.place["x"] in numbers

    on_the_loop(main)


def test_edits_that_change_before_they_rest_are_foreseen_once(app: QApplication) -> None:
    async def main(table: Table) -> None:
        for seconds in (70, 60, 50):
            table.bench.do(UpdateTask("soak", simulate={"duration": seconds}), merges="slider")
        found = await table.effect()
        assert found.delay_s == -50
        assert len(table.foresight.asked) == 1

    on_the_loop(main)


def test_what_is_foreseen_of_other_edits_is_given_up(app: QApplication) -> None:
    async def main(table: Table) -> None:
        table.foresight.gate.clear()
        table.bench.do(SHORTER)
        await until(lambda: table.foresight.asked)
        table.bench.do(UpdateTask("power", timeout=5))
        await until(lambda: table.foresight.cancelled)
        table.foresight.gate.set()
        await table.effect()
        assert len(table.foresight.asked) == 2

    on_the_loop(main)


def test_nothing_staged_is_nothing_foreseen(app: QApplication) -> None:
    async def main(table: Table) -> None:
        table.bench.do(SHORTER)
        await table.effect()
        table.editor.staging.discard()
        assert table.editor.staging.effect is None
        assert table.editor.staging._weigher is not None
        assert not table.editor.staging._weigher.is_weighing

    on_the_loop(main)


def test_a_run_that_goes_on_is_foreseen_anew_while_the_old_answer_stays(app: QApplication) -> None:
    async def main(table: Table) -> None:
        table.bench.do(UpdateTask("report", simulate={"duration": 5}))
        first = await table.effect()
        table.bench.driver.now += 60
        table.bench.driver.end("flash")
        table.bench.tell()
        assert table.editor.staging.effect is not None
        await until(
            lambda: table.editor.staging.effect is not None and table.editor.staging.effect.what_if is not first
        )

    on_the_loop(main)


def test_of_a_run_that_has_ended_edits_are_foreseen_again_as_time_passes(app: QApplication) -> None:
    async def main(table: Table) -> None:
        driver = table.foresight.driver
        while driver.ordered:
            driver.end(next(iter(driver.ordered))[1])
        table.bench.tell()
        assert driver.run().state.has_ended
        table.bench.do(AddTask(task("late", simulate={"duration": 5})))
        first = await table.effect()
        assert first.after is not None
        driver.advance(40)  # nothing happens, and nobody is told of anything
        await until(
            lambda: table.editor.staging.effect is not None and table.editor.staging.effect.what_if is not first
        )
        then = await table.effect()
        assert then.after is not None
        assert (first.after.end, then.after.end) == (first.after.at + 5, first.after.at + 45)

    on_the_loop(main)


def test_a_step_that_is_only_tried_is_foreseen_on_top_of_what_is_staged(app: QApplication) -> None:
    async def main(table: Table) -> None:
        told: list[tuple[Step, WhatIf]] = []
        table.editor.tried.connect(lambda step, found: told.append((step, found)))
        table.bench.do(UpdateTask("power", timeout=5))
        step = Step(label="Shorter", edits=(SHORTER,))
        table.editor.what_if_of(step)
        await until(lambda: told)
        assert told[0][0] == step
        assert told[0][1].delay_s == -60
        assert len(table.editor.steps) == 1
        table.editor.what_if_of(None)
        assert len(told) == 1

    on_the_loop(main)


def test_a_run_that_is_gone_is_not_foreseen_and_nobody_complains(app: QApplication) -> None:
    async def main(table: Table) -> None:
        async def gone(*_edits: object) -> WhatIf:
            raise CommandRefused("gone", "The run is gone.")

        bench = RunEditorBench(Mode.STAGED, gone, lab())
        bench.do(SHORTER)
        weigher, told = bench.editor.staging._weigher, []
        assert weigher is not None
        assert bench.editor.staging.can_foresee
        bench.editor.staging.weighed.connect(lambda: told.append(bench.editor.staging.can_foresee))
        await until(lambda: not weigher.is_weighing)
        assert bench.editor.staging.effect is None
        assert told[-1:] == [False], "whoever said that it is foreseen says so no more"
        bench.editor.close()

    on_the_loop(main)


# ---- in words


def test_finish_figures_and_path_are_told_before_and_after(app: QApplication) -> None:
    async def main(table: Table) -> None:
        table.bench.do(SHORTER, UpdateTask("soak", device="lab-b"), RemoveTask("power"))
        found = await table.effect()
        after = table.editor.facts()
        assert after is not None
        finish = finish_of(found, lambda at: at)
        assert finish.gain == "1 min earlier"
        assert finish.before[3:] == "02:50"
        assert finish.after[3:] == "01:50"
        figures = {one.name: (one.before, one.after) for one in figures_of(found, after.graph, lambda at: at)}
        assert figures["Time left"] == ("2:50", "1:50")
        assert figures["Move device"][1].startswith("soak it")
        assert path_names(found.before, "r", after.graph) == ("flash it", "soak it", "report")

    on_the_loop(main)


def test_a_difference_is_that_of_the_seconds_that_are_shown(app: QApplication) -> None:
    async def main(table: Table) -> None:
        table.bench.do(SHORTER)
        found = await table.effect()
        before, after = (structs.replace(found.before, end=end, p50=end) for end in (128.9, 122.0))
        finish = finish_of(structs.replace(found, before=before, after=after), lambda at: at)
        assert (finish.before[3:], finish.after[3:], finish.gain) == ("02:08", "02:02", "6 s earlier")

    on_the_loop(main)


def test_of_a_run_that_has_ended_no_finish_is_made_of_the_moment_at_which_it_was_asked(app: QApplication) -> None:
    async def main(table: Table) -> None:
        table.bench.do(SHORTER)
        found = await table.effect()
        nothing_left = structs.replace(found.before, tasks={}, end=found.before.at, p50=found.before.at)
        finish = finish_of(structs.replace(found, before=nothing_left), lambda at: at)
        assert (finish.before, finish.gain) == ("ended", "")
        assert finish.after.endswith("01")

    on_the_loop(main)


def test_a_path_names_what_is_tried_again_once_and_what_would_go_by_its_name(app: QApplication) -> None:
    async def main(table: Table) -> None:
        table.bench.do(RemoveTask("soak"))
        found = await table.effect()
        ghosts = table.editor.ghosts
        assert ghosts is not None
        path = found.before.path
        again = structs.replace(found.before, path=(path[0], *path))
        assert path_names(again, "r", ghosts.facts.graph) == ("flash it", "soak it", "report")
        assert path_names(again, "another", ghosts.facts.graph) == ("flash", "soak", "report")
        assert path_names(None, "r", ghosts.facts.graph) == ()

    on_the_loop(main)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(-360.0, "6 min earlier"), (360.0, "6 min later"), (-12.0, "12 s earlier"), (0.1, "as before"), (None, "")],
)
def test_what_is_gained_is_said_in_words(seconds: float | None, words: str) -> None:
    assert gain_words(seconds) == words


def test_checks_say_what_is_fine_and_what_is_not() -> None:
    bench = RunEditorBench(Mode.STAGED, driver=lab())
    bench.add("x", device="lab-b")
    bench.add("y", requires=("gpu",))
    after = bench.editor.facts()
    assert after is not None
    checks = [(check.ok, check.text) for check in checks_of(bench.run(), bench.editor.staging.fitting, after, ())]
    assert checks == [
        (True, "No cycle"),
        (True, "No running task touched"),
        (False, "No device fits y"),
        (True, "Devices fit: lab-b"),
    ]


def test_checks_say_that_somebody_else_has_changed_the_same() -> None:
    bench = RunEditorBench(Mode.STAGED, driver=lab())
    bench.do(UpdateTask("soak", timeout=5))
    bench.driver.edit(UpdateTask("soak", timeout=6), origin="agent")
    bench.tell()
    after = bench.editor.facts()
    assert after is not None
    problems = [problem for found in bench.editor.staging.problems.values() for problem in found]
    texts = [
        check.text for check in checks_of(bench.run(), bench.editor.staging.fitting, after, problems) if not check.ok
    ]
    assert texts == ["Somebody else has changed the same"]


def test_checks_say_what_would_start_at_once() -> None:
    bench = RunEditorBench(Mode.STAGED)
    bench.do(RemoveDependency("a", "b"))
    after = bench.editor.facts()
    assert after is not None
    checks = checks_of(bench.run(), bench.editor.staging.fitting, after, ())
    assert [check.text for check in checks if not check.ok] == ["Would start at once: b"]
