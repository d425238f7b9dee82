"""The rows that compare the console's loop with stock qasync are made, and its timers are the exact ones."""

from __future__ import annotations

from tests.benchmarks.gui_loop_rows import event_loop
from tests.benchmarks.workloads import TINY


def test_the_rows_are_made_and_no_timer_of_ours_is_early(app):
    rows = {row.name: row for row in event_loop(TINY)}
    assert len(rows) == 7
    early = next(row for name, row in rows.items() if "before they are due" in name)
    assert early.samples == (0.0,) * TINY.rounds
    assert all(row.floor_samples for row in rows.values())
