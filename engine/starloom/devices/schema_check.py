"""Whether JSON fits a schema, in bounded time: one may be written so that checking it never ends."""

from __future__ import annotations

import asyncio
import json
import os
import re
import tempfile
from typing import TYPE_CHECKING, Any, Final

from starloom.devices.process import StartFailed, start_process
from starloom.devices.schema_child import command_line

if TYPE_CHECKING:
    from starloom.model.expected import JsonSchema

SECONDS: Final = 10.0
"""For how long a value is checked."""
_QUICK: Final = 5_000_000
"""Characters of the schema times those of the value up to which a check without `_OPEN_ENDED` takes milliseconds."""
_OPEN_ENDED: Final = re.compile(r'"(pattern|patternProperties|\$\w*[rR]ef)"')
"""What may take longer than what it is written with: patterns, and parts that refer to others, or to themselves."""
_MOST: Final = 64 * 1024


class NotChecked(Exception):  # noqa: N818 - becomes an outcome
    """Whether the value fits is not known; the sentence says why."""


async def misfit(schema: JsonSchema, value: Any, length: int) -> str:
    """Why a value does not fit, as `JsonSchema.misfit` says; nothing else waits for that.

    Args:
        schema: what it has to fit.
        value: JSON.
        length: characters of the value as it was written.

    Raises:
        NotChecked: it takes too long.
    """
    if len(schema.text) * length <= _QUICK and not _OPEN_ENDED.search(schema.text):
        return schema.misfit(value)
    said = bytearray()
    with tempfile.TemporaryFile() as asked:
        await asyncio.to_thread(_write, asked, json.dumps((schema.text, value)).encode())
        try:
            process = await start_process(
                command_line(),
                cwd=None,
                env=dict(os.environ),
                on_output=lambda stream, data: said.extend(data[:_MOST] if stream == "stdout" else b""),
                stdin=asked.fileno(),
            )
        except StartFailed as error:
            raise NotChecked(f"The task's schema cannot be checked: {error}") from error
    try:
        async with asyncio.timeout(SECONDS):
            await process.wait()
    except BaseException as error:
        await process.stop(0.0)
        if not isinstance(error, TimeoutError):
            raise
        raise NotChecked(
            f"Whether the JSON at the end of the agent's last message fits the task's schema was not found out within "
            f"{SECONDS:g} s; simplify the schema's patterns, and its parts that refer to others."
        ) from None
    try:
        found: str = json.loads(said)
    except ValueError:
        raise NotChecked(
            "The task's schema cannot be checked, as the process for that broke off; simplify the schema."
        ) from None
    return found


def _write(file: Any, data: bytes) -> None:
    file.write(data)
    file.flush()
    file.seek(0)
