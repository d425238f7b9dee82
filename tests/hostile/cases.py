"""What hostile cases share: how many there are, who watches them, and a command line that answers with a sentence.

A small slice runs with all tests; `make test-hostile` runs all of it (`STARLOOM_HOSTILE=1`, or another share). Each
case has a seed of its own, which a failure names; `STARLOOM_HOSTILE_SEED` begins with others.
"""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import psutil
import pytest
from typer.testing import CliRunner

from starloom.cli.app import app

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SHARE: Final = float(os.environ.get("STARLOOM_HOSTILE", "0.01"))
FIRST: Final = int(os.environ.get("STARLOOM_HOSTILE_SEED", "20261122"))
BATCH: Final = 20
SECONDS: Final = 10
"""Of this process's time, after which a case hangs."""
PATIENCE: Final = 300
"""Seconds of the clock on the wall, likewise: a case that waits for something, on a machine that does much besides."""
MOST_BYTES: Final = 500 * 1024**2
posix = pytest.mark.skipif(os.name == "nt", reason="it needs SIGALRM")


def batches(number: int) -> range:
    """The first seed of each batch of so many cases, or of the share of them that is wanted."""
    count = max(BATCH, round(number * SHARE))
    return range(FIRST, FIRST + count, BATCH)


@contextmanager
def watched(seed: int) -> Iterator[None]:
    """Fail what hangs or takes too much memory, and name the seed of whatever fails."""

    def hang(*_: object) -> None:
        raise TimeoutError(f"seed {seed}: it hangs")

    process = psutil.Process()
    before = process.memory_info().rss
    old = [(one, signal.signal(one, hang)) for one in (signal.SIGALRM, signal.SIGPROF)]
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.alarm(PATIENCE)
    try:
        yield
    except BaseException:
        print(f"the seed of this case is {seed}")  # noqa: T201 - that is how a test tells of its seed
        raise
    finally:
        signal.alarm(0)
        signal.setitimer(signal.ITIMER_PROF, 0)
        for one, handler in old:
            signal.signal(one, handler)
    assert process.memory_info().rss - before < MOST_BYTES, f"seed {seed}: it has taken too much memory"


def starloom(seed: int, *arguments: str | Path) -> tuple[int, str]:
    """Exit code and output of a command that may fail, but only with a sentence."""
    done = CliRunner().invoke(app, list(map(str, arguments)))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise AssertionError(f"seed {seed}: {arguments[0]} traces back") from done.exception
    assert done.exit_code in {0, 1, 2}, f"seed {seed}: {arguments} left with {done.exit_code}"
    assert "Traceback" not in done.output, f"seed {seed}: {done.output}"
    if done.exit_code == 2:
        assert done.stderr.strip(), f"seed {seed}: {arguments} says nothing"
    return done.exit_code, done.output
