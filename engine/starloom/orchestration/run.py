"""A run for the host program: readings of its facts, and commands to it. Keeps no state of its own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from typing_extensions import override

from starloom.constellation.edits import AddTask, Edit, EditBatch
from starloom.errors import CommandRefused
from starloom.events import Event, Snapshot
from starloom.foresight.projection import project
from starloom.foresight.speedups import speedups
from starloom.foresight.what_if import what_if
from starloom.orchestration import networkx_view
from starloom.orchestration.foresight import check_commands, foresee
from starloom.orchestration.forwarding import forwarded
from starloom.orchestration.readings import Results, TaskReading, check_known
from starloom.orchestration.run_agents import RunAgents
from starloom.orchestration.run_end import RunEnd
from starloom.orchestration.run_tasks import RunTasks
from starloom.orchestration.stopping import OpenGate, RunStops, gates_of
from starloom.scheduling import commands as c
from starloom.scheduling.read.open_questions import OpenQuestion, questions_of
from starloom.scheduling.read.summary import RunSummary
from starloom.scheduling.read.why import Reason, why
from starloom.scheduling.restore import beside
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    import networkx as nx

    from starloom.constellation.structure import Structure
    from starloom.foresight.projection import Projection
    from starloom.foresight.speedups import Speedups
    from starloom.foresight.what_if import WhatIf
    from starloom.model.status import RunState
    from starloom.model.task import Task
    from starloom.orchestration.bus import EventBus
    from starloom.orchestration.pump import Pump
    from starloom.orchestration.synchronizer import Synchronizer
    from starloom.scheduling.decide.editing import EditReceipt
    from starloom.scheduling.state.cycle_facts import AgentFacts, Approval
    from starloom.scheduling.state.run_facts import RunFacts


def _agents(run: Run) -> RunAgents:
    return RunAgents(run.id, run.origin, run._pump, run._synchronizer)


def _stops(run: Run) -> RunStops:
    return RunStops(run.id, run.origin, run._pump)


def _tasks(run: Run) -> RunTasks:
    return RunTasks(run.id, run.origin, run._pump)


class Run:
    """One execution of a plan. Commands raise `CommandRefused`, with code, reason and hint, and then change nothing.

    Attributes:
        id: the run's id.
        origin: in whose name commands are given, e.g. `operator`.
    """

    def __init__(
        self, run_id: str, pump: Pump, bus: EventBus, synchronizer: Synchronizer, origin: str = c.OPERATOR
    ) -> None:
        self.id = run_id
        self.origin = origin
        self._pump = pump
        self._bus = bus
        self._synchronizer = synchronizer
        self._end = RunEnd()

    # ---- reading

    @property
    def facts(self) -> RunFacts:
        """The facts of the run; for reading only. Those of a run that was released are read from its journal.

        Raises:
            JournalError: they cannot be read there.
        """
        return self._pump.facts(self.id)

    @property
    def state(self) -> RunState:
        """The state of the run."""
        ended = self._pump.ended_runs.get(self.id)
        return ended.state if ended is not None else self.facts.state

    @property
    def revision(self) -> int:
        """The number of edit batches that were applied to its graph."""
        return self.facts.revision

    def task(self, task_id: str) -> TaskReading:
        """A reading of one task.

        Raises:
            CommandRefused: there is no such task.
        """
        check_known(self.facts, task_id)
        return TaskReading(self, task_id)

    @property
    def tasks(self) -> list[TaskReading]:
        """A reading of each task, by place in line."""
        graph = self.facts.graph
        return [TaskReading(self, graph.ids[number]) for number, _ in graph.present()]

    @property
    def results(self) -> Results:
        """The results by task id."""
        return Results(self)

    def why(self, task_id: str) -> tuple[Reason, ...]:
        """The reasons why a task does not run, the blocking ones first.

        Raises:
            CommandRefused: there is no such task.
        """
        check_known(self.facts, task_id)
        scheduler, facts = self._pump.scheduler, self.facts
        if self.id not in scheduler.runs:
            scheduler = beside(FoldedRun.of(facts), scheduler.now)
        scheduler.now = max(scheduler.now, self._pump.clock())
        return why(scheduler, scheduler.runs[self.id], facts.graph.place[task_id])

    def summary(self) -> RunSummary:
        """The summary of the run up to now."""
        ended = self._pump.ended_runs.get(self.id)
        if ended is not None:
            return RunSummary.kept(ended, lambda: self.facts)
        return RunSummary(self.facts, self._pump.clock())

    def to_networkx(self) -> nx.DiGraph:
        """The graph as it is now, like `Plan.to_networkx`, with `status`, `attempts`, `ran_on` and `duration`."""
        return networkx_view.to_networkx(self.facts)

    async def structure(self) -> Structure:
        """The parts of the graph as it is now, its longest chain and its width; computed in a thread."""
        return await networkx_view.structure_of(self.facts)

    async def project(self, *, samples: int | None = None, seed: int = 0) -> Projection:
        """Project when each task starts and ends and where, when the run ends, and what determines that.

        The live state is copied at once; the rest is done in a worker thread that gives way to the loop. Cancelling it
        is safe. Durations are those the tasks declare, else those of earlier tasks of the same plan, by name or kind,
        of this program and of the latest runs in the journals.

        Args:
            samples: how many ends are sampled for `p50` and `p90`; None: as many as fit into about a second, 0: none.
            seed: another one draws other samples; equal states and seeds give equal projections.
        """
        return await foresee(self._pump, self.id, partial(project, run_id=self.id, samples=samples, seed=seed))

    async def what_if(
        self, *edits: Edit, commands: Sequence[c.Command] = (), samples: int | None = None, seed: int = 0
    ) -> WhatIf:
        """Project the effect of edits, as one batch, and then commands, without changing anything. See `project`.

        Args:
            *edits: what would be given to `edit`.
            commands: what else would be asked for, e.g. `SetLimits(max_concurrency=8)`.
            samples: how many ends are sampled of each of the two projections.
            seed: that of both, so that chance does not look like a difference.

        Raises:
            CommandRefused: one of the commands is none. What would be refused is no error: `problems` says why.
        """
        check_commands(commands)
        asked = partial(what_if, run_id=self.id, edits=edits, commands=commands, origin=self.origin)
        return await foresee(self._pump, self.id, partial(asked, samples=samples, seed=seed))

    async def speedups(self) -> Speedups:
        """Try which higher limits, more slots or resting devices would let the run end earlier. See `project`."""
        return await foresee(self._pump, self.id, partial(speedups, run_id=self.id))

    async def events(self) -> AsyncIterator[Event]:
        """A snapshot of the run, then its events as they are committed; ends with the run's end."""
        if self.state.has_ended:
            facts = self.facts
            yield Snapshot(facts.seq, self._pump.clock(), self.id, 0, FoldedRun.of(facts))
            return
        async for event in self._bus.stream(self.id):
            yield event

    async def finished(self) -> RunSummary:
        """Return the summary once the run has ended; of a reopened run, once it has ended again.

        Raises:
            JournalError: the engine halted, because the run's events could not be kept.
            CommandRefused: the engine shut down before the run had ended.
        """
        while True:
            await self._until_ended()
            await self._bus.caught_up()
            if self.state.has_ended:  # an observer may have reopened it
                return self.summary()

    async def _until_ended(self) -> None:
        while not self.state.has_ended:
            if self._pump.halted is not None:
                raise self._pump.halted
            if self._end.is_closed:
                reason = f"The engine shut down before the run {self.id!r} had ended."
                raise CommandRefused("shut_down", reason, "Start it again in a new engine.")
            await self._end.woken()

    def close(self) -> None:
        """Wake those who wait for the end, as no more events will come; called by the engine."""
        self._end.close()

    def wake_waiters(self) -> None:
        """Wake `finished`; called by the engine when the run has ended or cannot continue."""
        self._end.wake()

    # ---- the graph

    async def edit(
        self, *edits: Edit, reason: str = "", base_revision: int | None = None, origin: str | None = None
    ) -> EditReceipt:
        """Apply edits to the graph, all of them or none; returns the revision made and the batch that takes it back.

        Args:
            *edits: in this order.
            reason: why, for whoever reads of it.
            base_revision: the revision its author saw; what another origin changed since is a conflict. None: no such
                check.
            origin: in whose name; None: the handle's.

        Raises:
            EditRefused: some do not fit; `problems` lists each.
        """
        batch = EditBatch(edits=edits, base_revision=base_revision, origin=origin or self.origin, reason=reason)
        return await self.apply(batch)

    async def apply(self, batch: EditBatch) -> EditReceipt:
        """Apply a batch as it is, e.g. the inverse of an earlier one.

        Raises:
            EditRefused: some edits do not fit; `problems` lists each.
        """
        command = c.EditConstellation(run_id=self.id, batch=batch, origin=batch.origin)
        receipt: EditReceipt = await self._pump.ask(command)
        return receipt

    async def submit(self, task: Task, origin: str) -> None:
        """Add a task as a submission, which is refused while the queue is full.

        Args:
            task: its id is new in the run.
            origin: in whose name.

        Raises:
            QueueFull: as many tasks wait as `max_queue` allows.
            EditRefused: the task does not fit; `problems` says why.
        """
        batch = EditBatch(edits=(AddTask(task),), origin=origin, reason="submitted")
        await self._pump.ask(c.EditConstellation(run_id=self.id, batch=batch, origin=origin, is_submission=True))

    # ---- agents

    @property
    def agents(self) -> Mapping[str, AgentFacts]:
        """The agents attached to it by name, in order of attachment, and what became of their answers."""
        return _agents(self).agents

    @property
    def approvals(self) -> tuple[Approval, ...]:
        """The agents' edits that wait for a person, oldest first."""
        return _agents(self).approvals

    agent = forwarded(_agents, RunAgents.agent)
    attach = forwarded(_agents, RunAgents.attach)
    detach = forwarded(_agents, RunAgents.detach)
    pause_agent = forwarded(_agents, RunAgents.pause_agent)
    resume_agent = forwarded(_agents, RunAgents.resume_agent)
    trust_agent = forwarded(_agents, RunAgents.trust_agent)
    set_fence = forwarded(_agents, RunAgents.set_fence)
    answer_approval = forwarded(_agents, RunAgents.answer_approval)

    # ---- gates, breakpoints, a goal, single steps

    @property
    def gates(self) -> tuple[OpenGate, ...]:
        """The gates that wait for a person, the one that waits longest first."""
        return gates_of(self.facts)

    @property
    def questions(self) -> tuple[OpenQuestion, ...]:
        """The questions of its running tasks that wait for a person, the oldest first."""
        return questions_of(self.facts)

    answer_gate = forwarded(_stops, RunStops.answer_gate)
    answer_question = forwarded(_stops, RunStops.answer_question)
    set_breakpoints = forwarded(_stops, RunStops.set_breakpoints)
    clear_breakpoints = forwarded(_stops, RunStops.clear_breakpoints)
    run_until = forwarded(_stops, RunStops.run_until)
    step = forwarded(_stops, RunStops.step)

    # ---- the run

    async def start(self) -> None:
        """Start a run that was created without starting."""
        await self._pump.ask(c.StartRun(run_id=self.id, origin=self.origin))

    async def pause(self, reason: str = "") -> None:
        """Start no more tasks; running attempts, timeouts and pauses before retries continue."""
        await self._pump.ask(c.PauseRun(run_id=self.id, origin=self.origin, reason=reason))

    async def resume(self, reason: str = "", *, origin: str | None = None) -> None:
        """Start tasks again; `origin` as for `edit`."""
        await self._pump.ask(c.ResumeRun(run_id=self.id, origin=origin or self.origin, reason=reason))

    async def cancel(self, reason: str = "") -> None:
        """Cancel everything that has not ended; the run ends when all running attempts have stopped."""
        await self._pump.ask(c.CancelRun(run_id=self.id, origin=self.origin, reason=reason))

    async def hold_open(self, hold_open: bool = True) -> None:
        """Keep the run from ending when no task is left, or stop doing so."""
        await self._pump.ask(c.HoldRunOpen(run_id=self.id, origin=self.origin, hold_open=hold_open))

    async def set_limit(self, max_concurrency: int | None) -> None:
        """Change how many of its tasks may run at once; None: no limit of its own.

        Raises:
            CommandRefused: it is no whole number, or below 0.
        """
        if max_concurrency is not None and (isinstance(max_concurrency, bool) or not isinstance(max_concurrency, int)):
            raise CommandRefused("bad_limit", f"A limit cannot be {max_concurrency!r}.", "Give a whole number or none.")
        await self._pump.ask(c.SetRunLimit(run_id=self.id, origin=self.origin, max_concurrency=max_concurrency))

    # ---- tasks

    cancel_tasks = forwarded(_tasks, RunTasks.cancel_tasks)
    hold = forwarded(_tasks, RunTasks.hold)
    release = forwarded(_tasks, RunTasks.release)
    retry = forwarded(_tasks, RunTasks.retry)
    skip = forwarded(_tasks, RunTasks.skip)
    mark = forwarded(_tasks, RunTasks.mark)
    rerun_from = forwarded(_tasks, RunTasks.rerun_from)
    set_priority = forwarded(_tasks, RunTasks.set_priority)
    pin = forwarded(_tasks, RunTasks.pin)

    @override
    def __repr__(self) -> str:
        return f"<run {self.id!r}: {self.state}>"
