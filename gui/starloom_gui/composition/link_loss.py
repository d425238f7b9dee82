"""A connection to an engine elsewhere that is lost: the window says so until it is there again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

from starloom_gui.editing.words import EditPlurals
from starloom_gui.text.words import fill
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.engine_follower import EngineFollower
    from starloom_gui.widgets.message_bar import MessageBar

_NAMED: Final = 5
_LEAVING_MS: Final = 2_000
"""Milliseconds in which a server that ends in order has left, once its connections are closed."""


class LinkLoss(QObject):
    """Watches the connection to an engine.

    Args:
        follower: of the engine.
        bridge: is to read everything anew once it is there again.
        strip: says it.
        changed: is called whenever it is lost or there again.
        parent: of the object.
    """

    def __init__(
        self,
        follower: EngineFollower,
        bridge: Bridge,
        strip: MessageBar,
        changed: Callable[[], object],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._follower, self._bridge, self._strip, self._changed = follower, bridge, strip, changed
        self._devices: tuple[str, ...] = ()
        self._said: ErrorMessage | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_LEAVING_MS)
        self._later.timeout.connect(self._look_again)

    def watch(self) -> None:
        """Start to show a message whenever the connection is lost."""
        self._follower.link_changed.connect(self._show)

    @property
    def behind(self) -> float:
        """The seconds since it was lost; 0: it is there."""
        since = self._follower.lost_since
        return max(0.001, self._bridge.now() - since) if since is not None else 0.0

    def close(self) -> None:
        """Watch no more."""
        self._later.stop()
        self._follower.link_changed.disconnect(self._show)

    def _show(self) -> None:
        follower = self._follower
        if follower.lost_since is None:
            self._withdraw()
            self._bridge.read_anew()
            self._tell_of_devices()
        elif follower.trouble:
            what = fill(self.tr("%1 is followed no more"), follower.where)
            self._strip.show_trouble(ErrorMessage(what, follower.trouble, stays=True))
        else:
            self._withdraw()  # it may have been silent before
            self._said = self._words()
            self._strip.show_trouble(self._said)
            self._later.start()
            of_plans = {spec.id for run in self._bridge.all_runs() for spec in run.devices}
            self._devices = tuple(id for id in follower.fleet_facts.devices if id not in of_plans)
        self._changed()

    def _look_again(self) -> None:
        """Say by now whether a server is there at all: one that ends closes its connections first."""
        if self._follower.lost_since is None or self._said is None or not self._strip.holds(self._said):
            return
        words = self._words()
        if words != self._said:
            self._withdraw()
            self._said = words
            self._strip.show_trouble(words)

    def _withdraw(self) -> None:
        if self._said is not None:
            self._strip.withdraw(self._said)
            self._said = None

    def _words(self) -> ErrorMessage:
        """What is said of the loss."""
        follower = self._follower
        what = fill(self.tr("The connection to %1 is lost"), follower.where)
        why = self.tr("Runs there may go on. The connection is being restored; until then nothing can be changed here.")
        if follower.is_silent:
            what = fill(self.tr("%1 does not answer"), follower.where)
            why = self.tr(
                "Its program stands still, or has too much to do. Until it answers nothing can be changed here."
            )
        elif follower.has_left():
            what = fill(self.tr("The server of %1 has ended"), follower.where)
            why = self.tr("The next one is looked for; until then nothing can be changed here.")
            if any(follower.live):
                why = self.tr(
                    "Its runs go on once it is started with --resume. It is looked for; until then nothing can be"
                    " changed here."
                )
        elif not any(follower.live):
            why = self.tr(
                "No run went on there. The connection is being restored; until then nothing can be changed here."
            )
        return ErrorMessage(what, why, stays=True)

    def _tell_of_devices(self) -> None:
        """Say which devices have gone meanwhile, as somebody removed them, or a new server does not know them."""
        gone = [id for id in self._devices if id not in self._follower.fleet_facts.devices]
        if gone:
            rest = [EditPlurals().more(len(gone) - _NAMED)] if len(gone) > _NAMED else []
            named = " ".join([", ".join(gone[:_NAMED]), *rest])
            what = fill(self.tr("Gone from %1 while it was not reached: %2"), self._follower.where, named)
            why = self.tr(
                "Somebody has removed them, or a server was started that is not given them. Add them again if they are"
                " missed: what is added to a server stays with it."
            )
            self._strip.show_trouble(ErrorMessage(what, why, is_notice=True, can_wait=True, lasts=True))
