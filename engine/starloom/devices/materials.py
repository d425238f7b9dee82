"""The results of a task's parents, as they accompany a prompt: their bytes are passed on as they are.

They are never spliced into the text of the prompt, so nothing in them can end a quotation and go on as instructions.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

import msgspec

from starloom.devices.attempt_files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.devices.base import TaskContext
    from starloom.model.result import Result

MOST_EMBEDDED: Final = 4 * 1024 * 1024
"""Bytes of all resources in one prompt; beyond that they are files, as a message has an end."""
_LARGEST: Final = 64 * 1024 * 1024
"""Bytes of one parent's output that are passed on."""


class Material(NamedTuple):
    """What a parent has left, as one resource."""

    task_id: str
    what: str
    """`value`, `output` or `error`."""
    mime: str
    content: bytes

    def uri(self, run_id: str) -> str:
        """A name for it that holds nothing but letters, digits and escapes of the ids."""
        return f"starloom:///{quote(run_id, safe='')}/{quote(self.task_id, safe='')}/{self.what}"


class MaterialMissing(Exception):  # noqa: N818 - becomes an outcome
    """What a parent has left cannot be passed on; the sentence says why."""


def materials(context: TaskContext) -> tuple[Material, ...]:
    """What the parents of an attempt have left: of each its value, else its output, and why it failed.

    Raises:
        MaterialMissing: something of it cannot be read.
    """
    path = context.output_path
    folder = Path("." if path is None else path.parent)
    return tuple(one for task_id, result in context.upstream.items() for one in _of(task_id, result, folder))


def _of(task_id: str, result: Result, folder: Path) -> list[Material]:
    found = []
    try:
        if isinstance(result.value, str):
            found.append(Material(task_id, "value", "text/plain", result.value.encode()))
        elif result.value is not None:
            found.append(Material(task_id, "value", "application/json", msgspec.json.encode(result.value)))
        elif result.output_length:
            found.append(Material(task_id, "output", "text/plain", _output(task_id, result, folder)))
        if result.has_failed and result.error is not None:
            said = f"{result.error.message}\n{result.error.detail}".strip()
            found.append(Material(task_id, "error", "text/plain", said.encode()))
    except UnicodeEncodeError as error:
        raise MaterialMissing(
            f"The result of {task_id!r} cannot be passed on: it holds half a character ({error.reason})."
        ) from error
    return found


def _output(task_id: str, result: Result, folder: Path) -> bytes:
    """The whole output; where nobody has stored it, the end of it, if that is all."""
    tail = result.output.encode()
    if len(tail) >= result.output_length:
        return tail
    where = None if result.output_file is None else os.path.join(folder, result.output_file)
    try:
        whole = None if where is None else read_bytes(where, _LARGEST)
    except OSError as error:
        raise MaterialMissing(f"The output of {task_id!r} cannot be read: {error.strerror or error}.") from error
    if whole is None:
        why = "nobody has stored the whole of it" if where is None else f"it has more than {_LARGEST // 2**20} MiB"
        raise MaterialMissing(
            f"The output of {task_id!r} cannot be passed on: {why}. Have that task return what is needed of it."
        )
    return whole


def fits(found: Sequence[Material]) -> bool:
    """Whether these can be embedded in one prompt: they are text, and not too long."""
    return sum(len(one.content) for one in found) <= MOST_EMBEDDED and all(_is_text(one.content) for one in found)


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True
