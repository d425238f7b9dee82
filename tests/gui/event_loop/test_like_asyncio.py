"""The console's loops do what asyncio's own does: the same scenarios give the same observations, in the same order."""

from __future__ import annotations

import asyncio
import sys

import pytest
from tests.gui.event_loop import outside_scenarios, scheduling_scenarios
from tests.gui.event_loop.loops import OURS, run_on

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="compares with loops that watch file descriptors")


@pytest.mark.parametrize("debug", [False, True], ids=["", "debug"])
@pytest.mark.parametrize(
    "scenario", [*scheduling_scenarios.ALL, *outside_scenarios.ALL], ids=lambda scenario: scenario.__name__
)
@pytest.mark.parametrize("name", OURS)
def test_scenario(app, name, scenario, debug):
    expected = run_on(asyncio.SelectorEventLoop, scenario, debug=debug)
    assert expected
    assert run_on(OURS[name], scenario, debug=debug) == expected
