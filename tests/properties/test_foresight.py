"""Laws of foresight over random live states: looking ahead changes nothing, and a fork goes on as the original does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st
from tests.driver import Driver
from tests.examples import few_examples
from tests.properties.test_scheduler import Walk
from typing_extensions import override

from starloom.constellation.edits import EditBatch
from starloom.errors import CommandRefused, EditRefused
from starloom.foresight.projection import Projection, project
from starloom.foresight.what_if import what_if
from starloom.scheduling import commands as c
from starloom.scheduling import stimuli
from starloom.scheduling.fork import Fork
from starloom.scheduling.state.codes import COMPLETED, REMOVED
from starloom.scheduling.state.stops import is_bypassed
from starloom.testing import invariants

if TYPE_CHECKING:
    from starloom.scheduling.scheduler import Scheduler
    from starloom.scheduling.turn import Turn


def picture(scheduler: Scheduler) -> dict[str, Any]:
    """Everything a scheduler keeps, facts and indexes, in values that can be compared."""
    return {
        "fleet": scheduler.fleet.snapshot(),
        "slots": {id: (device.free[:], device.fresh) for id, device in scheduler.fleet.devices.items()},
        "runs": {id: index.run.canonical() for id, index in scheduler.runs.items()},
        "positions": {id: list(index.run.graph.positions()) for id, index in scheduler.runs.items()},
        "keys": {id: list(index.keys) for id, index in scheduler.runs.items()},
        "index": {
            id: (bytes(index.base), index.mixed, list(index.ranks), list(index.waiting), list(index.tops), index.load)
            for id, index in scheduler.runs.items()
        },
        "buckets": {
            id: [
                (b.ordinal, b.all_keys(), b.entry, None if b.wait_queue is None else b.wait_queue.name)
                for b in i.buckets.values()
            ]
            for id, i in scheduler.runs.items()
        },
        "active": [(key, order) for key, order, _ in scheduler.queue.active],
        "rest": (scheduler.now, list(scheduler.live), list(scheduler.timers), scheduler.announced, scheduler.rejected),
        "turn": scheduler.placer.turn,
    }


class Twinned(Driver):
    """Everything that is told the scheduler is told a fork of it too, and both must decide the same."""

    twin: Scheduler | None = None
    compared = 0

    def part(self) -> None:
        """Fork the live state; from now on the fork goes on beside it."""
        before = picture(self.scheduler)
        fork = Fork.of(self.scheduler, self.now, also=self.scheduler.runs)
        self.checked = True  # a fork that shared something would break a law here
        self.check()
        self.twin = fork.scheduler()
        other = fork.scheduler()
        assert picture(self.scheduler) == before
        for scheduler in (self.twin, other):
            invariants.check(scheduler)
            assert facts(scheduler) == facts(self.scheduler)

    @override
    def turn(self, *stimuli: Any) -> Turn:
        turn = super().turn(*stimuli)
        if self.twin is not None:
            theirs = self.twin.handle(stimuli, self.now)
            assert theirs.events == turn.events
            assert theirs.instructions == turn.instructions
            assert facts(self.twin) == facts(self.scheduler)
            self.compared += 1
        return turn

    @override
    def restart(self) -> None:
        self.twin = None  # what is restored may serve the equally starved in another order
        super().restart()


def facts(scheduler: Scheduler) -> dict[str, Any]:
    """What is true, without what is rebuilt."""
    whole = picture(scheduler)
    return {name: whole[name] for name in ("fleet", "slots", "runs")}


class TwinnedWalk(Walk):
    driver_type = Twinned
    driver: Twinned


@few_examples(25)
@given(seed=st.integers(0, 2**32), before=st.integers(0, 40), after=st.integers(1, 25))
def test_a_fork_leaves_the_live_state_alone_and_goes_on_as_it_does(seed: int, before: int, after: int) -> None:
    walk = TwinnedWalk(seed, checked=False)
    for _ in range(before):
        walk.step()
    walk.driver.part()
    for _ in range(after):
        walk.step()
    walk.finish()
    assert walk.driver.twin is None or walk.driver.compared


# ---- looking ahead


def check_projection(walk: Walk, run_id: str, found: Projection) -> None:
    """It speaks of exactly the tasks that are left, in an order that can be."""
    run = walk.driver.run(run_id)
    over = range(COMPLETED, REMOVED + 1)
    left = {run.graph.ids[n] for n, code in enumerate(run.status) if code not in over and not is_bypassed(run, n)}
    assert left <= {*found.tasks, *found.skipped, *found.failing}
    finishes = [task.finish for task in found.tasks.values() if task.finish is not None]
    for task in found.tasks.values():
        assert task.slack is None or task.finish is not None
        assert task.finish is None or (task.start is not None and task.start <= task.finish >= found.at)
        assert task.slack is None or task.slack >= 0
    if found.end is not None and finishes:
        assert found.end == max(finishes)
        assert found.p50 is not None
        assert found.p90 is not None
        assert found.at <= found.p50 <= found.p90
    if found.path:
        assert found.path[-1].finish == max(finishes)
        assert all(before.finish <= step.start for before, step in zip(found.path, found.path[1:], strict=False))


@given(seed=st.integers(0, 2**32), steps=st.integers(0, 40))
def test_looking_ahead_changes_nothing_and_foretells_refusals(seed: int, steps: int) -> None:
    walk = Walk(seed, checked=False)
    for _ in range(steps):
        walk.step()
    driver = walk.driver
    driver.turn(stimuli.TimePassed())
    for run_id in list(driver.scheduler.runs):
        edits = tuple(walk.some_edit(run_id) for _ in range(walk.dice.randint(1, 3)))
        steering = walk.some_steering()
        before = picture(driver.scheduler)
        fork = Fork.of(driver.scheduler, driver.now, also=driver.scheduler.runs)
        check_projection(walk, run_id, project(fork, run_id, samples=5))
        asked = what_if(fork, run_id, edits, samples=2)
        steered = what_if(fork, run_id, (), [steering], samples=0)
        assert project(fork, run_id, samples=5) == project(fork, run_id, samples=5)
        assert picture(driver.scheduler) == before
        assert refusal(driver, steering) == steered.problems
        if not steered.problems:
            continue  # what was asked about the edits was asked about another state
        command = c.EditConstellation(run_id=run_id, batch=EditBatch(edits=edits))
        assert bool(refusal(driver, command)) == bool(asked.problems)


def refusal(driver: Driver, command: c.Command) -> tuple[str, ...]:
    """Carry it out; why it was refused, if it was."""
    try:
        driver.do(command)
    except EditRefused as refused:
        return tuple(map(str, refused.problems))
    except CommandRefused as refused:
        return (str(refused),)
    return ()
