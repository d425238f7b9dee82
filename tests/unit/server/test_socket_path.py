"""The place of a server's socket: private whatever others have put there, and short enough."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from starloom.server import socket_path as room
from starloom.server.socket_path import ServerError, noted_socket, remove_note, socket_path, write_note

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="there are no Unix sockets")


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose path is short, as those of tests are not always."""
    with tempfile.TemporaryDirectory(prefix="sl") as folder:
        yield Path(folder)


@pytest.fixture(autouse=True)
def temporary(short: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of temporary files."""
    folder = short / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    return folder


def own(temporary: Path) -> Path:
    return temporary / f"starloom-{os.getuid()}"


def test_it_lies_in_the_runtime_folder_in_a_folder_of_its_own(short: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short))
    path = socket_path(short / "journal")
    assert path.parent == short / "starloom"
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert path == socket_path(short / "journal")
    assert path != socket_path(short / "another")


def test_one_folder_has_one_socket_however_it_is_named(short: Path) -> None:
    (short / "journal").mkdir()
    (short / "link").symlink_to(short / "journal")
    assert socket_path(short / "link") == socket_path(short / "journal" / ".." / "journal")


def test_without_a_runtime_folder_it_lies_among_the_temporary_files(short: Path, temporary: Path) -> None:
    path = socket_path(short / "journal")
    assert path.parent == own(temporary)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("named", ["relative", ""])
def test_a_runtime_folder_that_is_no_absolute_path_counts_for_nothing(
    named: str, short: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", named)
    assert socket_path(short / "journal").parent == own(temporary)


def test_where_the_path_would_be_too_long_another_place_is_taken(
    short: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = short / ("x" * 90)
    deep.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(deep))
    path = socket_path(short / "journal")
    assert path.parent == own(temporary)
    assert len(os.fsencode(path)) <= room.LONGEST_PATH


def test_a_link_in_the_shared_folder_is_not_followed(short: Path, temporary: Path) -> None:
    trap = short / "trap"
    trap.mkdir(mode=0o700)
    own(temporary).symlink_to(trap)
    with pytest.raises(ServerError, match=r"is a link, not a folder\. Set XDG_RUNTIME_DIR"):
        socket_path(short / "journal")
    assert not list(trap.iterdir())


def test_a_file_in_its_place_is_told(short: Path, temporary: Path) -> None:
    own(temporary).touch()
    with pytest.raises(ServerError, match="cannot be made"):
        socket_path(short / "journal")


def test_a_folder_that_others_may_enter_is_not_used(short: Path, temporary: Path) -> None:
    own(temporary).mkdir()
    own(temporary).chmod(0o750)
    with pytest.raises(ServerError, match="is open to other users"):
        socket_path(short / "journal")


def test_a_folder_of_another_user_is_not_used(short: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uid = os.getuid()
    (temporary / f"starloom-{uid + 1}").mkdir(mode=0o700)
    monkeypatch.setattr(os, "getuid", lambda: uid + 1)
    with pytest.raises(ServerError, match="belongs to another user"):
        socket_path(short / "journal")


def test_the_note_says_where_the_server_listens(short: Path) -> None:
    assert noted_socket(short) is None
    write_note(short, Path("/run/some.sock"))
    assert noted_socket(short) == Path("/run/some.sock")
    remove_note(short)
    remove_note(short)
    assert noted_socket(short) is None


def test_a_note_that_says_something_else_is_told(short: Path) -> None:
    (short / "server.json").write_text("[]")
    with pytest.raises(ServerError, match="names no socket"):
        noted_socket(short)
