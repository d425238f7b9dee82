"""An engine that is driven by hand and answers when it is told to, as the bridge's commands do; for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from tests.driver import RUN, Driver, edge, plan, task
from tests.gui.gateway.driven_bridge import DrivenBridge

from starloom.constellation.edits import AddDependency, AddTask, Edit
from starloom.errors import CommandRefused
from starloom.scheduling import commands as c
from starloom.scheduling.decide.questions import idle, refusal
from starloom.scheduling.decide.required_statuses import AnyCommand, possible_part
from starloom_gui.editing.base import Mode, Step
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.gateway.commands import Done, Refusal
from starloom_gui.gateway.verbs import command_for
from starloom_gui.specs.action_spec import Target, Verdict

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.specs.action_spec import Verb


class LaterEngine(QObject):
    """Commands that are carried out when `answer` is called, in order.

    Attributes:
        sent: what was asked for and is not answered.
    """

    done = Signal(object)
    refused = Signal(object)
    origin = c.OPERATOR

    def __init__(self, driver: Driver) -> None:
        super().__init__()
        self.driver = driver
        self.sent: list[tuple[int, c.Command]] = []
        self._tickets = 0

    def answer(self) -> None:
        """Carry out what was asked for until nothing is left."""
        while self.sent:
            ticket, command = self.sent.pop(0)
            try:
                answer = self.driver.do(command)
            except CommandRefused as refused:
                self.refused.emit(
                    Refusal(
                        ticket=ticket,
                        who=self.origin,
                        what="Edit",
                        reason=refused.reason,
                        hint=refused.hint,
                        code=refused.code,
                        problems=getattr(refused, "problems", ()),
                    )
                )
            else:
                self.done.emit(Done(ticket=ticket, what="Edit", answer=answer))

    def do(self, command: c.Command) -> int:
        self._tickets += 1
        self.sent.append((self._tickets, command))
        return self._tickets

    def possible_part(self, command: AnyCommand) -> AnyCommand:
        return possible_part(self.driver.scheduler, command)

    def can(self, command: c.Command) -> Verdict:
        refused = refusal(self.driver.scheduler, command)
        if refused is not None:
            return Verdict(False, refused.reason, refused.hint, is_for_now=refused.code == "reserved")
        nothing = idle(self.driver.scheduler, command)
        return Verdict(not nothing, nothing)


class RunEditorBench:
    """An editor over a run that is driven by hand: `a` runs, `b` waits for it, `c` for `b`, `d` for nothing but a slot.

    Attributes:
        said: what was refused, and why.
    """

    def __init__(self, mode: Mode = Mode.LIVE, what_if: Any = None, driver: Driver | None = None) -> None:
        self.driver = driver or three_in_a_row()
        self.engine = LaterEngine(self.driver)
        self.bridge = DrivenBridge(self.driver)
        list(self.bridge.news())
        self.editor = RunEditor(
            RUN, self.run, self.engine, what_if, lambda: self.driver.scheduler.fleet, log=self.bridge.log
        )
        self.editor.set_mode(mode)
        self.said: list[tuple[str, str]] = []
        self.editor.refused.connect(lambda what, why: self.said.append((what, why)))

    def run(self) -> RunFacts:
        return self.driver.run()

    def do(self, *edits: Edit, label: str = "Edit", merges: str = "") -> None:
        """Do a step and have the engine answer."""
        self.editor.do(Step(label=label, edits=edits, merges=merges))
        self.settle()

    def add(self, id: str, *parents: str, **fields: Any) -> None:
        """Do a step that adds a task behind others."""
        links = (AddDependency(edge(parent, id)) for parent in parents)
        self.do(AddTask(task(id, **fields)), *links, label=f"Add {id}")

    def steer(self, verb: Verb, *ids: str, label: str = "Steer", **given: Any) -> None:
        self.editor.steer(command_for(verb, Target(RUN, ids), **given), label)
        self.settle()

    def settle(self) -> None:
        """Have the engine answer, and the editor hear what has happened in the run."""
        self.engine.answer()
        self.tell()

    def tell(self) -> None:
        for changes in self.bridge.news():
            self.editor.on_changes(changes)

    def undo(self) -> None:
        self.editor.undo()
        self.settle()

    def redo(self) -> None:
        self.editor.redo()
        self.settle()

    def graph(self) -> bytes:
        return self.driver.graph_bytes()


def three_in_a_row() -> Driver:
    driver = Driver(slots=1, devices=("lab-a", "lab-b"))
    driver.create(plan(["a", "b", "c", "d", "e"], ["a>b", "b>c"]))
    return driver
