"""What clients ask of an engine: lists of runs, plans to be run, commands in their JSON form, output of tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starloom.bulk_loading import collector_at_rest
from starloom.errors import CommandRefused, EditRefused, PlanError, Problem, StarloomError
from starloom.formats import parse_plan
from starloom.formats.command_forms import read_command
from starloom.journal.sent_rows import BATCH_BYTES
from starloom.orchestration.readings import check_known
from starloom.scheduling.decide.editing import EditReceipt
from starloom.scheduling.read.open_questions import waits_of
from starloom.scheduling.scripts import ScriptEntry
from starloom.scheduling.state.codes import is_terminal
from starloom.server.wire import ListedRun, OutputPiece, ReadOutput, RequestRefusal

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.orchestration.orchestrator import Orchestrator


def listed(orchestrator: Orchestrator) -> tuple[ListedRun, ...]:
    """The runs of an engine, the oldest first; of those released from memory what is known without reading."""
    return tuple(_listed(orchestrator, run_id) for run_id in orchestrator.runs)


def _listed(orchestrator: Orchestrator, run_id: str) -> ListedRun:
    ended = orchestrator.ended_runs.get(run_id)
    if ended is not None:
        tasks = ended.tasks
        return ListedRun(run_id, ended.name, str(ended.state), tasks.total, tasks.completed, tasks.failed, 0, 0)
    run = orchestrator.run(run_id).facts
    counts = run.counts()
    total = counts["submitted"] - counts["removed"]
    waits = 0 if run.state.has_ended else waits_of(run)
    return ListedRun(
        run_id, run.name, str(run.state), total, counts["completed"], counts["failed"], counts["running"], waits
    )


async def submit(orchestrator: Orchestrator, plan: str, origin: str) -> str:
    """Run a plan; returns the id of its run.

    Args:
        orchestrator: the engine.
        plan: the text of a plan file in JSON.
        origin: in whose name.

    Raises:
        PlanError: it is no plan.
        StarloomError: see `Orchestrator.start`.
    """
    with collector_at_rest():
        parsed = parse_plan(plan, format="json")
    return (await orchestrator.start(parsed, origin=origin)).id


async def carry_out(orchestrator: Orchestrator, run_id: str, form: Any, origin: str) -> int | str | None:
    """Give a command; returns the revision of an edit, the task of a step, else None.

    Args:
        orchestrator: the engine.
        run_id: which run; empty: the command is about the fleet.
        form: the command as plain JSON.
        origin: in whose name.

    Raises:
        PlanError: it is no command.
        CommandRefused: it was refused, and changed nothing.
        JournalError: the journal of a released run cannot be read.
    """
    problems: list[Problem] = []

    def add(place: tuple[str | int, ...], message: str, hint: str) -> None:
        problems.append(Problem(where=".".join(map(str, place)), message=message, hint=hint))

    command = read_command(form, add)
    if command is None:
        raise PlanError(problems)
    if not run_id and hasattr(command, "run_id"):
        raise CommandRefused("no_run", "This command is about a run, and none is named.", "Name the run.")
    if run_id:
        check_run(orchestrator, run_id)
    answer = await orchestrator.pump.ask(ScriptEntry(command=command).as_given(run_id, origin))
    if isinstance(answer, EditReceipt):
        return answer.revision
    return answer if isinstance(answer, str) else None


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
