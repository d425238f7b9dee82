"""What people did to a run is written down and done to another one, which comes to the same; in virtual time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import task as make
from tests.virtual_time import engine, loop, pass_time, run
from tests.waiting import until

from starloom import AddTask, Dependency, MemoryJournal, Plan, RunState, SimulatedDevice, Task, UpdateTask
from starloom.constellation.edits import AddDependency, RemoveTask
from starloom.formats.command_writer import command_form
from starloom.formats.script import check_script, dump_script, read_script
from starloom.formats.source import read_document
from starloom.model.status import TaskStatus
from starloom.orchestration.replaying import Replaying
from starloom.reporting.scripting import scripted
from starloom.scheduling.commands import EditConstellation

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starloom import Orchestrator, Run
    from starloom.scheduling.scripts import Script, ScriptEntry

    Story = Callable[[Run, Orchestrator], Awaitable[None]]


def timed(name: str, seconds: float = 10.0, **fields: Any) -> Task:
    return make(name, simulate={"duration": seconds, **fields})


def edge(parent: str, child: str) -> Dependency:
    return Dependency(parent=parent, child=child)


PLAN = Plan(
    name="firmware",
    tasks=(
        *(timed(name) for name in ("a", "b", "c", "d", "e", "f")),
        timed("broken", 3.0, fail_attempts=9),
        make("ship", gate="Ship it?"),
    ),
    dependencies=(edge("a", "b"), edge("b", "c"), edge("c", "d"), edge("d", "e"), edge("e", "f"), edge("a", "ship")),
)


def fleet() -> tuple[SimulatedDevice, SimulatedDevice]:
    return SimulatedDevice("one", slots=2), SimulatedDevice("two", slots=2)


async def steered(handle: Run, orchestrator: Orchestrator) -> None:
    """Somebody does to the run about everything that can be done to one."""
    await handle.set_breakpoints("e")
    await handle.start()
    await pass_time(2)
    await handle.set_limit(3)
    await handle.set_priority("b", "c", priority="high")
    await handle.pin("b", device="two")
    await until(lambda: "broken" in handle.facts.graph.place and handle.task("broken").status is TaskStatus.FAILED)
    await pass_time(1)
    await handle.retry("broken", simulate=1.0)
    await until(lambda: handle.gates)
    await pass_time(0.5)
    await handle.answer_gate("ship", approve=True, note="go")
    await handle.hold("c")
    new = (AddTask(timed("new", 4.0)), AddDependency(edge("b", "new")), UpdateTask("d", timeout="2m", groups=("g",)))
    await handle.edit(*new, reason="one more")
    await until(lambda: handle.task("new").status is TaskStatus.RUNNING)
    await handle.cancel_tasks("new", reason="not this one")
    await handle.pause("lunch")
    await pass_time(30)
    await handle.resume()
    await handle.release("c")
    await orchestrator.fleet.drain("one")
    await until(lambda: handle.task("d").status is TaskStatus.RUNNING)
    await orchestrator.fleet.resume("one")
    await until(lambda: handle.facts.held)
    await handle.clear_breakpoints("e")
    await handle.release("e")
    await handle.skip("f", reason="enough")
    await handle.finished()
    await handle.mark("new", value={"by": "hand"})
    await handle.rerun_from("c")
    await until(lambda: handle.state is RunState.EXECUTING)
    await handle.finished()


async def recorded(plan: Plan, story: Story) -> Script:
    journal = MemoryJournal()
    async with engine(*fleet(), journal=journal) as orchestrator:
        handle = await orchestrator.start(plan, paused=True, run_id="first")
        await story(handle, orchestrator)
        return scripted("first", [event for event in journal.committed() if event.run_id == "first"])


async def replayed(plan: Plan, script: Script, said: list[str]) -> tuple[Script, dict[str, str]]:
    """The script of the run that a script was done to, and how its tasks ended."""
    journal = MemoryJournal()
    async with engine(*fleet(), journal=journal) as orchestrator:
        handle = await orchestrator.start(plan, paused=True, run_id="second")
        replaying = Replaying(orchestrator, handle, script, "x.yaml", said.append)
        await replaying.begin()
        await handle.start()
        await handle.finished()
        while await replaying.goes_on():
            await handle.finished()
        assert replaying.done + replaying.refused == len(script.entries)
        assert (replaying.is_over, replaying.origin) == (True, "script x.yaml")
        ends = {one.id: str(one.status) for one in handle.tasks}
        return scripted("second", [event for event in journal.committed() if event.run_id == "second"]), ends


def bare(entries: tuple[ScriptEntry, ...]) -> list[Any]:
    """What is done and what it waits for, but for the very time."""
    return [(command_form(one.command), one.after, one.started, one.why) for one in entries]


def reread(script: Script, syntax: str) -> Script:
    return read_script(read_document(dump_script(script, syntax), f"x.{syntax}"))


@pytest.mark.parametrize("syntax", ["yaml", "json"])
def test_what_was_done_to_a_run_is_done_to_another_and_it_comes_to_the_same(syntax: str) -> None:
    async def main() -> None:
        script = await recorded(PLAN, steered)
        assert len(script.entries) == 19, [one.command for one in script.entries]
        assert {one.by for one in script.entries} == {"operator"}
        read = reread(script, syntax)
        assert bare(read.entries) == bare(script.entries)
        check_script(read, PLAN)
        said: list[str] = []
        again, ends = await replayed(PLAN, read, said)
        assert said == []
        assert bare(again.entries) == bare(script.entries)
        assert [one.wait for one in again.entries] == pytest.approx([one.wait for one in script.entries], abs=0.1)
        assert {one.by for one in again.entries} == {"script x.yaml"}
        assert ends["new"] == ends["broken"] == ends["ship"] == "completed"

    run(main())


@pytest.mark.parametrize("syntax", ["yaml", "json"])
def test_what_undo_gave_back_of_priority_and_device_is_given_back_again(syntax: str) -> None:
    async def story(handle: Run, _orchestrator: Orchestrator) -> None:
        await handle.start()
        await pass_time(2)
        await handle.set_priority("c", priority=90)
        await handle.pin("c", device="two")
        receipt = await handle.edit(UpdateTask("c", priority=10, device="one"))
        await handle.apply(receipt.inverse)
        assert (handle.task("c").priority, handle.facts.pin_of(2)) == (90, "two")
        await handle.cancel()
        await handle.finished()

    async def main() -> None:
        script = await recorded(PLAN, story)
        read = reread(script, syntax)
        assert bare(read.entries) == bare(script.entries)
        undone = read.entries[3].command
        assert isinstance(undone, EditConstellation)
        (edit,) = undone.batch.edits
        assert isinstance(edit, UpdateTask)
        assert edit.steering == {"priority": 90, "device": "two"}
        said: list[str] = []
        again, _ = await replayed(PLAN, read, said)
        assert said == []
        assert bare(again.entries) == bare(script.entries)

    run(main())


def test_what_is_refused_is_told_and_the_rest_is_done() -> None:
    async def story(handle: Run, _orchestrator: Orchestrator) -> None:
        await handle.start()
        await pass_time(12)
        await handle.hold("c")
        await handle.edit(RemoveTask("e"))
        await handle.release("c")
        await handle.answer_gate("ship", approve=False)
        await handle.finished()

    async def main() -> None:
        script = await recorded(PLAN, story)
        said: list[str] = []
        faster = Plan(name="other", tasks=tuple(timed(name, 0.1) for name in ("a", "c", "e", "ship")))
        _, ends = await replayed(faster, script, said)
        assert [one.partition(", was")[0] for one in said] == [
            'Entry 1 of the script, {"hold": "c"}',
            'Entry 2 of the script, {"edit": [{"remove_task": "e"}]}',
            'Entry 4 of the script, {"answer_gate": {"task": "ship", "approve": false}}',
        ]
        assert "'c' cannot be held: it is completed." in said[0]
        assert set(ends.values()) == {"completed"}

    run(main())


def test_what_nothing_leads_to_any_more_is_not_waited_for() -> None:
    """The pause ends though what had ended before that cannot end while it lasts."""

    async def story(handle: Run, _orchestrator: Orchestrator) -> None:
        await handle.start()
        await pass_time(5)
        await handle.pause()
        await until(lambda: handle.task("a").status is TaskStatus.COMPLETED)
        await pass_time(1)
        await handle.resume()
        await until(lambda: handle.gates)
        await handle.answer_gate("ship", approve=True)
        await handle.finished()

    async def main() -> None:
        script = await recorded(PLAN, story)
        assert script.entries[1].after == ("a",)
        slower = Plan(
            name="slow",
            tasks=(timed("z", 2.0), timed("a"), make("ship", gate="?")),
            dependencies=(edge("z", "a"), edge("a", "ship")),
        )
        said: list[str] = []
        _, ends = await replayed(slower, script, said)
        assert said == []
        assert set(ends.values()) == {"completed"}
        assert loop().time() < 600

    run(main())


SMALL = Plan(name="small", tasks=(timed("a"), timed("b"), make("grouped", simulate={"duration": 10.0}, groups=("gg",))))


def test_limits_are_set_as_they_were_changed_and_nothing_else_of_them() -> None:
    async def story(handle: Run, orchestrator: Orchestrator) -> None:
        await orchestrator.set_limits(max_concurrency=7)
        await handle.start()
        await orchestrator.set_limits(groups={"gg": 0})
        await pass_time(3)
        await orchestrator.set_limits(placement="round_robin")
        await orchestrator.set_limits(groups={"gg": None})
        await handle.finished()

    async def main() -> None:
        script = await recorded(SMALL, story)
        commands = [command_form(one.command)["set_limits"] for one in script.entries]
        assert commands[-2:] == [{"groups": {"gg": 0}}, {"groups": {"gg": None}}]
        assert all("max_concurrency" not in one for one in commands[-2:])
        said: list[str] = []
        _, ends = await replayed(SMALL, script, said)
        assert said == []
        assert set(ends.values()) == {"completed"}

    run(main())


def test_what_was_done_at_the_very_start_is_not_done_before_it() -> None:
    async def story(handle: Run, _orchestrator: Orchestrator) -> None:
        await handle.start()
        await handle.pause("early")
        await pass_time(5)
        await handle.resume()
        await handle.finished()

    async def main() -> None:
        script = await recorded(SMALL, story)
        assert not script.entries[0].is_at_once
        said: list[str] = []
        again, ends = await replayed(SMALL, reread(script, "yaml"), said)
        assert said == []
        assert bare(again.entries) == bare(script.entries)
        assert set(ends.values()) == {"completed"}

    run(main())


def test_a_run_that_a_script_keeps_open_ends_when_the_script_is_over() -> None:
    text = "script: 1\nentries:\n- do: {hold_open: true}\n- after: never\n  do: {hold: a}\n"

    async def main() -> None:
        script = read_script(read_document(text, "x.yaml"))
        said: list[str] = []
        _, ends = await replayed(SMALL, script, said)
        assert "is let go" in said[-1]
        assert set(ends.values()) == {"completed"}

    run(main())


def test_a_script_that_pauses_and_never_resumes_says_what_waits() -> None:
    async def main() -> None:
        script = read_script(read_document("script: 1\nentries: [{started: build, do: pause}]", "x.yaml"))
        names = [f"t{number}" for number in range(5)]
        plan = Plan(tasks=[timed("build"), *map(timed, names)], dependencies=[edge("build", name) for name in names])
        said: list[str] = []
        async with engine(*fleet()) as orchestrator:
            handle = await orchestrator.start(plan, paused=True)
            replaying = Replaying(orchestrator, handle, script, "x.yaml", said.append)
            await replaying.begin()
            await handle.start()
            await replaying.finished()
            assert said == [
                "The script has paused the run and is over: 't0', 't1', 't2' and 2 more wait until somebody resumes it."
            ]
            await handle.resume()
            await handle.finished()

    run(main())
