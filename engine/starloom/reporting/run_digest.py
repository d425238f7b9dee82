"""The digest of a run: what each of its tasks came to, as lists that a process can hand to another."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final

import msgspec

from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.state.awaiting import worked
from starloom.scheduling.state.codes import COMPLETED, FAILED, REMOVED, is_terminal
from starloom.scheduling.state.late_facts import is_timed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.model.task import Task
    from starloom.scheduling.state.run_facts import RunFacts

_MOST_SAID: Final = 300
"""Characters of an error that are kept."""


class RunDigest(msgspec.Struct, kw_only=True):
    """A run of a plan. Its lists have a place for each task, those of the graph in topological order.

    Attributes:
        folder: of its journal; empty: it keeps none, or nobody has said.
        plan: the name of its plan; empty: nobody knows, as its journal cannot be read.
        state: its state, as for `RunRecord`.
        since: when it was started, or made if it was not, or written last if it cannot be read; in seconds since 1970.
        trouble: why it cannot be read, or not to its end; empty: it can.
        ids, titles: of the tasks.
        status: a code of `scheduling.state.codes` for each.
        warned: the places of those whose failure is only a warning.
        seconds: what the last attempt of each took; None: there was none, it runs, or nobody knows.
        attempts: how many there were, by place, where there was more than one.
        failures: how many attempts before the last one failed, doing what it does now, by place, where any did.
        outdated: the places of those whose last attempt did something else than the task does now.
        simulated: the places of those that say what to run, and whose last attempt was only simulated.
        by_hand: the places of those that somebody marked, or that were bypassed: they did not run to this end.
        devices, device: the names of devices; the place among them of where the last attempt of each ran; -1: nowhere.
        errors: the first line of the error of the last attempt, by place, where there is one.
        work: a checksum of what each does: equal for equal definitions.
        gates: the places of those that a person answers.
    """

    run_id: str
    folder: str = ""
    plan: str = ""
    state: str
    since: float = 0.0
    trouble: str = ""
    ids: list[str] = []
    titles: list[str] = []
    status: bytearray = msgspec.field(default_factory=bytearray)
    warned: set[int] = set()
    seconds: list[float | None] = []
    attempts: dict[int, int] = {}
    failures: dict[int, int] = {}
    outdated: set[int] = set()
    simulated: set[int] = set()
    by_hand: set[int] = set()
    devices: list[str] = []
    device: list[int] = []
    errors: dict[int, str] = {}
    work: list[int] = []
    gates: set[int] = set()


def digest_of(run: RunFacts, state: str = "", *, folder: str = "", trouble: str = "") -> RunDigest:
    """The digest of a run.

    Args:
        run: its facts.
        state: what it is said to be in; empty: its own state.
        folder: of its journal.
        trouble: why its journal is not read to its end; empty: it is.
    """
    graph, numbers = run.graph, numbers_of(run)
    tasks = [graph.tasks[number] for number in numbers]
    digest = RunDigest(
        run_id=run.run_id,
        folder=folder,
        plan=run.name,
        state=state or str(run.state),
        since=since_of(run),
        trouble=trouble,
        ids=[graph.ids[number] for number in numbers],
        titles=[graph.names.title(number) for number in numbers],
        status=bytearray(len(numbers)),
        seconds=[None] * len(numbers),
        device=[-1] * len(numbers),
        work=[0 if task is None else work_of(task) for task in tasks],
        gates={place for place, task in enumerate(tasks) if task is not None and task.gate is not None},
    )
    put_tasks(digest, run, enumerate(numbers))
    return digest


def numbers_of(run: RunFacts) -> list[int]:
    """The numbers of the tasks of a run in the order of its digest: those that are present, then removed ones."""
    graph = run.graph
    removed = (number for number, code in enumerate(run.status) if code == REMOVED)
    return [*graph.topological_order(), *(number for number in removed if graph.ids[number] not in graph.place)]


def since_of(run: RunFacts) -> float:
    """When a run was started, or made if it was not, in seconds since 1970."""
    started = run.run_started_at
    return run.wall_time if started is None else RunView(run).wall(started)


def put_tasks(digest: RunDigest, run: RunFacts, places: Iterable[tuple[int, int]]) -> None:
    """Write into a digest what tasks have come to by now.

    Args:
        digest: of the run.
        run: its facts.
        places: the place of each task in the digest, and its number in the run.
    """
    devices = {name: place for place, name in enumerate(digest.devices)}
    for place, number in places:
        code = digest.status[place] = run.status[number]
        device = run.device_of[number]
        if device is not None:
            digest.device[place] = devices.setdefault(device, len(devices))
        has_ended = device is not None and is_terminal(code) and is_timed(run, number, run.tries[number])
        digest.seconds[place] = worked(run, number) if has_ended else None
        if run.tries[number] > 1:
            digest.attempts[place] = run.tries[number]
            since = run.changed_work.get(number, 0)
            before = [one for one in run.history.get(number, ()) if one.number > since]
            digest.failures[place] = sum(attempt.status == "failed" for attempt in before)
        _note(digest.outdated, place, 0 < run.tries[number] <= run.changed_work.get(number, 0))
        _note(digest.simulated, place, number in run.simulated and run.has_last_attempt(number))
        _note(digest.by_hand, place, code in {COMPLETED, FAILED} and not run.has_last_attempt(number))
        _put_error(digest, run, place, number)
    digest.devices = list(devices)


def _note(places: set[int], place: int, is_one: bool) -> None:
    """Put a place into a set, or take it out."""
    (places.add if is_one else places.discard)(place)


def _put_error(digest: RunDigest, run: RunFacts, place: int, number: int) -> None:
    digest.warned.discard(place)
    digest.errors.pop(place, None)
    code, result = run.status[number], run.results[number]
    if code == FAILED and run.is_warning(number):
        digest.warned.add(place)
    if code != COMPLETED and result is not None and result.error is not None:
        lines = result.error.message.strip().splitlines()
        digest.errors[place] = (lines[0] if lines else str(result.error.code))[:_MOST_SAID]


def work_of(task: Task) -> int:
    """A checksum of what a task does: the same in all processes; not of its name, nor of where and when it may run."""
    what = (task.command, task.shell, task.python, task.call, task.prompt, task.simulate, task.gate)
    given = (dict(task.inputs), dict(task.env), task.cwd, task.upstream, task.files)  # all of `WORK_FIELDS`
    return zlib.crc32(repr((what, given)).encode("utf-8", "surrogatepass"))
