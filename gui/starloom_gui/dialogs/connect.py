"""The dialog that connects to the engine of a server, on this computer or on another machine over SSH."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QWidget
from typing_extensions import override

from starloom.errors import StarloomError
from starloom.server.connecting import login
from starloom.server.links import NoServerError
from starloom_gui.attachment import Attachment
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.gateway.attaching import HERE, ServerFound, look_at, ssh_address, start_here
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.choice_row import choice_row
from starloom_gui.widgets.controls import button, text
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.editor import FieldSpec, ValueType
from starloom_gui.widgets.field_error import ErrorRemedy
from starloom_gui.widgets.form import LABELS, Form

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

WIDTH: Final = 520
_SSH: Final = 1


class ConnectDialog(Dialog):
    """Asks for a server, looks whether it is there, and says so; to be shown with `open()`.

    Args:
        appearance: the colours.
        machines: those that were connected to, the last one first.
        look: looks at the server of an address.
        start: starts the server of an address on this computer.
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
        machines: Sequence[str] = (),
        look: Callable[[str], Awaitable[ServerFound]] = look_at,
        start: Callable[[str], Awaitable[None]] = start_here,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, "", "", width=WIDTH, parent=parent)
        self.retitle(self.tr("Connect"), self.tr("Connect"))
        self._look_at, self._start_one, self._machines = look, start, machines
        self._kinds = QButtonGroup(self)
        colours = lambda: appearance.palette  # noqa: E731
        self.here, self.machine = Form(self._here_fields(), colours), Form(self._machine_fields(), colours)
        self.person = Form(self._person_fields(), colours)
        self.recent = self._recent_row()
        self.background_tasks = BackgroundTasks("console: connect")
        self.finished.connect(self.background_tasks.cancel)
        self._furnish()
        self.apply_theme(appearance.palette)
        self.machine.fill({"host": next(iter(machines), "")})
        self._kinds.button(_SSH if machines else 0).setChecked(True)
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

    def _recent_row(self) -> QWidget:
        """Buttons of the machines that were connected to before the last one; each fills its name in."""
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, GAPS[1])
        row.setSpacing(GAPS[0])
        label = text(self.tr("Before"), wraps=False)
        label.setFixedWidth(LABELS + GAPS[1] - GAPS[0])  # so that the buttons stand below the fields
        row.addWidget(label)
        for machine in self._machines[1:]:
            one = button(machine.replace("&", "&&"), height=24)
            one.clicked.connect(lambda _=False, name=machine: self._choose_machine(name))
            row.addWidget(one)
        row.addStretch(1)
        return made

    def _choose_machine(self, name: str) -> None:
        self.machine.fill({"host": name})
        self._look()

    def _furnish(self) -> None:
        kinds = (
            (self.tr("This computer"), self.tr("The server of your journals, or another console that has them")),
            (self.tr("SSH"), self.tr("A server on another machine")),
        )
        self.body.addWidget(choice_row(self._kinds, self.tr("Where the server is"), kinds))
        self.body.addSpacing(GAPS[1])
        self.body.addWidget(self.here)
        self.body.addWidget(self.machine)
        self.body.addWidget(self.recent)
        self.body.addWidget(self.person)
        self._kinds.idToggled.connect(lambda *_: self._turn())
        for form in (self.here, self.machine, self.person):
            form.edited.connect(self._look)

    def _turn(self) -> None:
        is_ssh = self._kinds.checkedId() == _SSH
        self.machine.setVisible(is_ssh)
        self.here.setVisible(not is_ssh)
        self.recent.setVisible(is_ssh and len(self._machines) > 1)
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
        except NoServerError as error:
            is_here = self._kinds.checkedId() != _SSH
            starts = ErrorRemedy(self.tr("Start one"), lambda: self._start(wanted))
            self._explain(why_not(error), (starts,) if is_here else ())
            return
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

    def _start(self, wanted: Attachment) -> None:
        """Start the server that is not there, and reach it."""
        self.here.clear()
        self.note(self.tr("Starting a server…"))
        self.background_tasks.cancel()
        self.background_tasks.begin(self._reach_started(wanted))

    async def _reach_started(self, wanted: Attachment) -> None:
        try:
            await self._start_one(wanted.address)
        except StarloomError as error:
            self._explain(why_not(error))
            return
        await self._reach(wanted)

    def _explain(self, words: str, remedies: Sequence[ErrorRemedy] = ()) -> None:
        self.note("")
        if self._kinds.checkedId() == _SSH:
            self.machine.explain("host", words)
        else:
            self.here.explain("folder", words, remedies=remedies)

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
