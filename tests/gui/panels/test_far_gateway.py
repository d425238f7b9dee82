"""A gateway that is none of the console's own: its engine is elsewhere, hears commands as text and answers later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from PySide6.QtCore import QObject, QRect, Qt, Signal
from PySide6.QtTest import QTest
from tests.driver import RUN, Driver, plan

from starloom.constellation.edits import EditBatch, UpdateTask
from starloom.errors import CommandRefused
from starloom.formats.command_forms import read_command
from starloom.formats.command_writer import command_form
from starloom.scheduling import commands as c
from starloom.scheduling import reservation_commands
from starloom.scheduling.read.run_view import RunView
from starloom_gui.editing.base import Step
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.editing.run_gateway import RunGateway
from starloom_gui.gateway.commands import Done, Refusal
from starloom_gui.gateway.verbs import command_for, command_word, verb_of
from starloom_gui.panels.limit_popover import LimitPopover
from starloom_gui.specs.action_list import ACTIONS
from starloom_gui.specs.action_spec import About, Target, Verb, Verdict

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom.scheduling.decide.required_statuses import AnyCommand
    from starloom_gui.theme.appearance import Appearance


def written(command: c.Command) -> bytes:
    """A command as JSON: its class and its fields; edits in the form in which scripts write them."""
    if isinstance(command, c.EditConstellation):
        return msgspec.json.encode(("EditConstellation", {"run_id": command.run_id, **command_form(command)}))
    return msgspec.json.encode((type(command).__name__, command))


def read(text: bytes) -> c.Command:
    """The command that was written.

    Raises:
        AssertionError: it cannot be read.
    """
    word, fields = msgspec.json.decode(text)
    if word == "EditConstellation":
        wrong: list[object] = []
        command = read_command({"edit": fields["edit"]}, lambda *said: wrong.append(said))
        assert isinstance(command, c.EditConstellation), wrong
        return msgspec.structs.replace(command, run_id=fields["run_id"])
    if word == "SetFence":
        return c.SetFence(**fields)  # a fence may be any text, which is judged when it is given
    room = reservation_commands if word in dir(reservation_commands) else c
    made: c.Command = msgspec.convert(fields, getattr(room, word))
    return made


class FarGateway(QObject):
    """Writes each command and is answered when `hear` is called; offers everything, as it cannot look there and wait.

    Attributes:
        sent: what was asked for and is not answered, by ticket.
    """

    done = Signal(object)
    refused = Signal(object)
    origin = "far"

    def __init__(self, driver: Driver) -> None:
        super().__init__()
        self._driver = driver
        self.sent: dict[int, bytes] = {}
        self._last = 0

    def can(self, command: c.Command) -> Verdict:
        return Verdict(True)

    def possible_part(self, command: AnyCommand) -> AnyCommand:
        return command

    def do(self, command: c.Command) -> int:
        self._last += 1
        self.sent[self._last] = written(command)
        return self._last

    def hear(self) -> None:
        """Have the other side read all that was sent, do it and answer."""
        for ticket, text in [*self.sent.items()]:
            del self.sent[ticket]
            command = read(text)
            what = command_word(command)
            try:
                answer = self._driver.do(command)
            except CommandRefused as refused:
                self.refused.emit(Refusal(ticket=ticket, who=self.origin, what=what, reason=refused.reason))
            else:
                self.done.emit(Done(ticket=ticket, what=what, answer=answer))

    def lose(self) -> None:
        """Have nobody hear what was sent."""
        for ticket, text in self.sent.items():
            what = command_word(read(text))
            self.refused.emit(Refusal(ticket=ticket, who=self.origin, what=what, reason="The connection is lost."))
        self.sent.clear()


@pytest.fixture
def driver() -> Driver:
    made = Driver(devices=(), checked=False)
    made.add_device("local", slots=1)
    made.create(plan(["a", "b"]))
    return made


def test_a_pane_shows_what_a_far_engine_answers(app: QApplication, appearance: Appearance, driver: Driver) -> None:
    far = FarGateway(driver)
    popover = LimitPopover(appearance, lambda: driver.scheduler.fleet, lambda: RunView(driver.run()), far)
    far.refused.connect(popover.refuse)
    popover.popup(QRect(100, 100, 180, 28))
    row = popover.rows[0]
    for typed, limit in (("3", 3), ("4", 4)):
        QTest.keyClicks(row.field.line, typed)
        QTest.keyClick(row.field.line, Qt.Key.Key_Tab)
        assert driver.run().limit != limit, "nobody waited for the answer"
        assert row.field.line.text() == typed, "what is meant stands there until the facts say it"
        far.hear()
        assert driver.run().limit == limit
        popover.on_changes()
        assert row.field.line.text() == typed
        row.field.line.setFocus()
        row.field.line.selectAll()
    QTest.keyClicks(row.field.line, "5")
    QTest.keyClick(row.field.line, Qt.Key.Key_Tab)
    far.lose()
    assert "The connection is lost." in row.field.line.accessibleDescription()
    assert row.field.line.text() == "4"
    popover.close()


def test_edits_and_commands_for_a_far_engine_are_steps_that_it_takes_back(app: QApplication, driver: Driver) -> None:
    far = FarGateway(driver)
    editor = RunEditor(RUN, driver.run, far)
    asks, b = RunGateway(editor, far), driver.run().graph.place["b"]
    asks.do(c.HoldTasks(run_id=RUN, task_ids=("b",), reason="not yet"))
    assert editor.is_busy
    assert not editor.history.entries, "it has not said that it did"
    far.hear()
    assert b in driver.run().held
    editor.do(Step(label="Time out", edits=(UpdateTask("b", timeout=9.0),)))
    far.hear()
    assert driver.run().graph.task("b").timeout == 9.0
    assert [entry.label for entry in editor.history.entries] == ["Hold: b", "Time out"]
    for _ in range(2):
        editor.undo()
        far.hear()
    assert driver.run().graph.task("b").timeout is None
    assert b not in driver.run().held
    editor.close()


GIVEN: dict[Verb, dict[str, Any]] = {
    Verb.CANCEL_RUN: {"reason": "enough"},
    Verb.LIMIT_RUN: {"max_concurrency": 3},
    Verb.SET_FENCE: {"fence": "none", "approval_timeout": None},
    Verb.TRUST_AGENT: {"asks": ("add_task", "remove_task")},
    Verb.ANSWER_APPROVAL: {"note": "but not that", "without": (0, 2)},
    Verb.ANSWER_GATE: {"note": "fine", "attempt": 2},
    Verb.RETRY: {"fields": {"shell": "true", "timeout": 5}},
    Verb.RERUN: {"cancel_running": True},
    Verb.PRIORITISE: {"priority": 80, "reason": "first"},
    Verb.PIN: {"device_id": "d"},
    Verb.SET_LIMITS: {"max_concurrency": None, "groups": {"db": 1, "net": None}},
}
"""Fields worth sending."""


@pytest.mark.parametrize("verb", Verb)
def test_what_a_verb_comes_to_is_itself_again_once_it_was_sent(verb: Verb) -> None:
    target = Target(RUN, ("a",) if ACTIONS[verb].about is not About.RUN else (), "d", "ponderer", 3)
    command = command_for(verb, target, **GIVEN.get(verb, {}))
    again = read(written(command))
    assert (type(again), again) == (type(command), command)
    assert verb_of(again) is verb


def test_edits_are_themselves_again_once_they_were_sent() -> None:
    command = c.EditConstellation(run_id=RUN, batch=EditBatch(edits=(UpdateTask("b", timeout=9.0),)))
    again = read(written(command))
    assert isinstance(again, c.EditConstellation)
    assert (again.run_id, again.batch.edits) == (command.run_id, command.batch.edits)
