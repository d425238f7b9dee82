"""Random plans and commands, about what there is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tests.driver import edge, plan, task

from starloom.constellation import edits as ed
from starloom.scheduling import commands as c
from starloom.scheduling.state import stops

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from tests.simulation.laws import Truth

    from starloom.model.plan import Plan
    from starloom.model.task import Task
    from starloom.scheduling.state.run_facts import RunFacts

MOST_RUNS: Final = 3
MOST_TASKS: Final = 10
DEVICES: Final = ("d0", "d1", "d2")
INTERRUPTS: Final = ("rerun", "rerun", "fail", "ask", "reattach", "reattach", "reattach")


@dataclass
class Drawn:
    """A command about a run, or a plan to be run under an id.

    Attributes:
        adds: the id of the task that it adds; empty: none.
        is_stop: whether it is done, and answered, even where nothing can be committed.
    """

    run_id: str
    command: c.Command | None = None
    plan: Plan | None = None
    adds: str = ""
    is_stop: bool = False


def draw(dice: Random, truth: Truth, new_id: Callable[[], str]) -> Drawn:
    """Something to ask of an engine of which this is the truth."""
    live = truth.live
    if not live or (len(live) < MOST_RUNS and dice.random() < 0.02):
        return Drawn(f"r{new_id()[-8:]}", plan=_plan(dice, new_id))
    if dice.random() < 0.04:
        return Drawn("", command=_fleet_command(dice))
    if dice.random() < 0.03:
        return _about_ended(dice, truth)
    run_id = dice.choice(live)
    run = truth.views[run_id].run
    if len(run.graph.place) > MOST_TASKS or dice.random() < 0.003:
        return Drawn(run_id, command=c.CancelRun(run_id=run_id), is_stop=True)
    if dice.random() < 0.35:
        added, batch = _edits(dice, run, new_id)
        return Drawn(run_id, command=c.EditConstellation(run_id=run_id, batch=batch), adds=added)
    command = _steering(dice, run)
    return Drawn(run_id, command=command, is_stop=isinstance(command, c.CancelTasks | c.CancelRun))


def _about_ended(dice: Random, truth: Truth) -> Drawn:
    """A command about one of the latest runs, which goes on then if it has ended."""
    run = truth.views[dice.choice(list(truth.views)[-6:])].run
    run_id, one = run.run_id, dice.choice([*run.graph.place, "nobody"])
    made: tuple[c.Command, ...] = (
        c.RerunFrom(run_id=run_id, task_id=one),
        c.RetryTasks(run_id=run_id, task_ids=(one,)),
        c.SetRunLimit(run_id=run_id, max_concurrency=2),
    )
    return Drawn(run_id, command=dice.choice(made))


def _task(dice: Random, id: str) -> Task:
    fields: dict[str, Any] = {
        "simulate": round(dice.choice((0.0, 0.01, 0.2, 1.0, 4.0)) * dice.random(), 3),
        "on_interrupt": dice.choice(INTERRUPTS),
    }
    if dice.random() < 0.3:
        fields["retry"] = {"attempts": 2, "delay": dice.choice((0, 0.1, 2))}
    if dice.random() < 0.15:
        fields["timeout"] = dice.choice((0.05, 1, 10))
    if dice.random() < 0.2:
        fields["device"] = dice.choice(DEVICES)
    if dice.random() < 0.2:
        fields["groups"] = ("g",)
    if dice.random() < 0.2:
        fields["join"] = "any"
    if dice.random() < 0.2:
        fields["priority"] = dice.choice((0, 80, 100))
    if dice.random() < 0.05:
        del fields["simulate"]
        fields["gate"] = {"message": "Well?"}
    return task(id, **fields)


def _plan(dice: Random, new_id: Callable[[], str]) -> Plan:
    ids = [f"t{new_id()[-8:]}" for _ in range(dice.randint(1, 6))]
    kinds = ("success", "success", "always", "failure")
    edges = [
        edge(one, other, dice.choice(kinds))
        for place, one in enumerate(ids)
        for other in ids[place + 1 :]
        if dice.random() < 0.3
    ]
    return plan([_task(dice, id) for id in ids], edges)


def _edits(dice: Random, run: RunFacts, new_id: Callable[[], str]) -> tuple[str, ed.EditBatch]:
    known = [*run.graph.place, "nobody"]
    one, other = dice.choice(known), dice.choice(known)
    drawn = dice.random()
    if drawn < 0.6:
        id = f"n{new_id()[-8:]}"
        more = (ed.AddDependency(edge(one, id)),) if dice.random() < 0.6 else ()
        return id, ed.EditBatch(edits=(ed.AddTask(_task(dice, id)), *more))
    if drawn < 0.8:
        return "", ed.EditBatch(edits=(ed.RemoveTask(one),))
    if drawn < 0.9:
        return "", ed.EditBatch(edits=(ed.AddDependency(edge(one, other)),))
    return "", ed.EditBatch(edits=(ed.UpdateTask(one, **dice.choice(({"retry": 2}, {"timeout": 3}, {"bogus": 1}))),))


def _steering(dice: Random, run: RunFacts) -> c.Command:
    known = [*run.graph.place, "nobody"]
    run_id = run.run_id
    named: dict[str, Any] = {"run_id": run_id, "task_ids": tuple({dice.choice(known): None, dice.choice(known): None})}
    one = named["task_ids"][0]
    gates = [run.graph.ids[number] for number in stops.open_gates(run)] or [one]
    made: tuple[Callable[[], c.Command], ...] = (
        lambda: c.CancelTasks(**named),
        lambda: c.HoldTasks(**named),
        lambda: c.ReleaseTasks(**named),
        lambda: c.ReleaseTasks(run_id=run_id, task_ids=tuple(run.graph.place)),
        lambda: c.RetryTasks(**named),
        lambda: c.RetryTasks(**named),
        lambda: c.SkipTasks(**named),
        lambda: c.MarkTasks(**named, value=5),
        lambda: c.RerunFrom(run_id=run_id, task_id=one, cancel_running=dice.random() < 0.5),
        lambda: c.RerunFrom(run_id=run_id, task_id=one, cancel_running=True),
        lambda: c.SetPriority(**named, priority=dice.choice((0, 50, 100))),
        lambda: c.PinTasks(**named, device_id=dice.choice((None, *DEVICES))),
        lambda: c.AnswerGate(run_id=run_id, task_id=dice.choice(gates), approve=dice.random() < 0.7),
        lambda: c.SetBreakpoints(**named),
        lambda: c.ClearBreakpoints(run_id=run_id, task_ids=tuple(run.graph.place)),
        lambda: c.RunUntil(run_id=run_id, task_ids=dice.choice(((), (), named["task_ids"]))),
        lambda: c.StepRun(run_id=run_id),
        lambda: c.PauseRun(run_id=run_id),
        lambda: c.ResumeRun(run_id=run_id),
        lambda: c.ResumeRun(run_id=run_id),
        lambda: c.SetRunLimit(run_id=run_id, max_concurrency=dice.choice((None, 1, 2))),
        lambda: c.HoldRunOpen(run_id=run_id, hold_open=dice.random() < 0.8),
    )
    return dice.choice(made)()


def _fleet_command(dice: Random) -> c.Command:
    device = dice.choice(DEVICES)
    made: tuple[c.Command, ...] = (
        c.SetLimits(max_concurrency=dice.choice((None, 1, 3, 6))),
        c.SetLimits(groups={"g": dice.choice((None, 1, 2))}),
        c.DrainDevice(device_id=device),
        c.ResumeDevice(device_id=device),
        c.ResumeDevice(device_id=device),
        c.SetSlots(device_id=device, slots=dice.choice((1, 2, 3))),
        c.TryDeviceAgain(device_id=device),
    )
    return dice.choice(made)
