"""The context menus: each acts on the object under the pointer, which its title names."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from PySide6.QtCore import QObject

from starloom.scheduling.commands import PinTasks
from starloom_gui.canvas.menu import GraphMenu
from starloom_gui.canvas.menu_target import MenuTarget, tasks_title
from starloom_gui.canvas.menu_target import TargetKind as Thing
from starloom_gui.dialogs.pin import places_of
from starloom_gui.editing.adding import GROUND, Site
from starloom_gui.editing.legality import why_fixed
from starloom_gui.shell.menus import NODES, TASKS, context_menu, fill_menu
from starloom_gui.specs.action_list import rows_of
from starloom_gui.specs.action_spec import Menu
from starloom_gui.text.words import fill, tip
from starloom_gui.viewmodel.keys import Scope, shown
from starloom_gui.workspace.pane_wiring import MenuSubject

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMenu

    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom_gui.canvas.editing_verbs import EditingVerbs
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.widgets.actions import Actions
    from starloom_gui.workspace.document_view import DocumentView
    from starloom_gui.workspace.open_views import OpenViews

_MOST_DEVICES: Final = 20
"""So many devices are listed in a menu; the dialog has all of them."""


class ContextMenus(QObject):
    """Builds and shows the context menus.

    Args:
        views: of what is open.
        actions: those of the window.
        gateway: gives who is asked on which devices tasks may run, and to pin them.
        fleet: gives the devices as they are now.
        window: owns this and the menus.
    """

    def __init__(
        self,
        views: OpenViews,
        actions: Actions,
        gateway: Callable[[], CommandGateway],
        fleet: Callable[[], FleetFacts],
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        self._views, self._actions, self._gateway = views, actions, gateway
        self._fleet, self._window = fleet, window

    def show(self, at: QPoint, of: MenuSubject | MenuTarget) -> QMenu:
        """Show the menu of rows, or of an object on the canvas, at a screen position."""
        view = self._views.front
        if isinstance(of, MenuTarget):
            menu = self._titled((), of.title)
            if view is not None:
                self._fill(menu, of, view)
        else:
            menu = self._of_rows(of, view)
        menu.popup(at)
        return menu

    def _titled(self, keys: Sequence[str | Menu], title: str) -> QMenu:
        return context_menu(self._actions, keys, self._window, title)

    def _of_rows(self, of: MenuSubject, view: DocumentView | None) -> QMenu:
        if view is None:
            return self._titled(TASKS, "")
        menu = self._titled(TASKS, tasks_title(view.source.editor.facts(), view.selection.now.numbers))
        menu.addSeparator()
        if of is MenuSubject.EVENTS:
            menu.addAction(view.views["events"].widget.revert)
        tasks = view.views["tasks"].widget
        menu.addActions([tasks.copy_rows, tasks.copy_errors])
        return menu

    # ---- of what is on the canvas

    def _fill(self, menu: QMenu, asked: MenuTarget, view: DocumentView) -> None:
        verbs = view.canvas.gestures.verbs
        if asked.of is Thing.NOTE:
            fill_menu(menu, self._actions, ("edit_note", "remove_note"))
        elif asked.of is Thing.DEPENDENCY and asked.edge is not None and verbs is not None:
            self._of_dependency(menu, asked.edge, view, verbs)
        elif asked.of is Thing.GROUND:
            self._of_ground(menu, asked, view, verbs)
        else:
            self._of_tasks(menu, asked, view, verbs)

    def _of_tasks(self, menu: QMenu, asked: MenuTarget, view: DocumentView, verbs: EditingVerbs | None) -> None:
        if asked.of is Thing.GROUP:
            menu.addAction(view.edit_wiring.shown(*self._folding(asked, view), menu))
            menu.addSeparator()
        elif verbs is not None and asked.number is not None and len(view.selection.now.numbers) == 1:
            self._put_kinds(menu, self.tr("Add task after it"), verbs, Site(asked.number), asked)
            menu.addSeparator()
        fill_menu(menu, self._actions, NODES)
        self._put_devices(menu, view)
        menu.addSeparator()
        view.edit_wiring.look()
        menu.addActions(view.edit_wiring.actions)

    def _put_devices(self, menu: QMenu, view: DocumentView) -> None:
        """Add a submenu of the devices that the selected tasks can be pinned to, before the dialog for many devices."""
        actions, target, gateway = self._actions, view.target, self._gateway()
        fleet, facts = self._fleet(), view.reader.facts()
        if facts is None or not target.task_ids or view.source.barred is not None:
            return
        devices = menu.addMenu(self.tr("Run on"))
        menu.insertMenu(actions["pin"], devices)
        devices.setToolTipsVisible(True)
        pins = {facts.pin_of(facts.graph.place[one]) for one in target.task_ids if one in facts.graph.place}
        pin = gateway.possible_part(PinTasks(run_id=target.run_id, task_ids=target.task_ids, device_id=None))
        places = places_of(fleet, pin, gateway)
        for place in places[: _MOST_DEVICES + 1]:
            action = devices.addAction(place.name.replace("&", "&&"))
            action.triggered.connect(lambda _=False, to=place.device_id: gateway.do(replace(pin, device_id=to)))
            action.setCheckable(True)
            action.setChecked(pins == {place.device_id})
            action.setEnabled(not place.reason and not action.isChecked())
            action.setToolTip(tip(place.reason or place.note))
        if len(places) > _MOST_DEVICES + 1:
            devices.addSeparator()
            devices.addAction(actions["pin"])

    def _of_dependency(self, menu: QMenu, ends: tuple[int, int], view: DocumentView, verbs: EditingVerbs) -> None:
        gestures, facts = view.canvas.gestures, verbs.facts()
        why = why_fixed(facts, *ends) if facts is not None else self.tr("There is no graph.")
        card = menu.addAction(self.tr("Kind and condition…\tReturn"), gestures.open_card)
        put = partial(view.edit_wiring.shown, parent=menu)
        moves = [
            put(self.tr("Move its end to another task"), "connect", partial(gestures.connect, forward=True)),
            put(
                self.tr("Move its beginning to another task"), "connect_back", partial(gestures.connect, forward=False)
            ),
        ]
        menu.addActions(moves)
        kinds = self._put_kinds(menu, self.tr("Insert task"), verbs, Site(*ends), None)
        menu.addSeparator()
        remove = put(self.tr("Remove"), "remove", partial(verbs.remove_edge, ends))
        menu.addAction(remove)
        for action in (card, *moves, kinds, remove):
            action.setEnabled(not why)
            action.setToolTip(why or action.toolTip())

    def _of_ground(self, menu: QMenu, asked: MenuTarget, view: DocumentView, verbs: EditingVerbs | None) -> None:
        actions = self._actions
        if verbs is not None:
            self._put_kinds(menu, self.tr("Add task"), verbs, GROUND, asked)
        self._put_note(menu, asked, view)
        view.edit_wiring.look()
        menu.addActions(view.edit_wiring.pasting)
        menu.addAction(
            view.edit_wiring.shown(
                self.tr("Select all"), "select_all", view.edit_wiring.clipboard_verbs["select_all"], menu
            )
        )
        menu.addSeparator()
        fill_menu(menu, actions, rows_of(Menu.GROUND))
        menu.addMenu(GraphMenu(view.canvas, view.selection, menu))

    def _put_note(self, menu: QMenu, asked: MenuTarget, view: DocumentView) -> None:
        """Add the action that writes a note where the menu was asked for, whatever is selected."""
        usual, notes = self._actions["add_note"], view.canvas.gestures.notes
        if notes is not None:
            text = fill("%1\t%2", usual.text(), shown(Scope.WINDOW, "add_note"))
            action = menu.addAction(text, partial(notes.add, asked.place))
            action.setEnabled(usual.isEnabled())
            action.setToolTip(usual.toolTip())

    def _put_kinds(self, menu: QMenu, text: str, verbs: EditingVerbs, site: Site, asked: MenuTarget | None) -> QAction:
        """Add a submenu of the kinds of tasks that can be added at a site."""
        kinds = verbs.kinds_menu(site, asked.place if asked is not None else None)
        kinds.setParent(menu, kinds.windowFlags())
        kinds.setTitle(text)
        action = menu.addMenu(kinds)
        barred = self._views.front.source.barred if self._views.front is not None else None
        if barred is not None:
            action.setEnabled(False)
            action.setToolTip(f"{barred.reason} {barred.hint}".strip())
        return action

    def _folding(self, asked: MenuTarget, view: DocumentView) -> tuple[str, str, partial[bool]]:
        canvas = view.canvas
        if canvas.folding.is_folded(asked.number):
            return self.tr("Unfold"), "unfold", partial(canvas.folding.unfold_group_of, asked.number)
        return self.tr("Fold"), "fold", partial(canvas.folding.fold_group_of, asked.number)
