"""An engine that takes a run of agents to its end, and a person at it: `python -m tests.crash.sessions_engine FOLDER`.

With `silent` behind that nobody answers what the agents ask. Tasks that an earlier program has left are run again.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.crash.harness import journal_of

from starloom import Orchestrator, load_plan
from starloom.journal.library import Library
from starloom.settings import SchedulerSettings

if TYPE_CHECKING:
    from starloom.orchestration.run import Run


async def engine(folder: Path, *, answers: bool) -> None:
    with Library(folder / "journal") as library:
        orchestrator = Orchestrator([], journal=library, settings=SchedulerSettings())
        await orchestrator.open()
        try:
            journal = journal_of(folder)
            if journal is None:
                run = await orchestrator.start(load_plan(folder / "plan.json"))
            else:
                run = await orchestrator.resume(journal.parent)
            news = asyncio.Event()
            orchestrator.events.subscribe(lambda _: news.set())
            await see_through(run, news, answers=answers)
        finally:
            await orchestrator.shutdown("now")


async def see_through(run: Run, news: asyncio.Event, *, answers: bool) -> None:
    finished = asyncio.ensure_future(run.finished())
    finished.add_done_callback(lambda _: news.set())
    while not finished.done():
        news.clear()
        for asked in run.questions if answers else ():
            await run.answer_question(asked.number, option="once")
        held = [run.facts.graph.ids[number] for number in run.facts.held]
        if held:
            await run.release(*held)
        await news.wait()
    await finished


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(engine(Path(sys.argv[1]), answers="silent" not in sys.argv[2:]))
