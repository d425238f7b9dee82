"""What was assumed of a plan because its file does not say it stands over its graph until it is put away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import small
from tests.gui.composition.test_starting_a_changed_file import questions
from tests.waiting import until

from starloom.formats import save_plan
from starloom_gui.documents.document import Document, RunTab
from starloom_gui.text.engine_words import known
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.composition.console import Console

pytestmark = pytest.mark.usefixtures("app")
DOT = "digraph r { a -> b; b -> c [color=red]; }"


async def opened(console: Console, path: Path) -> Document:
    console.files.opening.open(path)
    await console.files.opening.settled()
    document = console.documents.front
    assert isinstance(document, Document)
    await at_rest(console)
    return document


def told(console: Console) -> str:
    return console.strip.shown.text if console.strip.shown is not None else ""


@pytest.mark.parametrize("kind", ["dot", "ufo", "wfformat"])
def test_what_was_assumed_is_a_notice_over_the_graph(desktop: Desktop, tmp_path: Path, kind: str) -> None:
    ending = {"dot": "dot", "ufo": "ufo.json", "wfformat": "wf.json"}[kind]
    save_plan(small(), tmp_path / f"r.{ending}", kind)

    async def main() -> None:
        async with desktop.console() as console:
            document = await opened(console, tmp_path / f"r.{ending}")
            assert document.remarks
            assert told(console) == f"r.{ending}: {' '.join(document.remarks)}"
            assert console.strip.shown is not None
            assert console.strip.shown.is_notice
            assert all(map(known, document.remarks)), "each can be told in other languages"

    desktop.run(main)


def test_it_stays_with_its_tab_until_it_is_put_away(desktop: Desktop, tmp_path: Path) -> None:
    path = tmp_path / "r.dot"
    path.write_text(DOT)

    async def main() -> None:
        async with desktop.console() as console:
            document = await opened(console, path)
            assert "every task is simulated and takes one second" in told(console)
            console.strip.show_trouble(other := ErrorMessage("", "Something else.", is_notice=True, of_tab=True))
            assert console.strip.shown is other
            console.strip.show_trouble(ErrorMessage("", "A third thing.", is_notice=True, of_tab=True))
            console.strip.dismiss()
            assert told(console).startswith("r.dot: "), "no other notice takes its place"
            new = console.documents.put_new()
            await at_rest(console)
            assert not told(console)
            console.documents.turn_to(document.key)
            await at_rest(console)
            assert told(console).startswith("r.dot: ")
            console.documents.change(document.key, small(), reason="Edit")
            assert told(console).startswith("r.dot: ")
            console.strip.dismiss()
            console.documents.change(document.key, document.plan, reason="Edit")
            console.documents.turn_to(new.key)
            console.documents.turn_to(document.key)
            await at_rest(console)
            assert not told(console), "it was put away"
            console.documents.close(document.key)
            await opened(console, path)
            assert told(console).startswith("r.dot: "), "it is opened anew"

    desktop.run(main)


def test_a_plan_that_was_saved_as_one_of_ours_says_it_itself(desktop: Desktop, tmp_path: Path) -> None:
    path = tmp_path / "r.dot"
    path.write_text(DOT)

    async def main() -> None:
        async with desktop.console() as console:
            document = await opened(console, path)
            console.documents.note_saved(document.key, document.plan, tmp_path / "r.yaml", "yaml", None)
            saved = console.documents.document(document.key)
            assert saved is not None
            assert saved.remarks == ()
            assert not told(console)

    desktop.run(main)


def test_a_plan_of_simulated_tasks_starts_without_a_question(desktop: Desktop, tmp_path: Path) -> None:
    path = tmp_path / "r.dot"
    path.write_text(DOT)

    async def main() -> None:
        async with desktop.console() as console:
            await opened(console, path)
            await until(console.actions["start"].isEnabled)
            console.actions["start"].trigger()
            await until(lambda: isinstance(console.documents.front, RunTab))
            assert not questions(console)
            assert not told(console), "it is about the plan"
            await at_rest(console)

    desktop.run(main)
