"""Connecting to a server: which one is meant, what is said of one that is not there, and what is shown of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QAbstractButton, QWidget
from tests.virtual_time import run

from starloom.errors import SettingsError
from starloom.server.links import NoServerError, ProgramLink
from starloom.server.socket_path import ServerError
from starloom_gui.attachment import Attachment
from starloom_gui.dialogs.connect import ConnectDialog
from starloom_gui.gateway.attaching import ServerFound, address_of
from starloom_gui.settings import Settings
from starloom_gui.shell.connect_actions import ConnectActions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom_gui.widgets.message_bar import ErrorMessage

FOUND = ServerFound("1.0", 2)


class Bench:
    """The dialog over servers of which a test says what they answer."""

    def __init__(self, appearance, last: str = "", answer: ServerFound | Exception = FOUND) -> None:
        self.answer = answer
        self.looked: list[str] = []
        self.reached: list[Attachment] = []
        self.started: list[str] = []
        self.dialog = ConnectDialog(appearance, [last] if last else [], self.look, self.start)
        self.dialog.reached.connect(lambda wanted, _: self.reached.append(wanted))
        self.dialog.open()

    async def look(self, address: str) -> ServerFound:
        self.looked.append(address)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    async def start(self, address: str) -> None:
        self.started.append(address)
        self.answer = FOUND

    def choose(self, words: str) -> None:
        next(one for one in self.dialog.findChildren(QAbstractButton) if words in one.text()).click()

    async def do(self) -> None:
        self.dialog.default.click()
        await self.dialog.background_tasks.settled()


def test_the_server_of_this_computer_is_meant_at_first(app, appearance):
    async def main() -> None:
        bench = Bench(appearance)
        assert not bench.dialog.machine.isVisibleTo(bench.dialog)
        bench.dialog.person.fill({"name": " eve ", "watches": True})
        await bench.do()
        assert bench.looked == ["here"]
        assert bench.reached == [Attachment("here", "eve", watches=True)]
        assert bench.dialog.reason.startswith("Reached: Starloom 1.0, 2 run")
        assert not bench.dialog.isVisible()

    run(main())


@pytest.mark.parametrize(
    ("host", "folder", "address", "command"),
    [
        ("lab", "", "lab", "-- lab starloom"),
        ("ada@lab", "", "ada@lab", "-- ada@lab starloom"),
        ("ada@lab:2222", "", "ssh://ada@lab:2222", "-p 2222 -- ada@lab starloom"),
        ("ada@lab", "/srv/our runs", "ssh://ada@lab/srv/our%20runs", "--journal '/srv/our runs'"),
        ("ssh://ada@lab:2222/srv/runs", "", "ssh://ada@lab:2222/srv/runs", "--journal /srv/runs"),
    ],
)
def test_a_machine_is_named_as_ssh_takes_it_or_with_a_port_or_a_folder(app, appearance, host, folder, address, command):
    async def main() -> None:
        bench = Bench(appearance)
        bench.choose("SSH")
        assert not bench.dialog.default.isEnabled()
        bench.dialog.machine.fill({"host": host, "folder": folder})
        await bench.do()
        assert bench.reached == [Attachment(address)]
        link = address_of(address).link
        assert isinstance(link, ProgramLink)
        assert command in " ".join(link._command)

    run(main())


def test_a_folder_of_another_machine_needs_its_whole_path(app, appearance):
    async def main() -> None:
        bench = Bench(appearance, last="lab")
        bench.dialog.machine.fill({"host": "lab", "folder": "runs"})
        await bench.do()
        assert not bench.looked
        assert bench.dialog.machine.reason("folder") == "Give its whole path, such as /srv/journals."
        assert bench.dialog.machine.editor("folder").isVisibleTo(bench.dialog)

    run(main())


def test_a_server_that_is_not_there_is_started_if_it_is_to_be_here(app, appearance):
    async def main() -> None:
        bench = Bench(appearance, answer=NoServerError("No server runs here."))
        bench.dialog.here.fill({"folder": "/srv/lab"})
        await bench.do()
        assert bench.dialog.here.reason("folder") == "No server runs here."
        bench.choose("Start one")
        await bench.dialog.background_tasks.settled()
        assert bench.started == ["/srv/lab"]
        assert bench.reached == [Attachment("/srv/lab")]
        far = Bench(appearance, last="lab", answer=NoServerError("No server runs there."))
        await far.do()
        assert far.dialog.machine.reason("host") == "No server runs there."
        assert not [one for one in far.dialog.findChildren(QAbstractButton) if "Start" in one.text()]

    run(main())


def test_machines_that_were_connected_to_are_offered(app, appearance, tmp_path):
    settings = Settings(tmp_path / "console.ini")
    for number in (*range(6), 3):
        settings.note_machine(f"m{number}")
    assert settings.machines == ("m3", "m5", "m4", "m2", "m1")
    dialog = ConnectDialog(appearance, settings.machines)
    dialog.open()
    assert dialog.machine.values() == {"host": "m3", "folder": None}
    next(one for one in dialog.recent.findChildren(QAbstractButton) if one.text() == "m4").click()
    assert dialog.machine.values() == {"host": "m4", "folder": None}
    dialog._kinds.button(0).click()
    assert not dialog.recent.isVisible()
    settings.store.setValue("connect/machines", "{")
    assert settings.machines == ()


def test_a_server_of_this_computer_may_have_other_journals_and_is_not_the_window_itself(app, appearance):
    async def main() -> None:
        bench = Bench(appearance, answer=ServerFound("1.0", 2, os.getpid()))
        await bench.do()
        assert "this window's own engine" in bench.dialog.here.reason("folder")
        assert not bench.reached
        bench.dialog.here.fill({"folder": "lab"})
        await bench.do()
        assert bench.dialog.here.reason("folder") == "Give its whole path, such as /srv/journals."
        bench.answer = FOUND
        bench.dialog.here.fill({"folder": "~/lab"})
        await bench.do()
        assert bench.looked == ["here", "~/lab"]
        assert bench.reached == [Attachment("~/lab")]

    run(main())


@pytest.mark.parametrize(
    ("last", "answer"),
    [
        ("", ServerError("No server runs here.")),
        ("lab", ServerError("No route to lab.")),
        ("a:b", SettingsError("No.")),
    ],
)
def test_what_failed_stands_where_it_is_mended_and_another_try_may_follow(app, appearance, last, answer):
    async def main() -> None:
        bench = Bench(appearance, last, answer)
        await bench.do()
        form, field = (bench.dialog.machine, "host") if last else (bench.dialog.here, "folder")
        assert form.reason(field) == str(answer)
        assert bench.dialog.isVisible()
        assert not bench.reached
        bench.answer = FOUND
        await bench.do()
        assert not form.reason(field)
        assert len(bench.reached) == 1

    run(main())


def test_a_folder_of_this_machine_has_a_slash_whatever_else_is_named_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    Path("lab").mkdir()
    assert address_of("lab").folder is None
    assert address_of("./lab").folder == Path("lab")
    assert address_of("~/lab").folder == tmp_path / "lab"
    with pytest.raises(SettingsError, match="names no server"):
        address_of("http://lab/runs")


@pytest.mark.parametrize("works", [True, False])
def test_what_was_reached_is_shown_here_or_by_another_program_and_remembered(app, appearance, tmp_path, works: bool):
    started: list[Sequence[str]] = []
    shown: list[Attachment] = []
    told: list[ErrorMessage] = []

    def start(arguments: Sequence[str]) -> bool:
        started.append(arguments)
        return works

    window = QWidget()
    settings = Settings(tmp_path / "console.ini")
    actions = ConnectActions(settings, told.append, shown.append, appearance, window, start)
    actions.ask()
    window.findChildren(ConnectDialog)[-1].reached.emit(Attachment("ada@lab", "eve", watches=True), True)
    actions.ask()
    last = window.findChildren(ConnectDialog)[-1]
    assert last.machine.values() == {"host": "ada@lab", "folder": None}
    last.reached.emit(Attachment("here"), True)
    last.reached.emit(Attachment("here"), False)
    assert settings.machines == ("ada@lab",)
    assert started == [["--attach", "ada@lab", "--as", "eve", "--watch"], ["--attach", "here"]]
    assert shown == [Attachment("here")]
    assert [one.what for one in told] == ([] if works else ["ada@lab is not shown", "here is not shown"])
