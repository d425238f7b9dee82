"""How many acts the commonest things take: the steps of `docs/usability.md`, done in a real window and counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from tests.end2end.acting import Actor, actor_with
from tests.end2end.acts_page import Sentence, Way, ways
from tests.end2end.operators import with_a_display
from tests.end2end.shell import until

from starloom import events as ev
from starloom.constellation.edits import AddDependency, RemoveDependency, RemoveTask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TARGETS: Final = {
    "Change a failed task's command and try again": 3,
    "Change this run's limit": 2,
    "Take back a change of this run's limit": 1,
    "Pin a task to a device": 2,
    "Commit what is staged, with the keyboard anywhere": 1,
    "Export as PDF": 3,
    "Export in the same format again": 2,
    "Reach a task of the graph by its name": 2,
    "Draw a task with name and command": 4,
    "Add a dependency": 1,
    "Add a dependency in a small graph": 1,
    "Remove what is under the pointer, not what is selected": 2,
    "Start one's own drawing": 1,
}
"""The most acts that each of them may take."""
LAB: Final = """
starloom: 1
name: lab
devices:
  - {id: here, kind: local, slots: 2}
  - {id: there, kind: local, slots: 1}
tasks:
  build: {shell: sleep 600, on_interrupt: rerun}
  test: {shell: echo tested, needs: [build]}
  ship: {shell: echo shipped, needs: [test, build]}
  tell: {shell: echo told, needs: [test]}
  broken: {shell: exit 3}
"""
QUICK: Final = """
starloom: 1
name: lab
devices: [{id: here, kind: local, slots: 1}]
tasks: {build: {shell: echo built}}
"""
WAYS: Final = ways()


@pytest.fixture
def actor(tmp_path: Path, way: Way) -> Iterator[Actor]:
    with actor_with(tmp_path, QUICK if way.before.pattern.startswith("a run has ended") else LAB) as someone:
        yield someone


def do(actor: Actor, *sentences: str) -> None:
    """Do what does not count."""
    actor.do(*map(Sentence.read, sentences))


# ---- what is so before


def a_run_goes_on(actor: Actor) -> None:
    do(actor, "Press `F5`", "Click the answer `Start`")
    actor.operator.wait_for(ev.TaskStarted, task_id="build")


def limited(actor: Actor, most: str) -> None:
    do(actor, "Press `Ctrl+Shift+L`", f"Type `{most}` and press `Enter`", "Press `Esc`")
    actor.operator.wait_for(ev.RunLimitSet, max_concurrency=int(most))


def a_limited_run(actor: Actor, most: str) -> None:
    a_run_goes_on(actor)
    limited(actor, most)


def a_changed_limit(actor: Actor, first: str, then: str) -> None:
    a_limited_run(actor, first)
    limited(actor, then)


def a_staged_removal(actor: Actor, task: str) -> None:
    a_run_goes_on(actor)
    do(actor, "Click the button `Staged`", f"Click the node `{task}`", "Press `Del`")
    actor.operator.ask("button", "Discard")
    assert not actor.operator.sees(ev.ConstellationModified)


def a_failed_task(actor: Actor, task: str) -> None:
    a_run_goes_on(actor)
    actor.operator.wait_for(ev.TaskFailed, task_id=task)


def a_run_beside_the_palette(actor: Actor) -> None:
    a_run_goes_on(actor)
    do(actor, "Click the tab `Palette`")


def a_small_graph(actor: Actor) -> None:
    a_run_goes_on(actor)
    do(actor, "Press `Ctrl+minus`", "Press `Ctrl+minus`")


def a_selected_task(actor: Actor, task: str) -> None:
    a_run_goes_on(actor)
    do(actor, f"Click the node `{task}`")


def an_ended_run(actor: Actor) -> None:
    do(actor, "Press `F5`", "Click the answer `Start`")
    actor.operator.wait_for(ev.RunEnded)


def an_exported_run(actor: Actor, name: str) -> None:
    an_ended_run(actor)
    do(actor, "Press `Ctrl+Shift+R`", f"Type `{name}` and press `Enter`")
    actor.operator.ask("button", "Show folder")  # once it is written, the console offers that


def a_drawing(actor: Actor) -> None:
    do(actor, "Press `Ctrl+N`", "Double-click the empty canvas", "Type `Probe`", "Press `Tab`")
    do(actor, "Type `echo probed` and press `Enter`")


BEFORE: Final[dict[str, Callable[..., None]]] = {
    "a run goes on": a_run_goes_on,
    "a run goes on, and its task _ has failed": a_failed_task,
    "a run goes on, and the Palette is in front": a_run_beside_the_palette,
    "a run goes on, and its graph was made smaller": a_small_graph,
    "a run goes on, and the task _ is selected": a_selected_task,
    "a run has ended": an_ended_run,
    "a run has ended, and was exported as _": an_exported_run,
    "a task was drawn in a new plan": a_drawing,
    "a run goes on, its limit is _": a_limited_run,
    "a run goes on, and its limit was changed from _ to _": a_changed_limit,
    "a run goes on, and the removal of the task _ is staged": a_staged_removal,
}


# ---- what came of it


def last(actor: Actor, kind: type) -> Any:
    return next((event for event in reversed(actor.operator.events()) if isinstance(event, kind)), None)


def is_limited(actor: Actor, most: str) -> bool:
    event = last(actor, ev.RunLimitSet)
    return event is not None and event.max_concurrency == int(most)


def is_gone(actor: Actor, task: str) -> bool:
    event = last(actor, ev.ConstellationModified)
    return event is not None and any(isinstance(edit, RemoveTask) and edit.task_id == task for edit in event.changes)


def is_done(actor: Actor, task: str) -> bool:
    return actor.operator.sees(ev.TaskCompleted, task_id=task)


def is_pinned(actor: Actor, task: str, device: str) -> bool:
    return actor.operator.sees(ev.TasksPinned, task_ids=(task,), device_id=device)


def is_pdf(actor: Actor, name: str) -> bool:
    path = actor.folder / name
    return path.exists() and path.read_bytes().startswith(b"%PDF")


def has_tables(actor: Actor, count: str) -> bool:
    return len(list(actor.folder.glob("*.csv"))) == int(count)


def is_reached(actor: Actor, task: str) -> bool:
    return bool(actor.operator.asked("keyboard") == task)


def edits(actor: Actor) -> list[Any]:
    found = [event for event in actor.operator.events() if isinstance(event, ev.ConstellationModified)]
    return [edit for event in found for edit in event.changes]


def waits_for(actor: Actor, child: str, parent: str) -> bool:
    added = [edit.dependency for edit in edits(actor) if isinstance(edit, AddDependency)]
    return [(one.parent, one.child) for one in added] == [(parent, child)]


def is_cut(actor: Actor, parent: str, child: str) -> bool:
    return edits(actor) == [RemoveDependency(parent, child)]


AFTER: Final[dict[str, Callable[..., bool]]] = {
    "the task _ is done": is_done,
    "its task _ is done": is_done,
    "the task _ runs on _ only": is_pinned,
    "there is a PDF _": is_pdf,
    "there are _ tables": has_tables,
    "the keys of the graph are about the task _": is_reached,
    "the task _ waits for _": waits_for,
    "the dependency _ → _ is gone, and nothing else": is_cut,
    "its limit is _": is_limited,
    "the task _ is gone": is_gone,
}


# ---- the page


@with_a_display
@pytest.mark.timeout(400)  # each act waits for what it needs, on a machine that does much else, too
@pytest.mark.parametrize("way", WAYS, ids=[f"{way.act} {way.how}".strip() for way in WAYS])
def test_an_act_takes_the_steps_that_the_page_tells(way: Way, actor: Actor) -> None:
    BEFORE[way.before.pattern](actor, *way.before.names)
    is_so = AFTER[way.after.pattern]
    assert not is_so(actor, *way.after.names), "it is not done before"
    actor.do(*way.steps)
    until(lambda: is_so(actor, *way.after.names), f"{way.after}: {actor.operator.errors()}")
    assert actor.operator.errors() == ""


@pytest.mark.parametrize("act", TARGETS)
def test_each_act_has_a_way_within_its_target_and_its_count_is_true(act: str) -> None:
    counts = [(len(way.steps), way.said) for way in WAYS if way.act == act]
    assert counts, "the page tells how it is done"
    assert all(steps == said for steps, said in counts)
    assert max(steps for steps, _ in counts) <= TARGETS[act]


def test_the_page_tells_of_no_act_without_a_target() -> None:
    assert {way.act for way in WAYS} == TARGETS.keys()


@pytest.mark.parametrize(
    ("page", "wrong"),
    [
        ("# Nothing\n", "no act"),
        ("### A\n\nBefore: x.\n\n**1 act**\n\n1. Press `a`.\n", "Afterwards"),
        ("### A\n\nBefore: x.\n\n1. Press `a`.\n\nAfterwards: y.\n", "before the number"),
    ],
)
def test_a_page_that_cannot_be_read_is_noticed(page: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        ways(page)
