"""The tests of the engine and of the console lie in folders that are called as the rooms whose modules they test."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MIRRORS = {"unit": ROOT / "engine" / "starloom", "gui": ROOT / "gui" / "starloom_gui"}
"""The folders of tests, and whose rooms their folders are called after."""


def strange(tests: Path, rooms: Path) -> list[str]:
    """The folders with tests that no room is called as, in order."""
    folders = {path.parent.relative_to(tests) for path in tests.rglob("test_*.py")}
    return sorted(str(folder) for folder in folders if not (rooms / folder).is_dir())


@pytest.mark.parametrize("folder", MIRRORS)
def test_every_folder_is_called_as_a_room(folder: str) -> None:
    assert strange(ROOT / "tests" / folder, MIRRORS[folder]) == []


def test_a_folder_that_is_called_as_no_room_is_found(tmp_path: Path) -> None:
    for name in ("tests/here/test_a.py", "tests/here/below/test_b.py", "tests/gone/test_c.py", "rooms/here/a.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert strange(tmp_path / "tests", tmp_path / "rooms") == ["gone", "here/below"]
