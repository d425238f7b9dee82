"""A plan whose file another program has changed meanwhile: what would run is asked about before it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gui.composition.conftest import Desktop, at_rest
from tests.waiting import until

from starloom_gui.documents.document import Document, RunTab
from starloom_gui.shell.opening import RELOAD, START
from starloom_gui.widgets.question import ChoiceDialog

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.composition.console import Console

PLAN = "starloom: 1\nname: build\ntasks:\n- id: one\n  shell: {}\n"


def questions(console: Console) -> list[ChoiceDialog]:
    return [one for one in console.window.findChildren(ChoiceDialog) if one.isVisible()]


async def opened(console: Console, path: Path) -> Document:
    """The plan, open; its file says something else since."""
    path.write_text(PLAN.format("echo before"))
    console.files.opening.open(path)
    await until(lambda: isinstance(console.documents.front, Document))
    document = console.documents.front
    assert isinstance(document, Document)
    console.files.plan_verbs.trust(document.plan)
    await at_rest(console)
    path.write_text(PLAN.format("echo after it was changed"))
    return document


@pytest.mark.parametrize("answer", [START, ""])
def test_what_is_shown_runs_only_if_the_user_says_so(desktop: Desktop, tmp_path: Path, answer: str) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            document = await opened(console, tmp_path / "build.yaml")
            await until(console.actions["start"].isEnabled)
            console.actions["start"].trigger()
            await until(lambda: questions(console))
            assert not console.documents.runs
            questions(console)[0].choices.choose(answer)
            await console.starter.background_tasks.settled()
            await until(lambda: bool(console.documents.runs) == (answer == START) and not questions(console))
            if answer == START:
                await until(lambda: isinstance(console.documents.front, RunTab))
                snapshot = console.documents.runs[0].snapshot
                assert snapshot is not None
                assert snapshot.tasks[0].command == document.plan.tasks[0].command
            await at_rest(console)

    desktop.run(main)


def test_reload_shows_what_the_file_says_and_starts_nothing(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            before = (await opened(console, tmp_path / "build.yaml")).plan.tasks[0]
            await until(console.actions["start"].isEnabled)
            console.actions["start"].trigger()
            await until(lambda: questions(console))
            questions(console)[0].choices.choose(RELOAD)
            await until(lambda: console.documents.documents[0].plan.tasks[0] != before)
            await at_rest(console)
            assert "echo after it was changed" in str(console.documents.documents[0].plan.tasks[0])
            assert not console.documents.runs

    desktop.run(main)
