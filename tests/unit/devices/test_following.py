"""What kept attempts print is told in an order that makes sense, though nobody knows when it was printed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from starloom.devices.following import READ_SIZE, FollowedFiles
from starloom.devices.output import Output

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.devices.output import Stream


def followed(folder: Path) -> tuple[FollowedFiles, dict[Stream, Path], list[str]]:
    told: list[str] = []
    files: dict[Stream, Path] = {"stdout": folder / "out", "stderr": folder / "err"}
    for path in files.values():
        path.touch()
    opened = {stream: os.open(path, os.O_RDONLY) for stream, path in files.items()}
    return FollowedFiles(opened, Output(lambda _text, stream: told.append(stream), 100)), files, told


def test_stderr_is_told_when_stdout_has_caught_up(tmp_path: Path) -> None:
    reader, files, told = followed(tmp_path)
    files["stdout"].write_bytes(b"line\n" * READ_SIZE)
    files["stderr"].write_bytes(b"it failed\n")
    while reader.read():
        pass
    reader.close()
    assert told == ["stdout"] * 5 + ["stderr"]


def test_stderr_does_not_wait_for_ever_behind_a_stdout_that_never_ends(tmp_path: Path) -> None:
    reader, files, told = followed(tmp_path)
    files["stderr"].write_bytes(b"it failed\n")
    with files["stdout"].open("ab") as stdout:
        for _ in range(100):
            stdout.write(b"line\n" * READ_SIZE)
            stdout.flush()
            assert reader.read()
            if "stderr" in told:
                break
    reader.close()
    assert told.count("stdout") > 10
    assert told[-1] == "stderr"
