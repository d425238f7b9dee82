"""The one door by which a recorded run gets into a file, and the processes that the console has go through it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING

import pytest
from tests.unit.journal.test_bundle import a_run, cut, packed

from starloom.errors import StarloomError
from starloom.journal import import_child
from starloom.journal.names import JOURNAL
from starloom.reporting import export as exporting
from starloom.reporting import export_child
from starloom.reporting.export import export

if TYPE_CHECKING:
    from pathlib import Path


def carried_out(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120, check=False)


def stages(said: str) -> list[str]:
    """Each stage once, in the order in which they were begun."""
    return list(dict.fromkeys(line.split()[1] for line in said.splitlines() if line.startswith("stage: ")))


@pytest.mark.parametrize(
    ("name", "told"), [("x.json", ["reading", "drawing", "writing"]), ("x.STARLOOM", ["reading", "packing"])]
)
def test_whoever_waits_is_told_each_stage(tmp_path: Path, name: str, told: list[str]) -> None:
    heard: list[tuple[str, float]] = []
    exported = export(a_run(tmp_path / "here"), tmp_path / name, tell=lambda stage, share: heard.append((stage, share)))
    assert list(dict.fromkeys(stage for stage, _ in heard)) == told
    assert all(0.0 <= share <= 1.0 for _, share in heard)
    assert (exported.notes, exported.damage) == ((), "")
    assert (tmp_path / name).stat().st_size


def test_a_report_is_written_by_a_process_of_its_own_that_says_how_far_it_is(tmp_path: Path) -> None:
    done = carried_out(*export_child.command_line(), a_run(tmp_path / "here"), tmp_path / "x.json")
    assert (done.returncode, done.stdout) == (export_child.GOOD, "")
    assert stages(done.stderr) == ["reading", "drawing", "writing"]
    assert json.loads((tmp_path / "x.json").read_bytes())["run_id"] == "r"


def test_a_run_is_packed_by_a_process_of_its_own_that_says_how_much_is_done(tmp_path: Path) -> None:
    done = carried_out(*export_child.command_line(), a_run(tmp_path / "here"), tmp_path / "x.starloom")
    assert done.returncode == export_child.GOOD
    assert done.stderr.splitlines()[0] == "stage: reading 0"
    assert done.stderr.splitlines()[-1] == "stage: packing 100"


def test_a_copy_of_a_run_that_goes_on_elsewhere_is_told_as_it_stands_by_the_clock_there(tmp_path: Path) -> None:
    """Nothing but a lock says of a journal here whether a program has it open, and a copy has none."""
    folder = a_run(tmp_path / "here", 30)
    export(folder, tmp_path / "x.json")
    alone = json.loads((tmp_path / "x.json").read_bytes())
    at = str(alone["last_heard"] + 100.0)
    done = carried_out(*export_child.command_line(), folder, tmp_path / "x.json", at)
    assert (done.returncode, done.stdout) == (export_child.GOOD, "")
    told = json.loads((tmp_path / "x.json").read_bytes())
    assert (alone["state"], told["state"]) == ("interrupted", "executing")
    assert told["seconds"] == pytest.approx(alone["seconds"] + 100.0)


def test_what_cannot_be_exported_is_a_sentence_and_leaves_what_is_there(tmp_path: Path) -> None:
    folder = a_run(tmp_path / "here")
    (folder / JOURNAL).write_bytes(b"no journal")
    for name in ("x.json", "x.starloom", "x.nothing"):
        (tmp_path / name).write_bytes(b"before")
        done = carried_out(*export_child.command_line(), folder, tmp_path / name)
        assert (done.returncode, done.stdout) == (export_child.REFUSED, "")
        assert "Traceback" not in done.stderr
        assert done.stderr.strip().endswith(".")
        assert (tmp_path / name).read_bytes() == b"before"
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


def test_what_draws_is_called_in_the_same_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "import os\n\ndef draw(kind, *_):\n    return f'{kind} by {os.getpid()}'.encode()\n"
    (tmp_path / "a_drawer_here.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    entry = EntryPoint("pdf", "a_drawer_here:draw", exporting.ENTRY_POINT_GROUP)
    monkeypatch.setattr(exporting, "entry_points", lambda **_: [entry])
    export(a_run(tmp_path / "here"), tmp_path / "x.pdf")
    assert (tmp_path / "x.pdf").read_text(encoding="utf-8") == f"pdf by {os.getpid()}"


def test_an_ending_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StarloomError, match="no report is made in this format"):
        export(a_run(tmp_path / "here"), tmp_path / "x.doc")


def test_a_run_is_taken_in_by_a_process_of_its_own_that_names_its_folder(tmp_path: Path) -> None:
    bundle = packed(a_run(tmp_path / "elsewhere"))
    done = carried_out(*import_child.command_line(), bundle, tmp_path / "here")
    assert (done.returncode, json.loads(done.stdout)) == (import_child.GOOD, str(tmp_path / "here" / "runs" / "r"))
    assert done.stderr.splitlines()[-1] == "stage: unpacking 100"
    again = carried_out(*import_child.command_line(), bundle, tmp_path / "here")
    assert (again.returncode, again.stdout) == (import_child.GOOD, done.stdout), "it is the same run"


def test_a_run_that_is_there_in_another_state_is_named_and_refused(tmp_path: Path) -> None:
    bundle, folder = packed(a_run(tmp_path / "elsewhere")), a_run(tmp_path / "here")
    done = carried_out(*import_child.command_line(), bundle, tmp_path / "here")
    assert (done.returncode, json.loads(done.stdout)) == (import_child.REFUSED, str(folder))
    assert "Move that away to have this." in done.stderr


def test_a_damaged_bundle_is_refused_in_a_sentence(tmp_path: Path) -> None:
    bundle = cut(packed(a_run(tmp_path / "elsewhere")), 0.6)
    done = carried_out(*import_child.command_line(), bundle, tmp_path / "here")
    assert (done.returncode, done.stdout) == (import_child.REFUSED, "")
    assert "Export the run again where it is." in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("module", [export_child, import_child])
def test_a_packaged_program_runs_itself(module: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert module.command_line() == (sys.executable, "--starloom-child", module.__file__)  # type: ignore[attr-defined]


def test_whoever_only_starts_these_processes_loads_nothing_of_their_work() -> None:
    code = "import sys, starloom.reporting.export_child, starloom.journal.import_child; print(*sys.modules)"
    loaded = carried_out(sys.executable, "-c", code).stdout.split()
    assert "starloom.reporting.export_child" in loaded
    assert not {"starloom.reporting.export", "starloom.reporting.folding", "starloom.journal.taking_in"} & {*loaded}
