"""The report of a run, folded from its stream: the facts as `scheduling.apply` makes them, told as plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.model.status import DependencyKind, TaskStatus
from starloom.reporting.agents import AgentWatch
from starloom.reporting.critical import decided_by
from starloom.reporting.interventions import Collector
from starloom.reporting.load import load_over_time, peak_of, waits_of
from starloom.reporting.report import (
    Counts,
    Failure,
    Intervention,
    PathStep,
    Report,
    ReportedAttempt,
    ReportedDevice,
    ReportedEdge,
    ReportedTask,
    Session,
)
from starloom.reporting.text import one_line, sound, tail
from starloom.reporting.verdict import verdict_of
from starloom.scheduling.apply import fold
from starloom.scheduling.codes import FAILED
from starloom.scheduling.run_view import RunView
from starloom.scheduling.summary import RunSummary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from starloom.events import Event
    from starloom.scheduling.run_facts import Attempt, RunFacts

MOST_FAILURES: Final = 50
MOST_SKIPPED: Final = 20
MOST_SLOWEST: Final = 15
TAIL_LINES: Final = 12


def build(run_id: str, events: Iterable[Event], environment: Mapping[str, str] | None = None) -> Report:
    """The report of a run; the same for the same events.

    Args:
        run_id: whose stream it is.
        events: the stream from its first event on, to its end or to the moment that is to be told.
        environment: what ran it, as the reader may see it, by name.
    """
    view, watch = RunView(run_id), _Watch()
    fold(view, watch.seen(events))
    return _Maker(view.run, watch, environment or {}).report()


class _Watch:
    """Sees the events on their way into the fold."""

    def __init__(self) -> None:
        self.collector, self.agents = Collector(), AgentWatch()
        self.count = 0
        self.at = 0.0

    def seen(self, events: Iterable[Event]) -> Iterator[Event]:
        for event in events:
            self.count += 1
            self.at = event.at
            self.collector.see(event)
            self.agents.see(event)
            yield event


class _Maker:
    """Makes the report from the facts; all times in it count from the run's start."""

    def __init__(self, run: RunFacts, watch: _Watch, environment: Mapping[str, str]) -> None:
        self.run, self.watch, self.environment = run, watch, environment
        self.start = run.created_at if run.run_started_at is None else run.run_started_at
        self.now = watch.at if run.run_ended_at is None else run.run_ended_at
        self.numbers = sorted(run.graph.place.values())
        self.place = {number: place for place, number in enumerate(self.numbers)}

    def report(self) -> Report:
        run, edges = self.run, self._edges()
        attempts, of_task = self._attempts()
        path = decided_by(attempts, of_task, edges)
        tasks = self._tasks(attempts, of_task, path)
        devices = self._devices(attempts)
        summary = RunSummary(run, self.now)
        busy, slots = sum(device.busy_s for device in devices), sum(device.lanes for device in devices)
        counts, failures = self._counts(), self._failures(of_task)
        return Report(
            run_id=sound(run.run_id),
            name=sound(run.name),
            description=sound(run.description),
            state=str(run.state),
            verdict=verdict_of(str(run.state), counts, tasks, attempts, failures, summary.makespan_s),
            seconds=summary.makespan_s,
            has_ended=run.state.has_ended,
            sessions=tuple(Session(at - self.start, wall) for at, wall in run.sessions),
            revision=run.revision,
            events=self.watch.count,
            counts=counts,
            busy_s=busy,
            slots=slots,
            utilisation=_share(busy, slots * summary.makespan_s),
            peak=peak_of(attempts),
            tasks=tasks,
            attempts=attempts,
            edges=edges,
            critical_path=path,
            critical_s=sum(attempts[step.attempt].seconds for step in path),
            longest_chain_s=summary.statistics.critical_path_length,
            longest_chain=tuple(map(sound, summary.statistics.critical_path_tasks)),
            devices=devices,
            load=load_over_time(attempts, summary.makespan_s, slots),
            waits=waits_of(attempts),
            slowest=_slowest(attempts),
            failures=failures,
            interventions=self._interventions(),
            agents=self.watch.agents.agents,
            environment={sound(name): sound(value) for name, value in self.environment.items()},
        )

    # ---- attempts and tasks

    def _attempts(self) -> tuple[tuple[ReportedAttempt, ...], list[tuple[int, ...]]]:
        """All attempts, task by task, and for each task the places of its own."""
        found: list[ReportedAttempt] = []
        of_task: list[tuple[int, ...]] = []
        for place, number in enumerate(self.numbers):
            own = [self._attempt(place, attempt) for attempt in self.run.attempts(number)]
            of_task.append(tuple(range(len(found), len(found) + len(own))))
            found += own
        return tuple(found), of_task

    def _attempt(self, task: int, attempt: Attempt) -> ReportedAttempt:
        result = attempt.result
        error = None if result is None else result.error
        return ReportedAttempt(
            task=task,
            number=attempt.number,
            device=sound(attempt.device_id),
            slot=attempt.slot,
            ready=attempt.ready - self.start,
            started=attempt.started - self.start,
            ended=(self.now if attempt.ended is None else attempt.ended) - self.start,
            status=str(attempt.status),
            exit_code=None if result is None else result.exit_code,
            error="" if error is None else sound(str(error.code)),
            message="" if error is None else one_line(error.message),
            output_bytes=0 if result is None else result.output_length,
            output_file="" if result is None else sound(result.output_file or ""),
        )

    def _tasks(
        self, attempts: Sequence[ReportedAttempt], of_task: Sequence[tuple[int, ...]], path: Sequence[PathStep]
    ) -> tuple[ReportedTask, ...]:
        critical = {attempts[step.attempt].task for step in path}
        return tuple(self._task(place, of_task[place], attempts, place in critical) for place in range(len(of_task)))

    def _task(
        self, place: int, own: tuple[int, ...], attempts: Sequence[ReportedAttempt], is_critical: bool
    ) -> ReportedTask:
        run, number = self.run, self.numbers[place]
        task = run.graph.task(run.graph.ids[number])
        status = run.status_of(number)
        because = run.skipped_because.get(number)
        return ReportedTask(
            id=sound(task.id),
            name=sound(task.title),
            status=status.value,
            action=task.action,
            severity=task.severity.value,
            priority=run.priority[number],
            groups=tuple(map(sound, task.groups)),
            attempts=own,
            ended=attempts[own[-1]].ended if own and status is not TaskStatus.RUNNING else None,
            reason=one_line(run.reasons.get(number, "")),
            because=None if because is None else self.place.get(because),
            is_critical=is_critical,
        )

    def _edges(self) -> tuple[ReportedEdge, ...]:
        graph, place = self.run.graph, self.place
        special = {ends: str(one.kind) for ends, one in graph.special.items()}
        usual = str(DependencyKind.SUCCESS)
        return tuple(
            ReportedEdge(place[parent], child, special.get((parent, number), usual))
            for child, number in enumerate(self.numbers)
            for parent in graph.parents[number]
        )

    def _counts(self) -> Counts:
        counts = self.run.counts()
        names = ("completed", "failed", "cancelled", "skipped", "running", "queued", "waiting")
        return Counts(counts["submitted"] - counts["removed"], *(counts[name] for name in names))

    # ---- what failed

    def _failures(self, of_task: Sequence[tuple[int, ...]]) -> tuple[Failure, ...]:
        failed = [number for number in self.run.with_status(FAILED) if number in self.place]
        failed.sort(key=lambda number: (self.run.graph.task(self.run.graph.ids[number]).severity == "warning", number))
        skipped = self._skipped_because_of(failed)
        return tuple(self._failure(number, of_task, skipped[number]) for number in failed[:MOST_FAILURES])

    def _failure(self, number: int, of_task: Sequence[tuple[int, ...]], skipped: Sequence[int]) -> Failure:
        result, task = self.run.results[number], self.place[number]
        error = None if result is None else result.error
        own = of_task[task] if self.run.has_last_attempt(number) else ()
        return Failure(
            task=task,
            attempt=own[-1] if own else None,
            message="It was marked so." if error is None and not own else one_line(error.message if error else ""),
            output="" if result is None else tail(result.output, TAIL_LINES),
            skipped=tuple(skipped[:MOST_SKIPPED]),
            skipped_count=len(skipped),
        )

    def _skipped_because_of(self, failed: Iterable[int]) -> dict[int, list[int]]:
        """For each failed task those that were skipped because of it, also over other skipped ones."""
        found: dict[int, list[int]] = {number: [] for number in failed}
        because = self.run.skipped_because
        for number in sorted(because):
            root, seen = number, set[int]()
            while root in because and root not in seen:
                seen.add(root)
                root = because[root]
            if root in found and number in self.place:
                found[root].append(self.place[number])
        return found

    # ---- devices and people

    def _devices(self, attempts: Iterable[ReportedAttempt]) -> tuple[ReportedDevice, ...]:
        own: dict[str, list[ReportedAttempt]] = {sound(id): [] for id in self.run.fleet.devices}
        for attempt in attempts:
            own.setdefault(attempt.device, []).append(attempt)
        return tuple(self._device(id, those) for id, those in own.items())

    def _device(self, id: str, attempts: Sequence[ReportedAttempt]) -> ReportedDevice:
        known = self.run.fleet.devices.get(id)
        slots = None if known is None else known.slots
        lanes = max(slots or 0, max((attempt.slot + 1 for attempt in attempts), default=0))
        busy = sum(attempt.seconds for attempt in attempts)
        return ReportedDevice(
            id=id,
            kind="" if known is None else sound(known.kind),
            slots=slots,
            lanes=lanes,
            speed=1.0 if known is None else known.speed,
            capabilities=() if known is None else tuple(sorted(map(sound, known.capabilities))),
            busy_s=busy,
            utilisation=_share(busy, lanes * max(0.0, self.now - self.start)),
            attempts=len(attempts),
            failed=sum(attempt.status == "failed" for attempt in attempts),
            longest_wait=max((attempt.waited for attempt in attempts), default=0.0),
            notes=tuple(dict.fromkeys(self.watch.collector.notes.get(id, ()))),
        )

    def _interventions(self) -> tuple[Intervention, ...]:
        found = self.watch.collector.found
        return tuple(
            Intervention(
                one.at - self.start,
                one.kind,
                one.who,
                sound(one.what),
                one.why,
                tuple(map(sound, one.tasks)),
                one.revision,
                one.refused,
                one.proposed,
            )
            for one in found
        )


def _share(part: float, whole: float) -> float:
    return min(1.0, part / whole) if whole > 0 else 0.0


def _slowest(attempts: Sequence[ReportedAttempt]) -> tuple[int, ...]:
    order = sorted(range(len(attempts)), key=lambda place: -attempts[place].seconds)
    return tuple(place for place in order[:MOST_SLOWEST] if attempts[place].seconds > 0)
