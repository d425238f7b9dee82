"""A program that starts the plan in a file and, once its file `pid` is there, hands the run over and goes.

Arguments: the folder of the journals, the plan. It prints why it may not hand it over, and waits on until it may.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from tests.waiting import until

from starloom import CommandRefused, Orchestrator
from starloom.agents.rules import RuleAgent
from starloom.devices.kinds import make_device
from starloom.formats import load_plan
from starloom.formats.rules import read_rules
from starloom.journal.library import Library
from starloom.server.handovers import hand_over_to_server


async def main(journals: Path, plan_file: Path) -> None:
    plan = load_plan(plan_file)
    with Library(journals) as library:
        orchestrator = Orchestrator([make_device(spec) for spec in plan.devices], journal=library)
        await orchestrator.open()
        run = await orchestrator.start(plan, run_id="handed", paused=True)
        if plan.rules:
            await run.attach(RuleAgent(read_rules(plan.rules), name="own rules"))
        await run.start()
        await until(Path("pid").exists)
        paused: list[str] = []
        while True:
            try:
                await hand_over_to_server(orchestrator, journals, paused)
            except CommandRefused as refused:
                sys.stdout.write(f"{refused}\n")
                if not paused:
                    await run.pause()
                    paused.append(run.id)
                await until(lambda: run.facts.running == 1)  # the command, which goes on alone
            else:
                break
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2])))
