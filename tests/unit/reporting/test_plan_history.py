"""What the last runs of a plan tell of its tasks: flaky, slower, their usual durations, what was renamed or removed."""

from __future__ import annotations

import numpy as np
import pytest
from tests.driver import Driver, plan, task
from tests.unit.reporting.plan_runs import BEGIN, DAY, column, ran

from starloom.constellation.edits import RemoveTask, UpdateTask
from starloom.reporting.plan_history import ABSENT, SAMPLES, PlanHistory, durations, flaky_counts, is_slower
from starloom.reporting.run_digest import RunDigest, digest_of, work_of
from starloom.scheduling import commands as c
from starloom.scheduling.state.codes import CANCELLED, COMPLETED, FAILED, REMOVED, RUNNING

NAN = float("nan")


def judged(*runs: tuple[int, int]) -> tuple[int, int]:
    """Bad ends and ends of one task by its status and earlier failures in each run."""
    status = np.array([[code for code, _ in runs]], np.uint8)
    failures = np.array([[count for _, count in runs]], np.int32)
    bad, of = flaky_counts(status, failures, status != ABSENT)
    return int(bad[0]), int(of[0])


@pytest.mark.parametrize(
    ("runs", "bad", "of"),
    [
        ([(COMPLETED, 0), (FAILED, 0), (COMPLETED, 0)], 1, 3),
        ([(COMPLETED, 0), (COMPLETED, 2)], 1, 2),
        ([(FAILED, 1), (COMPLETED, 1)], 2, 2),
        ([(FAILED, 0), (FAILED, 0)], 0, 2),
        ([(COMPLETED, 1), (COMPLETED, 1)], 0, 2),
        ([(COMPLETED, 0), (COMPLETED, 0)], 0, 2),
        ([(COMPLETED, 0), (CANCELLED, 0), (RUNNING, 1), (ABSENT, 0)], 0, 1),
        ([(FAILED, 0)], 0, 1),
    ],
    ids=["failed once", "retried once", "failed or retried", "always failed", "always retried", "done", "open", "once"],
)
def test_a_task_is_flaky_only_if_its_runs_disagree(runs: list[tuple[int, int]], bad: int, of: int) -> None:
    assert judged(*runs) == (bad, of)


@pytest.mark.parametrize(
    ("seconds", "slower"),
    [
        ([10, 10, 10, 10, 18], True),
        ([10, 10, 10, 10, 14], False),
        ([10, 10, 10, 18], False),
        ([0.1, 0.1, 0.1, 0.1, 0.9], False),
        ([10, 90, 10, 10, 10, 18], True),
        ([10, 10, 10, 10, 18, NAN], True),
        ([10, 10, 10, 10, 18, 10], False),
        ([NAN, NAN], False),
        ([], False),
    ],
    ids=[
        "longer",
        "little longer",
        "few samples",
        "a moment",
        "an outlier",
        "not the last run",
        "once",
        "unknown",
        "none",
    ],
)
def test_a_task_is_slower_by_its_last_duration_against_the_median_before(seconds: list[float], slower: bool) -> None:
    assert bool(is_slower(durations(np.array([seconds], np.float64)))[0]) is slower


def test_flags_and_shades_come_from_runs_as_they_were() -> None:
    usual = [column(number, {"a": 4.0, "b": 10.0}) for number in range(SAMPLES)]
    retried = task("a", retry={"attempts": 2})
    last = column(SAMPLES, {"a": 4.0, "b": 20.0}, tasks=[retried, task("b")], fails=["a"])
    history = PlanHistory([*usual, last])
    assert history.ids == ["a", "b"]
    assert history.flakiness(0) == (1, SAMPLES + 1)
    assert history.flakiness(1) is None
    slow = history.slowdown(1)
    assert slow is not None
    assert (slow.last, slow.usual, slow.samples, slow.ratio) == (20.0, 10.0, SAMPLES, 2.0)
    assert history.slowdown(0) is None
    assert [history.ratio(1, at) for at in range(SAMPLES + 1)] == [1.0] * SAMPLES + [2.0]
    assert last.attempts == {0: 2}
    assert last.failures == {0: 1}


def test_another_definition_is_another_task() -> None:
    before = [task("a", command=["make", "old"])]
    columns = [column(number, {"a": 4.0}, tasks=before, fails=["a"] * (number % 2)) for number in range(5)]
    now = column(5, {"a": 40.0}, tasks=[task("a", name="Now", command=["make", "new"])])
    history = PlanHistory([*columns, now])
    assert (history.flakiness(0), history.slowdown(0)) == (None, None)
    assert history.usual[0] == 40.0
    assert (history.title(0), history.earlier_titles(0)) == ("Now", ["a"])
    old = PlanHistory(columns)
    assert old.flakiness(0) == (2, 5), "with what it did then, it was flaky"


def test_what_a_task_does_counts_and_not_how_it_is_called_or_when_it_may_run() -> None:
    one = task("a", command=["make"], inputs={"x": [1]})
    assert work_of(one) == work_of(task("b", name="B", command=["make"], inputs={"x": [1]}, priority=90, timeout=3))
    assert len({work_of(one), work_of(task("a", command=["make"])), work_of(task("a", shell="make"))}) == 3


def test_a_task_that_the_newest_run_has_not_is_told_and_comes_last() -> None:
    driver = ran(1, {"a": float("inf"), "c": 1.0})
    driver.edit(RemoveTask("c"), run_id="r1")
    history = PlanHistory([column(0, {"b": 1.0, "a": 1.0, "c": 1.0}), digest_of(driver.run("r1"))])
    assert history.ids == ["a", "c", "b"]
    assert [history.is_removed(row) for row in range(3)] == [False, True, True]
    assert history.status.tolist() == [[COMPLETED, RUNNING], [COMPLETED, REMOVED], [COMPLETED, ABSENT]]
    assert history.title(1) == "c", "the run that had it to its end tells its name"


def test_a_column_that_goes_on_is_taken_over() -> None:
    driver = ran(9, {"a": float("inf")})
    live = digest_of(driver.run("r9"))
    history = PlanHistory([column(number, {"a": 4.0}) for number in range(SAMPLES)] + [live])
    assert (live.state, live.since) == ("executing", BEGIN + 9 * DAY)
    assert history.slowdown(0) is None
    driver.now += 9.0
    driver.fail("a", "r9")
    history.columns[-1].status[0] = FAILED
    history.refresh(SAMPLES)
    assert history.flakiness(0) == (1, SAMPLES + 1)


def changed_and_retried() -> Driver:
    """A run whose only task has failed, was given another command, and waits to be tried again."""
    driver = ran(1, {"a": 1.0}, tasks=[task("a", shell="exit 3")], fails=["a"])
    driver.do(c.DrainDevice(device_id="lab-1"))
    driver.ask(c.RetryTasks, "a", run_id="r1")
    driver.edit(UpdateTask("a", shell="exit 0"), run_id="r1")
    return driver


def test_a_task_whose_command_was_mended_is_not_flaky_as_the_other_one_was_what_failed() -> None:
    driver = changed_and_retried()
    mended = column(2, {"a": 1.0}, tasks=[task("a", shell="exit 0")])
    history = PlanHistory([digest_of(driver.run("r1")), mended])
    assert history.flakiness(0) is None, "it has not been tried again yet, and what failed was another one"
    driver.do(c.ResumeDevice(device_id="lab-1"))
    driver.end("a", "r1")
    digest = digest_of(driver.run("r1"))
    assert digest.attempts == {0: 2}
    assert PlanHistory([digest, mended]).flakiness(0) is None


def test_a_failure_of_the_mended_command_itself_counts() -> None:
    driver = changed_and_retried()
    driver.do(c.ResumeDevice(device_id="lab-1"))
    driver.fail("a", "r1")
    driver.ask(c.RetryTasks, "a", run_id="r1")
    driver.end("a", "r1")
    mended = column(2, {"a": 1.0}, tasks=[task("a", shell="exit 0")])
    assert digest_of(driver.run("r1")).failures == {0: 1}, "the first one did something else"
    assert PlanHistory([digest_of(driver.run("r1")), mended]).flakiness(0) == (1, 2)


def test_no_runs_are_no_error() -> None:
    history = PlanHistory([])
    assert (history.ids, history.flaky.tolist(), history.slower.tolist()) == ([], [], [])


def test_what_was_only_simulated_is_neither_slower_nor_flaky_nor_usual() -> None:
    work = [task("a", shell="sleep 20")]
    columns = [column(number, {"a": 20.0}, tasks=work) for number in range(4)]
    acted = [column(number, {"a": 0.02}, tasks=work, device="simulated") for number in range(4, 7)]
    failed = [column(7, {"a": 20.0}, tasks=work, fails=["a"]), column(8, {"a": 20.0}, tasks=work)]
    assert [one.simulated for one in (*columns, *acted)] == [set()] * 4 + [{0}] * 3
    history = PlanHistory([*columns, *acted, *failed])
    assert history.usual[0] == 20.0
    assert history.slowdown(0) is None
    assert history.flakiness(0) == (1, 6)
    assert [history.ratio(0, at) for at in range(5)] == [1.0] * 4 + [None]
    assert PlanHistory([*acted, failed[0]]).flakiness(0) is None


def test_what_was_marked_by_hand_says_nothing_of_a_task() -> None:
    marked = ran(0, {"a": 2.0}, fails=["a"])
    marked.ask(c.MarkTasks, "a", run_id="r0")
    failed = [column(number, {"a": 2.0}, fails=["a"]) for number in (1, 2)]
    first = digest_of(marked.run("r0"))
    assert (first.status[0], first.by_hand) == (COMPLETED, {0})
    assert PlanHistory([first, *failed]).flakiness(0) is None, "it has failed whenever it ran"


def gate_answered(number: int, *, approve: bool) -> RunDigest:
    driver = Driver(devices=(), checked=False)
    driver.create(plan([task("ask", gate={"message": "Ship it?"})]), run_id=f"r{number}")
    driver.do(c.AnswerGate(run_id=f"r{number}", task_id="ask", approve=approve))
    return digest_of(driver.run(f"r{number}"))


def test_a_gate_that_people_answered_differently_is_not_flaky() -> None:
    history = PlanHistory([gate_answered(number, approve=number != 1) for number in range(3)])
    assert history.status.tolist() == [[COMPLETED, FAILED, COMPLETED]]
    assert history.flakiness(0) is None
