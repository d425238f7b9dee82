"""Projected schedules: where and when attempts start if a fork continues by itself and durations are as estimated.

Attempts complete unless a task declares how its simulation ends; what depends on results that nobody knows yet is taken
to be so. What that leaves out is said in `Schedule.remarks`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom.errors import CommandRefused
from starloom.foresight.drive import ORIGIN, Drive
from starloom.foresight.node import Node
from starloom.foresight.overhead import NO_OVERHEAD
from starloom.foresight.spread import expected_rest
from starloom.model.dependency import Dependency
from starloom.model.result import DONE, Outcome, OutcomeStatus
from starloom.model.simulation import simulated_outcome
from starloom.model.status import DependencyKind, RunState
from starloom.pauses import Pause, no_pause
from starloom.scheduling import commands as c
from starloom.scheduling.read.waiting_causes import NOWHERE, last_to_end
from starloom.scheduling.read.why import why
from starloom.scheduling.state.awaiting import awaited
from starloom.scheduling.state.codes import COMPLETED, PENDING, RUNNING, WAITING
from starloom.scheduling.state.late_facts import overhead
from starloom.scheduling.state.stops import open_gates
from starloom.scheduling.stimuli import AttemptEnded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.foresight.estimates import Estimate, Estimates
    from starloom.model.task import Task
    from starloom.scheduling.fork import Fork
    from starloom.scheduling.instructions import StartTask
    from starloom.scheduling.state.run_facts import RunFacts

TURNS_BETWEEN_PAUSES: Final = 16
"""A few hundred microseconds of work."""
_STOPPED: Final = Outcome(OutcomeStatus.STOPPED)
_BEFORE_TIMEOUT: Final = 1e-6
"""Seconds before its timeout at which an attempt is taken to end that is estimated to take longer."""


class Schedule:
    """The simulated schedule of all runs of a fork until one of them has ended or cannot go on.

    Attributes:
        run: the facts of that run, as they are then.
        now: when it begins, on the engine's clock.
        nodes: in the order in which they start; those that run already come first.
        begun: how many of these run already.
        estimates: how long tasks take.
        refusals: the commands that were refused; if there are any, nothing is foreseen.
        remarks: what the schedule takes for granted, in sentences.
        approvals: how many proposals of agents wait for a person; what they bring is not foreseen.

    Args:
        fork: where everything begins.
        run_id: the run that is asked about.
        estimates: how long tasks take.
        commands: what is done first, one after the other.
        pause: see `pauses.Pause`.
    """

    def __init__(
        self,
        fork: Fork,
        run_id: str,
        estimates: Estimates,
        commands: Iterable[c.Command] = (),
        pause: Pause = no_pause,
    ) -> None:
        self.now = fork.now
        self.nodes: list[Node] = []
        self.refusals: list[CommandRefused] = []
        self.remarks: list[str] = []
        self.estimates = estimates
        self._scheduler = fork.scheduler()
        self._latest: dict[str, dict[int, int]] = {run_id: {} for run_id in fork.copies}
        self._drive = Drive(self._scheduler, self._attempt, gate=self._gate, now=fork.now, wake=fork.announced)
        self.run = self._scheduler.run(run_id)
        self._began = fork.run(run_id).status
        cycles = fork.run(run_id).cycles
        self.approvals = 0 if cycles is None else len(cycles.approvals)
        self._late = self._cut = 0
        self._take_up()
        self.begun = len(self.nodes)
        self._do(commands)
        if self.refusals:
            return
        self._forget_removed()
        self._set_off()
        self._go(pause)
        self._correct_ends()
        self._remark()

    @property
    def fleet(self) -> Any:
        """The facts of the fleet, as they are then."""
        return self._scheduler.fleet

    def had_ended(self, number: int) -> bool:
        """Whether a task of the run had ended before."""
        return number < len(self._began) and self._began[number] >= COMPLETED

    def left_over(self) -> list[int]:
        """The tasks of the run that are not foreseen to end."""
        return sorted([*self.run.with_status(PENDING), *self.run.with_status(WAITING)])

    # ---- beginning

    def _take_up(self) -> None:
        """Let running attempts continue for what is left of their estimates."""
        for run_id, index in self._scheduler.live.items():
            run = index.run
            for number in run.with_status(RUNNING):
                task, device = run.graph.tasks[number], run.device_of[number]
                assert task is not None
                assert device is not None
                node = self._node(run, number, task, device, run.slot_of[number])
                node.start, node.ready = run.started_at[number], self.now
                elapsed = max(0.0, self.now - node.start - awaited(run, number, self.now))
                node.held, node.elapsed = node.overhead.rest(overhead(run, number), elapsed)
                end = self._time_left(node, is_stopping=number in run.stopping)
                node.is_endless = number not in run.stopping and (
                    node.is_endless or number in run.overdue or node.estimate.is_outrun(node.elapsed * node.speed)
                )
                outcome = _STOPPED if number in run.stopping else _outcome(task, run.tries[number], device)
                self._drive.expect(AttemptEnded(run_id, task.id, run.tries[number], outcome), end)
            for number in open_gates(run):
                self._take_up_gate(run, number)

    def _take_up_gate(self, run: RunFacts, number: int) -> None:
        gate, task_id = run.gates[number], run.graph.ids[number]
        elapsed = max(0.0, self.now - gate.at)
        estimate = self.estimates.of_open_gate(run.graph.task(task_id), run, elapsed)
        node, wait = self._gate_node(run, number, estimate)
        node.start, node.ready, node.elapsed = gate.at, self.now, elapsed
        node.seconds, node.most = max(0.0, node.seconds - elapsed), max(0.0, node.most - elapsed)
        node.end = self.now + node.seconds
        if wait is not None:
            self._drive.expect_answer(run.run_id, task_id, gate.attempt, node.end)

    def _time_left(self, node: Node, *, is_stopping: bool) -> float:
        estimate, passed = node.estimate, node.elapsed * node.speed
        node.most -= node.elapsed
        if is_stopping:
            node.seconds = node.held = 0.0
        elif estimate.seconds is None:
            node.take(0.0)
        else:
            self._late += passed > estimate.seconds and estimate.spread.sigma > 0
            left = expected_rest(estimate.seconds, estimate.spread.sigma, passed) / node.speed
            self._cut += left > node.most
            node.take(left)
        node.end = self.now + node.seconds
        return node.end

    def _do(self, commands: Iterable[c.Command]) -> None:
        for command in commands:
            try:
                self._drive.do(command)
            except CommandRefused as refusal:
                self.refusals.append(refusal)

    def _forget_removed(self) -> None:
        """Drop the open gates that the commands have removed."""
        gone = [place for place, node in enumerate(self.nodes) if node.run.graph.tasks[node.number] is None]
        for place in reversed(gone):  # what depended on it had not started, and does not depend on it any more
            node = self.nodes.pop(place)
            latest = self._latest[node.run.run_id]
            del latest[node.number]
            for places in self._latest.values():
                places |= {number: at - 1 for number, at in places.items() if at > place}
            for other in self.nodes:
                other.before = tuple(at - (at > place) for at in other.before)
        self.begun -= len(gone)

    def _set_off(self) -> None:
        """Start the run without waiting for an operator or an answer, with all conditions assumed to hold."""
        run_id, state = self.run.run_id, self.run.state
        for index in self._scheduler.live.values():
            _take_conditions_for_granted(index.run, self.remarks if index.run is self.run else [])
        if state is RunState.PAUSED:
            self.remarks.append("The run is paused; this is how it goes on if it is resumed now.")
            self._drive.do(c.ResumeRun(run_id=run_id, origin=ORIGIN))
        elif state is RunState.READY:
            self.remarks.append("The run has not been started; this is how it goes if it is started now.")
            self._drive.do(c.StartRun(run_id=run_id, origin=ORIGIN))
        else:
            self._drive.decide(())  # what waits for an agent's edits starts now, not when something else is due

    # ---- going

    def _go(self, pause: Pause) -> None:
        run, drive = self.run, self._drive
        while run.open and drive.step():
            if drive.turns % TURNS_BETWEEN_PAUSES == 0:
                pause()

    def _attempt(self, start: StartTask) -> tuple[float, Outcome]:
        run = self._scheduler.runs[start.run_id].run
        number = run.graph.place[start.task_id]
        earlier = self._latest[start.run_id].get(number)
        node = self._node(run, number, start.task, start.device_id, start.slot)
        node.start = self._drive.now
        node.ready = max(self.now, run.ready_at[number])
        node.before = (earlier,) if earlier is not None else self._before(run, number, node.ready)
        ended = max((self.nodes[place].end for place in node.before), default=self.now)
        node.lag = max(0.0, node.ready - ended)
        work = (node.estimate.seconds or 0.0) / node.speed
        self._cut += work > node.most
        node.held = node.overhead.seconds
        node.take(work)
        node.end = node.start + node.seconds
        return node.seconds, _outcome(start.task, start.attempt, start.device_id)

    def _gate(self, run_id: str, task_id: str) -> float | None:
        """Open a gate now; see `_gate_node`."""
        run = self._scheduler.run(run_id)
        number = run.graph.place[task_id]
        earlier = self._latest[run_id].get(number)
        node, wait = self._gate_node(run, number, self.estimates.of(run.graph.task(task_id), run))
        node.start = node.ready = self._drive.now
        node.before = (earlier,) if earlier is not None else self._before(run, number, node.ready)
        ended = max((self.nodes[place].end for place in node.before), default=self.now)
        node.lag = max(0.0, node.ready - ended)
        node.end = node.start + node.seconds
        return wait

    def _gate_node(self, run: RunFacts, number: int, estimate: Estimate) -> tuple[Node, float | None]:
        """A gate, and the seconds from its asking until somebody approves; None: nobody does.

        Its countdown is over before that, or it is one of another run, and nobody can tell when it is answered: as long
        as it is not, what comes behind it takes nothing from this run.
        """
        task = run.graph.task(run.graph.ids[number])
        after = None if task.gate is None else task.gate.after
        node = Node(run, number, task, NOWHERE, 0, estimate, 1.0, float("inf") if after is None else after)
        node.seconds = min(estimate.seconds or 0.0, node.most)
        node.is_endless = estimate.seconds is None
        self._latest[run.run_id][number] = len(self.nodes)
        self.nodes.append(node)
        is_left = run is not self.run and node.is_endless
        return node, None if is_left or node.seconds == after else node.seconds

    def _node(self, run: RunFacts, number: int, task: Task, device_id: str, slot: int) -> Node:
        device = self._scheduler.fleet.devices[device_id]
        most = float("inf") if task.timeout is None else max(0.0, task.timeout - _BEFORE_TIMEOUT)
        node = Node(run, number, task, device_id, slot, self.estimates.of(task, run), device.speed, most)
        node.fills = not device.has_room()
        node.is_endless = node.estimate.seconds is None
        node.overhead = NO_OVERHEAD if task.simulate is not None else self.estimates.overhead(device_id, run)
        if node.overhead.seconds:  # its timeout, which leaves that out, has been looked at here
            self._scheduler.runs[run.run_id].unbegun[number] = run.tries[number]
        self._latest[run.run_id][number] = len(self.nodes)
        self.nodes.append(node)
        return node

    def _before(self, run: RunFacts, number: int, ready: float) -> tuple[int, ...]:
        """The attempts of its parents; a parent that never ran stands for its own."""
        latest, parents = self._latest[run.run_id], run.graph.parents
        found: list[int] = []
        line, seen = list(parents[number]), set[int]()
        while line:
            parent = line.pop()
            if parent in latest:
                found.append(latest[parent])
            elif parent not in seen and run.status[parent] >= COMPLETED and not run.has_last_attempt(parent):
                seen.add(parent)
                line += parents[parent]
        if run.any_joins and run.joins_any(number):  # the yes that has made it ready is the last answer by then
            found = [place for place in found if self.nodes[place].end <= ready]
            last = last_to_end(self.nodes, found)
            return () if last is None else (last,)
        return tuple(found)

    # ---- afterwards

    def _correct_ends(self) -> None:
        """Set the ends of attempts and gates that were stopped to the actual ones."""
        for run_id, latest in self._latest.items():
            run = self._scheduler.runs[run_id].run
            for number, place in latest.items():
                gate = run.gates.get(number)
                if gate is not None and gate.ended is not None:
                    self.nodes[place].end = gate.ended
                elif run.status[number] >= COMPLETED and run.device_of[number] is not None:
                    self.nodes[place].end = run.ended_at[number]

    def _remark(self) -> None:
        run, remarks = self.run, self.remarks
        if run.hold_open:
            remarks.append("The run is held open and will not end by itself; this is when its tasks have ended.")
        if self._late:
            remarks.append(
                f"{_tasks(self._late)} longer than estimated; what is left is what such tasks still take on average."
            )
        if self._cut:
            remarks.append(
                f"{_named(self._cut, 'attempt is', 'attempts are')} estimated to hit a timeout; not counted."
            )
        if run.open:
            remarks.append(f"{_named(run.open, 'task is', 'tasks are')} not foreseen to end. {self._why_not()}")

    def _why_not(self) -> str:
        """The scheduler's reason why the first of them does not start."""
        run = self.run
        index = self._scheduler.runs[run.run_id]
        stuck = [*run.with_status(PENDING), *run.with_status(WAITING)][:3]
        reasons = dict.fromkeys(
            f"{run.graph.ids[number]!r}: {reason.text}"
            for number in stuck
            for reason in why(self._scheduler, index, number)[:1]
        )
        return " ".join(reasons) or "nothing is left that could go on."


def _outcome(task: Task, attempt: int, device_id: str) -> Outcome:
    return DONE if task.simulate is None else simulated_outcome(task, attempt, device_id=device_id)[1]


def _take_conditions_for_granted(run: RunFacts, remarks: list[str]) -> None:
    """Replace conditions on unknown results by plain success."""
    special = run.graph.special
    open_ones = [
        pair
        for pair, dependency in special.items()
        if dependency.kind is DependencyKind.CONDITION and run.status[pair[0]] < COMPLETED and not _is_known(run, pair)
    ]
    for parent, child in open_ones:
        special[parent, child] = Dependency(parent=run.graph.ids[parent], child=run.graph.ids[child])
    if open_ones:
        count = _named(len(open_ones), "condition depends", "conditions depend")
        remarks.append(f"{count} on results that nobody knows yet; they are taken to say yes.")


def _is_known(run: RunFacts, pair: tuple[int, int]) -> bool:
    task = run.graph.tasks[pair[0]]
    return task is not None and task.simulate is not None


def _tasks(count: int) -> str:
    return _named(count, "task has run", "tasks have run")


def _named(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"
