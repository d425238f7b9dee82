"""The undo history in the Changes pane: where one is, also where undo has passed what nothing takes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from starloom_gui.panels.changes_effect import HistorySection
from starloom_gui.widgets.controls import ElidedButton

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance

A, B, LASTS = ("add a", ""), ("add b", ""), ("add device", "tasks may have started there")


@pytest.mark.parametrize(
    ("steps", "index", "here"),
    [
        ((A, B), 2, "add b"),
        ((A, B), 1, "add a"),
        ((A,), 0, "As it was at first"),
        ((LASTS,), 0, "add device · stays"),
        ((A, LASTS), 1, "add device · stays"),
        ((A, LASTS), 0, "As it was at first"),
        ((A, LASTS, B), 1, "add device · stays"),
    ],
)
def test_what_still_holds_is_how_things_are(
    qtbot: QtBot, appearance: Appearance, steps: Sequence[tuple[str, str]], index: int, here: str
) -> None:
    section = HistorySection(lambda: appearance.palette)
    qtbot.addWidget(section)
    section.show_history(steps, index, None)
    marked = [one for one in section.findChildren(ElidedButton) if one.accessibleDescription()]
    assert [one.accessibleName() for one in marked] == [here]
