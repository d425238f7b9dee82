"""Verbs: asked for at once, answered by a signal, and known beforehand to be possible or not, as the engine has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.driver import plan, task
from tests.examples import few_examples
from tests.properties.test_scheduler import DEVICES
from tests.properties.test_scheduler_agents import AGENTS, AgentWalk
from tests.virtual_time import engine, run
from tests.waiting import until

from starloom.constellation.edits import AddTask, EditBatch, RemoveTask
from starloom.devices.simulated import SimulatedDevice
from starloom.errors import CommandRefused
from starloom.journal.base import JournalError
from starloom.scheduling import commands as c
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.reservation_commands import Reserve
from starloom_gui.gateway.commands import Commands, Done, Refusal
from starloom_gui.gateway.local_engine import LocalEngine
from starloom_gui.gateway.verbs import command_for, missing_selection
from starloom_gui.specs.action_list import ACTIONS, word_of
from starloom_gui.specs.action_spec import About, Target, Verb
from starloom_gui.text.engine_words import said
from starloom_gui.viewmodel.run_views import failed_tasks

if TYPE_CHECKING:
    from starloom.constellation.edits import Edit
    from starloom.orchestration.orchestrator import Orchestrator

pytestmark = pytest.mark.usefixtures("app")


class Answers:
    """Commands with what came back."""

    def __init__(self, orchestrator: Orchestrator) -> None:
        self.commands = Commands(LocalEngine(orchestrator))
        self.done: list[Done] = []
        self.refused: list[Refusal] = []
        self.commands.done.connect(self.done.append)
        self.commands.refused.connect(self.refused.append)


def steps(*names: str, **fields: Any):
    return [task(name, simulate={"duration": 1.0} | fields) for name in names]


def edit(*edits: Edit) -> c.EditConstellation:
    return c.EditConstellation(run_id="r", batch=EditBatch(edits=edits))


def test_a_verb_returns_at_once_and_its_answer_comes_by_a_signal():
    async def main():
        async with engine(SimulatedDevice("d")) as orchestrator:
            held = await orchestrator.start(plan(steps("a")), run_id="r", paused=True)
            answers = Answers(orchestrator)
            ticket = answers.commands.do(c.StartRun(run_id="r"))
            assert held.state == "ready"
            assert answers.commands.in_flight == 1
            await answers.commands.answered()
            assert [(one.ticket, one.what) for one in answers.done] == [(ticket, word_of(Verb.START))]
            assert held.state == "executing"
            await held.finished()

    run(main())


def test_a_refusal_says_who_what_why_and_what_to_do():
    async def main():
        async with engine(SimulatedDevice("d")) as orchestrator:
            await (await orchestrator.start(plan(steps("a")), run_id="r")).finished()
            answers = Answers(orchestrator)
            ticket = answers.commands.do(c.HoldTasks(run_id="r", task_ids=("a",)))
            await answers.commands.answered()
            (refusal,) = answers.refused
            assert (refusal.ticket, refusal.who, refusal.what) == (ticket, "operator", "Hold")
            assert refusal.reason == "'a' cannot be held: it is done."
            assert refusal.hint
            assert refusal.code == "wrong_status"

    run(main())


def test_a_refused_edit_comes_with_all_that_is_wrong_with_it_and_an_accepted_one_with_its_receipt():
    async def main():
        async with engine() as orchestrator:
            held = await orchestrator.start(plan(steps("a")), run_id="r", paused=True)
            answers = Answers(orchestrator)
            bad = edit(RemoveTask("x"), RemoveTask("y"))
            assert not answers.commands.can(bad).ok
            answers.commands.do(bad)
            await answers.commands.answered()
            assert [problem.code for problem in answers.refused[0].problems] == ["unknown_task"] * 2
            good = edit(AddTask(task("b")))
            assert answers.commands.can(good).ok
            answers.commands.do(good)
            await answers.commands.answered()
            assert answers.done[0].answer.revision == 1
            assert "b" in held.facts.graph
            await held.cancel()

    run(main())


def test_all_failed_tasks_are_retried_with_one_word():
    async def main():
        async with engine(SimulatedDevice("d", slots=3)) as orchestrator:
            first = await orchestrator.start(plan([*steps("a", "b", fail_attempts=1), *steps("c")]), run_id="r")
            await first.finished()
            answers = Answers(orchestrator)
            assert failed_tasks(RunView(first.facts)) == ("a", "b")
            answers.commands.do(c.RetryTasks(run_id="r", task_ids=failed_tasks(RunView(first.facts))))
            await answers.commands.answered()
            await first.finished()
            assert first.state == "completed"
            assert failed_tasks(RunView(first.facts)) == ()

    run(main())


def test_devices_come_are_steered_and_go():
    async def main():
        async with engine() as orchestrator:
            answers = Answers(orchestrator)
            answers.commands.add_device(SimulatedDevice("d"))
            await answers.commands.answered()
            device = orchestrator.fleet.devices["d"]
            for kind, is_so in (
                (c.DrainDevice, lambda: device.draining),
                (c.ResumeDevice, lambda: not device.draining),
                (c.DisableDevice, lambda: not device.enabled),
                (c.EnableDevice, lambda: device.enabled),
            ):
                answers.commands.do(kind(device_id="d"))
                await answers.commands.answered()
                assert is_so()
            answers.commands.do(c.SetSlots(device_id="d", slots=3))
            await answers.commands.answered()
            assert device.slots == 3
            answers.commands.do(c.RemoveDevice(device_id="d"))
            await answers.commands.answered()
            assert "d" not in orchestrator.fleet.devices
            answers.commands.add_device("no device")
            await answers.commands.answered()
            assert not answers.refused[:-1]
            assert "is no device" in answers.refused[-1].reason

    run(main())


def test_without_a_target_there_is_nothing_to_ask_the_engine_about():
    async def main():
        async with engine() as orchestrator:
            commands = Commands(LocalEngine(orchestrator))
            for verb in Verb:
                assert (missing_selection(verb, Target()) == "") == (ACTIONS[verb].about is About.FLEET)
                verdict = commands.can(command_for(verb, Target()))
                means_fleet = ACTIONS[verb].command is Reserve  # without ids the command is about that
                assert verdict.ok == (verb is Verb.SET_LIMITS or means_fleet)
                assert verdict.ok or verdict.reason

    run(main())


def test_while_the_engine_is_halted_only_stops_are_possible():
    async def main():
        async with engine(SimulatedDevice("d")) as orchestrator:
            running = await orchestrator.start(plan(steps("a")), run_id="r")
            await until(lambda: running.task("a").status == "running")
            commands = Commands(LocalEngine(orchestrator))
            assert commands.can(c.PauseRun(run_id="r")).ok
            orchestrator.pump.halted = JournalError("the disk is full")
            assert "the disk is full" in commands.can(c.PauseRun(run_id="r")).reason
            assert commands.can(c.CancelTasks(run_id="r", task_ids=("a",))).ok
            orchestrator.pump.halted = None
            await running.finished()

    run(main())


# ---- `can` against what the engine answers


class Engine:
    """As much of an engine as `can` asks."""

    def __init__(self, walk: AgentWalk) -> None:
        self.scheduler = walk.driver.scheduler

    def obstacle(self, _command: c.Command) -> None:
        return None


@few_examples(40)
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 30))
def test_a_verb_is_offered_if_and_only_if_the_engine_would_carry_it_out(seed, steps):
    walk = AgentWalk(seed, checked=False)
    for _ in range(steps):
        walk.step()
    for verb in walk.dice.sample(list(Verb), len(Verb)):
        target = some_target(walk, verb)
        command = command_for(verb, target)
        verdict = Commands(Engine(walk)).can(command)
        answer, events = told(walk, command)
        if verdict.ok:
            assert not isinstance(answer, CommandRefused), f"{verb} of {target} was offered, and then refused: {answer}"
        elif isinstance(answer, CommandRefused):
            assert verdict.reserved is not None or verdict.reason == said(answer.reason)
            assert (verdict.reserved is not None) == (answer.code == "reserved")
        else:
            assert not events, f"{verb} of {target} was not offered ({verdict.reason}), and yet does something"


def some_target(walk: AgentWalk, verb: Verb) -> Target:
    run_id = walk.some_run()
    about = ACTIONS[verb].about
    if about in (About.TASKS, About.TASK, About.GATE):
        return Target(run_id, walk.some_ids(run_id, 3 if about is About.TASKS else 1))
    if verb is Verb.STEP:
        return Target(run_id, walk.some_ids(run_id, 2) if walk.chance(0.5) else ())
    if about is About.AGENT:
        return Target(run_id, agent=walk.dice.choice([*AGENTS, "nobody"]))
    if about is About.QUESTION:
        return Target(run_id, questions=(walk.dice.randint(1, 3),))
    if about is About.APPROVAL:
        return Target(run_id, approval=walk.dice.randint(1, 3))
    return Target(run_id) if about is About.RUN else Target(device_id=walk.dice.choice([*DEVICES, "nobody"]))


def told(walk: AgentWalk, command: c.Command) -> tuple[Any, list[Any]]:
    walk.driver.turn()
    turn = walk.driver.turn(command)
    assert turn.rest is not None
    return turn.rest.replies[-1][1], list(turn.events)
