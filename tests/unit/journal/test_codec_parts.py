"""Large turns in parts, versions, and what no journal can keep."""

from __future__ import annotations

import gc
from decimal import Decimal
from functools import cache
from typing import Any

import pytest
from tests.driver import as_journalled, edge, task
from tests.unit.journal.test_codec import WALL, edges, filled, kept, sealed

from starloom import events as ev
from starloom.constellation import edits as ed
from starloom.journal import codec
from starloom.journal.base import JournalError
from starloom.journal.codec import PART_BYTES, RecordedTurn, decode_parts, encode_parts, has_more
from starloom.model.device import DeviceSpec
from starloom.model.plan import Limits
from starloom.model.result import ErrorInfo, Result
from starloom.model.status import RunState
from starloom.testing import layered

# ---- parts


@cache
def large_turn() -> list[ev.Event]:
    plan = layered(150, 300)
    return [
        ev.RunCreated(1, 0.0, "run", name="large"),
        ev.TasksDeclared(2, 0.0, "run", tasks=tuple(plan.tasks), dependencies=tuple(plan.dependencies)),
        ev.RunReadied(3, 0.0, "run"),
    ]


@cache
def large_parts() -> tuple[bytes, ...]:
    return tuple(encode_parts(large_turn(), WALL))


def test_a_large_plan_goes_in_parts_none_of_which_is_large() -> None:
    parts = large_parts()
    assert len(parts) >= 3
    assert max(map(len, parts)) < 2 * PART_BYTES
    assert [has_more(part) for part in parts] == [True] * (len(parts) - 1) + [False]
    assert list(map(as_journalled, decode_parts(parts, "run").events)) == large_turn()


def test_parts_of_a_plan_are_made_as_they_are_asked_for() -> None:
    parts = encode_parts(large_turn(), WALL)
    assert has_more(next(iter(parts)))


def test_a_plan_of_large_tasks_goes_in_parts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "PART_BYTES", 3000)
    tasks = tuple(task(f"t{number}", description="x" * (10 if number % 2 else 700)) for number in range(300))
    others = tuple(edge("t0", f"t{number}", "always") for number in range(1, 300))
    turn = [ev.TasksDeclared(1, 0.0, "run", tasks, (*others[:9], *edges("t1>t2"), *others[9:]))]
    parts = list(encode_parts(turn, WALL))
    assert max(map(len, parts)) < 3 * 3000
    assert kept(turn) == turn


def test_a_turn_of_very_many_events_goes_in_parts() -> None:
    turn = [ev.TaskReady(number, 0.0, "run", f"task-{number}") for number in range(1, 40_000)]
    parts = list(encode_parts(turn, WALL))
    assert len(parts) > 1
    assert max(map(len, parts)) < PART_BYTES + 1000
    assert kept(turn) == turn


@pytest.mark.parametrize("change", ["first missing", "last missing", "one missing", "swapped", "one too many", "none"])
def test_parts_that_are_not_those_of_a_turn_are_refused(change: str) -> None:
    parts = list(large_parts())
    changed = {
        "first missing": parts[1:],
        "last missing": parts[:-1],
        "one missing": parts[:-2] + parts[-1:],
        "swapped": [parts[-1], *parts[1:-1], parts[0]],
        "one too many": [*parts, parts[-1]],
        "none": [],
    }[change]
    with pytest.raises(JournalError, match="cannot be read"):
        decode_parts(changed, "run")


def test_a_part_of_another_turn_is_refused() -> None:
    parts = list(large_parts())
    others = list(encode_parts(large_turn(), WALL + 1))
    with pytest.raises(JournalError, match="a part of another turn"):
        decode_parts([*parts[:-1], others[-1]], "run")


@pytest.mark.parametrize("runs_by_itself", [True, False])
def test_the_collector_is_after_a_large_turn_as_it_was_before(runs_by_itself: bool) -> None:
    parts, before = list(large_parts()), gc.isenabled()
    (gc.enable if runs_by_itself else gc.disable)()
    try:
        with pytest.raises(JournalError):
            decode_parts(parts[:-1], "run")
        assert gc.isenabled() is runs_by_itself
    finally:
        (gc.enable if before else gc.disable)()


# ---- versions


def test_a_newer_version_is_named() -> None:
    data = sealed(["something new"], ev.FORMAT_VERSION + 1)
    for read in (has_more, lambda part: decode_parts([part], "run")):
        with pytest.raises(JournalError, match=r"format 2, and this version of Starloom reads up to 1\. Use the newer"):
            read(data)


def test_damage_to_the_version_is_not_taken_for_a_newer_one() -> None:
    (data,) = encode_parts([filled(ev.TaskReady)], WALL)
    with pytest.raises(JournalError, match="does not begin as one does"):
        has_more(bytes([ev.FORMAT_VERSION + 1]) + data[1:])


def test_an_older_version_is_read_through_its_migration(monkeypatch: pytest.MonkeyPatch) -> None:
    (data,) = encode_parts([ev.RunReadied(1, 0.0, "run")], WALL)
    monkeypatch.setattr(codec, "FORMAT_VERSION", 2)
    with pytest.raises(JournalError, match="cannot be read"):
        decode_parts([data], "run")
    monkeypatch.setitem(codec.MIGRATIONS, 1, lambda part: [part[0] + 1, *part[1:]])
    assert decode_parts([data], "run") == RecordedTurn(WALL, [ev.RunReadied(2, 0.0, "run")])


GOLDEN = bytes.fromhex(
    "010000001357983d9407cb3ff8000000000000cb41dad27480100000dc00129201a1619502a16101a164009602a16202a164"
    "01c39303a161019403a1620282a576616c756581a1789201c0a9657869745f636f6465009300ad5461736b436f6d706c6574"
    "656483a77461736b5f6964a163a7617474656d707401a6726573756c7481a576616c756581a178c70e029201c70901000000"
    "0000000000409504a1640181a56572726f7282a4636f6465a163a76d657373616765a16dcb40040000000000009405a16402"
    "81a9657869745f636f6465019406a165a172a1649607a1660180a172a86f70657261746f72960883a2696492a167a168a463"
    "616c6c92a46e6f6f70a46e6f6f70a87072696f726974799250c0909090c39608809100910190c3960880909091920183a670"
    "6172656e74a161a56368696c64a167a46b696e64a6616c77617973c391089300b5436f6e7374656c6c6174696f6e4d6f6469"
    "6669656483a87265766973696f6e01a76368616e6765739193ab7570646174655f7461736ba16281a774696d656f7574cb40"
    "14000000000000a66f726967696ea86f70657261746f72920981a164039300a852756e456e64656481a57374617465a66661"
    "696c65649300aa52756e4372656174656483a46e616d65a16ea66c696d69747381af6d61785f636f6e63757272656e637902"
    "a7646576696365739182a26964a164a5736c6f747304"
)
"""Written by format 1; a later format reads it too, or migrates it."""
GOLDEN_TURN = [
    ev.TaskReady(7, 1.5, "run", "a"),
    ev.TaskStarted(8, 1.5, "run", "a", 1, "d", 0),
    ev.TaskStarted(9, 1.5, "run", "b", 2, "d", 1, True),
    ev.TaskCompleted(10, 1.5, "run", "a", 1),
    ev.TaskCompleted(11, 1.5, "run", "b", 2, Result(value={"x": [1, None]}, exit_code=0)),
    ev.TaskCompleted(12, 1.5, "run", "c", 1, Result(value={"x": (1, 2**70)})),
    ev.TaskRetryScheduled(13, 1.5, "run", "d", 1, Result(error=ErrorInfo(code="c", message="m")), 2.5),
    ev.TaskFailed(14, 1.5, "run", "d", 2, Result(exit_code=1)),
    ev.TaskSkipped(15, 1.5, "run", "e", "r", "d"),
    ev.TaskCancelled(16, 1.5, "run", "f", 1, Result(), "r", "operator"),
    ev.TasksDeclared(17, 1.5, "run", (task("g", priority=80), task("h")), (*edges("g>h"), edge("a", "g", "always"))),
    ev.ConstellationModified(18, 1.5, "run", 1, (ed.UpdateTask("b", timeout=5.0),), (), "operator"),
    ev.FleetLoad(19, 1.5, "run", {"d": 3}),
    ev.RunEnded(20, 1.5, "run", RunState.FAILED),
    ev.RunCreated(21, 1.5, "run", "n", limits=Limits(max_concurrency=2), devices=(DeviceSpec(id="d", slots=4),)),
]


def test_a_turn_of_the_first_format_is_still_read() -> None:
    assert decode_parts([GOLDEN], "run") == RecordedTurn(WALL, GOLDEN_TURN)


def test_what_is_written_today_is_what_the_first_format_wrote() -> None:
    assert tuple(encode_parts(GOLDEN_TURN, WALL)) == (GOLDEN,)


# ---- what no journal can keep


@pytest.mark.parametrize(
    "value", [{1, 2}, Decimal(1), object(), [{"x": Decimal(1)}]], ids=lambda value: type(value).__name__
)
def test_a_value_that_is_not_plain_is_refused_in_a_sentence(value: Any) -> None:
    with pytest.raises(JournalError, match=r"TaskCompleted of task 't' holds .* Use JSON values only\."):
        kept([ev.TaskCompleted(1, 0.0, "run", "t", 1, Result(value=value))])


def test_a_value_that_is_nested_too_deeply_is_refused_in_a_sentence() -> None:
    value: Any = None
    for _ in range(100_000):
        value = [value]
    with pytest.raises(JournalError, match="nested too deeply"):
        kept([ev.TaskCompleted(1, 0.0, "run", "t", 1, Result(value=value))])
    while value:  # a list this deep must not be left to the collector's recursion
        value = value[0]


@pytest.mark.parametrize("is_plain", [True, False], ids=["plain", "of tuples"])
def test_what_is_kept_can_be_read_back_from_deeper_in_the_stack(is_plain: bool) -> None:
    def read(part: bytes, frames: int) -> Any:
        return read(part, frames - 1) if frames else decode_parts([part], "run").events[0]

    deepest = 0
    value: Any = None
    for depth in range(1, 1000):
        value = [value] if is_plain else (value,)
        event = ev.TaskCompleted(1, 0.0, "run", "t", 1, Result(value=value))
        try:
            (part,) = encode_parts([event], WALL)
        except JournalError as refusal:
            assert "nested too deeply" in str(refusal)  # noqa: PT017 - where it begins is not the same everywhere
            break
        deepest = depth
    assert deepest >= 50
    assert read(part, 100) is not None


def test_nan_comes_back() -> None:
    (decoded,) = kept([ev.TaskCompleted(1, 0.0, "run", "t", 1, Result(value=[float("nan")]))])
    assert repr(decoded.result.value) == "[nan]"  # type: ignore[attr-defined]  # it is a TaskCompleted


def test_an_error_about_a_file_that_is_not_utf8_can_be_kept() -> None:
    error = ErrorInfo(code="start_failed", message="There is no program 'caf\udce9'.")
    event = ev.TaskFailed(1, 0.0, "run", "t", 1, Result(error=error))
    assert kept([event]) == [event]


def test_the_usual_turn_takes_few_bytes() -> None:
    turn: list[ev.Event] = []
    for number in range(1, 49, 3):
        name = f"task-{number}"
        turn += [
            ev.TaskCompleted(number, 1.5, "run", name, 1),
            ev.TaskReady(number + 1, 1.5, "run", name),
            ev.TaskStarted(number + 2, 1.5, "run", name, 1, "local", number % 16),
        ]
    (part,) = encode_parts(turn, WALL)
    assert len(part) < 700
    assert decode_parts([part], "run") == RecordedTurn(WALL, turn)
