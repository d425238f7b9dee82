"""Verbs: asked for at once, answered by a signal, and known beforehand to be possible or not, as the engine has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.driver import plan, task
from tests.properties.test_scheduler import DEVICES
from tests.properties.test_scheduler_agents import AGENTS, AgentWalk
from tests.virtual_time import engine, run
from tests.waiting import until

from starloom.constellation.edits import AddTask, EditBatch, RemoveTask
from starloom.devices.simulated import SimulatedDevice
from starloom.errors import CommandRefused
from starloom.journal.base import JournalError
from starloom.scheduling.specs import SPECS
from starloom_gui.gateway.commands import Commands, Done, Refusal
from starloom_gui.gateway.verbs import VERBS, About, Target, Verb
from starloom_gui.text.words import verb_word

if TYPE_CHECKING:
    from starloom.orchestration.orchestrator import Orchestrator

pytestmark = pytest.mark.usefixtures("app")


class Answers:
    """Commands with what came back."""

    def __init__(self, orchestrator: Orchestrator) -> None:
        self.commands = Commands(orchestrator)
        self.done: list[Done] = []
        self.refused: list[Refusal] = []
        self.commands.done.connect(self.done.append)
        self.commands.refused.connect(self.refused.append)


def steps(*names: str, **fields: Any):
    return [task(name, simulate={"duration": 1.0} | fields) for name in names]


def test_a_verb_returns_at_once_and_its_answer_comes_by_a_signal():
    async def main():
        async with engine(SimulatedDevice("d")) as orchestrator:
            held = await orchestrator.start(plan(steps("a")), run_id="r", paused=True)
            answers = Answers(orchestrator)
            ticket = answers.commands.do(Verb.START, Target("r"))
            assert held.state == "ready"
            assert answers.commands.in_flight == 1
            await answers.commands.answered()
            assert [(one.ticket, one.what) for one in answers.done] == [(ticket, verb_word(Verb.START))]
            assert held.state == "executing"
            await held.finished()

    run(main())


def test_a_refusal_says_who_what_why_and_what_to_do():
    async def main():
        async with engine(SimulatedDevice("d")) as orchestrator:
            await (await orchestrator.start(plan(steps("a")), run_id="r")).finished()
            answers = Answers(orchestrator)
            ticket = answers.commands.do(Verb.HOLD, Target("r", ("a",)))
            await answers.commands.answered()
            (refusal,) = answers.refused
            assert (refusal.ticket, refusal.who, refusal.what) == (ticket, "operator", "Hold")
            assert refusal.reason == "'a' cannot be held: it is completed."
            assert refusal.hint
            assert refusal.code == "wrong_status"

    run(main())


def test_a_refused_edit_comes_with_all_that_is_wrong_with_it_and_an_accepted_one_with_its_receipt():
    async def main():
        async with engine() as orchestrator:
            held = await orchestrator.start(plan(steps("a")), run_id="r", paused=True)
            answers = Answers(orchestrator)
            bad = EditBatch(edits=(RemoveTask("x"), RemoveTask("y")))
            assert not answers.commands.can_edit("r", bad).ok
            answers.commands.edit("r", bad)
            await answers.commands.answered()
            assert [problem.code for problem in answers.refused[0].problems] == ["unknown_task"] * 2
            good = EditBatch(edits=(AddTask(task("b")),))
            assert answers.commands.can_edit("r", good).ok
            answers.commands.edit("r", good)
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
            assert answers.commands.failed_tasks("r") == ("a", "b")
            answers.commands.do(Verb.RETRY, Target("r", answers.commands.failed_tasks("r")))
            await answers.commands.answered()
            await first.finished()
            assert first.state == "completed"
            assert not answers.commands.can(Verb.RETRY, Target("r", answers.commands.failed_tasks("r"))).ok

    run(main())


def test_devices_come_are_steered_and_go():
    async def main():
        async with engine() as orchestrator:
            answers = Answers(orchestrator)
            answers.commands.add_device(SimulatedDevice("d"))
            await answers.commands.answered()
            device = orchestrator.fleet.devices["d"]
            for verb, is_so in (
                (Verb.DRAIN, lambda: device.draining),
                (Verb.UNDRAIN, lambda: not device.draining),
                (Verb.DISABLE, lambda: not device.enabled),
                (Verb.ENABLE, lambda: device.enabled),
            ):
                answers.commands.do(verb, Target(device_id="d"))
                await answers.commands.answered()
                assert is_so()
            answers.commands.do(Verb.SET_SLOTS, Target(device_id="d"), slots=3)
            await answers.commands.answered()
            assert device.slots == 3
            answers.commands.do(Verb.REMOVE_DEVICE, Target(device_id="d"))
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
            commands = Commands(orchestrator)
            for verb in Verb:
                verdict = commands.can(verb, Target())
                assert verdict.ok == (verb is Verb.SET_LIMITS)
                assert verdict.ok or verdict.reason

    run(main())


def test_while_the_engine_is_halted_only_stops_are_possible():
    async def main():
        async with engine(SimulatedDevice("d")) as orchestrator:
            running = await orchestrator.start(plan(steps("a")), run_id="r")
            await until(lambda: running.task("a").status == "running")
            commands = Commands(orchestrator)
            assert commands.can(Verb.PAUSE, Target("r")).ok
            orchestrator.pump.halted = JournalError("the disk is full")
            assert "the disk is full" in commands.can(Verb.PAUSE, Target("r")).reason
            assert commands.can(Verb.CANCEL, Target("r", ("a",))).ok
            orchestrator.pump.halted = None
            await running.finished()

    run(main())


# ---- `can` against what the engine answers


class Engine:
    """As much of an orchestrator as `can` asks."""

    halted = None

    def __init__(self, walk: AgentWalk) -> None:
        self.pump = walk.driver


@settings(max_examples=100)
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 30))
def test_a_verb_is_offered_if_and_only_if_the_engine_would_carry_it_out(seed, steps):
    walk = AgentWalk(seed)
    for _ in range(steps):
        walk.step()
    for verb in walk.dice.sample(list(Verb), len(Verb)):
        target = some_target(walk, verb)
        commands = Commands(Engine(walk))
        verdict = commands.can(verb, target)
        answer, events = told(walk, commands, verb, target)
        if verdict.ok:
            assert not isinstance(answer, CommandRefused), f"{verb} of {target} was offered, and then refused: {answer}"
        elif isinstance(answer, CommandRefused):
            assert verdict.reason == answer.reason
        else:
            assert not events, f"{verb} of {target} was not offered ({verdict.reason}), and yet does something"


def some_target(walk: AgentWalk, verb: Verb) -> Target:
    run_id = walk.some_run()
    about = VERBS[verb].about
    if about in (About.TASKS, About.TASK, About.GATE):
        return Target(run_id, walk.some_ids(run_id, 3 if about is About.TASKS else 1))
    if verb is Verb.STEP:
        return Target(run_id, walk.some_ids(run_id, 2) if walk.chance(0.5) else ())
    if about is About.AGENT:
        return Target(run_id, agent=walk.dice.choice([*AGENTS, "nobody"]))
    if about is About.APPROVAL:
        return Target(run_id, approval=walk.dice.randint(1, 3))
    return Target(run_id) if about is About.RUN else Target(device_id=walk.dice.choice([*DEVICES, "nobody"]))


def told(walk: AgentWalk, commands: Commands, verb: Verb, target: Target) -> tuple[Any, list[Any]]:
    walk.driver.turn()
    turn = walk.driver.turn(commands.command(verb, target))
    assert turn.rest is not None
    return turn.rest.replies[-1][1], list(turn.events)


def test_every_verb_has_an_entry_a_word_and_a_command_that_the_engine_can_be_asked_about():
    assert set(VERBS) == set(Verb)
    assert all(verb_word(verb) != verb for verb in Verb)
    for verb, spec in VERBS.items():
        kind = spec.command
        assert isinstance(kind, type)
        assert SPECS[kind].refuse is not None, verb
