"""The layout beside a run's journal: written whole, read with suspicion, and carried in bundles."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest
from tests.unit.journal.test_bundle import a_run, packed, parts

from starloom.journal import layout_file
from starloom.journal.layout_file import keep_layout, read_layout, write_layout
from starloom.journal.library import Library
from starloom.journal.names import LAYOUT
from starloom.journal.taking_in import take_in

if TYPE_CHECKING:
    from pathlib import Path


def test_what_is_written_is_read_and_none_is_no_file(tmp_path: Path) -> None:
    assert read_layout(tmp_path) == {}
    write_layout(tmp_path, {"a b": (1, -2)})
    write_layout(tmp_path, {"a b": (3, 4), "ü": (0, 0)})
    assert read_layout(tmp_path) == {"a b": (3, 4), "ü": (0, 0)}
    assert os.listdir(tmp_path) == [LAYOUT], "nothing half-written is left"
    write_layout(tmp_path, {})
    assert os.listdir(tmp_path) == []


@pytest.mark.expects_log
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"3",
        b'{"a": 3}',
        b'{"a": [1]}',
        b'{"a": [1.5, 2]}',
        b'{"a": [1, 2, 3]}',
        b'{"a": [1, 99999999]}',
        b'{"": [1, 2]}',
        b'{"a\\u0000": [1, 2]}',
        b'{"a": [1e999, 2]}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_is_no_layout_and_said_once(
    tmp_path: Path, data: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / LAYOUT).write_bytes(data)
    assert read_layout(tmp_path) == {}
    assert len(caplog.records) == 1
    assert "was left alone" in caplog.text


@pytest.mark.expects_log
def test_a_file_that_is_too_large_or_a_folder_is_no_layout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(layout_file, "MOST_BYTES", 10)
    (tmp_path / LAYOUT).write_bytes(b'{"a": [1, 2]}')
    assert read_layout(tmp_path) == {}
    (tmp_path / LAYOUT).unlink()
    (tmp_path / LAYOUT).mkdir()
    assert read_layout(tmp_path) == {}
    assert len(caplog.records) == 2


@pytest.mark.expects_log
def test_what_cannot_be_kept_is_said_in_the_log_and_no_error(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / LAYOUT).mkdir()
    keep_layout(tmp_path, {"a": (1, 2)})
    assert "could not be kept" in caplog.text
    assert os.listdir(tmp_path) == [LAYOUT]
    caplog.clear()
    keep_layout(tmp_path / "gone", {"a": (1, 2)})
    keep_layout(None, {"a": (1, 2)})
    assert not caplog.records, "where there is no folder nothing is missing"


def test_a_run_that_is_made_has_the_layout_of_its_plan_in_its_folder(tmp_path: Path) -> None:
    with Library(tmp_path) as library:
        library.prepare("placed", {"a": (1, 2)})
        library.prepare("not placed")
        folders = [library.folder("placed"), library.folder("not placed")]
        assert [folder is not None and read_layout(folder) for folder in folders] == [{"a": (1, 2)}, {}]
        assert folders[1] is not None
        assert not (folders[1] / LAYOUT).exists()
        library.discard("placed")
        assert folders[0] is not None
        assert not folders[0].exists()
        library.discard("not placed")


def test_a_bundle_carries_the_layout(tmp_path: Path) -> None:
    folder = a_run(tmp_path / "here")
    write_layout(folder, {"link": (7, 8)})
    bundle = packed(folder)
    assert LAYOUT in parts(bundle)
    assert read_layout(take_in(bundle, tmp_path / "there")) == {"link": (7, 8)}


@pytest.mark.expects_log
def test_a_bundle_with_a_damaged_layout_is_taken_in_without_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = a_run(tmp_path / "here")
    (folder / LAYOUT).write_bytes(b'{"link": "everywhere"}')
    assert read_layout(take_in(packed(folder), tmp_path / "there")) == {}
    assert len(caplog.records) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="links take privileges there")
def test_a_layout_that_is_a_link_is_not_carried(tmp_path: Path) -> None:
    folder = a_run(tmp_path / "here")
    secret = tmp_path / "secret"
    secret.write_text("{}", encoding="utf-8")
    (folder / LAYOUT).symlink_to(secret)
    assert LAYOUT not in parts(packed(folder))
