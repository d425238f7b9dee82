"""The dialog that connects to the engine of a server, on this computer or on another machine over SSH."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QButtonGroup
from typing_extensions import override

from starloom.errors import StarloomError
from starloom.server.connecting import login
from starloom_gui.attachment import Attachment
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.gateway.attaching import HERE, ServerFound, look_at, ssh_address
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.choice_row import choice_row
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.editor import FieldSpec, ValueType
from starloom_gui.widgets.form import Form

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from PySide6.QtWidgets import QWidget

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

WIDTH: Final = 520
_SSH: Final = 1


class ConnectDialog(Dialog):
    """Asks for a server, looks whether it is there, and says so; to be shown with `open()`.

    Args:
        appearance: the colours.
        last: the machine that was connected to last; empty: none was.
        look: looks at the server of an address.
        parent: the window it stands over.

    Attributes:
        here, machine, person: the fields of a server here, of one on another machine, and of who connects.

    Signals:
        reached(Attachment, bool): the server is there; whether its engine is to have a window of its own.
    """

    reached = Signal(object, bool)

    def __init__(
        self,
        appearance: Appearance,
        last: str = "",
        look: Callable[[str], Awaitable[ServerFound]] = look_at,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, "", "", width=WIDTH, parent=parent)
        self.retitle(self.tr("Connect"), self.tr("Connect"))
        self._look_at = look
        self._kinds = QButtonGroup(self)
        colours = lambda: appearance.palette  # noqa: E731
        self.here, self.machine = Form(self._here_fields(), colours), Form(self._machine_fields(), colours)
        self.person = Form(self._person_fields(), colours)
        self.background_tasks = BackgroundTasks("console: connect")
        self.finished.connect(self.background_tasks.cancel)
        self._furnish()
        self.apply_theme(appearance.palette)
        self.machine.fill({"host": last})
        self._kinds.button(_SSH if last else 0).setChecked(True)
        self._turn()

    def _here_fields(self) -> list[FieldSpec]:
        folder_help = self.tr("Of the journals, if they are not in their usual place: what `starloom serve` was told.")
        return [FieldSpec(name="folder", label=self.tr("Folder"), help=folder_help, is_long=True)]

    def _machine_fields(self) -> list[FieldSpec]:
        host_help = self.tr("By your own ssh, with its keys, jumps and known hosts.")
        folder_help = self.tr("Of the journals there, if they are not in their usual place.")
        hint = self.tr("user@machine")
        return [
            FieldSpec(name="host", label=self.tr("Machine"), required=True, hint=hint, help=host_help, is_long=True),
            FieldSpec(name="folder", label=self.tr("Folder"), help=folder_help, is_long=True, is_rare=True),
        ]

    def _person_fields(self) -> list[FieldSpec]:
        return [
            FieldSpec(
                name="name",
                label=self.tr("Your name"),
                hint=login(),
                help=self.tr("Shown beside what you change."),
                is_long=True,
            ),
            FieldSpec(
                name="watches",
                label="",
                sort=ValueType.SWITCH,
                default=False,
                unit=self.tr("Watch only: change nothing"),
            ),
            FieldSpec(
                name="apart",
                label="",
                sort=ValueType.SWITCH,
                default=False,
                unit=self.tr("In a window of its own, rather than in a tab of this one"),
            ),
        ]

    def _furnish(self) -> None:
        kinds = (
            (self.tr("This computer"), self.tr("The server of your journals, or another console that has them")),
            (self.tr("SSH"), self.tr("A server on another machine")),
        )
        self.body.addWidget(choice_row(self._kinds, self.tr("Where the server is"), kinds))
        self.body.addSpacing(GAPS[1])
        self.body.addWidget(self.here)
        self.body.addWidget(self.machine)
        self.body.addWidget(self.person)
        self._kinds.idToggled.connect(lambda *_: self._turn())
        for form in (self.here, self.machine, self.person):
            form.edited.connect(self._look)

    def _turn(self) -> None:
        is_ssh = self._kinds.checkedId() == _SSH
        self.machine.setVisible(is_ssh)
        self.here.setVisible(not is_ssh)
        (self.machine.editor("host") if is_ssh else self.person.editor("name")).setFocus()
        self._look()

    def _look(self) -> None:
        """Look no more at a server, as it is another one that is wanted."""
        self.background_tasks.cancel()
        self.allow(self.machine.missing() if self._kinds.checkedId() == _SSH else "")

    def wanted(self) -> Attachment:
        """The connection that the fields describe."""
        person = self.person.values() or {}
        name, watches = str(person.get("name") or "").strip(), bool(person.get("watches"))
        if self._kinds.checkedId() != _SSH:
            folder = str((self.here.values() or {}).get("folder") or "").strip()
            return Attachment(folder or HERE, name, watches)
        machine = self.machine.values() or {}
        host, folder = str(machine.get("host") or "").strip(), str(machine.get("folder") or "").strip()
        return Attachment(ssh_address(host, folder), name, watches)

    @override
    def do(self) -> None:
        for form in (self.here, self.machine, self.person):
            form.clear()
        place = self.machine if self._kinds.checkedId() == _SSH else self.here
        folder = str(place.editor("folder").value() or "").strip()
        if folder and not folder.startswith(("/",) if place is self.machine else ("/", "~/")):
            self.machine.show_more()
            place.explain("folder", self.tr("Give its whole path, such as /srv/journals."))
            return
        wanted = self.wanted()
        self.note(self.tr("Connecting…"))
        self.background_tasks.cancel()
        self.background_tasks.begin(self._reach(wanted))

    async def _reach(self, wanted: Attachment) -> None:
        try:
            found = await self._look_at(wanted.address)
        except StarloomError as error:
            self._explain(why_not(error))
            return
        if found.pid == os.getpid():
            self._explain(self.tr("These are the runs of this window's own engine. Name the folder of another server."))
            return
        runs = ServerPlurals().runs(found.runs)
        self.note(fill(self.tr("Reached: Starloom %1, %2"), found.version, runs))
        self.accept()
        self.reached.emit(wanted, bool((self.person.values() or {}).get("apart")))

    def _explain(self, words: str) -> None:
        self.note("")
        if self._kinds.checkedId() == _SSH:
            self.machine.explain("host", words)
        else:
            self.here.explain("folder", words)

    @override
    def apply_theme(self, palette: Palette) -> None:
        super().apply_theme(palette)
        self.here.apply_theme(palette)
        self.machine.apply_theme(palette)
        self.person.apply_theme(palette)


class ServerPlurals(QObject):
    """Counts of what a server has."""

    def runs(self, count: int) -> str:
        """A number of runs, as text."""
        return self.tr("%n run(s)", "", count)
