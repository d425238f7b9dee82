"""A run that goes on at a server on another machine is looked back at from a copy that grows with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_attached_archive import elsewhere, end, over
from tests.gui.composition.test_console import front
from tests.gui.composition.test_time_travel import looking_back, settled
from tests.waiting import until

from starloom.events import RunEnded
from starloom.scheduling.commands import HoldTasks
from starloom.server.socket_path import ServerError
from starloom_gui.time_travel.run_past import RunPast
from starloom_gui.time_travel.travel import Travel

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("app")
__all__ = ["elsewhere"]


def test_a_run_that_goes_on_there_is_looked_back_at_as_it_grows(desktop: Desktop, elsewhere: Path) -> None:
    async def main() -> None:
        async with over(desktop, elsewhere) as console:
            console.documents.put_run("goes-on")
            await at_rest(console)
            assert not console.engine.archive.folder_of("goes-on").exists(), "nothing is copied that nobody looks at"
            travel = await looking_back(console)
            known = travel.count
            travel.go_to_begin()
            await settled(console, travel)
            assert front(console).reader.is_past
            assert not console.actions["retry"].isEnabled()
            console.commands.do(HoldTasks(run_id="goes-on", task_ids=("c",)))
            await console.commands.answered()
            await until(lambda: travel.count > known)
            travel.go_to_position(travel.count)
            await settled(console, travel)
            view = front(console).reader.view()
            assert view is not None
            assert view.task(view.graph.place["c"]).is_held
            travel.go_live()
            await end(console)
            await until(lambda: isinstance(travel.recording and travel.recording.events[-1], RunEnded))

    desktop.run(main)


def test_where_the_link_is_lost_what_was_read_of_the_past_stays(
    desktop: Desktop, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(*_: Any, **__: Any) -> None:
        raise ServerError("The connection to lab-7 is lost.")

    async def main() -> None:
        async with over(desktop, elsewhere) as console:
            console.documents.put_run("goes-on")
            await at_rest(console)
            travel = await looking_back(console)
            monkeypatch.setattr(console.engine.archive, "fetch", lost)
            console.commands.do(HoldTasks(run_id="goes-on", task_ids=("c",)))
            await console.commands.answered()
            await travel.settled()
            travel.go_to_begin()
            await settled(console, travel)
            assert front(console).reader.is_past
            assert not travel.trouble
            travel.go_live()
            other = Travel(front(console).source.reader, RunPast(lambda: None, fetch=lost))  # type: ignore[arg-type]
            other.open()
            await other.settled()
            assert other.trouble == "The connection to lab-7 is lost."

    desktop.run(main)
