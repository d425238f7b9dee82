"""`starloom report` into what only the console can draw: a sentence for whatever goes wrong."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import struct
import subprocess
import sys
from contextlib import closing
from datetime import UTC
from typing import TYPE_CHECKING

import pytest
from tests.unit.reporting.story import steered

from starloom.errors import StarloomError
from starloom.journal.child import STAGE
from starloom.journal.library import folder_name
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.reporting import export, export_child
from starloom.reporting.folding import build

if TYPE_CHECKING:
    from pathlib import Path

    from tests.end2end.shell import Shell

CLI = (sys.executable, "-m", "starloom.cli")
OURS = "starloom_gui.printing.drawing:draw"


@pytest.fixture
def run(shell: Shell) -> str:
    events = steered()
    folder = shell.journal / "runs" / folder_name(events[0].run_id)
    folder.mkdir(parents=True)
    with StreamFile(folder / JOURNAL, events[0].run_id) as file:
        for event in events:
            file.commit([event])
    return "r"


def registered(folder: Path, *kinds: str, by: str = OURS) -> str:
    """A path on which a package is installed that draws these kinds, and all that was on it before."""
    info = folder / "adrawer-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: adrawer\nVersion: 1.0\n", encoding="utf-8")
    lines = "".join(f"{kind} = {by}\n" for kind in kinds)
    (info / "entry_points.txt").write_text(f"[starloom.reports]\n{lines}", encoding="utf-8")
    return os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])


@pytest.mark.parametrize(
    ("name", "kind", "head"),
    [
        ("x.pdf", "pdf", b"%PDF-1."),
        ("x.png", "timeline.png", b"\x89PNG"),
        ("x.timeline.png", "timeline.png", b"\x89PNG"),
        ("x.graph.png", "graph.png", b"\x89PNG"),
    ],
)
def test_the_console_draws_what_the_ending_names(shell: Shell, run: str, name: str, kind: str, head: bytes) -> None:
    path = registered(shell.folder, kind)
    done = shell.run("report", run, "-o", name, PYTHONPATH=path, QT_QPA_PLATFORM="", DISPLAY="")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert (shell.folder / name).read_bytes().startswith(head)


def height_of(png: bytes) -> int:
    """Pixels, from the header of a picture."""
    found: int = struct.unpack(">I", png[20:24])[0]
    return found


@pytest.mark.parametrize(("name", "kind"), [("x.png", "timeline.png"), ("x.graph.png", "graph.png")])
def test_a_picture_of_a_damaged_journal_has_words_over_it(shell: Shell, run: str, name: str, kind: str) -> None:
    path = registered(shell.folder, kind)
    more = {"PYTHONPATH": path, "QT_QPA_PLATFORM": ""}
    assert shell.run("report", run, "-o", name, **more).returncode == 0
    (folder,) = (shell.journal / "runs").iterdir()
    with closing(sqlite3.connect(folder / JOURNAL)) as connection, connection:
        connection.execute("UPDATE turns SET data = substr(data, 1, 30) || x'00' WHERE number = 38")
    done = shell.run("report", run, "-o", f"damaged-{name}", **more)
    assert (done.returncode, "The report ends before the damage" in done.stderr) == (1, True)
    sound, damaged = (height_of((shell.folder / one).read_bytes()) for one in (name, f"damaged-{name}"))
    assert damaged > sound


def test_a_console_that_cannot_be_loaded_is_said_and_nothing_is_written(shell: Shell, run: str) -> None:
    path = registered(shell.folder, "pdf", by="nowhere:draw")
    (shell.folder / "nowhere.py").write_text("raise ImportError('libEGL.so.1 is not there')", encoding="utf-8")
    (shell.folder / "x.pdf").write_bytes(b"before")
    done = shell.run("report", run, "-o", "x.pdf", PYTHONPATH=path)
    assert done.returncode == 2
    assert re.search(
        r"It could not be drawn: nowhere:draw failed: ImportError: libEGL.so.1 is not there\. An", done.stderr
    )
    assert (shell.folder / "x.pdf").read_bytes() == b"before"


def test_without_a_console_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "entry_points", lambda **_: [])
    with pytest.raises(StarloomError, match=r"Install starloom with its console .* or end the name in \.html"):
        export.drawn("pdf", build("r", []), UTC)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other ways to interrupt")
@pytest.mark.parametrize("by_console", [False, True])
def test_drawing_that_does_not_end_is_interrupted_and_nothing_is_written(
    shell: Shell, run: str, by_console: bool
) -> None:
    path = registered(shell.folder, "pdf", by="forever:draw")
    text = "import time\n\ndef draw(*_):\n    print('begun', flush=True)\n    time.sleep(600)\n"
    (shell.folder / "forever.py").write_text(text, encoding="utf-8")
    (shell.folder / "x.pdf").write_bytes(b"before")
    (folder,) = (shell.journal / "runs").iterdir()
    asked = (*export_child.command_line(), str(folder)) if by_console else (*CLI, "report", run, "-o")
    environment = {**shell.env, "PYTHONPATH": path}
    with subprocess.Popen(
        (*asked, "x.pdf"), cwd=shell.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    left, words = (export_child.REFUSED, "") if by_console else (130, "Interrupted.\n")
    told = [line for line in said.splitlines(keepends=True) if not line.startswith(STAGE)]
    assert (process.returncode, "".join(told)) == (left, words)
    assert (shell.folder / "x.pdf").read_bytes() == b"before"
    assert not list(shell.folder.glob(".*.part"))
