"""The ways in which each kind of notice is told: the desktop as ever, and no sound until somebody wants it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QIcon
from tests.driver import Driver, plan
from tests.gui.shell.notification_service import Heard

from starloom_gui.settings import Settings
from starloom_gui.shell.notice import OPTIONAL, NoticeKind
from starloom_gui.shell.notice_channels import NoticeChannels
from starloom_gui.shell.notice_words import detail_of, title_of
from starloom_gui.shell.notifying import Beeper, Desktop, Notifier, Tray

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "console.ini")


def failing() -> tuple[Driver, Heard]:
    driver = Driver()
    heard = Heard(driver)
    driver.create(plan(["a", "b", "c"]))
    return driver, heard


def test_nothing_sounds_until_it_is_wanted_and_a_burst_is_one_sound() -> None:
    driver, heard = failing()
    beeps: list[bool] = []
    beeper = Beeper(heard.notices, lambda: beeps.append(True))
    driver.fail("a")
    heard.hear()
    assert not beeps, "off by default"
    beeper.kinds = frozenset({NoticeKind.ENDED})
    driver.fail("b")
    heard.hear()
    assert not beeps, "a kind that is not wanted"
    driver.end("c")
    heard.hear()
    assert len(beeps) == 1
    beeper.kinds = frozenset(NoticeKind)
    driver.create(plan(["a"]), run_id="s")
    driver.fail("a", run_id="s")
    heard.hear()
    assert len(beeps) == 1, "it has just sounded"
    beeper._rest.stop()
    driver.create(plan(["a"]), run_id="t")
    driver.fail("a", run_id="t")
    heard.hear()
    assert len(beeps) == 2
    beeper._rest.stop()


def test_a_kind_that_the_desktop_is_not_to_show_is_not_told_there() -> None:
    driver, heard = failing()
    notifier = Notifier(heard.notices, lambda: False, Desktop(""), Tray(QIcon))
    notifier.quiet = frozenset({NoticeKind.FAILED})
    driver.fail("a")
    heard.hear()
    assert not notifier._timer.isActive()
    driver.end("b")
    driver.end("c")
    heard.hear()
    assert [notice.kind for notice in notifier._waiting.values()] == [NoticeKind.ENDED]
    notifier._timer.stop()


def test_quiet_tasks_are_told_only_if_that_is_wanted() -> None:
    driver, heard = failing()
    heard.notices.hidden = OPTIONAL
    heard.notices.note_quiet("r", "a", driver.now, 10)
    assert not list(heard.notices)
    heard.notices.hidden = frozenset()
    heard.notices.note_quiet("r", "a", driver.now, 10)
    (told,) = heard.notices
    assert (title_of(told), detail_of(told)) == ("a prints nothing", "Run r: no output for 10 min")
    assert told.task_id == "a"


def test_the_minutes_without_output_are_kept_and_may_be_none(
    qtbot: QtBot, appearance: Appearance, settings: Settings
) -> None:
    assert settings.quiet_minutes == 10
    dialog = NoticeChannels(settings, appearance)
    qtbot.addWidget(dialog)
    changes: list[int] = []
    dialog.changed.connect(lambda: changes.append(settings.quiet_minutes))
    dialog.minutes.wanted.emit(3)
    dialog.minutes.wanted.emit(None)
    assert changes == [3, 0]
    settings.store.setValue("notices/quiet_minutes", "soon")
    assert settings.quiet_minutes == 10, "what cannot be read is as if never set"


def test_ticks_are_the_present_ways_and_count_at_once(
    qtbot: QtBot, appearance: Appearance, settings: Settings, tmp_path: Path
) -> None:
    dialog = NoticeChannels(settings, appearance)
    qtbot.addWidget(dialog)
    changes: list[bool] = []
    dialog.changed.connect(lambda: changes.append(True))
    assert all(tick.isChecked() for tick in dialog.desktop.values())
    assert not any(tick.isChecked() for tick in dialog.sound.values())
    dialog.desktop[NoticeKind.ENDED].click()
    dialog.sound[NoticeKind.WAITING].click()
    assert len(changes) == 2
    kept = Settings(tmp_path / "console.ini")
    assert (kept.quiet_notices, kept.sounding_notices, kept.tells_desktop) == (("ended",), ("waiting",), True)
    for kind, tick in dialog.desktop.items():
        if kind is not NoticeKind.ENDED:
            tick.click()
    assert (settings.tells_desktop, settings.quiet_notices) == (False, ()), "as if switched off in the list's menu"
    dialog.desktop[NoticeKind.LOST].click()
    assert settings.tells_desktop
    assert NoticeKind.LOST.value not in settings.quiet_notices
    assert NoticeKind.FAILED.value in settings.quiet_notices
