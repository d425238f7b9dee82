"""Opening files: off the loop, one document a file, with nothing changed where something is wrong, and never a run."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel
from tests.gui.documents.plans import BROKEN, Reports, on_qt, shown, small, written
from tests.waiting import until

from starloom.formats import READABLE, save_plan
from starloom_gui.dialogs.problems import COPY, RETRY, ProblemsDialog
from starloom_gui.documents.files import read
from starloom_gui.shell.opening import RELOAD, FileDrops, Opening
from starloom_gui.widgets.loading import LoadingStrip
from starloom_gui.widgets.question import ChoiceDialog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from starloom_gui.documents.document import Loaded
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.settings import Settings
    from starloom_gui.theme.appearance import Appearance


class Bench:
    """Everything that opening a file needs, and what came of it."""

    def __init__(
        self,
        documents: OpenDocuments,
        settings: Settings,
        appearance: Appearance,
        parent: QWidget,
        reads: Callable[[Path], Loaded] = read,
    ) -> None:
        self.documents, self.settings, self.window = documents, settings, parent
        self.reports, self.settled = Reports(), list[str]()
        self.loading = LoadingStrip(parent, appearance)
        self.opening = Opening(
            documents, settings, self.loading, self.reports, appearance, parent, reads, settled=self.settled.append
        )
        self.opened: list[Any] = []
        self.opening.opened.connect(self.opened.append)


@pytest.fixture
def bench(documents: OpenDocuments, settings: Settings, appearance: Appearance, parent: QWidget) -> Bench:
    return Bench(documents, settings, appearance, parent)


@pytest.mark.parametrize("kind", READABLE)
def test_every_format_that_can_be_read_opens(bench: Bench, tmp_path: Path, kind: str):
    path = tmp_path / "plan.any"
    save_plan(small(), path, kind)

    async def main() -> None:
        bench.opening.open(path)
        await bench.opening.settled()

    on_qt(main)
    (document,) = bench.documents.documents
    assert bench.opened == [document]
    assert bench.documents.front is document
    assert document.format == kind
    assert len(document.plan.tasks) == 2
    assert document.stamp is not None
    assert bool(document.remarks) == (kind not in {"yaml", "json"})
    assert not bench.reports.troubles


def test_an_opened_file_is_remembered_with_what_was_known_of_its_last_run(bench: Bench, tmp_path: Path):
    path = written(small(), tmp_path / "p.yaml")

    async def main() -> None:
        bench.opening.open(str(path))
        await bench.opening.settled()

    on_qt(main)
    (recent,) = bench.settings.recent
    assert (recent.path, recent.tasks) == (str(path), 2)
    assert recent.at > 0


def test_a_file_is_read_in_a_thread_while_the_loop_goes_on(
    documents: OpenDocuments, settings: Settings, appearance: Appearance, parent: QWidget, tmp_path: Path
):
    path, release, threads = written(small(), tmp_path / "p.yaml"), threading.Event(), []

    def slowly(path: Path) -> Loaded:
        threads.append(threading.current_thread())
        assert release.wait(30)
        return read(path)

    bench = Bench(documents, settings, appearance, parent, slowly)

    async def main() -> None:
        bench.opening.open(path)
        await until(bench.loading.isVisible)
        assert bench.loading.said.startswith("Opening p.yaml · 0.0 MB")
        release.set()
        await bench.opening.settled()

    on_qt(main)
    assert threads != [threading.main_thread()]
    assert len(documents.documents) == 1
    assert not bench.loading.isVisible()


def test_what_is_quick_shows_no_bar(bench: Bench, tmp_path: Path):
    path = written(small(), tmp_path / "p.yaml")
    bench.loading._wait.setInterval(600_000)  # so that a busy machine is quick as well

    async def main() -> None:
        bench.opening.open(path)
        await until(lambda: bench.opened)
        assert not bench.loading.isVisible()
        await bench.opening.settled()
        assert not bench.loading._wait.isActive()

    on_qt(main)


def test_cancel_opens_nothing_that_is_not_open_yet(
    documents: OpenDocuments, settings: Settings, appearance: Appearance, parent: QWidget, tmp_path: Path
):
    paths = [written(small(), tmp_path / f"{name}.yaml") for name in "abc"]
    release = threading.Event()

    def slowly(path: Path) -> Loaded:
        if path.name != "a.yaml":
            assert release.wait(30)
        return read(path)

    bench = Bench(documents, settings, appearance, parent, slowly)

    async def main() -> None:
        bench.opening.open_all(paths)
        await until(lambda: bench.loading.isVisible() and "file 2 of 3" in bench.loading.said)
        bench.loading.cancel_asked.emit()
        await bench.opening.settled()
        bench.opening.open(paths[0])  # is open; what was cancelled does not come along with it
        await bench.opening.settled()

    on_qt(main)  # returns, although the thread still reads: neither a cancel nor the end of the program waits for it
    release.set()
    assert [document.title for document in documents.documents] == ["a"]
    assert not bench.reports.troubles
    assert not bench.loading.isVisible()


def test_after_a_cancel_files_can_be_opened_again(bench: Bench, tmp_path: Path):
    path = written(small(), tmp_path / "p.yaml")

    async def main() -> None:
        bench.opening.open(path)
        bench.opening.cancel()
        await bench.opening.settled()
        assert not bench.opened
        bench.opening.open(path)
        await bench.opening.settled()

    on_qt(main)
    assert len(bench.opened) == 1


def test_the_same_file_under_another_name_goes_to_its_tab(bench: Bench, tmp_path: Path):
    path = written(small(), tmp_path / "p.yaml")
    link = tmp_path / "link.yaml"
    link.symlink_to(path)

    async def main() -> None:
        bench.opening.open(path)
        await bench.opening.settled()
        bench.documents.put_plan(small("other"))
        bench.opening.open(link)
        await bench.opening.settled()

    on_qt(main)
    assert len(bench.opened) == 1
    assert bench.documents.front == bench.opened[0]
    assert len(bench.documents.documents) == 2


@pytest.mark.parametrize("answer", [RELOAD, ""])
def test_a_file_that_has_changed_on_disk_is_read_again_only_if_the_user_wants_it(
    bench: Bench, tmp_path: Path, answer: str
):
    path = written(small(), tmp_path / "p.yaml")

    async def main() -> None:
        bench.opening.open(path)
        await bench.opening.settled()
        written(small("x", "y", "z"), path)
        bench.opening.open(path)
        question = await shown(bench.window, ChoiceDialog)
        assert "has changed on disk" in question.choices.sentence.text()
        question.choices.buttons[answer].click()
        await bench.opening.settled()
        bench.opening.open(path)
        await bench.opening.settled()  # nobody is asked twice about one state of a file

    on_qt(main)
    (document,) = bench.documents.documents
    assert len(document.plan.tasks) == (3 if answer else 2)
    assert document.is_dirty is not bool(answer)


def test_changes_that_a_reload_would_lose_are_named_and_reloading_is_not_the_default(bench: Bench, tmp_path: Path):
    path = written(small(), tmp_path / "p.yaml")

    async def main() -> None:
        bench.opening.open(path)
        await bench.opening.settled()
        bench.documents.change(bench.opened[0].key, small("mine"))
        written(small("x"), path)
        bench.opening.open(path)
        question = await shown(bench.window, ChoiceDialog)
        assert "not saved would be lost" in question.choices.sentence.text()
        assert not question.choices.buttons[RELOAD].isDefault()
        question.reject()
        await bench.opening.settled()

    on_qt(main)
    assert bench.documents.documents[0].plan == small("mine")


def test_a_bad_file_is_a_list_with_lines_that_is_copied_as_text_and_nothing_changes(bench: Bench, tmp_path: Path):
    path = tmp_path / "broken.yaml"
    path.write_text(BROKEN)

    async def main() -> None:
        bench.opening.open(path)
        dialog = await shown(bench.window, ProblemsDialog)
        assert [line.mark for line in dialog.rows.lines] == ["6", "8"]
        dialog.choices.buttons[COPY].click()
        assert dialog.isVisible()
        copied = QGuiApplication.clipboard().text()
        assert "6 tasks.a.timout: unknown field 'timout'" in copied
        assert "Did you mean 'timeout'?" in copied
        path.write_text(BROKEN.replace("timout", "timeout").replace("[c]", "[a]"))
        dialog.choices.buttons[RETRY].click()
        await bench.opening.settled()

    on_qt(main)
    assert [document.title for document in bench.documents.documents] == ["broken"]


def test_over_a_run_no_dialog_comes_but_a_strip_that_can_show_the_list(bench: Bench, tmp_path: Path):
    path = tmp_path / "broken.yaml"
    path.write_text(BROKEN)
    run = bench.documents.put_run("r")
    settled = bench.settled

    async def main() -> None:
        bench.opening.open(path)
        await bench.opening.settled()
        assert not bench.window.findChildren(ProblemsDialog)
        (trouble,) = bench.reports.troubles
        assert trouble.what == "broken.yaml was not opened"
        assert "line 6" in trouble.reason
        assert not settled
        assert trouble.act is not None
        trouble.act()
        dialog = await shown(bench.window, ProblemsDialog)
        assert len(dialog.rows.lines) == 2
        dialog.reject()
        assert settled == ["broken.yaml was not opened"]

    on_qt(main)
    assert list(bench.documents) == [run]
    assert bench.documents.front is run


def test_a_file_that_is_not_there_is_said_in_a_sentence(bench: Bench, tmp_path: Path):
    async def main() -> None:
        bench.opening.open(tmp_path / "no.yaml")
        dialog = await shown(bench.window, ProblemsDialog)
        assert dialog.rows.lines[0].title == "the file or its folder does not exist."
        dialog.reject()
        await bench.opening.settled()

    on_qt(main)


def test_one_bad_file_does_not_keep_the_others_from_opening(bench: Bench, tmp_path: Path):
    bad = tmp_path / "broken.yaml"
    bad.write_text(BROKEN)
    good = written(small(), tmp_path / "good.yaml")

    async def main() -> None:
        bench.opening.open_all([bad, good])
        await bench.opening.settled()
        (await shown(bench.window, ProblemsDialog)).reject()

    on_qt(main)
    assert [document.title for document in bench.documents.documents] == ["good"]


@pytest.mark.expects_log
def test_a_defect_in_reading_is_reported_and_ends_nothing(
    documents: OpenDocuments, settings: Settings, appearance: Appearance, parent: QWidget, tmp_path: Path
):
    def break_down(_path: Path) -> Loaded:
        raise ZeroDivisionError("by chance")

    bench = Bench(documents, settings, appearance, parent, break_down)

    async def main() -> None:
        bench.opening.open_all([written(small(), tmp_path / name) for name in ("a.yaml", "b.yaml")])
        await bench.opening.settled()

    on_qt(main)
    assert [trouble.what for trouble in bench.reports.troubles] == ["a.yaml was not opened", "b.yaml was not opened"]
    assert "by chance" in bench.reports.troubles[0].reason


def test_the_menu_asks_for_files_without_a_loop_of_its_own(bench: Bench, tmp_path: Path):
    path = written(small(), tmp_path / "p.yaml")

    async def main() -> None:
        bench.opening.ask()
        dialog = await shown(bench.window, QFileDialog)
        assert "*.wf.json" in dialog.nameFilters()[0]
        dialog.filesSelected.emit([str(path)])
        dialog.reject()
        await bench.opening.settled()

    on_qt(main)
    assert len(bench.documents.documents) == 1


def test_files_are_dropped_anywhere_on_the_window(parent: QWidget):
    dropped: list[list[str]] = []
    drops = FileDrops(parent)
    drops.dropped.connect(dropped.append)
    label = QLabel("inside", parent)
    assert not label.acceptDrops(), "so that Qt hands it to the window"
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/plans/a.yaml"), QUrl("https://example.org/b.yaml")])
    given = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    entering = QDragEnterEvent(QPoint(5, 5), *given)
    QApplication.sendEvent(parent, entering)
    assert entering.isAccepted()
    QApplication.sendEvent(parent, QDropEvent(QPointF(5, 5), *given))
    assert dropped == [["/plans/a.yaml"]]


def test_what_is_no_file_is_not_taken(parent: QWidget):
    drops = FileDrops(parent)
    data = QMimeData()
    data.setText("a text")
    entering = QDragEnterEvent(
        QPoint(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    entering.ignore()
    QApplication.sendEvent(parent, entering)
    assert not entering.isAccepted()
    assert drops.parent() is parent


def test_whoever_gives_up_waiting_takes_the_question_back(bench: Bench, tmp_path: Path):
    path = written(small(), tmp_path / "p.yaml")

    async def main() -> None:
        bench.opening.open(path)
        await bench.opening.settled()
        written(small("x"), path)
        bench.opening.open(path)
        question = await shown(bench.window, ChoiceDialog)
        closed = asyncio.Event()
        question.choices.answered.connect(lambda _: closed.set())
        bench.opening.cancel()
        await bench.opening.settled()
        await closed.wait()

    on_qt(main)
