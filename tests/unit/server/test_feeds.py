"""How often those who follow an engine are told: a turn by itself at once, many that come soon after it together."""

from __future__ import annotations

import asyncio
from contextlib import closing
from typing import TYPE_CHECKING, Any

from tests.virtual_time import run

from starloom.journal.library import Library
from starloom.server import feeds
from starloom.server.feeds import RunFeeds, TurnFeed

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


class Committing:
    """Feeds of journals to which turns of one stream are said to be committed, and one who follows them."""

    def __init__(self, library: Library) -> None:
        self.feeds = RunFeeds(library)
        self.row = 0
        self.told: list[tuple[float, int]] = []

    def commit(self) -> None:
        """One more row of the fleet's stream."""
        self.row += 1
        self.feeds._committed({"": self.row})

    async def note(self, turns: TurnFeed) -> None:
        """Note when turns were told, and the last row of them."""
        while True:
            await turns.news()
            if moved := turns.take():
                self.told.append((asyncio.get_running_loop().time(), moved[""]))


async def told(library: Library, turns: list[float], hurry: int = 0) -> list[tuple[float, int]]:
    """When rows that are committed at these moments are told, and the last row each time.

    Args:
        library: of the journals.
        turns: seconds from the beginning.
        hurry: the row whose effect somebody waits for.
    """
    engine = Committing(library)
    engine.commit()
    feed, following = engine.feeds.open(""), engine.feeds.open_turns()
    assert following.take() == {"": 1}
    noting = asyncio.create_task(engine.note(following))
    begun = asyncio.get_running_loop().time()
    for at in turns:
        await asyncio.sleep(begun + at - asyncio.get_running_loop().time())
        engine.commit()
        if engine.row == hurry:
            engine.feeds.hurry()
    await asyncio.sleep(1.0)
    noting.cancel()
    assert feed.last == engine.row == engine.feeds.last_row("")
    engine.feeds.leave_turns(following)
    engine.feeds.leave(feed)
    return [(round(when - begun, 4), row) for when, row in engine.told]


def test_a_turn_by_itself_is_told_at_once_and_those_soon_after_it_together(tmp_path: Path) -> None:
    with closing(Library(tmp_path)) as library:
        assert run(told(library, [0.1, 0.104, 0.11, 0.2])) == [(0.1, 2), (0.12, 4), (0.2, 5)]


def test_of_thousands_of_turns_a_second_many_are_told_together(tmp_path: Path) -> None:
    with closing(Library(tmp_path)) as library:
        found = run(told(library, [0.1 + number / 5_000 for number in range(5_000)]))
    assert found[-1][1] == 5_001
    assert len(found) <= 1.0 / 0.02 + 2, "each call wakes whoever follows"


def test_what_somebody_waits_for_is_told_within_a_millisecond_and_once(tmp_path: Path) -> None:
    with closing(Library(tmp_path)) as library:
        assert run(told(library, [0.1, 0.104], hurry=3)) == [(0.1, 2), (0.104, 3)]
        assert run(told(library, [0.1, 0.1004], hurry=3)) == [(0.1, 2), (0.101, 3)]


def test_a_turn_that_is_committed_while_a_follower_begins_is_not_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread that commits does not know of the follower yet, so that it tells nobody."""
    made = feeds.RunFeed

    async def main() -> None:
        with closing(Library(tmp_path)) as library:
            engine = Committing(library)
            engine.commit()

            def meanwhile(*given: Any) -> feeds.RunFeed:
                feed = made(*given)
                engine.commit()
                return feed

            monkeypatch.setattr(feeds, "RunFeed", meanwhile)
            assert engine.feeds.open("").last == 2

    run(main())


def test_whoever_follows_turns_alone_is_told_of_them(tmp_path: Path) -> None:
    async def main() -> None:
        with closing(Library(tmp_path)) as library:
            engine = Committing(library)
            engine.commit()
            following = engine.feeds.open_turns()
            assert following.take() == {"": 1}
            engine.commit()
            await asyncio.wait_for(following.news(), 1.0)
            assert following.take() == {"": 2}

    run(main())
