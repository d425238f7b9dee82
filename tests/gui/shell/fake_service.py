"""A notification service over Qt's own D-Bus, as a program: writes a line of JSON for whatever it is asked.

The first line says `ready`. Given the word `refuse` it refuses everything. A title that begins with `click` is clicked
at once. Qt calls the slot only if the types of all arguments are those of the specification.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from PySide6.QtCore import ClassInfo, QCoreApplication, QObject, QTimer, Signal, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
of_class: Any = ClassInfo  # the stubs know another form of it


def say(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


@of_class({"D-Bus Interface": NAME})
class Service(QObject):
    """Answers with 1, 2, 3 …, or with the number of what is replaced."""

    ActionInvoked = Signal("uint", str)  # type: ignore[arg-type]  # a type that Python has no name for

    def __init__(self) -> None:
        super().__init__()
        self._last = 0

    @Slot(str, "uint", str, str, str, "QStringList", "QVariantMap", int, result="uint")
    def Notify(self, *asked: Any) -> int:  # noqa: N802 - the name on the bus
        known = ("application", "replaces", "icon", "title", "text", "actions", "hints", "expires")
        said = dict(zip(known, asked, strict=True))
        say(said)
        if not said["replaces"]:
            self._last += 1
        number: int = said["replaces"] or self._last
        if said["title"].startswith("click"):
            QTimer.singleShot(0, lambda: self.ActionInvoked.emit(number, "default"))
        return number


@of_class({"D-Bus Interface": NAME})
class Refusing(QObject):
    """Answers every call with an error."""

    def __init__(self, bus: QDBusConnection) -> None:
        super().__init__()
        self._bus = bus

    @Slot(QDBusMessage)
    def Notify(self, message: QDBusMessage) -> None:  # noqa: N802 - the name on the bus
        say({"refused": message.signature()})
        message.setDelayedReply(True)
        self._bus.send(message.createErrorReply("org.example.Refused", "Do not disturb."))


def main() -> int:
    application = QCoreApplication(sys.argv)
    bus = QDBusConnection.sessionBus()
    service = Refusing(bus) if "refuse" in sys.argv else Service()
    every = QDBusConnection.RegisterOption
    if not bus.registerObject(PATH, service, every.ExportAllSlots | every.ExportAllSignals):
        return 1
    if not bus.registerService(NAME):
        return 1
    say({"ready": True})
    return application.exec()


if __name__ == "__main__":
    sys.exit(main())
