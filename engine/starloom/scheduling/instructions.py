"""What the scheduler orders. Verbs; carried out only after the turn's events are committed."""

from __future__ import annotations

import msgspec

from starloom.model.task import Task


class StartTask(msgspec.Struct, frozen=True, gc=False):
    """Run an attempt of a task on a slot of a device."""

    run_id: str
    task_id: str
    attempt: int
    device_id: str
    slot: int
    task: Task


class StopTask(msgspec.Struct, frozen=True, gc=False):
    """Stop a running attempt; its outcome comes as usual, once it has really stopped."""

    run_id: str
    task_id: str
    attempt: int
    cause: str


class WakeAt(msgspec.Struct, frozen=True, gc=False):
    """Come back at this time even if nothing arrives; None: no need to. Replaces the one before."""

    at: float | None


Instruction = StartTask | StopTask | WakeAt
