"""The menu of the kinds of new tasks, by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

if TYPE_CHECKING:
    from tests.gui.canvas.editing import Bench

Key = Qt.Key


def test_a_letter_goes_to_the_next_kind_that_begins_with_it(bench: Bench) -> None:
    bench.select("b")
    bench.command("insert_kind")
    menu = bench.verbs.menu
    assert menu is not None
    texts = [action.text() for action in menu.actions() if action.data() is not None]
    with_p = [text for text in texts if text.startswith("P")]
    assert len(with_p) > 1
    gone_to = []
    for _ in range(len(with_p) + 1):
        QTest.keyClick(menu, Key.Key_P)
        active = menu.activeAction()
        assert active is not None
        gone_to.append(active.text())
    assert gone_to == [*with_p, with_p[0]]
    QTest.keyClick(menu, Key.Key_Q)
    assert menu.activeAction().text() == with_p[0], "nothing begins with it"
    assert menu.isVisible(), "Return chooses"
    QTest.keyClick(menu, Key.Key_S)
    QTest.keyClick(menu, Key.Key_Return)
    QTest.keyClick(bench.draft().name, Key.Key_Return)
    assert bench.chosen() == {"simulated"}, "the next one below"
