"""The examples on the welcome page: which there are, what their pictures show, and how one gets to them."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QRectF, Qt, QTranslator
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QScrollArea
from tests.driver import edge, plan, task

from starloom_gui.settings import RecentFile
from starloom_gui.shell.example_cards import CARD, EXAMPLES, ExampleCards
from starloom_gui.shell.example_plans import picture_of
from starloom_gui.shell.plan_picture import BOX, EdgeMark, PlanPicture, paint_picture
from starloom_gui.shell.welcome import MOST_SHOWN
from starloom_gui.text import translations
from starloom_gui.theme.fonts import Role, font
from starloom_resources.example_plans import example_plan

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.theme.appearance import Appearance


def test_each_example_has_a_card() -> None:
    there = {one.name for one in files("starloom_resources").joinpath("examples").iterdir()}
    assert {example.file for example in EXAMPLES} == there


def test_the_arrow_keys_go_to_the_neighbour_and_enter_opens(window: MainWindow) -> None:
    window.resize(1000, 600)
    window.show_welcome()
    asked: list[str] = []
    window.welcome.examples.asked.connect(asked.append)
    cards = window.welcome.examples.cards
    cards[0].setFocus()
    for key, place in ((Qt.Key.Key_Right, 1), (Qt.Key.Key_Down, 4), (Qt.Key.Key_Left, 3), (Qt.Key.Key_Up, 0)):
        focused = window.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, key)
        assert window.focusWidget() is cards[place]
    QTest.keyClick(cards[0], Qt.Key.Key_Return)
    cards[4].click()
    assert asked == ["hello.yaml", "approval.yaml"]


def test_a_card_shows_no_picture_before_its_plan_is_read(window: MainWindow, appearance: Appearance) -> None:
    window.show_welcome()
    card = window.welcome.examples.cards[0]
    card.show_picture(None)
    drawn = card.grab().toImage()
    ink = {drawn.pixelColor(x, y).name() for x in range(8, CARD[0] - 8, 3) for y in range(8, 60, 3)}
    assert ink == {appearance.palette.canvas.lower()}


def test_the_file_menu_opens_the_same_examples(window: MainWindow) -> None:
    asked: list[str] = []
    window.welcome.examples.asked.connect(asked.append)
    (file,) = (one.menu() for one in window.menuBar().actions() if one.text() == "&File")
    assert isinstance(file, QMenu)
    (examples,) = (one.menu() for one in file.actions() if one.text() == "Examples")
    assert isinstance(examples, QMenu)
    for action in examples.actions():
        action.trigger()
    assert asked == [example.file for example in EXAMPLES]


def test_a_card_that_gets_the_focus_is_in_sight(window: MainWindow) -> None:
    window.resize(1000, 600)
    window.welcome.show_recent([RecentFile(path=f"/plans/{number}.yaml") for number in range(9)])
    assert len(window.welcome.rows) == MOST_SHOWN
    window.show_welcome()
    QApplication.processEvents()  # what was laid out anew has its place only then
    last = window.welcome.examples.cards[-1]
    assert last.visibleRegion().boundingRect().height() < last.height(), "a low window shows less"
    QApplication.sendEvent(last, QFocusEvent(QEvent.Type.FocusIn))  # which Qt sends in an active window only
    QApplication.processEvents()
    assert last.visibleRegion().boundingRect() == last.rect()


def test_who_has_saved_a_plan_is_offered_a_new_one_first(window: MainWindow, store: Path) -> None:
    window.show_welcome()
    assert (window.welcome.demo.is_default, window.welcome.new.is_default) == (True, False)
    window._settings.note_saved()
    window.show_welcome()
    assert (window.welcome.demo.is_default, window.welcome.new.is_default) == (False, True)
    assert window.focusWidget() is window.welcome.new


def test_a_card_says_how_many_tasks_once_its_plan_is_read(app: QApplication, appearance: Appearance) -> None:
    card = ExampleCards(appearance).cards[0]
    assert card.accessibleName() == "First steps, one waits for two"
    card.show_picture(picture_of(example_plan(card.example.file)))
    assert "3 task" in card.accessibleName()


@pytest.mark.parametrize("file", [example.file for example in EXAMPLES])
def test_a_picture_shows_each_task_and_each_edge(file: str) -> None:
    read = example_plan(file)
    picture = picture_of(read)
    assert picture.tasks == len(picture.boxes) == len(read.tasks)
    assert len(picture.edges) == len(read.dependencies)
    width, height = picture.size
    for x, y in picture.boxes:
        assert -1e-9 <= x <= width - BOX[0] + 1e-9
        assert -1e-9 <= y <= height - BOX[1] + 1e-9
    for drawn in picture.edges:
        assert len(drawn.points) % 3 == 1
        assert all(-1e-9 <= x <= width + 1e-9 and -1e-9 <= y <= height + 1e-9 for x, y in drawn.points)


def test_an_edge_has_the_mark_of_its_kind() -> None:
    tasks = [task(name) for name in "abcde"]
    picture = picture_of(plan(tasks, ["a>b", "a>c>always", "a>d>failure", edge("a", "e", "condition", "value > 1")]))
    assert sorted(one.mark for one in picture.edges) == sorted(EdgeMark)


@pytest.mark.parametrize("tasks", [0, 1, 400])
def test_a_picture_stays_within_its_room(app: QApplication, appearance: Appearance, tasks: int) -> None:
    made = picture_of(plan([task(f"t{number}") for number in range(tasks)]))
    assert isinstance(made, PlanPicture)
    image = QImage(120, 90, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    paint_picture(painter, made, QRectF(10, 10, 100, 70), appearance.palette)
    painter.end()
    rim = [image.pixel(x, y) for x in range(120) for y in range(90) if not (8 <= x < 112 and 8 <= y < 82)]
    assert not any(rim)
    assert any(image.pixel(x, y) for x in range(120) for y in range(90)) is bool(tasks)


def test_in_german_what_a_card_says_fits_on_it(app: QApplication, appearance: Appearance) -> None:
    translations.install(app, "de")
    try:
        said = []
        for card in ExampleCards(appearance).cards:
            card.show_picture(picture_of(example_plan(card.example.file)))
            said += [(Role.BODY, card.example.name()), (Role.SMALL, card._line)]
    finally:
        for one in app.findChildren(QTranslator):
            app.removeTranslator(one)
            one.deleteLater()
    assert "3 Aufgaben" in said[1][1]
    assert [words for role, words in said if QFontMetricsF(font(role)).horizontalAdvance(words) > CARD[0] - 24] == []


def test_where_the_page_is_low_its_scroll_bar_is_as_narrow_as_all_of_them(
    window: MainWindow, app: QApplication
) -> None:
    window.resize(1000, 600)
    window.show_welcome()
    app.processEvents()
    bar = window.welcome.findChildren(QScrollArea)[0].verticalScrollBar()
    assert bar.sizeHint().width() == 8
