"""The menus of the window and the context menus, all made from the same actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from starloom_gui.settings import SIZES
from starloom_gui.shell.example_cards import EXAMPLES
from starloom_gui.shell.perspectives import GRAPH, ORDER, Perspective, pane_name, perspective_name
from starloom_gui.specs.action_list import LINE, rows_of
from starloom_gui.specs.action_spec import Menu
from starloom_gui.text.translations import NAMES
from starloom_gui.text.words import translate
from starloom_gui.theme.appearance import Theme
from starloom_gui.viewmodel.keys import Scope, sequences
from starloom_gui.widgets.menu_heading import put_heading

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QMenuBar, QWidget

    from starloom_gui.widgets.actions import Actions

TASKS: Final = rows_of(Menu.TASKS)
NODES: Final = (*TASKS, LINE, Menu.ARRANGE, Menu.NOTES)


def _title(menu: Menu) -> str:
    """The title of a submenu."""
    return {
        Menu.PRIORITY: translate("Menus", "Priority"),
        Menu.ALONG: translate("Menus", "Select along dependencies"),
        Menu.ARRANGE: translate("Menus", "Arrange"),
        Menu.NOTES: translate("Menus", "Notes"),
        Menu.RUN_RESERVATION: translate("Menus", "Reservation"),
        Menu.DEVICE_RESERVATION: translate("Menus", "Reservation of the device"),
        Menu.FLEET_RESERVATION: translate("Menus", "Reservation of the fleet"),
    }[menu]


def fill_menu(menu: QMenu, actions: Actions, keys: Sequence[str | Menu]) -> QMenu:
    """Append the actions of these keys, and these submenus, to a menu whose tooltips show why an action is disabled."""
    menu.setToolTipsVisible(True)
    for key in keys:
        if key == LINE:
            menu.addSeparator()
        elif isinstance(key, Menu):
            fill_menu(menu.addMenu(_title(key)), actions, rows_of(key))
        else:
            menu.addAction(actions[key])
    return menu


def context_menu(actions: Actions, keys: Sequence[str | Menu], parent: QWidget, title: str = "") -> QMenu:
    """A menu for the pointer, to be shown with `popup`; it deletes itself once it is closed.

    Args:
        actions: what is in it.
        keys: which of them.
        parent: of the menu.
        title: what it is about; empty: that is not said.
    """
    actions.refresh(thoroughly=True)
    menu = QMenu(parent)
    if title:
        put_heading(menu, title)
        menu.setTitle(title)
        menu.setAccessibleName(title)
    fill_menu(menu, actions, keys)
    menu.aboutToHide.connect(menu.deleteLater)
    return menu


def _put(menu: QMenu, text: str) -> QAction:
    """An entry made here: PySide does not learn that one that Qt made is gone, and may take another for it."""
    made = QAction(text, menu)
    menu.addAction(made)
    return made


class LookTaker(Protocol):
    """The protocol of whoever is told how everything is to look."""

    def choose_theme(self, theme: Theme) -> None:
        """Use a theme."""

    def choose_language(self, code: str) -> None:
        """Use a language, by its code; empty: the system's."""

    def choose_size(self, percent: int) -> None:
        """Use a size."""


class Menus:
    """The menus of a window.

    Args:
        bar: where they hang.
        actions: what is in them.
        turn: called with the key of a pane that is wanted.
        arrange: called with a perspective that is wanted.
        look: is told of a theme, a language or a size that is wanted.
        open_example: called with the file of an example that is wanted.

    Attributes:
        recent: the recent files, to be filled by whoever knows them.
        graph: opens the menu of the graph in front, given by whoever knows it.
        themes: the actions of the themes.
        languages: the actions of the languages, by code; empty: the system's.
        sizes: the actions of the sizes, by percent.
    """

    def __init__(
        self,
        bar: QMenuBar,
        actions: Actions,
        turn: Callable[[str], None],
        arrange: Callable[[Perspective], None],
        look: LookTaker,
        open_example: Callable[[str], None],
    ) -> None:
        self._turn, self._arrange, self._look = turn, arrange, look
        file = fill_menu(bar.addMenu(translate("Menus", "&File")), actions, rows_of(Menu.FILE))
        self.recent = QMenu(translate("Menus", "Open recent"), file)
        file.insertMenu(actions["save"], self.recent)
        examples = QMenu(translate("Menus", "Examples"), file)
        for example in EXAMPLES:
            action = _put(examples, example.name())
            action.triggered.connect(lambda _=False, wanted=example.file: open_example(wanted))
        file.insertMenu(actions["save"], examples)
        for title, which in (
            (translate("Menus", "&Edit"), Menu.EDIT),
            (translate("Menus", "&Run"), Menu.RUN),
            (translate("Menus", "&Tasks"), Menu.TASKS),
            (translate("Menus", "&Devices"), Menu.DEVICES),
        ):
            menu = fill_menu(bar.addMenu(title), actions, rows_of(which))
            menu.aboutToShow.connect(lambda: actions.refresh(thoroughly=True))
        self.themes: dict[Theme, QAction] = {}
        self.languages: dict[str, QAction] = {}
        self.sizes: dict[int, QAction] = {}
        self._view(bar.addMenu(translate("Menus", "&View")), actions)
        fill_menu(bar.addMenu(translate("Menus", "&Help")), actions, rows_of(Menu.HELP))

    def _view(self, menu: QMenu, actions: Actions) -> None:
        fill_menu(menu, actions, rows_of(Menu.CANVAS))
        self.graph = _put(menu, translate("Menus", "Graph"))
        self.graph.setEnabled(False)
        menu.addSeparator()
        arrangements = menu.addMenu(translate("Menus", "Perspective"))
        for perspective in Perspective:
            action = _put(arrangements, perspective_name(perspective))
            action.setShortcuts(sequences(Scope.WINDOW, f"perspective_{perspective}"))
            action.triggered.connect(lambda _=False, wanted=perspective: self._arrange(wanted))
        panes = menu.addMenu(translate("Menus", "Panes"))
        for pane in (GRAPH, *ORDER):
            action = _put(panes, pane_name(pane).replace("&", "&&"))  # else it would underline what follows
            action.setShortcuts(sequences(Scope.WINDOW, f"pane_{pane}"))
            action.triggered.connect(lambda _=False, wanted=pane: self._turn(wanted))
        fill_menu(menu, actions, rows_of(Menu.WINDOW))
        menu.addSeparator()
        self._add_themes(menu.addMenu(translate("Menus", "Theme")))
        self._add_languages(menu.addMenu(translate("Menus", "Language")))
        self._add_sizes(menu.addMenu(translate("Menus", "Size of text and everything")))
        fill_menu(menu, actions, rows_of(Menu.LOOKS))

    def _add_themes(self, menu: QMenu) -> None:
        group = QActionGroup(menu)
        names = {
            Theme.SYSTEM: translate("Menus", "As the system"),
            Theme.LIGHT: translate("Menus", "Light"),
            Theme.DARK: translate("Menus", "Dark"),
        }
        for theme, name in names.items():
            action = _put(menu, name)
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _=False, wanted=theme: self._look.choose_theme(wanted))
            self.themes[theme] = action

    def _add_languages(self, menu: QMenu) -> None:
        group = QActionGroup(menu)
        for code, name in {"": translate("Menus", "As the system"), **NAMES}.items():
            action = _put(menu, name)
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _=False, wanted=code: self._look.choose_language(wanted))
            self.languages[code] = action

    def _add_sizes(self, menu: QMenu) -> None:
        group = QActionGroup(menu)
        for percent in SIZES:
            action = _put(menu, f"{percent} %")
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _=False, wanted=percent: self._look.choose_size(wanted))
            self.sizes[percent] = action
