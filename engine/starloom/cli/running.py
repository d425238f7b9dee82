"""`starloom run` and `starloom demo`: from a plan to a summary and an exit code."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from starloom.cli.checking import check_devices
from starloom.cli.job import EngineHaltedError, Job, RunLeftError, RunOptions, job_of, job_of_folder, journal_directory
from starloom.cli.reopening import check_what_runs_again
from starloom.cli.report import json_text, summary_lines
from starloom.cli.salvaged import taken_as_done
from starloom.cli.secret_checks import missing_secrets
from starloom.formats import load_plan
from starloom.formats.files import named_after
from starloom.journal.records import find_folder
from starloom.settings import journal_path
from starloom_resources.demo import agents_plan, demo_plan

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.cli.screen import Screen


def run_file(path: Path, wanted: RunOptions, screen: Screen) -> int:
    """Run the plan in a file; returns the exit code.

    Raises:
        StarloomError: plan, fleet, an option or a setting cannot be used.
    """
    if wanted.detach:
        from starloom.cli.detached import run_detached

        return run_detached(path, wanted, screen)
    job = job_of(named_after(load_plan(path), path), wanted)
    if job.simulated is None:
        check_devices(job.plan.devices, path, wanted.fleet)
    for sentence in missing_secrets(job.plan) if job.simulated is None else ():
        screen.note(sentence, "yellow")
    return _run(job, screen, as_json=wanted.as_json)


def resume_run(named: str | None, wanted: RunOptions, screen: Screen) -> int:
    """Resume a run that was interrupted, or reopen one that has ended; returns the exit code.

    Args:
        named: its id, the beginning of it, or the path of its folder; None: the newest one.
        wanted: the options of `starloom run` that make sense for it.
        screen: where to tell what happens.

    Raises:
        StarloomError: there is no such run, it cannot go on, or an option or a setting cannot be used.
    """
    folder = find_folder(journal_directory(wanted) or journal_path(), named)
    check_what_runs_again(folder, wanted)
    done = taken_as_done(folder, wanted.again, screen)
    return _run(replace(job_of_folder(folder, wanted), done=done), screen, as_json=wanted.as_json)


def run_demo(screen: Screen, *, as_json: bool = False) -> int:
    """Run the demo; returns the exit code.

    Raises:
        SettingsError: the environment asks for a speed it cannot have.
    """
    job = job_of(demo_plan(), RunOptions(durability="off"))
    simulated = sum(spec.kind == "simulated" for spec in job.plan.devices)
    screen.note(
        f"The demo runs {len(job.plan.tasks)} tasks on this computer and {simulated} simulated devices, for about a "
        "minute; it writes no files. One failure belongs to it. Ctrl-C ends it."
    )
    return _run(replace(job, tells_all=True), screen, as_json=as_json)


def run_agents_demo(screen: Screen, *, as_json: bool = False) -> int:
    """Run the demo of agents, of which one asks; returns the exit code."""
    job = job_of(agents_plan(), RunOptions(durability="off"))
    screen.note(
        f"{len(job.plan.devices)} scripted agents do {len(job.plan.tasks)} tasks here, without a model or a network; "
        "they write no files. The coder asks before it changes one; one failure belongs to it. Ctrl-C ends it."
    )
    return _run(replace(job, tells_all=True), screen, as_json=as_json)


def _run(job: Job, screen: Screen, *, as_json: bool) -> int:
    if job.simulated is not None:
        from starloom.cli.simulated import run_simulated

        finish = run_simulated(job, job.simulated, screen)
    else:
        from starloom.cli.live import run_live

        try:
            finish = run_live(job, screen)
        except (EngineHaltedError, RunLeftError) as error:
            screen.error(str(error))
            return 1
    screen.close()
    if as_json:
        screen.result(json_text(finish.summary))
    else:
        for text, style in summary_lines(finish.summary, finish.run, finish.outputs):
            screen.result(text, style)
    if finish.may_still_run:
        from starloom.orchestration.left_behind import sentences

        for sentence in sentences(finish.may_still_run):
            screen.error(sentence)
    return finish.exit_code
