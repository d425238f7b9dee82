"""A condition that is typed in the card of a dependency and not set is neither lost nor set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtTest import QTest
from tests.gui.canvas.runs import pose
from tests.gui.canvas.test_drafting import Key, double_click

from starloom.model.status import DependencyKind
from starloom.scheduling.state import codes

if TYPE_CHECKING:
    from tests.gui.canvas.editing import Bench


def test_a_condition_that_is_typed_and_not_set_is_there_again_whatever_is_chosen_meanwhile(bench: Bench) -> None:
    card = bench.card
    double_click(bench, bench.on_edge("b", "c"))
    QTest.keyClicks(card.condition, "value.sc")
    bench.select("a")
    assert not card.isVisible()
    bench.view.setFocus()
    card.refresh()
    bench.verbs.choose_edge((bench.number("b"), bench.number("c")), bench.on_edge("b", "c"))
    assert (card.condition.isVisible(), card.condition.text()) == (True, "value.sc")
    assert card._kinds.kind is DependencyKind.CONDITION
    assert card._hint.text() == "Typed, not set: Enter sets it, Esc drops it."
    card.refresh()
    assert card.condition.text() == "value.sc", "events write nothing over it"
    assert list(card.unset.values()) == [("b → c", "value.sc")]
    card.condition.setFocus()
    QTest.keyClicks(card.condition, "ore > 1")
    QTest.keyClick(card.condition, Key.Key_Return)
    assert bench.editor.labels == ["Let b → c depend on value.score > 1"]
    assert not card.unset


def test_the_card_says_what_has_become_of_the_task_below(bench: Bench) -> None:
    facts, card = bench.editor.facts(), bench.card
    bench.verbs.choose_edge((bench.number("b"), bench.number("c")), bench.on_edge("b", "c"))
    assert card.problem == ""
    for code, said in ((codes.RUNNING, "c is running."), (codes.COMPLETED, "c has ended: Done.")):
        pose(facts, "c", code)
        bench.view.tasks_changed([bench.number("c")])
        assert card.problem == said
        assert card.condition.isReadOnly()


def test_escape_drops_a_condition_that_is_typed(bench: Bench) -> None:
    double_click(bench, bench.on_edge("b", "c"))
    QTest.keyClicks(bench.card.condition, "value.ok")
    QTest.keyClick(bench.card.condition, Key.Key_Escape)
    assert not bench.card.unset
    bench.verbs.choose_edge((bench.number("b"), bench.number("c")), bench.on_edge("b", "c"))
    assert not bench.card.condition.isVisible()
