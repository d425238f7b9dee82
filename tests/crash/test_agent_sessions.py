"""Agents over a real sshd whose program is killed while they ask. `make test-agents` tries it with 100 of them."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest
from tests.crash.harness import reach
from tests.crash.sessions import check, end_all, figures, run_and_kill
from tests.integration.ssh_harness import folders_of
from tests.ssh_servers import OpensshServer

if TYPE_CHECKING:
    from pathlib import Path

FEW = 8
SESSIONS = int(os.environ.get("STARLOOM_AGENT_SESSIONS", FEW))
KILLS = 5 if SESSIONS > FEW else 1
MOST_PROGRAMS = 5
pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="an SSH server is needed"),
    pytest.mark.timeout(120 + 20 * SESSIONS),
]


def test_each_request_has_one_answer_or_its_attempt_was_interrupted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    with OpensshServer(tmp_path / "ssh") as server:
        try:
            found = run_and_kill(SESSIONS, KILLS, server, folder)
            check(found, SESSIONS)
        finally:
            end_all(folder)
        assert found.kills == KILLS
        assert all(found.open[::2]), "a program was killed, and nobody waited for an answer"
        device = json.loads((folder / "plan.json").read_text())["devices"][0]
        for _ in range(MOST_PROGRAMS):  # what the last program had no time to remove, later ones do
            if folders_of(server):
                reach(folder / "journal", device)
        assert folders_of(server) == []
    with capsys.disabled():
        sys.stdout.write(f" {figures(found)} ")
