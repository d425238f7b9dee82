"""A condition that is being typed is left alone; what it has become meanwhile is said below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from starloom.constellation.edits import UpdateDependency
from starloom.model.dependency import Dependency
from starloom.model.status import DependencyKind

if TYPE_CHECKING:
    from tests.gui.canvas.editing import Bench

    from starloom_gui.canvas.edge_card import EdgeCard


def condition(text: str) -> UpdateDependency:
    return UpdateDependency(Dependency(parent="b", child="c", kind=DependencyKind.CONDITION, condition=text))


def typing(bench: Bench) -> EdgeCard:
    """The card of a condition in which somebody types another one, as an agent changes it."""
    bench.editor.driver.edit(condition("value > 1"))
    bench.redraw()
    bench.select("b")
    bench.command("next_edge", Qt.Key.Key_Return)
    card = bench.card
    assert card.condition.hasFocus()
    card.condition.selectAll()
    QTest.keyClicks(card.condition, "value > 2")
    bench.editor.driver.edit(condition("value > 40"), origin="lab-2")
    bench.editor.changed.emit()
    return card


def test_what_is_typed_stays_and_it_is_said_who_set_what(bench: Bench) -> None:
    card = typing(bench)
    for _ in range(10):
        bench.editor.changed.emit()
    assert card.condition.text() == "value > 2"
    assert card.beside.words.text() == "lab-2 set value > 40"


def test_escape_takes_what_it_has_become_and_the_next_one_leaves(bench: Bench) -> None:
    card = typing(bench)
    QTest.keyClick(card.condition, Qt.Key.Key_Escape)
    assert (card.condition.text(), card.is_overtaken, card.isVisible()) == ("value > 40", False, True)
    QTest.keyClick(card.condition, Qt.Key.Key_Escape)
    assert not card.isVisible()


def test_enter_overwrites_it_and_says_so(bench: Bench) -> None:
    card = typing(bench)
    QTest.keyClick(card.condition, Qt.Key.Key_Return)
    assert bench.editor.labels[-1:] == ["Change the condition of b → c"] or len(bench.editor.labels) == 1
    assert card.beside.words.text() == "value > 40 was overwritten."


def test_what_is_wrong_is_seen_where_the_card_lies_at_the_lower_edge(bench: Bench) -> None:
    card = bench.card
    room = card._room
    ends = bench.number("b"), bench.number("c")
    bench.verbs.choose_edge(ends, bench.on_edge("b", "c"))
    card.ask_condition()
    for height in range(card.height(), 4 * card.height(), 7):
        card.show_edge(bench.editor, *ends, QPoint(40, room.height() - height))
        card.ask_condition()
        QTest.keyClicks(card.condition, "exit_code == 1 &&")
        assert card.problem
        assert card.isVisible()
        assert room.rect().contains(card.geometry()), f"shown {height} above the edge"
        card.condition.clear()
        card._drafts.clear()
