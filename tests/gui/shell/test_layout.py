"""Docks: the first sight to the pixel, perspectives, and a layout that comes back or falls back."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Final

import pytest
from PySide6.QtCore import QByteArray, QMargins, QPoint, QRect
from PySide6.QtWidgets import QApplication, QLabel, QTabBar, QToolButton, QWidget
from tests.gui.shell.conftest import furnished

from starloom.model.status import RunState
from starloom_gui.settings import Settings
from starloom_gui.shell.layout_state import VERSION, fit_on_screen, fitted
from starloom_gui.shell.main_window import FIRST, LEAST, MainWindow
from starloom_gui.shell.perspectives import ADDED, ORDER, PANES, DockKey, Perspective

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.actions import Actions


SMALL: Final = (1000, 600)


def place(window: MainWindow, widget: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint()), widget.size())


def dock(window: MainWindow, key: DockKey) -> QRect:
    return place(window, window.workbench.docks[key])


def arrange(window: MainWindow, perspective: Perspective) -> None:
    window.show_perspective(perspective)
    QApplication.processEvents()


def resize(window: MainWindow, size: tuple[int, int]) -> None:
    """Have a window of a size: the offscreen screen is small, and Qt brings a window back no larger than its screen."""
    window.resize(*size)
    QApplication.processEvents()


def arrangement(window: MainWindow) -> dict[str, tuple[tuple[str, ...], str, bool]]:
    return {key: (one.keys, one.front, one.isVisible()) for key, one in window.workbench.docks.items()}


def test_the_first_sight_has_the_measures_of_the_design(window: MainWindow):
    assert place(window, window.menuBar()) == QRect(0, 0, 1440, 24)
    assert place(window, window.tool_bar) == QRect(0, 24, 1440, 40)
    assert place(window, window.header) == QRect(0, 64, 1440, 32)
    assert place(window, window.status) == QRect(0, 876, 1440, 24)
    assert dock(window, DockKey.BOTTOM) == QRect(0, 596, 1143, 280)
    assert dock(window, DockKey.INSPECTOR) == QRect(1144, 96, 296, 780)
    outline, devices = dock(window, DockKey.OUTLINE), dock(window, DockKey.DEVICES)
    assert outline.width() == devices.width() == 240
    assert abs(outline.height() - devices.height()) <= 1
    assert not window.workbench.docks[DockKey.BESIDE].isVisible()


def test_the_first_sight_is_the_same_after_the_welcome_page(
    app: QApplication, actions: Actions, appearance: Appearance, store: Path
):
    window = MainWindow(actions, appearance, Settings(store), furnished())
    window.restore_layout()
    window.show_welcome()
    window.show()
    app.processEvents()
    window.show_workbench()
    app.processEvents()
    test_the_first_sight_has_the_measures_of_the_design(window)


def test_docks_keep_their_width_if_all_is_laid_out_while_the_welcome_page_is_seen(
    app: QApplication, actions: Actions, appearance: Appearance, store: Path
):
    first, second = (MainWindow(actions, appearance, Settings(store), furnished()) for _ in range(2))
    first.show_welcome()
    first.show()
    first.grab()
    first.close()
    assert second.restore_layout()
    second.resize(*FIRST)
    second.show()
    second.show_workbench()
    app.processEvents()
    assert dock(second, DockKey.OUTLINE).width() == 240
    assert dock(second, DockKey.INSPECTOR).width() == 296
    assert dock(second, DockKey.BOTTOM).height() == 280


def test_the_window_is_usable_at_its_least_size(window: MainWindow):
    window.resize(LEAST)
    QApplication.processEvents()
    assert window.size() == LEAST
    assert place(window, window.tool_bar).right() < window.width()
    assert window.tool_bar.search.geometry().right() < window.width()
    assert window.tool_bar.search.geometry().left() >= window.tool_bar.limit.geometry().right()


@pytest.mark.parametrize(
    ("size", "side", "inspector", "bottom"),
    [((1440, 900), 240, 296, 280), ((1199, 900), 200, 240, 280), ((1040, 699), 200, 240, 180), (SMALL, 0, 240, 180)],
)
def test_small_windows_have_small_columns_and_the_smallest_a_rail(
    window: MainWindow, size: tuple[int, int], side: int, inspector: int, bottom: int
):
    resize(window, size)
    bench = window.workbench
    assert dock(window, DockKey.INSPECTOR).width() == inspector
    assert dock(window, DockKey.BOTTOM).height() == bottom
    left = [bench.docks[key] for key in (DockKey.OUTLINE, DockKey.DEVICES)]
    assert [one.isVisible() for one in left] == [bool(side)] * 2
    assert bench.rail.isVisible() is not bool(side)
    if side:
        assert left[0].width() == side
    resize(window, FIRST)
    assert dock(window, DockKey.BOTTOM) == QRect(0, 596, 1143, 280)
    assert dock(window, DockKey.INSPECTOR) == QRect(1144, 96, 296, 780)
    outline, devices = dock(window, DockKey.OUTLINE), dock(window, DockKey.DEVICES)
    assert outline.width() == devices.width() == 240
    assert abs(outline.height() - devices.height()) <= 8


def test_the_rail_shows_a_pane_and_hides_it_again(window: MainWindow):
    resize(window, SMALL)
    bench = window.workbench
    rail = bench.rail.buttons
    assert rail["devices"].toolTip() == "Devices"
    rail["palette"].click()
    QApplication.processEvents()
    assert bench.docks[DockKey.OUTLINE].isVisible()
    assert (bench.docks[DockKey.OUTLINE].front, bench.docks[DockKey.OUTLINE].width()) == ("palette", 200)
    assert [key for key, button in rail.items() if button.isChecked()] == ["palette"]
    rail["palette"].click()
    assert not bench.docks[DockKey.OUTLINE].isVisible()
    bench.show_pane("devices")
    assert rail["devices"].isChecked()
    arrange(window, Perspective.OPERATE)
    assert not bench.docks[DockKey.DEVICES].isVisible()
    arrange(window, Perspective.EDIT)
    assert bench.docks[DockKey.OUTLINE].front == "palette"


@pytest.mark.parametrize("wide", [1440, 1100, 1000])
def test_no_tab_hides_behind_arrows_and_its_buttons_stay_whole(window: MainWindow, wide: int):
    resize(window, (wide, 600))
    bottom = window.workbench.docks[DockKey.BOTTOM]
    corner = QLabel("buttons at the end of the row")
    corner.setFixedWidth(280)
    name, pane, _ = bottom.take("plots")
    bottom.add("plots", name, pane, corner)
    for key in bottom.keys:
        bottom.rename(key, f"{key}, a name that takes room")
    bottom.bring("plots")
    QApplication.processEvents()
    for index in range(bottom.tabs.count()):
        box = bottom.tabs.tabRect(index)
        assert box.width() > 20
        assert bottom.tabs.tabToolTip(index) == bottom.tabs.tabText(index), "where it is elided, its tip says all"
        assert box.right() <= bottom.tabs.width()
    assert corner.width() == 280
    assert place(window, corner).left() >= place(window, bottom.tabs).right()
    assert not [one for one in bottom.tabs.findChildren(QToolButton) if one.isVisible()]


def test_the_toolbar_gives_up_words_before_anything_is_cut_off(window: MainWindow):
    bar = window.tool_bar
    bar.show_run(RunState.EXECUTING, (12_345, 0), 88, 88)
    for wide in (1440, 1100, SMALL[0], 900):
        window.setMinimumWidth(0)
        resize(window, (wide, 700))
        parts = sorted((one for one in bar.children() if isinstance(one, QWidget)), key=lambda one: one.x())
        for one, other in itertools.pairwise(parts):
            assert one.geometry().right() < other.geometry().left() + 1, (wide, one, other)
        assert parts[-1].geometry().right() <= bar.width()
        assert all(one.width() >= one.minimumSizeHint().width() for one in parts), wide
    assert bar.retry.accessibleName(), "an icon without words still says what it is"


def test_a_name_that_is_searched_is_read_whole_in_the_smallest_field(window: MainWindow):
    search = window.tool_bar.search
    search.setFixedWidth(search.minimumWidth())
    search.setText("coverage")
    window.show()
    margins = search.textMargins()
    wanted = search.fontMetrics().horizontalAdvance("coverage")
    assert search.width() - margins.left() - margins.right() - 8 >= wanted, "nothing is kept free for a key not shown"
    search.note_missing()
    assert search.textMargins().right() > margins.right(), "but for what is said"
    search.clear()
    search.textEdited.emit("")
    assert search.textMargins().right() > 0, "the key that leads here"


def test_perspectives_bring_the_panes_that_they_are_for(window: MainWindow):
    arrange(window, Perspective.EDIT)
    assert window.workbench.dock_of("palette").front == "palette"
    assert dock(window, DockKey.BOTTOM).height() == 160
    arrange(window, Perspective.TIMELINE)
    room = window.workbench.height() - 72
    assert abs(dock(window, DockKey.BOTTOM).height() - 0.6 * room) <= 1
    arrange(window, Perspective.FAILURES)
    tasks, output = window.workbench.dock_of("tasks"), window.workbench.dock_of("output")
    assert (tasks.front, output.front) == ("tasks", "output")
    assert tasks is not output
    assert place(window, output).left() > place(window, tasks).right()
    assert place(window, output).top() == place(window, tasks).top()
    arrange(window, Perspective.OPERATE)
    assert window.workbench.docks[DockKey.BOTTOM].keys == (
        "timeline",
        "output",
        "events",
        "tasks",
        "queue",
        "plots",
        "grid",
        "agents",
    )
    test_the_first_sight_has_the_measures_of_the_design(window)


def test_a_pane_behind_another_is_hidden_so_that_it_costs_nothing(window: MainWindow):
    bottom = window.workbench.docks[DockKey.BOTTOM]
    assert bottom.pane("timeline").isVisible()
    assert not bottom.pane("output").isVisible()
    window.workbench.turn_to("output")
    assert bottom.pane("output").isVisible()
    assert not bottom.pane("timeline").isVisible()


def test_what_stands_at_the_right_of_the_tabs_belongs_to_the_pane_in_front(window: MainWindow):
    _name, _pane, corner = window.workbench.docks[DockKey.BOTTOM].take("timeline")
    window.workbench.docks[DockKey.BOTTOM].add("timeline", "Timeline", _pane, corner)
    assert corner is not None
    window.workbench.turn_to("output")
    assert not corner.isVisible()
    window.workbench.turn_to("timeline")
    assert corner.isVisible()


@pytest.mark.parametrize("welcome_first", [False, True])
def test_the_layout_comes_back(
    app: QApplication, window: MainWindow, actions: Actions, appearance: Appearance, *, welcome_first: bool
):
    window.resize(780, 600)  # the offscreen screen is small, and Qt brings a window back no larger than its screen
    arrange(window, Perspective.FAILURES)
    window.workbench.turn_to("events")
    window.workbench.move_pane("queue", DockKey.BESIDE)
    window.close()
    again = MainWindow(actions, appearance, window._settings, furnished())
    if welcome_first:
        assert again.restore_layout()
        again.show_welcome()
        again.show()
        app.processEvents()
        again.show_workbench()
    else:
        again.show()
        again.show_workbench()
        assert again.restore_layout()
    app.processEvents()
    window.show()
    assert arrangement(again) == arrangement(window)
    seen = [key for key in DockKey if window.workbench.docks[key].isVisible()]
    assert [dock(again, key) for key in seen] == [dock(window, key) for key in seen]


def test_a_layout_that_was_saved_before_a_pane_came_is_taken_up_and_the_pane_is_where_it_is_at_first(
    window: MainWindow,
):
    arrange(window, Perspective.FAILURES)
    window.workbench.move_pane("agents", DockKey.BESIDE)
    window.save_layout()
    saved = json.loads(bytes(window._settings.blob("panes").data()))
    for panes in saved["panes"].values():
        panes[:] = [pane for pane in panes if pane not in ADDED]
    window._settings.write_blob("panes", QByteArray(json.dumps(saved).encode()))
    assert window.restore_layout()
    for key, panes in PANES.items():
        assert set(window.workbench.docks[key].keys) >= ADDED.intersection(panes)
    assert "output" in window.workbench.docks[DockKey.BESIDE].keys, "everything else is where it was saved"


def test_a_tab_has_a_badge_for_as_long_as_there_is_something_to_count(window: MainWindow):
    bottom = window.workbench.dock_of("agents")
    at, side = bottom.keys.index("agents"), QTabBar.ButtonPosition.RightSide
    bottom.badge("agents", 2, "2 things wait")
    first = bottom.tabs.tabButton(at, side)
    assert first is not None
    assert bottom.tabs.tabToolTip(at) == "2 things wait"
    assert bottom.tabs.accessibleTabName(at) == "Waits for you, 2 things wait"
    inside, image = bottom.tabs.tabRect(at), bottom.tabs.grab().toImage()
    behind = {image.pixel(x, inside.center().y()) for x in range(inside.right() - 6, inside.right() - 1)}
    assert behind == {image.pixel(inside.left() + 3, inside.bottom() - 3)}, "it does not stick to the edge of its tab"
    bottom.badge("agents", 12, "12 things wait")
    assert bottom.tabs.tabButton(at, side) is first, "it is not made anew with every number"
    bottom.badge("agents", 0, "")
    assert bottom.tabs.tabButton(at, side) is None
    assert bottom.tabs.tabToolTip(at) == "Waits for you"


@pytest.mark.parametrize(
    "saved",
    [
        b"",
        b"\xff\xfe nonsense",
        b"[]",
        json.dumps({"version": VERSION + 1}).encode(),
        json.dumps({"version": VERSION, "panes": {key: [] for key in DockKey}, "fronts": {}}).encode(),
        json.dumps({"version": VERSION, "panes": {DockKey.BOTTOM: list(ORDER)}, "fronts": {}}).encode(),
        json.dumps({"version": VERSION, "panes": dict.fromkeys(DockKey, 3), "fronts": {}}).encode(),
    ],
)
def test_a_layout_that_cannot_be_used_leaves_the_first_sight(window: MainWindow, saved: bytes):
    first = arrangement(window)
    arrange(window, Perspective.FAILURES)
    window.save_layout()
    window._settings.write_blob("panes", QByteArray(saved))
    assert not window.restore_layout()
    resize(window, FIRST)
    assert arrangement(window) == first


def test_docks_of_another_version_leave_the_first_sight(window: MainWindow):
    first = arrangement(window)
    window.save_layout()
    window._settings.write_blob("docks", window.workbench.saveState(VERSION + 1))
    assert not window.restore_layout()
    resize(window, FIRST)
    assert arrangement(window) == first


def test_reset_forgets_what_was_saved(window: MainWindow, actions: Actions, store: Path):
    first = arrangement(window)
    arrange(window, Perspective.FAILURES)
    window.save_layout()
    actions["reset_layout"].trigger()
    assert arrangement(window) == first
    assert Settings(store).blob("panes").isEmpty()


def test_the_welcome_page_leaves_the_docks_as_they_are(window: MainWindow):
    arrange(window, Perspective.EDIT)
    before = arrangement(window)
    window.show_welcome()
    assert window.is_welcoming
    window.show_workbench()
    assert arrangement(window) == before


def test_a_pane_that_is_asked_for_gets_the_keyboard(window: MainWindow):
    window.workbench.docks[DockKey.BOTTOM].pane("events").setFocusPolicy(window.focusPolicy().StrongFocus)
    window.workbench.show_pane("events")
    assert window.workbench.dock_of("events").front == "events"
    assert window.focusWidget() is window.workbench.docks[DockKey.BOTTOM].pane("events")
    with pytest.raises(KeyError, match="no pane 'x'"):
        window.workbench.show_pane("x")


def test_a_window_that_has_work_running_asks_before_it_closes(window: MainWindow):
    asked: list[bool] = []
    window.close_asked.connect(lambda: asked.append(True))
    window.asks_before_closing = True
    assert not window.close()
    assert asked == [True]
    assert window.isVisible()


@pytest.mark.parametrize(
    ("own", "screen"),
    [
        (QRect(0, 0, 1440, 900), QRect(0, 0, 1366, 728)),
        (QRect(0, 0, 1440, 900), QRect(0, 27, 1440, 873)),
        (QRect(900, 500, 1440, 900), QRect(0, 0, 1920, 1080)),
        (QRect(-300, -40, 1200, 700), QRect(-1920, 0, 1920, 1080)),
    ],
)
def test_a_window_lies_on_its_screen_with_its_frame(own: QRect, screen: QRect):
    frame = QMargins(4, 28, 4, 4)
    made = fitted(own, frame, screen)
    assert screen.contains(made.marginsAdded(frame))
    assert made.width() == min(own.width(), screen.width() - 8)
    assert made.height() == min(own.height(), screen.height() - 32)
    assert fitted(made, frame, screen) == made


def test_a_window_that_is_larger_than_its_screen_becomes_as_small_as_that(window: MainWindow):
    window.resize(3000, 2000)
    window.show()
    fit_on_screen(window)
    handle = window.windowHandle()
    assert handle is not None
    room = window.screen().availableGeometry().marginsRemoved(handle.frameMargins()).size()
    assert window.size() == room, "also where everything is shown so large that a screen has room for less"
