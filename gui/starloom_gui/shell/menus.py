"""The menus of the window and those at the pointer, all made of the same actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from starloom_gui.shell.perspectives import GRAPH, ORDER, Perspective, pane_name, perspective_name
from starloom_gui.text.translations import NAMES
from starloom_gui.text.words import translate
from starloom_gui.theme.appearance import Theme
from starloom_gui.viewmodel.keys import Scope, sequences
from starloom_gui.widgets.menu_heading import put_heading

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMenuBar, QWidget

    from starloom_gui.actions.actions import Actions

LINE: Final = ""
PRIORITY: Final = "priority"
ALONG: Final = "along"
ARRANGE: Final = "arrange"
NOTES: Final = "notes"
FILE: Final = (
    *("demo", LINE, "new", "open", "save", "save_as", LINE),
    *("save_run_as_plan", "compare_plan", "apply_to_plan", LINE, "export", "history", "resume_runs", LINE),
    *("open_fleet", "save_fleet", LINE, "close_tab", "quit"),
)
EDIT: Final = (
    "undo",
    "redo",
    LINE,
    "add_task",
    LINE,
    "live",
    "staged",
    "commit",
    LINE,
    "find",
    "replace",
    "remove_redundant",
)
RUN: Final = (
    *("start", "pause", "resume", LINE, "step", "run_all", LINE),
    *("cancel_run", "retry_failed", "with_reason", LINE, "attach_agent", "limit"),
)
TIME: Final = ("time_travel", LINE, "play_past", "step_back", "step_forth", "to_begin", "to_end", "present")
COMPARE: Final = ("compare", "compare_off")
TASKS: Final = (
    *("retry", "cancel", "hold", "release", "skip", "mark_done", "rerun", LINE),
    *("set_breakpoint", "clear_breakpoint", "run_until", LINE, PRIORITY, "pin", "unpin", "with_reason", LINE, ALONG),
)
NODES: Final = (*TASKS, LINE, ARRANGE, NOTES)
DEVICES: Final = (
    *("add_device", LINE, "drain", "undrain", "enable", "disable", "with_reason", LINE),
    *("try_again", "set_slots", LINE, "remove_device"),
)
CANVAS: Final = ("critical_path", "filter", LINE, "fit", "zoom_in", "zoom_out", LINE, ARRANGE, NOTES)
ARRANGED: Final = (
    *("align_left", "align_centre", "align_right", LINE, "align_top", "align_middle", "align_bottom", LINE),
    *("distribute_across", "distribute_down", LINE, "snap", "tidy", LINE, "group", "ungroup"),
)
HELP: Final = ("commands", "shortcuts", LINE, "about")
PRIORITIES: Final = tuple(f"{PRIORITY}_{name}" for name in ("critical", "high", "normal", "low", "background"))
SELECTIONS: Final = ("select_upstream", "with_upstream", LINE, "select_downstream", "with_downstream")


def fill_menu(menu: QMenu, actions: Actions, keys: tuple[str, ...]) -> QMenu:
    """Put the actions of these keys into a menu; its tips say why one is not possible."""
    menu.setToolTipsVisible(True)
    for key in keys:
        if key == LINE:
            menu.addSeparator()
        elif key == PRIORITY:
            fill_menu(menu.addMenu(translate("Menus", "Priority")), actions, PRIORITIES)
        elif key == ALONG:
            fill_menu(menu.addMenu(translate("Menus", "Select along dependencies")), actions, SELECTIONS)
        elif key == ARRANGE:
            fill_menu(menu.addMenu(translate("Menus", "Arrange")), actions, ARRANGED)
        elif key == NOTES:
            fill_menu(menu.addMenu(translate("Menus", "Notes")), actions, ("add_note", "edit_note", "remove_note"))
        else:
            menu.addAction(actions[key])
    return menu


def context_menu(actions: Actions, keys: tuple[str, ...], parent: QWidget, title: str = "") -> QMenu:
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


class Menus:
    """The menus of a window.

    Args:
        bar: where they hang.
        actions: what is in them.
        turn: called with the key of a pane that is wanted.
        arrange: called with a perspective that is wanted.
        choose: called with a theme that is wanted.
        speak: called with the code of a language that is wanted; empty: the system's.

    Attributes:
        recent: the recent files, to be filled by whoever knows them.
        graph: opens the menu of the graph in front, given by whoever knows it.
        themes: the actions of the themes.
        languages: the actions of the languages, by code; empty: the system's.
    """

    def __init__(
        self,
        bar: QMenuBar,
        actions: Actions,
        turn: Callable[[str], None],
        arrange: Callable[[Perspective], None],
        choose: Callable[[Theme], None],
        speak: Callable[[str], None],
    ) -> None:
        self._turn, self._arrange, self._choose, self._speak = turn, arrange, choose, speak
        file = fill_menu(bar.addMenu(translate("Menus", "&File")), actions, FILE)
        self.recent = QMenu(translate("Menus", "Open recent"), file)
        file.insertMenu(actions["save"], self.recent)
        for title, keys in (
            (translate("Menus", "&Edit"), EDIT),
            (translate("Menus", "&Run"), (*RUN, LINE, *TIME, LINE, *COMPARE)),
            (translate("Menus", "&Tasks"), TASKS),
            (translate("Menus", "&Devices"), DEVICES),
        ):
            menu = fill_menu(bar.addMenu(title), actions, keys)
            menu.aboutToShow.connect(lambda: actions.refresh(thoroughly=True))
        self.themes: dict[Theme, QAction] = {}
        self.languages: dict[str, QAction] = {}
        self._view(bar.addMenu(translate("Menus", "&View")), actions)
        fill_menu(bar.addMenu(translate("Menus", "&Help")), actions, HELP)

    def _view(self, menu: QMenu, actions: Actions) -> None:
        fill_menu(menu, actions, CANVAS)
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
        menu.addAction(actions["notifications"])
        menu.addAction(actions["reset_layout"])
        menu.addSeparator()
        self._add_themes(menu.addMenu(translate("Menus", "Theme")))
        self._add_languages(menu.addMenu(translate("Menus", "Language")))
        menu.addAction(actions["reduced_motion"])
        menu.addAction(actions["utc"])
        menu.addAction(actions["health"])

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
            action.triggered.connect(lambda _=False, wanted=theme: self._choose(wanted))
            self.themes[theme] = action

    def _add_languages(self, menu: QMenu) -> None:
        group = QActionGroup(menu)
        for code, name in {"": translate("Menus", "As the system"), **NAMES}.items():
            action = _put(menu, name)
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _=False, wanted=code: self._speak(wanted))
            self.languages[code] = action
