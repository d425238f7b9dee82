"""The bell and its list: what is unread, what a click chooses, and what one wants to hear of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from tests.driver import Driver, plan
from tests.gui.shell.notification_service import Heard

from starloom_gui.settings import Settings
from starloom_gui.shell.notice import NoticeKind
from starloom_gui.shell.notice_list import Bell, NoticePopup
from starloom_gui.theme.appearance import Appearance, Theme

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication, QWidget


@pytest.fixture
def appearance(app: QApplication) -> Iterator[Appearance]:
    made = Appearance(app, Theme.LIGHT, reduced_motion=True)
    yield made
    for widget in app.topLevelWidgets():
        widget.hide()
        widget.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "console.ini")


def failing() -> Heard:
    """Two notices: a failure, and the end of the run after it."""
    driver = Driver()
    heard = Heard(driver)
    driver.create(plan(["a", "b"]))
    driver.end("b")
    driver.fail("a")
    heard.hear()
    return heard


def opened(heard: Heard, settings: Settings, appearance: Appearance) -> NoticePopup:
    popup = NoticePopup(heard.notices, settings, appearance)
    popup.popup(QPoint(600, 600))
    return popup


def drawn(widget: QWidget) -> QImage:
    image = QImage(widget.size(), QImage.Format.Format_RGB32)
    image.fill(0xFF00FF)
    widget.render(image)
    return image


def test_the_bell_counts_what_is_unread_until_the_list_is_opened(appearance: Appearance, settings: Settings):
    heard = failing()
    bell = Bell(heard.notices, appearance)
    assert (bell.text(), bell.accessibleName()[:2]) == ("2", "2 ")
    wide = bell.sizeHint().width()
    opened(heard, settings, appearance)
    assert (bell.text(), bell.accessibleName()) == ("", "Notifications")
    assert bell.sizeHint().width() < wide


def test_the_newest_stands_on_top_and_enter_chooses_it(appearance: Appearance, settings: Settings):
    heard = failing()
    popup = opened(heard, settings, appearance)
    chosen: list[NoticeKind] = []
    popup.chosen.connect(lambda notice: chosen.append(notice.kind))
    QTest.keyClick(popup.rows, Qt.Key.Key_Return)
    assert chosen == [NoticeKind.ENDED]
    assert not popup.isVisible()


def test_a_click_on_a_row_chooses_it(appearance: Appearance, settings: Settings):
    heard = failing()
    popup = opened(heard, settings, appearance)
    chosen: list[str] = []
    popup.chosen.connect(lambda notice: chosen.append(notice.task_id))
    row = popup.rows.visualRect(popup.rows.model().index(1, 0)).center()
    QTest.mouseClick(popup.rows.viewport(), Qt.MouseButton.LeftButton, pos=row)
    assert chosen == ["a"]


def test_a_list_that_is_cleared_says_what_it_is_for(appearance: Appearance, settings: Settings):
    heard = failing()
    popup = opened(heard, settings, appearance)
    bottom = popup.geometry().bottom()
    popup.clear.click()
    assert len(heard.notices) == 0
    assert popup._empty.isVisible()
    assert not popup.clear.isEnabled()
    assert popup.geometry().bottom() == bottom


def test_a_kind_that_is_switched_off_stays_off(appearance: Appearance, settings: Settings):
    heard = failing()
    popup = opened(heard, settings, appearance)
    popup.kinds[NoticeKind.ENDED].trigger()
    assert heard.notices.hidden == {NoticeKind.ENDED}
    assert settings.hidden_notices == ("ended",)
    again = opened(heard, settings, appearance)
    assert not again.kinds[NoticeKind.ENDED].isChecked()


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
def test_a_list_that_is_made_anew_paints_the_same_picture(appearance: Appearance, settings: Settings, theme: Theme):
    appearance.choose(theme)
    heard = failing()
    first = drawn(opened(heard, settings, appearance))
    assert first == drawn(opened(heard, settings, appearance))
    heard.notices.clear()
    assert first != drawn(opened(heard, settings, appearance))


def test_every_row_says_everything_to_a_screen_reader(appearance: Appearance, settings: Settings):
    popup = opened(failing(), settings, appearance)
    said = popup.rows.model().index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said.splitlines()[0] == "a failed"
    assert said.splitlines()[1].startswith("Run r: ")
