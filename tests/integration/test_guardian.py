"""The guardian of a Dask worker: what it ends has no chance to go on."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from types import SimpleNamespace

from tests.integration.local_harness import BOUND, linux_only

from starloom.devices.dask import guardian

pytestmark = linux_only


def test_a_shell_that_is_killed_with_its_worker_does_not_go_on_with_its_next_command(tmp_path, monkeypatch):
    bearers_of = guardian.bearers_of
    # Process ids begin anew some day, so a child's may be lower than its shell's.
    monkeypatch.setattr(guardian, "bearers_of", lambda mark: bearers_of(mark)[::-1])
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO()))
    folder = tmp_path / "folder"
    folder.mkdir()
    text = f"for i in $(seq 40); do (sleep 3600; : >{tmp_path}/next-$i) & done; echo ready; wait; : >{tmp_path}/next"
    env = {**os.environ, guardian.MARK: "the-mark-of-this-test"}
    with subprocess.Popen(["sh", "-c", text], env=env, stdout=subprocess.PIPE) as shell:
        assert shell.stdout is not None
        assert shell.stdout.readline() == b"ready\n"
        guardian.main(["the-mark-of-this-test", str(folder)])
        shell.wait(BOUND)
    assert list(tmp_path.iterdir()) == []
