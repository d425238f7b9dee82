"""The soak's judge can say no: to a mark too many or too few, to a loss without a reason, to a secret that stands."""

from __future__ import annotations

import asyncio
import json
import zipfile
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from tests.soak.judge import Mark, files_that_tell, judge, read_marks, told_by
from tests.soak.links import BadLink, troubles
from tests.soak.plans import MARK, Planned, Planner, Soak
from tests.soak.work import FAILED, LINE

from starloom import events as ev
from starloom.formats.files import parse_plan
from starloom.model.result import ErrorInfo, Result

if TYPE_CHECKING:
    from pathlib import Path

PLANNED = {
    "a": Planned("completed", part=10, value=7),
    "b": Planned("failed", "exit_code", needs=("a",)),
}
BAD = Result(exit_code=FAILED, error=ErrorInfo(code="exit_code", message="exit code 3."))
LOST = Result(error=ErrorInfo(code="device_lost", message="Device 'box' was lost while it ran."))
GOOD = Result(value={"n": 7}, output_length=40)


def begin(task: str, attempt: int = 1, at: float = 0.0) -> Mark:
    return Mark("begin", task, attempt, at)


def end(task: str, code: int, attempt: int = 1, at: float = 1.0) -> Mark:
    return Mark("end", task, attempt, at, code)


def started(task: str, attempt: int = 1) -> ev.Event:
    return ev.TaskStarted(1, 0.0, "r", task_id=task, attempt=attempt, device_id="box", slot=0)


def event(kind: Any, task: str, **fields: Any) -> ev.Event:
    made: ev.Event = kind(1, 0.0, "r", task_id=task, **{"attempt": 1, **fields})
    return made


MARKS = [begin("a"), end("a", 0), begin("b", at=2.0), end("b", FAILED, at=3.0)]
EVENTS = [
    started("a"),
    event(ev.TaskCompleted, "a", result=GOOD),
    started("b"),
    event(ev.TaskFailed, "b", result=BAD),
]


def broken(marks: list[Mark] = MARKS, events: list[ev.Event] = EVENTS) -> list[str]:
    return judge(PLANNED, marks, told_by(events))


def test_nothing_is_said_of_a_run_that_did_as_planned() -> None:
    assert broken() == []


def test_an_attempt_may_be_lost_if_it_says_why_and_another_one_does_the_work() -> None:
    lost = [
        started("a"),
        event(ev.TaskRetryScheduled, "a", result=LOST),
        started("a", 2),
        event(ev.TaskInterrupted, "a", attempt=2, reason="Nobody can speak for it."),
        started("a", 3),
        event(ev.TaskCompleted, "a", attempt=3, result=GOOD),
        *EVENTS[2:],
    ]
    assert broken([begin("a"), begin("a", 2), end("a", 0, 2), begin("a", 3), end("a", 0, 3), *MARKS[2:]], lost) == []


@pytest.mark.parametrize(
    ("marks", "sentence"),
    [
        ([*MARKS, begin("a")], "it began 2 times"),
        ([*MARKS, end("a", 0)], "it ended 2 times"),
        ([*MARKS, begin("a", 2), end("a", 0, 2)], "ran as attempt 2, of which the journal knows nothing"),
        (MARKS[:1] + MARKS[2:], "it counts as completed, but its marks of an end say []"),
        (MARKS[1:], "it ended and never began"),
        (MARKS[:3], "it counts as failed, but its marks of an end say []"),
        ([*MARKS[:2], begin("b", at=0.5), MARKS[3]], "it began 0.50 s before a had ended"),
        ([MARKS[0], end("a", FAILED), *MARKS[2:]], "it counts as completed, but its marks of an end say [3]"),
    ],
)
def test_marks_that_do_not_fit_the_journal(marks: list[Mark], sentence: str) -> None:
    assert sentence in " ".join(broken(marks))


@pytest.mark.parametrize(
    ("events", "sentence"),
    [
        (EVENTS[:2], "b: it is not ended and not failed"),
        (EVENTS[:3], "the journal does not say how it ended"),
        ([*EVENTS[:3], event(ev.TaskCompleted, "b")], "b: it is completed and not failed"),
        ([*EVENTS[:2], ev.TaskSkipped(1, 0.0, "r", "b")], "b: it is skipped"),
        ([EVENTS[0], event(ev.TaskCompleted, "a", result=Result({"n": 8}, output_length=40)), *EVENTS[2:]], "value"),
        ([EVENTS[0], event(ev.TaskCompleted, "a", result=Result({"n": 7}, output_length=39)), *EVENTS[2:]], "39 bytes"),
        ([EVENTS[0], event(ev.TaskInterrupted, "a"), *EVENTS[2:]], "it began and was lost, and nothing says why"),
    ],
)
def test_a_journal_that_does_not_fit_the_plan(events: list[ev.Event], sentence: str) -> None:
    assert sentence in " ".join(broken(events=events))


def test_an_attempt_that_counts_as_never_begun_has_no_marks() -> None:
    error = ErrorInfo(code="start_failed", message="The link broke; it never began.")
    events = [*EVENTS[:3], event(ev.TaskRetryScheduled, "b", result=Result(error=error)), started("b", 2)]
    events.append(event(ev.TaskFailed, "b", attempt=2, result=BAD))
    marks = [*MARKS[:3], begin("b", 2, 2.0), end("b", FAILED, 2, 3.0)]
    assert broken(marks, events) == ["b, attempt 1 on box: it counts as never begun, but it has: " + error.message]


def test_a_secret_is_found_in_files_their_names_and_what_is_packed(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "output").write_bytes(b"\0" * 5000 + MARK.encode() + b"1")
    (tmp_path / f"{MARK}2").touch()
    (tmp_path / "clean").write_text("nothing")
    with zipfile.ZipFile(tmp_path / "run.starloom", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("output", "x" * 1000 + MARK + "x" * 1000)
    names = [path.removeprefix(f"{tmp_path}/") for path in files_that_tell(tmp_path, MARK)]
    assert sorted(names) == ["deep/output", f"{MARK}2", "run.starloom"]


def test_the_ledger_is_read_as_it_is_written() -> None:
    assert read_marks("begin t1 2 run-5 77 12.5 -\nend t1 2 run-5 77 13.5 0\n") == [
        Mark("begin", "t1", 2, 12.5),
        Mark("end", "t1", 2, 13.5, 0),
    ]
    with pytest.raises(ValueError, match="not enough values"):
        read_marks("begin t1\n")


def test_the_plan_follows_from_the_seed_and_holds_every_kind_of_end() -> None:
    soak = Soak(minutes=10, tasks=400, kills=2, seed=5)
    first, second = (Planner(soak, "/folder", ("box",), 8, ("SOAK", "1")) for _ in range(2))
    assert first.tasks == second.tasks
    assert {(one.status, one.code) for one in first.planned.values()} == {
        ("completed", ""),
        ("failed", "exit_code"),
        ("failed", "exception"),
        ("failed", "timeout"),
        ("skipped", ""),
    }
    assert Planned("completed", part=len(LINE) + 5, has_secret=True).printed == (
        b"the secret is ***\n" + 4 * f"{LINE}\n{LINE[:4]}".encode()
    )
    assert len(parse_plan(json.dumps({"starloom": 1, "tasks": first.tasks})).tasks) == 400


def test_a_secret_in_clear_is_heard_on_the_wire_also_in_two_pieces() -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(100):
            writer.write(data)
        writer.close()

    async def told_by_sending(*pieces: bytes) -> bool:
        async with (
            await asyncio.start_server(echo, "127.0.0.1", 0) as server,
            BadLink(server.sockets[0].getsockname()[1], MARK.encode()) as link,
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", link.port)
            for piece in pieces:
                writer.write(piece)
                assert await reader.readexactly(len(piece)) == piece
            writer.close()
            return link.told

    half = len(MARK) // 2
    assert asyncio.run(told_by_sending(b"nothing", MARK[:half].encode(), MARK[half:].encode()))
    assert not asyncio.run(told_by_sending(b"nothing", MARK[half:].encode(), MARK[:half].encode()))


def test_troubles_follow_from_the_seed() -> None:
    first, second, other = (list(islice(troubles(seed, "box1", 120), 200)) for seed in (1, 1, 2))
    assert first == second != other
    assert {one.kind for one in first} == {"cut", "outage", "silence", "delay", "throttle"}
