"""What has to be true of a run that several consoles have steered, by its journal, their notes and the effects."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.driver import assert_same

from starloom import events as ev
from starloom.journal.fleet_replica import fleet_to_plain
from starloom.journal.library import folder_name
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.fold.fleet import apply_fleet
from starloom.scheduling.restore import occupy
from starloom.scheduling.state.codes import is_terminal
from starloom.scheduling.state.fleet_facts import FleetFacts
from starloom.scheduling.state.folded_run import FoldedRun
from starloom_gui.models.task_cells import TaskColumn, TaskSource, text
from starloom_gui.viewmodel.status_forms import form_at, is_marked_held

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from starloom.scheduling.state.run_facts import RunFacts

_STEERED = (ev.TasksHeld, ev.TasksReleased, ev.TasksPrioritised, ev.TasksPinned, ev.RunPaused, ev.RunResumed)
_OF_FLEET = (ev.DeviceDrained, ev.DeviceResumed)
_OF_ONE = (ev.TaskStopping, ev.TaskCancelled, ev.TaskSkipped)


@dataclass
class Given:
    """A command as a console has noted it.

    Attributes:
        run: of which run; empty: of the fleet.
        kind: the word of the command.
        mark: of the act that it is of; empty: it has none.
        what: `acknowledged`, `refused`, `unknown`; `given`: its console was killed before it had an answer.
        answer: its value.
        code: of the refusal.
    """

    run: str
    kind: str
    mark: str
    what: str = "given"
    answer: Any = None
    code: str = ""


@dataclass
class Journals:
    """What is committed of a run and of the fleet."""

    events: list[ev.Event]
    fleet: list[ev.Event]
    answered: dict[str, ev.CommandAnswered] = field(default_factory=dict)


def read(journals: Path, run_id: str) -> Journals:
    """Read a run and the fleet, of which no answer may stand there twice."""
    read = Journals(_committed(journals / "runs" / folder_name(run_id) / JOURNAL), _committed(journals / "fleet.db"))
    for event in read.fleet:
        if isinstance(event, ev.CommandAnswered):
            assert event.command_id not in read.answered, f"{event} happened twice"
            read.answered[event.command_id] = event
    return read


def _committed(path: Path) -> list[ev.Event]:
    with StreamFile(path, read_only=True) as file:
        return list(file.committed())


def notes_in(files: Iterable[Path]) -> dict[str, Given]:
    """The commands in the notes of consoles, by id."""
    given: dict[str, Given] = {}
    for path in files:
        for line in path.read_text().splitlines():
            told = json.loads(line)
            what, id = told.pop("what"), told.pop("id")
            if what == "given":
                assert id not in given, f"{told} has the id of another command"
                given[id] = Given(**told)
            else:
                given[id].what = what
                given[id].answer, given[id].code = told.get("answer"), told.get("code", "")
    return given


# ---- pictures


def check_picture(path: Path, journals: Journals, run_id: str) -> None:
    """Fail if what a console knows, or what its views show, is not the fold of the journals at its event."""
    picture = pickle.loads(path.read_bytes())
    assert not picture["trouble"], picture["trouble"]
    assert picture["seq"] <= len(journals.events), "it is ahead of the journal"
    run = fold(FoldedRun(run_id), journals.events[: picture["seq"]]).run
    assert_same(picture["facts"], run.canonical(), f"facts of {path.name}")
    assert_same(picture["table"], _table(run), f"table of {path.name}")
    assert_same(picture["canvas"], _canvas(run), f"canvas of {path.name}")
    fleet = FleetFacts()
    for event in journals.fleet[: picture["fleet"]["seq"]]:
        fleet.seq = event.seq
        apply_fleet(fleet, event)
    assert_same(picture["fleet"], fleet_to_plain(fleet), f"fleet of {path.name}")
    occupy(fleet, run)
    cards = [(device.id, str(device.status), device.enabled, device.offered) for device in fleet.devices.values()]
    assert picture["devices"] == cards, f"devices of {path.name}"


def _table(run: RunFacts) -> dict[str, Any]:
    source = TaskSource(run, lambda: 0.0)
    columns = (TaskColumn.PRIORITY, TaskColumn.ATTEMPTS, TaskColumn.DEVICE)
    return {
        task.id: (int(form_at(run, number)), is_marked_held(run, number), *(text(source, number, at) for at in columns))
        for number, task in run.graph.present()
    }


def _canvas(run: RunFacts) -> dict[str, int]:
    return {task.id: int(form_at(run, number)) for number, task in run.graph.present()}


# ---- commands


def check_commands(given: dict[str, Given], journals: Journals, run_id: str) -> None:
    """Fail if a command that was acknowledged did not happen once, or one that was refused did."""
    done: set[str] = set()
    for id, one in given.items():
        if one.kind == "submit":
            continue
        kept = journals.answered.get(id)
        if one.what == "acknowledged":
            assert kept is not None, f"{one} was acknowledged, and nothing of it is kept"
            assert not kept.code, f"{one} was acknowledged, and is {kept}"
            assert kept.answer == one.answer, f"{one} was acknowledged, and is {kept}"
        elif one.what == "refused":
            assert kept is None or kept.code, f"{one} was refused, and happened: {kept}"
        if kept is not None and not kept.code:
            done.add(id)
    of_run = {id: one for id, one in given.items() if one.run in (run_id, "")}
    _check_edits(of_run, done, journals)
    _check_marks(of_run, done, journals)


def _check_edits(given: dict[str, Given], done: set[str], journals: Journals) -> None:
    """Each edit of a console is one that was carried out, and the other way round."""
    made: Counter[Any] = Counter(
        event.revision for event in journals.events if isinstance(event, ev.ConstellationModified)
    )
    asked: Counter[Any] = Counter(
        journals.answered[id].answer for id, one in given.items() if id in done and one.kind == "edit"
    )
    assert made == asked, f"these revisions happened, and were not asked for once: {made - asked}, {asked - made}"
    marked = Counter(given[id].mark for id in given if id in done and given[id].kind == "edit" and given[id].mark)
    happened = Counter(event.reason for event in journals.events if isinstance(event, ev.ConstellationModified))
    twice = {mark: happened[mark] for mark, count in marked.items() if happened[mark] != count}
    assert not twice, (
        f"these edits, undone and redone ones too, happened more or less often than asked for: {twice}, {marked}"
    )


def _check_marks(given: dict[str, Given], done: set[str], journals: Journals) -> None:
    """What bears the mark of a command happened once to each task, and only if the command was carried out."""
    marked = {one.mark: id for id, one in given.items() if one.mark and one.kind != "edit"}
    happened: Counter[tuple[str, str, str]] = Counter()
    for mark, kind, about in _effects_of_marks((*journals.events, *journals.fleet)):
        happened[mark, kind, about] += 1
        if mark in marked:
            id = marked[mark]
            assert id in done, f"{given[id]} was not carried out, and {kind} happened to {about!r}"
    twice = [what for what, count in happened.items() if count > 1 and what[0] in marked]
    assert not twice, f"happened twice: {twice}"


def _effects_of_marks(events: Sequence[ev.Event]) -> Iterable[tuple[str, str, str]]:
    for event in events:
        kind = type(event).__name__
        match event:
            case ev.TaskMarked():
                yield str(event.result.value), kind, event.task_id
            case _ if isinstance(event, _OF_ONE) and event.reason:
                yield event.reason, kind, event.task_id
            case _ if isinstance(event, _OF_FLEET) and not event.run_id:
                yield event.reason, kind, event.device_id
            case _ if isinstance(event, _STEERED) and event.reason:
                for task_id in getattr(event, "task_ids", ("",)):
                    yield event.reason, kind, task_id


# ---- the run


def check_ended(journals: Journals, run_id: str) -> None:
    """Fail if the run was made twice, or anything of it that could still start was left."""
    assert sum(type(event) is ev.RunCreated for event in journals.events) == 1, "the run was made twice"
    run = fold(FoldedRun(run_id), journals.events).run
    assert run.state.has_ended
    left = [task.id for number, task in run.graph.present() if not is_terminal(run.status[number])]
    assert not left, f"these tasks were left: {left}"


def check_effects(lines: Sequence[str], journals: Journals) -> None:
    """Fail if something ran twice, or without an attempt that the journal tells of, or did not though it completed."""
    assert not [line for line in lines if line.startswith("overlap")], "attempts of one task ran at once"
    begun = Counter(tuple(line.split()[1:3]) for line in lines if line.startswith("begin "))
    assert not [one for one, count in begun.items() if count > 1], f"ran twice: {begun.most_common(3)}"
    started = {(event.task_id, str(event.attempt)) for event in journals.events if isinstance(event, ev.TaskStarted)}
    assert set(begun) <= started, f"ran without an attempt: {set(begun) - started}"
    completed = {
        (event.task_id, str(event.attempt)) for event in journals.events if isinstance(event, ev.TaskCompleted)
    }
    assert completed <= set(begun), f"completed and never ran: {completed - set(begun)}"
    _check_adopted(begun, journals)
    _check_one_at_a_time(journals)


def _check_adopted(begun: Iterable[tuple[str, ...]], journals: Journals) -> None:
    """What has begun goes on when its program is killed, and is not begun anew, unless its task says so."""
    interrupted = {(one.task_id, str(one.attempt)) for one in journals.events if isinstance(one, ev.TaskInterrupted)}
    run = fold(FoldedRun(journals.events[0].run_id), journals.events).run
    again = {task.id for _, task in run.graph.present() if task.on_interrupt == "rerun"}
    lost = [one for one in interrupted.intersection(begun) if one[0] not in again]
    assert not lost, f"had begun, and was given up: {lost}"


def _check_one_at_a_time(journals: Journals) -> None:
    """No attempt begins before the one before has ended."""
    last: dict[str, str] = {}
    for event in journals.events:
        if isinstance(event, ev.TaskStarted):
            before = last.get(event.task_id)
            assert before is None, f"{event} ran while attempt {before} had not ended"
            last[event.task_id] = str(event.attempt)
        elif isinstance(event, _ENDS):
            last.pop(event.task_id, None)


_ENDS = (
    ev.TaskCompleted,
    ev.TaskFailed,
    ev.TaskCancelled,
    ev.TaskInterrupted,
    ev.TaskRetryScheduled,
    ev.TaskReset,
    ev.TaskSkipped,
    ev.TaskMarked,
)
