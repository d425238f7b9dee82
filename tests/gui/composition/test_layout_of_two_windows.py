"""Two windows over one server show each other's placed nodes, and neither loses what the other has placed."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from tests.gui.composition.conftest import Desktop, at_rest, served
from tests.gui.composition.test_arranging import places
from tests.gui.composition.test_console import LONG, front, small
from tests.gui.composition.test_layout import drawn, move, rounded
from tests.waiting import until

from starloom.journal.layout_file import read_layout
from starloom_gui.app import attached
from starloom_gui.attachment import Attachment
from starloom_gui.gateway.attaching import attached_engine
from starloom_gui.workspace.run_layout import merged

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from starloom_gui.composition.console import Console

pytestmark = pytest.mark.usefixtures("app")


@asynccontextmanager
async def two_windows(desktop: Desktop, folder: Path) -> AsyncIterator[tuple[Console, Console]]:
    """Two consoles over the server of a folder; both show its run `r`, which goes on."""
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(served("r", small(seconds=LONG), folder))
        consoles = []
        for name in ("one", "other"):
            engine = await stack.enter_async_context(attached_engine(Attachment(str(folder))))
            console = await stack.enter_async_context(attached(desktop.frame(name), engine))
            console.window.show()
            console.documents.put_run("r")
            await drawn(console)
            consoles.append(console)
        yield consoles[0], consoles[1]
        for console in consoles:
            console.window.asks_before_closing = False
            console.window.close()
            await console.closed()


async def seen_in(console: Console, id: str, at: tuple[float, float]) -> None:
    """Return once a node is drawn at a position, as it is rounded in files."""
    await until(lambda: rounded(places(console))[id] == rounded({id: at})[id])
    await at_rest(console)
    await until(lambda: front(console).drawing.is_up_to_date)


def test_what_one_window_places_the_other_shows_and_each_takes_back_its_own(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with two_windows(desktop, tmp_path / "there") as (one, other):
            first = places(other)
            c_moved = await move(one, "c", 60, 250)
            await seen_in(other, "c", c_moved["c"])
            b_moved = await move(other, "b", -40, 180)
            await seen_in(one, "b", b_moved["b"])
            both = rounded({**first, "b": b_moved["b"], "c": c_moved["c"]})
            assert rounded(places(one)) == rounded(places(other)) == both
            one.actions["undo"].trigger()
            await seen_in(one, "c", first["c"])
            assert rounded(places(one))["b"] == rounded(b_moved)["b"], "that was placed by somebody else"
            await seen_in(other, "c", first["c"])
            one.actions["redo"].trigger()
            await seen_in(other, "c", c_moved["c"])
            assert rounded(places(other))["b"] == rounded(b_moved)["b"]
        kept = read_layout(tmp_path / "there" / "runs" / "r")
        assert (kept["b"], kept["c"]) == (rounded(b_moved)["b"], rounded(c_moved)["c"])

    desktop.run(main)


def test_a_tidy_is_of_both_windows(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with two_windows(desktop, tmp_path / "there") as (one, other):
            first = places(other)
            moved = await move(one, "c", 60, 250)
            await seen_in(other, "c", moved["c"])
            other.actions["tidy"].trigger()
            await seen_in(one, "c", first["c"])
            other.actions["undo"].trigger()
            await seen_in(one, "c", moved["c"])

    desktop.run(main)


def test_where_a_task_was_placed_that_is_staged_in_one_window_outlives_what_another_places(
    desktop: Desktop, tmp_path: Path
) -> None:
    async def main() -> None:
        async with two_windows(desktop, tmp_path / "there") as (one, other):
            moved = await move(one, "c", 60, 250)
            await seen_in(other, "c", moved["c"])
            layout = front(one).source.layout
            layout.write_layout({**layout.layout, "staged-here": (500, 600)})
            await until(lambda: "staged-here" in front(other).source.layout.layout)
            moved = await move(other, "b", -40, 180)
            await seen_in(one, "b", moved["b"])
            assert front(one).source.layout.layout["staged-here"] == (500, 600)

    desktop.run(main)


def test_what_is_placed_elsewhere_while_the_past_is_shown_is_seen_afterwards(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with two_windows(desktop, tmp_path / "there") as (one, other):
            other.actions["time_travel"].trigger()
            await until(lambda: other.actions["to_begin"].isEnabled())
            other.actions["to_begin"].trigger()
            await until(lambda: front(other).reader.is_past)
            moved = await move(one, "c", 60, 250)
            await until(lambda: front(other).source.layout.layout.get("c") == rounded(moved)["c"])
            other.actions["present"].trigger()
            await seen_in(other, "c", moved["c"])

    desktop.run(main)


def test_each_keeps_what_it_has_changed() -> None:
    before = {"a": (0, 0), "b": (1, 1), "c": (2, 2)}
    ours = {"a": (5, 5), "c": (2, 2), "mine": (3, 3)}
    theirs = {"a": (9, 9), "b": (8, 8), "theirs": (4, 4)}
    assert merged(before, ours, theirs) == {"a": (5, 5), "mine": (3, 3), "theirs": (4, 4)}
    assert merged(before, before, theirs) == theirs
    assert merged(before, ours, before) == ours
