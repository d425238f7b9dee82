"""What deserves telling: failures for good, ends, stalls and devices that were used when they were lost."""

from __future__ import annotations

import pytest
from tests.driver import Driver, plan, task
from tests.gui.shell.notification_service import Heard

from starloom.constellation.edits import EditBatch, RemoveTask, UpdateTask
from starloom.model.status import RunState
from starloom.model.task import Retry
from starloom.scheduling import commands as c
from starloom.scheduling.stimuli import AttemptWarned, DeviceConnectedNoticed, DeviceLostNoticed
from starloom_gui.shell import notices
from starloom_gui.shell.notice import NoticeKind
from starloom_gui.shell.notice_list import form_of
from starloom_gui.shell.notice_words import detail_of, title_of
from starloom_gui.shell.notices import BURST, STANDSTILL
from starloom_gui.theme.status_form import StatusForm

pytestmark = pytest.mark.usefixtures("app")


def kinds(heard: Heard) -> list[NoticeKind]:
    return [notice.kind for notice in heard.hear()]


def test_only_the_last_attempt_that_fails_is_told():
    driver = Driver()
    heard = Heard(driver)
    driver.create(plan([task("a", retry=Retry(attempts=2, delay=5.0)), "b"]))
    driver.fail("a")
    assert kinds(heard) == []
    driver.advance(5.0)
    driver.fail("a")
    (notice,) = heard.hear()
    assert (notice.kind, notice.task_id, notice.run_id) == (NoticeKind.FAILED, "a", "r")
    assert title_of(notice) == "a failed"
    assert detail_of(notice).startswith("Run r: ")


def test_a_task_is_called_by_its_name_and_found_by_its_id():
    driver = Driver()
    heard = Heard(driver)
    driver.create(plan([task("shell-2", name="Restore packages"), task("shell-3", name="Test"), "z"]))
    driver.fail("shell-2")
    (notice,) = heard.hear()
    assert (title_of(notice), notice.task_id) == ("Restore packages failed", "shell-2")
    driver.fail("shell-3")
    (notice,) = heard.hear()
    assert detail_of(notice) == "Run r: Restore packages, Test"


def test_a_burst_of_failures_is_one_notice_that_grows():
    driver = Driver()
    heard = Heard(driver)
    driver.create(plan([f"t{number}" for number in range(12)] + ["z"]))
    for number in range(6):
        driver.fail(f"t{number}")
    heard.hear()
    driver.advance(BURST / 2)
    for number in range(6, 12):
        driver.fail(f"t{number}")
    (notice,) = heard.hear()
    assert notice.count == 12
    assert title_of(notice).startswith("12 ")
    assert detail_of(notice) == "Run r: t0, t1, t2, …"
    assert {one.number for one in heard.came} == {notice.number}


def test_a_failure_after_the_burst_and_one_of_another_run_are_told_for_themselves():
    driver = Driver()
    heard = Heard(driver)
    driver.create(plan(["a", "b", "c"]))
    driver.create(plan(["a", "b"]), "s")
    driver.fail("a")
    driver.fail("a", "s")
    driver.advance(BURST + 1)
    driver.fail("b")
    assert [(notice.run_id, notice.names) for notice in heard.hear()] == [("r", ("a",)), ("s", ("a",)), ("r", ("b",))]


def test_a_burst_that_another_notice_came_after_grows_and_says_so():
    driver = Driver()
    heard = Heard(driver)
    driver.create(plan(["a", "b", "c", "d"]))
    driver.create(plan(["a", "b"]), "s")
    driver.fail("a")
    driver.fail("a", "s")
    heard.hear()
    told: list[int] = []
    heard.notices.changed.connect(lambda: told.append(len(heard.notices)))
    for task_id in ("b", "c"):
        driver.advance(BURST * 0.7)
        driver.fail(task_id)
        assert [(notice.run_id, notice.names[-1]) for notice in heard.hear()] == [("r", task_id), ("s", "a")]
    assert told == [2, 2]


def test_the_end_of_a_run_says_what_it_came_to():
    driver = Driver()
    heard = Heard(driver)
    driver.create(plan(["a", "b", "c"]))
    driver.end("a")
    driver.end("b")
    driver.fail("c")
    failed, ended = heard.hear()
    assert failed.kind is NoticeKind.FAILED
    assert ended.state is RunState.PARTIALLY_FAILED
    assert (title_of(ended), detail_of(ended)) == ("Run r has ended: Partially failed", "2 done, 1 failed")


def test_a_run_in_which_nothing_was_done_is_not_told_as_done():
    driver = Driver()
    heard = Heard(driver)
    driver.create(plan(["a", "b"], ["a>b"]))
    driver.turn(c.CancelTasks(run_id="r", task_ids=("a",)))
    driver.end("a", ok=False)
    (ended,) = heard.hear()
    assert title_of(ended) == "Run r has ended: Nothing done, 1 cancelled"
    assert form_of(ended) is StatusForm.CANCELLED


def test_a_run_that_cannot_go_on_says_why():
    driver = Driver()
    heard = Heard(driver)
    driver.create(plan([task("a", requires=["gpu"])]))
    (notice,) = heard.hear()
    assert title_of(notice) == "Run r cannot go on"
    assert "gpu" in detail_of(notice)
    driver.add_device("big", slots=1, capabilities=["gpu"])
    assert [title_of(notice) for notice in heard.hear()] == ["Run r could not go on"]


def test_that_it_cannot_go_on_is_told_once_however_often_it_is_edited_meanwhile():
    driver = Driver()
    heard = Heard(driver)
    driver.create(plan([task("a", requires=["gpu"])]))
    for seconds in (5, 10, 20):
        driver.advance(seconds)
        driver.edit(UpdateTask("a", timeout=float(seconds)))
    (notice,) = heard.hear()
    assert notice.at == heard.wall(driver.now)
    driver.advance(STANDSTILL + 1)
    driver.edit(UpdateTask("a", timeout=99.0))
    assert len(heard.hear()) == 2


def test_a_lost_device_is_told_once_and_only_if_it_was_used():
    driver = Driver(devices=("d", "e"))
    heard = Heard(driver)
    driver.create(plan([task("a", device="d"), task("b", device="d"), task("c", device="e")]))
    driver.end("c")
    assert kinds(heard) == []
    driver.end("a", lost=True)
    driver.end("b", lost=True)
    lost = next(notice for notice in heard.hear() if notice.kind is NoticeKind.LOST)
    assert kinds(heard).count(NoticeKind.LOST) == 1
    assert (title_of(lost), lost.count) == ("d was lost", 2)
    assert detail_of(lost).startswith("Run r: 2 ")


def test_a_device_that_cannot_be_reached_while_tasks_run_there_is_told_once_before_they_are_lost():
    driver = Driver(devices=("lab", "spare"))
    heard = Heard(driver)
    driver.create(plan([task("a", device="lab"), task("b", device="lab"), "z"]))
    driver.turn(DeviceLostNoticed("spare", "unplugged", lost_after=0.0))
    driver.turn(DeviceLostNoticed("lab", "no sign of life", lost_after=600.0))
    driver.advance(30.0)
    driver.turn(DeviceLostNoticed("lab", "no route", lost_after=600.0))
    (notice,) = heard.hear()
    assert (notice.kind, notice.ids, form_of(notice)) == (NoticeKind.LOST, ("lab",), StatusForm.WARNED)
    assert (title_of(notice), notice.count) == ("lab is unreachable", 2)
    assert detail_of(notice).startswith("2 ")


def test_an_unreachable_device_on_which_nothing_runs_is_not_told():
    driver = Driver(devices=("lab", "spare"))
    heard = Heard(driver)
    driver.create(plan([task("a", device="spare")]))
    driver.turn(DeviceLostNoticed("lab", "no sign of life", lost_after=600.0))
    assert kinds(heard) == []


def test_a_device_that_is_lost_after_it_was_unreachable_is_told_as_lost():
    driver = Driver(devices=("lab",))
    heard = Heard(driver)
    driver.create(plan([task("a", device="lab"), "z"]))
    driver.turn(DeviceLostNoticed("lab", "no sign of life", lost_after=5.0))
    driver.advance(5.0)
    driver.end("a", lost=True)
    told = [title_of(notice) for notice in heard.hear() if notice.kind is NoticeKind.LOST]
    assert told == ["lab is unreachable", "lab was lost"]


def test_a_device_that_is_back_was_unreachable():
    driver = Driver(devices=("lab",))
    heard = Heard(driver)
    driver.create(plan([task("a", device="lab"), "z"]))
    driver.turn(DeviceLostNoticed("lab", "no sign of life", lost_after=600.0))
    assert [title_of(notice) for notice in heard.hear()] == ["lab is unreachable"]
    driver.turn(DeviceConnectedNoticed("lab"))
    (notice,) = heard.hear()
    assert title_of(notice) == "lab was unreachable"
    assert " ran there" in detail_of(notice)
    driver.turn(DeviceLostNoticed("lab", "no sign of life", lost_after=600.0))
    assert [title_of(notice) for notice in heard.hear()] == ["lab was unreachable", "lab is unreachable"]


def test_what_was_answered_waited_and_does_so_no_more():
    driver = Driver()
    heard = Heard(driver)
    driver.create(plan([task("ship", gate="Ship it?"), "z"]))
    assert [title_of(notice) for notice in heard.hear()] == ["ship waits for you"]
    driver.do(c.AnswerGate(run_id="r", task_id="ship", approve=True))
    assert [title_of(notice) for notice in heard.hear()] == ["ship waited for you"]
    driver.do(c.RerunFrom(run_id="r", task_id="ship"))
    told = [title_of(notice) for notice in heard.hear() if notice.kind is NoticeKind.WAITING]
    assert told == ["ship waited for you", "ship waits for you"], "it waits anew"


def test_a_kind_that_is_not_wanted_is_not_told():
    driver = Driver()
    heard = Heard(driver)
    heard.notices.hidden = frozenset({NoticeKind.FAILED})
    driver.create(plan(["a"]))
    driver.fail("a")
    assert kinds(heard) == [NoticeKind.ENDED]


def test_the_list_is_bounded_and_can_be_cleared():
    driver = Driver(checked=False)
    heard = Heard(driver)
    for number in range(notices.MOST + 5):
        driver.create(plan(["a"]), f"run {number}")
        driver.end("a", f"run {number}")
    told = heard.hear()
    assert [told[0].run_id, told[-1].run_id, len(told)] == ["run 5", f"run {notices.MOST + 4}", notices.MOST]
    heard.notices.clear()
    assert heard.hear() == []


def test_what_was_seen_is_unread_again_when_it_grows():
    driver = Driver()
    heard = Heard(driver)
    driver.create(plan(["a", "b", "c"]))
    driver.fail("a")
    heard.hear()
    assert heard.notices.unseen == 1
    heard.notices.note_seen()
    assert heard.notices.unseen == 0
    driver.fail("b")
    heard.hear()
    assert heard.notices.unseen == 1


def test_what_happened_before_anybody_listened_is_not_told():
    driver = Driver()
    driver.create(plan(["a", "b"]))
    driver.fail("a")
    first = Heard(driver)
    assert first.hear()
    late = notices.Notices(first.notices._log, first.notices._facts, first.notices._fleet, str, first.wall)
    driver.fail("b")
    first.hear()
    assert len(late) == 0


def test_what_was_told_keeps_its_time_though_a_server_that_was_started_again_has_another_clock():
    driver = Driver()
    heard = Heard(driver)
    driver.create(plan(["a", "b"]))
    driver.fail("a")
    (before,) = heard.hear()
    heard.began += 66.0
    driver.fail("b")
    first, *later = heard.hear()
    assert first.at == before.at == 1_800_000_000.0 + driver.now
    assert {one.at for one in later} == {first.at + 66.0}


def test_proposals_that_wait_are_told_once_for_each_agent_and_a_run_that_waits_for_them_is_not_stuck():
    driver = Driver()
    heard = Heard(driver)
    driver.create(plan(["a", "b", "c", "d"], ["a>c", "b>d"]))
    for name in ("x", "y"):
        driver.do(c.AttachAgent(run_id="r", agent=name, asks=("remove_task",)))
    driver.end("a")
    _propose(driver, 1, "x", "c", "it is not needed")
    _propose(driver, 1, "y", "d", "")
    first, second = heard.hear()
    assert (first.kind, title_of(first)) == (NoticeKind.WAITING, "x waits for you")
    assert detail_of(first) == "Run r: it is not needed"
    assert title_of(second) == "y waits for you"
    driver.end("b")
    _propose(driver, 2, "x", "d", "nor is that")
    grown = next(notice for notice in heard.hear() if notice.names == ("x",))
    assert grown.count == 2
    assert detail_of(grown).startswith("Run r: 2 ")
    assert kinds(heard).count(NoticeKind.STALLED) == 0


def _propose(driver: Driver, cycle: int, agent: str, task_id: str, reason: str) -> None:
    batch = EditBatch(edits=(RemoveTask(task_id),), reason=reason)
    driver.do(c.AnswerEditCycle(run_id="r", agent=agent, cycle=cycle, proposal=batch))


# ---- warnings


def test_a_failure_that_is_a_warning_and_what_a_task_warns_of_are_one_notice_that_is_no_failure():
    driver = Driver()
    heard = Heard(driver)
    driver.create(plan([task("a", severity="warning"), "b"]))
    driver.turn(AttemptWarned("r", "b", 1, "the disk is nearly full"))
    (notice,) = heard.hear()
    assert (notice.kind, notice.task_id) == (NoticeKind.WARNED, "b")
    assert form_of(notice) is StatusForm.WARNED, "as its node has it"
    assert (title_of(notice), detail_of(notice)) == ("b: a warning", "Run r: the disk is nearly full")
    driver.fail("a")
    (notice,) = heard.hear()
    assert (notice.count, title_of(notice)) == (2, "2 warning(s) of tasks")
    assert detail_of(notice) == "Run r: b, a"


def test_an_overdue_task_is_told_once():
    driver = Driver()
    heard = Heard(driver)
    driver.create(plan([task("a", estimate=600.0)]))
    driver.advance(1_800.0)
    driver.advance(1_800.0)
    (notice,) = heard.hear()
    assert (notice.kind, notice.task_id) == (NoticeKind.WARNED, "a")
    assert detail_of(notice) == "Run r: overdue on d: it was expected to take 10:00"
    assert driver.run().overdue
