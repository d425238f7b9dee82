"""Dispatch: starts ready tasks once a turn, as limits, groups and devices allow."""

from __future__ import annotations

from heapq import heappop, heappush, heapreplace
from typing import TYPE_CHECKING, Final

from starloom.events import TaskStarted
from starloom.model.status import RunState
from starloom.scheduling.decide import overdue
from starloom.scheduling.decide.placement import Forecast
from starloom.scheduling.fold.tasks import apply_started
from starloom.scheduling.instructions import StartTask
from starloom.scheduling.state import fence
from starloom.scheduling.state.codes import PENDING
from starloom.scheduling.state.queue_keys import BUCKET_BITS, NUMBER_MASK
from starloom.scheduling.state.queueing import aged_key, line_up, requeue
from starloom.scheduling.state.run_index import Bucket, WaitQueue
from starloom.scheduling.state.timers import TimerPurpose

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from starloom.model.task import Task
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.pools import Pool
    from starloom.scheduling.state.run_index import RunIndex
    from starloom.scheduling.state.scheduler_state import SchedulerState

_NO_LIMIT: Final = 1 << 60
EXECUTING: Final = RunState.EXECUTING


def dispatch(scheduler: SchedulerState) -> None:
    """Start as many ready tasks as may start now."""
    if scheduler.fresh is not None:
        if not scheduler.queue.active and _start_at_once(scheduler, scheduler.fresh):
            return
        line_up(scheduler)
    fleet, queue = scheduler.fleet, scheduler.queue
    active = queue.active
    limit = _NO_LIMIT if fleet.max_concurrency is None else fleet.max_concurrency
    if queue.ranked:
        _dispatch_by_rank(scheduler, limit)
    while active and fleet.running < limit:
        key, _, first = heappop(active)
        if first.entry != key:
            continue
        first.entry = None
        bucket = queue.take(first) if isinstance(first, WaitQueue) else first
        wait_queue = _start_from(scheduler, bucket, limit, active[0][0] if active else None)
        if wait_queue is not None:
            queue.park(bucket, wait_queue)
        else:
            queue.activate(bucket)


def _start_at_once(scheduler: SchedulerState, index: RunIndex) -> bool:
    """Start the tasks that became ready in this turn, if the queue is empty and there is room for all of them."""
    run, bucket, fleet = index.run, index.free_bucket, scheduler.fleet
    if run.state is not EXECUTING or run.limit is not None or bucket.wait_queue is not None or len(scheduler.live) > 1:
        return False
    numbers, limit = index.fresh, fleet.max_concurrency
    count = len(numbers)
    if limit is not None and fleet.running + count > limit:
        return False
    candidates = (
        bucket.candidates if bucket.version == scheduler.placer.version else scheduler.placer.candidates(bucket)
    )
    if len(candidates) != 1:
        return False
    device = candidates[0]
    if device.slots is not None and device.used + count > device.slots:
        return False
    index.fresh, scheduler.fresh = [], None
    if count > 1:
        numbers.sort()
    start(scheduler, index, numbers, device)
    return True


def _start_from(scheduler: SchedulerState, bucket: Bucket, limit: int, rival: int | None) -> WaitQueue | None:
    """Start the bucket's tasks until a rival's turn comes or something blocks; returns where to park it, if so."""
    index, run = bucket.index, bucket.index.run
    candidates = scheduler.placer.candidates(bucket)
    is_free = run.limit is None and run.state is EXECUTING and run.cycles is None and not bucket.groups
    if is_free and len(candidates) == 1:
        return _start_from_line(scheduler, bucket, candidates[0], limit, rival)
    keys, fleet, placer = index.keys, scheduler.fleet, scheduler.placer
    pool = placer.pool_for(bucket) if is_free else None
    if pool is not None:
        start(scheduler, index, _while_room(pool, fleet, bucket, limit, rival), None, pool)
        is_blocked = fleet.running < limit and bucket.may_go_before(rival)
        return placer.wait_queue_for(bucket) if is_blocked else None
    while fleet.running < limit:
        key = bucket.head()
        if key is None or (rival is not None and key > rival):
            return None
        number = (key >> BUCKET_BITS) & NUMBER_MASK
        if keys[number] != key:
            bucket.pop()  # stale
            continue
        wait_queue = _blocked_by(scheduler, bucket)
        if wait_queue is not None:
            return wait_queue
        device = placer.place(bucket)
        if device is None:
            return placer.wait_queue_for(bucket)
        bucket.pop()
        keys[number] = None
        start(scheduler, index, [number], device)
    return None


def _while_room(pool: Pool, fleet: FleetFacts, bucket: Bucket, limit: int, rival: int | None) -> Iterator[int]:
    """Yield the bucket's tasks, each after those before it have started, until one is blocked."""
    keys = bucket.index.keys
    while fleet.running < limit and bucket.may_go_before(rival) and pool.best() is not None:
        key = bucket.pop()
        number = (key >> BUCKET_BITS) & NUMBER_MASK
        if keys[number] == key:  # else it is stale
            keys[number] = None
            yield number


def _start_from_line(
    scheduler: SchedulerState, bucket: Bucket, device: DeviceFacts, limit: int, rival: int | None
) -> WaitQueue | None:
    """The same where only one device's slots and the global limit matter: what fits is known before anything starts."""
    keys, line, heap = bucket.index.keys, bucket.line, bucket.heap
    room = limit - scheduler.fleet.running
    slots = _NO_LIMIT if device.slots is None else device.slots - device.used
    count = min(room, slots)
    chosen: list[int] = []
    while len(chosen) < count:
        key = bucket.head() if heap else line[0] if line else None
        if key is None or (rival is not None and key > rival):
            break
        bucket.pop() if heap else line.popleft()
        number = (key >> BUCKET_BITS) & NUMBER_MASK
        if keys[number] == key:
            keys[number] = None
            chosen.append(number)
    start(scheduler, bucket.index, chosen, device)
    return scheduler.placer.wait_queue_for(bucket) if len(chosen) >= slots and (line or heap) else None


def _head(active: list[tuple[int, int, Bucket]]) -> Bucket | None:
    """The bucket whose head is next, after dropping one stale entry or key if there was one instead."""
    key, _, bucket = active[0]
    if bucket.entry == key and bucket.index.keys[(key >> BUCKET_BITS) & NUMBER_MASK] == key:
        return bucket
    if bucket.entry == key:
        bucket.pop()
        _renew(active, bucket)
    else:
        heappop(active)
    return None


def _renew(active: list[tuple[int, int, Bucket]], bucket: Bucket) -> None:
    """Replace the bucket's entry, which is the first one, by one for its present head."""
    bucket.entry = bucket.head()
    if bucket.entry is not None:
        heapreplace(active, (bucket.entry, bucket.order, bucket))
    else:
        heappop(active)


def _blocked_by(scheduler: SchedulerState, bucket: Bucket) -> WaitQueue | None:
    """The limits that block the bucket's head, besides devices and the global limit."""
    index = bucket.index
    run = index.run
    if run.state is not EXECUTING or (run.limit is not None and run.running >= run.limit):
        return index.wait_queue
    if run.cycles is not None and fence.is_closed(run):
        return index.fence
    if bucket.groups:
        fleet = scheduler.fleet
        for group in bucket.groups:
            allowed = fleet.groups.get(group)
            if allowed is not None and fleet.group_used.get(group, 0) >= allowed:
                return group_wait_queue(scheduler, group)
    return None


def group_wait_queue(scheduler: SchedulerState, group: str) -> WaitQueue:
    """The queue of the buckets that wait for a place in a group."""
    wait_queue = scheduler.group_wait_queues.get(group)
    if wait_queue is None:
        wait_queue = scheduler.group_wait_queues[group] = WaitQueue(f"group {group}")
    return wait_queue


def start(
    scheduler: SchedulerState,
    index: RunIndex,
    numbers: Iterable[int],
    only: DeviceFacts | None,
    pool: Pool | None = None,
) -> None:
    """Start an attempt of each of these ready tasks: on one device with room for all, or on the best one of a pool."""
    run, turn = index.run, scheduler.turn
    run_id, now, tasks = run.run_id, scheduler.now, run.graph.tasks
    append, order = turn.events.append, turn.starts.append
    device: DeviceFacts = only  # type: ignore[assignment]  # if there is none, there is a pool
    may_overtake = index.mixed or len(scheduler.live) > 1
    is_special = index.load is not None or index.mixed
    is_watched = (index.estimated or index.learnt) and overdue.factor_of(run) > 0
    if index.unwatched:
        overdue.drop_ended(index)  # else they would become many
    for number in numbers:
        if pool is not None:
            device = pool.best()  # type: ignore[assignment]  # there is room while there are numbers
        task: Task = tasks[number]  # type: ignore[assignment]  # a queued task is present
        task_id, attempt, device_id = task.id, run.tries[number] + 1, device.id
        slot = device.free[0] if device.free else device.fresh
        promoted = may_overtake and number not in run.promoted and _overtakes(scheduler, index, number)
        event = TaskStarted(run.seq + 1, now, run_id, task_id, attempt, device_id, slot, promoted)
        append(event)
        apply_started(run, event, number, device)
        order(StartTask(run_id, task_id, attempt, device_id, slot, task))
        if task.timeout is not None:
            scheduler.set_timer(now + task.timeout, TimerPurpose.TIMEOUT, run_id, number, attempt)
        if is_watched:
            overdue.watch_started(scheduler, index, number)
        if is_special:
            _note_start(scheduler, index, number, device_id)


def _note_start(scheduler: SchedulerState, index: RunIndex, number: int, device_id: str) -> None:
    if index.load is not None:
        index.load[device_id] = index.load.get(device_id, 0) + 1
        scheduler.load_changed = True
    lenders = [parent for parent in index.run.graph.parents[number] if index.run.status[parent] <= PENDING]
    if index.mixed and lenders:  # they waited for it in vain, and inherit nothing from it any more
        changed = index.spread_priorities(lenders)
        requeue(scheduler, index, [parent for parent in changed if index.keys[parent] is not None])


def _overtakes(scheduler: SchedulerState, index: RunIndex, number: int) -> bool:
    """Whether a ready task of higher base priority stays behind."""
    own = index.base[number]
    return any(other.run.state is EXECUTING and other.has_queued_above(own) for other in scheduler.live.values())


# ---- by critical path


def _dispatch_by_rank(scheduler: SchedulerState, limit: int) -> None:
    """By rank, each task where it ends first; one that rather waits for a busy device is set aside for this turn.

    Runs whose tasks go by age take their turns meanwhile: a run's turn comes when that of its oldest ready task would
    come by age; which of its tasks takes it is decided by rank.
    """
    fleet, queue = scheduler.fleet, scheduler.queue
    ranked, active = queue.ranked, queue.active
    _start_starved(scheduler, limit)
    forecast: Forecast | None = None
    aside: list[tuple[Bucket, int]] = []
    while ranked and fleet.running < limit and _any_room(scheduler):
        bucket = _head(ranked)
        if bucket is None:
            continue
        wait_queue = _blocked_by(scheduler, bucket) or _full(scheduler, bucket)
        if wait_queue is not None:
            heappop(ranked)
            queue.park(bucket, wait_queue)
            continue
        turn = _turn(scheduler, bucket) if active else 0
        if active and active[0][0] < turn:
            _start_by_age(scheduler, limit, turn)
            forecast = None
            continue
        if forecast is None:
            forecast = Forecast(fleet, list(scheduler.live.values()), scheduler.now)
        key = bucket.pop()
        _renew(ranked, bucket)
        number = (key >> BUCKET_BITS) & NUMBER_MASK
        device = _where(forecast, scheduler, bucket, number)
        if device is None:
            aside.append((bucket, key))
        else:
            bucket.index.keys[number] = None
            start(scheduler, bucket.index, [number], device)
    for bucket, key in aside:
        queue.push(bucket, key)
    if aside:
        _wake_for_starved(scheduler)


def _turn(scheduler: SchedulerState, bucket: Bucket) -> int:
    """The key of a bucket's head among tasks that go by age: as if it had waited as long as any of its run."""
    index = bucket.index
    number = (bucket.entry >> BUCKET_BITS) & NUMBER_MASK  # type: ignore[operator]  # the bucket stands in the heap
    waiting, keys = index.waiting, index.keys
    while waiting and keys[waiting[0][1]] is None:
        waiting.popleft()  # it has started
    since = waiting[0][0] if waiting else index.run.ready_at[number]
    return aged_key(scheduler, index, number, since, index.base[number])


def _start_by_age(scheduler: SchedulerState, limit: int, rival: int) -> None:
    """Start tasks of the first bucket that goes by age, until the turn of others comes."""
    queue = scheduler.queue
    key, _, first = heappop(queue.active)
    if first.entry != key:
        return
    first.entry = None
    bucket = queue.take(first) if isinstance(first, WaitQueue) else first
    wait_queue = _start_from(scheduler, bucket, limit, min(rival, queue.active[0][0]) if queue.active else rival)
    if wait_queue is not None:
        queue.park(bucket, wait_queue)
    else:
        queue.activate(bucket)


def _full(scheduler: SchedulerState, bucket: Bucket) -> WaitQueue | None:
    """The place to park the bucket while none of its devices has room."""
    if any(device.has_room() for device in scheduler.placer.candidates(bucket)):
        return None
    return scheduler.placer.wait_queue_for(bucket)


def _wake_for_starved(scheduler: SchedulerState) -> None:
    """Set a timer for when a task that prefers a faster device has waited long enough."""
    timeout = scheduler.fleet.starvation_timeout
    for index in scheduler.live.values() if timeout > 0 else ():
        while index.waiting and index.keys[index.waiting[0][1]] is None:
            index.waiting.popleft()  # it has started
        if index.waiting:
            ready_at, number = index.waiting[0]
            due = ready_at + max(timeout, index.horizon)
            if due != index.patience_ends:
                index.patience_ends = due
                scheduler.set_timer(due, TimerPurpose.STARVED, index.run.run_id, number, index.run.tries[number])


def _where(forecast: Forecast, scheduler: SchedulerState, bucket: Bucket, number: int) -> DeviceFacts | None:
    """The free device for a task, or None when it had better wait for a busy one."""
    task = bucket.index.run.graph.tasks[number]
    assert task is not None
    candidates = scheduler.placer.candidates(bucket)
    seconds = task.expected_duration
    if bucket.prefer is not None:
        preferred = next((c for c in candidates if c.id == bucket.prefer and c.has_room()), None)
        candidates = [preferred] if preferred is not None else candidates
    if seconds is None:  # nobody knows how long it takes, so there is nothing to gain by waiting
        device = max((c for c in candidates if c.has_room()), key=lambda c: c.speed)
        heappush(forecast.ends[device.id], float("inf"))
        return device
    chosen = forecast.choose(candidates, seconds)
    assert chosen is not None
    return chosen[0] if chosen[1] else None


def _any_room(scheduler: SchedulerState) -> bool:
    return any(device.accepts and device.has_room() for device in scheduler.fleet.devices.values())


def _start_starved(scheduler: SchedulerState, limit: int) -> None:
    """Start first what has waited so long that the whole run could have been done meanwhile."""
    fleet, timeout = scheduler.fleet, scheduler.fleet.starvation_timeout
    if timeout <= 0:
        return
    for index in scheduler.live.values():
        run, waiting = index.run, index.waiting
        patience = max(timeout, index.horizon)
        while waiting and fleet.running < limit:
            ready_at, number = waiting[0]
            key = index.keys[number]
            if key is None or run.status[number] != PENDING or run.ready_at[number] != ready_at:
                waiting.popleft()
                continue
            if scheduler.now - ready_at < patience or run.state is not EXECUTING:
                break
            bucket = index.buckets[index.constraints(number)]
            device = None if _blocked_by(scheduler, bucket) else scheduler.placer.fastest(bucket)
            if device is None:
                break
            waiting.popleft()
            index.keys[number] = None
            start(scheduler, index, [number], device)
