"""Secrets on the command line: a run, its journal, all its reports and its exported file tell nothing of them."""

from __future__ import annotations

import asyncio
import zipfile
from typing import TYPE_CHECKING

from tests.end2end.shell import posix
from tests.waiting import POLL, until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.end2end.shell import Shell

pytestmark = posix
SECRET = "the-planted-value"
PLAN = """
starloom: 1
name: deploy
devices: [{id: here, kind: local, inherit_env: false}]
tasks:
  leak:
    shell: 'echo "$TOKEN"; echo "[\\"$TOKEN\\"]" >"$STARLOOM_RESULT"'
    env: {TOKEN: {secret: 'env:MY_TOKEN'}}
  broken: {shell: 'echo "$TOKEN" >&2; exit 3', env: {TOKEN: {secret: 'env:MY_TOKEN'}}, needs: [leak]}
"""
REPORTS = ("html", "json", "xml", "csv", "attempts.csv", "events.csv", "trace.json", "svg", "graph.svg", "script.yaml")


def telling(folder: Path) -> list[str]:
    return [str(path) for path in folder.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]


def test_neither_journal_nor_report_nor_export_nor_terminal_tells_a_secret(shell: Shell) -> None:
    done = shell.run("run", shell.plan(PLAN), MY_TOKEN=SECRET)
    assert done.returncode == 1, done.stderr
    told = done.stdout + done.stderr
    run = str(next((shell.journal / "runs").iterdir()))
    for ending in REPORTS:
        made = shell.run("report", run, "-o", f"r.{ending}")
        assert made.returncode == 0, made.stderr
        told += made.stdout + made.stderr
    exported = shell.run("export", run, "-o", "run.starloom")
    assert exported.returncode == 0, exported.stderr
    with zipfile.ZipFile(shell.folder / "run.starloom") as file:
        file.extractall(shell.folder / "unpacked")
    assert "***" in (shell.folder / "r.html").read_text()
    assert SECRET not in told + exported.stdout + exported.stderr
    assert telling(shell.folder) == []


def test_validate_warns_of_a_secret_that_is_not_there_and_run_says_it_before_anything_starts(shell: Shell) -> None:
    plan = shell.plan(PLAN)
    checked = shell.run("validate", plan)
    assert checked.returncode == 0
    assert "good" in checked.stdout
    assert "no secret env:MY_TOKEN" in checked.stderr
    assert "Tasks 'leak', 'broken' would fail" in " ".join(checked.stderr.split())
    assert "secret" not in shell.run("validate", plan, MY_TOKEN=SECRET).stderr
    ran = shell.run("run", plan)
    assert ran.returncode == 1
    assert ran.stderr.index("would fail") < ran.stderr.index("cannot be set")


LONG = """
starloom: 1
name: long
devices: [{id: here, kind: local, inherit_env: false}]
tasks:
  long:
    shell: 'echo "first $TOKEN"; touch begun; until [ -e go ]; do sleep 0.05; done; echo "last $TOKEN"'
    env: {TOKEN: {secret: 'env:MY_TOKEN'}}
"""


def test_what_an_attempt_prints_that_outlives_its_program_is_masked_by_the_next_one(shell: Shell) -> None:
    shell.env["MY_TOKEN"] = SECRET
    plan = shell.plan(LONG)
    with shell.started("run", plan) as program:
        asyncio.run(until((shell.folder / "begun").exists, every=POLL))
        program.kill()
        program.communicate()
    del shell.env["MY_TOKEN"]
    without = shell.run("resume")
    assert without.returncode != 0
    assert "cannot be taken over unmasked" in without.stderr
    assert "resume again" in without.stderr
    (shell.folder / "go").touch()
    done = shell.run("resume", MY_TOKEN=SECRET)
    assert done.returncode == 0, done.stderr
    assert telling(shell.folder) == []
    (log,) = (shell.journal / "runs").glob("*/output/*")
    assert log.read_text() == "first ***\nlast ***\n"
