"""The differences of all tasks of a run from those of an earlier one, as arrays: by these 100,000 rows are sorted.

Each figure is, to the last digit, the one that `run_difference.pair_of` gives of a single task without a projection.
"""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from starloom.scheduling.state.codes import RUNNING
from starloom_gui.diff.task_times import TaskTimes, times_of

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.diff.baseline_run import BaselineRun
    from starloom_gui.diff.task_times import Seconds


def before(earlier: BaselineRun, run: RunFacts, _at: float) -> Seconds:
    """The seconds for which each task of a run ran in the earlier one."""
    return _of_earlier(earlier, run).ran


def later(earlier: BaselineRun, run: RunFacts, at: float) -> Seconds:
    """The seconds by which each task of a run started later."""
    return times_of(run, at).start - _of_earlier(earlier, run).start


def longer(earlier: BaselineRun, run: RunFacts, at: float) -> Seconds:
    """The seconds by which each task of a run ran longer, as `TaskPair.longer` tells."""
    then, now = _of_earlier(earlier, run), times_of(run, at)
    by = now.ran - then.ran
    by[then.is_simulated != now.is_simulated] = np.nan
    goes_on = np.frombuffer(bytes(run.status), np.uint8) == RUNNING
    by[goes_on & (by <= 0)] = np.nan
    return by


def _of_earlier(earlier: BaselineRun, run: RunFacts) -> TaskTimes:
    """The same of the tasks that have their ids in the earlier run."""
    times, place = earlier.times, earlier.run.graph.place
    numbers = np.fromiter(map(place.get, run.graph.ids, repeat(-1)), np.intp, len(run.graph.ids))
    # One more entry, which the number -1 finds.
    start, ran = (np.append(figures, np.nan) for figures in (times.start, times.ran))
    return TaskTimes(start[numbers], ran[numbers], np.append(times.is_simulated, np.False_)[numbers])
