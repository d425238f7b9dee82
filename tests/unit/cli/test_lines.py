"""Lines from the prompt: whole ones, in order, and an end."""

from __future__ import annotations

import asyncio
import os

from starloom.cli.lines import Lines


def read(*pieces: bytes) -> list[str | None]:
    """The lines that come out of a pipe into which these pieces were written, up to its end and one more."""

    async def main() -> list[str | None]:
        out, into = os.pipe()
        try:
            for piece in pieces:
                os.write(into, piece)
            os.close(into)
            lines = Lines(out)
            found: list[str | None] = []
            while not found or found[-1] is not None:
                found.append(await lines.next())
            return [*found, await lines.next()]
        finally:
            os.close(out)

    return asyncio.run(main())


def test_lines_come_whole_and_in_order_and_then_nothing():
    assert read(b"ye", b"s\r\nno\n", b"\n", b"last \xff") == ["yes", "no", "", "last \ufffd", None, None]


def test_there_may_be_none():
    assert read() == [None, None]
