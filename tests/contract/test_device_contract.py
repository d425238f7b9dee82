"""What every device must do, whatever it is: one suite, run on each of them."""

from __future__ import annotations

import asyncio
import itertools
import os
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace
from tests.contract.subjects import SUBJECTS, Subject

from starloom.devices.base import Device, TaskContext
from starloom.devices.wrapped import WrappedDevice
from starloom.model.device import DeviceSpec
from starloom.model.result import ErrorCode, OutcomeStatus

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    from starloom.model.result import Outcome
    from starloom.model.task import Task

_NUMBERS = itertools.count(1)
_RUN = f"run {os.getpid()}"
"""Attempts in containers are ended by their run, task and number: those of another test process are not to be ours."""
BOUND = 60.0
"""Seconds in which anything here must have ended, on a slow machine too."""


class _Keeping:
    """Where the attempts of the present test keep their files; None: they don't."""

    folder: Path | None = None


@pytest.fixture(params=SUBJECTS, scope="module")
def standing_subject(request: pytest.FixtureRequest) -> Iterator[Subject]:
    subject = SUBJECTS[request.param]
    with subject.standing():
        yield subject


@pytest.fixture
def subject(standing_subject: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Subject]:
    subject = standing_subject
    monkeypatch.setattr(_Keeping, "folder", tmp_path / "attempts" if subject.keeps else None)
    with subject.around(tmp_path):
        yield subject


@dataclass
class Attempt:
    """One attempt on a device, and what it said while it ran."""

    device: Device
    task: Task
    number: int = 1
    slot: int = 0
    said: list[tuple[str, str]] = field(default_factory=list)
    spoke: asyncio.Event = field(default_factory=asyncio.Event)

    def _emit(self, text: str, stream: str) -> None:
        self.said.append((text, stream))
        self.spoke.set()

    kept: Path | None = field(default_factory=lambda: _Keeping.folder and _Keeping.folder / f"a-{next(_NUMBERS)}")

    def context(self) -> TaskContext:
        return TaskContext(_RUN, self.task.id, self.number, self.device.id, self.slot, emit=self._emit, kept=self.kept)

    def run(self) -> Awaitable[Outcome]:
        return self.device.run(self.task, self.context())

    async def start(self) -> asyncio.Future[Outcome]:
        """Running, and past its first output: the work itself has begun."""
        running = asyncio.ensure_future(self.run())
        await asyncio.wait_for(self.spoke.wait(), BOUND)
        return running


@asynccontextmanager
async def connected(device: Device) -> AsyncIterator[Device]:
    await device.connect()
    try:
        yield device
    finally:
        await device.disconnect()


def carry_out(scenario: Callable[[Device], Awaitable[Any]], subject: Subject) -> Any:
    """Run the scenario on a connected device, within the bound."""

    async def within_bound() -> Any:
        async with connected(subject.make()) as device:
            return await asyncio.wait_for(scenario(device), BOUND)

    return asyncio.run(within_bound())


def test_a_device_can_be_connected_disconnected_and_used_again(subject: Subject) -> None:
    async def scenario() -> None:
        device = subject.make()
        for _ in range(3):
            async with connected(device):
                assert (await Attempt(device, subject.good).run()).status is OutcomeStatus.COMPLETED

    asyncio.run(scenario())


def test_connecting_and_disconnecting_twice_does_no_harm(subject: Subject) -> None:
    async def scenario() -> None:
        device = subject.make()
        await device.disconnect()
        await device.connect()
        await device.connect()
        assert (await Attempt(device, subject.good).run()).status is OutcomeStatus.COMPLETED
        await device.disconnect()
        await device.disconnect()

    asyncio.run(scenario())


def test_a_good_task_completes_without_an_error(subject: Subject) -> None:
    outcome = carry_out(lambda device: Attempt(device, subject.good).run(), subject)
    assert outcome.status is OutcomeStatus.COMPLETED
    assert outcome.result.error is None


def test_a_failure_has_a_code_and_a_sentence(subject: Subject) -> None:
    outcome = carry_out(lambda device: Attempt(device, subject.bad).run(), subject)
    assert outcome.status is OutcomeStatus.FAILED
    assert outcome.result.error.code in set(ErrorCode)
    assert len(outcome.result.error.message) > 5
    assert "\n" not in outcome.result.error.message


def test_what_the_device_cannot_do_is_an_outcome_and_not_an_exception(subject: Subject) -> None:
    if subject.unsupported is None:
        pytest.skip("this device does anything")
    outcome = carry_out(lambda device: Attempt(device, subject.unsupported).run(), subject)  # type: ignore[arg-type]
    assert outcome.status is OutcomeStatus.FAILED
    assert outcome.result.error.code == ErrorCode.UNSUPPORTED
    assert outcome.result.error.message.endswith(".")


def test_after_a_failure_the_device_still_works(subject: Subject) -> None:
    async def scenario(device: Device) -> list[OutcomeStatus]:
        return [(await Attempt(device, task).run()).status for task in (subject.bad, subject.good)]

    assert carry_out(scenario, subject) == [OutcomeStatus.FAILED, OutcomeStatus.COMPLETED]


async def _end_of(running: asyncio.Future[Outcome]) -> OutcomeStatus:
    """How a cancelled attempt ended; letting the cancellation through is as good as saying so."""
    try:
        return (await asyncio.wait_for(asyncio.shield(running), BOUND)).status
    except asyncio.CancelledError:
        assert running.cancelled()
        return OutcomeStatus.STOPPED


def test_cancelling_ends_the_work_and_run_comes_back(subject: Subject) -> None:
    async def scenario(device: Device) -> OutcomeStatus:
        running = await Attempt(device, subject.long).start()
        running.cancel()
        return await _end_of(running)

    assert carry_out(scenario, subject) is OutcomeStatus.STOPPED


def test_cancelling_again_while_it_stops_does_no_harm(subject: Subject) -> None:
    async def scenario(device: Device) -> tuple[OutcomeStatus, OutcomeStatus]:
        running = await Attempt(device, subject.long).start()
        for _ in range(3):
            running.cancel()
            await asyncio.sleep(0)
        return await _end_of(running), (await Attempt(device, subject.good).run()).status

    assert carry_out(scenario, subject) == (OutcomeStatus.STOPPED, OutcomeStatus.COMPLETED)


def test_cancelling_at_any_early_moment_ends_the_attempt(subject: Subject) -> None:
    async def scenario(device: Device) -> set[OutcomeStatus]:
        ends = set()
        for turns in range(6):
            running = asyncio.ensure_future(Attempt(device, subject.long).run())
            for _ in range(turns):
                await asyncio.sleep(0)
            running.cancel()
            ends.add(await _end_of(running))
        return ends

    assert carry_out(scenario, subject) == {OutcomeStatus.STOPPED}


def test_as_many_as_there_are_slots_run_at_once(subject: Subject) -> None:
    async def scenario(device: Device) -> list[OutcomeStatus]:
        assert device.slots is not None
        # Each an attempt of its own: some devices know their processes by that.
        attempts = [Attempt(device, subject.long, number=1 + slot, slot=slot) for slot in range(device.slots)]
        # Each of them has spoken and none has ended, so all of them run at the same time.
        running = [await attempt.start() for attempt in attempts]
        assert not any(one.done() for one in running)
        for one in running:
            one.cancel()
        return [await _end_of(one) for one in running]

    assert carry_out(scenario, subject) == [OutcomeStatus.STOPPED] * 4


def test_stopping_one_attempt_leaves_the_others_alone(subject: Subject) -> None:
    async def scenario(device: Device) -> bool:
        first = await Attempt(device, subject.long, slot=0).start()
        # another attempt: those of one task never overlap, and some devices know their processes by that
        second = await Attempt(device, subject.long, number=2, slot=1).start()
        first.cancel()
        await _end_of(first)
        still_running = not second.done()
        second.cancel()
        await _end_of(second)
        return still_running

    assert carry_out(scenario, subject)


def test_many_attempts_one_after_the_other_all_complete(subject: Subject) -> None:
    async def scenario(device: Device) -> set[OutcomeStatus]:
        statuses = set()
        for number in range(1, 9):
            statuses.add((await Attempt(device, subject.good, number=number).run()).status)
        return statuses

    assert carry_out(scenario, subject) == {OutcomeStatus.COMPLETED}


def test_output_is_told_while_it_runs(subject: Subject) -> None:
    async def scenario(device: Device) -> list[tuple[str, str]]:
        attempt = Attempt(device, subject.good)
        await attempt.run()
        return attempt.said

    said = carry_out(scenario, subject)
    assert said
    assert {stream for _, stream in said} <= {"stdout", "stderr"}
    assert "".join(text for text, _ in said).endswith("\n")


def test_a_context_without_listeners_is_enough(subject: Subject) -> None:
    async def scenario(device: Device) -> Outcome:
        return await device.run(subject.good, TaskContext(_RUN, "good", 1, device.id, 0))

    assert carry_out(scenario, subject).status is OutcomeStatus.COMPLETED


def test_an_attempt_that_never_began_is_interrupted_and_releasing_it_does_no_harm(subject: Subject) -> None:
    async def scenario(device: Device) -> Outcome | None:
        attempt = Attempt(device, subject.good)
        outcome = await device.recover(subject.good, attempt.context())
        device.release(attempt.kept or Path("nowhere"))
        return outcome

    assert carry_out(scenario, subject) is None


def test_what_is_recovered_is_the_outcome_that_was_told_or_nothing(subject: Subject) -> None:
    async def scenario(device: Device) -> list[tuple[Outcome | None, Outcome]]:
        ends = []
        for task in (subject.good, subject.bad):
            attempt = Attempt(device, task)
            told = await attempt.run()
            ends.append((await device.recover(task, attempt.context()), told))
        return ends

    for recovered, told in carry_out(scenario, subject):
        assert (recovered is not None) is subject.keeps
        if (
            recovered is not None
        ):  # nobody was there when it ended, so when that was is said in another way, or not at all
            assert replace(recovered, ended_ago=told.ended_ago) == told


def test_metrics_are_absent_or_shares(subject: Subject) -> None:
    metrics = carry_out(lambda device: device.metrics(), subject)
    for share in (metrics.cpu, metrics.memory) if metrics is not None else ():
        assert share is None or 0.0 <= share <= 1.0


def test_a_wrapped_device_does_not_tell_the_load_of_this_computer_as_its_own() -> None:
    assert asyncio.run(WrappedDevice("box", wrapper=["env"]).metrics()) is None


def test_a_connected_device_answers_a_ping(subject: Subject) -> None:
    carry_out(lambda device: device.ping(), subject)


def test_equal_devices_describe_themselves_equally_and_others_do_not(subject: Subject) -> None:
    assert subject.make().id == subject.other().id == "dev"
    assert subject.make().describe() == subject.make().describe()
    assert subject.make().describe() != subject.other().describe()


def test_the_description_stays_the_same_while_the_device_is_used(subject: Subject) -> None:
    async def scenario(device: Device) -> bool:
        before = device.describe()
        await Attempt(device, subject.good).run()
        return before == device.describe()

    assert carry_out(scenario, subject)


def test_a_spec_of_its_kind_makes_an_equal_device(subject: Subject) -> None:
    device = subject.make()
    spec = DeviceSpec(id="dev", kind=device.kind, slots=device.slots, options=subject.options())
    assert type(device).from_spec(spec).describe() == device.describe()
