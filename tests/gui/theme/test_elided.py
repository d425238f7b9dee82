"""What is left out of a text that has no room."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetricsF

from starloom_gui.theme.fonts import elided, font

pytestmark = pytest.mark.usefixtures("app")


@pytest.mark.parametrize("text", ["Ebenen 14–19", "Levels 114–119", "collect the measurements 1234", "Ebene 1.204"])
def test_a_number_at_the_end_is_whole_or_not_there(text: str) -> None:
    metrics, number = QFontMetricsF(font()), text.rpartition(" ")[2]
    seen = set()
    for width in range(int(metrics.horizontalAdvance(text)) + 2, 8, -1):
        shown = elided(text, metrics, width)
        assert metrics.horizontalAdvance(shown) <= width + 0.5
        has_whole = shown.endswith(f" {number}") or shown == text
        seen.add(has_whole)
        if metrics.horizontalAdvance(f"… {number}") <= width:
            assert has_whole, shown
    assert True in seen


def test_other_texts_keep_both_their_ends() -> None:
    metrics = QFontMetricsF(font())
    shown = elided("compile firmware for v2", metrics, 90)
    assert shown.startswith("comp")
    assert shown.endswith("v2")
    assert "…" in shown
