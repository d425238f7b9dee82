"""The bridge's benchmark runs, on tiny workloads, so that a change cannot break it unnoticed."""

from __future__ import annotations

import math

import pytest
from tests.benchmarks.gui_bridge_rows import bridge
from tests.benchmarks.workloads import TINY

pytestmark = pytest.mark.usefixtures("app")


def test_the_group_measures_something_and_leaves_no_window_behind(app):
    rows = list(bridge(TINY))
    assert {entry.group for entry in rows} == {"bridge"}
    assert all(math.isfinite(entry.ours) for entry in rows)
    assert len({entry.name for entry in rows}) == len(rows)
    assert not [widget for widget in app.topLevelWidgets() if widget.isVisible()]
