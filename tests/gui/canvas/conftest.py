"""A canvas to look at; it is closed afterwards, and nothing of it moves by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import Driver, plan
from tests.gui.canvas.editing import Bench, DrivenEditor
from tests.gui.canvas.runs import NOW, firmware, path_of, picture_of

from starloom_gui.canvas.view import CanvasView
from starloom_gui.editing.templates import kinds
from starloom_gui.editing.trial import Trial
from starloom_gui.theme.appearance import Appearance, Theme
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot


@pytest.fixture
def appearance(app: QApplication) -> Appearance:
    """Light, and nothing moves by itself."""
    return Appearance(app, Theme.LIGHT, reduced_motion=True)


@pytest.fixture
def view(appearance: Appearance) -> Iterator[CanvasView]:
    """The run of the mock-ups, as it is first seen."""
    made = CanvasView(appearance, Selection(), lambda: NOW)
    made.resize(904, 498)
    facts = firmware()
    made.highlights.set_critical_path(path_of(facts))
    made.show()
    made.show_run(picture_of(facts))
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def bench(appearance: Appearance, qtbot: QtBot) -> Iterator[Bench]:
    """Two chains that can be edited, a → b → c and d → e, and f alone; a runs and nothing else can."""
    driver = Driver(slots=1, checked=False)
    driver.create(plan(["a", "b", "c", "d", "e", "f"], ["a>b", "b>c", "d>e"]))
    made = CanvasView(appearance, Selection(), lambda: 0.0)
    made.resize(900, 500)
    editor = DrivenEditor(driver)
    bench = Bench(made, editor)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    bench.redraw()
    made.set_editor(editor, kinds, Trial(bench.foreseer, lambda at: at))
    made.pan_zoom.fit_all()
    yield bench
    made.close()
    made.deleteLater()
