"""What clients ask of an engine: lists of runs, plans to be run, commands in their JSON form, output of tasks."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace as with_fields
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from starloom.agents.rules import RuleAgent
from starloom.bulk_loading import collector_at_rest
from starloom.decodable import decodable
from starloom.devices.kinds import make_device
from starloom.errors import CommandRefused, EditRefused, PlanError, Problem, StarloomError
from starloom.formats import parse_plan
from starloom.formats.command_forms import read_command
from starloom.formats.files import without_secrets
from starloom.formats.rules import read_rules
from starloom.journal.base import JournalError
from starloom.journal.library import run_folder
from starloom.journal.names import JOURNAL
from starloom.journal.records import record
from starloom.journal.sent_rows import BATCH_BYTES
from starloom.journal.stream_file import StreamFile
from starloom.model.device import DeviceSpec
from starloom.orchestration.foresight import durations_told
from starloom.orchestration.readings import check_known
from starloom.scheduling.commands import EditConstellation
from starloom.scheduling.decide.kept_answers import plain_answer
from starloom.scheduling.read.open_questions import waits_of
from starloom.scheduling.read.simulated import simulations
from starloom.scheduling.reservation_commands import ReservationCommand
from starloom.scheduling.scripts import ScriptEntry
from starloom.scheduling.state.codes import is_terminal
from starloom.server.listings import ListedReservation, ListedRun
from starloom.server.messages import (
    AddDevices,
    DeviceReport,
    EngineReport,
    GiveCommand,
    OutputPiece,
    ReadOutput,
    ReadReport,
    RequestRefusal,
    SubmitPlan,
)

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.journal.records import RunRecord
    from starloom.model.likeness import ObservedDurations
    from starloom.orchestration.orchestrator import Orchestrator


REMEMBERED: Final = 24 * 3600.0
"""Seconds for which the answer to a command is sure to be remembered, if it is among the last of them."""


def listed(orchestrator: Orchestrator) -> tuple[ListedRun, ...]:
    """The runs of an engine, the oldest first; of those released from memory what is known without reading."""
    return tuple(_listed(orchestrator, run_id) for run_id in orchestrator.runs)


def reservations(orchestrator: Orchestrator) -> tuple[ListedReservation, ...]:
    """What is reserved in an engine, in the order in which it was."""
    now = orchestrator.pump.clock()
    found = orchestrator.pump.scheduler.fleet.reservations.items()
    return tuple(
        ListedReservation(*target, made.holder, made.reason, max(0.0, made.until - now), made.wall_until)
        for target, made in found
    )


def _listed(orchestrator: Orchestrator, run_id: str) -> ListedRun:
    ended = orchestrator.ended_runs.get(run_id)
    if ended is not None:
        tasks = ended.tasks
        counted = tasks.total, tasks.completed, tasks.failed, 0, 0
        gone = (), tasks.cancelled, tasks.skipped, ended.simulated
        return ListedRun(run_id, ended.name, str(ended.state), *counted, *gone)
    run = orchestrator.run(run_id).facts
    counts = run.counts()
    total = counts["submitted"] - counts["removed"]
    waits = 0 if run.state.has_ended else waits_of(run)
    return ListedRun(
        run_id,
        run.name,
        str(run.state),
        total,
        counts["completed"],
        counts["failed"],
        counts["running"],
        waits,
        run.stalled,
        counts["cancelled"],
        counts["skipped"],
        simulations(run),
    )


async def submit(orchestrator: Orchestrator, request: SubmitPlan, origin: str) -> str:
    """Run a plan, unless that was done when the request was made before; returns the id of its run.

    Args:
        orchestrator: the engine.
        request: with the plan.
        origin: in whose name.

    Raises:
        PlanError: it is no plan.
        StarloomError: see `Orchestrator.start`.
    """
    if request.again and (request.run_id in orchestrator.runs or _is_kept(orchestrator, request.run_id)):
        return request.run_id
    with collector_at_rest():
        plan = parse_plan(request.plan, format="json")
    if not plan.devices and not orchestrator.fleet.devices:  # as of a console that has run nothing yet
        plan = with_fields(plan, devices=(DeviceSpec(id="local"),))
    rules = None if request.rules is None else RuleAgent(read_rules(plan.rules))
    paused = request.paused or rules is not None
    run = await orchestrator.start(plan, run_id=request.run_id or None, paused=paused, origin=origin)
    if rules is not None and request.rules is not None and not run.state.has_ended:
        await run.attach(rules, asks=request.rules)
        if not request.paused:
            await run.start()
    return run.id


async def reopen(orchestrator: Orchestrator, run_id: str, origin: str) -> None:
    """Have a run that has ended be in memory, also one of an earlier server; one that was interrupted goes on.

    Raises:
        CommandRefused: there is no such run, another program has it, or it came from elsewhere.
        StarloomError: see `Orchestrator.resume`.
    """
    if run_id in orchestrator.runs:
        await orchestrator.ended_runs.recall(run_id)
        return
    folder = _folder_of(orchestrator, run_id)
    if folder is None:
        check_run(orchestrator, run_id)
        return
    one = await asyncio.to_thread(record, folder)
    if not (one.can_reopen or one.can_resume):
        reason = f"The run {run_id!r} cannot be reopened: {one.trouble or _standing(one)}."
        hint = "Only a run of this server that has ended, or was interrupted, is taken up."
        raise CommandRefused("not_ended", reason, hint)
    await orchestrator.resume(folder, origin=origin)


def _standing(one: RunRecord) -> str:
    if one.is_imported:
        return "it came from elsewhere"
    return f"it is {one.state}" if one.held_by is None else f"it is open in {one.held_by}"


def _folder_of(orchestrator: Orchestrator, run_id: str) -> Path | None:
    """The folder of a run that is kept; None: there is none of this id."""
    directory = orchestrator.pump.journal.directory
    assert directory is not None, "a server keeps its runs"
    folder = run_folder(directory, run_id)
    return folder if (folder / JOURNAL).is_file() else None


def _is_kept(orchestrator: Orchestrator, run_id: str) -> bool:
    """Whether the run of an earlier server is kept: it was made before that ended."""
    folder = _folder_of(orchestrator, run_id)
    if folder is None:
        return False
    try:
        with StreamFile(folder / JOURNAL, run_id, read_only=True) as file:
            return file.last > 0
    except JournalError:
        return False


async def carry_out(
    orchestrator: Orchestrator, request: GiveCommand, origin: str, known_since: float
) -> int | str | None:
    """Give a command, unless it was carried out when it was given before; see `plain_answer` for what it returns.

    Args:
        orchestrator: the engine.
        request: with the command.
        origin: in whose name.
        known_since: from when on the engine knows each answer, in seconds since 1970.

    Raises:
        PlanError: it is no command.
        CommandRefused: it was refused, and changed nothing; or it was given before, and nobody knows what came of it.
        JournalError: the journal of a released run cannot be read.
    """
    run_id = request.run_id
    problems: list[Problem] = []

    def add(place: tuple[str | int, ...], message: str, hint: str) -> None:
        problems.append(Problem(where=".".join(map(str, place)), message=message, hint=hint))

    command = read_command(request.form, add)
    if command is None:
        raise PlanError(problems)
    if not run_id and hasattr(command, "run_id") and not isinstance(command, ReservationCommand):
        raise CommandRefused("no_run", "This command is about a run, and none is named.", "Name the run.")
    answers = orchestrator.pump.scheduler.answers
    is_known = request.command_id in answers
    if request.again and not is_known and not _would_be_known(orchestrator, request.given, known_since):
        raise CommandRefused(
            "unknown_command",
            "Whether this command was carried out when it was given before is not known any more.",
            "See what the run is like now, and give it anew if it was not.",
        )
    if run_id and not is_known:
        check_run(orchestrator, run_id)
    given = ScriptEntry(command=command, why=request.reason).as_given(run_id, origin)
    if isinstance(given, EditConstellation):
        given = replace(given, batch=with_fields(given.batch, base_revision=request.base_revision))
    return plain_answer(await orchestrator.fleet.command(replace(given, id=request.command_id)))


def _would_be_known(orchestrator: Orchestrator, given: float, known_since: float) -> bool:
    """Whether a command of that time would be known if it had been answered: nothing as late was forgotten."""
    now, pump = time.time(), orchestrator.pump
    is_kept = pump.scheduler.answers.forgotten_at < pump.clock() - (now - given)
    return is_kept and given >= max(known_since, now - REMEMBERED)


async def durations(orchestrator: Orchestrator, run_id: str) -> ObservedDurations | None:
    """What runs that have ended tell about the durations of another one; None: no run is named.

    Raises:
        CommandRefused: there is no such run.
    """
    if not run_id:
        return None
    check_run(orchestrator, run_id)
    return await durations_told(orchestrator.pump, run_id)


async def add_devices(orchestrator: Orchestrator, request: AddDevices, origin: str) -> tuple[DeviceSpec, ...]:
    """Have devices join the fleet, all of them or none; returns them.

    Raises:
        PlanError: they are no devices.
        StarloomError: see `Fleet.add_all`.
    """
    try:
        specs = msgspec.json.decode(request.specs, type=decodable(tuple[DeviceSpec, ...]))
    except (msgspec.MsgspecError, ValueError) as error:
        raise PlanError([Problem(where="specs", message=f"are no devices: {error}.", hint="")]) from None
    await orchestrator.fleet.add_all([make_device(spec) for spec in specs], origin=origin)
    return specs


async def report(orchestrator: Orchestrator, request: ReadReport) -> EngineReport:
    """What facts do not tell of an engine."""
    loads = await orchestrator.fleet.loads() if request.measures else {}
    supervisor, devices = orchestrator.supervisor, dict(orchestrator.dispatcher.devices)
    told = [
        DeviceReport(
            id,
            supervisor.heard.get(id),
            supervisor.is_late(id),
            device.about,
            device.unended,
            loads.get(id),
            device.heartbeat_interval,
        )
        for id, device in devices.items()
    ]
    progress = tuple(orchestrator.dispatcher.progress.values())
    specs = [spec for spec in orchestrator.fleet.specs if without_secrets(spec, []) is spec]
    said = msgspec.json.encode(specs).decode()
    return EngineReport(request.number, str(orchestrator.halted or ""), tuple(told), progress, said)


def output(orchestrator: Orchestrator, request: ReadOutput) -> OutputPiece:
    """What an attempt has printed, from an offset on.

    Raises:
        CommandRefused: there is no such run, task or attempt.
        StarloomError: the output or the journal of a released run cannot be read.
    """
    check_run(orchestrator, request.run_id)
    run = orchestrator.run(request.run_id).facts
    check_known(run, request.task_id)
    number = run.graph.place[request.task_id]
    last = run.tries[number]
    attempt = request.attempt or last
    if not 0 <= attempt <= last:
        reason = f"There is no attempt {attempt} of {request.task_id!r} yet."
        raise CommandRefused("unknown_attempt", reason, f"It has had {last}.")
    path = orchestrator.dispatcher.output_file(request.run_id, request.task_id, attempt)
    data = b"" if path is None else _read(path, request.offset)
    is_over = attempt < last or run.state.has_ended or is_terminal(run.status[number])
    return OutputPiece(request.number, attempt, data, is_over, last)


def _read(path: Path, offset: int) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(offset)
            return file.read(BATCH_BYTES)
    except FileNotFoundError:  # it has printed nothing
        return b""
    except (OSError, ValueError, OverflowError) as error:
        raise StarloomError(f"{path} cannot be read: {error}.") from None


def check_run(orchestrator: Orchestrator, run_id: str) -> None:
    """Refuse an id that no run of the engine has.

    Raises:
        CommandRefused: none has it.
    """
    if run_id not in orchestrator.runs:
        raise CommandRefused("unknown_run", f"There is no run {run_id!r} here.", "`starloom ps` lists those there are.")


def refusal(number: int, error: StarloomError) -> RequestRefusal:
    """The answer to a request that failed with this error."""
    if isinstance(error, EditRefused):
        return RequestRefusal(number, error.code, error.reason, error.hint, error.problems)
    if isinstance(error, CommandRefused):
        return RequestRefusal(number, error.code, error.reason, error.hint)
    return RequestRefusal(number, "failed", str(error))
