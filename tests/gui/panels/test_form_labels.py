"""The labels of the inspector's form, in its narrowest pane and both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QLabel, QPushButton
from tests.gui.panels.test_task_form import FormBench

from starloom_gui.text.translations import install
from starloom_gui.theme.metrics import NARROW_INSPECTOR_WIDTH
from starloom_gui.viewmodel.task_field_words import label_of, part_word
from starloom_gui.viewmodel.task_specs import SPECS, FormPart

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance


@pytest.fixture(params=["en", "de"])
def language(spoken: QApplication, request: pytest.FixtureRequest) -> str:
    return install(spoken, request.param)


@pytest.mark.parametrize("kind", ["command", "shell", "python", "call", "prompt", "simulate", "gate"])
@pytest.mark.parametrize("width", [NARROW_INSPECTOR_WIDTH, 296])
def test_every_label_is_whole(app: QApplication, appearance: Appearance, language: str, kind: str, width: int) -> None:
    bench = FormBench(kind, appearance)
    bench.inspector.resize(width, 900)
    fields = bench.inspector.fields
    for part in FormPart:
        fields.parts[part].unfold()
    fields.forget()
    bench.told()
    for _ in range(4):  # layouts tell each other one after the other
        app.processEvents()
    view = bench.view
    wanted = {label_of(one.name) for one in SPECS if view.fields is not None and one.applies(view.fields)}
    assert fields.width() <= width
    seen, cut = set(), []
    for label in fields.findChildren(QLabel):
        if not label.isVisible() or not label.text() or label.wordWrap():
            continue
        seen.add(label.text())
        wide = QFontMetricsF(label.font()).horizontalAdvance(label.text())
        if wide > label.contentsRect().width() + 0.5:
            cut.append(label.text())
    assert wanted <= seen, f"{language}: no label stands for {wanted - seen}"
    assert cut == []
    heads = [one.head for one in fields.parts.values()]
    assert [one.text() for one in heads] == [part_word(part) for part in FormPart]
    assert [one.text() for one in heads if one.isVisible() and one.width() < one.sizeHint().width()] == []
    assert [
        one.text() for one in fields.findChildren(QPushButton) if one.isVisible() and one.x() + one.width() > width
    ] == []
