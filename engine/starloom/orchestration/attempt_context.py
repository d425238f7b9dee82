"""The context of an attempt in this engine, and its task with the values of its secrets."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Protocol

from typing_extensions import override

from starloom.devices.base import TaskContext
from starloom.devices.masking import SHORTEST, StreamMask
from starloom.devices.secret_sources import SecretError, look_up
from starloom.model.secret import Secret
from starloom.model.templates import with_fields
from starloom.orchestration.channel import OutputChunk, Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from starloom.devices.base import Device
    from starloom.devices.masking import SecretValues
    from starloom.model.question import Answer, Question
    from starloom.model.result import Result
    from starloom.model.task import Task
    from starloom.orchestration.attempt_questions import AttemptQuestions
    from starloom.orchestration.channel import Channel
    from starloom.scheduling.instructions import StartTask


class AttemptHost(Protocol):
    """The protocol of the dispatcher, as contexts of attempts use it."""

    channel: Channel
    masks: SecretValues
    questions: AttemptQuestions
    upstream: Callable[[str, str], Mapping[str, Result]]

    def output_path(self, order: StartTask) -> Path | None:
        """The file for the whole output of an attempt; None: it is not stored."""

    def kept_path(self, order: StartTask) -> Path | None:
        """The common prefix of the paths of an attempt's own files; None: they are not kept."""

    def note_work(self, order: StartTask, *, has_begun: bool, is_seen: bool = True, ago: float = 0.0) -> None:
        """Report that the work of an attempt waits, or begins.

        Args:
            order: of the attempt.
            has_begun: whether the work begins; else it waits.
            is_seen: whether it is known when it began; else it may have at any time since the dispatch.
            ago: seconds since it began, by the clock of its machine.
        """

    def note_work_ended(self, order: StartTask, took: float | None) -> None:
        """Report that the work of an attempt has ended.

        Args:
            order: of the attempt.
            took: seconds by the clock of its machine; None: nobody measured them.
        """

    def warn(self, order: StartTask, message: str) -> None:
        """Report a warning of an attempt; from any thread."""

    def note_progress(self, order: StartTask, progress: Progress) -> None:
        """Report how far an attempt has come."""


class AttemptContext(TaskContext):
    """The context of an attempt in this engine, which passes requests on to the dispatcher."""

    __slots__ = ("_dispatcher", "_order", "_streams")

    def __init__(self, dispatcher: AttemptHost, order: StartTask) -> None:
        # Most attempts ask for nothing: the order is looked into when they do.
        self._dispatcher = dispatcher
        self._order = order
        self._streams: dict[str, StreamMask] | None = None
        self.secrets = ()

    run_id = property(attrgetter("_order.run_id"))
    task_id = property(attrgetter("_order.task_id"))
    attempt = property(attrgetter("_order.attempt"))
    device_id = property(attrgetter("_order.device_id"))
    slot = property(attrgetter("_order.slot"))
    masks = property(attrgetter("_dispatcher.masks"))

    @property
    @override
    def output_path(self) -> Path | None:  # type: ignore[override]  # nobody writes to the base's attribute either
        """The file for its whole output."""
        return self._dispatcher.output_path(self._order)

    @property
    @override
    def kept(self) -> Path | None:  # type: ignore[override]  # as above
        """The common prefix of the paths of the attempt's own files."""
        return self._dispatcher.kept_path(self._order)

    @property
    @override
    def upstream(self) -> Mapping[str, Result]:
        return self._dispatcher.upstream(self.run_id, self.task_id)

    @property
    @override
    def is_heard(self) -> bool:
        return self._dispatcher.channel.is_listened_to

    @override
    def emit(self, text: str, stream: str = "stdout") -> None:
        channel = self._dispatcher.channel
        if channel.is_listened_to:
            if not self.masks.is_empty:
                text = self._masked(text, stream)
                if not text:
                    return
            channel.send(OutputChunk(self.run_id, self.task_id, self.attempt, text, stream))

    def _masked(self, text: str, stream: str) -> str:
        """The text with secrets masked, as devices of other packages emit whatever their tasks print."""
        if self._streams is None:
            self._streams = {}
        mask = self._streams.setdefault(stream, StreamMask(self.masks))
        return mask.feed(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")

    def flush(self) -> None:
        """Emit the output that was held back, as it might have been the beginning of a secret."""
        for stream, mask in (self._streams or {}).items():
            if rest := mask.close().decode("utf-8", "surrogatepass"):
                self._dispatcher.channel.send(OutputChunk(self.run_id, self.task_id, self.attempt, rest, stream))

    @override
    def waits(self) -> None:
        self._dispatcher.note_work(self._order, has_begun=False)

    @override
    def begins(self, *, is_seen: bool = True, ago: float = 0.0) -> None:
        self._dispatcher.note_work(self._order, has_begun=True, is_seen=is_seen, ago=ago)

    @override
    def fetches(self, took: float | None = None) -> None:
        self._dispatcher.note_work_ended(self._order, took)

    @override
    def warn(self, message: str) -> None:
        self._dispatcher.warn(self._order, message)

    @override
    async def ask(self, question: Question) -> Answer:
        return await self._dispatcher.questions.ask(self._order, question)

    @override
    def progress(self, share: float, note: str = "") -> None:
        bounded = min(1.0, max(0.0, share))
        told = Progress(self.run_id, self.task_id, self.attempt, bounded, self.masks.mask(note))
        self._dispatcher.note_progress(self._order, told)


async def with_secrets(task: Task, context: AttemptContext, device: Device) -> Task:
    """The task with the values of its secrets, which are masked from now on; itself if it has none.

    Args:
        task: as the plan has it, with its templates replaced.
        context: of the attempt; it is told the values.
        device: where the attempt is made.

    Raises:
        SecretError: one of them cannot be looked up.
    """
    secrets = {name: value for name, value in task.env.items() if isinstance(value, Secret)}
    if not secrets or task.simulate is not None or not device.looks_up_secrets:
        return task
    values = {}
    for name, secret in secrets.items():
        try:
            values[name] = await look_up(secret)
        except SecretError as error:
            raise SecretError(f"The variable {name} cannot be set. {error}") from None
        if len(values[name]) < SHORTEST:
            context.warn(f"The {secret} has fewer than {SHORTEST} characters and is not masked in what is printed.")
    context.secrets = tuple(values.values())
    context.masks.add(context.secrets)
    return with_fields(task, {"env": {**task.env, **values}})
