"""A run of hours over bad links whose program is killed again and again: `make soak MINUTES=3` is a short one.

Three SSH servers and a Dask cluster on loopback, each behind a proxy that cuts, delays, throttles or is silent by a
seeded plan. At the end nothing may be lost, doubled or left behind, and no secret may stand anywhere: prints a report,
and ends with 1 and a sentence for each promise that was broken.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from tests.crash.harness import events_in, journal_of
from tests.soak.judge import files_that_tell, judge, lost_attempts, read_marks, told_by
from tests.soak.machines import BOXES, SLOTS, Machines
from tests.soak.plans import MARK, SECRETS, Planned, Planner, Soak, secrets_of
from tests.soak.programs import Programs
from tests.soak.watch import Watch, bearers
from tests.soak.work import SCRIPT
from tests.waiting import POLL, until

from starloom.journal.names import OUTPUT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.soak.judge import Told

_SOAK: Final = "SOAK_PROCESS"
_TASK: Final = "SOAK_TASK"
"""Variables that all processes of a soak hold, and those of its tasks."""
_MOST_PROGRAMS: Final = 5
"""How many that reach the machines may have to see to what was left there."""
_WARM: Final = 60.0
"""Seconds after which a program has loaded all it needs."""
_GROWTH: Final = 16 * 2**20, 10_000
"""Bytes that a program may grow by then, and besides for each task."""
_MOST_FILES: Final = 100 + 8 * SLOTS
_MOST_SAID: Final = 100_000, 1_000
"""Bytes that a program may say, and besides for each task."""
_ENDINGS: Final = ("html", "json", "csv", "xml", "svg", "trace.json")


async def run(soak: Soak, folder: Path) -> int:
    """Carry it out; the exit code."""
    mark = uuid4().hex
    os.environ[_SOAK] = mark
    for name in ("tmp", "home", "logs", "planted", "exports"):
        (folder / name).mkdir(parents=True)
    for number, value in enumerate(secrets_of(soak.seed)[:SECRETS]):
        (folder / "planted" / str(number)).write_text(value)
    (folder / "work.sh").write_text(SCRIPT)
    machines, began = Machines(folder), time.monotonic()
    with Watch(MARK) as watch:
        async with machines.stand():
            programs = Programs(soak, folder, machines, watch, (_SOAK, mark))
            planned = _write_plan(soak, folder, machines, mark)
            machines.trouble(soak.seed, soak.minutes)
            await programs.carry_out()
            await machines.calm()
            journal = journal_of(folder)  # that of no later program
            assert journal is not None, "no run has begun"
            broken = await _what_is_left(folder, machines, programs, mark)
            await _export(journal.parent.name, folder / "exports", programs)
        marks = [one for text in machines.ledgers().values() for one in read_marks(text)]
    broken += programs.trouble
    told = told_by(events_in(journal))
    broken += judge(planned, marks, told) + _what_is_not_kept(journal.parent / OUTPUT, planned, told)
    broken += _what_is_told(folder, machines, watch) + _what_has_grown(soak, watch, programs)
    broken += [f"A process is left: {line}" for line in bearers(f"{_SOAK}={mark}").values()]
    counts = Counter(one.what for one in marks)
    _report(soak, told, counts, machines, programs, watch, time.monotonic() - began)
    for sentence in broken:
        sys.stdout.write(f"BROKEN: {sentence}\n")
    sys.stdout.write("Every promise was kept.\n" if not broken else f"{len(broken)} promises were broken: {folder}\n")
    return 1 if broken else 0


def _write_plan(soak: Soak, folder: Path, machines: Machines, mark: str) -> dict[str, Planned]:
    planner = Planner(soak, str(folder), BOXES, SLOTS, (_TASK, mark))
    limits = {"groups": {"few": 4}}
    devices = machines.devices()
    plan = {"starloom": 1, "name": f"soak {soak.seed}", "limits": limits, "devices": devices, "tasks": planner.tasks}
    (folder / "plan.json").write_text(json.dumps(plan))
    reaching = [{"id": f"reach-{box}", "shell": "true", "device": box} for box in BOXES]
    (folder / "reach.json").write_text(json.dumps({"starloom": 1, "devices": devices, "tasks": reaching}))
    return planner.planned


async def _what_is_left(folder: Path, machines: Machines, programs: Programs, mark: str) -> list[str]:
    """What of the run is still there, once later programs have reached the machines."""
    for _ in range(_MOST_PROGRAMS):
        if not machines.folders() and json.loads(await programs.ask("runs", "--orphans", "--json") or "[]") == []:
            break
        await programs.ask("run", str(folder / "reach.json"), "--quiet")
    orphans = json.loads(await programs.ask("runs", "--orphans", "--json") or "[]")
    left = [f"An orphan is listed: {one}" for one in orphans]
    left += [f"A folder of an attempt is left on its machine: {path}" for path in machines.folders()]
    left += [f"A process of an attempt is left: {line}" for line in bearers(f"{_TASK}={mark}").values()]
    left += [f"A process is left on a machine: {line}" for line in machines.strangers()]
    try:
        await until(lambda: _no_keys(machines), every=10 * POLL)
    except AssertionError:
        left += [f"A key is left in the cluster: {key}" for key in await machines.keys()]
    left += [
        f"A folder is left in the temporary directory: {path}" for path in (folder / "tmp").iterdir() if _is_empty(path)
    ]
    return left


def _is_empty(folder: Path) -> bool:
    return not any(folder.iterdir())


async def _no_keys(machines: Machines) -> bool:
    return not await machines.keys()


async def _export(run_id: str, exports: Path, programs: Programs) -> None:
    """Every document there is of the run, so that secrets can be looked for in them."""
    await programs.ask("export", run_id, "-o", str(exports / "run.starloom"))
    for ending in _ENDINGS:
        await programs.ask("report", run_id, "-o", str(exports / f"report.{ending}"))


def _what_is_not_kept(folder: Path, planned: Mapping[str, Planned], told: Told) -> list[str]:
    """The tasks whose whole output is not in this folder as it was printed."""
    wrong = []
    for task, result in told.results.items():
        printed, name = planned[task].printed, result.output_file
        if printed is None or (not printed and name is None):
            continue
        path = folder / (name or "")
        if name is None or not path.exists():
            wrong.append(f"{task}: the file of its output is not there: {name}.")
        elif path.read_bytes() != printed:
            wrong.append(f"{task}: its output is not what it printed: {path}.")
    return wrong


def _what_is_told(folder: Path, machines: Machines, watch: Watch) -> list[str]:
    """Where a secret stands."""
    told = [
        f"A secret stands in {path}." for path in files_that_tell(folder, MARK) if Path(path).parent.name != "planted"
    ]
    told += [f"A secret was an argument of: {line}" for line in watch.told]
    told += [f"A secret went over the wire of {name} in clear." for name, link in machines.links.items() if link.told]
    return told


def _what_has_grown(soak: Soak, watch: Watch, programs: Programs) -> list[str]:
    """The memory, files and logs that are more than they may be."""
    grown = []
    if (growth := _growth(watch)) > _GROWTH[0] + _GROWTH[1] * soak.tasks:
        grown.append(f"A program grew by {growth / 2**20:.0f} MB after its first minute.")
    if (files := max((sample.files for sample in watch.samples), default=0)) > _MOST_FILES:
        grown.append(f"A program had {files} files open.")
    most = _MOST_SAID[0] + _MOST_SAID[1] * soak.tasks
    return grown + [f"{name} said {size} bytes." for name, size in programs.logs().items() if size > most]


def _growth(watch: Watch) -> int:
    """The most bytes that a program has grown by since it was warm."""
    warm: dict[int, list[int]] = {}
    for sample in watch.samples:
        if sample.age > _WARM:
            warm.setdefault(sample.pid, []).append(sample.memory)
    return max((max(memory) - memory[0] for memory in warm.values()), default=0)


def _report(
    soak: Soak, told: Told, marks: Counter[str], machines: Machines, programs: Programs, watch: Watch, seconds: float
) -> None:
    lost = lost_attempts(told)
    troubles: Counter[str] = sum((link.counts for link in machines.links.values()), Counter())
    rows = {
        "asked for": f"{soak.tasks} tasks, {soak.kills} kills, about {soak.minutes:g} minutes, seed {soak.seed}",
        "took": f"{seconds / 60:.1f} minutes",
        "tasks": ", ".join(f"{count} {status}" for status, count in Counter(told.statuses.values()).items()),
        "markers": f"{marks['begin']} begun, {marks['end']} ended",
        "attempts": f"{told.counts['TaskStarted']} started, {told.counts['TaskRetryScheduled']} tried again",
        "adopted": f"{told.counts['AttemptReattached']} went on; {told.counts['AttemptTimed']} ends were heard later",
        "lost": f"{len(lost)}, of which {told.counts['AttemptEndedLate']} ended late",
        "links": ", ".join(f"{count} of {kind}" for kind, count in sorted(troubles.items())),
        "longest outage": f"{max(link.longest for link in machines.links.values()):.0f} s",
        "kills": f"{programs.killed}",
        "memory": f"{max((one.memory for one in watch.samples), default=0) / 2**20:.0f} MB at most, "
        f"grown by {_growth(watch) / 2**20:.0f} MB after a program's first minute",
        "files": f"{max((one.files for one in watch.samples), default=0)} open at most",
        "said": f"{max(programs.logs().values())} bytes at most by one program",
    }
    for name, text in rows.items():
        sys.stdout.write(f"{name:>16}  {text}\n")
    for why, count in Counter(f"{tried.how}, {tried.code}: {tried.why}" for _, _, tried in lost).most_common():
        sys.stdout.write(f"{count:>16}  {why}\n")


def _asked() -> tuple[Soak, Path]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=Soak.minutes, help="about how long it takes")
    parser.add_argument("--tasks", type=int, help="how many there are; else as many as fit 2,000 in two hours")
    parser.add_argument("--kills", type=int, help="how often the program is killed; else as fits 20 in two hours")
    parser.add_argument("--seed", type=int, default=Soak.seed, help="by which all is drawn")
    parser.add_argument("--folder", type=Path, default=Path("build/soak"), help="where all is kept; made anew")
    given = parser.parse_args()
    share = given.minutes / Soak.minutes
    tasks = given.tasks or max(50, round(share * Soak.tasks))
    kills = given.kills if given.kills is not None else max(2, round(share * Soak.kills))
    return Soak(given.minutes, tasks, kills, given.seed), given.folder.absolute()


def main() -> int:
    """The exit code."""
    soak, folder = _asked()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return asyncio.run(run(soak, folder))


if __name__ == "__main__":
    raise SystemExit(main())
