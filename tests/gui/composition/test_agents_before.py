"""What agents did before a window knew their run is read from its journal, and told where it cannot be."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from tests.gui.composition.conftest import Desktop, at_rest, served
from tests.gui.composition.test_agents import AGENT, RULES, attached, lab, pane_of, readied
from tests.gui.composition.test_staged_kept import taken_up
from tests.gui.composition.test_time_travel import looking_back, settled
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.agents.rules import RuleAgent
from starloom.formats.rules import read_rules
from starloom_gui.app import attached as opened_over
from starloom_gui.attachment import Attachment
from starloom_gui.gateway.attaching import attached_engine
from starloom_gui.models.agent_stories import RoundOutcome

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.composition.console import Console
    from starloom_gui.panels.agents import AgentsPane

pytestmark = pytest.mark.usefixtures("app")


def told(pane: AgentsPane) -> str:
    return pane.agent._figures.text()


async def shown(console: Console) -> AgentsPane:
    """The page of the agent, in front."""
    console.window.workbench.show_pane("agents")
    await at_rest(console)
    pane = pane_of(console)
    pane.show_agent("quick")
    return pane


def test_rounds_of_an_earlier_program_are_told_after_a_crash(desktop: Desktop, tmp_path: Path) -> None:
    journal, killed = tmp_path / "journal", tmp_path / "killed"
    (tmp_path / "quick.py").write_text(AGENT.format(seconds=0), encoding="utf-8")

    async def first() -> None:
        async with desktop.console() as console:
            run = await readied(console, lab())
            await attached(console, run, "python", target="quick:propose", cwd=str(tmp_path), name="quick")
            console.actions["start"].trigger()
            await until(lambda: run.approvals)
            await run.answer_approval(run.approvals[0].number, accept=True)
            await until(lambda: "x" in run.facts.graph)
            shutil.copytree(journal, killed)
            await run.cancel()
        shutil.rmtree(journal)
        killed.rename(journal)

    async def second() -> None:
        async with desktop.console() as console:
            await taken_up(console, journal)
            pane = await shown(console)
            await until(lambda: told(pane) == "1 round(s) · 3 edit(s) proposed · 1 proposal(s) accepted")
            (only,) = pane.agent._rounds
            assert only.outcome is RoundOutcome.ACCEPTED
            travel = await looking_back(console)
            travel.step(-1)
            await settled(console, travel)
            assert told(pane).startswith("1 round(s) · 3 edit(s)")
            assert len(pane.agent._rounds) == 1
            travel.go_to_position(travel.count)
            await settled(console, travel)
            assert told(pane).startswith("1 round(s) · 3 edit(s)")
            assert len(pane.agent._rounds) == 1
            travel.go_live()
            await settled(console, travel)
            assert len(pane.agent._rounds) == 1
            await orchestrator_of(console).run(console.documents.runs[0].run_id).cancel()

    desktop.run(first)
    desktop.run(second)


def test_a_window_over_a_server_tells_what_agents_did_before_it_was_attached(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with served(folder=tmp_path / "there") as there:
            run = await there.start(lab(*RULES), run_id="r", paused=True)
            await run.attach(RuleAgent(read_rules(list(RULES)), name="quick"))
            await run.start()
            await until(lambda: "y" in run.facts.graph)
            await run.detach("quick", "it has done enough")
            async with (
                attached_engine(Attachment(str(tmp_path / "there"))) as engine,
                opened_over(desktop.frame("there"), engine) as console,
            ):
                console.window.show()
                console.documents.put_run("r")
                await at_rest(console)
                console.window.workbench.show_pane("agents")
                pane = pane_of(console)
                await until(lambda: [entry.title for entry in pane.entries.entries if entry.key] == ["quick"])
                pane.show_agent("quick")
                await until(lambda: told(pane) == "1 round(s) · 2 edit(s) proposed · 1 proposal(s) accepted")
                (only,) = pane.agent._rounds
                assert only.outcome is RoundOutcome.APPLIED
                console.window.asks_before_closing = False
                console.window.close()
                await console.closed()

    desktop.run(main)
