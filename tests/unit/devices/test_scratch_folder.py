"""The private folder of a device: made when it is needed, removed with the device or by the next program."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile

import pytest

from starloom.devices.scratch_folder import ScratchFolder
from starloom.errors import DeviceError


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_it_is_made_when_it_is_asked_for_and_only_its_user_may_look_into_it(temporary):
    scratch = ScratchFolder("d")
    assert list(temporary.iterdir()) == []
    path = scratch.path()
    assert scratch.path() == path
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o700
    (temporary / path / "file").touch()
    scratch.remove()
    assert list(temporary.iterdir()) == []


def test_what_killed_programs_left_is_removed_but_for_folders_that_hold_something(temporary):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    (temporary / f"starloom-{dead.pid}-empty").mkdir()
    (temporary / f"starloom-{dead.pid}-full").mkdir()
    (temporary / f"starloom-{dead.pid}-full" / "file").touch()
    (temporary / f"starloom-{os.getppid()}-alive").mkdir()
    (temporary / "starloom-other").mkdir()
    scratch = ScratchFolder("d")
    scratch.path()
    scratch.remove()
    left = {path.name for path in temporary.iterdir()}
    assert left == {f"starloom-{dead.pid}-full", f"starloom-{os.getppid()}-alive", "starloom-other"}


def test_a_folder_that_cannot_be_made_is_told_in_a_sentence(temporary, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(temporary / "gone"))
    with pytest.raises(DeviceError, match=r"Device 'd' cannot make a folder for its files: .*No such file"):
        ScratchFolder("d").path()
