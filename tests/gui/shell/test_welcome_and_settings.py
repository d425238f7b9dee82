"""The first page, and what is remembered from one time to the next."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from starloom.model.status import RunState
from starloom_gui.settings import MOST_RECENT, RecentFile, Settings
from starloom_gui.shell.program_window import ProgramWindow
from starloom_gui.shell.recent_row import RecentRow, ended_words, when_words
from starloom_gui.shell.welcome import WelcomePage
from starloom_gui.theme.appearance import Appearance, Theme
from starloom_gui.workspace.running import Going

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.widgets.actions import Actions

NOON = datetime(2026, 11, 20, 12).astimezone().timestamp()
DAY = 86_400


def test_the_demo_is_one_key_away(window: MainWindow, actions: Actions):
    wanted: list[str] = []
    actions.wanted.connect(wanted.append)
    window.show_welcome()
    assert window.focusWidget() is window.welcome.demo
    assert window.welcome.demo.is_default
    window.welcome.demo.click()
    window.welcome.open.click()
    assert wanted == ["demo", "open"]
    assert window.welcome.open.words() == "Open…"


def test_recent_files_are_shown_opened_and_forgotten(window: MainWindow, store: Path):
    settings = Settings(store)
    settings.remember(RecentFile(path="/plans/old.json", at=NOON))
    settings.remember(RecentFile(path="/plans/new.starloom", tasks=40, state="completed", at=NOON))
    settings.sync()
    window._settings.sync()
    window.show_recent()
    assert [row.file.path for row in window.welcome.rows] == ["/plans/new.starloom", "/plans/old.json"]
    assert "new.starloom" in window.welcome.rows[0].accessibleName()
    asked: list[str] = []
    window.file_asked.connect(asked.append)
    window.welcome.rows[1].click()
    window.menus.recent.actions()[0].trigger()
    assert asked == ["/plans/old.json", "/plans/new.starloom"]
    window.welcome.clear.click()
    assert window.welcome.rows == ()
    assert not window.menus.recent.isEnabled()
    assert window._settings.recent == ()


def test_a_dropped_file_is_asked_for(actions: Actions, appearance: Appearance):
    page = WelcomePage(actions, appearance, lambda: NOON)
    asked: list[str] = []
    page.file_asked.connect(asked.append)
    local, web = QMimeData(), QMimeData()
    local.setUrls([QUrl.fromLocalFile("/plans/a.json")])
    web.setUrls([QUrl("https://example.org/a.json")])
    taken: list[bool] = []
    for data in (local, web):
        event = QDragEnterEvent(
            QPoint(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        )
        event.setAccepted(False)
        QApplication.sendEvent(page, event)
        taken.append(event.isAccepted())
    assert taken == [True, False]
    QApplication.sendEvent(
        page,
        QDropEvent(
            QPointF(9, 9), Qt.DropAction.CopyAction, local, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        ),
    )
    assert asked == ["/plans/a.json"]


@pytest.mark.parametrize(
    ("ago", "words"),
    [(3600, "Today 11:00"), (DAY, "Yesterday"), (2 * DAY, "18 Nov"), (365 * DAY, "20 Nov 2025")],
)
def test_when_is_said_in_a_word_or_two(ago: int, words: str):
    assert when_words(NOON - ago, NOON) == words


def test_beside_an_outcome_stands_when_it_came_about_and_not_when_the_file_was_opened(app, appearance: Appearance):
    opened = RecentFile(path="p", at=NOON)
    assert RecentRow(appearance, opened, NOON).when == NOON
    assert RecentRow(appearance, replace(opened, state="completed", ran_at=NOON - 60), NOON).when == NOON - 60


def test_a_run_left_executing_is_interrupted_only_once_it_is_known_that_nobody_runs_it(app, appearance: Appearance):
    row = RecentRow(appearance, RecentFile(path="p", state="executing"), NOON)
    assert row.accessibleName().endswith("Reading…")
    row.show_going(Going(RunState.EXECUTING, 1, 2), is_known=True)
    assert row.accessibleName().endswith("Running, 1 of 2")
    row.show_going(None, is_known=True)
    assert row.accessibleName().endswith("Interrupted")
    done = RecentRow(appearance, RecentFile(path="p", state="cancelled"), NOON)
    assert done.accessibleName().endswith("Cancelled"), "how it ended was remembered"


def test_how_a_files_last_run_ended():
    assert ended_words(RecentFile(path="p")) == "Never run"
    assert ended_words(RecentFile(path="p", state="partially_failed", failed=3)) == "3 failed"
    assert ended_words(RecentFile(path="p", state="cancelled")) == "Cancelled"


def test_the_theme_is_taken_up_at_once_and_remembered(window: MainWindow, store: Path, appearance: Appearance):
    window.menus.themes[Theme.DARK].trigger()
    assert appearance.palette.dark
    assert window.menus.themes[Theme.DARK].isChecked()
    window._settings.sync()
    assert Settings(store).theme is Theme.DARK


def test_reduced_motion_is_remembered(window: MainWindow, actions: Actions, store: Path, appearance: Appearance):
    assert actions["reduced_motion"].isChecked()
    seen: list[tuple[bool, bool]] = []
    for _ in range(2):
        actions["reduced_motion"].trigger()
        window._settings.sync()
        seen.append((appearance.reduced_motion, Settings(store).reduced_motion))
    assert seen == [(False, False), (True, True)]


def test_recent_files_are_few_and_each_is_there_once(store: Path):
    settings = Settings(store)
    for number in range(20):
        settings.remember(RecentFile(path=f"{number}"))
    settings.remember(RecentFile(path="15", tasks=7))
    settings.sync()
    found = Settings(store).recent
    assert len(found) == MOST_RECENT
    assert found[0] == RecentFile(path="15", tasks=7)
    assert len({file.path for file in found}) == MOST_RECENT


@pytest.mark.parametrize("text", ["", "nonsense", "{}", '[1, {"path": 3}, {"tasks": 1}]', '[{"path": "a", "at": "x"}]'])
def test_what_cannot_be_read_counts_as_never_set(store: Path, text: str):
    settings = Settings(store)
    settings.store.setValue("files/recent", text)
    settings.store.setValue("look/theme", text)
    settings.store.setValue("look/reduced_motion", text)
    assert settings.recent == ()
    assert settings.theme is Theme.SYSTEM
    assert not settings.reduced_motion
    assert settings.blob("docks").isEmpty()


def test_a_new_plan_is_begun_from_the_welcome_page(window: MainWindow, actions: Actions):
    wanted: list[str] = []
    actions.wanted.connect(wanted.append)
    window.welcome.new.click()
    assert wanted == ["new"]


def test_a_size_is_chosen_kept_and_told(window: MainWindow, store: Path):
    told: list[bool] = []
    window.look.size_chosen.connect(lambda: told.append(True))
    assert window.menus.sizes[100].isChecked()
    window.menus.sizes[125].trigger()
    assert told == [True]
    window._settings.sync()
    assert Settings(store).size == 125
    for damaged in (90000, "large", -1):
        window._settings.store.setValue("look/size", damaged)
        assert window._settings.size == 100


def test_a_size_is_that_of_this_program_and_not_of_what_it_starts():
    code = (
        "import os; from starloom_gui.first_sight import new_application;"
        "made = new_application('', 125);"
        "print(made.devicePixelRatio(), os.environ.get('QT_SCALE_FACTOR'))"
    )
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    env.pop("QT_SCALE_FACTOR", None)
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["1.25", "None"]
    own = subprocess.run(
        [sys.executable, "-c", code], env=env | {"QT_SCALE_FACTOR": "2"}, capture_output=True, text=True, check=True
    )
    assert own.stdout.split() == ["2.0", "2"], "the user's own is heeded, and left"


def test_what_is_remembered_is_on_disk_once_a_page_of_the_program_is_closed(window: MainWindow, store: Path):
    program = ProgramWindow(window._appearance)
    program.add(window, is_own=True)
    Settings(store).sync()
    window.menus.themes[Theme.LIGHT].trigger()
    window.asks_before_closing = False
    program.close()
    assert "theme=light" in store.read_text(encoding="utf-8")


def test_a_language_is_chosen_kept_and_told(window: MainWindow, store: Path):
    told: list[bool] = []
    window.look.language_chosen.connect(lambda: told.append(True))
    assert window.menus.languages[""].isChecked()
    window.menus.languages["de"].trigger()
    assert told == [True]
    window._settings.sync()
    assert Settings(store).language == "de"
    window.menus.languages["de"].trigger()
    assert told == [True], "nothing has changed"
    window._settings.language = "tlh"
    assert window._settings.language == "", "nobody speaks that"
