"""A console whose engine has halted shows what was, and says so."""

from __future__ import annotations

import pytest
from tests.driver import plan, task
from tests.gui.console.conftest import Desktop, at_rest
from tests.gui.loops import until

from starloom_gui.shell import veil

pytestmark = pytest.mark.usefixtures("app")


def test_panes_are_greyed_while_the_engine_is_halted(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(veil, "PATIENCE", 0.0005)

    async def main() -> None:
        async with desktop.console() as console:
            run = await console.engine.start(plan([task("a", simulate=3600.0)]), paused=True)
            console.desk.put_run(run.id)
            await at_rest(console)
            assert not console.staleness.is_stale
            console._halted_at = console.bridge.now()
            console.staleness.look()
            assert console.staleness.is_stale
            console._halted_at = None
            await until(lambda: console.bridge.behind == 0.0)
            console.staleness.look()
            assert not console.staleness.is_stale

    desktop.run(main)


def test_a_bridge_at_rest_is_not_behind_and_one_with_news_is(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await until(lambda: console.bridge.behind == 0.0)
            console.bridge.read_anew()
            assert console.bridge.behind > 0.0
            await until(lambda: console.bridge.is_resting and console.bridge.behind == 0.0)

    desktop.run(main)
