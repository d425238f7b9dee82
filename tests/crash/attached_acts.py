"""Random acts of somebody at a console: edits, steering, undo; each with a mark of its own in what the journal says.

They go through the doors that the window's user has: the editor and the gateway of the run, and the console's commands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom import Task
from starloom.constellation import edits as ed
from starloom.model.dependency import Dependency
from starloom.model.status import DependencyKind, TaskStatus
from starloom.scheduling import commands as c
from starloom_gui.editing.base import Step
from starloom_gui.editing.run_editor import RunEditor

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.composition.console import Console

KEEPER: Final = "keeper"
"""The id of the task that has its run go on until it is let go; nobody touches it."""
DEVICES: Final = ("a", "b")
MOST_TASKS: Final = 24


class Act:
    """One act of somebody, on the run in front.

    Args:
        console: whose.
        run: the facts of the run as the console knows them.
        dice: draws what is done.
        script: what tasks run, see `attached_rounds.SCRIPT`.
        mark: stands in whatever the journal tells of the act.
    """

    def __init__(self, console: Console, run: RunFacts, dice: Random, script: Path, mark: str) -> None:
        self._console, self._run, self._dice, self._script, self._mark = console, run, dice, script, mark
        view = console.views.front
        assert view is not None
        self._gateway, self._editor = view.source.gateway, view.source.editor
        assert isinstance(self._editor, RunEditor)
        self._known = [task_id for task_id in run.graph.place if task_id != KEEPER] or ["nobody"]
        self._one, self._other = dice.choice(self._known), dice.choice(self._known)

    def carry_out(self) -> None:
        """Do something at random; nothing, where the editor still waits for an answer."""
        drawn = self._dice.random()
        if drawn < 0.3:
            self._edit()
        elif drawn < 0.4:
            self._take_back()
        elif drawn < 0.92:
            self._gateway.do(self._steering())
        else:
            self._console.commands.do(self._about_fleet())

    # ---- edits

    def _edit(self) -> None:
        drawn, one, other = self._dice.random(), self._one, self._other
        if drawn < 0.5 and len(self._known) < MOST_TASKS:
            self._do(*self._added())
        elif drawn < 0.65:
            self._do(ed.RemoveTask(one))
        elif drawn < 0.8:
            field: dict[str, Any] = self._dice.choice(
                ({"retry": 2}, {"timeout": 30}, {"name": "new"}, {"priority": 70})
            )
            self._do(ed.UpdateTask(one, **field))
        elif drawn < 0.9:
            self._do(ed.AddDependency(Dependency(parent=one, child=other, kind=DependencyKind.ALWAYS)))
        else:
            self._do(ed.RemoveDependency(one, other))

    def _added(self) -> list[ed.Edit]:
        made = script_task(self._dice, self._mark, self._script)
        edits: list[ed.Edit] = [ed.AddTask(made)]
        if self._dice.random() < 0.6 and self._one in self._run.graph.place:
            kind = self._dice.choice((DependencyKind.SUCCESS, DependencyKind.ALWAYS))
            edits.append(ed.AddDependency(Dependency(parent=self._one, child=made.id, kind=kind)))
        return edits

    def _do(self, *edits: ed.Edit) -> None:
        assert isinstance(self._editor, RunEditor)
        self._editor.do(Step(label=self._mark, edits=edits))

    def _take_back(self) -> None:
        assert isinstance(self._editor, RunEditor)
        if self._dice.random() < 0.7:
            self._editor.undo()
        else:
            self._editor.redo()

    # ---- steering

    def _steering(self) -> c.Command:
        dice, mark, run_id = self._dice, self._mark, self._run.run_id
        named: dict[str, Any] = {"run_id": run_id, "task_ids": tuple(dict.fromkeys((self._one, self._other)))}
        everything: dict[str, Any] = {"run_id": run_id, "task_ids": tuple(self._known)}
        made: tuple[Callable[[], c.Command], ...] = (
            lambda: c.HoldTasks(**named, reason=mark),
            lambda: c.HoldTasks(**named, reason=mark),
            lambda: c.ReleaseTasks(**named, reason=mark),
            lambda: c.ReleaseTasks(**everything, reason=mark),
            lambda: c.SetPriority(**named, priority=dice.choice((0, 50, 100)), reason=mark),
            lambda: c.SetPriority(**named, priority=dice.choice((20, 80)), reason=mark),
            lambda: c.PinTasks(**named, device_id=dice.choice((None, *DEVICES)), reason=mark),
            lambda: c.CancelTasks(**named, reason=mark),
            lambda: c.RetryTasks(**named),
            lambda: c.RetryTasks(**named),
            lambda: c.SkipTasks(**named, reason=mark),
            lambda: c.MarkTasks(**named, status=TaskStatus.COMPLETED, value=mark),
            lambda: c.RerunFrom(run_id=run_id, task_id=self._one, cancel_running=dice.random() < 0.5),
            lambda: c.PauseRun(run_id=run_id, reason=mark),
            lambda: c.ResumeRun(run_id=run_id, reason=mark),
            lambda: c.ResumeRun(run_id=run_id, reason=mark),
            lambda: c.StepRun(run_id=run_id),
            lambda: c.SetRunLimit(run_id=run_id, max_concurrency=dice.choice((None, 2, 3))),
        )
        return dice.choice(made)()

    def _about_fleet(self) -> c.Command:
        dice, mark, device_id = self._dice, self._mark, self._dice.choice(DEVICES)
        made: tuple[Callable[[], c.Command], ...] = (
            lambda: c.SetLimits(max_concurrency=dice.choice((None, 3, 5))),
            lambda: c.DrainDevice(device_id=device_id, reason=mark),
            lambda: c.ResumeDevice(device_id=device_id, reason=mark),
            lambda: c.ResumeDevice(device_id=device_id, reason=mark),
            lambda: c.SetSlots(device_id=device_id, slots=dice.choice((1, 2, 3))),
        )
        return dice.choice(made)()


def script_task(dice: Random, id: str, script: Path) -> Task:
    """A task that notes its beginning and its end; some fail, some are tried again, some begin anew if interrupted."""
    seconds, code = f"{dice.choice((0.0, 0.05, 0.3, 1.0)) * dice.random():.3f}", "3" if dice.random() < 0.15 else "0"
    fields: dict[str, Any] = {"retry": 1} if dice.random() < 0.2 else {}
    if dice.random() < 0.3:
        fields["on_interrupt"] = "rerun"
    command = ("/bin/sh", str(script), str(script.with_name("effects")), id, seconds, code)
    return Task(id=id, command=command, **fields)


def freeing(run: RunFacts) -> list[c.Command]:
    """The commands after which nothing keeps a run from its end but what it still has to do."""
    everything = tuple(run.graph.place)
    return [
        c.ResumeRun(run_id=run.run_id),
        c.ReleaseTasks(run_id=run.run_id, task_ids=everything),
        c.SetRunLimit(run_id=run.run_id, max_concurrency=None),
        c.SetLimits(max_concurrency=None),
        *(c.ResumeDevice(device_id=device_id) for device_id in DEVICES),
    ]
