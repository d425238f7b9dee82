"""Several tasks may have the same name; what is said of them has their ids then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from starloom.constellation.edits import UpdateTask
from starloom_gui.editing.base import Step

if TYPE_CHECKING:
    from tests.gui.canvas.editing import Bench


def test_tasks_of_one_name_are_told_apart_by_their_ids_in_what_is_said_of_them(bench: Bench) -> None:
    for id in ("b", "c"):
        bench.editor.do(Step(label="Rename", edits=(UpdateTask(id, name="draft2"),)))
    bench.press(bench.port("c", outgoing=True))
    bench.move(bench.middle("b"))
    assert bench.view.overlay.note == "This would close the cycle draft2 (c) → draft2 (b) → draft2 (c)."
    bench.key(Qt.Key.Key_Escape)
    bench.press(bench.port("b", outgoing=True))
    bench.move(bench.port("e", outgoing=False))
    assert bench.view.overlay.note == "Add dependency draft2 (b) → e"
    bench.key(Qt.Key.Key_Escape)
