"""A console that nobody sees, over the engine of a server: somebody at it acts at random, and it tells what it shows.

A line of JSON asks, a line of JSON answers, in order. Its one argument is JSON, see `Wanted`. It notes what it asks of
the engine before it does, and what it was answered, in a file of its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import sys
import threading
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QTableView
from tests.crash.attached_acts import Act, freeing
from tests.crash.attached_defects import plant
from tests.waiting import until
from typing_extensions import override

from starloom.errors import CommandRefused, StarloomError
from starloom.formats import load_plan
from starloom.journal.fleet_replica import fleet_to_plain
from starloom.server.client import EngineClient
from starloom.server.messages import GiveCommand
from starloom.server.socket_path import ServerError
from starloom_gui import event_loop
from starloom_gui.app import attached
from starloom_gui.attachment import Attachment
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.first_sight import new_application
from starloom_gui.gateway import remote_engine
from starloom_gui.gateway.attaching import attached_engine
from starloom_gui.headless import is_told
from starloom_gui.models.task_cells import TaskColumn
from starloom_gui.settings import Settings
from starloom_gui.shell.frame import WindowFrame
from starloom_gui.viewmodel.roles import ItemRole

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom.server.messages import SubmitPlan
    from starloom_gui.composition.console import Console
    from starloom_gui.gateway.remote_engine import RemoteEngine
    from starloom_gui.models.device_table import DeviceRow

PAUSE = 0.03
"""Seconds between two acts, on the average."""


@dataclass(frozen=True)
class Wanted:
    """What a console is told at its start.

    Attributes:
        address: of the server, see `gateway.attaching.address_of`.
        name: in whose name it asks; no other console has it.
        seed: of what is done at random.
        folder: where it notes what it asks, and keeps its settings.
        script: see `attached_acts.Act`.
        defect: the planted defect, see `attached_defects`; empty: none.
    """

    address: str
    name: str
    seed: str
    folder: str
    script: str
    defect: str = ""


class Notes:
    """A file with a line for each command that is given, and one for each answer, which is on the disk at once."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def note(self, what: str, id: str, **told: Any) -> None:
        os.write(self._file, json.dumps({"what": what, "id": id, **told}).encode() + b"\n")
        if what != "given":
            os.fsync(self._file)


class NotingClient(EngineClient):
    """A client that notes what it is asked for and answered."""

    notes: Notes

    @override
    async def _give(self, request: GiveCommand | SubmitPlan) -> Any:
        if isinstance(request, GiveCommand):
            told = {"run": request.run_id, "kind": kind_of(request.form), "mark": mark_of(request)}
            id = request.command_id
        else:
            told, id = {"run": request.run_id, "kind": "submit", "mark": ""}, request.run_id
        self.notes.note("given", id, **told)
        try:
            answer = await super()._give(request)
        except CommandRefused as refused:
            self.notes.note("refused", id, code=refused.code)
            raise
        except ServerError:
            self.notes.note("unknown", id)
            raise
        self.notes.note("acknowledged", id, answer=answer)
        return answer


def kind_of(form: Any) -> str:
    return form if isinstance(form, str) else str(next(iter(form)))


def mark_of(request: GiveCommand) -> str:
    """The mark of the act that a command is of; empty: it has none."""
    if request.reason:
        return request.reason
    body = next(iter(request.form.values())) if isinstance(request.form, dict) else None
    return str(body.get("value") or "") if isinstance(body, dict) else ""


class HeadlessConsole:
    """Answers what is asked about one console.

    Args:
        console: opened.
        engine: that it is over.
        wanted: likewise.
    """

    def __init__(self, console: Console, engine: RemoteEngine, wanted: Wanted) -> None:
        self._console, self._engine, self._wanted = console, engine, wanted
        self._dice = Random(wanted.seed)
        self._acts = 0
        self._acting: asyncio.Task[None] | None = None
        self._run_id = ""

    async def answer(self, what: str, *given: Any) -> Any:
        """What is answered to a line."""
        return await getattr(self, f"do_{what}")(*given)

    async def do_submit(self, plan: str, run_id: str) -> str:
        await until(lambda: self._engine.follower.lost_since is None)
        await self._engine.start(load_plan(Path(plan)), run_id, None)
        return run_id

    async def do_show(self, run_id: str) -> None:
        """Show a run in front of all others, with its table of tasks."""
        await self._engine.follower.known(run_id)
        console = self._console
        self._run_id = run_id
        console.documents.put_run(run_id)
        await until(lambda: console.views.front is not None and console.views.front.source.reader.run_id == run_id)
        assert console.views.front is not None
        console.window.workbench.show_pane("tasks")
        console.window.workbench.show_pane("devices")
        editor = console.views.front.source.editor
        assert isinstance(editor, RunEditor)
        editor.confirm = None  # nobody is there who could answer

    async def do_act(self) -> None:
        """Do things at random from now on."""
        self._acting = asyncio.get_running_loop().create_task(self._act())

    async def _act(self) -> None:
        while True:
            await asyncio.sleep(self._dice.expovariate(1 / PAUSE))
            run = self._console.bridge.run(self._run_id)
            if run is None or self._console.views.front is None:
                continue
            self._acts += 1
            mark = f"{self._wanted.name}-{self._acts}"
            Act(self._console, run, self._dice, Path(self._wanted.script), mark).carry_out()

    async def do_break(self, which: str) -> None:
        """Break one of its connections, as a network does."""
        engine = self._engine
        connection = engine._client._connection if which == "asking" else engine.follower._following._connection
        connection.abort()

    async def do_rest(self) -> int:
        """Do nothing more, and return how many acts there were once all is answered and shown."""
        if self._acting is not None:
            self._acting.cancel()
            await asyncio.gather(self._acting, return_exceptions=True)
            self._acting = None
        await self._console.commands.answered()
        await until(self._is_caught_up)
        await until(self._is_at_rest)
        return self._acts

    async def _is_caught_up(self) -> bool:
        """Whether all turns until now are here, as a lost link may not be noticed yet; or it is followed no more."""
        follower = self._engine.follower
        if follower.trouble:
            return True
        try:
            await follower._following.caught_up()
        except ServerError:
            return False
        return follower.lost_since is None

    def _is_at_rest(self) -> bool:
        console, front = self._console, self._console.views.front
        shows = front is not None and front.canvas.graph.picture is not None
        return shows and is_told(console) and not console.commands.in_flight

    async def do_free(self) -> None:
        """Take back whatever keeps the run from its end."""
        run = self._console.bridge.run(self._run_id)
        assert run is not None
        for command in freeing(run):
            self._console.commands.do(command)
        await self._console.commands.answered()

    async def do_ended(self) -> None:
        """Return once the run has ended."""
        await until(lambda: (run := self._engine.facts(self._run_id)) is not None and run.state.has_ended)

    async def do_picture(self, path: str) -> None:
        """Write what the console knows, and what its views show, at one moment."""
        await until(self._is_at_rest)
        Path(path).write_bytes(pickle.dumps(self._picture()))

    def _picture(self) -> dict[str, Any]:
        engine, front = self._engine, self._console.views.front
        run = engine.facts(self._run_id)
        assert run is not None
        assert front is not None
        return {
            "trouble": engine.follower.trouble or str(engine.follower.lost_since or ""),
            "seq": run.seq,
            "facts": run.canonical(),
            "fleet": fleet_to_plain(engine.fleet_facts),
            "table": self._table(),
            "canvas": _canvas(front.canvas.graph.picture),
            "devices": [_card(row) for row in self._cards()],
        }

    def _table(self) -> dict[str, Any]:
        """What the table of tasks shows of each task."""
        assert self._console.views.front is not None
        table = self._console.views.front.pane("tasks").findChild(QTableView)
        assert table is not None
        assert table.isVisible()
        model = table.model()
        shown: dict[str, Any] = {}
        for row in range(model.rowCount()):
            first = model.index(row, TaskColumn.STATUS)
            columns = (TaskColumn.PRIORITY, TaskColumn.ATTEMPTS, TaskColumn.DEVICE)
            texts = [model.index(row, column).data() for column in columns]
            shown[first.data(ItemRole.ID)] = (int(first.data(ItemRole.CODE)), first.data(ItemRole.HELD), *texts)
        return shown

    def _cards(self) -> list[DeviceRow]:
        cards = self._console.devices.cards
        assert cards.isVisible()
        model = cards.model()
        return [model.index(row, 0).data(ItemRole.VALUE) for row in range(model.rowCount())]


def _canvas(picture: Any) -> dict[str, int]:
    """The form in which each task is painted."""
    ids, found = picture.facts.graph.ids, zip(picture.numbers, picture.status, picture.present, strict=True)
    return {ids[int(number)]: int(form) for number, form, is_present in found if is_present}


def _card(row: DeviceRow) -> tuple[Any, ...]:
    return row.id, str(row.status), row.enabled, row.offered


# ---- the program


async def main(wanted: Wanted, application: QApplication, asked: asyncio.Queue[str]) -> None:
    frame = WindowFrame(application, Settings(Path(wanted.folder) / f"{wanted.name}.ini", wanted.address))
    async with AsyncExitStack() as stack:
        engine = await until(lambda: _attached(stack, wanted), every=0.1)
        console = await stack.enter_async_context(attached(frame, engine))
        console.window.resize(1440, 900)
        console.window.show()
        headless = HeadlessConsole(console, engine, wanted)
        _tell("ready")
        while line := await asked.get():
            _tell(await headless.answer(*json.loads(line)))
        console.window.asks_before_closing = False
        console.window.close()
        await console.closed()


async def _attached(stack: AsyncExitStack, wanted: Wanted) -> RemoteEngine | None:
    """The engine; None: no server is there at the moment."""
    try:
        return await stack.enter_async_context(attached_engine(Attachment(wanted.address, wanted.name)))
    except StarloomError as error:
        sys.stderr.write(f"not attached: {error}\n")
        return None


def _tell(what: Any) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def _listen(loop: asyncio.AbstractEventLoop, asked: asyncio.Queue[str]) -> None:
    for line in sys.stdin:
        loop.call_soon_threadsafe(asked.put_nowait, line)
    loop.call_soon_threadsafe(asked.put_nowait, "")


async def _listening(wanted: Wanted, application: QApplication) -> None:
    asked: asyncio.Queue[str] = asyncio.Queue()
    threading.Thread(target=_listen, args=(asyncio.get_running_loop(), asked), daemon=True).start()
    await main(wanted, application, asked)


if __name__ == "__main__":
    given = Wanted(**json.loads(sys.argv[1]))
    plant(given.defect)
    NotingClient.notes = Notes(Path(given.folder) / f"{given.name}.notes")
    setattr(remote_engine, "EngineClient", NotingClient)  # noqa: B010 - the one that it makes
    event_loop.run(_listening(given, new_application()))
