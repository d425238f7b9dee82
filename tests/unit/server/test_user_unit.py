"""The unit by which systemd serves an engine: one that systemd finds nothing wrong with, whatever paths are called."""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from starloom.server import user_unit
from starloom.server.socket_path import ServerError

if TYPE_CHECKING:
    from pathlib import Path

STRANGE = 'with "quotes", 100 % of $HOME \\ and spaces'


def test_strange_names_are_what_they_are() -> None:
    text = user_unit.unit_text(("/bin/true", STRANGE), {"PATH": "/a b:/c%d"})
    assert 'ExecStart="/bin/true" "with \\"quotes\\", 100 %% of $$HOME \\\\ and spaces"\n' in text
    assert 'Environment="PATH=/a b:/c%%d"\n' in text


def test_what_no_unit_can_say_is_refused() -> None:
    with pytest.raises(ServerError, match="control character"):
        user_unit.unit_text(("/bin/true", "two\nlines"), {})


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd")
def test_systemd_finds_nothing_wrong_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    path = user_unit.write_unit([sys.executable, "serve", "--journal", str(tmp_path / STRANGE)], {"PATH": "/bin"})
    assert path == tmp_path / "systemd" / "user" / "starloom.service"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    found = subprocess.run(
        ["systemd-analyze", "--user", "verify", "--man=no", str(path)], capture_output=True, text=True, check=False
    )
    assert "starloom.service" not in found.stderr
    assert not found.returncode or "starloom" not in found.stderr
    path.write_text(path.read_text().replace("KillMode", "KilMode"))  # it would have been told
    found = subprocess.run(
        ["systemd-analyze", "--user", "verify", "--man=no", str(path)], capture_output=True, text=True, check=False
    )
    assert "KilMode" in found.stderr


def test_a_user_whose_services_end_at_logout_is_told_how_that_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(user_unit, "_LINGERS", tmp_path)
    monkeypatch.setenv("LOGNAME", "ada")
    begin, stays = user_unit.advice()
    assert begin == "systemctl --user daemon-reload && systemctl --user enable --now starloom.service"
    assert stays == "loginctl enable-linger ada"
    (tmp_path / "ada").touch()
    assert user_unit.advice() == (begin,)
