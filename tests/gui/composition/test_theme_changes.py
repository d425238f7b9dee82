"""A change of the theme: all that is seen has its colours at once, and what is hidden when it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QLabel, QMenu, QWidget
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_console import LONG, front, small, started
from tests.waiting import until
from typing_extensions import override

from starloom_gui.theme.appearance import Theme
from starloom_gui.theme.palette import DARK, LIGHT, Palette

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from tests.gui.composition.conftest import Desktop

    from starloom_gui.composition.console import Console

FEW = 0.25
"""The share of hidden widgets that may be styled at once: those in parts that are seen."""


class HiddenStyled(QObject):
    """The hidden widgets that Qt styles, and so lays out, from when it is made on."""

    def __init__(self, app: QApplication) -> None:
        super().__init__()
        self.widgets: set[QWidget] = set()
        app.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.StyleChange and isinstance(watched, QWidget) and not watched.isVisible():
            self.widgets.add(watched)
        return False


def corner_of(widget: QWidget) -> str:
    """The colour of one of the first pixels that are drawn of a widget."""
    return widget.grab().toImage().pixelColor(2, 3).name().upper()


def check(console: Console, palette: Palette) -> None:
    window, bench = console.window, console.window.workbench
    tabs = [dock.titleBarWidget() for dock in bench.docks.values() if dock.isVisible()]
    for widget in (window.menuBar(), window.status, window.tool_bar, *tabs):
        found = widget.grab().toImage().pixelColor(widget.width() - 3, widget.height() // 2).name().upper()
        assert found == palette.window, widget
    assert corner_of(front(console).pane("inspector")) == palette.panel


def test_nothing_hidden_is_styled_and_all_that_is_seen_has_its_colours(desktop: Desktop, app: QApplication) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            for _ in range(3):
                await started(console, small(seconds=LONG))
            await at_rest(console)
            console.appearance.choose(Theme.DARK)
            check(console, DARK)
            hidden = sum(not widget.isVisible() for widget in console.window.findChildren(QWidget))
            styled = HiddenStyled(app)
            console.appearance.choose(Theme.LIGHT)
            app.removeEventFilter(styled)
            assert len(styled.widgets) < FEW * hidden
            check(console, LIGHT)

    desktop.run(main)


@pytest.mark.parametrize("key", ["events", "tasks", "queue"])
def test_a_pane_that_was_hidden_then_has_its_colours_when_it_is_shown(desktop: Desktop, key: str) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await started(console, small(seconds=LONG))
            await at_rest(console)
            bench = console.window.workbench
            for each in (key, "timeline"):
                bench.show_pane(each)
                await until(lambda each=each: front(console).views.is_visible(each))  # type: ignore[misc]
            console.appearance.choose(Theme.LIGHT)
            bench.show_pane(key)
            await until(lambda: front(console).views.is_visible(key))
            pane = front(console).pane(key)
            texts = {
                one.palette().color(one.foregroundRole()).name().upper()
                for one in pane.findChildren(QLabel)
                if one.isVisible()
            }
            assert texts <= {LIGHT.text, LIGHT.muted}
            assert corner_of(pane) in {LIGHT.panel, LIGHT.window}

    desktop.run(main)


def test_a_menu_has_the_colours_of_the_theme_it_is_opened_in(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            menu = console.window.menuBar().actions()[0].menu()
            assert isinstance(menu, QMenu)
            for theme, palette in ((Theme.DARK, DARK), (Theme.LIGHT, LIGHT), (Theme.DARK, DARK)):
                console.appearance.choose(theme)
                menu.popup(console.window.pos())
                await until(menu.isVisible)
                picture = menu.grab().toImage()
                assert picture.pixelColor(menu.width() // 2, 3).name().upper() == palette.panel  # between round corners
                menu.hide()

    desktop.run(main)
