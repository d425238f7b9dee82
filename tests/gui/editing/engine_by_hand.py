"""An editor whose engine is driven by hand: what is done is committed at once, as a live editor's is a moment later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from tests.driver import RUN, Driver, edge, task

from starloom.constellation.edits import EditBatch
from starloom.model.plan import Plan
from starloom.scheduling import commands as c
from starloom.scheduling.decide.questions import idle, refusal
from starloom.scheduling.decide.required_statuses import AnyCommand, possible_part
from starloom.scheduling.read.run_view import RunView
from starloom_gui.editing.base import Mode, Rearranged, Step
from starloom_gui.specs.action_spec import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.constellation.edits import Edit
    from starloom.scheduling.state.run_facts import RunFacts


class EditorByHand(QObject):
    """Keeps to `Editor`.

    Attributes:
        steps: what was done, in order.
        steered: the labels of the verbs that were asked for, with their commands.
        answers: whether the engine answers at once; else when `answer` is called.
    """

    changed = Signal()

    def __init__(self, driver: Driver) -> None:
        super().__init__()
        self.driver = driver
        self.steps: list[Step] = []
        self.steered: list[tuple[str, c.Command]] = []
        self.answers = True
        self.mode = Mode.LIVE

    def facts(self) -> RunFacts:
        return self.driver.run()

    def view(self) -> RunView:
        return RunView(self.facts())

    def verdict(self, edits: Sequence[Edit]) -> Verdict:
        return self.can(c.EditConstellation(run_id=RUN, batch=EditBatch(edits=tuple(edits))))

    def do(self, step: Step) -> None:
        self.steps.append(step)
        if self.answers:
            self.answer()

    def answer(self) -> None:
        self.driver.do(c.EditConstellation(run_id=RUN, batch=EditBatch(edits=self.steps[-1].edits)))
        self.changed.emit()

    def steer(self, command: c.Command, label: str) -> None:
        self.steered.append((label, command))
        self.driver.do(command)
        self.changed.emit()

    def note(self, label: str, back: Rearranged, merges: str = "") -> None:
        raise NotImplementedError("No panel moves nodes.")

    def possible_part(self, command: AnyCommand) -> AnyCommand:
        return possible_part(self.driver.scheduler, command)

    def can(self, command: c.Command) -> Verdict:
        refused = refusal(self.driver.scheduler, command)
        if refused is not None:
            return Verdict(False, refused.reason, refused.hint)
        nothing = idle(self.driver.scheduler, command)
        return Verdict(not nothing, nothing)


def build() -> EditorByHand:
    """`sources` runs; `compile` waits for it, `test` and `report` for that; `docs` is ready, but the slot is taken."""
    driver = Driver(devices=(), checked=False)
    driver.add_device("local", slots=1)
    tasks = (
        task("sources"),
        task("compile", name="Compile it", command=("cc", "${sources.value.path}"), priority="high"),
        task("test", command=("pytest", "${compile.value[0]}", "$${compile.value}", "${HOME}")),
        task("report", inputs={"all": ["${test.value}", 1]}),
        task("docs", simulate=3),
    )
    dependencies = (
        edge("sources", "compile"),
        edge("compile", "test", condition="value.ok"),
        edge("compile", "report"),
        edge("test", "report", "always"),
    )
    driver.create(Plan(tasks=tasks, dependencies=dependencies))
    return EditorByHand(driver)


def number(facts: RunFacts, task_id: str) -> int:
    """The number of a task."""
    return facts.graph.place[task_id]


def links(facts: RunFacts) -> set[str]:
    """The dependencies as `parent>child`, with their kind unless it is success."""
    kinds = [(one, "" if str(one.kind) == "success" else f">{one.kind}") for one in facts.graph.dependencies()]
    return {f"{one.parent}>{one.child}{kind}" for one, kind in kinds}
