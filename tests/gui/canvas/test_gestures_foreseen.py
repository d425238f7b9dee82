"""What a gesture that is held still would change: said at the pointer, and forgotten when it goes elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolTip

if TYPE_CHECKING:
    from tests.gui.canvas.editing import Bench

FINISH = "Finish 00:10 → 00:05, 5 min earlier"


def labels(bench: Bench) -> list[str]:
    return [step.label if step is not None else "" for step in bench.foreseer.asked]


def tell_last(bench: Bench) -> None:
    bench.foreseer.tell(bench.foreseer.asked[-1])


def test_a_drag_to_a_task_says_when_the_run_would_end(bench: Bench) -> None:
    bench.press(bench.port("b", outgoing=True))
    bench.move(bench.middle("f"))
    assert labels(bench) == ["Add dependency b → f"]
    assert bench.view.overlay.note == "Add dependency b → f"
    tell_last(bench)
    assert bench.view.overlay.note == f"Add dependency b → f\n{FINISH}"
    bench.move(bench.middle("f") + QPoint(3, 3))
    assert bench.view.overlay.note == f"Add dependency b → f\n{FINISH}"
    assert labels(bench) == ["Add dependency b → f"]
    assert bench.editor.steps == []


def test_elsewhere_it_is_asked_anew_and_over_the_ground_not_at_all(bench: Bench) -> None:
    bench.press(bench.port("b", outgoing=True))
    bench.move(bench.middle("f"))
    tell_last(bench)
    bench.move(bench.middle("e"))
    assert bench.view.overlay.note == "Add dependency b → e"
    bench.move(QPoint(450, 480))
    assert labels(bench) == ["Add dependency b → f", "Add dependency b → e", ""]


def test_where_it_may_not_lead_nothing_is_asked(bench: Bench) -> None:
    bench.press(bench.port("c", outgoing=True))
    bench.move(bench.middle("b"))
    assert labels(bench) == []


def test_the_end_of_a_dependency_on_its_way_says_so_too(bench: Bench) -> None:
    bench.press(bench.port("e", outgoing=False) - QPoint(16, 0))
    bench.move(bench.middle("f"))
    tell_last(bench)
    assert bench.view.overlay.note == f"Move dependency d → e to d → f\n{FINISH}"


@pytest.mark.parametrize("end", ["release", "escape"])
def test_the_end_of_the_gesture_ends_the_question(bench: Bench, end: str) -> None:
    bench.press(bench.port("b", outgoing=True))
    bench.move(bench.middle("f"))
    asked = bench.foreseer.asked[-1]
    if end == "release":
        bench.release(bench.middle("f"))
    else:
        bench.key(Qt.Key.Key_Escape)
    assert bench.foreseer.asked[-1] is None
    bench.foreseer.tell(asked)
    assert bench.view.overlay.painter.preview.is_empty
    assert bench.view.overlay.note == ""


def test_keys_that_choose_a_task_are_told_as_well(bench: Bench) -> None:
    bench.select("b")
    bench.command("connect", Qt.Key.Key_Down)
    tell_last(bench)
    assert bench.view.overlay.note.endswith(f"\n{FINISH}")
    bench.key(Qt.Key.Key_Escape)
    assert bench.foreseer.asked[-1] is None


def test_an_entry_of_the_menu_of_kinds_says_what_it_would_change_once_it_is_rested_on(bench: Bench) -> None:
    bench.drag(bench.port("c", outgoing=True), QPoint(450, 480))
    menu = bench.verbs.menu
    assert menu is not None
    QTest.keyClick(menu, Qt.Key.Key_Down)
    action = menu.activeAction()
    assert labels(bench)[-1] == "Add command after c"
    tell_last(bench)
    assert action.toolTip().endswith(f"\n{FINISH}")
    assert QToolTip.text() == action.toolTip()
    menu.close()
    assert bench.foreseer.asked[-1] is None
