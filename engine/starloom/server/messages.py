"""The messages between an engine's server and its clients; how they are framed says `wire`.

A client says `Hello`, the server `Welcome`; then each request has a number, which its answer repeats. `Hello` and
`Welcome` keep their first fields in all later versions; fields are added at the end.
"""

from __future__ import annotations

from typing import Any

import msgspec

from starloom.devices.base import Metrics
from starloom.errors import Problem
from starloom.orchestration.channel import Progress


class WireMessage(msgspec.Struct, frozen=True, array_like=True):
    """A message; unknown fields at its end are those of a later version."""


# ---- from clients


class Hello(WireMessage, frozen=True):
    """The first message of a client.

    Attributes:
        wire, format: its `WIRE_VERSION` and `FORMAT_VERSION`.
        version: of Starloom, for people.
        name: in whose name it gives commands.
        host: the name of its machine, for people; empty: not told.
    """

    wire: int
    format: int
    version: str
    name: str
    host: str = ""


class GiveCommand(WireMessage, frozen=True):
    """A command; the answer is a `RequestAnswer` with the revision of an edit, the task of a step, or None.

    Attributes:
        run_id: which run; empty: it is about the fleet.
        form: the command as plain JSON, see `formats.command_forms`.
        command_id: chosen by the client, no other command has it; empty: the command is not given again.
        given: when it was given first, in seconds since 1970.
        again: whether it was given before, and the connection was lost before the answer: it has the same answer then.
        reason: why, for whoever reads of it.
        base_revision: of an edit, the revision its author saw: what another one has changed since is a conflict; None:
            no such check.
    """

    number: int
    run_id: str
    form: Any
    command_id: str = ""
    given: float = 0.0
    again: bool = False
    reason: str = ""
    base_revision: int | None = None


class SubmitPlan(WireMessage, frozen=True):
    """A plan to be run; the answer is a `RequestAnswer` with the id of the run.

    Attributes:
        plan: the text of a plan file in JSON.
        run_id: the id of the run; empty: the engine makes one.
        again: whether it was given before with this id, and the connection was lost before the answer.
        rules: the kinds of edits by the plan's rules that wait for approval; None: its rules do not apply.
        paused: whether nothing of it starts before `StartRun`.
    """

    number: int
    plan: str
    run_id: str = ""
    again: bool = False
    rules: tuple[str, ...] | None = None
    paused: bool = False


class AddDevices(WireMessage, frozen=True):
    """Devices that join the fleet, all of them or none; the answer is a `RequestAnswer`.

    Attributes:
        specs: a JSON array of `model.device.DeviceSpec`.
    """

    number: int
    specs: str


class ReopenRun(WireMessage, frozen=True):
    """A request to have the engine take up a run that has ended, so that its tasks can be retried, rerun and changed.

    The answer is a `RequestAnswer`; then all who follow the engine are told of the run, as it ended. Nothing of it
    starts before a command says so.

    Attributes:
        run_id: of a run that the server keeps.
    """

    number: int
    run_id: str


class StopServer(WireMessage, frozen=True):
    """A request to end the server once its runs have ended; the answer is a `RequestAnswer`, and comes before that.

    Attributes:
        cancel: whether the runs are cancelled, rather than waited for.
    """

    number: int
    cancel: bool = False


class TakeRunsOver(WireMessage, frozen=True):
    """A request to take all runs over from a server that gives way; it ends then, and leaves alone what runs.

    The answer is a `RequestAnswer` with an `orchestration.handover.Handover` as JSON; refused, all stays as it is.
    """

    number: int


class FollowRun(WireMessage, frozen=True):
    """A request for the rows of a run, or of the fleet, from the beginning and as they are committed.

    The answer is a `RequestAnswer` with the last row there is; then come `RowBatch`es and, where a checkpoint saves
    time, a `CheckpointHead` with its `CheckpointPart`s, after which the run is as the checkpoint has it. Of the fleet
    there is a `FleetCheckpoint` instead.

    Attributes:
        run_id: of the run; empty: the fleet.
        after: the last row that the client has.
    """

    number: int
    run_id: str
    after: int = 0


class FollowEngine(WireMessage, frozen=True):
    """A request for the rows of the fleet and of all runs that live or begin, by the last row of each that is known.

    The answer is a `RequestAnswer` with the ids of the runs that live, in order. Then comes what `FollowRun` has come,
    a `StreamHead` before the rows of each stream. What has come until a `WholeTurns` fits together.

    Attributes:
        after: the last row of each stream.
        people: whether a `PeopleListing` comes before a `WholeTurns`, at first and when somebody has come or gone.
    """

    number: int
    after: dict[str, int] = msgspec.field(default_factory=dict)
    people: bool = False


class ReadClock(WireMessage, frozen=True):
    """A request for the time; the answer is a `RequestAnswer` with the seconds on the engine's clock."""

    number: int


class ReadHints(WireMessage, frozen=True):
    """A request for what facts lack, on a connection that follows the engine: `SchedulerHints` come with `WholeTurns`.

    The answer is a `RequestAnswer` with the `ObservedDurations` that tell about a run; None: no run is named.
    """

    number: int
    run_id: str = ""


class ReadTurns(WireMessage, frozen=True):
    """A request for all turns until now, on a connection that follows the engine.

    They end with a `WholeTurns` that has its number as `mark`; there is no other answer.
    """

    number: int


class ReadReport(WireMessage, frozen=True):
    """A request for what facts do not tell of an engine; the answer is an `EngineReport`.

    Attributes:
        measures: whether the load of its devices is measured for it.
    """

    number: int
    measures: bool = False


class ReadOutput(WireMessage, frozen=True):
    """A request for what an attempt has printed; the answer is an `OutputPiece`.

    Attributes:
        attempt: which one, from 1; 0: the last one.
        offset: bytes of it that are known already.
    """

    number: int
    run_id: str
    task_id: str
    attempt: int
    offset: int


# ---- from the server


class Welcome(WireMessage, frozen=True):
    """The first message of the server.

    Attributes:
        wire, format: its `WIRE_VERSION` and `FORMAT_VERSION`.
        version: of Starloom, for people.
        pid: of its process.
        folder: where it runs, which relative paths of plans begin at.
        now: seconds on the engine's clock.
        gives_way: whether it hands its runs over to a console that is opened; see `TakeRunsOver`.
        lists_people: whether it knows `ReadPeople`.
        sends_kept: whether it knows `kept_messages`.
        submits_paused: whether it knows `SubmitPlan.paused`.
        reopens: whether it knows `ReopenRun`.
    """

    wire: int
    format: int
    version: str
    pid: int
    folder: str
    now: float
    gives_way: bool = False
    lists_people: bool = False
    sends_kept: bool = False
    submits_paused: bool = False
    reopens: bool = False


class RequestAnswer(WireMessage, frozen=True):
    """The answer to a request that was carried out."""

    number: int
    value: Any = None


class RequestRefusal(WireMessage, frozen=True):
    """The answer to a request that was not carried out; the fields are those of `CommandRefused` and `EditRefused`."""

    number: int
    code: str
    reason: str
    hint: str = ""
    problems: tuple[Problem, ...] = ()


class OutputPiece(WireMessage, frozen=True):
    """A piece of what an attempt has printed.

    Attributes:
        attempt: which one; 0: there is none yet.
        data: what it has printed from the offset on, at most so much as a batch of rows has.
        is_over: whether it prints no more, so that an empty piece is the end.
        last: the last attempt that there is.
    """

    number: int
    attempt: int
    data: bytes
    is_over: bool
    last: int


class DeviceReport(WireMessage, frozen=True):
    """What the facts of a device do not tell.

    Attributes:
        heard: when it last gave a sign of life, on the engine's clock; None: it is not asked for any.
        is_late: whether it has missed one, though it is not given up yet.
        about: what it has told of its machine; empty: nothing.
        unended: how many attempts count as ended but may still run there.
        load: as measured; None: it was not, or the device does not tell.
        interval: seconds between two signs of life that it is asked for; None: it is asked for none.
    """

    device_id: str
    heard: float | None = None
    is_late: bool = False
    about: str = ""
    unended: int = 0
    load: Metrics | None = None
    interval: float | None = None


class EngineReport(WireMessage, frozen=True):
    """What facts do not tell of an engine.

    Attributes:
        halted: why it has halted; empty: it has not.
        progress: how far running attempts have come, of those that report it.
        specs: a JSON array of `model.device.DeviceSpec`: what devices and groups were made from, but for those with
            options that are secrets, as tasks may look.
    """

    number: int
    halted: str
    devices: tuple[DeviceReport, ...]
    progress: tuple[Progress, ...] = ()
    specs: str = "[]"


class CheckpointHead(WireMessage, frozen=True):
    """The beginning of a checkpoint; its parts follow: those of the links, then those of the graph's turns.

    Attributes:
        row: the last row it stands for.
        links: how many links there are.
        turns: how many rows each turn has that shapes the graph.
    """

    row: int
    links: int
    turns: tuple[int, ...]


class CheckpointPart(WireMessage, frozen=True):
    """A part of a checkpoint, as it stands in the journal.

    Attributes:
        more: whether the same part goes on in the next message.
    """

    data: bytes
    more: bool = False


class FleetCheckpoint(WireMessage, frozen=True):
    """The fleet after a row, see `journal.fleet_replica`, and the time of then on the engine's clock."""

    row: int
    facts: Any
    at: float


class StreamHead(WireMessage, frozen=True):
    """What comes is of this stream, after this row; a client that has come to another one has what was lost here."""

    stream: str
    row: int


class WholeTurns(WireMessage, frozen=True):
    """All that has come is whole turns: the streams fit together. Hints, if they were asked for, are of this moment.

    Attributes:
        mark: the number of the `ReadTurns` that this answers; 0: of none.
    """

    hints: Any = None
    mark: int = 0


class RowBatch(WireMessage, frozen=True):
    """Rows as they stand in the journal.

    Attributes:
        first: the number of the first one.
    """

    first: int
    rows: tuple[bytes, ...]
