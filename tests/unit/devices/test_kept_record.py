"""What is kept of attempts that run elsewhere: there whole, or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec
import pytest

from starloom.devices import kept_record
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from pathlib import Path


class Record(msgspec.Struct, frozen=True):
    where: str


def test_what_was_written_is_read_and_gone_once_removed(tmp_path: Path) -> None:
    path = str(tmp_path / "attempts" / "a-1")
    kept_record.write(path, Record("there"))
    assert kept_record.read(path, Record) == Record("there")
    kept_record.remove(path)
    assert kept_record.read(path, Record) is None


def test_a_program_that_dies_while_it_writes_leaves_no_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(*_of: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", die)
    path = str(tmp_path / "a-1")
    with pytest.raises(KeyboardInterrupt):
        kept_record.write(path, Record("there"))
    assert kept_record.read(path, Record) is None


def test_a_damaged_record_is_told_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "a-1").write_bytes(b"{")
    with pytest.raises(DeviceError, match="a-1"):
        kept_record.read(str(tmp_path / "a-1"), Record)
