"""A program that takes a run over, or begins or resumes it, and hands it to a server some time later, as a console.

Arguments: the folder of the journals, the plan, and after how many seconds; it ends by itself once the run has ended.
"""

from __future__ import annotations

import asyncio
import os
import sys
from functools import partial
from pathlib import Path

from starloom import Orchestrator
from starloom.devices.kinds import make_device
from starloom.formats import load_plan
from starloom.journal.library import Library
from starloom.journal.records import records
from starloom.orchestration.closing import first_of
from starloom.orchestration.handover import resume_handed, take_over
from starloom.server.handovers import hand_over_to_server, take_over_from_server


async def main(journals: Path, plan_file: Path, seconds: float) -> None:
    handover = await take_over_from_server(journals)
    plan = load_plan(plan_file)
    with Library(journals) as library:
        orchestrator = Orchestrator([make_device(spec) for spec in plan.devices], journal=library)
        await orchestrator.open()
        refused: list[object] = []
        await take_over(handover, partial(resume_handed, orchestrator, journals), lambda *told: refused.append(told))
        assert not refused, refused
        known = records(journals)
        if not known:
            await orchestrator.start(plan)
        elif known[0].can_resume:
            await orchestrator.resume(known[0].folder)
        runs = list(orchestrator.runs.values())
        if runs:
            await first_of(runs[0].finished(), asyncio.sleep(seconds))
        if not runs or runs[0].state.has_ended:
            await orchestrator.shutdown("drain")
            return
        await hand_over_to_server(orchestrator, journals)
    os._exit(3)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])))
