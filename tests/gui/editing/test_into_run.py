"""Palette, drops, clipboard, pins and bulk edits by way of a run's own editor: live, staged, and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QGuiApplication
from tests.driver import task
from tests.gui.editing.engines import Desk

from starloom.constellation.edits import AddTask
from starloom_gui.editing.adding import GROUND, Planter, Site
from starloom_gui.editing.base import Mode
from starloom_gui.editing.clipboard import Clipboard
from starloom_gui.editing.run_gateway import RunGateway
from starloom_gui.panels.bulk import change_all
from starloom_gui.timeline.pins import EditorPins
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication


class Hands:
    """Somebody who adds, pastes, pins and changes by way of one editor."""

    def __init__(self, mode: Mode) -> None:
        self.desk, self.selection = Desk(mode), Selection()
        editor = self.desk.editor
        self.planter, self.clipboard = Planter(editor, self.selection), Clipboard(editor, self.selection)
        self.pins = EditorPins(editor, self.desk.engine, self.desk.run)

    def number(self, task_id: str) -> int:
        facts = self.desk.editor.facts()
        assert facts is not None
        return facts.graph.place[task_id]

    def shown(self) -> set[str]:
        """The ids of the tasks the user sees."""
        facts = self.desk.editor.facts()
        assert facts is not None
        return set(facts.graph.place)


@pytest.fixture(params=[Mode.LIVE, Mode.STAGED])
def hands(app: QApplication, request: pytest.FixtureRequest) -> Iterator[Hands]:
    QGuiApplication.clipboard().clear()
    made = Hands(request.param)
    yield made
    made.desk.editor.close()
    QGuiApplication.clipboard().clear()


def test_a_task_from_the_palette_is_selected_and_undone_in_one_step(hands: Hands) -> None:
    before = hands.desk.run().graph.canonical_bytes()
    hands.planter.add(task("new"), Site(hands.number("b"), hands.number("c")))
    hands.desk.settle()
    assert hands.selection.now.numbers == {hands.number("new")}
    assert hands.desk.editor.undo_offer().label == "Add new between b and c"
    hands.desk.editor.undo()
    hands.desk.settle()
    assert "new" not in hands.shown()
    assert hands.desk.run().graph.canonical_bytes() == before


def test_what_was_staged_before_counts_for_what_comes_after(hands: Hands) -> None:
    for _ in range(3):
        hands.planter.add(task("new"), GROUND)
        hands.desk.settle()
    assert {"new", "new-2", "new-3"} <= hands.shown()
    assert hands.planter.verdict(task("x"), Site(hands.number("new"))).ok


def test_a_paste_is_one_step_of_undo(hands: Hands) -> None:
    hands.selection.select_all([hands.number("b"), hands.number("c")])
    assert hands.clipboard.copy()
    assert hands.clipboard.paste(with_outside=True)
    hands.desk.settle()
    assert {"b-2", "c-2"} <= hands.shown()
    assert hands.selection.now.numbers == {hands.number("b-2"), hands.number("c-2")}
    hands.desk.editor.undo()
    hands.desk.settle()
    assert not {"b-2", "c-2"} & hands.shown()


def test_a_cut_comes_back_by_undo(hands: Hands) -> None:
    before = hands.desk.run().graph.canonical_bytes()
    hands.selection.select_all([hands.number("c")])
    assert hands.clipboard.cut()
    hands.desk.settle()
    assert "c" not in hands.shown()
    hands.desk.editor.undo()
    hands.desk.settle()
    assert "c" in hands.shown()
    assert hands.desk.run().graph.canonical_bytes() == before


def test_many_tasks_are_changed_and_changed_back_in_one_step(hands: Hands) -> None:
    facts = hands.desk.editor.facts()
    assert facts is not None
    asks = RunGateway(hands.desk.editor, hands.desk.engine)
    numbers = [hands.number("b"), hands.number("c")]
    assert change_all(asks, facts, numbers, "timeout", "5m", facts.revision) == ""
    hands.desk.settle()
    assert hands.desk.editor.undo_offer().label == "Change timeout of 2 task(s)"
    facts = hands.desk.editor.facts()
    assert facts is not None
    assert [facts.graph.task(one).timeout for one in "bc"] == [300.0, 300.0]
    hands.desk.editor.undo()
    hands.desk.settle()
    facts = hands.desk.editor.facts()
    assert facts is not None
    assert [facts.graph.task(one).timeout for one in "bc"] == [None, None]


def test_a_pin_is_asked_for_at_once_in_either_mode_and_undone(hands: Hands) -> None:
    hands.desk.driver.add_device("other")
    assert hands.pins.verdict(hands.number("c"), "other").ok
    hands.pins.pin(hands.number("c"), "other")
    hands.desk.settle()
    assert hands.desk.run().pin_of(hands.number("c")) == "other"
    hands.desk.editor.undo()
    hands.desk.settle()
    assert hands.desk.run().pin_of(hands.number("c")) is None


def test_a_task_that_is_only_staged_cannot_be_pinned_and_nothing_breaks(app: QApplication) -> None:
    hands = Hands(Mode.STAGED)
    hands.desk.do(AddTask(task("ghost")))
    number = hands.number("ghost")
    assert not hands.pins.verdict(number, "d").ok
    hands.pins.pin(number, "d")
    assert hands.desk.engine.sent == []
    hands.desk.editor.close()
