"""The dialog about a host key that has changed: both fingerprints, how to compare them, and replacing the key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from typing_extensions import override

from starloom.errors import DeviceError
from starloom_gui.dialogs.host_key import replace_key
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import GAPS, SMALLEST_FONT
from starloom_gui.widgets.controls import button, text
from starloom_gui.widgets.dialog import Dialog, as_wide_as_there_is_room
from starloom_gui.widgets.editors import CheckBox

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QLabel, QWidget

    from starloom.devices.ssh.errors import HostKeyChanged
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

WIDTH: Final = 560
COMMAND: Final = "cat /etc/ssh/ssh_host_*_key.pub | ssh-keygen -lf -"
"""What says on the machine itself which fingerprints its host keys have."""
_COPYABLE: Final = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard


class ChangedKeyDialog(Dialog):
    """Asks whether another host key is trusted from now on; to be shown with `open()`. Enter cancels.

    Attributes:
        compared: the tick without which nothing is replaced.
        copy: the button that copies the error, which has the command for a terminal.

    Args:
        appearance: the colours.
        key: the error that has both keys.
        replaced: is called once the key is trusted, to connect again.
        parent: the window it stands over.
    """

    def __init__(
        self,
        appearance: Appearance,
        key: HostKeyChanged,
        replaced: Callable[[], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, "", "", width=WIDTH, parent=parent)
        self._key, self._replaced = key, replaced
        where = f"[{key.host}]:{key.port}" if ":" in key.host else f"{key.host}:{key.port}"
        self.retitle(fill(self.tr("The host key of %1 has changed"), key.host), self.tr("Replace the trusted key"))
        self._say(
            fill(self.tr("%1 shows another host key than the one that is trusted. Nothing was sent to it."), where)
        )
        self._say(
            self.tr(
                "Somebody may have come between you and this machine, or another one has its address. It may also have "
                "been set up anew."
            )
        )
        self._say(self.tr("Trusted until now"), "muted")
        self._show("\n".join(key.known))
        self._say(self.tr("Shown now"), "muted")
        self._show(f"{key.algorithm}\n{key.fingerprint}")
        self._say(
            self.tr(
                "Compare what is shown now with what this command says on the machine itself, or ask whoever looks "
                "after it:"
            )
        )
        self._show(COMMAND)
        self.compared = CheckBox(self.tr("I have compared the fingerprint, and it is the same"))
        self.compared.toggled.connect(self._look)
        self.body.addSpacing(GAPS[0])
        self.body.addWidget(self.compared)
        self.copy = button(self.tr("Copy text"))
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(str(key)))
        self.aside.addWidget(self.copy)
        self.apply_theme(appearance.palette)
        self.default.setDefault(False)
        self.cancel.setDefault(True)  # whoever presses Enter without having read has trusted nobody
        self.cancel.setFocus()
        self._look()

    def _say(self, words: str, look: str = "") -> None:
        self._put(text(words, look=look))

    def _show(self, words: str) -> None:
        label = text(words)
        label.setFont(font(Role.MONOSPACE, base=SMALLEST_FONT))  # so that a fingerprint fits into one line
        label.setTextInteractionFlags(_COPYABLE)
        label.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._put(label)

    def _put(self, label: QLabel) -> None:
        as_wide_as_there_is_room(label)
        self.body.addWidget(label)

    def _look(self) -> None:
        self.allow("" if self.compared.isChecked() else self.tr("Compare it first"))

    @override
    def do(self) -> None:
        try:
            replace_key(self._key)
        except DeviceError as error:
            self.note(fill(self.tr("%1 Nothing was replaced."), why_not(error)))
            return
        self.accept()
        self._replaced()

    @override
    def apply_theme(self, palette: Palette) -> None:
        super().apply_theme(palette)
        self.compared.colours = palette
        self.compared.update()
