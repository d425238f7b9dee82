"""A plan file that another program has changed is told of when the user comes back to its plan, with Reload."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_starting_a_changed_file import PLAN, opened, questions
from tests.waiting import until

from starloom_gui.documents.document import Document
from starloom_gui.shell.opening import RELOAD
from starloom_gui.shell.saving import OVERWRITE

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.composition.console import Console


def is_told(console: Console) -> bool:
    return console.strip.shown is not None and console.strip.shown.reason.startswith("build.yaml has changed on disk")


def activate(console: Console) -> None:
    QApplication.sendEvent(console.window, QEvent(QEvent.Type.WindowActivate))


def shell_of(console: Console) -> str | None:
    return console.documents.documents[0].plan.tasks[0].shell


def test_a_file_that_changed_is_told_of_when_the_window_is_activated_or_its_tab_turned_to(
    desktop: Desktop, tmp_path: Path
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            document = await opened(console, tmp_path / "build.yaml")
            activate(console)
            await until(lambda: is_told(console))
            console.strip.dismiss()
            activate(console)
            await console.files.changes.settled()
            assert not is_told(console), "who has put it away is not told again"
            other = console.documents.put_new()
            console.documents.turn_to(document.key)
            await until(lambda: is_told(console))
            console.documents.turn_to(other.key)
            assert not is_told(console)
            console.documents.turn_to(document.key)
            await until(lambda: is_told(console))
            assert console.strip.shown is not None
            assert console.strip.shown.act is not None
            console.strip.shown.act()
            await until(lambda: shell_of(console) == "echo after it was changed")
            await until(lambda: not is_told(console))
            await at_rest(console)

    desktop.run(main)


@pytest.mark.parametrize("is_told_before", [True, False])
def test_a_file_that_was_overwritten_is_not_said_to_have_changed(
    desktop: Desktop, tmp_path: Path, is_told_before: bool
) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            document = await opened(console, tmp_path / "build.yaml")
            if is_told_before:
                activate(console)
                await until(lambda: is_told(console))
            renamed = replace(document.plan, description="mine")
            console.documents.change(document.key, renamed, is_typed=True)
            console.actions["save"].trigger()
            await until(lambda: questions(console))
            questions(console)[0].choices.choose(OVERWRITE)
            activate(console)  # as the dialog goes
            await console.files.saving.settled()
            await console.files.changes.settled()
            assert "mine" in (tmp_path / "build.yaml").read_text()
            assert not is_told(console)
            activate(console)
            await console.files.changes.settled()
            assert not is_told(console)
            (tmp_path / "build.yaml").write_text(PLAN.format("echo once more"))
            activate(console)
            await until(lambda: is_told(console))

    desktop.run(main)


def test_the_action_reload_asks_before_it_loses_changes(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            document = await opened(console, tmp_path / "build.yaml")
            await until(console.actions["reload"].isEnabled)
            console.actions["reload"].trigger()
            await until(lambda: shell_of(console) == "echo after it was changed")
            (tmp_path / "build.yaml").write_text(PLAN.format("echo last"))
            now = console.documents.document(document.key)
            assert isinstance(now, Document)
            console.documents.change(document.key, document.plan, is_typed=True)
            console.actions["reload"].trigger()
            await until(lambda: questions(console))
            assert shell_of(console) == "echo before"
            questions(console)[0].choices.choose(RELOAD)
            await until(lambda: shell_of(console) == "echo last")
            console.documents.put_new()
            await until(lambda: not console.actions["reload"].isEnabled())
            await at_rest(console)

    desktop.run(main)


def test_a_task_that_a_reloaded_file_has_and_does_not_place_makes_nothing_unsaved(
    desktop: Desktop, tmp_path: Path
) -> None:
    placed = PLAN.format("echo one") + "layout:\n  one: [400, 300]\n"
    more = PLAN.format("echo one") + "- id: two\n  shell: echo two\n  needs: [one]\nlayout:\n  one: [400, 300]\n"
    path = tmp_path / "build.yaml"

    async def main() -> None:
        async with desktop.console() as console:
            path.write_text(placed)
            console.files.opening.open(path)
            await until(lambda: isinstance(console.documents.front, Document))
            await at_rest(console)
            path.write_text(more)
            await until(console.actions["reload"].isEnabled)
            console.actions["reload"].trigger()
            await until(lambda: len(console.documents.documents[0].plan.tasks) == 2)
            await at_rest(console)
            (document,) = console.documents.documents
            assert not document.is_dirty
            assert document.plan.layout == {"one": (400, 300)}

    desktop.run(main)
