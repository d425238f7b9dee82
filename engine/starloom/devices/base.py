"""The device protocol: what the engine calls on devices, and the context of each attempt.

Stopping is cancellation. `run` is cancelled when its attempt must stop; it then ends the work for real (the process and
all its descendants, the remote command, the job) and only then returns or lets `CancelledError` through. Until it has
done so, the attempt keeps its slot.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, ClassVar, Final

import msgspec

from starloom.devices.masking import SecretValues
from starloom.errors import DeviceError
from starloom.model.device import COOL_DOWN, TRIP_AFTER
from starloom.model.task import FILES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from starloom.model.device import DeviceSpec
    from starloom.model.question import Answer, Question
    from starloom.model.result import Outcome, Result
    from starloom.model.task import Task

OUTPUT_TAIL_BYTES: Final = 16 * 1024
"""How much of the end of its output a result keeps, unless a device is told otherwise."""


class Metrics(msgspec.Struct, frozen=True, omit_defaults=True):
    """The load of a device. Shares are 0 to 1, memory and disk are in bytes; None: unknown."""

    cpu: float | None = None
    memory: float | None = None
    memory_used: int | None = None
    memory_total: int | None = None
    load: float | None = None
    disk: float | None = None
    """Of the file system where its tasks run."""
    disk_free: int | None = None


class TaskContext:
    """The context of an attempt: what its device may read and report, besides its task.

    Attributes:
        run_id: the run it belongs to.
        task_id: the task's id.
        attempt: the number of this attempt, from 1.
        device_id: the device it was given to.
        slot: the slot on that device, from 0.
        output_path: the file for its whole output, or None when nobody keeps it.
        kept: how the paths of the attempt's own files begin, in a directory that outlives this program and may have to
            be made; None when nobody will ask for the attempt after this program's end.
        secrets: the values of the task's own secrets, which stand in its `env` too.
        masks: what has to be masked in everything that the attempt prints and leaves behind.
    """

    __slots__ = (
        "_ask",
        "_emit",
        "_progress",
        "_upstream",
        "_warn",
        "attempt",
        "device_id",
        "kept",
        "masks",
        "output_path",
        "run_id",
        "secrets",
        "slot",
        "task_id",
    )

    def __init__(
        self,
        run_id: str,
        task_id: str,
        attempt: int,
        device_id: str,
        slot: int,
        *,
        upstream: Callable[[], Mapping[str, Result]] | None = None,
        emit: Callable[[str, str], None] | None = None,
        progress: Callable[[float, str], None] | None = None,
        warn: Callable[[str], None] | None = None,
        ask: Callable[[Question], Awaitable[Answer]] | None = None,
        output_path: Path | None = None,
        kept: Path | None = None,
        secrets: tuple[str, ...] = (),
    ) -> None:
        self.run_id = run_id
        self.task_id = task_id
        self.attempt = attempt
        self.device_id = device_id
        self.slot = slot
        self.output_path = output_path
        self.kept = kept
        self.secrets = secrets
        self.masks = SecretValues(secrets)
        self._upstream = upstream
        self._emit = emit
        self._progress = progress
        self._warn = warn
        self._ask = ask

    @property
    def upstream(self) -> Mapping[str, Result]:
        """The results of the direct parents, by task id."""
        return self._upstream() if self._upstream is not None else {}

    @property
    def is_heard(self) -> bool:
        """Whether anybody listens to the live channel; if not, texts need not even be made."""
        return self._emit is not None

    def emit(self, text: str, stream: str = "stdout") -> None:
        """Send output to the live channel. Never blocks, never raises.

        Args:
            text: whole lines where possible.
            stream: `stdout` or `stderr`.
        """
        if self._emit is not None:
            self._emit(text, stream)

    def progress(self, share: float, note: str = "") -> None:
        """Send progress of the attempt to the live channel.

        Args:
            share: 0 to 1; what is beyond counts as the nearer of the two.
            note: what it is doing, in a few words.
        """
        if self._progress is not None:
            self._progress(min(1.0, max(0.0, share)), note)

    def waits(self) -> None:
        """Report that the work has not begun, as the device waits for its link: the timeout does not run."""

    def begins(self, *, is_seen: bool = True, ago: float = 0.0) -> None:
        """Report that the work has begun, after `waits`: the attempt counts as started then.

        Args:
            is_seen: False: it has begun, nobody saw when, and the attempt counts as started when it was dispatched.
            ago: seconds since it began, as far as its machine can tell.
        """

    def fetches(self, took: float | None = None) -> None:
        """Report that the work has ended, and that its results are being fetched.

        The attempt's slot is free then, and its timeout does not run any more. It ends as always, once all is here.

        Args:
            took: seconds that it took, by the clock of its machine; None: nobody measured them.
        """

    def warn(self, message: str) -> None:
        """Report a warning; the attempt and its outcome are not affected.

        The message is an event, kept in the journal and told in the report: of one attempt the first 100 are. May be
        called from any thread; never blocks, never raises. Once the attempt has ended nobody hears it.
        """
        if self._warn is not None:
            self._warn(message)

    async def ask(self, question: Question) -> Answer:
        """Ask a person, and return the answer; the attempt keeps its slot, and its timeout does not run meanwhile.

        Several questions may wait at once. Whoever is cancelled while it waits has taken the question back. When the
        program ends first the question is closed; an attempt that a later program takes over asks again.

        Raises:
            CancelledError: the attempt is told to stop, or has ended; cancelled, too, is whoever asks then.
            DeviceError: it asks too much at once, or nobody is there to be asked.
        """
        if self._ask is None:
            raise DeviceError(f"Nobody is there to answer {question.text!r}.")
        return await self._ask(question)


def with_files(actions: Iterable[str]) -> frozenset[str]:
    """These actions, with the variants for tasks whose files the device copies."""
    return frozenset(actions).union(f"{FILES}{action}" for action in actions)


GoOn = Callable[[], Awaitable["Outcome"]]
"""Sees an attempt to its end that an earlier program has started."""


class Device(ABC):
    """A device, which runs tasks.

    Attributes:
        id: its name, unique in the fleet.
        slots: how many tasks it runs at once; None: as many as are asked for.
        capabilities: what tasks may require of it.
        actions: what it can do: actions of tasks, of `call` with the name of the handler, as `call:NAME`, and those for
            which it copies files, see `with_files`; None: it does not say, and is given any task.
        on_late_end: called when an attempt that was reported as lost has ended, or was ended as the device came back;
            with its context, its exit code and how many seconds ago that was (each None: nobody knows).
        on_actions: called when `actions` has changed.
        on_held: called when it wants no more tasks for a while; with the seconds, and why as the rest of a sentence.
        trouble: why it cannot be reached now, while it finds its way back by itself; None: nobody knows.
        speed: relative to a device on which a task takes its estimate.
        lost_after: seconds for which a silent device, or one that refuses us, is waited for; 0: nothing goes on there.
        heartbeat_interval: seconds between two calls of `ping`; None: it cannot be lost, so nobody asks.
        spec: what it was made from; None: by a program.
        trip_after, cool_down: after how many failures in a row it is suspended, 0: never; and for how many seconds.
    """

    kind: ClassVar[str] = ""
    actions: frozenset[str] | None = None
    lost_after: float = 0.0
    heartbeat_interval: float | None = None
    trouble: DeviceError | None = None
    looks_up_secrets: ClassVar[bool] = True
    """Whether tasks are given the values of their secrets here; not where nothing of them is run."""
    leaves_behind: ClassVar[bool] = False
    """Whether attempts may leave something elsewhere to which a later program has to see."""
    asks_when_interrupted: ClassVar[bool] = False
    """Whether a task that was interrupted here waits for a person before it runs again, as that costs once more."""
    spec: DeviceSpec | None = None
    stuck_after: float = 15.0
    """Seconds an attempt may take to stop before it is reported as stuck."""

    def __init__(
        self, id: str, *, slots: int | None = None, capabilities: frozenset[str] = frozenset(), speed: float = 1.0
    ) -> None:
        if not id:
            raise DeviceError("A device needs an id.")
        if slots is not None and slots < 1:
            raise DeviceError(f"Device {id!r} cannot have {slots} slots; give it 1 or more.")
        if not speed > 0:
            raise DeviceError(f"Device {id!r} cannot have the speed {speed}; give it more than 0.")
        self.id = id
        self.slots = slots
        self.capabilities = frozenset(capabilities)
        self.on_actions: Callable[[], None] = lambda: None
        self.on_held: Callable[[float, str], None] = lambda _seconds, _reason: None
        self.on_late_end: Callable[[TaskContext, int | None, float | None], None] = lambda _context, _code, _ago: None
        self.speed = float(speed)
        self.trip_after = TRIP_AFTER
        self.cool_down = COOL_DOWN

    @classmethod
    def from_spec(cls, spec: DeviceSpec) -> Device:
        """The device of a plan's or fleet file's entry.

        Raises:
            DeviceError: an option is unknown or has a value that cannot be used.
        """
        slots = {} if spec.slots is None else {"slots": spec.slots}  # left out, the kind's own default applies
        try:
            return cls(spec.id, capabilities=spec.capabilities, speed=spec.speed, **slots, **dict(spec.options))
        except TypeError as error:
            raise DeviceError(f"Device {spec.id!r} of kind {spec.kind}: {error}.") from error

    async def connect(self) -> None:  # noqa: B027 - most devices need not be reached
        """Connect the device; a second time, if it has been silent and answers again.

        Raises:
            DeviceError: it cannot be reached; the sentence says why.
        """

    async def disconnect(self) -> None:  # noqa: B027 - nor let go
        """Disconnect the device. Called once for each successful `connect`; running attempts have ended by then."""

    async def ping(self) -> None:  # noqa: B027 - and cannot be lost
        """Return if the device still answers.

        Raises:
            DeviceError: it is lost; a `DeviceRefused`: for now, and what runs there is waited for, see `lost_after`.
        """

    def has_news(self) -> bool:
        """Whether the reason for a refused connection may have changed; polled once a second while it is refused."""
        return False

    def hurry(self) -> None:  # noqa: B027 - most wait for nothing
        """Wait no longer for what was told by `on_held`, or for a link: somebody wants it tried again now."""

    @abstractmethod
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        """Run one attempt to its end and return its outcome.

        A task whose action the device does not do ends with `unsupported`: nothing of it may have begun. The engine
        gives it to another device then, and no more of its kind to this one until it is connected again or its
        `actions` change.

        Args:
            task: what is done, all templates in it filled in.
            context: of this attempt alone.

        Never raises for what the task does wrong: that is an `Outcome`. An exception out of here is a defect of the
        device and fails the attempt with `exception`.
        """

    def outlives_program(self, task: Task) -> bool:  # noqa: ARG002 - as below
        """Whether an attempt of a task that has a `kept` goes on without this program, for `reattach` to find."""
        return False

    async def reattach(self, task: Task, context: TaskContext) -> GoOn | None:  # noqa: ARG002 - most keep nothing
        """Take over a living attempt that an earlier program started here.

        Asked of a connected device, with the context the attempt had. It changes nothing: if whoever asks dies, or
        never calls what it gets, the attempt goes on as before.

        Args:
            task: as `run` was given it.
            context: with the attempt's number and its `kept`.

        Returns:
            What is awaited instead of `run` to see the attempt to its end, under the same contract: cancelled, it ends
            the work; None: it does not run any more, or the device cannot tell. Then `recover` is asked.

        Raises:
            DeviceError: nobody can say now whether it runs.
        """
        return None

    async def recover(self, task: Task, context: TaskContext) -> Outcome | None:  # noqa: ARG002 - most keep nothing
        """The outcome of an attempt that an earlier program started here, if it is certain.

        Asked of a connected device, for an attempt of which no end was committed, with the context it had, its `kept`
        above all. Returns after everything of an interrupted attempt has ended, so that another one overlaps with none.

        Args:
            task: as `run` was given it.
            context: with the attempt's number and its `kept`.

        Returns:
            The outcome exactly as `run` would have given it, with how long ago it ended if that is known; None: the
            attempt was interrupted, or never began, and never will.

        Raises:
            DeviceError: what is left of it cannot be ended; no other attempt of the task may start.
        """
        return None

    def release(self, kept: Path) -> None:  # noqa: B027 - most keep nothing
        """Remove an attempt's kept files after its outcome is committed.

        May be told of files that are not there, and, as a program died, of those of another device. What was made
        elsewhere goes first, and what tells of it on this side last.
        """

    @property
    def unended(self) -> int:
        """The number of attempts that count as ended but may still run, as the device could not stop them."""
        return 0

    def abandon(self, kept: Path, why: str) -> None:  # noqa: B027 - most keep nothing
        """Record that an attempt of an earlier program counts as ended, and may still run.

        Once the device is reached, by this program or another one, it is ended.

        Args:
            kept: how the paths of its own files begin.
            why: it counts as ended, as a sentence or a part of one.
        """

    async def clear(self, kept: Path) -> None:
        """Remove the kept files of an abandoned attempt of an earlier program, once no process of it runs.

        Asked of any device for any attempt; each knows what is its own. What cannot be ended stays on record.
        """
        self.release(kept)

    async def sweep_old(self, spared: Sequence[Path]) -> None:  # noqa: B027 - most leave nothing behind
        """Remove what attempts left elsewhere that have been silent for days.

        Args:
            spared: the kept files of attempts that somebody may still ask for.
        """

    @property
    def about(self) -> str:
        """What it works with, or has told of its machine, in a few words for people; empty: nothing is known."""
        return ""

    async def metrics(self) -> Metrics | None:
        """The present load of the device; None: unknown."""
        return None

    def describe(self) -> Mapping[str, Any]:
        """The values by which devices of one id are equal: kind, slots, capabilities, speed and options of its kind.

        That they are suspended differently makes no two devices of one: the first one's way holds.
        """
        return {
            "kind": self.kind,
            "slots": self.slots,
            "capabilities": sorted(self.capabilities),
            "speed": self.speed,
        }
