"""Projections: when and where the tasks of a run will start and end, when the run will end, and what decides that."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from starloom.foresight.critical import Links
from starloom.foresight.estimates import Estimate, Estimates, EstimateSource
from starloom.foresight.sampling import foreseen_end, quantile, sampled_ends
from starloom.foresight.schedule import Schedule
from starloom.foresight.unknown_starts import unknown_starts
from starloom.pauses import Pause, no_pause, with_pauses
from starloom.scheduling.read.waiting_causes import NOWHERE, WaitedFor, last_to_end
from starloom.scheduling.state.codes import CANCELLED, FAILED, SKIPPED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.foresight.node import Node
    from starloom.model.task import Task
    from starloom.scheduling.fork import Fork


class Certainty(StrEnum):
    """The certainty of a projected end."""

    EXPECTED = "expected"
    """Everything that is left has an estimate and is foreseen to end."""
    LOWER_BOUND = "lower_bound"
    """It is estimated to end then or later: some tasks have no estimate and count as nothing, also of other runs that
    may take its slots, or are not foreseen to run, or a person has not answered to what an agent proposes, or only a
    few tasks of their kind tell how long some take. Then the countdown of a gate counts as nothing, too, as a person
    ends it at any time. It bounds the estimate, not the run: what counts rests on what earlier tasks took, or on what
    somebody has declared."""
    UNKNOWN = "unknown"
    """There is no estimate for anything that is left but countdowns of gates, or only a person is waited for."""


class TaskForecast(msgspec.Struct, frozen=True, gc=False):
    """The forecast of a task that has not ended; times in seconds on the engine's clock.

    Attributes:
        start: when its last attempt starts or has started; None: nobody can tell.
        finish: when that ends; None: nobody can tell.
        device_id: where; None: nobody can tell, or it is a gate.
        estimate: how long it takes at speed 1, and who says so.
        slack: seconds it could end later without delaying the run's end; None without a finish, or while there are
            tasks without an estimate.
        is_lower_bound: it may have to wait for something of which nobody can tell when it ends, and which counts as
            nothing: as far as the estimates hold, `start` and `finish` are then the earliest, unless
            `is_after_countdown`.
        is_after_countdown: a gate before it counts as long as its countdown, though a person may answer before.
    """

    task_id: str
    start: float | None
    finish: float | None
    device_id: str | None
    estimate: Estimate
    slack: float | None
    is_lower_bound: bool = False
    is_after_countdown: bool = False


class DeviceForecast(msgspec.Struct, frozen=True):
    """The forecast of a device, as far as this run uses it.

    Attributes:
        start: when it begins to work for the run, or now if it does already.
        finish: when its last attempt for the run ends.
        busy_s: seconds of all these attempts together, from now on.
        attempts: how many there are.
    """

    id: str
    start: float
    finish: float
    busy_s: float
    attempts: int


class ProjectedStep(msgspec.Struct, frozen=True, gc=False):
    """One task on the path that determines the end.

    Attributes:
        run_id: the run it belongs to: another run's task may hold the slot that is waited for.
        device_id: where; empty: it is a gate.
        waited_for: why it does not start before the step before it on the path has ended.
    """

    task_id: str
    run_id: str
    device_id: str
    start: float
    finish: float
    waited_for: WaitedFor


class Projection(msgspec.Struct, frozen=True, kw_only=True):
    """The projection of a run; times in seconds on the engine's clock.

    Attributes:
        at: when it was made.
        certainty: what the end is worth.
        end: when the run ends if everything takes what is estimated; None if unknown.
        p50, p90: the end that half of the samples, and nine of ten, don't exceed; None if unknown.
        samples: how many there were; 1 where nothing scatters.
        tasks: what is foreseen for each task that has not ended, by id; one that will be bypassed takes no time, and is
            left out.
        devices: likewise for each device that the run will use.
        path: the critical path, first to last; see `scheduling.read.critical_path`. Empty while the end is unknown, or
            counts the countdown of a gate as nothing, as `tasks` do not.
        skipped: the tasks that are foreseen to be skipped or cancelled.
        failing: those that are foreseen to fail, as their simulation says.
        unestimated: how many of `tasks` have no estimate.
        unforeseen: how many of `tasks` are not foreseen to end.
        unestimated_beside: how many attempts of other runs have no estimate, and may be in the way of this one's.
        remarks: what is taken for granted and what is not foreseen, in sentences.
    """

    run_id: str
    at: float
    certainty: Certainty
    end: float | None
    p50: float | None
    p90: float | None
    samples: int
    tasks: Mapping[str, TaskForecast]
    devices: Mapping[str, DeviceForecast]
    path: tuple[ProjectedStep, ...]
    skipped: tuple[str, ...]
    failing: tuple[str, ...]
    unestimated: int
    unforeseen: int
    remarks: tuple[str, ...]
    unestimated_beside: int = 0

    @property
    def path_s(self) -> float:
        """Seconds of the attempts on the critical path together, as far as they are ahead."""
        return sum(max(0.0, step.finish - max(self.at, step.start)) for step in self.path)

    @property
    def remaining_s(self) -> float | None:
        """Seconds from `at` to the end."""
        return None if self.end is None else max(0.0, self.end - self.at)


def project(
    fork: Fork,
    run_id: str,
    *,
    estimates: Estimates | None = None,
    samples: int | None = None,
    seed: int = 0,
    pause: Pause = no_pause,
) -> Projection:
    """The projection of a run of a fork. Pure: equal arguments give equal projections.

    Args:
        fork: where the run stands; stays as it is.
        run_id: a run of the fork.
        estimates: how long tasks take; None: as the facts of the fork say.
        samples: how many ends are sampled; None: as many as fit into about a second, 0: none.
        seed: another one draws other samples.
        pause: see `pauses.Pause`.

    Raises:
        KeyError: the run is not in the fork.
    """
    known = estimates if estimates is not None else estimates_of(fork, pause)
    schedule = Schedule(fork, run_id, known, pause=pause)
    return projection_of(schedule, samples=samples, seed=seed, pause=pause)


def estimates_of(fork: Fork, pause: Pause = no_pause) -> Estimates:
    """The estimates that the runs of a fork allow.

    Args:
        fork: its runs, ended ones too, say how long tasks take.
        pause: see `pauses.Pause`.
    """
    runs = (*(copy.run for copy in fork.copies.values()), *fork.past)
    return Estimates(runs, fork.now, pause, fork.durations)


def projection_of(
    schedule: Schedule, *, samples: int | None = None, seed: int = 0, pause: Pause = no_pause
) -> Projection:
    """A schedule as a projection; see `project` for the arguments."""
    ends = [foreseen_end(schedule)] if samples == 0 else sampled_ends(schedule, samples=samples, seed=seed, pause=pause)
    links = Links(schedule, pause)
    pause()
    finish = foreseen_end(schedule)
    slack = links.slack(finish) if all(node.estimate.seconds is not None for node in schedule.nodes) else None
    tasks = _tasks(schedule, slack, links, pause)
    pause()
    unestimated = sum(task.estimate.source is EstimateSource.NONE for task in tasks.values())
    unforeseen = sum(task.finish is None for task in tasks.values())
    beside = _unestimated_beside(schedule)
    guessed = sum(task.estimate.is_guess for task in tasks.values())
    certainty = _certainty(tasks, unestimated, unforeseen + schedule.approvals, beside + guessed)
    path = _path(schedule, links) if certainty is not Certainty.UNKNOWN else ()
    if certainty is Certainty.LOWER_BOUND and _waits_for_countdown(schedule, tasks, path):
        finish, path = _end_without_countdowns(schedule, links), ()
        ends = [finish]
        certainty = certainty if finish > schedule.now else Certainty.UNKNOWN
    is_known = certainty is not Certainty.UNKNOWN
    return Projection(
        run_id=schedule.run.run_id,
        at=schedule.now,
        certainty=certainty,
        end=_end(schedule, finish) if is_known else None,
        p50=quantile(ends, 0.5) if is_known else None,
        p90=quantile(ends, 0.9) if is_known else None,
        samples=len(ends),
        tasks=tasks,
        devices=_devices(schedule, pause),
        path=path,
        skipped=_ended_as(schedule, SKIPPED, CANCELLED),
        failing=_ended_as(schedule, FAILED),
        unestimated=unestimated,
        unforeseen=unforeseen,
        remarks=(
            *_about_estimates(unestimated, len(tasks)),
            *_about_guesses(guessed, len(tasks)),
            *_about_others(beside),
            *schedule.remarks,
        ),
        unestimated_beside=beside,
    )


def _end(schedule: Schedule, finish: float) -> float:
    """An ended run has ended when it did."""
    ended = schedule.run.run_ended_at
    return ended if ended is not None and not schedule.nodes else finish


def _certainty(tasks: Mapping[str, TaskForecast], unestimated: int, unforeseen: int, unsure: int) -> Certainty:
    if not unestimated and not unforeseen:
        return Certainty.LOWER_BOUND if unsure else Certainty.EXPECTED
    is_any_known = any(task.finish is not None and task.estimate.seconds is not None for task in tasks.values())
    return Certainty.LOWER_BOUND if is_any_known else Certainty.UNKNOWN


def _waits_for_countdown(schedule: Schedule, tasks: Mapping[str, TaskForecast], path: Iterable[ProjectedStep]) -> bool:
    """Whether a gate on the path counts as long as its countdown, though a person may answer before."""
    graph, run_id = schedule.run.graph, schedule.run.run_id
    gates = [step.task_id for step in path if step.device_id == NOWHERE and step.run_id == run_id]
    return any(_is_countdown(graph.task(task_id), tasks[task_id].estimate.seconds) for task_id in gates)


def _is_countdown(task: Task, seconds: float | None) -> bool:
    return task.gate is not None and task.gate.after is not None and task.gate.after == seconds


def _end_without_countdowns(schedule: Schedule, links: Links) -> float:
    """The end of the run if each gate is answered as soon as it is asked."""
    ends = links.ends_without(lambda node: _is_countdown(node.task, node.estimate.seconds))
    own = (end for node, end in zip(schedule.nodes, ends, strict=True) if node.run is schedule.run)
    return max(own, default=schedule.now)


def _unestimated_beside(schedule: Schedule) -> int:
    """The number of attempts of other runs without an estimate that may hold what this run waits for."""
    own = [node for node in schedule.nodes if node.run is schedule.run]
    devices, groups = {node.device_id for node in own}, {group for node in own for group in node.groups}
    limits = schedule.fleet.groups
    is_limited = schedule.fleet.max_concurrency is not None
    return sum(
        node.run is not schedule.run
        and node.estimate.seconds is None
        and node.device_id != NOWHERE
        and (is_limited or node.device_id in devices or any(one in groups and one in limits for one in node.groups))
        for node in schedule.nodes
    )


def _about_others(beside: int) -> list[str]:
    if not beside:
        return []
    have = "attempt of another run has" if beside == 1 else "attempts of other runs have"
    return [f"{beside:,} {have} no estimate and may take slots for longer: counted as 0 s."]


def _about_estimates(unestimated: int, total: int) -> list[str]:
    if not unestimated:
        return []
    have = "tasks has" if unestimated == 1 else "tasks have"
    nothing = "no estimate, and no earlier task of that name or kind tells how long it takes"
    return [f"{unestimated:,} of {total:,} {have} {nothing}: counted as 0 s."]


def _about_guesses(guessed: int, total: int) -> list[str]:
    if not guessed:
        return []
    take = "task is expected to take" if guessed == 1 else "tasks are expected to take"
    return [f"{guessed:,} of {total:,} {take} as long as a few others that run the same program: it may be longer."]


def _tasks(schedule: Schedule, slacks: list[float] | None, links: Links, pause: Pause) -> dict[str, TaskForecast]:
    """The tasks that run now, are foreseen to run, or are left over."""
    run = schedule.run
    lower_bounds = unknown_starts(schedule, pause)
    after_countdowns = links.behind(lambda node: _is_countdown(node.task, node.estimate.seconds))
    found: dict[str, TaskForecast] = {}
    for place, node in enumerate(with_pauses(schedule.nodes, pause)):  # of several attempts the last one counts
        if node.run is run:
            task_id = node.task.id
            where = node.device_id or None
            slack = slacks[place] if slacks is not None else None
            found[task_id] = TaskForecast(
                task_id,
                node.start,
                node.end,
                where,
                node.estimate,
                slack,
                lower_bounds[place],
                after_countdowns[place],
            )
    for number in schedule.left_over():
        task = run.graph.tasks[number]
        if task is not None:
            found[task.id] = TaskForecast(task.id, None, None, None, schedule.estimates.of(task, run), None)
    return found


def _devices(schedule: Schedule, pause: Pause) -> dict[str, DeviceForecast]:
    used: dict[str, list[Node]] = {}
    for node in with_pauses(schedule.nodes, pause):
        if node.run is schedule.run and node.device_id != NOWHERE:
            used.setdefault(node.device_id, []).append(node)
    now = schedule.now
    return {
        id: DeviceForecast(
            id,
            max(now, min(node.start for node in nodes)),
            max(node.end for node in nodes),
            sum(max(0.0, node.end - max(now, node.start)) for node in nodes),
            len(nodes),
        )
        for id, nodes in used.items()
    }


def _path(schedule: Schedule, links: Links) -> tuple[ProjectedStep, ...]:
    nodes = schedule.nodes
    own = [place for place, node in enumerate(nodes) if node.run is schedule.run]
    last = last_to_end(nodes, own)
    if last is None:
        return ()
    return tuple(_step(nodes[place], reason) for place, reason in links.path(last))


def _step(node: Node, reason: WaitedFor) -> ProjectedStep:
    return ProjectedStep(node.task.id, node.run.run_id, node.device_id, node.start, node.end, reason)


def _ended_as(schedule: Schedule, *codes: int) -> tuple[str, ...]:
    """The tasks that end with this status, in order; in the schedule's future only, not in its past."""
    run = schedule.run
    return tuple(
        run.graph.ids[number] for code in codes for number in run.with_status(code) if not schedule.had_ended(number)
    )
