"""What the user is told of unasked: the bell of the window, its list, and the desktop's notifications."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from starloom_gui.models.roles import Role
from starloom_gui.panels.asking import LookAtAgents
from starloom_gui.shell.notice_list import Bell, NoticePopup
from starloom_gui.shell.notices import Kind, Notices
from starloom_gui.shell.notifying import Desktop, Notifier, Tray
from starloom_gui.theme import glyphs
from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from starloom_gui.app import Console
    from starloom_gui.shell.notices import Notice
    from starloom_gui.shell.settings import Settings

_ICON: Final = 32


class Telling(QObject):
    """Keeps the notices of a console, shows them and turns to what they are about.

    Args:
        console: whose window it is.
        settings: what the user wants to hear of.
        desktop: tells while the window is not in front; None: the session's bus.

    Attributes:
        notices: what there is to tell.
        bell: opens the list.
        notifier: tells on the desktop.
    """

    def __init__(self, console: Console, settings: Settings, desktop: Desktop | None = None) -> None:
        super().__init__(console.window)
        self._console, self._settings = console, settings
        bridge, window, appearance = console.bridge, console.window, console.appearance
        hidden = [kind for kind in Kind if kind.value in settings.hidden_notices]
        self.notices = Notices(bridge.log, bridge.run, self._name_of, hidden, self)
        self._feed = bridge.feed(parent=self)
        self._feed.changed.connect(self.notices.take)
        self.bell = Bell(self.notices, appearance, window.status)
        window.status.addPermanentWidget(self.bell)
        self.bell.clicked.connect(self.show_list)
        way = desktop or Desktop(parent=self)
        self.notifier = Notifier(self.notices, _is_in_front, way, Tray(self._icon, self), self)
        self.notifier.is_on = settings.tells_desktop
        self.notifier.chosen.connect(self.show)
        application = QApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._rest)
        console.actions["notifications"].triggered.connect(self.show_list)

    async def close(self) -> None:
        """Tell nothing more."""
        self._feed.close()
        await self.notifier.close()

    def show_list(self) -> NoticePopup:
        """Open the list above the bell; it is gone once it is closed."""
        console = self._console
        popup = NoticePopup(self.notices, console.bridge.wall, self._settings, console.appearance, console.window)
        popup.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        popup.chosen.connect(self.show)
        popup.desktop.toggled.connect(self._choose_desktop)
        popup.popup(self.bell.mapToGlobal(QPoint(self.bell.width(), -2)))
        return popup

    def show(self, notice: Notice | None) -> None:
        """Bring the window to the front and turn to what a notice is about; None: to the list."""
        console = self._console
        console.window.show()
        console.window.raise_()
        console.window.activateWindow()
        if notice is None:
            self.show_list()
        elif notice.kind is Kind.LOST:
            self._show_device(notice.ids[0])
        else:
            self._show_run(notice)
            if notice.kind is Kind.WAITING:
                console.errands.attending.look(LookAtAgents(""))

    # ---- what a notice is about

    def _show_run(self, notice: Notice) -> None:
        run = self._console.bridge.run(notice.run_id)
        if run is None:
            return
        number = run.number(notice.task_id) if notice.task_id else None
        if number is None:
            self._console.desk.put_run(notice.run_id)
        else:
            self._console.show_task(notice.run_id, number)

    def _show_device(self, device_id: str) -> None:
        self._console.window.workbench.show_pane("devices")
        cards = self._console.devices.cards
        model = cards.model()
        for row in range(model.rowCount()):
            if model.index(row, 0).data(Role.ID) == device_id:
                cards.setCurrentIndex(model.index(row, 0))

    def _name_of(self, run_id: str) -> str:
        tab = next((one for one in self._console.desk.runs if one.run_id == run_id), None)
        run = self._console.bridge.run(run_id)
        if tab is not None:
            return tab.title
        return run.name if run is not None and run.name else run_id

    # ---- when it is told

    def _choose_desktop(self, wanted: bool) -> None:
        self._settings.tells_desktop = self.notifier.is_on = wanted

    def _rest(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self.notifier.rest()

    def _icon(self) -> QIcon:
        """The bell, in the colour that can be read on the window."""
        picture = QPixmap(_ICON, _ICON)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        glyphs.BELL.paint(painter, picture.rect().toRectF(), colour(self._console.appearance.palette.text))
        painter.end()
        return QIcon(picture)


def _is_in_front() -> bool:
    """Whether the user looks at this program, or cannot be called to it, as it is drawn on no screen."""
    is_active = QGuiApplication.applicationState() == Qt.ApplicationState.ApplicationActive
    return is_active or QGuiApplication.platformName() == "offscreen"
