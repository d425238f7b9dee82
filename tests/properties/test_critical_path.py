"""The critical path is one thing: foreseen before a run, walked back after it, on a terminal and in a report."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from starloom.foresight.projection import project
from starloom.foresight.virtual import SimulatedSpec, VirtualRun
from starloom.model.dependency import Dependency
from starloom.model.plan import Limits, Plan
from starloom.model.status import DependencyKind
from starloom.model.task import Task
from starloom.reporting.folding import build
from starloom.scheduling.read.critical_path import critical_path

if TYPE_CHECKING:
    from starloom.events import Event

_SECONDS = st.sampled_from([0.25, 0.5, 1.0, 1.0, 2.0, 3.5, 7.25])
_GROUPS = st.sampled_from([(), (), ("lab",), ("net",), ("lab", "net")])
_KINDS = st.sampled_from(
    [DependencyKind.SUCCESS, DependencyKind.SUCCESS, DependencyKind.ALWAYS, DependencyKind.FAILURE]
)


def _task(id: str, **fields: Any) -> Task:
    return Task(id=id, **fields)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Up to 14 tasks that take a while, some of which fail first; groups, gates, any joins, dependencies forwards."""
    count = draw(st.integers(1, 14))
    tasks = []
    for number in range(count):
        seconds = draw(_SECONDS)
        if draw(st.integers(0, 7)) == 0:
            tasks.append(_task(f"t{number}", gate={"message": "Go on?"}, estimate=seconds))
            continue
        fails = draw(st.sampled_from([0, 0, 0, 1, 2]))
        fields: dict[str, Any] = {"simulate": {"duration": seconds, "fail_attempts": fails}, "estimate": seconds}
        if fails:
            fields["retry"] = {"attempts": draw(st.integers(1, 2)), "delay": draw(st.sampled_from([0.0, 1.0, 4.0]))}
        join = draw(st.sampled_from(["all", "all", "any"]))
        tasks.append(_task(f"t{number}", groups=draw(_GROUPS), join=join, **fields))
    pairs = [(one, two) for two in range(count) for one in range(two)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=24)) if pairs else []
    return Plan(
        name="p",
        tasks=tuple(tasks),
        dependencies=tuple(Dependency(parent=f"t{one}", child=f"t{two}", kind=draw(_KINDS)) for one, two in chosen),
        limits=Limits(max_concurrency=draw(st.sampled_from([None, 1, 2, 3])), groups={"lab": 1, "net": 2}),
    )


@given(plans(), st.lists(st.sampled_from([1, 2, None]), min_size=1, max_size=2))
def test_the_path_that_was_foreseen_is_the_path_that_was_and_the_one_in_the_report(
    plan: Plan, slots: list[int | None]
) -> None:
    events: list[Event] = []
    devices = [SimulatedSpec(f"d{number}", slots=many, speed=1.0 + number) for number, many in enumerate(slots)]
    run = VirtualRun(plan, devices, on_events=events.extend)
    foreseen = project(run.fork(), run.run.run_id, samples=0)
    while run.step():
        pass
    made = critical_path(run.run, run.now)
    names = [(run.run.graph.ids[step.number], step.started, step.ended, step.waited_for) for step in made.steps]
    assert names == [(step.task_id, step.start, step.finish, step.waited_for) for step in foreseen.path]
    assert made.seconds == foreseen.path_s
    statistics = run.summary().statistics
    report = build(run.run.run_id, [event for event in events if event.run_id == run.run.run_id])
    assert report.critical_s == made.seconds == statistics.critical_path_length
    told = [report.tasks[step.task].id for step in report.critical_path]
    assert told == [name for name, *_ in names]
    assert statistics.critical_path_tasks == tuple(
        name for place, name in enumerate(told) if not place or told[place - 1] != name
    )


@given(plans(), st.sampled_from([1, 2, None]))
def test_its_steps_follow_one_another_and_are_no_longer_than_the_run(plan: Plan, slots: int | None) -> None:
    run = VirtualRun(plan, [SimulatedSpec("d", slots=slots)])
    while run.step():
        pass
    path = critical_path(run.run, run.now)
    assert all(later.started >= earlier.ended for earlier, later in pairwise(path.steps))
    assert path.seconds <= run.summary().makespan_s
    ends = [one.ended for number in range(len(run.run.status)) for one in run.run.attempts(number)]
    if ends:
        assert path.steps[-1].ended >= max(end for end in ends if end is not None)
