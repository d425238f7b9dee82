"""After a crash the user is asked once about what was not saved; whatever the answer, nothing is lost unasked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget
from tests.gui.documents.plans import Reports, on_qt, shown, small
from tests.waiting import until

from starloom_gui.documents.document import Document
from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.documents.unsaved import UnsavedPlans
from starloom_gui.theme.appearance import Appearance, Theme
from starloom_gui.workspace.autosave import Autosave
from starloom_gui.workspace.restoring import DISCARD, RESTORE, RestoreDialog, Restoring

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from PySide6.QtWidgets import QApplication

NOW = 1_800_000_000.0


class Bench:
    def __init__(self, folder: Path, appearance: Appearance, window: QWidget) -> None:
        self.folder, self.window = folder, window
        self.documents, self.reports = OpenDocuments(), Reports()
        self.autosave = Autosave(self.documents, UnsavedPlans(folder), self.reports, pause=0.0)
        self.restoring = Restoring(self.autosave, self.reports, appearance, window, wall=lambda: NOW + 125)

    @property
    def files(self) -> list[Path]:
        return sorted(self.folder.glob("*.json"))


@pytest.fixture
def folder(app: QApplication, tmp_path: Path) -> Path:
    folder = tmp_path / "unsaved"
    store = UnsavedPlans(folder)
    store.keep(Document(key="p 1", title="firmware", plan=small(), path=Path("/plans/firmware.yaml")), NOW)
    store.keep(Document(key="p 2", title="New plan", plan=small("x")), NOW - 7200)
    store.close()
    return folder


@pytest.fixture
def bench(folder: Path, app: QApplication) -> Iterator[Callable[[Callable[[Bench], Coroutine[Any, Any, None]]], None]]:
    def run(main: Callable[[Bench], Coroutine[Any, Any, None]]) -> None:
        async def within() -> None:
            window = QWidget()
            window.resize(900, 600)
            window.show()
            made = Bench(folder, Appearance(app, Theme.LIGHT, reduced_motion=True), window)
            try:
                await main(made)
            finally:
                made.restoring.cancel()
                await made.restoring.settled()
                await made.autosave.close()

        on_qt(within)

    yield run
    for widget in app.topLevelWidgets():
        widget.close()
        widget.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_the_question_names_what_was_not_saved_and_enter_restores_it(bench: Any):
    async def main(made: Bench) -> None:
        made.restoring.offer()
        dialog = await shown(made.window, RestoreDialog)
        assert [line.text() for line in dialog.lines] == [
            "/plans/firmware.yaml, changed 2 min ago",
            "New plan, changed 2 h ago",
        ]
        assert dialog.choices.buttons[RESTORE].isDefault()
        assert "has run" not in dialog.choices.sentence.text(), "a plan that is not saved can have been run"
        assert not made.documents.documents, "nothing is opened unasked"
        dialog.choices.buttons[RESTORE].click()
        await made.restoring.settled()
        assert [one.title for one in made.documents.documents] == ["firmware", "New plan"]
        assert all(one.is_dirty for one in made.documents.documents)

    bench(main)


def test_discarding_removes_them(bench: Any):
    async def main(made: Bench) -> None:
        made.restoring.offer()
        (await shown(made.window, RestoreDialog)).choices.buttons[DISCARD].click()
        await until(lambda: not made.files)
        assert not made.documents.documents

    bench(main)


@pytest.mark.parametrize("how", ["later", "escape", "cancel"])
def test_whoever_does_not_decide_is_asked_at_the_next_start_and_not_before(bench: Any, how: str):
    async def main(made: Bench) -> None:
        made.restoring.offer()
        dialog = await shown(made.window, RestoreDialog)
        {"later": dialog.choices.buttons[""].click, "escape": dialog.reject, "cancel": made.restoring.cancel}[how]()
        await made.restoring.settled()
        assert not made.documents.documents
        assert len(made.files) == 2

    bench(main)

    async def next_start(made: Bench) -> None:
        made.restoring.offer()
        await shown(made.window, RestoreDialog)

    bench(next_start)


def test_where_nothing_was_left_nobody_is_asked_and_garbage_is_said_without_a_question(bench: Any, folder: Path):
    for file in folder.glob("*.json"):
        file.unlink()
    (folder / "0123456789ab.p-1.json").write_text("{")

    async def main(made: Bench) -> None:
        made.restoring.offer()
        await made.restoring.settled()
        (trouble,) = made.reports.troubles
        assert trouble.what == "Not everything that was not saved can be restored"
        assert not made.window.findChildren(RestoreDialog)

    bench(main)
