"""Laws of the scheduler with agents: like `test_scheduler`, but agents are always there and mostly propose what fits.

No task starts behind a fence (`Driver` holds every start against the facts before it), nobody is waited for without
having been asked, and once everything is answered every run ends. Of edits that meet tasks which have started none is
lost: each is applied, left out or deferred, and no task starts while edits of it are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import example, given
from hypothesis import strategies as st
from tests.driver import task
from tests.properties import draws
from tests.properties.draws import ENDS
from tests.properties.test_scheduler import DEVICES, ORIGINS, Walk
from typing_extensions import override

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.model.agent_terms import EditScope, EndFilter, OnConflict, ScopeKind
from starloom.model.status import Fence, TaskStatus
from starloom.scheduling import commands as c
from starloom.scheduling.reservation_commands import BreakReservation
from starloom.scheduling.state import fence
from starloom.scheduling.state.codes import CANCELLED, FAILED, PENDING, RUNNING, SKIPPED
from starloom.scheduling.stimuli import DeviceConnectedNoticed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.constellation.edits import Edit
    from starloom.model.task import Task
    from starloom.scheduling.state.run_facts import RunFacts

AGENTS = ("x", "y")
FENCES = (None, None, *Fence)
APPROVED = ((), (), ("add_task", "remove_task"), tuple(ed.KIND_OF.values()))


HEARD: tuple[tuple[EndFilter, ...], ...] = (
    (),
    (),
    (EndFilter(statuses=(TaskStatus.FAILED,)),),
    (EndFilter(("a*", "n?")),),
    (EndFilter(when="attempts < 2 && status == 'completed'"), EndFilter(("b",), when="value.x > 1")),
)
SCOPES: tuple[EditScope | None, ...] = (
    None,
    None,
    EditScope(ScopeKind.DESCENDANTS),
    EditScope(ScopeKind.TASKS, ("a", "c*", "n*")),
    EditScope(ScopeKind.TASKS),
    EditScope(ScopeKind.GROUP, ("g",)),
    EditScope(ScopeKind.ALL),
)


VERDICTS = (None, *OnConflict)


class AgentWalk(Walk):
    """A random history of runs that agents change."""

    fences: Sequence[Fence | None] = FENCES
    approved: Sequence[tuple[str, ...]] = APPROVED
    heard: Sequence[tuple[EndFilter, ...]] = HEARD
    scopes: Sequence[EditScope | None] = SCOPES
    verdicts: Sequence[OnConflict | None] = VERDICTS

    def attach(self, run_id: str, name: str) -> None:
        """Attach an agent on some terms."""
        dice = self.dice
        asks, on, scope = dice.choice(self.approved), dice.choice(self.heard), dice.choice(self.scopes)
        terms: Any = {"on": on, "scope": scope, "on_conflict": dice.choice(self.verdicts)}
        self.do(c.AttachAgent(run_id=run_id, agent=name, asks=asks, **terms))

    @override
    def create(self) -> None:
        known = set(self.driver.scheduler.runs)
        super().create()
        for run_id in set(self.driver.scheduler.runs) - known:
            for name in AGENTS[: self.dice.randint(0, len(AGENTS))]:
                self.attach(run_id, name)
            self.do(c.SetFence(run_id=run_id, fence=self.dice.choice(self.fences), modification_timeout=30))

    def change_agents(self) -> None:
        dice, run_id = self.dice, self.some_run()
        name = dice.choice(AGENTS)
        if self.chance(0.4):
            self.attach(run_id, name)
        elif self.chance(0.2):
            self.do(c.TrustAgent(run_id=run_id, agent=name, asks=dice.choice([(), ("update_task",), ed.ALL_KINDS])))
        elif self.chance(0.4):
            fence, patience = dice.choice(self.fences), dice.choice([1.0, 10.0, 600.0])
            approval_timeout = dice.choice([None, None, 20.0])
            self.do(
                c.SetFence(run_id=run_id, fence=fence, modification_timeout=patience, approval_timeout=approval_timeout)
            )
        else:
            self.do(dice.choice([c.PauseAgent, c.ResumeAgent, c.DetachAgent])(run_id=run_id, agent=name))

    def answer(self) -> None:
        """Have some agent answer, mostly one that is waited for or late, or somebody answer an approval."""
        commands = self.open_answers()
        if commands:
            self.do(self.dice.choice(commands))
        else:
            self.do(c.AnswerEditCycle(run_id=self.some_run(), agent="x", cycle=1))

    def open_answers(self) -> list[c.Command]:
        """An answer to everything that agents or people were asked and have not answered."""
        found: list[c.Command] = []
        for run_id, index in self.driver.scheduler.live.items():
            cycles = index.run.cycles
            if cycles is None:
                continue
            found += [self.some_answer(run_id, one.name, one.late) for one in cycles.agents.values() if one.late]
            if cycles.cycle is not None:
                found += [self.some_answer(run_id, name, cycles.cycle.number) for name in cycles.cycle.waiting]
            accept = self.chance(0.5)
            for number, approval in cycles.approvals.items():
                count = len(approval.proposed.edits)
                without = (self.dice.randrange(count),) if accept and count > 1 and self.chance(0.3) else ()
                answer = c.AnswerApproval(run_id=run_id, approval=number, accept=accept, without=without)
                found.append(answer)
        return found

    def some_answer(self, run_id: str, agent: str, cycle: int) -> c.Command:
        if self.chance(0.7):
            batch = ed.EditBatch(edits=self.fitting(run_id), reason="it fits")
            return c.AnswerEditCycle(run_id=run_id, agent=agent, cycle=cycle, proposal=batch)
        edits = tuple(self.some_edit(run_id) for _ in range(self.dice.randint(0, 3)))
        base = self.dice.choice([None, None, self.driver.run(run_id).revision])
        proposal = ed.EditBatch(edits=edits, base_revision=base) if self.chance(0.8) else None
        error = "" if proposal is not None else self.dice.choice(["", "it broke"])
        return c.AnswerEditCycle(run_id=run_id, agent=agent, cycle=cycle, proposal=proposal, error=error)

    def fitting(self, run_id: str) -> tuple[Edit, ...]:
        """Edits that would do by now, mostly."""
        dice, run = self.dice, self.driver.run(run_id)
        fresh = [task_id for task_id, number in run.graph.place.items() if run.status[number] <= PENDING]
        self.fresh += 1
        name = f"n{self.fresh}"
        add: list[Edit] = [ed.AddTask(self.some_task(name))]
        if run.graph.place and self.chance(0.7):
            add.append(ed.AddDependency(self.some_edge(dice.choice(list(run.graph.place)), name)))
        if not fresh or self.chance(0.4):
            return tuple(add)
        victim = dice.choice(fresh)
        change: Edit = ed.RemoveTask(victim) if self.chance(0.5) else ed.UpdateTask(victim, timeout=30)
        return (change,) if self.chance(0.5) else (change, *add)

    def meeting_what_has_started(self, run_id: str) -> tuple[Edit, ...]:
        """Edits that would do had nothing started, mostly, some of them of tasks that have."""
        dice, run = self.dice, self.driver.run(run_id)
        begun = [task_id for task_id, number in run.graph.place.items() if run.status[number] >= RUNNING]
        running = [task_id for task_id in begun if run.status[run.graph.place[task_id]] == RUNNING]
        if not begun:
            return self.fitting(run_id)
        victim = dice.choice(running if running and self.chance(0.8) else begun)
        other = dice.choice(list(run.graph.place))
        again = (ed.RemoveTask(victim), ed.AddTask(self.some_task(victim)))
        made: tuple[Edit, ...] = dice.choice(
            [
                (ed.UpdateTask(victim, timeout=30),),
                (ed.UpdateTask(victim, groups=()), ed.UpdateTask(other, timeout=40)),
                again,
                (*again, ed.AddDependency(self.some_edge(victim, other))),
                (ed.RemoveTask(victim),),
                *[(edit,) for edit in self.new_parents(run_id, victim)],
            ]
        )
        return made if self.chance(0.4) else (*made, *self.fitting(run_id))

    def new_parents(self, run_id: str, child: str) -> list[Edit]:
        """One edit for each parent that a task could get, or another kind of."""
        graph = self.driver.run(run_id).graph
        below = {child, *(graph.ids[number] for number in graph.descendants(graph.place[child]))}
        known = {dependency.parent for dependency in graph.dependencies() if dependency.child == child}
        return [
            (ed.UpdateDependency if parent in known else ed.AddDependency)(self.some_edge(parent, child))
            for parent in graph.place
            if parent not in below
        ]

    def reserve(self) -> None:
        self.do(draws.some_reservation(self.dice, self.some_run(), self.dice.choice(DEVICES), (*ORIGINS, *AGENTS)))

    @override
    def set_free(self) -> None:
        for target in list(self.driver.scheduler.fleet.reservations):
            self.do(BreakReservation(**target._asdict(), reason="it is the end of the walk"))
        super().set_free()

    @override
    def answer_everything(self) -> None:
        """Have nobody wait for an agent or a person, and nothing changed any more."""
        super().answer_everything()
        for run_id, index in list(self.driver.scheduler.live.items()):
            cycles = index.run.cycles
            waiting = cycles.cycle.waiting if cycles is not None and cycles.cycle is not None else ()
            for name in waiting:
                assert cycles is not None
                self.do(c.AnswerEditCycle(run_id=run_id, agent=name, cycle=cycles.cycles))
            for number in list(cycles.approvals) if cycles is not None else ():
                self.do(c.AnswerApproval(run_id=run_id, approval=number, accept=False))
            # What an agent had already proposed came in just now, perhaps a task with a breakpoint.
            self.let_go(run_id)

    @override
    def step(self) -> None:
        doing = (
            (self.end, 9),
            (self.answer, 7),
            (self.crowd, 3),
            (self.change_agents, 3),
            (self.edit, 2),
            (self.steer, 3),
            (self.steer_run, 1),
            (self.step_on, 1),
            (self.change_fleet, 1),
            (self.reserve, 1),
            (self.advance, 2),
            (self.resume_from_the_journal, 1),
            (self.die, 0.3),
            (self.create, 1),
        )
        self.dice.choices([what for what, _ in doing], [share for _, share in doing])[0]()


class OptimisticWalk(AgentWalk):
    """A random history of runs in which everything starts while agents think, and they want to change what runs."""

    fences = (*[Fence.OPTIMISTIC] * 15, *Fence)
    approved = ((), (), (), ("update_task",))
    heard = ((), (), (EndFilter(("t?",)),))
    scopes = (None, None, None, EditScope(ScopeKind.TASKS, ("t*", "n*")))
    verdicts = (None, OnConflict.DROP, *[OnConflict.REPLACE, OnConflict.NEXT_ATTEMPT] * 3)

    @override
    def some_task(self, id: str) -> Task:
        return task(id, retry=self.dice.choice([1, 2]), priority=50) if self.chance(0.8) else super().some_task(id)

    @override
    def add_device(self, id: str) -> None:
        super().add_device(id)
        self.driver.turn(DeviceConnectedNoticed(id, frozenset()))

    @override
    def end(self) -> None:
        names = list(self.driver.ordered)
        if names:
            run_id, name = self.dice.choice(names)
            self.driver.end(name, run_id, **self.dice.choice(ENDS))
        self.answer()

    @override
    def fitting(self, run_id: str) -> tuple[Edit, ...]:
        return self.meeting_what_has_started(run_id) if self.chance(0.7) else super().fitting(run_id)


@example(seed=29, steps=27)  # a task with a breakpoint, proposed before and added after all had been set free
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 60))
def test_whatever_agents_want_and_whenever_they_answer_no_law_breaks_and_every_run_ends(seed, steps):
    walk = AgentWalk(seed)
    for _ in range(steps):
        walk.step()
    walk.finish()


@example(seed=1297, steps=60)  # a dependency between two removed tasks, one of which had ended and the other one ran
@given(seed=st.integers(0, 2**32), steps=st.integers(10, 60))
def test_whatever_agents_want_of_tasks_that_have_started_none_starts_stale_and_no_edit_is_lost(seed, steps):
    walk = OptimisticWalk(seed)
    for _ in range(steps):
        walk.step()
    walk.finish()
    for run_id in walk.driver.scheduler.runs:
        see_that_no_edit_is_lost([event for event in walk.driver.events if event.run_id == run_id])
        see_that_nothing_is_left_open(walk.driver.run(run_id))


def see_that_no_edit_is_lost(events: Sequence[ev.Event]) -> None:
    """See that of each accepted answer each edit has one fate, and that no task starts while edits of it wait."""
    proposed: dict[tuple[int, str], int] = {}
    waiting: dict[int, ev.EditsDeferred] = {}
    fates = 0
    for event in events:
        if isinstance(event, ev.AgentAnswered):
            proposed[event.cycle, event.agent] = len(event.edits)
        elif isinstance(event, ev.EditsLeftOut):
            fates += len(event.edits)
        elif isinstance(event, ev.ConstellationModified) and event.origin in AGENTS:
            fates += len(event.changes)
        elif isinstance(event, ev.EditsDeferred):
            fates += len(event.edits)
            waiting[event.deferral] = event
        elif isinstance(event, ev.DeferredEditsSettled):
            del waiting[event.deferral]
        elif isinstance(event, ev.TaskStarted):
            early = [one for one in waiting.values() if event.task_id in one.task_ids]
            assert not early, f"{event.task_id} started before the edits of it were settled: {early}"
        if isinstance(event, ev.ProposalSettled):
            assert not event.is_accepted or fates == proposed[event.cycle, event.agent], "an edit is lost"
        if isinstance(event, ev.AgentAnswered | ev.ProposalSettled | ev.ProposalStaged | ev.DeferredEditsSettled):
            fates = 0


def see_that_nothing_is_left_open(run: RunFacts) -> None:
    """See that what is deferred once a run has ended is for tasks that may run again."""
    for one in run.cycles.deferrals.values() if run.cycles is not None else ():
        assert one.proposed.on_conflict is OnConflict.NEXT_ATTEMPT
        assert {run.status[number] for number in one.tasks} <= {FAILED, CANCELLED, SKIPPED}


@given(seed=st.integers(0, 2**32), steps=st.integers(1, 60))
def test_what_the_fence_keeps_back_is_what_its_own_rule_says(seed, steps):
    walk = AgentWalk(seed, checked=False)
    for _ in range(steps):
        walk.step()
        for index in walk.driver.scheduler.runs.values():
            run = index.run
            waiting = {n for n in run.with_status(PENDING) if n not in run.held and n not in run.backoff}
            kept = {number for number in waiting if fence.holds(run, number)}
            assert fence.kept(index) == kept
            assert fence.kept(index, range(0, len(run.status), 2)) == {number for number in kept if number % 2 == 0}
