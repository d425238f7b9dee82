"""Journals to look back into, made by driving the scheduler by hand."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from tests.driver import RUN, edge, plan, task
from tests.unit.journal.test_facts import Kept
from tests.unit.journal.test_recording import take_all

from starloom.constellation.edits import AddDependency, AddTask, RemoveTask, UpdateTask
from starloom.journal.recording import Recording
from starloom.scheduling import commands as c
from starloom_gui.time_travel.event_marks import EventMarks
from starloom_gui.time_travel.moment_reader import MomentReader
from starloom_gui.time_travel.reopening import ReadJournal
from starloom_gui.time_travel.time_travel_reader import TimeTravelReader
from starloom_gui.time_travel.travel import Travel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def named(path: Path) -> Path:
    """The journal of a run whose tasks have names, two of them the same; what was done to them is told of."""
    driver = Kept(path)
    driver.create(plan([task("t0", name="fetch"), task("t1", name="fetch"), task("t2", name="pack")], ["t0>t1"]))
    driver.now = 1.0
    driver.do(c.HoldTasks(run_id=RUN, task_ids=("t1",), origin="operator"))
    driver.now = 2.0
    driver.edit(UpdateTask("t1", name="unpack"), origin="operator")
    driver.now = 3.0
    driver.do(c.SetPriority(run_id=RUN, task_ids=("t1",), priority=80, origin="operator"))
    driver.end("t0")
    driver.end("t2")
    driver.do(c.ReleaseTasks(run_id=RUN, task_ids=("t1",)))
    driver.end("t1")
    driver.close()
    return path


def eventful(path: Path) -> Path:
    """The journal of a run with retries, holds, edits, limits, a device that comes late, and an end."""
    driver = Kept(path)
    driver.create(plan([task("a", retry=1), "b", "c", task("d", priority=80)], ["a>b", "a>c", "b>d"]))
    driver.now = 1.0
    driver.fail("a")
    driver.now = 2.5
    driver.do(c.HoldTasks(run_id=RUN, task_ids=("c",)))
    driver.add_device("late", slots=1)
    driver.edit(AddTask(task("e")), AddDependency(edge("b", "e")))
    driver.now = 4.0
    driver.end("a")
    driver.do(c.SetLimits(max_concurrency=2))
    driver.edit(AddTask(task("f")))
    driver.now = 5.5
    driver.end("b", value={"figure": 7})
    driver.do(c.ReleaseTasks(run_id=RUN, task_ids=("c",)))
    driver.edit(RemoveTask("f")) if driver.status("f") in {"pending", "waiting_dependency"} else None
    driver.now = 7.0
    for name in ("c", "d", "e", "f"):
        if (RUN, name) in driver.ordered and driver.status(name) == "running":
            driver.end(name)
    driver.now = 9.0
    for name in ("c", "d", "e", "f"):
        if driver.run().number(name) is not None and driver.status(name) == "running":
            driver.end(name)
    driver.close()
    return path


class Trip(QObject):
    """A run that is looked back into.

    Attributes:
        recording: its journal.
        reader: what panes read.
        travel: goes through it.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.recording = Recording(path)
        take_all(self.recording)
        self.reader = TimeTravelReader(RUN)
        self.reader.show_past(self.recording, self.past(len(self.recording)))
        self.travel = Travel(self.reader, read=ReadJournal(self.recording, EventMarks.of(self.recording)))

    def past(self, position: int) -> MomentReader:
        """A moment, read at once."""
        return MomentReader(position, self.recording.time(position), self.recording.moment(position))

    def show(self, position: int) -> None:
        """Show a moment at once."""
        self.reader.show_past(self.recording, self.past(position))


@contextmanager
def trip(folder: Path, story: Callable[[Path], Path] = eventful) -> Iterator[Trip]:
    """A trip into a run; its journal is let go afterwards.

    Args:
        folder: where the journal is made.
        story: makes it.
    """
    made = Trip(story(folder / "journal.db"))
    yield made
    made.travel.close()
    made.recording.close()
