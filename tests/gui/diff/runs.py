"""Two runs of one plan, made of events written by hand: `then` went one way, `now` is on its way."""

from __future__ import annotations

from typing import Final

from tests.gui.timeline.scenes import Stream

from starloom import events as ev
from starloom.model.status import RunState
from starloom_gui.diff.baseline_run import BaselineRun

FLEET: Final = {"d": 2, "e": 1}
BEGAN: Final = 100.0
"""When this run starts, on a clock that has nothing to do with that of the earlier one."""


def then(*, ended: bool = True) -> BaselineRun:
    """`a` ran 10 s at once, `b` failed and ran again, `gone` is in no later plan, `late` never ran; it took 60 s."""
    made = Stream("r1", ["a", "b", "gone", "late"], dict(FLEET), name="Nightly")
    made.attempt("a", ("d", 0), (0.0, 2.0, 12.0))
    made.attempt("b", ("d", 1), (0.0, 0.0, 20.0), "retry", retry_at=25.0)
    made.attempt("b", ("e", 0), (25.0, 26.0, 40.0), attempt=2)
    made.attempt("gone", ("e", 0), (0.0, 0.0, 5.0))
    if ended:
        made.say(ev.RunEnded, 60.0, state=RunState.COMPLETED)
    return BaselineRun(made.run, 60.0, "then")


def now() -> Stream:
    """`a` has ended, `b` runs, `new` was in no earlier plan, `late` waits."""
    made = Stream("r2", ["new", "late", "b", "a"], dict(FLEET), name="Nightly")
    made.say(ev.RunRecovered, 0.0, shift=BEGAN, wall_time=0.0)
    made.attempt("a", ("e", 0), (BEGAN, BEGAN + 1.0, BEGAN + 16.0))
    made.attempt("b", ("d", 0), (BEGAN, BEGAN + 3.0, None))
    return made


def lain_idle(began: float) -> Stream:
    """`a` fails after 10 s and ends the run; 31 s later it is run again, for 5 s."""
    made = Stream("r3", ["a"], {"d": 1}, name="Nightly")
    made.say(ev.RunRecovered, 0.0, shift=began, wall_time=0.0)
    made.attempt("a", ("d", 0), (began, began, began + 10.0), "failed")
    made.say(ev.RunEnded, began + 10.0, state=RunState.FAILED)
    made.say(ev.RunReopened, began + 41.0, state=RunState.EXECUTING)
    made.say(ev.TaskReset, began + 41.0, task_id="a", cause="rerun")
    made.attempt("a", ("d", 0), (began + 41.0, began + 41.0, began + 46.0), attempt=2)
    made.say(ev.RunEnded, began + 46.0, state=RunState.COMPLETED)
    return made
