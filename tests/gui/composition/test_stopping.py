"""Going on by hand in a console over a real engine, with keys: breakpoints, a goal, one step at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.driver import plan, task
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_without_a_mouse import CTRL, LONG, SHIFT, Key, Keyboard
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.model.device import DeviceSpec
from starloom.model.status import RunState, TaskStatus
from starloom.scheduling.read.run_view import TaskView
from starloom_gui.canvas.badges import Badge
from starloom_gui.gateway.verbs import verb_of
from starloom_gui.models.task_spoken import spoken
from starloom_gui.panels.why_question import WhyQuestion
from starloom_gui.panels.why_rows import why_rows
from starloom_gui.specs.action_spec import Verb
from starloom_gui.widgets.offers import Offered

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop

    from starloom.model.plan import Plan
    from starloom.orchestration.run import Run
    from starloom_gui.composition.console import Console
    from starloom_gui.panels.why_question import WhyRow


def steps(*names: str, edges: tuple[str, ...] = (), lasts: float = 0.0) -> Plan:
    made = plan([task(name, simulate=lasts) for name in names], list(edges))
    return replace(made, name="by hand", devices=(DeviceSpec(id="d", kind="simulated", slots=4),))


async def readied(console: Console, wanted: Plan) -> tuple[Run, Keyboard]:
    """A run in front that has not begun, and the keyboard in its window."""
    run = await orchestrator_of(console).start(wanted, paused=True)
    console.documents.put_run(run.id, None, wanted.name)
    await at_rest(console)
    console.window.activateWindow()
    handle = console.window.windowHandle()
    assert handle is not None
    handle.requestActivate()
    await until(console.window.isActiveWindow)
    return run, Keyboard(console)


async def choose(console: Console, keyboard: Keyboard, name: str) -> None:
    """Select a task by its name."""
    keyboard.press(Key.Key_F, CTRL)
    keyboard.press(Key.Key_A, CTRL)
    keyboard.write(name)
    keyboard.press(Key.Key_Return)
    await until(lambda: console.target().task_ids == (name,))
    console.actions.refresh()


async def possible(console: Console, key: str) -> None:
    await until(lambda: console.actions[key].isEnabled())


def badge_of(console: Console, name: str) -> int:
    view = console.views.front
    assert view is not None
    picture = view.canvas.graph.picture
    assert picture is not None
    row = picture.row(picture.facts.graph.place[name])
    assert row is not None
    return int(picture.badge[row])


def blocks(console: Console, run: Run, name: str) -> WhyRow:
    """The first of what is said of why a task does not run."""
    number = run.facts.graph.place[name]
    asked = WhyQuestion(TaskView(run.facts, number), 0.0, console.gateway())
    return why_rows(asked, run.why(name))[0]


def remedies(row: WhyRow) -> list[Verb]:
    return [verb_of(one.offer.command) for one in row.remedies if isinstance(one, Offered) and one.verdict.ok]


def test_a_task_stops_at_its_breakpoint_and_goes_on_when_released(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, keyboard = await readied(console, steps("a", "b", "c", edges=("a>b", "b>c")))
            number = run.facts.graph.place["b"]
            await choose(console, keyboard, "b")
            assert not console.actions["clear_breakpoint"].isEnabled()
            await keyboard.choose(Key.Key_B, CTRL)
            await until(lambda: badge_of(console, "b") == Badge.BREAKPOINT)
            assert spoken(TaskView(run.facts, number), 0.0).startswith("b, waits for a, breakpoint, ")
            await possible(console, "clear_breakpoint")
            await keyboard.choose(Key.Key_F5)
            await until(lambda: run.facts.is_stopped(number))
            assert run.task("a").status is TaskStatus.COMPLETED
            await until(lambda: badge_of(console, "b") == Badge.HELD)
            row = blocks(console, run, "b")
            assert (row.text, remedies(row)) == ("It has stopped at its breakpoint", [Verb.RELEASE])
            await possible(console, "release")
            await keyboard.choose(Key.Key_L, CTRL)
            await until(lambda: run.state is RunState.COMPLETED)

    desktop.run(main)


def test_a_breakpoint_is_taken_back_and_set_again(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, keyboard = await readied(console, steps("a", "b", edges=("a>b",)))
            await choose(console, keyboard, "b")
            await keyboard.choose(Key.Key_B, CTRL)
            number = run.facts.graph.place["b"]
            assert number in run.facts.breakpoints
            await possible(console, "undo")
            assert console.actions["undo"].text() == "Undo “Set breakpoint: b”"
            console.actions["undo"].trigger()
            await until(lambda: number not in run.facts.breakpoints)
            await until(lambda: badge_of(console, "b") == Badge.NONE)
            await possible(console, "redo")
            console.actions["redo"].trigger()
            await until(lambda: number in run.facts.breakpoints)
            await possible(console, "clear_breakpoint")
            await keyboard.choose(Key.Key_B, CTRL | SHIFT)
            assert number not in run.facts.breakpoints

    desktop.run(main)


def test_the_run_goes_on_until_a_task_and_then_for_everything(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, keyboard = await readied(console, steps("a", "b", "c", "x", edges=("a>b", "b>c")))
            line = console.window.header.line
            await choose(console, keyboard, "b")
            assert not console.actions["run_all"].isEnabled()
            await keyboard.choose(Key.Key_F10, CTRL)
            await until(lambda: line.figures is not None and line.figures.until == "b")
            assert "until b" in line.accessibleDescription()
            await keyboard.choose(Key.Key_F5)
            await until(lambda: run.task("b").status is TaskStatus.COMPLETED)
            await at_rest(console)
            assert [run.task(name).status for name in "cx"] == ["pending", "pending"]
            row = blocks(console, run, "x")
            assert row.text == "The run goes on only until b, which does not need it"
            assert remedies(row) == [Verb.RUN_ALL]
            await possible(console, "run_all")
            await keyboard.choose(Key.Key_F10, CTRL | SHIFT)
            await until(lambda: run.state is RunState.COMPLETED)
            await until(lambda: line.figures is not None and not line.figures.until)

    desktop.run(main)


def test_a_paused_run_goes_on_one_step_at_a_time(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run, keyboard = await readied(console, steps("a", "b", "c", lasts=LONG))
            assert not console.actions["step"].isEnabled()
            await run.hold("a", "b", "c")
            await keyboard.choose(Key.Key_F5)
            await possible(console, "pause")
            await keyboard.choose(Key.Key_F6)
            await run.release("a", "b", "c")
            await choose(console, keyboard, "b")
            await possible(console, "step")
            await keyboard.choose(Key.Key_F10)
            await until(lambda: run.task("b").status is TaskStatus.RUNNING)
            assert [run.task(name).status for name in "ac"] == ["pending", "pending"]
            await keyboard.choose(Key.Key_F10)  # the selected one runs by now: the next
            await until(lambda: run.task("a").status is TaskStatus.RUNNING)
            assert run.task("c").status is TaskStatus.PENDING
            assert run.state is RunState.PAUSED

    desktop.run(main)
