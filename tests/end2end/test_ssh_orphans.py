"""What the command line says of commands that may still run on a machine whose link is down, and who ends them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.integration.ssh_harness import BOUND, alive
from tests.integration.ssh_harness import mortal_server as mortal_server
from tests.waiting import POLL, until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ssh_servers import OpensshServer

MOST_PROGRAMS = 5
"""Each of which a slow machine may give too little time to see to what is left."""


def test_the_end_of_a_run_names_them_a_list_tells_of_them_and_the_next_run_ends_them(
    mortal_server: OpensshServer, tmp_path: Path
) -> None:
    options = mortal_server.options(heartbeat_interval=0.2, grace=0.5)
    device = {"id": "box2", "kind": "ssh", "options": options}
    for name, text in (("night", "echo $$ >pid; exec sleep 1000"), ("other", "true")):
        plan = {"starloom": 1, "name": name, "devices": [device], "tasks": {name: {"shell": text}}}
        (tmp_path / f"{name}.json").write_text(json.dumps(plan))
    env = {**os.environ, "HOME": str(tmp_path), "NO_COLOR": "1", "COLUMNS": "2000"}

    def start(*words: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "starloom.cli", *words, "--journal", "journal"]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, cwd=tmp_path, env=env, stdout=pipe, stderr=pipe, text=True)

    pid = mortal_server.folder / "work" / "pid"
    where = f"{mortal_server.user}@127.0.0.1:{mortal_server.port}"
    with start("run", "night.json") as program:
        try:
            asyncio.run(until(lambda: pid.exists() and pid.read_text().endswith("\n"), every=POLL))
            mortal_server.kill()
            program.send_signal(signal.SIGINT)
            _, complaints = program.communicate(timeout=2 * BOUND)
        finally:
            program.kill()
    assert program.returncode == 130
    assert f"1 command may still run on {where}; `starloom runs --orphans` lists them." in complaints
    assert alive(int(pid.read_text()))
    (line,) = start("runs", "--orphans").communicate(timeout=BOUND)[0].splitlines()
    assert line.startswith("box2  ")
    assert "  night, attempt 1  since " in line
    assert "The next program that reaches its device ends it." in line
    (told,) = json.loads(start("runs", "--orphans", "--json").communicate(timeout=BOUND)[0])
    assert (told["device"], told["task"], told["attempt"], told["counts_as_ended"]) == ("box2", "night", 1, True)
    mortal_server.start()
    for _ in range(MOST_PROGRAMS):
        _, complaints = start("run", "other.json").communicate(timeout=2 * BOUND)
        assert "may still run" not in complaints
        said, noted = start("runs", "--orphans").communicate(timeout=BOUND)
        if not said:
            break
    assert (said, "No command of the runs" in noted) == ("", True)
    assert not alive(int(pid.read_text()))
