"""A document view over an engine in another process: it reads events that it is told, and asks by messages."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import sys
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QTableView
from tests.driver import task
from tests.gui.event_loop.loops import run_on
from tests.gui.panels.test_far_gateway import written
from tests.gui.readers import SchedulerReader
from tests.waiting import until

from starloom.constellation.edits import AddTask, EditBatch
from starloom.events import ConstellationModified
from starloom.journal.codec import decode_parts
from starloom.model.status import RunState
from starloom.scheduling import commands as c
from starloom.scheduling.decide.editing import EditReceipt
from starloom.scheduling.decide.questions import refusal
from starloom.scheduling.restore import restore
from starloom_gui.editing.base import Step
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.editing.run_gateway import RunGateway
from starloom_gui.event_loop import QtEventLoop
from starloom_gui.gateway.changes import Changes
from starloom_gui.gateway.commands import Done, Refusal
from starloom_gui.gateway.event_log import EventLog
from starloom_gui.gateway.output import OutputHub
from starloom_gui.gateway.verbs import command_word
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.theme.appearance import Appearance, Theme
from starloom_gui.workspace.document_view import DocumentView
from starloom_gui.workspace.run_layout import RunLayout
from starloom_gui.workspace.source import DocumentSource, ViewContext

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from PySide6.QtWidgets import QApplication

    from starloom import events as ev
    from starloom.errors import CommandRefused
    from starloom.scheduling.decide.required_statuses import AnyCommand

ENGINE = """
import asyncio, base64, contextlib, json, sys, time
from tests.driver import plan, task
from tests.gui.panels.test_far_gateway import read
from starloom.devices.simulated import SimulatedDevice
from starloom.errors import CommandRefused
from starloom.journal.base import JournalError
from starloom.journal.codec import encode_parts
from starloom.orchestration.orchestrator import Orchestrator
from starloom.settings import SchedulerSettings

told = {"revision": 0}

def tell(word, *said):
    print(json.dumps([word, *said]), flush=True)

def tell_event(event):
    with contextlib.suppress(JournalError):  # what is never journalled is no fact either
        parts = [base64.b64encode(part).decode() for part in encode_parts([event], time.time())]
        tell("event", event.run_id, parts)
        told["revision"] = getattr(event, "revision", told["revision"])

async def main():
    async with Orchestrator(settings=SchedulerSettings()) as engine:
        engine.events.subscribe(tell_event)
        await engine.fleet.add(SimulatedDevice("there", slots=1))
        await engine.start(plan([task("a", simulate=3600.0), "b"]), run_id="r")
        while line := await asyncio.to_thread(sys.stdin.readline):
            ticket, text = json.loads(line)
            try:
                answer = await engine.pump.ask(read(text.encode()))
            except CommandRefused as refused:
                tell("refused", ticket, refused.reason)
            else:
                while getattr(answer, "revision", 0) > told["revision"]:
                    await asyncio.sleep(0.01)  # its event goes before it
                tell("done", ticket)

asyncio.run(main())
"""
"""Runs an engine, tells its events on standard output, and carries out what it reads."""


class Replica(QObject):
    """What this process knows of the engine, and how it asks it; a `TicketGateway`.

    Attributes:
        events: all that was told.
        scheduler: what they come to.
    """

    done = Signal(object)
    refused = Signal(object)
    told = Signal()
    origin = c.OPERATOR

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        super().__init__()
        self._process = process
        self.log = EventLog()
        self.events: list[ev.Event] = []
        self.scheduler = restore(())
        self._asked: dict[int, c.Command] = {}
        self._last = 0

    async def follow(self) -> None:
        """Hear what is told."""
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            word, *said = json.loads(line)
            if word == "event":
                run_id, parts = said
                for event in decode_parts([base64.b64decode(part) for part in parts], run_id).events:
                    self.events.append(event)
                    self.log.add(event)
                self.scheduler = restore(self.events)
                self.told.emit()
            else:
                self._answer(word, *said)

    def _answer(self, word: str, ticket: int, reason: str = "") -> None:
        command = self._asked.pop(ticket)
        what = command_word(command)
        if word == "done":
            answer = self._receipt() if isinstance(command, c.EditConstellation) else None
            self.done.emit(Done(ticket=ticket, what=what, answer=answer))
        else:
            self.refused.emit(Refusal(ticket=ticket, who=self.origin, what=what, reason=reason))

    def _receipt(self) -> EditReceipt:
        """The last edit, whose event was told before the answer."""
        event = next(one for one in reversed(self.events) if isinstance(one, ConstellationModified))
        inverse = EditBatch(edits=event.inverse, base_revision=event.revision)
        return EditReceipt(event.revision, event.changes, inverse)

    def now(self) -> float:
        return self.scheduler.now

    def can(self, command: c.Command) -> Verdict:
        refused: CommandRefused | None = refusal(self.scheduler, command)
        return Verdict(refused is None, "" if refused is None else refused.reason)

    def possible_part(self, command: AnyCommand) -> AnyCommand:
        return command

    def do(self, command: c.Command) -> int:
        assert self._process.stdin is not None
        self._last += 1
        self._asked[self._last] = command
        self._process.stdin.write(json.dumps([self._last, written(command).decode()]).encode() + b"\n")
        return self._last


class Silent:
    """A channel on which nobody prints."""

    def listen(self, _hear: Any) -> Any:
        return lambda: None


@contextlib.asynccontextmanager
async def engine_elsewhere() -> AsyncIterator[Replica]:
    """An engine in a process of its own; the process ends afterwards."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", ENGINE, stdin=pipe, stdout=pipe)
    replica = Replica(process)
    following = asyncio.create_task(replica.follow())
    try:
        yield replica
    finally:
        process.kill()
        await following
        await process.wait()


def rows(view: DocumentView) -> list[str]:
    """The names of the tasks that the pane of tasks lists."""
    table = view.pane("tasks").findChild(QTableView)
    assert table is not None
    model = table.model()
    headings = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]
    return sorted(str(model.index(row, headings.index("Name")).data()) for row in range(model.rowCount()))


def test_an_engine_in_another_process_is_shown_and_asked(app: QApplication) -> None:
    async def main() -> None:
        async with engine_elsewhere() as replica:
            await until(lambda: "r" in replica.scheduler.runs and replica.scheduler.runs["r"].run.running == 1)
            reader = SchedulerReader(lambda: replica.scheduler, replica.log, "r", replica.now)
            editor = RunEditor("r", reader.facts, replica)
            gateway = RunGateway(editor, replica)
            source = DocumentSource(
                key="r", run_id="r", reader=reader, gateway=gateway, editor=editor, layout=RunLayout(lambda: None)
            )
            context = ViewContext(
                appearance=Appearance(app, Theme.DARK, reduced_motion=True),
                hub=OutputHub(Silent()),  # type: ignore[arg-type]  # nobody prints
                kinds=tuple,
                file_of=lambda *_: None,
            )
            view = DocumentView(source, context)
            replica.told.connect(lambda: editor.on_changes(Changes(run_id="r", everything=True)))
            replica.told.connect(lambda: view.on_changes(Changes(run_id="r", everything=True, log=True)))
            run = lambda: replica.scheduler.runs["r"].run  # noqa: E731
            assert rows(view) == ["a", "b"]

            hold = c.HoldTasks(run_id="r", task_ids=("b",))
            assert gateway.can(hold).ok, "it is answered here, without waiting"
            gateway.do(hold)
            assert not run().held, "nobody waits for the engine"
            await until(lambda: run().graph.place["b"] in run().held)

            editor.do(Step(label="Add", edits=(AddTask(task("c")),)))
            await until(lambda: rows(view) == ["a", "b", "c"] and not editor.is_busy)
            editor.undo()
            await until(lambda: rows(view) == ["a", "b"])
            assert [reason.code for reason in reader.why("r", "b")]

            wrong = c.RetryTasks(run_id="r", task_ids=("a",))
            assert not gateway.can(wrong).ok
            gateway.do(c.CancelRun(run_id="r"))
            await until(lambda: run().state is RunState.CANCELLED)
            await until(lambda: not editor.is_busy)
            view.close()

    run_on(QtEventLoop, main)
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
