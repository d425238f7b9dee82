"""Starting what is ready: once a turn, as long as limits, groups and devices allow."""

from __future__ import annotations

from heapq import heappop, heappush, heapreplace
from typing import TYPE_CHECKING, Final

from starloom.events import TaskStarted
from starloom.model.status import RunState
from starloom.scheduling.apply import apply_started
from starloom.scheduling.codes import PENDING
from starloom.scheduling.instructions import StartTask
from starloom.scheduling.placement import Forecast
from starloom.scheduling.queues import BUCKET_BITS, NUMBER_MASK, Bucket, Lot

if TYPE_CHECKING:
    from starloom.scheduling.fleet_facts import DeviceFacts
    from starloom.scheduling.run_index import RunIndex
    from starloom.scheduling.scheduler import Scheduler

TIMEOUT: Final = 0
RETRY: Final = 1
_NO_LIMIT: Final = 1 << 60


def dispatch(scheduler: Scheduler) -> None:
    """Start as much as may start now."""
    if scheduler.placer.by_critical_path:
        _dispatch_by_rank(scheduler)
    else:
        _dispatch_in_order(scheduler)


def _dispatch_in_order(scheduler: Scheduler) -> None:
    fleet, queue, placer = scheduler.fleet, scheduler.queue, scheduler.placer
    active = queue.active
    limit = _NO_LIMIT if fleet.max_concurrency is None else fleet.max_concurrency
    while active and fleet.running < limit:
        bucket = _head(active)
        if bucket is None:
            continue
        lot = _blocked_by(scheduler, bucket)
        device = None
        if lot is None:
            device = placer.place(bucket)
            if device is None:
                lot = placer.lot_for(bucket)
        if device is None:
            assert lot is not None
            heappop(active)
            queue.park(bucket, lot)
            continue
        heap = bucket.heap
        key = heappop(heap)
        if heap:
            bucket.entry = heap[0]
            heapreplace(active, (heap[0], bucket.order, bucket))
        else:
            bucket.entry = None
            heappop(active)
        start(scheduler, bucket.index, (key >> BUCKET_BITS) & NUMBER_MASK, device)


def _head(active: list[tuple[int, int, Bucket]]) -> Bucket | None:
    """The bucket whose head is next, after dropping one stale entry if there was one instead."""
    key, _, bucket = active[0]
    if bucket.entry != key:
        heappop(active)
        return None
    if bucket.index.keys[(key >> BUCKET_BITS) & NUMBER_MASK] != key:
        heap = bucket.heap
        heappop(heap)
        if heap:
            bucket.entry = heap[0]
            heapreplace(active, (heap[0], bucket.order, bucket))
        else:
            bucket.entry = None
            heappop(active)
        return None
    return bucket


def _blocked_by(scheduler: Scheduler, bucket: Bucket) -> Lot | None:
    """What keeps the bucket's head from starting, besides devices and the global limit."""
    index = bucket.index
    run = index.run
    if run.state is not RunState.EXECUTING or (run.limit is not None and run.running >= run.limit):
        return index.lot
    if bucket.groups:
        fleet = scheduler.fleet
        for group in bucket.groups:
            allowed = fleet.groups.get(group)
            if allowed is not None and fleet.group_used.get(group, 0) >= allowed:
                return group_lot(scheduler, group)
    return None


def group_lot(scheduler: Scheduler, group: str) -> Lot:
    """Where buckets wait for a place in a group."""
    lot = scheduler.group_lots.get(group)
    if lot is None:
        lot = scheduler.group_lots[group] = Lot(f"group {group}")
    return lot


def start(scheduler: Scheduler, index: RunIndex, number: int, device: DeviceFacts) -> None:
    """Order an attempt of a queued task on a device with room."""
    run = index.run
    graph = run.graph
    index.keys[number] = None
    task = graph.tasks[number]
    assert task is not None
    attempt = run.tries[number] + 1
    slot = device.lowest_free_slot()
    event = TaskStarted(
        run.seq + 1,
        scheduler.now,
        run.run_id,
        task.id,
        attempt,
        device.id,
        slot,
        (index.mixed or len(scheduler.live) > 1) and _overtakes(scheduler, index, number),
    )
    turn = scheduler.turn
    turn.events.append(event)
    apply_started(run, event)
    turn.starts.append(StartTask(run.run_id, task.id, attempt, device.id, slot, task))
    if task.timeout is not None:
        scheduler.set_timer(scheduler.now + task.timeout, TIMEOUT, run.run_id, number, attempt)
    if index.load is not None:
        index.load[device.id] = index.load.get(device.id, 0) + 1
        scheduler.load_changed = True
    if run.any_joins and index.mixed:
        index.spread_priorities(graph.parents[number])


def _overtakes(scheduler: Scheduler, index: RunIndex, number: int) -> bool:
    """Whether a ready task of higher base priority stays behind."""
    own = index.base[number]
    return any(
        other.run.state is RunState.EXECUTING and other.highest_queued() > own for other in scheduler.live.values()
    )


# ---- by critical path


def _dispatch_by_rank(scheduler: Scheduler) -> None:
    """By rank, each task where it ends first; one that rather waits for a busy device is set aside for this turn."""
    fleet, active = scheduler.fleet, scheduler.queue.active
    limit = _NO_LIMIT if fleet.max_concurrency is None else fleet.max_concurrency
    _start_starved(scheduler, limit)
    if not active or fleet.running >= limit or not _any_room(scheduler):
        return
    forecast = Forecast(fleet, list(scheduler.live.values()), scheduler.now)
    aside: list[tuple[Bucket, int]] = []
    while active and fleet.running < limit:
        bucket = _head(active)
        if bucket is None:
            continue
        lot, device = _blocked_by(scheduler, bucket), None
        if lot is None:
            candidates = scheduler.placer.candidates(bucket)
            if not any(candidate.has_room() for candidate in candidates):
                lot = scheduler.placer.lot_for(bucket)
        if lot is not None:
            heappop(active)
            scheduler.queue.park(bucket, lot)
            continue
        key = _take_head(active, bucket)
        number = (key >> BUCKET_BITS) & NUMBER_MASK
        device = _where(forecast, scheduler, bucket, number)
        if device is None:
            aside.append((bucket, key))
        else:
            start(scheduler, bucket.index, number, device)
            if not _any_room(scheduler):
                break
    for bucket, key in aside:
        scheduler.queue.push(bucket, key)


def _take_head(active: list[tuple[int, int, Bucket]], bucket: Bucket) -> int:
    heap = bucket.heap
    key = heappop(heap)
    if heap:
        bucket.entry = heap[0]
        heapreplace(active, (heap[0], bucket.order, bucket))
    else:
        bucket.entry = None
        heappop(active)
    return key


def _where(forecast: Forecast, scheduler: Scheduler, bucket: Bucket, number: int) -> DeviceFacts | None:
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


def _any_room(scheduler: Scheduler) -> bool:
    return any(device.accepts and device.has_room() for device in scheduler.fleet.devices.values())


def _start_starved(scheduler: Scheduler, limit: int) -> None:
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
            if scheduler.now - ready_at < patience or run.state is not RunState.EXECUTING:
                break
            bucket = index.buckets[index.constraints(number)]
            device = None if _blocked_by(scheduler, bucket) else scheduler.placer.fastest(bucket)
            if device is None:
                break
            waiting.popleft()
            start(scheduler, index, number, device)
