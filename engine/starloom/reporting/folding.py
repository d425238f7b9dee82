"""Folding a run's stream into its report: the facts as the fold makes them, as plain values."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from starloom import events as ev
from starloom.model.status import DependencyKind, TaskStatus
from starloom.reporting.agents import AgentWatch, UsageWatch
from starloom.reporting.asked import Modifications
from starloom.reporting.device_use import DeviceUsage, DeviceWatch
from starloom.reporting.failures import failures_of
from starloom.reporting.finish import ReportedStep, shifted
from starloom.reporting.interventions import Collector
from starloom.reporting.load import load_over_time, peak_of, waits_of
from starloom.reporting.report import (
    Counts,
    Intervention,
    Report,
    ReportedAttempt,
    ReportedEdge,
    ReportedGate,
    ReportedSession,
    ReportedTask,
)
from starloom.reporting.simulated_attempts import SimulationWatch
from starloom.reporting.text import last_line, one_line, sound
from starloom.reporting.verdict import verdict_of
from starloom.reporting.warning_list import WarningWatch
from starloom.scheduling.fold.stream_check import checked_fold
from starloom.scheduling.read import open_questions
from starloom.scheduling.read.naming import named
from starloom.scheduling.read.simulated import was_simulated
from starloom.scheduling.read.summary import RunSummary, gone_on_at, moment_of
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from starloom.events import Event
    from starloom.reporting.finish import Foresee, Foreseen
    from starloom.scheduling.read.critical_path import CriticalPath
    from starloom.scheduling.state.attempts import Attempt
    from starloom.scheduling.state.run_facts import RunFacts

MOST_SLOWEST: Final = 15
LONGEST_TEXT: Final = 200
"""Characters of a task's command, and of the last line of its output."""

_MARKED: Final = frozenset({TaskStatus.COMPLETED, TaskStatus.FAILED})
_LEFT_OUT: Final = frozenset({TaskStatus.SKIPPED, TaskStatus.CANCELLED})


def build(
    run_id: str,
    events: Iterable[Event],
    foresee: Foresee | None = None,
    now: float | None = None,
) -> Report:
    """The report of a run; deterministic.

    Args:
        run_id: whose stream it is.
        events: the stream from its first event on, to its end or to the moment that is to be told.
        foresee: tells what was foreseen as the run started, and before and after each edit; None: that is not told.
        now: up to when a run that goes on is told, in seconds since 1970; None: up to its last event.

    Raises:
        ImpossibleEvent: the stream tells of what no scheduler can have decided.
    """
    folded = FoldedRun(run_id)
    watch = _Watch(folded, foresee)
    checked_fold(folded, watch.seen(events))
    return _Maker(folded.run, watch, now).report()


class _Watch:
    """Sees the events on their way into the fold."""

    def __init__(self, folded: FoldedRun, foresee: Foresee | None = None) -> None:
        self.collector = Collector(lambda event: named(event, folded.run))
        self.agents, self.usage, self.warnings = AgentWatch(), UsageWatch(), WarningWatch()
        self.simulations, self.devices = SimulationWatch(folded), DeviceWatch(folded)
        self.count = 0
        self.ended_in = 0
        """How many programs had had the run when it ended last."""
        self.at = 0.0
        self.foreseen: Foreseen | None = None
        self.effects: dict[int, Foreseen] = {}
        """What edits did to the foreseen end, by their places in `collector.found`."""
        self._folded, self._foresee = folded, foresee

    def seen(self, events: Iterable[Event]) -> Iterator[Event]:
        if self._foresee is None:
            yield from map(self._see, events)
            return
        for at, together in groupby(events, attrgetter("at")):
            turn = list(together)
            yield from self._turn(turn, at, self._foresee)

    def _turn(self, turn: Sequence[Event], at: float, foresee: Foresee) -> Iterator[Event]:
        """The events of one moment: what is foreseen before and after it is what its edits did to that."""
        kinds = set(map(type, turn))
        run = self._folded.run
        is_edit = ev.ConstellationModified in kinds and run.run_started_at is not None and not run.state.has_ended
        before = foresee(self._folded, at) if is_edit else None
        edit: int | None = None
        for event in turn:
            yield self._see(event)
            if type(event) is ev.ConstellationModified and self.collector.found:
                edit = len(self.collector.found) - 1
        if ev.RunStarted in kinds and self.foreseen is None:
            self.foreseen = foresee(self._folded, at)
        elif is_edit and edit is not None and before is not None:
            after = foresee(self._folded, at)
            if after is not None:
                least = before.is_least or after.is_least
                self.effects[edit] = replace(after, before=before.end, is_least=least)

    def _see(self, event: Event) -> Event:
        self.count += 1
        self.at = event.at
        if type(event) is ev.RunRecovered and event.shift:
            self._shift(event.shift)
        if type(event) is ev.RunEnded:
            self.ended_in = len(self._folded.run.sessions)
        self.collector.see(event)
        self.agents.see(event)
        self.usage.see(event)
        self.warnings.see(event)
        self.simulations.see(event)
        self.devices.see(event)
        return event

    def _shift(self, by: float) -> None:
        """Shift earlier times to the clock of another program."""
        if self.foreseen is not None:
            self.foreseen = shifted(self.foreseen, by)
        self.effects = {place: shifted(one, by) for place, one in self.effects.items()}


class _Maker:
    """Makes the report from the facts; all times in it count from the run's start."""

    def __init__(self, run: RunFacts, watch: _Watch, now: float | None) -> None:
        self.run, self.watch, self.is_now = run, watch, now is not None
        self.start = run.created_at if run.run_started_at is None else run.run_started_at
        last = watch.at if now is None else max(watch.at, moment_of(run, now))
        self.now = last if run.run_ended_at is None else run.run_ended_at
        self.sessions = run.sessions[: watch.ended_in] if run.state.has_ended else run.sessions
        """Those in which it went on: one that took it up after its end has not done anything of it."""
        self.numbers = sorted(run.graph.place.values())
        self.place = {number: place for place, number in enumerate(self.numbers)}

    def report(self) -> Report:
        run, edges = self.run, self._edges()
        attempts, of_task = self._attempts()
        summary = RunSummary(run, self.now)
        path = self._path(summary.critical_path, attempts, of_task)
        tasks = self._tasks(attempts, of_task, path)
        use = self._use(attempts)
        gone_on = summary.makespan_s - run.idle_s
        counts, failures = self._counts(), failures_of(run, self.place, of_task)
        foreseen = self._since_start(self.watch.foreseen)
        away = _wall(self.sessions, self.now) - _wall(self.sessions[:1], self.now) + run.idle_s
        answers = 0 if run.state.has_ended else open_questions.waits_of(run)
        return Report(
            run_id=sound(run.run_id),
            name=sound(run.name),
            description=sound(run.description),
            state=str(run.state),
            verdict=verdict_of(
                str(run.state), counts, tasks, attempts, failures, gone_on, foreseen, answers, away, is_now=self.is_now
            ),
            open_answers=answers,
            seconds=summary.makespan_s,
            has_ended=run.state.has_ended,
            sessions=tuple(ReportedSession(at - self.start, wall) for at, wall in self.sessions),
            revision=run.revision,
            events=self.watch.count,
            counts=counts,
            busy_s=use.busy_s,
            slots=sum(device.lanes for device in use.devices),
            usable=use.usable,
            utilisation=use.utilisation,
            peak=peak_of(attempts),
            tasks=tasks,
            attempts=attempts,
            edges=edges,
            critical_path=path,
            critical_s=min(summary.critical_path.seconds, summary.makespan_s),
            foreseen=foreseen,
            longest_chain_s=summary.statistics.longest_chain_length,
            longest_chain=tuple(map(sound, summary.statistics.longest_chain_tasks)),
            chain_tasks=summary.statistics.longest_path_length,
            width=summary.statistics.max_width,
            idle_s=run.idle_s,
            parallelism=summary.statistics.parallelism_ratio,
            devices=use.devices,
            load=load_over_time(attempts, summary.makespan_s, use.slots_between),
            waits=waits_of(attempts),
            slowest=_slowest(attempts),
            failures=failures,
            interventions=self._interventions(),
            agents=self.watch.agents.agents,
            usage=self.watch.usage.usage,
            modifications=self._modifications(),
            warnings=self.watch.warnings.told(run, self.place, self.start),
            warning_count=self.watch.warnings.count,
            last_heard=_wall(run.sessions, self.watch.at),
        )

    def _use(self, attempts: Sequence[ReportedAttempt]) -> DeviceUsage:
        run, watch, start = self.run, self.watch, self.start
        until = self.now - start

        def gone_on(at: float) -> float:
            return 0.0 if run.run_started_at is None else gone_on_at(run, start + at)

        return DeviceUsage(watch.devices, run.fleet.devices, watch.collector.notes, start, until, gone_on, attempts)

    def _path(
        self, path: CriticalPath, attempts: Sequence[ReportedAttempt], of_task: Sequence[tuple[int, ...]]
    ) -> tuple[ReportedStep, ...]:
        found: list[ReportedStep] = []
        for step in path.steps:
            task = self.place[step.number]
            places = {attempts[place].number: place for place in of_task[task]}
            attempt = places.get(step.attempt) if step.device_id else None
            times = step.started - self.start, step.ended - self.start
            found.append(ReportedStep(task, attempt, *times, str(step.waited_for), step.gap))
        return tuple(found)

    def _since_start(self, foreseen: Foreseen | None) -> Foreseen | None:
        return None if foreseen is None else shifted(foreseen, -self.start)

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
            severity=self._severity(task, attempt),
            awaited=attempt.awaited,
            simulated=self.watch.simulations.has_seen(self.numbers[task], attempt.number),
        )

    def _severity(self, task: int, attempt: Attempt) -> str:
        """The severity of an attempt's failure for the run; empty: it has not failed."""
        if attempt.status != TaskStatus.FAILED:
            return ""
        known = self.run.graph.task(self.run.graph.ids[self.numbers[task]])
        return str(known.severity_of(attempt.result))

    def _tasks(
        self, attempts: Sequence[ReportedAttempt], of_task: Sequence[tuple[int, ...]], path: Sequence[ReportedStep]
    ) -> tuple[ReportedTask, ...]:
        critical = {step.task for step in path}
        return tuple(self._task(place, of_task[place], attempts, place in critical) for place in range(len(of_task)))

    def _task(
        self, place: int, own: tuple[int, ...], attempts: Sequence[ReportedAttempt], is_critical: bool
    ) -> ReportedTask:
        run, number = self.run, self.numbers[place]
        task = run.graph.task(run.graph.ids[number])
        status = run.status_of(number)
        because = run.skipped_because.get(number)
        gate = self._gate(number)
        ended = attempts[own[-1]].ended if own else gate.answered if gate is not None and gate.answer else None
        if status in _LEFT_OUT and not run.has_last_attempt(number):
            ended = None  # it was begun anew and left out then: its attempts are of before
        return ReportedTask(
            id=sound(task.id),
            name=sound(task.title),
            status=status.value,
            action=task.action,
            severity=run.severity_of(number).value,
            priority=run.priority[number],
            groups=tuple(map(sound, task.groups)),
            attempts=own,
            ended=None if status is TaskStatus.RUNNING else ended,
            reason=one_line(run.reasons.get(number, "")),
            because=None if because is None else self.place.get(because),
            is_critical=is_critical,
            command=one_line(task.action_text, LONGEST_TEXT),
            last_line=last_line(run.results[number], LONGEST_TEXT),
            gate=gate,
            bypassed=run.has_bypassed(number),
            simulated=was_simulated(run, number),
            marked=_was_marked(run, number),
        )

    def _gate(self, number: int) -> ReportedGate | None:
        gate = self.run.gates.get(number)
        if gate is None:
            return None
        until = self.now if gate.ended is None else gate.ended
        asked, answered = gate.at - self.start, until - self.start
        return ReportedGate(asked, answered, gate.how, one_line(gate.origin, 100), one_line(gate.note))

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

    # ---- people

    def _modifications(self) -> Modifications:
        cycles = self.run.cycles
        return Modifications() if cycles is None else Modifications(cycles.handed, cycles.answered, cycles.timed_out)

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
                self._since_start(self.watch.effects.get(place)),
                one.wall,
            )
            for place, one in enumerate(found)
        )


def _wall(sessions: Sequence[tuple[float, float]], at: float) -> float:
    """A time on the engine's clock as seconds since 1970, by the clock of the program that ran it last."""
    return sessions[-1][1] + at - sessions[-1][0] if sessions else 0.0


def _slowest(attempts: Sequence[ReportedAttempt]) -> tuple[int, ...]:
    order = sorted(range(len(attempts)), key=lambda place: -attempts[place].seconds)
    return tuple(place for place in order[:MOST_SLOWEST] if attempts[place].seconds > 0)


def _was_marked(run: RunFacts, number: int) -> bool:
    """Whether somebody has said what a task came to, and neither an attempt, nor a gate, nor a bypass."""
    is_otherwise = run.has_last_attempt(number) or run.has_bypassed(number) or number in run.gates
    return run.status_of(number) in _MARKED and not is_otherwise
