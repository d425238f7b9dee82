"""A run beside its plan, in the console: what differs is listed and drawn, kept up, carried over, and left again."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from tests.driver import edge, plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, started
from tests.gui.composition.test_time_travel import looking_back, settled
from tests.gui.engines import orchestrator_of
from tests.gui.pressing import press
from tests.waiting import until

from starloom.constellation.edits import AddDependency, AddTask, RemoveTask, UpdateTask
from starloom.model.device import DeviceSpec
from starloom.scheduling import commands as c
from starloom_gui.dialogs.changes import ChangesDialog
from starloom_gui.dialogs.choose_run import ChooseRunDialog
from starloom_gui.diff.plan_difference_words import Sign
from starloom_gui.documents.document import Document, RunTab
from starloom_gui.editing.base import Step
from starloom_gui.viewmodel.keys import Scope
from starloom_gui.viewmodel.stage import Stage
from starloom_gui.workspace.views import ChangesGround

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.constellation.edits import Edit
    from starloom.model.plan import Plan
    from starloom_gui.composition.console import Console
    from starloom_gui.diff.plan_diff import PlanDiff
    from starloom_gui.panels.difference import DifferencePane


def build() -> Plan:
    """`a` runs for long, `b`, `c` and `d` wait in a row."""
    steps = [task("a", simulate=LONG), *(task(name, simulate=1) for name in ("b", "c", "d"))]
    device = DeviceSpec(id="dev", kind="simulated", slots=1)
    return replace(plan(steps, ["a>b", "b>c", "c>d"]), name="build", devices=(device,))


async def edited(console: Console, *edits: Edit) -> None:
    editor = front(console).source.editor
    editor.do(Step(label="Edit", edits=edits))
    await at_rest(console)


async def compared(console: Console) -> DifferencePane:
    """Compare what is in front, as users do."""
    await until(console.actions["compare_plan"].isEnabled)
    console.actions["compare_plan"].trigger()
    ground = front(console).pane("changes")
    assert isinstance(ground, ChangesGround)
    against = front(console).against
    assert against is not None
    await until(lambda: against.apart is not None and ground.difference.rows.isVisible())
    return ground.difference


def rows(pane: DifferencePane) -> list[str]:
    return [f"{line.mark} {line.title}".replace(Sign.REMOVED.value, "-") for line in pane.rows.lines]


def shown_ids(console: Console) -> tuple[str, ...]:
    picture = front(console).canvas.graph.picture
    assert picture is not None
    return picture.layout.graph.ids


def shown_status(console: Console, number: int) -> int | None:
    """The status with which a task is drawn now."""
    picture = front(console).canvas.graph.picture
    row = picture.row(number) if picture is not None else None
    return int(picture.status[row]) if picture is not None and row is not None else None


def has_runs(console: Console, count: int) -> bool:
    return len(console.documents.runs) == count


def has_added(against: PlanDiff, id: str) -> bool:
    """Whether it is known that this is the one task that only the run has."""
    return against.apart is not None and [one.id for one in against.apart.found.added] == [id]


def stages(console: Console) -> dict[str, Stage]:
    picture = front(console).canvas.graph.picture
    assert picture is not None
    ids = picture.layout.graph.ids
    return {ids[row]: Stage(stage) for row, stage in enumerate(picture.stage.tolist()) if stage}


async def with_differences(console: Console) -> RunTab:
    tab = await started(console, build())
    await at_rest(console)
    added = AddTask(task("new", simulate=1)), AddDependency(edge("c", "new"))
    await edited(console, RemoveTask("d"), *added, UpdateTask("c", timeout=60))
    return tab


def test_what_differs_is_listed_drawn_and_selected_and_is_left_in_many_ways(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await with_differences(console)
            pane = await compared(console)
            assert rows(pane) == ["- d", "+ new", "Δ c", "- c → d", "+ c → new"]
            assert pane.rows.lines[2].lines == ("Timeout: none → 1m",)
            assert pane._counts.text() == "2 only in the run · 2 only in the plan · 1 changed"
            expected = {"d": Stage.REMOVED, "new": Stage.EXTRA, "c": Stage.CHANGED}
            await until(lambda: stages(console) == expected)
            for row, ids in ((1, ("new",)), (4, ("c", "new")), (2, ("c",))):
                pane.rows.setCurrentIndex(pane.rows.model().index(row, 0))
                assert front(console).target.task_ids == ids
            assert console.actions["compare_plan"].isChecked()
            view = front(console)
            assert view.against_banner.isVisible()
            assert view.against_banner.accessibleDescription() == pane._counts.text()
            ways: list[Callable[[DifferencePane], object]] = [
                lambda _: QTest.keyClick(view.canvas, Qt.Key.Key_Escape),
                lambda pane: QTest.keyClick(pane.rows, Qt.Key.Key_Escape),
                lambda pane: pane.done.click(),
                lambda _: view.against_banner.back.click(),
                lambda _: console.actions["compare_plan"].trigger(),
            ]
            for leave in ways:
                if not console.actions["compare_plan"].isChecked():
                    await compared(console)
                await until(lambda: bool(stages(console)))
                leave(pane)
                await until(lambda: not stages(console) and not pane.isVisible())
                assert not view.against_banner.isVisible()
                await until(lambda: "d" not in shown_ids(console))
                await until(lambda: not console.actions["compare_plan"].isChecked())

    desktop.run(main)


def test_it_follows_the_run_and_the_plan(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await with_differences(console)
            pane = await compared(console)
            await edited(console, UpdateTask("b", timeout=5))
            await until(lambda: "Δ b" in rows(pane))
            document = console.documents.document_of(tab)
            assert document is not None
            tasks = tuple(one for one in document.plan.tasks if one.id != "d")
            links = tuple(one for one in document.plan.dependencies if one.child != "d")
            console.documents.change(document.key, document.plan.edited(tasks, links))
            await until(lambda: "- d" not in rows(pane))
            await until(lambda: "d" not in stages(console))
            console.commands.do(c.CancelRun(run_id=tab.run_id, reason="enough"))
            run = orchestrator_of(console).run(tab.run_id)
            await run.finished()
            await at_rest(console)
            await until(lambda: shown_status(console, 0) == run.facts.status[0])

    desktop.run(main)


def test_a_closed_plan_is_compared_as_it_was_when_the_run_began(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await with_differences(console)
            pane = await compared(console)
            document = console.documents.document_of(tab)
            assert document is not None
            console.documents.close(document.key)  # then it is compared with what it was when it began
            await until(lambda: "build, as it was started" in pane._head.text())
            assert "- d" in rows(pane)
            assert not pane.apply.isEnabled()
            assert "not open" in pane.apply.toolTip()
            console.documents.put_plan(build())
            console.documents.turn_to(tab.key)
            assert not pane.apply.isEnabled(), "it is another document"

    desktop.run(main)


def test_the_runs_edits_are_carried_over_from_there(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            tab = await with_differences(console)
            pane = await compared(console)
            assert pane.apply.isEnabled()
            pane.apply.click()
            await until(lambda: any(one.isVisible() for one in console.window.findChildren(ChangesDialog)))
            (dialog,) = console.window.findChildren(ChangesDialog)
            dialog.choices.choose("apply")
            await until(lambda: isinstance(console.documents.front, Document))
            document = console.documents.document_of(tab)
            assert document is not None
            assert {one.id for one in document.plan.tasks} == {"a", "b", "c", "new"}
            console.documents.turn_to(tab.key)
            await until(lambda: not pane.rows.lines and pane._empty.isVisible())
            assert pane._empty.text().startswith("The run's graph and the plan say the same. Devices that tasks")

    desktop.run(main)


def test_from_a_plan_one_turns_to_its_run_and_chooses_where_there_are_several(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.documents.put_plan(build())
            await at_rest(console)
            assert "No run of this plan is open." in console.actions["compare_plan"].toolTip()
            document = console.documents.front
            assert isinstance(document, Document)
            tabs = []
            for count in (1, 2):
                console.documents.turn_to(document.key)
                console.actions["start"].trigger()
                await until(partial(has_runs, console, count))
                await at_rest(console)
                await edited(console, AddTask(task(f"new {count}", simulate=1)))
                tabs.append(console.documents.front)
                console.documents.turn_to(document.key)
                await until(console.actions["compare_plan"].isEnabled)
                assert console.actions["compare_plan"].text() == "Compare with run…"
                console.actions["compare_plan"].trigger()
                if count == 2:
                    (dialog,) = (one for one in console.window.findChildren(ChooseRunDialog) if one.isVisible())
                    assert [line.title for line in dialog.rows.lines] == [run.title for run in console.documents.runs]
                    QTest.keyClick(dialog.rows, Qt.Key.Key_Return)
                assert console.documents.front is tabs[-1]
                against = front(console).against
                assert against is not None
                await until(partial(has_added, against, f"new {count}"))

    desktop.run(main)


async def with_another_in_the_plan(console: Console) -> DifferencePane:
    """Compare with a plan that has got a task since, which the run has never had."""
    tab = await with_differences(console)
    document = console.documents.document_of(tab)
    assert document is not None
    later = replace(document.plan, tasks=(*document.plan.tasks, task("later", simulate=1)))
    console.documents.change(document.key, later)
    pane = await compared(console)
    await until(lambda: set(stages(console)) >= {"d", "later"})
    return pane


def choose(pane: DifferencePane, row: str) -> None:
    index = pane.rows.model().index(rows(pane).index(row), 0)
    pane.rows.selectionModel().select(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)


def test_nothing_can_be_done_to_what_was_removed_and_is_drawn_again(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            pane = await with_another_in_the_plan(console)
            view, keys = front(console), Qt.Key
            revision = orchestrator_of(console).run(view.source.run_id).revision
            choose(pane, "- d")
            assert len(view.selection.now.numbers) == 1
            assert view.target.task_ids == ()
            number = next(iter(view.selection.now.numbers))
            for command in ("remove", "rename", "connect", "next_edge", "insert"):
                view.selection.select(number)
                press(view.canvas, Scope.GRAPH, command)
                QTest.keyClick(view.canvas, keys.Key_Return)
                view.canvas.gestures.stop()
            view.edit_wiring.look()
            assert not any(action.isEnabled() for action in view.edit_wiring.actions[:2])
            for shown in ("inspector", "outline", "tasks", "output", "events", "queue"):
                console.window.workbench.turn_to(shown)
                await at_rest(console)
            assert orchestrator_of(console).run(view.source.run_id).revision == revision

    desktop.run(main)


def test_what_the_run_never_had_is_pointed_at_and_cannot_be_taken_hold_of(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            pane = await with_another_in_the_plan(console)
            view = front(console)
            choose(pane, "- later")
            assert view.selection.now.numbers == frozenset()
            assert view.canvas.overlay.note == "Only the plan has this task."
            picture = view.canvas.graph.picture
            assert picture is not None
            row = picture.layout.graph.ids.index("later")
            at = view.canvas.graph.node_rect(row).center().toPoint()
            assert view.canvas.hit_tester.row_at(at) is None
            QTest.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)
            view.canvas.gestures.select_everything()
            assert set(view.target.task_ids) == {"a", "b", "c", "new"}
            await edited(console, AddTask(task("sudden", simulate=1)))  # it gets the number that was only lent
            await until(lambda: "+ sudden" in rows(pane))
            assert set(view.target.task_ids) == {"a", "b", "c", "new"}
            await until(lambda: stages(console).get("sudden") is Stage.EXTRA)
            assert stages(console)["later"] is Stage.REMOVED

    desktop.run(main)


def test_while_edits_are_staged_these_are_drawn_and_the_list_says_so(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await with_differences(console)
            pane = await compared(console)
            await until(lambda: "d" in stages(console))
            console.actions["staged"].trigger()
            front(console).source.editor.do(Step(label="Edit", edits=(AddTask(task("x", simulate=1)),)))
            await until(lambda: stages(console) == {"x": Stage.ADDED})
            assert "what is staged" in pane._note.text()
            assert not front(console).against_banner.isVisible(), "the strip of staged edits is there"
            front(console).source.editor.undo()
            await until(lambda: "d" in stages(console))
            assert pane._note.text().startswith("Devices that tasks were pinned to")

    desktop.run(main)


def test_of_the_past_nothing_is_compared_or_replaced(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await with_differences(console)
            pane = await compared(console)
            travel = await looking_back(console)
            travel.go_to_begin()
            await settled(console, travel)
            await until(lambda: not stages(console) and not pane.isVisible())
            console.actions.refresh(thoroughly=True)
            for key in ("compare_plan", "replace"):
                assert not console.actions[key].isEnabled(), key
                assert "The past is shown. Go back to live first." in console.actions[key].toolTip()
            travel.go_live()
            await until(console.actions["compare_plan"].isEnabled)

    desktop.run(main)
