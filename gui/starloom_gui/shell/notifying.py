"""Shows desktop notifications while the window is not in front: by the session bus, or else by the tray."""

from __future__ import annotations

import asyncio
import html
import sys
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from starloom_gui.shell.notice import Notice, NoticeKind
from starloom_gui.shell.notice_words import detail_of, title_of
from starloom_gui.shell.session_bus import BusError, SessionBus
from starloom_gui.text.words import translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QIcon

    from starloom_gui.shell.bus_messages import Message
    from starloom_gui.shell.notices import Notices

GATHER_MS: Final = 500
"""What comes within so long is told together, so that a burst is one bubble."""
QUIET_MS: Final = 2000
"""After a sound nothing sounds for so long."""
MOST_AT_ONCE: Final = 3
"""More notices than these are told as their number."""
SERVICE: Final = "org.freedesktop.Notifications"
PATH: Final = "/org/freedesktop/Notifications"
_LOUD: Final = frozenset({NoticeKind.FAILED, NoticeKind.STALLED, NoticeKind.LOST, NoticeKind.WAITING})
_OPEN: Final = "default"
"""The action that a click on the bubble itself is."""


class Desktop(QObject):
    """The desktop's own notifications over `org.freedesktop.Notifications`.

    Args:
        address: of the bus, as D-Bus writes it; None: the session's.

    Signals:
        clicked(int): the number that was told has been clicked.
    """

    clicked = Signal(int)

    def __init__(self, address: str | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._address = address
        self._bus: SessionBus | None = None
        self._bubbles: dict[int, int] = {}

    async def tell(self, number: int, title: str, detail: str, *, is_loud: bool) -> None:
        """Show a bubble; one of the same number is replaced.

        Raises:
            BusError: nobody here shows any.
        """
        bus = await self._connected()
        hints = {"urgency": ("y", 2 if is_loud else 1), "desktop-entry": ("s", "starloom")}
        actions = (_OPEN, translate("Notices", "Show"))
        told = (self._bubbles.get(number, 0), "starloom", title, html.escape(detail), actions, hints, -1)
        answer = await bus.call(SERVICE, PATH, SERVICE, "Notify", "susssasa{sv}i", "Starloom", *told)
        if answer.values and isinstance(answer.values[0], int):
            self._bubbles[number] = answer.values[0]

    async def _connected(self) -> SessionBus:
        if self._bus is None or not self._bus.is_open:
            if sys.platform == "win32":
                raise BusError("Windows has no session bus.")
            bus = await SessionBus.connect(self._address)
            bus.heard = self._hear
            self._bus, self._bubbles = bus, {}
            await bus.listen(SERVICE)
        return self._bus

    def _hear(self, signal: Message) -> None:
        number = next((each for each, bubble in self._bubbles.items() if signal.values[:1] == (bubble,)), None)
        if number is None:
            return
        if signal.member == "ActionInvoked":
            self.clicked.emit(number)
        elif signal.member == "NotificationClosed":
            del self._bubbles[number]

    def close(self) -> None:
        """Close the connection to the bus; closing twice is allowed."""
        if self._bus is not None:
            self._bus.close()


class Tray(QObject):
    """The tray icon, visible only while it has a message to show.

    Args:
        icon: gives the icon.

    Signals:
        clicked(int): the number that was told last has been clicked.
    """

    clicked = Signal(int)

    def __init__(self, icon: Callable[[], QIcon], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        self._tray: QSystemTrayIcon | None = None
        self._number = -1

    def tell(self, number: int, title: str, detail: str) -> bool:
        """Show a message; False: there is no tray that could."""
        if not (QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()):
            return False
        if self._tray is None:
            self._tray = QSystemTrayIcon(self._icon(), self)
            self._tray.messageClicked.connect(lambda: self.clicked.emit(self._number))
            self._tray.activated.connect(lambda _: self.clicked.emit(self._number))
        self._number = number
        self._tray.show()
        self._tray.showMessage(title, detail, self._icon())
        return True

    def hide(self) -> None:
        """Remove the icon from the tray."""
        if self._tray is not None:
            self._tray.hide()


class Notifier(QObject):
    """Forwards new notices to the desktop while the window is not in front.

    Args:
        notices: what is told.
        is_in_front: whether somebody looks at the window.
        desktop: the first way.
        tray: the second way.

    Attributes:
        is_on: whether anything is told there.
        quiet: the kinds that are not.
        last_error: why the desktop's notifications could not be used the last time; empty: they could.

    Signals:
        chosen(object): a `Notice` was clicked there; None: several were told together.
    """

    chosen = Signal(object)

    def __init__(
        self,
        notices: Notices,
        is_in_front: Callable[[], bool],
        desktop: Desktop,
        tray: Tray,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.is_on, self.last_error = True, ""
        self.quiet: frozenset[NoticeKind] = frozenset()
        self._notices, self._is_in_front, self._desktop, self._tray = notices, is_in_front, desktop, tray
        self._waiting: dict[int, Notice] = {}
        self._told: asyncio.Task[None] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(GATHER_MS)
        self._timer.timeout.connect(self._tell)
        notices.came.connect(self._note)
        for way in (desktop, tray):
            way.clicked.connect(self._choose)

    def rest(self) -> None:
        """Drop the notices that wait: the user looks at the window."""
        self._waiting.clear()
        self._tray.hide()

    async def close(self) -> None:
        """Stop showing notifications, and close bus and tray."""
        self._timer.stop()
        if self._told is not None:
            self._told.cancel()
            await asyncio.gather(self._told, return_exceptions=True)
        self._desktop.close()
        self._tray.hide()

    # ---- telling

    def _note(self, notice: Notice) -> None:
        if self.is_on and notice.kind not in self.quiet and not self._is_in_front():
            self._waiting[notice.number] = notice
            if not self._timer.isActive():
                self._timer.start()

    def _tell(self) -> None:
        if self._told is not None:
            self._timer.start()  # the desktop has not answered yet; what waits is told together later
            return
        waiting, self._waiting = list(self._waiting.values()), {}
        if waiting and not self._is_in_front():
            self._told = asyncio.get_running_loop().create_task(self._tell_all(waiting), name="console: telling")
            self._told.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._told = None
        if not task.cancelled():
            task.result()

    async def _tell_all(self, waiting: list[Notice]) -> None:
        if len(waiting) <= MOST_AT_ONCE:
            for notice in waiting:
                await self._tell_one(notice.number, title_of(notice), detail_of(notice), notice.kind in _LOUD)
            return
        titles = "\n".join(title_of(notice) for notice in waiting[-MOST_AT_ONCE:])
        is_loud = any(notice.kind in _LOUD for notice in waiting)
        await self._tell_one(_SEVERAL, self.tr("%n notification(s)", "", len(waiting)), titles, is_loud)

    async def _tell_one(self, number: int, title: str, detail: str, is_loud: bool) -> None:
        try:
            await self._desktop.tell(number, title, detail, is_loud=is_loud)
            self.last_error = ""
        except BusError as error:
            self.last_error = str(error)
            self._tray.tell(number, title, detail)

    def _choose(self, number: int) -> None:
        self._tray.hide()
        self.chosen.emit(next((notice for notice in self._notices if notice.number == number), None))


_SEVERAL: Final = -1
"""The number under which many notices are told at once."""


class Beeper(QObject):
    """Makes the system's sound for new notices of the chosen kinds; a burst of them is one sound.

    Args:
        notices: what is told.
        beep: makes the sound.

    Attributes:
        kinds: those that make a sound.
    """

    def __init__(
        self, notices: Notices, beep: Callable[[], None] = QApplication.beep, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._beep = beep
        self._last = -1
        self.kinds: frozenset[NoticeKind] = frozenset()
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(QUIET_MS)
        notices.came.connect(self._note)

    def _note(self, notice: Notice) -> None:
        is_new, self._last = notice.number > self._last, max(self._last, notice.number)
        if is_new and notice.kind in self.kinds and not self._rest.isActive():
            self._rest.start()
            self._beep()
