"""A steered run with failures, as events, for the tests of reports: made by the scheduler itself, driven by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tests.driver import RUN, Driver, edge, plan, task

from starloom.constellation.edits import AddDependency, AddTask, EditBatch, RemoveTask, UpdateTask
from starloom.model.result import ErrorInfo, Outcome, OutcomeStatus, Result
from starloom.scheduling import commands as c
from starloom.scheduling import stimuli

if TYPE_CHECKING:
    from starloom.events import Event
    from starloom.model.plan import Plan

WALL = 1_795_184_280.0
"""When the runs of these tests start, in seconds since 1970."""


class Story:
    """A driver and what has come of it."""

    def __init__(self, devices: dict[str, int], wanted: Plan, name: str = "firmware") -> None:
        self.driver = Driver(devices=(), checked=False)
        for device, slots in devices.items():
            self.driver.add_device(device, slots=slots)
        self.driver.create(_named(wanted, name), wall_time=WALL)

    def after(self, seconds: float, *ends: str) -> None:
        """Let time pass, then let these attempts complete."""
        self.driver.advance(seconds)
        for one in ends:
            self.driver.end(one)

    def fail(self, name: str, output: str = "", exit_code: int | None = 2, message: str = "It exited with 2.") -> None:
        """Let an attempt fail."""
        start = self.driver.ordered.pop((RUN, name))
        error = ErrorInfo(code="exit_code", message=message)
        result = Result(exit_code=exit_code, output=output, output_length=len(output), error=error)
        self.driver.turn(stimuli.AttemptEnded(RUN, name, start.attempt, Outcome(OutcomeStatus.FAILED, result)))

    def ask(self, kind: type[Any], *names: str, **fields: Any) -> None:
        """Carry out a command."""
        self.driver.ask(kind, *names, **fields)

    @property
    def events(self) -> list[Event]:
        """The run's stream as a journal gives it back."""
        return [event for event in self.driver.journal() if event.run_id == RUN]


def _named(wanted: Plan, name: str) -> Plan:

    return replace(wanted, name=name)


def steered() -> list[Event]:
    """Two devices, ten tasks: one fails twice, one is skipped, one cancelled; a priority, a drain and an edit."""
    wanted = plan(
        [
            "sources",
            "configure",
            "compile hal",
            task("compile ble", retry=1),
            "unit ble",
            "triage ble",
            "unit hal",
            "link",
            "flash lab-a",
            "hotfix",
        ],
        [
            "sources>configure",
            "configure>compile hal",
            "configure>compile ble",
            "compile ble>unit ble",
            "compile ble>triage ble>failure",
            "compile hal>unit hal",
            "compile hal>link",
            "link>flash lab-a",
            "flash lab-a>hotfix",
        ],
    )
    story = Story({"build-1": 2, "lab-a": 1}, wanted)
    story.after(12, "sources")
    story.after(21, "configure")
    story.ask(c.SetPriority, "flash lab-a", priority=80, origin="operator")
    story.after(24)
    story.fail("compile ble", "trying\n")
    story.after(18, "compile hal")
    story.ask(c.CancelTasks, "hotfix", origin="agent:rules", reason="not needed any more")
    story.after(6)
    story.fail("compile ble", "make\nble/phy.c:218:9: error: 'BLE_TX_MAX' undeclared\nmake: *** [ble/phy.o] Error 2\n")
    story.driver.do(c.DrainDevice(device_id="lab-a"))
    more = (AddTask(task("soak")), AddDependency(edge("flash lab-a", "soak")), UpdateTask("flash lab-a", timeout=300.0))
    story.driver.edit(*more, reason="half the soak is enough", origin="ada")
    story.after(20, *[name for _, name in list(story.driver.ordered)])
    story.after(60, *[name for _, name in list(story.driver.ordered)])
    for _ in range(6):
        story.after(30, *[name for _, name in list(story.driver.ordered)])
    return story.events


def proposing() -> Story:
    """A run with an agent that answers to the end of `a`: one edit is accepted by a person, one rejected, one lost."""
    story = Story({"d": 2}, plan(["a", "b", "c", "d", "e"], ["a>b", "b>c", "c>d", "d>e"]))
    story.ask(c.AttachAgent, agent="helper", asks=("remove_task", "update_task"), origin="operator")
    edits: tuple[Any, ...] = (RemoveTask("e"), UpdateTask("d", command=("curl", "-H", "Token: s3cret")))
    for cycle, (done, edit) in enumerate(zip("ab", edits, strict=True), 1):
        story.after(5, done)
        story.driver.advance(2)
        story.ask(
            c.AnswerEditCycle, agent="helper", cycle=cycle, proposal=EditBatch(edits=(edit,), reason=f"why {cycle}")
        )
        accept = done == "a"
        story.ask(c.AnswerApproval, approval=cycle, accept=accept, note=f"note {cycle}", origin="ada")
    story.after(5, "c")
    story.ask(c.AnswerEditCycle, agent="helper", cycle=3, error="no model answers")
    story.after(5, "d")
    more = EditBatch(edits=(AddTask(task("f")),), reason="one more")
    story.ask(c.AnswerEditCycle, agent="helper", cycle=4, proposal=more)
    return story
