"""A plan that another program runs is said to run, on the welcome page of a console beside it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from tests.waiting import POLL, until

from starloom.journal.records import records
from starloom.model.status import RunState
from starloom_gui.workspace.running import PERIOD, Going, going_on

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gui.composition.conftest import Desktop

PLAN = """
starloom: 1
name: nightly
devices: [{id: here, kind: local, slots: 1}]
tasks:
  quick: {shell: echo 1}
  long: {shell: sleep 3600, needs: [quick]}
"""


def another_program(path: Path) -> subprocess.Popen[bytes]:
    """A program that runs a plan, and takes down what it runs when it is told to end."""
    command = [sys.executable, "-m", "starloom.cli", "run", str(path)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def test_a_plan_that_another_program_runs_is_running_and_not_never_run(desktop: Desktop, tmp_path: Path) -> None:
    path = tmp_path / "nightly.yaml"
    path.write_text(PLAN, encoding="utf-8")
    journal = tmp_path / "journal"

    async def main() -> None:
        async with desktop.console() as console:
            console.files.opening.open(path)
            await console.files.opening.settled()
            assert console.documents.front is not None
            console.documents.close(console.documents.front.key)
            await until(lambda: console.window.is_welcoming)
            (row,) = console.window.welcome.rows
            await console.running_plans.look()
            assert "Never run" in row.accessibleName()

            other = another_program(path)
            try:
                await until(lambda: going_on(journal) == {"nightly": Going(RunState.EXECUTING, 1, 2)}, every=POLL)
                await console.running_plans.look()
                assert row.accessibleName().endswith("Running, 1 of 2")
                assert row.going is not None
            finally:
                other.terminate()
                await until(lambda: other.poll() is not None, every=POLL)
            await until(lambda: records(journal)[0].held_by is None, every=POLL)
            await console.running_plans.look()
            assert "Running" not in row.accessibleName(), "nobody runs it any more"

    desktop.run(main)


def test_the_page_looks_by_itself_while_it_is_shown(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            looked: list[int] = []

            async def look() -> None:
                looked.append(1)

            console.running_plans.look = look  # type: ignore[method-assign]
            console.running_plans.begin()
            await until(lambda: looked)

    desktop.run(main)


def test_the_page_looks_again_when_it_is_shown_and_tells_nothing_old_meanwhile(
    desktop: Desktop, tmp_path: Path
) -> None:
    path = tmp_path / "nightly.yaml"
    path.write_text(PLAN, encoding="utf-8")

    async def main() -> None:
        async with desktop.console() as console:
            plans, heard = console.running_plans, list[object]()
            await plans.look()
            console.files.opening.open(path)
            await console.files.opening.settled()
            assert console.documents.front is not None
            plans._tell = heard.append
            plans.begin()
            console.documents.close(console.documents.front.key)
            await until(lambda: console.window.is_welcoming)
            await until(lambda: len(heard) > 1, within=PERIOD / 2)
            assert heard[:2] == [None, {}]

    desktop.run(main)


def test_journals_that_cannot_be_looked_into_tell_of_no_run(tmp_path: Path) -> None:
    (tmp_path / "runs").symlink_to(tmp_path / "nowhere")
    assert going_on(tmp_path) == {}
