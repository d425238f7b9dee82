"""The notes beside a run's journal: written whole, read with suspicion, and carried in bundles."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.unit.journal.test_bundle import a_run, packed, parts

from starloom.journal.names import NOTES
from starloom.journal.notes_file import keep_notes, read_notes
from starloom.journal.taking_in import take_in
from starloom.model.note import Note

if TYPE_CHECKING:
    from pathlib import Path

ONE = Note(text="mind the gap", x=-96.0, y=60.5, task="b")


def test_what_is_written_is_read_and_none_is_no_file(tmp_path: Path) -> None:
    assert read_notes(tmp_path) is None
    for notes in ((ONE,), (ONE, Note(text="ü\n2")), ()):
        keep_notes(tmp_path, notes)
        assert read_notes(tmp_path) == notes
    assert os.listdir(tmp_path) == [NOTES], "nothing half-written is left"
    keep_notes(tmp_path, None)
    assert os.listdir(tmp_path) == []


@pytest.mark.expects_log
@pytest.mark.parametrize("data", [b"", b"{", b"3", b'[{"text": ""}]', b'[{"text": "a", "x": 1e99}]', b"[" * 9999])
def test_what_is_damaged_is_left_alone(tmp_path: Path, data: bytes) -> None:
    (tmp_path / NOTES).write_bytes(data)
    assert read_notes(tmp_path) is None
    assert (tmp_path / NOTES).read_bytes() == data


@pytest.mark.expects_log
def test_what_cannot_be_written_is_said_in_the_log_only(tmp_path: Path) -> None:
    (tmp_path / NOTES).mkdir()
    keep_notes(tmp_path, (ONE,))
    keep_notes(tmp_path / "gone", (ONE,))
    keep_notes(None, (ONE,))


def test_a_bundle_carries_them(tmp_path: Path) -> None:
    folder = a_run(tmp_path / "here")
    keep_notes(folder, (ONE,))
    bundle = packed(folder)
    assert NOTES in parts(bundle)
    assert read_notes(take_in(bundle, tmp_path / "there")) == (ONE,)
