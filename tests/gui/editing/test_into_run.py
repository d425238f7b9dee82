"""Palette, drops, clipboard, pins and bulk edits by way of a run's own editor: live, staged, and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QGuiApplication
from tests.driver import task
from tests.gui.editing.run_editor_bench import RunEditorBench

from starloom.scheduling.read.run_view import RunView
from starloom_gui.editing.adding import GROUND, Planter, Site
from starloom_gui.editing.base import Mode
from starloom_gui.editing.clipboard import Clipboard
from starloom_gui.editing.run_gateway import RunGateway
from starloom_gui.panels.bulk import change_all
from starloom_gui.timeline.pins import EditorPins
from starloom_gui.viewmodel.selection import Selection
from starloom_gui.viewmodel.task_fields import change_and_retry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication


class User:
    """Somebody who adds, pastes, pins and changes by way of one editor."""

    def __init__(self, mode: Mode) -> None:
        self.bench, self.selection = RunEditorBench(mode), Selection()
        editor = self.bench.editor
        self.planter, self.clipboard = Planter(editor, self.selection), Clipboard(editor, self.selection)
        self.pins = EditorPins(editor, self.bench.engine, editor.facts)

    def number(self, task_id: str) -> int:
        facts = self.bench.editor.facts()
        assert facts is not None
        return facts.graph.place[task_id]

    def shown(self) -> set[str]:
        """The ids of the tasks the user sees."""
        facts = self.bench.editor.facts()
        assert facts is not None
        return set(facts.graph.place)


@pytest.fixture(params=[Mode.LIVE, Mode.STAGED])
def user(app: QApplication, request: pytest.FixtureRequest) -> Iterator[User]:
    QGuiApplication.clipboard().clear()
    made = User(request.param)
    yield made
    made.bench.editor.close()
    QGuiApplication.clipboard().clear()


def test_a_task_from_the_palette_is_selected_and_undone_in_one_step(user: User) -> None:
    before = user.bench.run().graph.canonical_bytes()
    user.planter.add(task("new"), Site(user.number("b"), user.number("c")))
    user.bench.settle()
    assert user.selection.now.numbers == {user.number("new")}
    assert user.bench.editor.undo_offer().label == "Add new between b and c"
    user.bench.editor.undo()
    user.bench.settle()
    assert "new" not in user.shown()
    assert user.bench.run().graph.canonical_bytes() == before


def test_what_was_staged_before_counts_for_what_comes_after(user: User) -> None:
    for _ in range(3):
        user.planter.add(task("new"), GROUND)
        user.bench.settle()
    assert {"new", "new-2", "new-3"} <= user.shown()
    assert user.planter.verdict(task("x"), Site(user.number("new"))).ok


def test_a_paste_is_one_step_of_undo(user: User) -> None:
    user.selection.select_all([user.number("b"), user.number("c")])
    assert user.clipboard.copy()
    assert user.clipboard.paste(with_outside=True)
    user.bench.settle()
    assert {"b-2", "c-2"} <= user.shown()
    assert user.selection.now.numbers == {user.number("b-2"), user.number("c-2")}
    user.bench.editor.undo()
    user.bench.settle()
    assert not {"b-2", "c-2"} & user.shown()


def test_a_cut_comes_back_by_undo(user: User) -> None:
    before = user.bench.run().graph.canonical_bytes()
    user.selection.select_all([user.number("c")])
    assert user.clipboard.cut()
    user.bench.settle()
    assert "c" not in user.shown()
    user.bench.editor.undo()
    user.bench.settle()
    assert "c" in user.shown()
    assert user.bench.run().graph.canonical_bytes() == before


def test_many_tasks_are_changed_and_changed_back_in_one_step(user: User) -> None:
    facts = user.bench.editor.facts()
    assert facts is not None
    asks = RunGateway(user.bench.editor, user.bench.engine)
    numbers = [user.number("b"), user.number("c")]
    assert change_all(asks, RunView(facts), numbers, "timeout", "5m", facts.revision) == ""
    user.bench.settle()
    assert user.bench.editor.undo_offer().label == "Change timeout of 2 task(s)"
    facts = user.bench.editor.facts()
    assert facts is not None
    assert [facts.graph.task(one).timeout for one in "bc"] == [300.0, 300.0]
    user.bench.editor.undo()
    user.bench.settle()
    facts = user.bench.editor.facts()
    assert facts is not None
    assert [facts.graph.task(one).timeout for one in "bc"] == [None, None]


def test_a_pin_is_sent_or_staged_and_undone(user: User) -> None:
    user.bench.driver.add_device("other")
    assert user.pins.verdict(user.number("c"), "other").ok
    user.pins.pin(user.number("c"), "other")
    user.bench.settle()
    assert user.pins.device_of(user.number("c")) == "other"
    assert (user.bench.run().pin_of(user.number("c")) == "other") is (user.bench.editor.mode is Mode.LIVE)
    user.bench.editor.undo()
    user.bench.settle()
    assert user.pins.device_of(user.number("c")) is None


def test_an_ended_task_is_changed_and_retried_live_alone() -> None:
    """What is typed into a field in Staged mode acts with the commit, and never before it."""
    bench = RunEditorBench(Mode.STAGED)
    bench.driver.fail("a")
    asks, task = RunGateway(bench.editor, bench.engine), RunView(bench.run()).task(bench.run().graph.place["a"])
    assert task.has_ended
    wrong, why = change_and_retry(asks, [task], {"timeout": "5m"})
    assert wrong == "timeout"
    assert why == (
        "A change with a retry takes effect at once and cannot be staged. "
        "Turn to Live to change this task and run it again."
    )
    assert not bench.editor.steps
    bench.editor.set_mode(Mode.LIVE)
    assert change_and_retry(asks, [task], {"timeout": "5m"}) == ("", "")
