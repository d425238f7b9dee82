"""The ways to a server: a program on the way ends by itself at any moment."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import Any

import pytest

from starloom.server.links import MARKER, ProgramLink


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The processes of which somebody has looked whether they have ended."""
    seen: list[Any] = []
    poll = subprocess.Popen.poll

    def look(process: subprocess.Popen[bytes]) -> int | None:
        seen.append(process)
        return poll(process)

    monkeypatch.setattr(subprocess.Popen, "poll", look)
    return seen


def test_the_end_of_a_program_is_left_to_asyncio_when_its_link_is_closed(
    looks: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        program = f"import sys; sys.stdout.write({MARKER.decode()!r}); sys.stdout.flush(); sys.stdin.read()"
        link: Any = await ProgramLink([sys.executable, "-c", program]).open()
        looks.clear()
        link.abort()
        assert not looks, "asyncio warns of a child whose end somebody else has taken"
        await link._program.wait()
        link.abort()

    asyncio.run(main())
    assert not caplog.records
