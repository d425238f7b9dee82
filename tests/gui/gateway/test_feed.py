"""How long what a view is to be told has been waiting."""

from __future__ import annotations

import pytest

from starloom_gui.gateway.changes import Changes
from starloom_gui.gateway.feed import PART, Feed


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock of one number, which the test sets."""
    at = [0.0]
    monkeypatch.setattr("starloom_gui.gateway.feed.time.perf_counter", lambda: at[0])
    return at


def made() -> Feed:
    return Feed(None, lambda: None, lambda _: None)


def test_what_waits_is_as_old_as_the_oldest_of_it(app: object, clock: list[float]) -> None:
    feed = made()
    clock[0] = 5.0
    feed.offer(Changes(run_id="a", run=True))
    clock[0] = 7.0
    feed.offer(Changes(run_id="b", run=True))
    assert feed.waits_since == 5.0
    feed.deliver()
    assert feed.waits_since == 5.0
    feed.deliver()
    assert feed.waits_since is None


def test_a_view_that_is_always_told_something_new_is_not_behind_for_ever(app: object, clock: list[float]) -> None:
    feed = made()
    for second in range(1, 100):
        clock[0] = float(second)
        feed.offer(Changes(run_id="a", tasks=frozenset(range(2 * PART))))
        if second == 1:
            feed.deliver()
        else:
            feed.deliver()
            feed.deliver()
        assert feed.waits_since is not None
        assert clock[0] - feed.waits_since <= 2.0


def test_what_nobody_sees_waits_for_nobody(app: object, clock: list[float]) -> None:
    feed = made()
    feed.offer(Changes(run_id="a", run=True))
    feed.set_shown(False)
    clock[0] = 9.0
    hidden = feed.waits_since
    feed.set_shown(True)
    assert (hidden, feed.waits_since) == (None, 9.0)
