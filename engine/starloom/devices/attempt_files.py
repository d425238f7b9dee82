"""The files by which an attempt and its process exchange JSON: result, inputs, upstream results, a child's error."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from starloom.decodable import decodable
from starloom.model.result import MAX_VALUE_BYTES, ErrorCode, ErrorInfo
from starloom.private_files import make_subfolder, write_private

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.devices.output import Stream
    from starloom.model.result import Result

_READ_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_OUTPUT_FLAGS: Final = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND
_MAX_ERROR_BYTES: Final = 1024 * 1024


class AttemptFiles:
    """The paths of one attempt's files, all of which begin alike; none exists at first.

    Attributes:
        result, inputs, upstream, error: what attempt and process exchange.
        stdout, stderr, marker, claim: of a kept attempt: what it prints, and how it ended.
    """

    __slots__ = ("_others", "error", "inputs", "marker", "result", "stderr", "stdout", "upstream")

    def __init__(self, stem: str) -> None:
        self.result = stem + ".result"
        self.inputs = stem + ".inputs"
        self.upstream = stem + ".upstream"
        self.error = stem + ".error"
        self.stdout = stem + ".stdout"
        self.stderr = stem + ".stderr"
        self.marker = stem + ".marker"
        self._others: list[str] = []

    @classmethod
    def at(cls, kept: Path) -> AttemptFiles:
        """The files of a kept attempt; the paths are absolute, as the process may run anywhere."""
        return cls(os.path.abspath(kept))

    def make_folder(self) -> None:
        """Create the folder of the files if it does not exist; the folder of their run has to.

        Raises:
            OSError: it cannot be made.
        """
        folder = os.path.dirname(self.result)
        if not os.path.isdir(folder):
            make_subfolder(Path(folder))

    def write_inputs(self, inputs: Mapping[str, Any]) -> None:
        """Write a `python` task's inputs.

        Raises:
            OSError: the file cannot be written.
            TypeError, ValueError: the inputs are not JSON.
        """
        self._others += (self.inputs, self.error)
        _write(self.inputs, json.dumps(dict(inputs), allow_nan=False).encode())

    def write_upstream(self, upstream: Mapping[str, Result], folder: str) -> None:
        """Write the parents' results: {task id: {value, exit_code, output, output_length, output_file, error}}.

        Args:
            upstream: the results by task id.
            folder: what their output files are relative to, so that the process is told where they are.

        Raises:
            OSError: the file cannot be written.
        """
        self._others.append(self.upstream)
        plain = {task_id: _plain(result, folder) for task_id, result in upstream.items()}
        _write(self.upstream, msgspec.json.encode(plain))

    def write_error(self, data: bytes) -> None:
        """Write the error of a `python` task's child on another machine."""
        self._others.append(self.error)
        write_private(Path(self.error), data)

    def read_error(self) -> ErrorInfo | None:
        """The error of a `python` task's child; None: none, or none that can be read."""
        try:
            data = read_bytes(self.error, _MAX_ERROR_BYTES)
            return msgspec.json.decode(data, type=decodable(ErrorInfo)) if data else None
        except (OSError, msgspec.MsgspecError):
            return None

    def read_result(self) -> tuple[bool, Any, ErrorInfo | None]:
        """Whether the process left a result, its JSON value, and why that cannot be used."""
        try:
            data = read_bytes(self.result, MAX_VALUE_BYTES)
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

    def make_output(self, stream: Stream) -> int:
        """Create the file of a stream; returns its descriptor, with which the process appends and we read.

        Raises:
            FileExistsError: another attempt has had these files.
            OSError: the file cannot be made.
        """
        return os.open(self.stdout if stream == "stdout" else self.stderr, _OUTPUT_FLAGS, 0o600)

    def remove_kept(self) -> None:
        """Remove the files of a kept attempt, except the one that keeps a revoked attempt from starting."""
        if os.path.isdir(self.result):
            shutil.rmtree(self.result, ignore_errors=True)
        # The marker of an attempt that was taken back is a directory, and so stays.
        self._others = [self.inputs, self.upstream, self.error, self.stdout, self.stderr, self.marker]
        self.remove()

    def remove(self) -> None:
        """Remove the exchanged files."""
        for path in (self.result, *self._others):
            # A task may even have made a directory of it; that goes with the device's own directory.
            with contextlib.suppress(OSError):
                os.unlink(path)


def decode(data: str | bytes) -> tuple[bool, Any]:
    """Whether bytes are strict JSON, and the value."""
    try:
        return True, msgspec.json.decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return False, None


def _plain(result: Result, folder: str) -> dict[str, Any]:
    # Written out by hand: the model's own encoding omits defaults, and readers of the file should find every key.
    status = "failed" if result.has_failed else "completed"
    error = None if result.error is None else msgspec.to_builtins(result.error)
    return {
        "status": status,
        "value": result.value,
        "exit_code": result.exit_code,
        "output": result.output,
        "output_length": result.output_length,
        "output_file": None if result.output_file is None else os.path.join(folder, result.output_file),
        "error": error,
    }


def _write(path: str, data: bytes) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with open(fd, "wb") as file:
        file.write(data)


def read_bytes(path: str, limit: int) -> bytes | None:
    """The file's bytes; None: it has more than `limit`. Never waits, whatever the task has put there."""
    fd = os.open(path, _READ_FLAGS)
    with open(fd, "rb") as file:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "it is not a regular file")
        data = file.read(limit + 1)
    return data if len(data) <= limit else None


def _not_json(message: str) -> ErrorInfo:
    return ErrorInfo(code=ErrorCode.RESULT_NOT_JSON, message=message)


def _too_large() -> ErrorInfo:
    mebibytes = MAX_VALUE_BYTES // (1024 * 1024)
    return ErrorInfo(
        code=ErrorCode.RESULT_TOO_LARGE,
        message=f"What the task wrote to $STARLOOM_RESULT is larger than {mebibytes} MiB; "
        "keep large data in files and return their names.",
    )
