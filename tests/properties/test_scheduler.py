"""Laws of the scheduler under random plans, edits, commands, failures, clock moves and fleet changes.

A walk is drawn from a seed. `Driver` checks after every step that the invariants hold, that the fold of each run's
stream equals the live facts and that a restored scheduler has equal facts. Every walk ends with everything that blocks
taken away, and then every run must come to its end: no wake-up was lost on the way.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st
from tests.driver import Driver, edge, outcome, task
from tests.properties import draws
from tests.properties.draws import BEGINNINGS, CHANGES, ENDS, GATES, STOPS, end_some_work

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.errors import CommandRefused
from starloom.model.plan import Limits, Plan
from starloom.model.status import Placement, TaskStatus
from starloom.model.task import Prefer, Task
from starloom.scheduling import commands as c
from starloom.scheduling import stimuli
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state import stops
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.model.dependency import Dependency

DEVICES = ("d0", "d1", "d2")
GROUPS, CAPABILITIES = ("g", "h"), ("gpu", "ssd")
CONDITIONS = ("value > 1", "status == 'completed'", "value.missing == 1", "attempts > 1 || status == 'failed'")
ORIGINS = ("operator", "agent")
MOST_RUNS = 4


class Walk:
    """One random history of a scheduler, `checked` by the laws unless the same steps are taken for another reason."""

    driver_type = Driver

    def __init__(self, seed: int, *, checked: bool = True) -> None:
        self.dice = Random(seed)
        self.driver = self.driver_type(devices=())
        self.driver.checked &= checked
        self.fresh = 0
        for device in DEVICES[: self.dice.randint(1, 3)]:
            self.add_device(device)
        self.create()

    # ---- drawing

    def chance(self, share: float) -> bool:
        return self.dice.random() < share

    def some_task(self, id: str) -> Task:  # noqa: C901 - one a field
        dice = self.dice
        fields: dict[str, Any] = {}
        if self.chance(0.4):
            fields["priority"] = dice.choice([0, 20, 50, 80, 100])
        if self.chance(0.3):
            fields["groups"] = tuple(dice.sample(GROUPS, dice.randint(1, 2)))
        if self.chance(0.2):
            fields["requires"] = frozenset(dice.sample(CAPABILITIES, 1))
        if self.chance(0.2):
            fields["device"] = dice.choice([*DEVICES, Prefer(prefer="d1")])
        if self.chance(0.3):
            retry = {"attempts": dice.randint(1, 3), "delay": dice.choice([0, 1, 5]), "backoff": "exponential"}
            fields["retry"] = retry
        if self.chance(0.2):
            fields["timeout"] = dice.choice([0, 2, 10])
        if self.chance(0.3):
            fields["severity"] = dice.choice(["warning", "error", "critical"])
        if self.chance(0.3):
            fields["join"] = "any"
        if self.chance(0.3):
            fields["on_interrupt"] = dice.choice(["fail", "ask"])
        if self.chance(0.2):
            fields["estimate"] = dice.choice([1, 10])
        if self.chance(0.15):
            fields["gate"] = dice.choice(GATES)
        if self.chance(0.2):
            fields |= dice.choice(STOPS)
        return task(id, **fields)

    def some_edge(self, parent: str, child: str) -> Dependency:
        kind = self.dice.choice(["success", "success", "success", "always", "failure", "condition"])
        condition = self.dice.choice(CONDITIONS) if kind == "condition" else None
        return edge(parent, child, kind, condition)

    def some_plan(self) -> Plan:
        ids = [f"t{number}" for number in range(self.dice.randint(0, 7))]
        pairs = [(a, b) for place, a in enumerate(ids) for b in ids[place + 1 :] if self.chance(0.3)]
        most, groups = self.dice.choice([None, None, 1, 2]), self.dice.choice([{}, {"g": 1}, {"h": 0}])
        limits = Limits(max_concurrency=most, groups=groups)
        tasks = tuple(self.some_task(id) for id in ids)
        return Plan(tasks=tasks, dependencies=tuple(self.some_edge(*pair) for pair in pairs), limits=limits)

    def some_run(self) -> str:
        return self.dice.choice(list(self.driver.scheduler.runs))

    def some_ids(self, run_id: str, most: int = 3) -> tuple[str, ...]:
        known = [*list(self.driver.run(run_id).graph.place) * 4, "nobody"]
        return tuple(self.dice.choice(known) for _ in range(self.dice.randint(1, most)))

    def some_edit(self, run_id: str) -> ed.Edit:
        dice = self.dice
        known = [*self.driver.run(run_id).graph.place, f"n{self.fresh}", "nobody"]
        one, other = dice.choice(known), dice.choice(known)
        kind = dice.randrange(8)
        if kind <= 1:
            self.fresh += self.chance(0.8)
            return ed.AddTask(self.some_task(f"n{self.fresh}"), dice.choice([None, None, None, 0, 3, -1, 99]))
        if kind == 2:
            return ed.RemoveTask(one)
        if kind == 3:
            return ed.UpdateTask(one, **dice.choice(CHANGES))
        if kind == 4:
            return ed.RemoveDependency(*self.pair_of(run_id, one, other))
        if kind == 5:
            return ed.UpdateDependency(self.some_edge(*self.pair_of(run_id, one, other)))
        return ed.AddDependency(self.some_edge(one, other))

    def pair_of(self, run_id: str, one: str, other: str) -> tuple[str, str]:
        """Two tasks that are connected, mostly."""
        pairs = [(d.parent, d.child) for d in self.driver.run(run_id).graph.dependencies()]
        return self.dice.choice(pairs) if pairs and self.chance(0.8) else (one, other)

    # ---- doing

    def do(self, command: c.Command) -> Any:
        """Carry out a command; a refused one must leave no trace but the note that it was refused."""
        self.driver.advance(0)  # a timeout of nothing is due by now, and is not the command's trace
        self.driver.advance(0)  # nor is that of what has just started
        try:
            return self.driver.do(command)
        except CommandRefused:
            told = [event for event in self.driver.turns[-1].events if not isinstance(event, ev.EditRejected)]
        assert not told, f"{command} was refused and yet this happened: {told}"
        return None

    def add_device(self, id: str) -> None:
        dice = self.dice
        capabilities = frozenset(name for name in CAPABILITIES if self.chance(0.5))
        slots = dice.choice([None, 1, 2, 3])
        self.do(
            c.AddDevice(
                device_id=id,
                kind="simulated",
                slots=slots,
                capabilities=capabilities,
                speed=dice.choice([1.0, 2.0]),
                connected=self.chance(0.8),
                trip_after=dice.choice([0, 1, 2, 5]),
                cool_down=dice.choice([5.0, 60.0]),
            )
        )

    def create(self) -> None:
        runs = self.driver.scheduler.runs
        if len(runs) < MOST_RUNS:
            how: Any = {"placement": self.dice.choice([None, None, *Placement]), "hold_open": self.chance(0.2)}
            command = c.CreateRun(run_id=f"r{len(runs)}", plan=self.some_plan(), start=self.chance(0.9), **how)
            self.do(command)

    def end(self) -> None:
        """End up to three attempts in one turn."""
        driver = self.driver
        arrived = []
        for run_id, name in self.dice.sample(list(driver.ordered), min(len(driver.ordered), self.dice.randint(1, 3))):
            arrived.append(driver.ended(name, run_id, **self.dice.choice(ENDS)))
        driver.turn(*arrived)
        if arrived and self.chance(0.2):
            driver.turn(stimuli.TimePassed())
            assert not driver.turn(arrived[0]).events, "an end that was told already did something"

    def advance(self) -> None:
        end_some_work(self.driver, self.dice)
        self.driver.advance(self.dice.choice([0.5, 1, 5, 40]))

    def edit(self) -> None:
        run_id, driver = self.some_run(), self.driver
        before, steered = driver.graph_bytes(run_id), driver.steering(run_id)
        base = self.dice.choice([None, None, driver.run(run_id).revision, 0])
        edits = tuple(self.some_edit(run_id) for _ in range(self.dice.randint(1, 4)))
        batch = ed.EditBatch(edits=edits, base_revision=base, origin=self.dice.choice(ORIGINS))
        receipt = self.do(c.EditConstellation(run_id=run_id, batch=batch))
        if receipt is None:
            assert driver.graph_bytes(run_id) == before
        elif self.chance(0.6):
            edited = len(driver.turns) - 1
            undone = self.do(c.EditConstellation(run_id=run_id, batch=receipt.inverse))
            since = [event for turn in driver.turns[edited:] for event in turn.events]  # a gate's countdown may be over
            began = any(isinstance(event, BEGINNINGS) for event in since)
            assert undone is not None or began, "nothing has started and yet the edit cannot be undone"
            assert undone is None or driver.graph_bytes(run_id) == before, "undone, and not as it was"
            assert undone is None or began or not driver.differing(steered, run_id), "undone, but steered otherwise"

    def steer(self) -> None:
        self.do(self.some_steering())

    def crowd(self) -> None:
        """Ends of attempts and commands in one turn, in any order."""
        driver = self.driver
        names = self.dice.sample(list(driver.ordered), min(len(driver.ordered), 2))
        arrived: list[Any] = [driver.ended(name, run_id, ok=self.chance(0.8)) for run_id, name in names]
        arrived += [self.some_steering() for _ in range(self.dice.randint(1, 3))]
        if self.chance(0.3):
            run_id = self.some_run()
            batch = ed.EditBatch(edits=(self.some_edit(run_id),))
            arrived.append(c.EditConstellation(run_id=run_id, batch=batch, is_submission=self.chance(0.5)))
        self.dice.shuffle(arrived)
        driver.turn(*arrived)

    def some_steering(self) -> c.Command:
        dice, run_id = self.dice, self.some_run()
        named: dict[str, Any] = {"run_id": run_id, "task_ids": self.some_ids(run_id)}
        fields: dict[str, Any] = dice.choice(
            [{}, {}, {"timeout": 7}, {"bogus": 1}, {"priority": "high"}, {"groups": ["h"]}]
        )
        made: list[Callable[[], c.Command]] = [
            lambda: c.CancelTasks(**named),
            lambda: c.HoldTasks(**named),
            lambda: c.ReleaseTasks(**named),
            lambda: c.RetryTasks(**named, fields=fields),
            lambda: c.RetryTasks(**named),
            lambda: c.SkipTasks(**named),
            lambda: c.MarkTasks(**named, value=dice.choice([None, 5])),
            lambda: c.MarkTasks(**named, status=dice.choice(list(TaskStatus))),
            lambda: c.RerunFrom(run_id=run_id, task_id=named["task_ids"][0], cancel_running=self.chance(0.5)),
            lambda: c.SetPriority(**named, priority=dice.choice([0, 50, 100])),
            lambda: c.PinTasks(**named, device_id=dice.choice([None, *DEVICES])),
            *[lambda: draws.some_answer_to_a_gate(self.driver, dice, run_id, named["task_ids"][0])] * 2,
            *[lambda: draws.some_answer(self.driver, dice, run_id)] * 2,
            lambda: dice.choice([c.SetBreakpoints, c.ClearBreakpoints])(**named),
            lambda: c.RunUntil(run_id=run_id, task_ids=dice.choice([(), (), named["task_ids"]])),
            lambda: c.StepRun(run_id=run_id, task_id=dice.choice(["", named["task_ids"][0]])),
        ]
        return dice.choice(made)()

    def step_on(self) -> None:
        """Pause a run, have some tasks of it start one by one, and mostly let it go on."""
        run_id = self.some_run()
        self.do(c.PauseRun(run_id=run_id))
        for _ in range(self.dice.randint(1, 3)):
            before = self.driver.begun()
            started = self.do(c.StepRun(run_id=run_id))
            others = [run for run in self.driver.scheduler.live if run != run_id]
            if not others:
                assert self.driver.begun() - before == (started is not None)
        if self.chance(0.7):
            self.do(c.ResumeRun(run_id=run_id))

    def steer_run(self) -> None:
        dice, run_id = self.dice, self.some_run()
        self.do(
            dice.choice(
                [
                    c.StartRun(run_id=run_id),
                    c.PauseRun(run_id=run_id),
                    c.ResumeRun(run_id=run_id),
                    c.ResumeRun(run_id=run_id),
                    c.CancelRun(run_id=run_id),
                    c.HoldRunOpen(run_id=run_id, hold_open=self.chance(0.3)),
                    c.SetRunLimit(run_id=run_id, max_concurrency=dice.choice([None, 0, 1, 3])),
                ]
            )
        )

    def limit(self) -> None:
        dice = self.dice
        self.do(
            dice.choice(
                [
                    c.SetLimits(max_concurrency=dice.choice([None, 0, 1, 2, 5])),
                    c.SetLimits(groups={dice.choice(GROUPS): dice.choice([None, 0, 1, 2])}),
                    c.SetLimits(starvation_timeout=dice.choice([0.0, 10.0, 60.0])),
                    c.SetLimits(placement=dice.choice(tuple(Placement))),
                    c.SetLimits(max_queue=dice.choice([0, 3])),
                ]
            )
        )

    def change_fleet(self) -> None:
        dice = self.dice
        id = dice.choice(DEVICES)
        kind = dice.randrange(11)
        if kind == 0:
            self.add_device(id)
        elif kind <= 2:
            self.driver.turn(stimuli.DeviceConnectedNoticed(id, dice.choice([None, frozenset(CAPABILITIES)])))
        elif kind == 3:
            self.driver.turn(stimuli.DeviceLostNoticed(id, "gone", self.chance(0.5)))
        elif kind == 4:
            self.driver.turn(stimuli.DeviceConnectingNoticed(id, 2))
        elif kind <= 6:
            self.do(c.SetSlots(device_id=id, slots=dice.choice([0, 1, 4])))
        else:
            kinds = (
                c.RemoveDevice,
                c.DrainDevice,
                c.ResumeDevice,
                c.EnableDevice,
                c.DisableDevice,
                c.TryDeviceAgain,
            )
            self.do(dice.choice(kinds)(device_id=id))

    def resume_from_the_journal(self) -> None:
        self.driver.restart()

    def die(self) -> None:
        """Go on in another program, with another clock: of some attempts it is certain how they ended."""
        dice, dead = self.dice, self.driver
        heir = self.driver = self.driver_type(devices=())
        heir.now = dice.choice([0.0, dead.now, dead.now + 100])
        heir.take_fleet(dead)
        heir.do(c.OpenFleet(wall_time=1.0))
        for device in dice.sample(DEVICES, dice.randint(0, 3)):
            self.add_device(device)
        live = dead.scheduler.live
        for run_id in [one for one in dead.scheduler.runs if one in live or self.chance(0.5)]:
            stream = [event for event in dead.journal() if event.run_id == run_id]
            heir.inherit(stream)
            running = [task_id for run, task_id in dead.ordered if run == run_id]
            outcomes = {task_id: outcome(**dice.choice(ENDS[:6])) for task_id in running if self.chance(0.5)}
            facts = fold(FoldedRun(run_id), stream).run
            heir.do(c.RecoverRun(run_id=run_id, facts=facts, outcomes=outcomes, last_at=stream[-1].at))
        if not heir.scheduler.runs:
            self.create()

    def step(self) -> None:
        draws.ask_something(self.driver, self.dice)
        common = (self.end, self.edit, self.steer, self.crowd, self.advance, self.steer_run, self.step_on)
        rare = (self.limit, self.change_fleet, self.create, self.resume_from_the_journal, self.die)
        self.dice.choices((*common, *rare), (8, 6, 5, 4, 3, 2, 2, 2, 2, 1, 1, 1))[0]()

    # ---- the end of every walk

    def set_free(self) -> None:
        """Take away everything that may keep a task from starting."""
        driver = self.driver
        self.do(c.SetLimits(max_concurrency=None, groups=dict.fromkeys(GROUPS)))
        for id in DEVICES:
            self.add_device(id)
            driver.turn(stimuli.DeviceConnectedNoticed(id, frozenset(CAPABILITIES)))
            for kind in (c.ResumeDevice, c.EnableDevice, c.TryDeviceAgain):
                self.do(kind(device_id=id))
            self.do(c.SetSlots(device_id=id, slots=4))
        for run_id in list(driver.scheduler.live):
            self.do(c.RunUntil(run_id=run_id))
            self.let_go(run_id)
            self.do(c.SetRunLimit(run_id=run_id, max_concurrency=None))
            self.do(c.StartRun(run_id=run_id))
            self.do(c.ResumeRun(run_id=run_id))
            self.do(c.HoldRunOpen(run_id=run_id, hold_open=False))

    def let_go(self, run_id: str) -> None:
        """Have no task of a run stop at its breakpoint or be held."""
        run = self.driver.run(run_id)
        if run.graph.place:
            self.do(c.ClearBreakpoints(run_id=run_id, task_ids=tuple(run.graph.place)))
        held = tuple(run.graph.ids[number] for number in run.held if run.graph.tasks[number] is not None)
        if held:
            self.do(c.ReleaseTasks(run_id=run_id, task_ids=held))

    def finish(self) -> None:
        """With nothing in the way, every run ends."""
        driver = self.driver
        self.set_free()
        for _ in range(200):
            if not driver.scheduler.live:
                return
            self.answer_everything()
            for run_id, name in list(driver.ordered):
                driver.end(name, run_id)
            driver.advance(50)
        left = {run_id: driver.statuses(run_id) for run_id in driver.scheduler.live}
        raise AssertionError(f"nothing stands in the way and yet these runs do not end: {left}")

    def answer_everything(self) -> None:
        """Have no gate wait for a person."""
        for run_id, index in list(self.driver.scheduler.live.items()):
            for number in stops.open_gates(index.run):
                task_id = index.run.graph.ids[number]
                self.do(c.AnswerGate(run_id=run_id, task_id=task_id, approve=self.chance(0.7)))


@given(seed=st.integers(0, 2**32), steps=st.integers(1, 60))
def test_no_history_breaks_a_law_and_every_run_ends_once_nothing_stands_in_its_way(seed, steps):
    walk = Walk(seed)
    for _ in range(steps):
        walk.step()
    walk.finish()
