"""The parts of the command line, without a process of their own."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING, Any

import pytest

from starloom import events as ev
from starloom.cli import console
from starloom.cli.changes import changed_plan
from starloom.cli.job import Job, RunFinish, RunOptions, job_of
from starloom.cli.narration import MOST_LINES, Narrator, seconds, why
from starloom.cli.report import json_text, summary_lines
from starloom.cli.running import run_file
from starloom.cli.screen import Screen, last_lines, plain
from starloom.cli.simulated import _noticed_interrupts, run_simulated
from starloom.errors import PlanError, SettingsError
from starloom.foresight.virtual import SimulatedSpec, simulate
from starloom.formats import parse_plan
from starloom.model.plan import Plan
from starloom.model.result import ErrorInfo, Result
from starloom.model.status import RunState
from starloom.scheduling.scheduler import Scheduler
from starloom.scheduling.stimuli import AttemptEnded
from starloom.testing import chain, independent

if TYPE_CHECKING:
    from pathlib import Path

DOTTED = """
starloom: 1
devices: [{id: box, kind: local, slots: 2}, {id: sky, kind: simulated, speed: 2}]
tasks:
  a: {shell: echo a}
  a.b: {shell: echo b, needs: [a]}
  a.b.timeout: {simulate: 1s}
"""


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing but defaults: neither the user's settings file nor the environment."""
    for name in ("ENABLED", "MAX_CONCURRENCY", "STARVATION_TIMEOUT", "MAX_QUEUE", "PLACEMENT"):
        monkeypatch.delenv(f"STARLOOM_SCHEDULER_{name}", raising=False)
    empty = tmp_path / "settings.toml"
    empty.touch()
    monkeypatch.setenv("STARLOOM_SETTINGS", str(empty))
    monkeypatch.setenv("STARLOOM_JOURNAL", str(tmp_path / "journal"))


def dotted() -> Plan:
    return parse_plan(DOTTED)


def task(plan: Plan, task_id: str) -> Any:
    return plan.tasks[plan.index.place[task_id]]


# ---- --set


def test_a_change_sets_a_field_and_leaves_the_rest() -> None:
    plan = dotted()
    changed = changed_plan(plan, ["a.timeout=5m"])
    assert task(changed, "a").timeout == 300.0
    assert task(changed, "a.b") == task(plan, "a.b")
    assert task(plan, "a").timeout is None


def test_of_ids_with_dots_the_longest_that_fits_is_meant() -> None:
    changed = changed_plan(dotted(), ["a.b.timeout=7", "a.b.timeout.estimate=3"])
    assert task(changed, "a.b").timeout == 7.0
    assert task(changed, "a.b.timeout").estimate == 3.0
    assert task(changed, "a").timeout is None


def test_a_value_is_json_and_otherwise_text() -> None:
    changes = ['a.env={"X": "1"}', "a.priority=high", "a.retry=2", "a.name=NaN", "a.b.description=a = b"]
    changed = changed_plan(dotted(), changes)
    assert dict(task(changed, "a").env) == {"X": "1"}
    assert task(changed, "a").priority == 80
    assert task(changed, "a").retry.attempts == 3
    assert task(changed, "a").name == "NaN"
    assert task(changed, "a.b").description == "a = b"


def test_text_that_happens_to_be_json_is_text_where_the_field_wants_text() -> None:
    changed = changed_plan(dotted(), ["a.shell=true", "a.b.name=12"])
    assert task(changed, "a").shell == "true"
    assert task(changed, "a.b").name == "12"


def test_another_action_takes_the_old_one_away() -> None:
    changed = changed_plan(dotted(), ['a.command=["true"]'])
    assert (task(changed, "a").command, task(changed, "a").shell) == (("true",), None)


def test_of_two_changes_of_a_field_the_later_one_counts() -> None:
    assert task(changed_plan(dotted(), ["a.timeout=1", "a.timeout=2"]), "a").timeout == 2.0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("a.timout=3", "Did you mean 'timeout'?"),
        ("a.bb.timeout=3", "a task has no field 'bb.timeout'"),
        ("aa.timeout=3", "there is no task 'aa'. Did you mean 'a'?"),
        ("zzzzzz.timeout=3", "there is no task 'zzzzzz'"),
        ("nonsense", "TASK.FIELD=VALUE"),
        ("a.timeout", "gives 'timeout' no value"),
        ("", "TASK.FIELD=VALUE"),
        ("a.timeout=-3", "timeout"),
        ("a.timeout=soon", "'soon' is not a duration"),
        ("a.id=x", "no field 'id'"),
        ("a.task_id=x", "no field 'task_id'"),
        ('a.inputs={"x": "${nobody.value}"}', "nobody"),
        ("a.shell=null", "action"),
        ("a.inputs=" + "[" * 20_000, "inputs"),
    ],
)
def test_a_change_that_cannot_be_made_is_refused_with_a_hint(change: str, said: str) -> None:
    with pytest.raises(PlanError) as caught:
        changed_plan(dotted(), [change])
    assert said in str(caught.value)
    assert str(caught.value).startswith("--set")


# ---- options


def test_without_any_device_this_computer_is_the_fleet() -> None:
    job = job_of(chain(2), RunOptions())
    assert [(spec.id, spec.kind, spec.slots) for spec in job.plan.devices] == [("local", "local", None)]
    assert job.simulated is None


def test_the_devices_of_the_plan_are_the_fleet() -> None:
    assert [spec.id for spec in job_of(dotted(), RunOptions()).plan.devices] == ["box", "sky"]


def test_a_fleet_file_adds_and_overrides(tmp_path: Path) -> None:
    fleet = tmp_path / "fleet.yaml"
    fleet.write_text(
        "starloom: 1\ndevices: [{id: box, kind: local, slots: 9}, {id: new, kind: simulated}]\n"
        "limits: {max_concurrency: 3, groups: {g: 1}}\n"
    )
    job = job_of(dotted(), RunOptions(fleet=fleet))
    assert [(spec.id, spec.slots) for spec in job.plan.devices] == [("box", 9), ("sky", None), ("new", None)]
    assert (job.limits.max_concurrency, dict(job.limits.groups)) == (3, {"g": 1})
    named = job_of(dotted(), RunOptions(fleet=fleet, max_concurrency=7))
    assert (named.limits.max_concurrency, named.settings.concurrency) == (None, 7)


def test_a_simulation_takes_the_fleet_or_the_given_speeds() -> None:
    job = job_of(dotted(), RunOptions(simulate=True))
    assert job.simulated is not None
    assert [(d.id, d.slots, d.speed) for d in job.simulated] == [("box", 2, 1.0), ("sky", 1, 2.0)]
    job = job_of(dotted(), RunOptions(simulate=True, speeds="1, 1,2.5"))
    assert job.simulated is not None
    assert [(d.id, d.slots, d.speed) for d in job.simulated] == [
        ("sim-1", 1, 1.0),
        ("sim-2", 1, 1.0),
        ("sim-3", 1, 2.5),
    ]


@pytest.mark.parametrize("speeds", ["", "1,,2", "fast", "0", "-1", "inf", "nan", "1;2", "1," * 20_000])
def test_bad_speeds_are_refused(speeds: str) -> None:
    with pytest.raises(SettingsError, match="--speeds"):
        job_of(chain(2), RunOptions(simulate=True, speeds=speeds))


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (RunOptions(speeds="1"), "--speeds"),
        (RunOptions(max_concurrency=0), "--max-concurrency"),
        (RunOptions(placement="best"), "--placement"),
    ],
)
def test_an_option_that_cannot_be_used_is_named(wanted: RunOptions, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        job_of(chain(2), wanted)


def test_a_simulation_keeps_no_output(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="--output"):
        job_of(chain(2), RunOptions(simulate=True, output=tmp_path))


def test_an_output_folder_is_made_or_refused(tmp_path: Path) -> None:
    job_of(chain(2), RunOptions(output=tmp_path / "a" / "b"))
    assert (tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match="--output"):
        job_of(chain(2), RunOptions(output=tmp_path / "file"))


# ---- what is shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link", "link"),
        ("a\x07b\x00c\x9b31md", "abcd"),
        ("\x1bPq#0\x1b\\after", "after"),
        ("tab\tstays", "tab\tstays"),
        ("\u202egnp.exe", "gnp.exe"),
    ],
)
def test_control_characters_do_not_reach_the_terminal(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_of_output_the_last_lines_are_shown_as_a_terminal_would() -> None:
    assert last_lines("one\ntwo\n\nthree\n", 2) == ["two", "three"]
    assert last_lines("10 %\r50 %\r100 %\r\ndone\r\n", 5) == ["100 %", "done"]
    assert last_lines("", 3) == []
    assert last_lines("a\nb", 0) == []
    assert len(last_lines("x" * 5000, 1)[0]) < 500


@pytest.mark.parametrize(
    ("value", "shown"), [(0.0, "0.00s"), (1.234, "1.23s"), (12.34, "12.3s"), (59.94, "59.9s"), (310.7, "5m10s")]
)
def test_seconds_are_short(value: float, shown: str) -> None:
    assert seconds(value) == shown


def test_the_reason_of_a_failure_is_a_sentence() -> None:
    assert why(Result(error=ErrorInfo(code="exit_code", message="exit code 3"))) == "exit code 3."
    assert why(Result(error=ErrorInfo(code="x", message="It broke."))) == "It broke."
    assert why(Result()) == "no reason was given."


def test_the_json_is_the_summary_and_plain_ascii() -> None:
    virtual = simulate(Plan(name="Käse", tasks=chain(2, simulate=1.0).tasks), [SimulatedSpec("a")])
    text = json_text(virtual.summary())
    assert text.isascii()
    assert "\n" not in text
    assert json.loads(text) == json.loads(json.dumps(virtual.summary().to_dict()))
    assert json.loads(text)["name"] == "Käse"


def test_the_summary_tells_state_counts_makespan_path_devices_and_failures() -> None:
    plan = parse_plan(
        "starloom: 1\nname: small\ntasks:\n"
        "  good: {simulate: 2s}\n"
        "  bad: {simulate: {duration: 1s, outcome: failed}, retry: 1, needs: [good]}\n"
        "  left-out: {simulate: 1s, needs: [bad]}\n"
    )
    virtual = simulate(plan, [SimulatedSpec("box", 2)])
    text = "\n".join(text for text, _ in summary_lines(virtual.summary(), virtual.run))
    assert "bad failed after 2 attempts: Simulated failure of attempt 2" in text
    assert "partially failed: small" in text
    assert "3 (1 completed, 1 failed, 1 skipped)" in text
    assert "4.00s" in text
    assert "good → bad" in text
    assert "box  2 slots, busy for 4.00s, 50% used" in text


def test_many_failures_and_devices_are_not_all_listed() -> None:
    plan = Plan(tasks=tuple(independent(40, simulate=1.0).tasks))
    virtual = simulate(plan, [SimulatedSpec(f"d{n}", failure_rate=1.0) for n in range(60)])
    lines = [text for text, _ in summary_lines(virtual.summary(), virtual.run)]
    assert "and 30 more failed" in lines
    assert any(line.strip() == "and 20 more" for line in lines)
    assert len(lines) < 80


def test_a_run_in_which_everything_fails_does_not_flood_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    narrator = Narrator(Screen())
    virtual = simulate(independent(1, simulate=1.0), [SimulatedSpec("d")])
    narrator.run = virtual.run
    failure = ev.TaskFailed(1, 0.0, "r", "t0", 1, Result(error=ErrorInfo(code="x", message="It broke.")))
    narrator.tell_all([failure] * (MOST_LINES * 3))
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == MOST_LINES + 1
    assert "only counted" in told.err.splitlines()[-1]


def test_a_quiet_screen_tells_results_and_errors_only(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen(quiet=True)
    screen.note("note")
    screen.result("result")
    screen.error("error")
    assert capsys.readouterr() == ("result\n", "error\n")


def test_what_an_error_quotes_does_not_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    Screen().error("made by Starloom \x1b]0;title\x07\x1b[2J7\x9b1A \u202eor so\nand more")
    assert capsys.readouterr().err == "made by Starloom 7 or so\nand more\n"


# ---- simulated runs, interrupts, the console


def simulated_job(plan: Plan) -> Job:
    return job_of(plan, RunOptions(simulate=True, speeds="1,2"))


def test_a_simulated_run_ends_with_its_summary() -> None:
    job = simulated_job(chain(4, simulate=2.0))
    assert job.simulated is not None
    finish = run_simulated(job, job.simulated, Screen())
    assert (finish.exit_code, finish.summary.state) == (0, RunState.COMPLETED)
    assert finish.summary.tasks.completed == 4


def test_an_interrupted_simulation_is_cancelled_and_still_summed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    job = simulated_job(chain(4, simulate=2.0, retry=1))
    assert job.simulated is not None
    bad = tuple(SimulatedSpec(spec.id, failure_rate=1.0) for spec in job.simulated)
    monkeypatch.setattr(Screen, "note", lambda *_: signal.raise_signal(signal.SIGINT))  # when the first retry is told
    before = signal.getsignal(signal.SIGINT)
    finish = run_simulated(job, bad, Screen())
    assert signal.getsignal(signal.SIGINT) is before
    assert finish.exit_code == 130
    assert finish.summary.state is RunState.CANCELLED
    assert finish.summary.tasks.cancelled == 4


def test_a_second_interrupt_ends_a_simulation_at_once() -> None:
    with _noticed_interrupts() as noticed:
        signal.raise_signal(signal.SIGINT)
        assert noticed == [signal.SIGINT]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_a_run_that_completed_before_the_interrupt_counts_as_completed() -> None:
    virtual = simulate(chain(1, simulate=1.0), [SimulatedSpec("d")])
    assert RunFinish(run=virtual.run, summary=virtual.summary(), interrupted=True).exit_code == 0


@pytest.mark.expects_log
def test_an_engine_that_halts_is_a_failure_and_no_bad_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    decide = Scheduler.handle

    def break_down(scheduler: Scheduler, arrived: Any, now: float) -> Any:
        if any(isinstance(stimulus, AttemptEnded) for stimulus in arrived):
            raise ZeroDivisionError
        return decide(scheduler, arrived, now)

    monkeypatch.setattr(Scheduler, "handle", break_down)
    plan = tmp_path / "plan.yaml"
    plan.write_text("starloom: 1\ndevices: [{id: d, kind: simulated}]\ntasks: {a: {simulate: 0}}\n")
    assert run_file(plan, RunOptions(), Screen()) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert "ZeroDivisionError" in told.err


def test_without_a_console_its_absence_and_the_help_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console, "entry_points", lambda **_: [])
    assert console.open_console(Screen(), "the help") == 0
    told = capsys.readouterr().out
    assert "console is not part of this version" in told
    assert "the help" in told


def test_without_a_console_it_cannot_be_asked_to_open_a_plan(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console, "entry_points", lambda **_: [])
    assert console.open_console_with(["plan.yaml"], Screen()) == 1
    assert "console is not part of this version" in capsys.readouterr().err
