"""The notifications of the user: the bell of the window, its list, and desktop notifications."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from starloom_gui.gateway.quiet_tasks import QuietTasks
from starloom_gui.shell.notice import OPTIONAL, NoticeKind
from starloom_gui.shell.notice_channels import NoticeChannels
from starloom_gui.shell.notice_list import Bell, NoticePopup
from starloom_gui.shell.notices import Notices
from starloom_gui.shell.notifying import Beeper, Desktop, Notifier, Tray
from starloom_gui.theme import glyphs
from starloom_gui.theme.palette import colour
from starloom_gui.viewmodel.roles import ItemRole

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QListView

    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.output import OutputHub
    from starloom_gui.settings import Settings
    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.shell.notice import Notice
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.actions import Actions

_ICON: Final = 32


@dataclass(frozen=True, slots=True)
class NoticeNavigation:
    """The callbacks that show the subject of a notice.

    Attributes:
        show_task: turns to a run, by its id, and selects one of its tasks, by its number.
        show_recorded: shows a run that is in memory no more, by its id, under a name.
        look_at_waiting: turns to what waits for the user.
        devices: the list of devices.
    """

    show_task: Callable[[str, int], None]
    show_recorded: Callable[[str, str], None]
    look_at_waiting: Callable[[], None]
    devices: QListView


class Notifications(QObject):
    """Keeps the notices of a console, shows them and navigates to their subjects.

    Args:
        bridge: tells of the engine's runs and events.
        hub: what tasks print.
        documents: what is open.
        navigation: how to turn to what a notice is about.
        actions: those of the window.
        settings: what the user wants to hear of.
        appearance: the colours of the list.
        window: is brought to the front; it owns this.
        desktop: tells while the window is not in front; None: the session's bus.

    Attributes:
        notices: what there is to tell.
        bell: opens the list.
        notifier: tells on the desktop.
        beeper: makes sounds.
    """

    def __init__(
        self,
        bridge: Bridge,
        hub: OutputHub,
        documents: OpenDocuments,
        navigation: NoticeNavigation,
        actions: Actions,
        settings: Settings,
        appearance: Appearance,
        window: MainWindow,
        desktop: Desktop | None = None,
    ) -> None:
        super().__init__(window)
        self._bridge, self._documents, self._navigation = bridge, documents, navigation
        self._settings, self._appearance, self._window = settings, appearance, window
        hidden = {kind for kind in NoticeKind if kind.value in settings.hidden_notices}
        hidden |= {kind for kind in OPTIONAL if kind.value not in settings.wanted_notices}
        self.notices = Notices(bridge.log, bridge.run, lambda: bridge.fleet, self._name_of, bridge.wall, hidden, self)
        self._feed = bridge.feed(parent=self)
        self._feed.changed.connect(self.notices.on_changes)
        self._quiet = QuietTasks(hub, bridge.run, bridge.wall, self)
        self._quiet.fell_quiet.connect(self._tell_quiet)
        self._feed.changed.connect(self._quiet.on_changes)
        self.bell = Bell(self.notices, appearance, window.status)
        window.status.addPermanentWidget(self.bell)
        self.bell.clicked.connect(self.show_list)
        way = desktop or Desktop(parent=self)
        self.notifier = Notifier(self.notices, self._is_in_front, way, Tray(self._icon, self), self)
        self.beeper = Beeper(self.notices, parent=self)
        self._apply_channels()
        self.notifier.chosen.connect(self.show)
        application = QApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._rest)
        actions["notifications"].triggered.connect(self.show_list)

    async def close(self) -> None:
        """Stop showing notifications."""
        self._feed.close()
        await self.notifier.close()

    def show_list(self) -> NoticePopup:
        """Open the list above the bell; it is gone once it is closed."""
        popup = NoticePopup(self.notices, self._settings, self._appearance, self._window)
        popup.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        popup.chosen.connect(self.show)
        popup.desktop.toggled.connect(self._choose_desktop)
        popup.channels.triggered.connect(popup.close)
        popup.channels.triggered.connect(self.choose_channels)
        popup.popup(self.bell.mapToGlobal(QPoint(self.bell.width(), -2)))
        return popup

    def show(self, notice: Notice | None) -> None:
        """Raise the window and show the subject of a notice; None: the list."""
        self._window.come_to_front()
        if notice is None:
            self.show_list()
        elif notice.kind is NoticeKind.LOST:
            self._show_device(notice.ids[0])
        else:
            self._show_run(notice)
            if notice.kind is NoticeKind.WAITING:
                self._navigation.look_at_waiting()

    # ---- what a notice is about

    def _show_run(self, notice: Notice) -> None:
        run = self._bridge.run(notice.run_id)
        if run is None:
            self._navigation.show_recorded(notice.run_id, notice.run)
            return
        number = run.number(notice.task_id) if notice.task_id else None
        if number is None:
            self._documents.put_run(notice.run_id, None, run.name)
        else:
            self._navigation.show_task(notice.run_id, number)

    def _show_device(self, device_id: str) -> None:
        self._window.workbench.show_pane("devices")
        cards = self._navigation.devices
        model = cards.model()
        for row in range(model.rowCount()):
            if model.index(row, 0).data(ItemRole.ID) == device_id:
                cards.setCurrentIndex(model.index(row, 0))

    def _name_of(self, run_id: str) -> str:
        tab = next((one for one in self._documents.runs if one.run_id == run_id), None)
        run = self._bridge.run(run_id)
        if tab is not None:
            return tab.title
        return run.name if run is not None and run.name else run_id

    # ---- when it is told

    def choose_channels(self) -> NoticeChannels:
        """Ask which kinds the desktop shows, and which make a sound; each tick counts at once."""
        dialog = NoticeChannels(self._settings, self._appearance, self._window)
        dialog.changed.connect(self._apply_channels)
        dialog.open()
        return dialog

    def _tell_quiet(self, run_id: str, task_id: str) -> None:
        self.notices.note_quiet(run_id, task_id, self._bridge.now(), self._settings.quiet_minutes)

    def _apply_channels(self) -> None:
        settings = self._settings
        self.notifier.is_on = settings.tells_desktop
        self.notifier.quiet = frozenset(kind for kind in NoticeKind if kind.value in settings.quiet_notices)
        self._quiet.after = settings.quiet_minutes * 60.0
        self.beeper.kinds = frozenset(kind for kind in NoticeKind if kind.value in settings.sounding_notices)

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
        glyphs.BELL.paint(painter, picture.rect().toRectF(), colour(self._appearance.palette.text))
        painter.end()
        return QIcon(picture)

    def _is_in_front(self) -> bool:
        """Whether the user looks at this console, or cannot be called to it, as it is drawn on no screen."""
        is_active = QGuiApplication.applicationState() == Qt.ApplicationState.ApplicationActive
        return (is_active and self._window.isVisible()) or QGuiApplication.platformName() == "offscreen"
