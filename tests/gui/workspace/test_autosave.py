"""What is not saved outlives a crash, is offered at the next start, and only then; nobody offers what is another's."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import task
from tests.gui.documents.plans import Reports, loaded, on_qt, small, written
from tests.waiting import until

from starloom.constellation.edits import AddTask
from starloom.formats import load_plan
from starloom_gui.documents.document import Document, Stamp, stamp_of
from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.documents.unsaved import UnsavedPlans
from starloom_gui.editing.base import Step
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.workspace.autosave import Autosave

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from PySide6.QtWidgets import QApplication

    from starloom_gui.documents.unsaved import RecoveredPlans

NOW = 1_800_000_000.0


class Bench:
    """Open documents whose unsaved plans are kept, at once if nothing else is said."""

    def __init__(self, folder: Path, pause: float) -> None:
        self.folder = folder
        self.documents, self.reports = OpenDocuments(), Reports()
        self.autosave = Autosave(self.documents, UnsavedPlans(folder), self.reports, pause=pause, wall=lambda: NOW)

    @property
    def files(self) -> list[Path]:
        return sorted(self.folder.glob("*.json"))

    async def kept(self, count: int) -> None:
        """Return once so many plans are kept, as they are now."""
        await until(lambda: len(self.files) == count)
        await self.autosave.settled()


def with_bench(folder: Path, main: Callable[[Bench], Coroutine[Any, Any, None]], pause: float = 0.0) -> Bench:
    """Run something as in a console that keeps its plans there, and that is closed in the end."""
    benches: list[Bench] = []

    async def within() -> None:
        bench = Bench(folder, pause)
        benches.append(bench)
        try:
            await main(bench)
        finally:
            await bench.autosave.close()

    on_qt(within)
    return benches[0]


def left_in(folder: Path) -> RecoveredPlans:
    """What the next console finds."""
    store = UnsavedPlans(folder)
    try:
        return store.found()
    finally:
        store.close()


@pytest.fixture
def folder(app: QApplication, tmp_path: Path) -> Path:
    return tmp_path / "state" / "unsaved"


@contextmanager
def console(folder: Path, file: Path, *names: str) -> Iterator[subprocess.Popen[str]]:
    """Another console, which has kept an edited file and these plans; killed in the end if it is still there."""
    command = [sys.executable, "-m", "tests.gui.workspace.crashing_console", str(folder), str(file), *names]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3])
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "kept\n"
        yield process
    finally:
        process.kill()
        process.communicate()


# ---- a crash


def test_what_a_killed_console_had_not_saved_is_found_by_the_next_one(folder: Path, tmp_path: Path):
    file = written(small(), tmp_path / "firmware.yaml")
    with console(folder, file, "one", "two") as process:
        process.kill()
        process.wait()
    found = left_in(folder)
    assert {one.title: (one.path, one.plan.description) for one in found.plans} == {
        "firmware": (file, "edited"),
        "one": (None, ""),
        "two": (None, ""),
    }
    (edited,) = (one for one in found.plans if one.path is not None)
    assert edited.plan == replace(load_plan(file), name="firmware", description="edited")
    assert edited.stamp == stamp_of(file)
    assert not found.troubles


def test_two_consoles_at_once_do_not_offer_each_others_plans(folder: Path, tmp_path: Path):
    file = written(small(), tmp_path / "firmware.yaml")

    async def main(bench: Bench) -> None:
        bench.documents.put_plan(small("mine"))
        await bench.kept(1)
        with console(folder, file, "theirs"):
            assert not (await bench.autosave.found()).plans, "the other one lives"
            assert not left_in(folder).plans, "nor does a third one get anything"
        assert len((await bench.autosave.found()).plans) == 2, "it was killed"
        assert not left_in(folder).plans, "whoever looked first has them"

    with_bench(folder, main)
    assert {one.title for one in left_in(folder).plans} == {"plan", "firmware", "theirs"}


# ---- restoring


def crashed(folder: Path, *documents: Document) -> None:
    """Leave these as a console does that ends without having saved them."""
    store = UnsavedPlans(folder)
    for number, document in enumerate(documents):
        store.keep(document, NOW - number)
    store.close()


def unsaved(name: str, path: Path | None = None, **fields: Any) -> Document:
    return Document(key=f"plan {name}", title=name, plan=small(name), path=path, is_dirty=True, **fields)


def test_restored_plans_are_open_dirty_and_kept_on_until_they_are_saved(folder: Path, tmp_path: Path):
    file = tmp_path / "firmware.yaml"
    keyed = frozenset({"tasks"})
    crashed(
        folder, unsaved("firmware", file, stamp=Stamp(1, 2), format="json", keyed=keyed, is_seen=True), unsaved("other")
    )

    async def main(bench: Bench) -> None:
        found = await bench.autosave.found()
        assert [one.title for one in found.plans] == ["firmware", "other"], "the newest one is first"
        bench.autosave.restore(found.plans)
        first, second = bench.documents.documents
        assert (first.title, first.path, first.format, first.stamp) == ("firmware", file, "json", Stamp(1, 2))
        assert (first.keyed, second.keyed) == (keyed, frozenset())
        assert (first.is_seen, second.is_seen) == (True, False), "what was drawn here is not asked about"
        assert (second.path, second.plan, second.is_dirty) == (None, small("other"), True)
        await bench.autosave.settled()
        assert len(bench.files) == 2, "they would outlive another crash"
        assert not (await bench.autosave.found()).plans, "they are offered once"
        bench.documents.note_saved(first.key, first.plan, file, "json", None)
        bench.documents.close(second.key)
        await bench.kept(0)

    with_bench(folder, main)
    assert not list(folder.iterdir()), "nothing is left of anybody"


def test_restoring_into_an_open_file_is_a_step_of_undo(folder: Path, tmp_path: Path):
    file = tmp_path / "firmware.yaml"
    crashed(folder, unsaved("firmware", file, stamp=Stamp(1, 2)))

    async def main(bench: Bench) -> None:
        opened = bench.documents.put_loaded(loaded(small(), file))
        editor = PlanEditor(bench.documents, opened.key)
        bench.autosave.restore((await bench.autosave.found()).plans)
        (document,) = bench.documents.documents
        assert (document.plan, document.is_dirty) == (small("firmware"), True)
        assert document.stamp == Stamp(1, 2), "so that saving asks if the file has changed since"
        assert editor.undo_offer().label == "Restore"
        editor.undo()
        assert bench.documents.documents[0].plan == small()

    with_bench(folder, main)


def test_restoring_does_not_touch_what_was_edited_meanwhile(folder: Path, tmp_path: Path):
    file = tmp_path / "firmware.yaml"
    crashed(folder, unsaved("firmware", file))

    async def main(bench: Bench) -> None:
        opened = bench.documents.put_loaded(loaded(small(), file))
        bench.documents.change(opened.key, small("mine"))
        bench.autosave.restore((await bench.autosave.found()).plans)
        mine, restored = bench.documents.documents
        assert (mine.plan, mine.path) == (small("mine"), file)
        assert (restored.plan, restored.path) == (small("firmware"), None)

    with_bench(folder, main)


def test_discarded_plans_are_gone(folder: Path):
    crashed(folder, unsaved("one"), unsaved("two"))

    async def main(bench: Bench) -> None:
        bench.autosave.discard((await bench.autosave.found()).plans)
        await bench.kept(0)

    with_bench(folder, main)
    assert not list(folder.iterdir())


def test_what_was_neither_restored_nor_discarded_is_found_again(folder: Path):
    crashed(folder, unsaved("one"))

    async def main(bench: Bench) -> None:
        assert len((await bench.autosave.found()).plans) == 1

    with_bench(folder, main)
    assert len(list(folder.glob("*.lock"))) == 1, "the lock stays as long as there is something to be locked"
    assert [one.title for one in left_in(folder).plans] == ["one"]


def test_who_has_closed_finds_nothing_and_takes_nothing_from_others(folder: Path):
    crashed(folder, unsaved("one"))
    store = UnsavedPlans(folder)
    store.close()
    store.close()
    assert not store.found().plans
    assert len(left_in(folder).plans) == 1


GARBAGE = {
    "no JSON": b"\xff\xfe{",
    "another kind of file": b'{"tasks": []}',
    "a later version": b'{"starloom_unsaved": 99, "plan": {}}',
    "no plan": b'{"starloom_unsaved": 1, "title": "x"}',
    "a broken plan": b'{"starloom_unsaved": 1, "plan": {"starloom": 1, "tasks": [{"id": "a", "needs": ["b"]}]}}',
    "too deep": b'{"starloom_unsaved": 1, "plan": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "nothing": b"",
}


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE)
def test_what_cannot_be_read_is_said_in_a_sentence_and_stays(folder: Path, garbage: bytes):
    crashed(folder, unsaved("good"))
    bad = folder / "0123456789ab.plan-1.json"
    bad.write_bytes(garbage)
    found = left_in(folder)
    assert [one.title for one in found.plans] == ["good"]
    (sentence,) = found.troubles
    assert sentence.startswith(f"{bad} keeps a plan that was not saved, and cannot be read: ")
    assert sentence.endswith(". It stays where it is.")
    assert bad.read_bytes() == garbage


def test_what_else_such_a_file_says_is_believed_only_if_it_makes_sense(folder: Path):
    crashed(folder, unsaved("good"))
    (file,) = folder.glob("*.json")
    said = json.loads(file.read_text())
    said |= {"path": "not absolute", "stamp": [1], "format": "exe", "title": 7, "at": "yesterday"}
    file.write_text(json.dumps(said))
    (found,) = left_in(folder).plans
    assert (found.path, found.stamp, found.format, found.title, found.at) == (None, None, "yaml", "plan", 0.0)


# ---- keeping


def test_only_what_is_dirty_is_kept_and_what_is_saved_or_closed_no_more(folder: Path, tmp_path: Path):
    file = tmp_path / "firmware.yaml"

    async def main(bench: Bench) -> None:
        documents = bench.documents
        opened, new = documents.put_loaded(loaded(small(), file)), documents.put_new()
        documents.change(opened.key, small("edited"))
        await bench.kept(1)
        PlanEditor(documents, new.key, parent=documents).do(Step(label="Add", edits=(AddTask(task("a")),)))
        await bench.kept(2)
        documents.note_saved(opened.key, documents.documents[0].plan, file, "yaml", None)
        await bench.kept(1)
        documents.close(new.key)
        await bench.kept(0)
        assert not bench.reports.troubles

    with_bench(folder, main)
    assert not list(folder.iterdir())


def test_the_latest_state_is_kept(folder: Path):
    async def main(bench: Bench) -> None:
        key = bench.documents.put_plan(small("first")).key
        await bench.kept(1)
        bench.documents.change(key, small("second"))
        await until(lambda: "second" in bench.files[0].read_text())
        await bench.autosave.settled()

    with_bench(folder, main)
    assert [one.plan for one in left_in(folder).plans] == [small("second")]


def test_a_console_that_is_closed_before_the_pause_is_over_keeps_what_nobody_gave_up(folder: Path):
    async def main(bench: Bench) -> None:
        bench.documents.put_plan(small("edited"))
        await asyncio.sleep(0)
        assert not bench.files

    with_bench(folder, main, pause=3600.0)
    assert [one.plan for one in left_in(folder).plans] == [small("edited")]


def test_what_the_user_gave_up_is_not_kept_but_what_comes_after_is(folder: Path):
    async def main(bench: Bench) -> None:
        given_up, edited_on = (bench.documents.put_plan(small(name)) for name in ("lost", "before"))
        await bench.kept(2)
        bench.autosave.give_up()
        await bench.kept(0)
        bench.documents.change(edited_on.key, small("after"))
        bench.documents.turn_to(given_up.key)

    with_bench(folder, main)
    assert [one.plan for one in left_in(folder).plans] == [small("after")]


def test_what_cannot_be_kept_is_said_and_tried_again_after_the_next_change(folder: Path):
    async def main(bench: Bench) -> None:
        shutil.rmtree(folder)
        key = bench.documents.put_plan(small("edited")).key
        await until(lambda: bench.reports.troubles)
        assert bench.reports.troubles[0].what == "“plan” is not kept safe from a crash"
        folder.mkdir()
        bench.documents.change(key, small("again"))
        await bench.kept(1)
        assert len(bench.reports.troubles) == 1

    with_bench(folder, main)


def test_only_the_user_can_read_what_is_kept(folder: Path):
    async def main(bench: Bench) -> None:
        bench.documents.put_plan(small("secret"))
        await bench.kept(1)
        if os.name == "posix":
            assert bench.files[0].stat().st_mode & 0o077 == 0
            assert folder.stat().st_mode & 0o077 == 0

    with_bench(folder, main)


def test_a_folder_that_cannot_be_made_is_an_error_at_once(app: QApplication, tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        UnsavedPlans(tmp_path / "file" / "unsaved")


def test_closing_waits_for_what_is_being_written(folder: Path):
    async def main(bench: Bench) -> None:
        bench.documents.put_plan(small("edited"))
        await asyncio.sleep(0)

    bench = with_bench(folder, main)
    assert len(bench.files) == 1
    assert not list(folder.glob("*.part"))


def test_what_is_ordered_just_as_the_last_job_ends_is_done_too(folder: Path):
    done: list[str] = []

    async def main(bench: Bench) -> None:
        autosave = bench.autosave
        autosave._order("", lambda: done.append("first"))
        task = autosave._task
        assert task is not None
        while not task.done():  # noqa: ASYNC110 - not the end is awaited, but the moment before it is known
            await asyncio.sleep(0)
        assert autosave._task is task, "nobody has been told yet that it has ended: that is the moment"
        autosave._order("", lambda: done.append("second"))
        await autosave.settled()
        assert done == ["first", "second"]

    with_bench(folder, main)
