"""A completed run whose journal was damaged: nothing of it is done twice unless somebody says so."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from starloom.cli.app import app
from starloom.journal.names import JOURNAL, SALVAGED

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

TASKS = 6


def starloom(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


class Ran:
    """A run of commands that each add a line to a file; it has completed, and then a bit of its journal flipped."""

    def __init__(self, folder: Path) -> None:
        self.journal, self.done = folder / "journal", folder / "done"
        tasks = {
            f"t{number}": {"shell": f"echo t{number} >> {self.done}"}
            | ({"needs": [f"t{number - 1}"]} if number else {})
            for number in range(TASKS)
        }
        (folder / "plan.json").write_text(json.dumps({"starloom": 1, "name": "p", "tasks": tasks}), encoding="utf-8")
        ran = starloom("run", folder / "plan.json", "--journal", self.journal, "--quiet")
        assert ran.exit_code == 0, ran.output
        (self.folder,) = (self.journal / "runs").iterdir()

    def damage(self, task: int) -> None:
        """Flip a bit of the turn in which a task completed."""
        with closing(sqlite3.connect(self.folder / JOURNAL)) as file, file:
            rows = file.execute("SELECT number, CAST(data AS BLOB) FROM turns ORDER BY number").fetchall()
            number, data = [row for row in rows if f"t{task}".encode() in row[1]][-1]
            file.execute("UPDATE turns SET data = ? WHERE number = ?", (data[:-1] + bytes([data[-1] ^ 1]), number))
            file.execute("DELETE FROM checkpoints")

    def lines(self) -> list[str]:
        return self.done.read_text(encoding="utf-8").split()

    def ask(self, command: str, *arguments: str) -> Result:
        return starloom(command, *arguments, "--journal", self.journal)


@pytest.fixture
def ran(tmp_path: Path) -> Ran:
    made = Ran(tmp_path)
    made.damage(2)
    saved = made.ask("salvage", made.folder.name)
    assert saved.exit_code == 0, saved.output
    assert "asks which of them are to be done again" in saved.stderr
    return made


def test_a_bare_resume_never_chooses_what_was_salvaged(ran: Ran) -> None:
    before = ran.lines()
    tried = ran.ask("resume")
    assert (tried.exit_code, "was interrupted" in tried.stderr) == (2, True)
    (listed,) = json.loads(ran.ask("runs", "--json").stdout)
    assert (listed["state"], listed["salvaged"]) == ("interrupted", True)
    assert "(salvaged: a part is lost)" in ran.ask("runs").stdout
    assert ran.lines() == before


def test_by_name_it_asks_and_nobody_there_to_answer_leaves_it_as_it_is(ran: Ran) -> None:
    before = ran.lines()
    tried = ran.ask("resume", ran.folder.name)
    assert tried.exit_code == 2
    assert "Say with --again" in tried.stderr
    wrong = ran.ask("resume", ran.folder.name, "--again", "t0")
    assert (wrong.exit_code, "'t0' is no task whose end is not known" in wrong.stderr) == (2, True)
    assert ran.lines() == before
    assert (ran.folder / SALVAGED).exists()


@pytest.mark.parametrize(("again", "twice"), [("none", []), ("t3,t5", ["t3", "t5"]), ("all", ["t2", "t3", "t4", "t5"])])
def test_only_what_somebody_names_is_done_again(again: str, twice: list[str], ran: Ran) -> None:
    before = ran.lines()
    went = ran.ask("resume", ran.folder.name, "--again", again)
    assert went.exit_code == 0, went.output
    assert ran.lines()[: len(before)] == before
    assert sorted(ran.lines()[len(before) :]) == twice, "what waits for nothing that is left runs at the same time"
    assert not (ran.folder / SALVAGED).exists()
    (listed,) = json.loads(ran.ask("runs", "--json").stdout)
    assert (listed["state"], listed["salvaged"]) == ("completed", False)


def test_a_damaged_journal_of_the_fleet_is_set_aside_and_runs_go_on(ran: Ran, tmp_path: Path) -> None:
    fleet = ran.journal / "fleet.db"
    fleet.write_bytes(b"not a journal at all, whatever it once was" * 100)
    again = starloom("run", tmp_path / "plan.json", "--journal", ran.journal)
    assert again.exit_code == 0, again.output
    assert "The journal of the fleet was damaged" in again.stderr
    (kept,) = ran.journal.glob("damaged-*.db")
    assert kept.read_bytes().startswith(b"not a journal at all")
    assert "was damaged" not in starloom("run", tmp_path / "plan.json", "--journal", ran.journal).stderr


def test_a_flipped_bit_in_the_journal_of_the_fleet_loses_only_what_comes_after_it(ran: Ran, tmp_path: Path) -> None:
    fleet = ran.journal / "fleet.db"
    with closing(sqlite3.connect(fleet)) as file, file:
        (last,) = file.execute("SELECT max(number) FROM turns").fetchone()
        file.execute("UPDATE turns SET data = CAST(data AS BLOB) || x'00' WHERE number = ?", (last,))
    again = starloom("run", tmp_path / "plan.json", "--journal", ran.journal)
    assert again.exit_code == 0, again.output
    assert f"{last - 1} of its turns were saved" in again.stderr
