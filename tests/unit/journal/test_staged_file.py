"""What is staged for a run, in a file beside its journal: written whole, and read with suspicion."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.driver import edge, task

from starloom.constellation import edits as ed
from starloom.errors import StarloomError
from starloom.journal.names import STAGED
from starloom.journal.staged_file import StagedFile, StagedStep, read_staged, write_staged
from starloom.journal.window_file import MOST_WINDOWS

if TYPE_CHECKING:
    from pathlib import Path

STEPS = (
    StagedStep(
        label="Add task “c”", edits=(ed.AddTask(task("c", shell="echo ü"), 2), ed.AddDependency(edge("a", "c"))), base=4
    ),
    StagedStep(label="Limit", edits=(ed.UpdateTask("a", timeout=3.0, metadata={"n": (1, 2**70)}),), base=5, merges="x"),
    StagedStep(label="Remove", edits=(ed.RemoveDependency("a", "b"), ed.RemoveTask("b")), base=5),
)


def test_what_is_written_is_read_and_nothing_staged_is_no_file(tmp_path: Path) -> None:
    assert read_staged(tmp_path / STAGED) == ()
    write_staged(tmp_path / STAGED, STEPS[:1])
    write_staged(tmp_path / STAGED, STEPS)
    assert read_staged(tmp_path / STAGED) == STEPS
    assert os.listdir(tmp_path) == [STAGED], "nothing half-written is left"
    assert (tmp_path / STAGED).stat().st_mode & 0o077 == 0, "commands may hold passwords"
    write_staged(tmp_path / STAGED, ())
    write_staged(tmp_path / STAGED, ())
    assert os.listdir(tmp_path) == []


@pytest.mark.expects_log
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"\x91" * 100_000,
        msgspec.msgpack.encode(3),
        msgspec.msgpack.encode([{"label": "x", "edits": [], "base": 1}]),
        msgspec.msgpack.encode([{"label": "x", "edits": [], "base": "1", "merges": ""}]),
        msgspec.msgpack.encode([{"label": "x", "edits": [["no_edit", "a"]], "base": 1, "merges": ""}]),
        msgspec.msgpack.encode([{"label": "x", "edits": [[]], "base": 1, "merges": ""}]),
        msgspec.msgpack.encode([{"label": "x", "edits": [["remove_task", 3]], "base": 1, "merges": ""}]),
        msgspec.msgpack.encode([{"label": "x", "edits": [["remove_task", "a", "b"]], "base": 1, "merges": ""}]),
        msgspec.msgpack.encode([{"label": "x", "edits": [["add_task", {"id": ""}, None]], "base": 1, "merges": ""}]),
    ],
)
def test_of_a_damaged_file_nothing_is_staged_and_that_is_said(
    tmp_path: Path, data: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / STAGED).write_bytes(data)
    assert read_staged(tmp_path / STAGED) == ()
    assert "was left alone" in caplog.text
    assert (tmp_path / STAGED).read_bytes() == data


def test_what_no_file_can_hold_is_refused_in_a_sentence_and_the_file_stays(tmp_path: Path) -> None:
    write_staged(tmp_path / STAGED, STEPS)
    odd = StagedStep(label="x", edits=(ed.UpdateTask("a", metadata={"n": object()}),), base=5)
    with pytest.raises(StarloomError, match="which a file cannot keep"):
        write_staged(tmp_path / STAGED, (odd,))
    assert read_staged(tmp_path / STAGED) == STEPS


def test_a_folder_that_is_gone_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StarloomError, match="cannot be written"):
        write_staged(tmp_path / "gone" / STAGED, STEPS)


def test_each_window_has_a_file_of_its_own_and_the_next_takes_over_what_is_left(tmp_path: Path) -> None:
    one, other = StagedFile(tmp_path), StagedFile(tmp_path)
    one.write(STEPS[:1])
    other.write(STEPS[1:])
    third = StagedFile(tmp_path)
    assert third.steps == (), "what another window has staged is not ours"
    one.close()
    other.close()
    third.close()
    next_one = StagedFile(tmp_path)
    assert next_one.steps == STEPS
    assert [name for name in os.listdir(tmp_path) if not name.endswith(".lock")] == [STAGED]
    next_one.close()
    assert StagedFile(tmp_path).steps == STEPS


def test_a_window_that_was_killed_leaves_its_file(tmp_path: Path) -> None:
    code = (
        "import os, pathlib, sys; from starloom.journal.staged_file import StagedFile; "
        "from tests.unit.journal.test_staged_file import STEPS; "
        "StagedFile(pathlib.Path(sys.argv[1])).write(STEPS); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False, timeout=60).returncode == 9
    assert StagedFile(tmp_path).steps == STEPS


def test_so_many_windows_have_files_and_one_more_is_refused_in_a_sentence(tmp_path: Path) -> None:
    files = [StagedFile(tmp_path) for _ in range(MOST_WINDOWS + 1)]
    for file in files[:-1]:
        file.write(STEPS)
    with pytest.raises(StarloomError, match=r"9 windows have a file staged\.msgpack"):
        files[-1].write(STEPS)
    files[0].close()
    files[-1].write(STEPS)
    assert files[-1].steps == STEPS


@pytest.mark.expects_log
def test_a_damaged_file_of_another_window_stays(tmp_path: Path) -> None:
    write_staged(tmp_path / STAGED, STEPS)
    damaged = tmp_path / "staged-2.msgpack"
    damaged.write_bytes(b"{")
    assert StagedFile(tmp_path).steps == STEPS
    assert damaged.read_bytes() == b"{"
