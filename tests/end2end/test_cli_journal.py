"""`starloom runs`, `resume` and `salvage`: a run whose program was killed, as a user finds it again."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from typing import TYPE_CHECKING

import psutil
import pytest
from tests.end2end.shell import numbers, posix, until

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from tests.end2end.shell import Shell

THREE = """
starloom: 1
name: three
devices: [{id: here, slots: 1}]
tasks:
  first: {shell: 'echo first >> effects; echo 1'}
  second: {shell: 'echo second >> effects; echo $$ > pid; sleep 60; echo 2', needs: [first], on_interrupt: rerun}
  third: {shell: 'echo third >> effects; echo 3', needs: [second]}
"""
QUICK = """
starloom: 1
name: quick
tasks:
  only: {shell: echo 1}
"""


def kill_in_second(shell: Shell, *more: str) -> int:
    """Run the plan, kill the program while the second task sleeps; returns the process id of that task."""
    (shell.folder / "pid").unlink(missing_ok=True)
    with shell.started("run", shell.plan(THREE), *more) as program:
        (pid,) = until(lambda: numbers(shell.folder / "pid"), "the second task runs")
        program.kill()
        program.wait()
    return int(pid)


def listed(shell: Shell, *more: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(shell.run("runs", "--json", *more).stdout)
    return found


def run_id(shell: Shell) -> str:
    return str(listed(shell)[0]["id"])


def ok(done: subprocess.CompletedProcess[str]) -> subprocess.CompletedProcess[str]:
    assert done.returncode == 0, done.stderr
    return done


@posix
def test_an_interrupted_run_is_listed_and_goes_on_where_it_was(shell: Shell) -> None:
    pid = kill_in_second(shell)
    (one,) = listed(shell)
    assert (one["state"], one["name"]) == ("interrupted", "three")
    counts = one["counts"]
    assert isinstance(counts, dict)
    assert (counts["completed"], counts["running"], counts["waiting"]) == (1, 1, 1)
    assert "interrupted       1 of 3 tasks done  three" in shell.run("runs").stdout

    with shell.started("resume") as program:
        until(lambda: (shell.folder / "effects").read_text().split().count("second") == 2, "the second task runs again")
        assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
        (again,) = until(lambda: [n for n in numbers(shell.folder / "pid") if n != pid], "it says its number")
        os.kill(again, 9)
        _, err = program.communicate()
    assert "1 of 3 tasks done" in err
    assert (shell.folder / "effects").read_text().split() == ["first", "second", "second"]
    assert listed(shell)[0]["state"] == "partially_failed"
    assert shell.run("resume").returncode == 2


@posix
def test_what_ended_after_its_program_is_adopted(shell: Shell) -> None:
    plan = THREE.replace("sleep 60", "while [ ! -e go ]; do sleep 0.02; done; echo done > done")
    with shell.started("run", shell.plan(plan)) as program:
        until(lambda: numbers(shell.folder / "pid"), "the second task runs")
        program.kill()
        program.wait()
    (shell.folder / "go").touch()
    (marker,) = until(lambda: list(shell.journal.glob("runs/*/attempts/*.marker")), "there is a marker")
    until(lambda: "end 0" in marker.read_text(), "it has ended")
    summary = json.loads(ok(shell.run("resume", "--json")).stdout)
    assert summary["state"] == "completed"
    assert (shell.folder / "effects").read_text().split() == ["first", "second", "third"]
    assert not list(shell.journal.glob("runs/*/attempts/*"))


@posix
def test_a_run_is_named_by_its_id_the_beginning_of_it_or_its_folder_wherever_that_is(shell: Shell) -> None:
    kill_in_second(shell)
    (folder,) = (shell.journal / "runs").iterdir()
    moved = shell.folder / "moved away"
    shutil.move(folder, moved)
    assert shell.run("resume", "no-such-run").returncode == 2
    assert "There is no run 'no-such-run'" in shell.run("resume", "no-such-run").stderr
    assert shell.run("resume", folder.name).returncode == 2
    with shell.started("resume", str(moved), "--journal", str(shell.folder / "other")) as program:
        until(lambda: (shell.folder / "effects").read_text().split().count("second") == 2, "it goes on")
        program.kill()
    assert listed(shell) == []
    shutil.move(moved, folder)
    with shell.started("resume", folder.name[:12]):
        until(lambda: (shell.folder / "effects").read_text().split().count("second") == 3, "it goes on")


@posix
def test_a_second_program_is_told_who_has_the_run(shell: Shell) -> None:
    with shell.started("run", shell.plan(THREE)) as program:
        until(lambda: numbers(shell.folder / "pid"), "the second task runs")
        (one,) = listed(shell)
        assert one["state"] == "executing"
        assert str(program.pid) in str(one["held_by"])
        refused = shell.run("resume", str(one["id"]))
        assert refused.returncode != 0
        assert f"in use by process {program.pid}" in refused.stderr
        other = ok(shell.run("run", shell.plan(QUICK, "quick.yaml")))
        assert f"Another Starloom is open with the same folder {shell.journal}: process {program.pid} on " in " ".join(
            other.stderr.split()
        )
        assert {run["name"] for run in listed(shell)} == {"three", "quick"}


@posix
def test_nothing_is_kept_if_nothing_is_to_be_kept(shell: Shell) -> None:
    ok(shell.run("run", shell.plan(QUICK), "--durability", "off"))
    ok(shell.run("run", shell.plan(QUICK), "--simulate"))
    assert not shell.journal.exists()
    assert "There are no runs" in shell.run("runs").stderr
    assert "No run in" in shell.run("resume").stderr


@posix
def test_full_durability_keeps_a_run_as_well(shell: Shell) -> None:
    ok(shell.run("run", shell.plan(QUICK), "--durability", "full", "--journal", "kept"))
    (one,) = listed(shell, "--journal", "kept")
    assert one["state"] == "completed"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("run", "plan.yaml", "--durability", "some"), "there is no 'some'; use default, full, off"),
        (("run", "plan.yaml", "--durability", "off", "--journal", "x"), "leave one of the two out"),
        (("resume", "x", "--durability", "off"), "There is no run 'x'"),
        (("salvage", "x"), "There is no run 'x'"),
    ],
    ids=["durability", "journal for nothing", "resume", "salvage"],
)
def test_what_makes_no_sense_is_said(shell: Shell, arguments: tuple[str, ...], sentence: str) -> None:
    shell.plan(QUICK)
    done = shell.run(*arguments)
    assert done.returncode == 2
    assert sentence in done.stderr


def damage(journal: Path) -> None:
    """Change a byte of a row."""
    connection = sqlite3.connect(journal)
    connection.execute("UPDATE turns SET data = substr(data, 1, 20) || x'ff' || substr(data, 22) WHERE number = 2")
    connection.commit()
    connection.close()


@posix
def test_a_damaged_journal_is_told_salvaged_up_to_the_damage_and_gone_on_with(shell: Shell) -> None:
    kill_in_second(shell)
    name = run_id(shell)
    folder = shell.journal / "runs" / name
    damage(folder / "journal.db")
    (one,) = listed(shell)
    assert one["state"] == "unreadable"
    assert "Row 2" in str(one["trouble"])
    refused = shell.run("resume", name)
    assert refused.returncode != 0
    assert "Row 2" in refused.stderr
    saved = ok(shell.run("salvage", name))
    assert "1 turns were saved; the damaged journal is" in saved.stdout
    assert list(folder.glob("damaged-*.db"))
    assert listed(shell)[0]["state"] == "interrupted"
    again = ok(shell.run("salvage", name))
    assert "Nothing is wrong" in again.stderr
