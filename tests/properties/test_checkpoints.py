"""A run read from any checkpoint and the rows after it is the run that its whole stream tells of."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.driver import Driver, assert_same
from tests.examples import few_examples
from tests.properties.test_scheduler_agents import AgentWalk, OptimisticWalk
from typing_extensions import override

from starloom.journal import facts_chain
from starloom.journal.library import Library, folder_name
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.device_facts import DeviceFacts
from starloom.scheduling.state.fleet_facts import FleetFacts
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.state.run_facts import RunFacts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from starloom import events as ev
    from starloom.scheduling.turn import Turn

NOT_IN_A_PICTURE: Final = {"seq", "chosen", "remembered"}
"""What the fleet's own stream tells of and a run's does not."""
MOST_ROWS: Final = 30


class Journalled(Driver):
    """Commits each turn to a library, and has checkpoints written where they are due.

    Attributes:
        library: what it commits to; there is one at a time.
    """

    library: Library
    directory: Path

    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields, checked=False)
        self.left: dict[str, Path] = {}
        """Where the journals of runs are that had ended in an earlier program."""

    @classmethod
    def begin(cls, directory: Path) -> None:
        cls.directory = directory
        cls.library = Library(directory)

    @override
    def take_fleet(self, other: Driver) -> None:
        super().take_fleet(other)
        type(self).library.close()
        for run_id in other.scheduler.runs.keys() - other.scheduler.live.keys():  # the next program may use its name
            folder = self.directory / "runs" / folder_name(run_id)
            self.left[run_id] = folder.rename(folder.with_name(f"ended-{len(list(folder.parent.glob('ended-*')))}"))
        type(self).library = Library(self.directory)

    @override
    def inherit(self, stream: Sequence[ev.Event]) -> None:
        super().inherit(stream)
        run_id = stream[0].run_id
        if (folder := self.left.pop(run_id, None)) is not None:  # it is reopened
            folder.rename(folder.with_name(folder_name(run_id)))
        view = self.library.take(self.directory / "runs" / folder_name(run_id)).view().view
        assert_same_run(view, fold(FoldedRun(run_id), stream), f"{run_id} as taken up")

    @override
    def turn(self, *stimuli: Any) -> Turn:
        turn = super().turn(*stimuli)
        for run_id in {event.run_id for event in turn.events if event.run_id}:
            if self.library.folder(run_id) is None:
                self.library.prepare(run_id)
        if turn.events:
            self.library.commit(turn.events)
            for run_id in tuple(self.library.due):
                self.library.checkpoint(self.run(run_id))
        return turn


class JournalledWalk(AgentWalk):
    """A random history that is kept in a library."""

    driver_type = Journalled


class JournalledOptimisticWalk(OptimisticWalk):
    """The same of runs in which edits wait for tasks that have started."""

    driver_type = Journalled


def fleet_of(view: FoldedRun) -> dict[str, Any]:
    """What a picture says of the fleet: every slot, those of the devices too."""
    fleet = view.fleet
    plain = {name: getattr(fleet, name) for name in FleetFacts.__slots__ if name not in NOT_IN_A_PICTURE}
    plain["group_used"] = {group: used for group, used in fleet.group_used.items() if used}
    plain["devices"] = [device_of(device) for device in fleet.devices.values()]
    return plain


def device_of(device: DeviceFacts) -> dict[str, Any]:
    plain = {name: getattr(device, name) for name in DeviceFacts.__slots__ if name not in {"free", "fresh"}}
    return plain | {"taken": set(range(device.fresh)).difference(device.free)}


def assert_same_run(one: FoldedRun, other: FoldedRun, what: str) -> None:
    """Compare two pictures of a run in everything they say."""
    assert one.run.fleet is one.fleet
    assert_same(one.run.canonical(), other.run.canonical(), what)
    assert_same(fleet_of(one), fleet_of(other), f"the fleet of {what}")
    for task_id, number in one.run.graph.place.items():
        assert one.run.attempts(number) == other.run.attempts(number), f"the attempts of {task_id!r} in {what}"
    assert all(type(getattr(one.run, n)) is type(getattr(other.run, n)) for n in RunFacts.__slots__)


def moments(file: StreamFile) -> Iterator[tuple[int, FoldedRun, float, float]]:
    """After each row that ends a turn: the fold of everything up to there."""
    view = FoldedRun(file.stream)
    for row, turn in enumerate(file.turns(), 1):
        fold(view, turn.events)
        yield row, view, turn.events[-1].at, turn.wall


def checkpoints(path: Path) -> list[int]:
    with closing(sqlite3.connect(path)) as connection:
        return [row for (row,) in connection.execute("SELECT row FROM checkpoints ORDER BY row")]


def change(path: Path, sql: str, *values: Any) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(sql, values)


def check_rows(path: Path, what: str, dice: Random) -> None:
    """Compare a run after each of its rows, of a long one after some that the dice choose: each is read on its own."""
    with StreamFile(path, read_only=True) as file, StreamFile(path, read_only=True) as other:
        share = MOST_ROWS / max(MOST_ROWS, sum(1 for _ in file.turns()))
        for row, view, at, wall in moments(other):
            if dice.random() < share:
                moment = file.view(row)
                assert_same_run(moment.view, view, f"{what} after row {row}")
                assert (moment.at, moment.wall) == (at, wall)


def check_without_some(path: Path, dice: Random) -> None:
    """Whatever checkpoints are missing, the end is the same."""
    with StreamFile(path, read_only=True) as file:
        whole = fold(FoldedRun(file.stream), file.committed())
    known = checkpoints(path)
    for missing in ([], *(dice.sample(known, dice.randint(1, len(known))) for _ in range(4) if known), known):
        twin = path.with_name("twin.db")
        shutil.copy(path, twin)
        for row in missing:
            change(twin, "DELETE FROM checkpoints WHERE row = ?", row)
        with StreamFile(twin, read_only=True) as file:
            assert_same_run(file.view().view, whole, f"{file.stream} without {missing} of {known}")
        twin.unlink()


def walked(seed: int, steps: int, directory: Path) -> list[Path]:
    """The journals of the runs of a random history."""
    Journalled.begin(directory)
    try:
        walk = (JournalledWalk if seed % 2 else JournalledOptimisticWalk)(seed)
        for _ in range(steps):
            walk.step()
        walk.finish()
    finally:
        Journalled.library.close()
    return sorted(directory.glob(f"runs/*/{JOURNAL}"))


@pytest.fixture(scope="module")
def eager() -> Iterator[pytest.MonkeyPatch]:
    """Checkpoints may follow each other at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(facts_chain, "PATIENCE", 0.0)
        yield patch


@few_examples(25)
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 60), every=st.sampled_from([1, 1, 7]))
def test_from_any_checkpoint_on_a_run_is_what_its_whole_stream_says(
    eager: pytest.MonkeyPatch, seed: int, steps: int, every: int
) -> None:
    eager.setattr(facts_chain, "EVERY", every)
    with tempfile.TemporaryDirectory() as name:
        for path in walked(seed, steps, Path(name)):
            assert every > 1 or checkpoints(path)
            check_rows(path, f"{path.parent.name}", Random(seed))
            check_without_some(path, Random(seed))
