"""The files by which an attempt and its process exchange JSON: result, inputs, upstream results, a child's error."""

from __future__ import annotations

import contextlib
import json
import os
import stat
from typing import TYPE_CHECKING, Any, Final

import msgspec

from starloom.devices.output import OUTPUT_LOST
from starloom.model.result import MAX_VALUE_BYTES, ErrorCode, TaskError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.model.result import Result

_READ_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_MAX_ERROR_BYTES: Final = 1024 * 1024


class AttemptFiles:
    """The paths of one attempt's files, all in a directory that is private to the device; none exists at first."""

    __slots__ = ("_others", "error", "inputs", "result", "upstream")

    def __init__(self, directory: str, name: str) -> None:
        stem = os.path.join(directory, name)
        self.result = stem + ".result"
        self.inputs = stem + ".inputs"
        self.upstream = stem + ".upstream"
        self.error = stem + ".error"
        self._others: list[str] = []

    def write_inputs(self, inputs: Mapping[str, Any]) -> None:
        """Write a `python` task's inputs.

        Raises:
            OSError: the file cannot be written.
            TypeError, ValueError: the inputs are not JSON.
        """
        self._others += (self.inputs, self.error)
        _write(self.inputs, json.dumps(dict(inputs), allow_nan=False).encode())

    def write_upstream(self, upstream: Mapping[str, Result]) -> None:
        """Write the parents' results: {task id: {value, exit_code, output, output_length, output_file, error}}.

        Raises:
            OSError: the file cannot be written.
        """
        self._others.append(self.upstream)
        _write(self.upstream, msgspec.json.encode({task_id: _plain(result) for task_id, result in upstream.items()}))

    def read_error(self) -> TaskError | None:
        """What a `python` task's child said went wrong; None: nothing, or nothing that can be read."""
        try:
            data = _read(self.error, _MAX_ERROR_BYTES)
            return msgspec.json.decode(data, type=TaskError) if data else None
        except (OSError, msgspec.MsgspecError):
            return None

    def read_result(self) -> tuple[bool, Any, TaskError | None]:
        """Whether the process left a result, its JSON value, and why that cannot be used."""
        try:
            data = _read(self.result, MAX_VALUE_BYTES)
        except FileNotFoundError:
            return False, None, None
        except OSError as error:
            return True, None, _not_json(f"$STARLOOM_RESULT cannot be read: {error.strerror or error}.")
        if data is None:
            return True, None, _too_large()
        if not data.strip():
            return False, None, None
        found, value = decode(data)
        if found:
            return True, value, None
        return True, None, _not_json("What the task wrote to $STARLOOM_RESULT is not JSON (NaN and Infinity are not).")

    def remove(self) -> None:
        """Remove those that exist."""
        for path in (self.result, *self._others):
            # A task may even have made a directory of it; that goes with the device's own directory.
            with contextlib.suppress(OSError):
                os.unlink(path)


def decode(data: str | bytes) -> tuple[bool, Any]:
    """Whether it is JSON in the strict sense, and its value."""
    try:
        return True, msgspec.json.decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return False, None


def _plain(result: Result) -> dict[str, Any]:
    # Written out by hand: the model's own encoding omits defaults, and readers of the file should find every key.
    status = "completed" if result.error is None or result.error.code == OUTPUT_LOST else "failed"
    error = None if result.error is None else msgspec.to_builtins(result.error)
    return {
        "status": status,
        "value": result.value,
        "exit_code": result.exit_code,
        "output": result.output,
        "output_length": result.output_length,
        "output_file": result.output_file,
        "error": error,
    }


def _write(path: str, data: bytes) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with open(fd, "wb") as file:
        file.write(data)


def _read(path: str, limit: int) -> bytes | None:
    """The file's bytes; None: it has more than `limit`. Never waits, whatever the task has put there."""
    fd = os.open(path, _READ_FLAGS)
    with open(fd, "rb") as file:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "it is not a regular file")
        data = file.read(limit + 1)
    return data if len(data) <= limit else None


def _not_json(message: str) -> TaskError:
    return TaskError(code=ErrorCode.RESULT_NOT_JSON, message=message)


def _too_large() -> TaskError:
    mebibytes = MAX_VALUE_BYTES // (1024 * 1024)
    return TaskError(
        code=ErrorCode.RESULT_TOO_LARGE,
        message=f"What the task wrote to $STARLOOM_RESULT is larger than {mebibytes} MiB; "
        "keep large data in files and return their names.",
    )
