"""Saving: wholly or not at all; what a format loses is said before; whatever fails, the document is whole and dirty."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtWidgets import QFileDialog
from tests.driver import plan, task
from tests.gui.documents.plans import Reports, on_qt, shown, small, written
from tests.gui.file_dialogs import name_file

from starloom.constellation.edits import AddTask
from starloom.formats import load_plan
from starloom.formats.files import load_plan_file
from starloom_gui.documents.files import read
from starloom_gui.editing.base import Step
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.shell.saving import OVERWRITE, RELOAD, SAVE, Saving
from starloom_gui.widgets.question import ChoiceDialog

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from starloom_gui.documents.document import Document
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.settings import Settings
    from starloom_gui.theme.appearance import Appearance


class Bench:
    def __init__(self, documents: OpenDocuments, settings: Settings, appearance: Appearance, parent: QWidget) -> None:
        self.documents, self.settings, self.window = documents, settings, parent
        self.reports = Reports()
        self.settled: list[str] = []
        self.saving = Saving(documents, settings, self.reports, self.settled.append, appearance, parent)

    def opened(self, path: Path) -> Document:
        return self.documents.put_loaded(read(path))

    async def choose(self, path: Path) -> None:
        """Name a file in the dialog that asks for one."""
        await name_file(await shown(self.window, QFileDialog), path)


@pytest.fixture
def bench(documents: OpenDocuments, settings: Settings, appearance: Appearance, parent: QWidget) -> Bench:
    return Bench(documents, settings, appearance, parent)


def test_save_writes_the_plan_into_its_file_and_the_mark_goes(bench: Bench, tmp_path: Path):
    path = written(small(), tmp_path / "p.yaml")
    key = bench.opened(path).key
    bench.documents.change(key, small("x", "y"))

    async def main() -> None:
        bench.saving.save(key)
        await bench.saving.settled()

    on_qt(main)
    assert load_plan(path) == small("x", "y").named("p")
    (document,) = bench.documents.documents
    assert not document.is_dirty
    assert document.stamp == read(path).stamp
    assert bench.settings.recent[0].tasks == 2
    assert bench.settings.has_saved


def test_a_plan_without_a_file_asks_for_one_and_becomes_that_file(bench: Bench, tmp_path: Path):
    key = bench.documents.put_plan(small()).key

    async def main() -> None:
        bench.saving.save(key)
        await bench.choose(tmp_path / "new.json")
        await bench.saving.settled()

    on_qt(main)
    (document,) = bench.documents.documents
    assert (document.title, document.path, document.format) == ("new", tmp_path / "new.json", "json")
    assert not document.is_dirty
    assert load_plan(tmp_path / "new.json") == small().named("new")


def adding(name: str) -> Step:
    return Step(label=f"Add {name}", edits=(AddTask(task(name, command=("true",))),))


async def save_as(bench: Bench, key: str, path: Path) -> None:
    bench.saving.save_as(key)
    await bench.choose(path)
    await bench.saving.settled()


def test_a_plan_without_a_name_gets_that_of_its_file_and_undo_does_not_take_it(bench: Bench, tmp_path: Path):
    document = bench.documents.put_new()
    key, file = document.key, tmp_path / "v1.2.wf.yaml"
    editor = PlanEditor(bench.documents, key)
    editor.do(adding("a"))

    on_qt(lambda: save_as(bench, key, file))
    (document,) = bench.documents.documents
    assert (document.title, document.plan.name, load_plan(file).name) == ("v1.2.wf", "v1.2.wf", "v1.2.wf")
    assert bench.settings.recent[0].name == "v1.2.wf"
    facts = editor.facts()
    assert facts is not None
    assert facts.name == "v1.2.wf"
    assert not document.is_dirty
    assert editor.history.is_clean
    assert editor.undo_offer().label == "Add a"
    editor.undo()
    (document,) = bench.documents.documents
    assert (document.plan.name, document.plan.tasks, document.is_dirty) == ("v1.2.wf", (), True)
    editor.redo()
    (document,) = bench.documents.documents
    assert not document.is_dirty
    editor.close()


@pytest.mark.parametrize("name", ["firmware", "New plan"])
def test_a_name_that_was_given_stays_whatever_the_file_is_called(bench: Bench, tmp_path: Path, name: str):
    key = bench.documents.put_plan(small().named(name)).key
    on_qt(lambda: save_as(bench, key, tmp_path / "other.yaml"))
    assert load_plan(tmp_path / "other.yaml").name == name


def test_what_was_changed_while_it_was_written_gets_the_name_too_and_stays_dirty(bench: Bench, tmp_path: Path):
    document = bench.documents.put_new()
    editor = PlanEditor(bench.documents, document.key)
    editor.do(adding("a"))
    before = bench.documents.documents[0].plan
    editor.do(adding("b"))
    bench.documents.note_saved(document.key, before.named("deploy"), tmp_path / "deploy.yaml", "yaml", None, before)
    (document,) = bench.documents.documents
    assert (document.plan.name, document.is_dirty) == ("deploy", True)
    editor.undo()
    assert not bench.documents.documents[0].is_dirty, "it says what the file says"
    editor.close()


def test_a_file_without_a_name_is_read_under_its_own(tmp_path: Path):
    assert read(written(small(), tmp_path / "deploy.yaml")).plan.name == "deploy"
    assert read(written(small().named("firmware"), tmp_path / "deploy.yaml")).plan.name == "firmware"


def test_naming_no_file_saves_nothing(bench: Bench):
    key = bench.documents.put_plan(small()).key

    async def main() -> None:
        bench.saving.save_as(key)
        (await shown(bench.window, QFileDialog)).reject()
        await bench.saving.settled()

    on_qt(main)
    assert bench.documents.documents[0].is_dirty
    assert not bench.reports.troubles


@pytest.mark.parametrize("answer", [SAVE, ""])
def test_what_a_format_loses_is_said_first_and_such_a_file_is_only_a_copy(bench: Bench, tmp_path: Path, answer: str):
    key = bench.documents.put_plan(plan([task("a", command=("make", "all"), timeout=60.0)])).key
    target = tmp_path / "drawing.dot"

    async def main() -> None:
        bench.saving.save_as(key)
        await bench.choose(target)
        question = await shown(bench.window, ChoiceDialog)
        assert (
            "DOT does not hold everything; left out: command of 1 task(s), timeout of 1 task(s)"
            in question.choices.sentence.text()
        )
        assert not target.exists()
        question.choices.buttons[answer].click()
        await bench.saving.settled()

    on_qt(main)
    assert target.exists() is bool(answer)
    assert bench.documents.documents[0].is_dirty
    assert bench.documents.documents[0].path is None


def test_a_failure_is_a_sentence_and_nothing_is_lost(bench: Bench, tmp_path: Path):
    path = written(small(), tmp_path / "gone" / "p.yaml")
    key = bench.opened(path).key
    bench.documents.change(key, small("x"))
    path.unlink()
    path.parent.rmdir()

    async def main() -> None:
        bench.saving.save(key)
        await bench.saving.settled()

    on_qt(main)
    (trouble,) = bench.reports.troubles
    assert trouble.what == "p.yaml was not saved"
    assert "does not exist" in trouble.reason
    assert trouble.remedy == "Save as…"
    assert bench.documents.documents[0].is_dirty
    assert bench.documents.documents[0].plan == small("x")


def test_what_was_not_saved_is_said_no_more_once_it_is_saved_elsewhere(bench: Bench, tmp_path: Path):
    path = written(small(), tmp_path / "gone" / "p.yaml")
    key = bench.opened(path).key
    bench.documents.change(key, small("x"))
    path.unlink()
    path.parent.rmdir()

    async def main() -> None:
        bench.saving.save(key)
        await bench.saving.settled()
        (trouble,) = bench.reports.troubles
        assert not bench.settled
        assert trouble.act is not None
        trouble.act()
        await bench.choose(tmp_path / "q.yaml")
        await bench.saving.settled()
        assert bench.settled == [trouble.what]

    on_qt(main)
    assert not bench.documents.documents[0].is_dirty


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions of folders are a matter of POSIX")
def test_a_write_that_breaks_off_leaves_the_file_as_it_was(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = written(small(), tmp_path / "p.yaml")
    before = path.read_bytes()
    key = bench.opened(path).key
    bench.documents.change(key, small("x"))

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)

    async def main() -> None:
        bench.saving.save(key)
        await bench.saving.settled()

    on_qt(main)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir() if each.suffix == ".part"] == []
    assert "No space left on device" in bench.reports.troubles[0].reason
    assert bench.documents.documents[0].is_dirty


@pytest.mark.parametrize(("answer", "kept"), [(OVERWRITE, "mine"), (RELOAD, "theirs"), ("", "theirs")])
def test_what_somebody_else_has_written_is_not_overwritten_unasked(
    bench: Bench, tmp_path: Path, answer: str, kept: str
):
    path = written(small(), tmp_path / "p.yaml")
    key = bench.opened(path).key
    bench.documents.change(key, small("mine"))
    written(small("theirs"), path)
    reloaded: list[Path] = []
    bench.saving.reload_asked.connect(reloaded.append)

    async def main() -> None:
        bench.saving.save(key)
        question = await shown(bench.window, ChoiceDialog)
        assert "has changed on disk" in question.choices.sentence.text()
        question.choices.buttons[answer].click()
        await bench.saving.settled()

    on_qt(main)
    assert [one.id for one in load_plan(path).tasks] == [kept]
    assert bench.documents.documents[0].is_dirty is (answer != OVERWRITE)
    assert reloaded == ([path] if answer == RELOAD else [])


@pytest.mark.parametrize(("answer", "kept"), [(OVERWRITE, "mine"), ("", "theirs")])
def test_another_file_is_not_replaced_unasked(bench: Bench, tmp_path: Path, answer: str, kept: str):
    path = written(small("theirs"), tmp_path / "p.yaml")
    key = bench.documents.put_plan(small("mine")).key

    async def main() -> None:
        bench.saving.save_as(key)
        await bench.choose(path)
        question = await shown(bench.window, ChoiceDialog)
        assert question.choices.buttons[""].isDefault()
        question.choices.buttons[answer].click()
        await bench.saving.settled()

    on_qt(main)
    assert [one.id for one in load_plan(path).tasks] == [kept]


def test_what_is_open_of_a_file_that_another_plan_replaces_stays_open_and_that_is_said(bench: Bench, tmp_path: Path):
    path = written(small("old"), tmp_path / "p.yaml")
    other = bench.opened(path)
    bench.documents.change(other.key, small("precious"))
    mine = bench.documents.put_plan(small("mine"))

    async def main() -> None:
        bench.saving.save_as(mine.key)
        await bench.choose(path)
        question = await shown(bench.window, ChoiceDialog)
        assert (
            "p.yaml is open in another tab. That stays open, without a file and not saved."
            in question.choices.sentence.text()
        )
        question.choices.buttons[OVERWRITE].click()
        await bench.saving.settled()

    on_qt(main)
    assert load_plan(path).tasks == small("mine").tasks
    left = bench.documents.document(other.key)
    assert left is not None
    assert (left.plan, left.path, left.is_dirty) == (small("precious"), None, True)


def test_an_ending_that_says_no_format_is_refused_in_a_sentence(bench: Bench, tmp_path: Path):
    key = bench.documents.put_plan(small()).key

    async def main() -> None:
        assert not await bench.saving._write(key, tmp_path / "p.exe", None)

    on_qt(main)
    assert "'.exe' says no format" in bench.reports.troubles[0].reason
    assert not list(tmp_path.glob("*.exe"))


def test_a_closed_document_is_not_saved(bench: Bench):
    key = bench.documents.put_plan(small()).key
    bench.documents.close(key)
    answers: list[Any] = []

    async def main() -> None:
        answers.append(await bench.saving.saved(key))

    on_qt(main)
    assert answers == [False]


def test_a_file_that_was_opened_in_a_format_is_saved_in_that_format_whatever_its_name(bench: Bench, tmp_path: Path):
    path = tmp_path / "plan.txt"
    path.write_text('{"starloom": 1, "name": "plan", "tasks": [{"id": "a", "simulate": 1}]}')
    document = bench.opened(path)
    bench.documents.change(document.key, replace(document.plan, description="new"))

    async def main() -> None:
        bench.saving.save(document.key)
        await bench.saving.settled()

    on_qt(main)
    assert not bench.reports.troubles
    assert path.read_text().startswith("{")
    assert load_plan(path).description == "new"


KEYED = """
starloom: 1
name: p
devices: {here: {kind: local}}
tasks:
  x: {shell: echo x}
  y: {shell: echo y, needs: [x]}
"""


def test_what_was_written_as_a_mapping_is_saved_as_one(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async def named(_dialog: object) -> Path:
        return other

    path, other = tmp_path / "p.yaml", tmp_path / "q.json"
    path.write_text(KEYED, encoding="utf-8")
    key = bench.opened(path).key
    (document,) = bench.documents.documents
    wanted = replace(document.plan, description="new")
    bench.documents.change(key, wanted)

    async def main() -> None:
        bench.saving.save(key)
        await bench.saving.settled()
        monkeypatch.setattr("starloom_gui.shell.saving.chosen", named)
        bench.saving.save_as(key)
        await bench.saving.settled()

    on_qt(main)
    for file in (path, other):
        assert load_plan_file(file)[0] == wanted
        assert load_plan_file(file)[2] == {"tasks", "devices"}
    assert "\n  x:\n    shell: echo x\n" in path.read_text(encoding="utf-8")
