"""For how long is rested after a look ahead: in proportion to what this program worked, not to what it waited."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from starloom_gui.gateway.effort import Effort

if TYPE_CHECKING:
    import pytest


def test_waiting_for_a_server_that_stands_still_is_no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    passed, worked = 100.0, 7.0
    monkeypatch.setattr(time, "perf_counter", lambda: passed)
    monkeypatch.setattr(time, "process_time", lambda: worked)
    effort = Effort()
    passed, worked = 124.0, 7.5
    assert effort.rest(every=1.0, times=4.0) == 2.0
    passed, worked = 100.25, 7.05
    assert effort.rest(every=1.0, times=4.0) == 0.75, "no more often than that"
    passed, worked = 102.0, 13.0
    assert effort.rest(every=1.0, times=4.0) == 8.0, "several threads work no longer than time passes"
