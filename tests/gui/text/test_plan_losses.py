"""What a file format cannot hold of a plan is said in the language of the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.driver import plan, task
from tests.gui.text.test_engine_words import Turned

from starloom.formats.losses import losses
from starloom_gui.text.engine_words import known
from starloom_gui.text.plan_losses import loss_words

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

PLAN = plan([task("a", shell="true", retry={"attempts": 3}), task("b", shell="true")], ["a>b>failure"])


@pytest.mark.parametrize("format", ["dot", "mermaid", "graphml", "wfformat", "ufo"])
def test_every_loss_is_known(app: QApplication, format: str) -> None:  # noqa: A002
    found = losses(PLAN, format)
    assert found
    assert [sentence for sentence in found if known(sentence) is None] == []


def test_fields_are_counted(app: QApplication) -> None:
    said = "DOT does not hold everything; left out: name of the plan, shell (2 tasks), kind (1 dependency)."
    assert loss_words(said) == (
        "DOT does not hold everything; left out: name of the plan, shell of 2 task(s), kind of 1 dependency(ies)."
    )
    spoken = Turned()
    app.installTranslator(spoken)
    try:
        assert loss_words(said).startswith("<DOT does not hold everything")
    finally:
        app.removeTranslator(spoken)
