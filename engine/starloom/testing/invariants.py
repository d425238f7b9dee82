"""The invariants of a scheduler after every turn: its facts are recomputed from the statuses and compared.

For tests and for whoever doubts a journal; it walks all tasks, so the engine itself never calls it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from starloom import events as ev
from starloom.model.status import Breaker, DependencyKind, Join, RunState
from starloom.scheduling.decide.due_timers import is_stale
from starloom.scheduling.state import fence, stops
from starloom.scheduling.state.awaiting import due_after
from starloom.scheduling.state.codes import COMPLETED, FAILED, PENDING, REMOVED, RUNNING, SKIPPED, STATUS_OF, WAITING
from starloom.scheduling.state.holdings import own_load
from starloom.scheduling.state.queueing import key_of
from starloom.scheduling.state.run_facts import NO, NOT_YET, READY, YES
from starloom.scheduling.state.timers import ABOUT_NO_TASK, TimerPurpose
from starloom.testing import cycle_invariants, reservation_invariants, stop_invariants

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom.scheduling.state.pools import Pool
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.state.run_index import Bucket, RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState
    from starloom.scheduling.turn import Turn

_WORDS: Final = (*(status.value for status in STATUS_OF), "removed")


def check(scheduler: SchedulerState) -> None:
    """Check everything that a scheduler keeps against its statuses.

    Raises:
        AssertionError: they differ; the message says where, what is kept and what should be.
    """
    for index in scheduler.by_number.values():
        _check_graph(index.run)
        _check_counts(index.run)
        _check_tasks(index.run)
        _check_answers(index.run)
        _check_life(scheduler, index)
        for story in (*cycle_invariants.broken(scheduler, index), *stop_invariants.broken(scheduler, index)):
            _claim(False, story)
        if not index.run.state.has_ended:
            _check_priorities(index)
            _check_keys(scheduler, index)
            _check_buckets(scheduler, index)
    _check_fleet(scheduler)
    _check_pools(scheduler)
    _check_timers(scheduler)
    for story in reservation_invariants.broken(scheduler):
        _claim(False, story)


def check_turn(scheduler: SchedulerState, turn: Turn) -> None:
    """Check the decisions of a turn against limits and slots; no task that could start may be left.

    Raises:
        AssertionError: an attempt was started beyond a limit, or a task could start and did not.
    """
    fleet = scheduler.fleet
    started = [event for event in turn.events if isinstance(event, ev.TaskStarted)]
    if turn.rest is not None and len(turn.rest.replies) > 1:  # limits may have been lowered since a step was made
        stepped = {(event.run_id, event.task_id) for event in turn.events if isinstance(event, ev.RunStepped)}
        started = [event for event in started if (event.run_id, event.task_id) not in stepped]
    for event in started:
        _check_start(scheduler, event)
    if started and fleet.max_concurrency is not None:
        _claim(fleet.running <= fleet.max_concurrency, f"{fleet.running} run, the limit is {fleet.max_concurrency}")
    for index in scheduler.live.values():
        _check_nothing_left(scheduler, index)
    due = min((timer[0] for timer in scheduler.timers), default=None)
    _claim(scheduler.announced == due, f"the wake-up is set for {scheduler.announced}, due is {due}")


def _claim(truth: bool, story: str) -> None:
    if not truth:
        raise AssertionError(story)


def _same(kept: object, counted: object, what: str) -> None:
    _claim(kept == counted, f"{what}: kept is {kept!r}, the statuses say {counted!r}")


def _story(run: RunFacts, number: int) -> str:
    return f"run {run.run_id!r}, task {run.graph.ids[number]!r} ({_WORDS[run.status[number]]})"


# ---- a run's facts


def _check_graph(run: RunFacts) -> None:
    """Acyclic, mirrored, and in an order that is topological."""
    graph = run.graph
    where = f"run {run.run_id!r}"
    present = {number for number, task in enumerate(graph.tasks) if task is not None}
    _same(set(graph.place.values()), present, f"{where}: the numbers of the present tasks")
    for number in present:
        task = graph.tasks[number]
        _same(task.id if task is not None else None, graph.ids[number], f"{where}: the id of number {number}")
    down = Counter((parent, child) for parent, children in enumerate(graph.children) for child in children)
    up = Counter((parent, child) for child, parents in enumerate(graph.parents) for parent in parents)
    _same(down, up, f"{where}: edges seen from parents and from children")
    _claim(all(count == 1 for count in down.values()), f"{where}: an edge stands twice")
    _claim(all(a in present and b in present for a, b in down), f"{where}: an edge ends at a removed task")
    _claim(set(graph.special) <= set(down), f"{where}: a dependency is kept of an edge that is gone")
    seen: set[int] = set()
    for number in graph.topological_order():
        late = [graph.ids[parent] for parent in graph.parents[number] if parent not in seen]
        _claim(not late, f"{_story(run, number)} stands before its parents {late} in the topological order")
        seen.add(number)


def _check_counts(run: RunFacts) -> None:
    """The counters add up and equal what the statuses say."""
    where = f"run {run.run_id!r}"
    status, tasks = run.status, run.graph.tasks
    _same(len(status), len(tasks), f"{where}: how many statuses there are")
    for name in ("unmet", "tries", "ready_at", "started_at", "ended_at", "device_of", "slot_of", "results", "priority"):
        _same(len(getattr(run, name)), len(status), f"{where}: the length of {name}")
    counts = run.counts()
    _same(counts.pop("submitted"), sum(counts.values()), f"{where}: submitted")
    for number, task in enumerate(tasks):
        _same(status[number] == REMOVED, task is None, f"{_story(run, number)}: whether it was removed")
    _same(run.open, sum(1 for code in status if code < COMPLETED), f"{where}: open")
    _same(run.running, status.count(RUNNING), f"{where}: running")
    any_joins = sum(1 for task in tasks if task is not None and task.join is Join.ANY)
    _same(run.any_joins, any_joins, f"{where}: tasks that join any")
    _same(run.plain, not any_joins and not run.graph.special, f"{where}: plain")


def _check_tasks(run: RunFacts) -> None:
    """Check that facts which only some tasks may have belong to those only."""
    status = run.status
    for name, codes in (
        ("stopping", {RUNNING}),
        ("fetching", {RUNNING}),
        ("backoff", {PENDING, WAITING, REMOVED}),
        ("skipped_because", {SKIPPED}),
    ):
        for number in getattr(run, name):
            _claim(status[number] in codes, f"{_story(run, number)} stands in {name}")
    for number, code in enumerate(status):
        spent = run.spent.get(number, 0)
        _claim(spent <= run.tries[number], f"{_story(run, number)}: {spent} attempts spent of {run.tries[number]}")
        if code == RUNNING:
            _claim(run.device_of[number] in run.fleet.devices, f"{_story(run, number)} runs on no device")
        if code != REMOVED:
            told = [attempt.number for attempt in run.attempts(number)]
            _same(told, list(range(1, run.tries[number] + 1)), f"{_story(run, number)}: its attempts")


def _check_answers(run: RunFacts) -> None:
    """Check that the counts of the parents' verdicts equal a recount, and no task waits for a known one."""
    graph = run.graph
    for number in graph.place.values():
        answers = [run.answer(parent, number) for parent in graph.parents[number]]
        _same(run.unmet[number], len(answers) - answers.count(YES), f"{_story(run, number)}: unmet")
        _same(run.no.get(number, 0), answers.count(NO), f"{_story(run, number)}: parents that say no")
        code, standing = run.status[number], run.standing(number)
        if code == WAITING:
            _claim(standing == NOT_YET, f"{_story(run, number)} waits although its parents have said {answers}")
            _claim(bool(graph.parents[number]), f"{_story(run, number)} waits for nobody")
        elif code == PENDING:
            _claim(standing == READY, f"{_story(run, number)} is ready although its parents say {answers}")
    for (parent, child), dependency in graph.special.items():
        if dependency.kind is DependencyKind.CONDITION and run.status[child] <= PENDING:
            ended = run.status[parent] in {COMPLETED, FAILED}
            _same((parent, child) in run.verdicts, ended, f"{_story(run, child)}: the condition on {graph.ids[parent]}")


def _check_life(scheduler: SchedulerState, index: RunIndex) -> None:
    """The run's state fits its tasks."""
    run = index.run
    where = f"run {run.run_id!r} ({run.state})"
    has_ended = run.state.has_ended
    _same(run.run_id in scheduler.live, not has_ended, f"{where}: alive")
    _same(run.run_ended_at is not None, has_ended, f"{where}: has an end")
    _same(run.frozen_at is None, run.state is RunState.EXECUTING, f"{where}: aging goes on")
    if has_ended:
        _same(run.open, 0, f"{where}: open tasks of an ended run")
    elif not run.open:
        waits = run.cycles is not None and run.cycles.is_open
        _claim(run.hold_open or waits, f"{where} has nothing left to do and goes on")
    if run.cancel_requested:
        waiting = [run.graph.ids[n] for n in (*run.with_status(PENDING), *run.with_status(WAITING))]
        _claim(not waiting, f"{where} was cancelled and {waiting} still wait")
    if len(scheduler.live) > 1 and not has_ended:
        held = {device: slots for device, slots in (index.load or {}).items() if slots}
        _same(held, own_load(run), f"{where}: slots it holds, as the others are told")


# ---- the queue


def _check_priorities(index: RunIndex) -> None:
    """The base priority of what has not started equals its own or its highest unstarted descendant's."""
    run = index.run
    base: dict[int, int] = {}
    for number in reversed(run.graph.topological_order()):
        below = (base[child] for child in run.graph.children[number] if run.status[child] <= PENDING)
        base[number] = max(run.priority[number], max(below, default=0))
        if run.status[number] <= PENDING:
            _same(index.base[number], base[number], f"{_story(run, number)}: the inherited priority")


def _in_line(index: RunIndex, number: int) -> bool:
    run = index.run
    may_start = number not in run.held and number not in run.backoff and number not in index.behind
    return run.status[number] == PENDING and may_start and not stops.is_kept(index, number)


def _check_keys(scheduler: SchedulerState, index: RunIndex) -> None:
    """Check that exactly the tasks that may start are queued, in the right bucket under the right key."""
    run = index.run
    _same(len(index.keys), len(run.status), f"run {run.run_id!r}: how many keys there are")
    for number, key in enumerate(index.keys):
        if not _in_line(index, number):
            _claim(key is None, f"{_story(run, number)} is in line")
            continue
        bucket = index.buckets.get(index.constraints(number))
        if bucket is None:
            raise AssertionError(f"{_story(run, number)} has no bucket")
        due = key_of(scheduler, index, number, run.ready_at[number]) | bucket.ordinal
        if index.by_rank:
            due = key if key is not None else due  # ranks are estimates, made at different times
        _same(key, due, f"{_story(run, number)}: its key")
        _claim(key in bucket.all_keys(), f"{_story(run, number)} is not in its bucket")
        if index.mixed:
            top = (-index.base[number], number)
            _claim(
                top in index.tops, f"{_story(run, number)} is missing where the highest queued priority is looked up"
            )


def _valid(bucket: Bucket) -> list[int]:
    """The keys of a bucket that are not stale."""
    keys = {key for key in bucket.index.keys if key is not None}
    return [key for key in bucket.all_keys() if key in keys]


def _check_buckets(scheduler: SchedulerState, index: RunIndex) -> None:
    """A bucket with somebody in line is active under a key that is early enough, or parked for a reason that holds."""
    active = {(entry, id(bucket)) for entry, _, bucket in (*scheduler.queue.active, *scheduler.queue.ranked)}
    for bucket in index.buckets.values():
        keys = _valid(bucket)
        if not keys:
            continue
        where = f"run {index.run.run_id!r}, bucket {bucket.groups, bucket.wanted}"
        if bucket.wait_queue is not None:
            _claim(bucket in bucket.wait_queue.buckets, f"{where} is parked where nobody finds it")
            queue = bucket.wait_queue
            if queue.entry is not None:
                _claim((queue.entry, id(queue)) in active, f"{where} is parked under {queue.name!r}, which is nowhere")
                _claim(index.by_rank or queue.entry <= min(keys), f"{where} comes up too late with {queue.name!r}")
            else:
                _claim(any(_blocks(scheduler, bucket)), f"{where} is parked under {queue.name!r}, which is free")
            continue
        _claim(bucket.entry is not None and bucket.entry <= min(keys), f"{where} comes up too late")
        _claim((bucket.entry, id(bucket)) in active, f"{where} is neither active nor parked")


def _blocks(scheduler: SchedulerState, bucket: Bucket) -> Iterator[bool]:
    """Whether the wait queue of a parked bucket, or any at all for one that is not parked, still has its reason."""
    run, fleet, wait_queue = bucket.index.run, scheduler.fleet, bucket.wait_queue
    if wait_queue is None or wait_queue is bucket.index.wait_queue:
        yield run.state is not RunState.EXECUTING or (run.limit is not None and run.running >= run.limit)
    if wait_queue is None or wait_queue is bucket.index.fence:
        yield fence.is_closed(run)
    for group in bucket.groups:
        if wait_queue is None or wait_queue is scheduler.group_wait_queues.get(group):
            allowed = fleet.groups.get(group)
            yield allowed is not None and fleet.group_used.get(group, 0) >= allowed
    if wait_queue is None or wait_queue in scheduler.placer.wait_queues.values():
        yield not any(
            device.accepts and device.has_room() for device in fleet.devices.values() if bucket.wanted.fits(device)
        )


def _check_nothing_left(scheduler: SchedulerState, index: RunIndex) -> None:
    """Check that after a dispatch every queued task is blocked, or waits for a faster device that is busy."""
    fleet = scheduler.fleet
    if fleet.max_concurrency is not None and fleet.running >= fleet.max_concurrency:
        return
    for bucket in index.buckets.values():
        keys = _valid(bucket)
        if not keys or bucket.wait_queue is not None:
            continue
        waits = index.by_rank and fleet.running > 0
        _claim(waits or any(_blocks(scheduler, bucket)), f"run {index.run.run_id!r}: {len(keys)} tasks could start")


# ---- the fleet


def _check_pools(scheduler: SchedulerState) -> None:
    """A pool's best device is the one that looking at all of them would find."""
    placer = scheduler.placer
    placer.note_freed()
    for (wanted, _), pool in placer.pools.items():
        due = _best_of(pool)
        best = pool.best()
        _same(best and best.id, due and due.id, f"the best device for {wanted}")
        known = [device.id for device in pool.devices]
        fitting = [device for device in scheduler.fleet.devices.values() if device.accepts and wanted.fits(device)]
        _same(known, [device.id for device in fitting], f"the devices for {wanted}")


def _best_of(pool: Pool) -> DeviceFacts | None:
    free = [device for device in pool.devices if device.has_room()]
    return min(free, key=lambda device: (pool.rank(device), -device.speed * pool.by_speed), default=None)


def _check_start(scheduler: SchedulerState, event: ev.TaskStarted) -> None:
    """Check that no start exceeds a limit, also while earlier attempts exceed a lowered one."""
    run, fleet = scheduler.runs[event.run_id].run, scheduler.fleet
    where = f"run {run.run_id!r}, task {event.task_id!r} started"
    number = run.graph.place.get(event.task_id)
    device = fleet.devices.get(event.device_id)
    if number is None or device is None or run.status[number] != RUNNING:
        return
    _claim(device.slots is None or device.used <= device.slots, f"{where} on {device.id!r}, which was full")
    _claim(number not in run.held, f"{where} although it is held")
    _claim(device.accepts, f"{where} on {device.id!r}, which takes no tasks")
    _claim(run.limit is None or run.running <= run.limit, f"{where} beyond the run's limit of {run.limit}")
    task = run.graph.tasks[number]
    for group in task.groups if task is not None else ():
        allowed = fleet.groups.get(group)
        used = fleet.group_used[group]
        _claim(allowed is None or used <= allowed, f"{where} although group {group!r} had {used} of {allowed}")


def _check_fleet(scheduler: SchedulerState) -> None:
    """Slots and places are taken by exactly the attempts that run, each slot by one."""
    fleet = scheduler.fleet
    slots: dict[str, list[int]] = {device: [] for device in fleet.devices}
    groups: Counter[str] = Counter()
    for index in scheduler.by_number.values():
        run = index.run
        for number in run.with_status(RUNNING):
            if number not in run.fetching:
                slots[run.device_of[number] or ""].append(run.slot_of[number])
            task = run.graph.tasks[number]
            groups.update(set(task.groups) if task is not None else ())
    _same(fleet.running, sum(index.run.running for index in scheduler.by_number.values()), "fleet: running")
    _same({g: n for g, n in fleet.group_used.items() if n}, dict(groups), "fleet: places taken in groups")
    for device in fleet.devices.values():
        taken = slots[device.id]
        _same(device.used, len(taken), f"device {device.id!r}: slots used")
        _claim(len(set(taken)) == len(taken), f"device {device.id!r}: two attempts hold one slot: {sorted(taken)}")
        free = sorted(set(range(device.fresh)) - set(taken))
        _same(sorted(device.free), free, f"device {device.id!r}: free slots")


def _check_timers(scheduler: SchedulerState) -> None:
    """Check that every task with a due time has a timer, and no timer is of a task that has ended."""
    timers = {timer[1:]: timer[0] for timer in scheduler.timers if not is_stale(scheduler, timer)}
    for device in scheduler.fleet.devices.values():
        due = device.until if device.breaker is Breaker.OPEN else None
        _same(
            timers.get((TimerPurpose.BREAKER, device.id, 0, 0)), due, f"device {device.id!r}: the timer of its breaker"
        )
    for purpose, run_id, number, _attempt in timers:
        if purpose not in ABOUT_NO_TASK:
            run = scheduler.runs[run_id].run
            has_time = run.status[number] in {PENDING, RUNNING} or purpose is TimerPurpose.RETRY
            _claim(has_time, f"{_story(run, number)} has a timer")
    _check_timers_of_runs(scheduler, timers)


def _check_timers_of_runs(
    scheduler: SchedulerState, timers: Mapping[tuple[TimerPurpose, str, int, int], float]
) -> None:
    for index in scheduler.live.values():
        run = index.run
        for number, gate in run.gates.items():
            known = timers.get((TimerPurpose.GATE, run.run_id, number, gate.attempt))
            _same(known, run.gate_due(number), f"{_story(run, number)}: the timer of its countdown")
        if run.cycles is not None and run.cycles.cycle is not None:
            known = timers.get((TimerPurpose.CYCLE, run.run_id, run.cycles.cycle.number, 0))
            _same(known, run.cycles.due, f"run {run.run_id!r}: the timer of its edit cycle")
        for number, due in run.backoff.items():
            if not run.pauses(number):
                continue
            known = timers.get((TimerPurpose.RETRY, run.run_id, number, run.tries[number]))
            _same(known, due, f"{_story(run, number)}: the timer of its next attempt")
        for number in run.with_status(RUNNING):
            task = run.graph.tasks[number]
            if task is None or task.timeout is None or index.is_unbegun(number):
                continue
            if number not in run.stopping and number not in run.fetching:
                known = timers.get((TimerPurpose.TIMEOUT, run.run_id, number, run.tries[number]))
                _same(known, due_after(run, number, task.timeout), f"{_story(run, number)}: the timer of its timeout")
