"""Tests of where a report comes from: what a journal says of who made it, its hash, and the hash of its plan."""

from __future__ import annotations

import getpass
import json
import platform
import socket
import sqlite3
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from starloom.cli.app import app
from starloom.journal import new_file
from starloom.journal.names import JOURNAL
from starloom.journal.reader import seal_of_meta
from starloom.journal.salvage import salvage_folder

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.yaml"
    path.write_text("starloom: 1\nname: p\ntasks:\n  a: {python: 'json:dumps'}\n  b: {shell: exit 0, needs: [a]}\n")
    return path


@pytest.fixture
def folder(tmp_path: Path, plan: Path) -> Path:
    """The folder of a run that was made by `starloom run`."""
    starloom("run", plan, "--journal", tmp_path / "journal")
    (made,) = (tmp_path / "journal" / "runs").iterdir()
    return made


def starloom(*arguments: str | Path) -> str:
    return CliRunner().invoke(app, list(map(str, arguments))).stdout


def report(folder: Path, ending: str = "json") -> str:
    target = folder.parent.parent.parent / f"x.{ending}"
    starloom("report", folder, "-o", target)
    return target.read_text(encoding="utf-8")


def provenance(folder: Path) -> dict[str, str]:
    told: dict[str, Any] = json.loads(report(folder))
    found: dict[str, str] = told["provenance"]
    return found


def rows(folder: Path) -> bytes:
    with closing(sqlite3.connect(folder / JOURNAL)) as file:
        return b"".join(data for (data,) in file.execute("SELECT data FROM turns ORDER BY number"))


def forget(folder: Path) -> None:
    """Make the journal one of a version that told nothing of the machine."""
    with closing(sqlite3.connect(folder / JOURNAL)) as file, file:
        file.execute("DELETE FROM meta WHERE name IN ('python', 'system', 'user', 'host')")
        meta = dict(file.execute("SELECT name, value FROM meta").fetchall())
        file.execute("UPDATE meta SET value = ? WHERE name = 'seal'", (seal_of_meta(meta),))


def test_a_report_says_who_made_the_run_where_and_of_what(folder: Path, plan: Path) -> None:
    told = provenance(folder)
    assert told["python"] == f"CPython {platform.python_version()}"
    assert told["system"].split()[0] == platform.system()
    assert (told["user"], told["host"]) == (getpass.getuser(), socket.gethostname())
    assert told["journal_sha256"] == sha256(rows(folder)).hexdigest()
    assert told["plan_sha256"] == json.loads(starloom("plan", plan, "--json"))["plan_sha256"]


def test_all_documents_tell_it(folder: Path) -> None:
    told = provenance(folder)
    html = report(folder, "html")
    assert all(value in html for value in told.values())
    assert f"sha256 {told['journal_sha256'][:8]}…{told['journal_sha256'][-8:]}." in html
    suite = ElementTree.fromstring(report(folder, "junit.xml")).find("testsuite")
    assert suite is not None
    assert suite[0].tag == "properties"
    assert {one.get("value") for one in suite.findall("properties/property")} == set(told.values())
    trace = json.loads(report(folder, "trace.json"))["otherData"]
    assert set(told.values()) <= set(trace.values())
    for kind in ("svg", "graph.svg"):
        about = ElementTree.fromstring(report(folder, kind)).findtext("{http://www.w3.org/2000/svg}desc") or ""
        assert about.splitlines()[0] == folder.name
        assert {line.partition(": ")[2] for line in about.splitlines()[1:]} == set(told.values())


def test_it_was_recorded_as_the_run_began(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = provenance(folder)
    monkeypatch.setattr(new_file, "machine", lambda: {"host": "elsewhere"})
    monkeypatch.setattr(socket, "gethostname", lambda: "elsewhere")
    assert provenance(folder) == before


def test_a_journal_of_an_earlier_version_says_that_it_is_unknown(folder: Path) -> None:
    forget(folder)
    told = provenance(folder)
    assert [told[name] for name in ("python", "system", "user", "host")] == ["unknown"] * 4
    assert told["journal_sha256"] != "unknown"


def test_a_copy_an_export_and_what_was_salvaged_keep_it(folder: Path, tmp_path: Path, monkeypatch) -> None:
    before = provenance(folder)
    starloom("export", folder, "-o", tmp_path / "x.starloom")
    monkeypatch.setattr(new_file, "machine", lambda: {"host": "elsewhere"})
    starloom("runs", "--import", tmp_path / "x.starloom", "--journal", tmp_path / "other")
    (imported,) = (tmp_path / "other" / "runs").iterdir()
    assert provenance(imported) == before
    with closing(sqlite3.connect(folder / JOURNAL)) as file, file:
        (last,) = file.execute("SELECT max(number) FROM turns").fetchone()
        file.execute("UPDATE turns SET data = ? WHERE number = ?", (b"damaged", last))
    assert salvage_folder(folder).damage is not None
    after = provenance(folder)
    assert after["journal_sha256"] != before["journal_sha256"]
    assert {**after, "journal_sha256": ""} == {**before, "journal_sha256": ""}


def test_another_plan_has_another_hash_and_the_same_one_in_other_words_has_not(tmp_path: Path) -> None:
    def digest(text: str) -> str:
        (tmp_path / "p.yaml").write_text(text)
        found: str = json.loads(starloom("plan", tmp_path / "p.yaml", "--json"))["plan_sha256"]
        return found

    plain = digest("starloom: 1\nname: p\ntasks: {a: {shell: make}, b: {shell: make test, needs: [a]}}\n")
    assert (
        digest("name: p\nstarloom: 1\ntasks:\n- {id: a, shell: make}\n- {id: b, shell: make test, needs: a}\n") == plain
    )
    assert digest("starloom: 1\nname: p\ntasks: {a: {shell: make}, b: {shell: make test}}\n") != plain


def test_a_user_that_the_system_does_not_know_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise KeyError("getpwuid(): uid not found: 12345")

    monkeypatch.setattr(getpass, "getuser", nobody)
    monkeypatch.setattr(socket, "gethostname", lambda: "h\udc80" + 500 * "x")
    new_file.machine.cache_clear()
    try:
        found = new_file.machine()
    finally:
        new_file.machine.cache_clear()
    assert "user" not in found
    assert found["host"].startswith("h?")
    assert len(found["host"]) == new_file.LONGEST
