"""The command line as people start it: real processes, real signals, every exit code."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from tests.benchmarks.bench_makespan import traces_folder

from starloom.formats import load_plan

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "resources" / "starloom_resources" / "examples").glob("*.yaml"))
TRACES = sorted(traces_folder().glob("*.json"))
PATIENCE = 60.0

posix = pytest.mark.skipif(sys.platform == "win32", reason="the plan's commands and signals are those of POSIX")

MIXED = """
starloom: 1
name: mixed
devices: [{id: here, kind: local, slots: 4}]
tasks:
  good: {shell: echo 7}
  again: {shell: 'echo try $STARLOOM_ATTEMPT; test $STARLOOM_ATTEMPT -ge 2', retry: 1}
  broken: {shell: 'printf "one\\n\\033[31mtwo\\033[0m\\n"; exit 3', needs: [good]}
  left-out: {shell: echo never, needs: [broken]}
  slow: {shell: sleep 60, timeout: 0.2s}
  big: {shell: echo big, needs: [{task: good, condition: value > 5}]}
  small: {shell: echo small, needs: [{task: good, condition: value < 5}]}
  mend: {shell: echo mended, needs: [{task: broken, kind: failure}]}
"""


class Shell:
    """Starts the command line in a folder of its own, with no settings but the defaults."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        settings = folder / "settings.toml"
        settings.touch()
        kept = {k: v for k, v in os.environ.items() if not k.startswith("STARLOOM_") and k not in ("NO_COLOR", "TERM")}
        self.env = {**kept, "STARLOOM_SETTINGS": str(settings), "TERM": "xterm"}

    def plan(self, text: str, name: str = "plan.yaml") -> str:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def run(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "starloom.cli", *arguments],
            cwd=self.folder,
            env={**self.env, **env},
            capture_output=True,
            text=True,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=False,
        )

    @contextmanager
    def started(self, *arguments: str, **options: Any) -> Iterator[subprocess.Popen[str]]:
        with subprocess.Popen(
            [sys.executable, "-m", "starloom.cli", *arguments],
            cwd=self.folder,
            env=self.env,
            stdin=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            preexec_fn=_take_signals,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
        ) as process:
            try:
                yield process
            finally:
                process.kill()


def _take_signals() -> None:
    """As in a terminal: whoever runs the tests in the background may have switched Ctrl-C off for all children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def until(condition: Any, what: str) -> Any:
    """What the condition gives once that is something."""
    deadline = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < deadline, f"waited in vain until {what}"
        time.sleep(0.01)
    return found


def numbers(path: Path) -> list[int]:
    """The process ids in a file, once it holds a whole line of them."""
    text = path.read_text() if path.exists() else ""
    return [int(word) for word in text.split()] if text.endswith("\n") else []


def is_gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


# ---- a real run


@posix
def test_a_run_tells_failures_retries_and_skips_and_ends_with_1(shell: Shell) -> None:
    done = shell.run("run", shell.plan(MIXED))
    assert done.returncode == 1, done.stderr
    assert re.search(r"failed +broken: exit code 3\.\n +\| one\n +\| two", done.stderr)
    assert re.search(r"retry +again: attempt 1 failed: exit code 1\. Trying again\.\n +\| try 1", done.stderr)
    assert re.search(r"failed +slow: It was stopped after its timeout of 0\.2s\.", done.stderr)
    assert "never" not in done.stdout + done.stderr
    assert "partially failed: mixed" in done.stdout
    assert "8 (4 completed, 2 failed, 2 skipped)" in done.stdout
    assert "makespan" in done.stdout
    assert "critical path" in done.stdout
    assert "here  4 slots" in done.stdout
    assert "broken failed: exit code 3.\n  | one\n  | two\n" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr


@posix
def test_json_is_one_object_on_stdout_with_the_agreed_shape(shell: Shell) -> None:
    done = shell.run("run", shell.plan(MIXED), "--json")
    assert done.returncode == 1
    assert done.stdout.count("\n") == 1
    found = json.loads(done.stdout)
    assert {"run_id", "state", "tasks", "makespan_s", "statistics", "devices", "scheduler"} <= set(found)
    assert found["state"] == "partially_failed"
    assert found["tasks"] == {"total": 8, "completed": 4, "failed": 2, "cancelled": 0, "skipped": 2}
    assert set(found["statistics"]) == {
        "longest_path_length",
        "longest_path_tasks",
        "max_width",
        "critical_path_length",
        "critical_path_tasks",
        "total_work",
        "parallelism_ratio",
    }
    (device,) = found["devices"]
    assert set(device) == {"id", "slots", "busy_s", "utilization"}
    assert (device["id"], device["slots"]) == ("here", 4)
    assert 0.2 < device["busy_s"] <= 4 * found["makespan_s"]
    seeds = {"enabled", "activeCount", "queuedCount", "totalSubmitted", "totalCompleted"}
    seeds |= {"highPriorityCompleted", "lowPriorityCompleted", "starvationPromotions"}
    assert seeds <= set(found["scheduler"])
    assert (found["scheduler"]["totalSubmitted"], found["scheduler"]["attempts"]) == (8, 7)


@posix
def test_quiet_leaves_stderr_empty(shell: Shell) -> None:
    done = shell.run("run", shell.plan(MIXED), "--quiet")
    assert done.stderr == ""
    assert "partially failed" in done.stdout


@posix
def test_a_run_in_which_all_goes_well_ends_with_0(shell: Shell) -> None:
    done = shell.run("run", shell.plan("starloom: 1\ntasks: {a: {shell: echo a}}\n"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "completed" in done.stdout


def test_a_plan_without_tasks_completes(shell: Shell) -> None:
    done = shell.run("run", shell.plan("starloom: 1\nname: nothing\ntasks: {}\n"), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["state"] == "completed"


@posix
def test_the_global_limit_holds(shell: Shell) -> None:
    plan = shell.plan(
        "starloom: 1\ndevices: [{id: d, kind: local, slots: 8}]\ndefaults: {timeout: 20s}\ntasks:\n"
        + "".join(f"  t{n}: {{shell: 'mkdir lock && sleep 0.02 && rmdir lock'}}\n" for n in range(12))
    )
    assert shell.run("run", plan, "--max-concurrency", "1", "--quiet").returncode == 0


@posix
def test_set_changes_a_task(shell: Shell) -> None:
    plan = shell.plan("starloom: 1\ntasks: {a: {shell: exit 1}, a.b: {shell: exit 1}}\n")
    done = shell.run("run", plan, "--set", "a.shell=echo changed > it", "--set", "a.b.shell=true")
    assert done.returncode == 0, done.stderr
    assert (shell.folder / "it").read_text() == "changed\n"


@posix
def test_output_keeps_whole_outputs_in_files(shell: Shell) -> None:
    plan = shell.plan(
        "starloom: 1\ntasks: {many: {shell: 'i=0; while [ $i -lt 9000 ]; do echo $i; i=$((i+1)); done'}}\n"
    )
    assert shell.run("run", plan, "--output", "kept/here").returncode == 0
    (file,) = (shell.folder / "kept" / "here").rglob("*.log")
    assert file.read_text().splitlines() == [str(n) for n in range(9000)]


@posix
def test_a_fleet_file_gives_the_devices(shell: Shell) -> None:
    plan = shell.plan("starloom: 1\ntasks: {a: {shell: echo a, requires: paint}}\n")
    fleet = shell.plan("starloom: 1\ndevices: [{id: easel, kind: local, capabilities: paint}]\n", "fleet.yaml")
    found = json.loads(shell.run("run", plan, "--fleet", fleet, "--json").stdout)
    assert (found["state"], [device["id"] for device in found["devices"]]) == ("completed", ["easel"])


@posix
@pytest.mark.parametrize("limits", ["{max_concurrency: 1}", "{groups: {g: 1}}"])
def test_the_limits_of_a_fleet_file_hold(shell: Shell, limits: str) -> None:
    plan = shell.plan(
        "starloom: 1\nlimits: {groups: {g: 8}}\ndefaults: {timeout: 20s, groups: g}\ntasks:\n"
        + "".join(f"  t{n}: {{shell: 'mkdir lock && sleep 0.02 && rmdir lock'}}\n" for n in range(12))
    )
    fleet = shell.plan(f"starloom: 1\ndevices: [{{id: d, kind: local, slots: 8}}]\nlimits: {limits}\n", "fleet.yaml")
    done = shell.run("run", plan, "--fleet", fleet)
    assert done.returncode == 0, done.stderr


# ---- runs that cannot go on


@pytest.mark.parametrize("how", [(), ("--simulate",)])
def test_a_stalled_run_says_why_is_cancelled_and_ends_with_1(shell: Shell, how: tuple[str, ...]) -> None:
    plan = shell.plan("starloom: 1\ntasks: {a: {simulate: 0}, lost: {simulate: 0, requires: gpu}}\n")
    done = shell.run("run", plan, "--json", *how)
    assert done.returncode == 1
    assert "Nothing can start any more: 'lost' needs a device that can gpu, and there is none." in done.stderr
    assert json.loads(done.stdout)["state"] == "cancelled"
    assert json.loads(done.stdout)["tasks"]["completed"] == 1


def test_a_device_that_is_not_reached_at_first_is_waited_for(shell: Shell) -> None:
    device = "{id: far, kind: simulated, connect_failures: 1}"
    done = shell.run("run", shell.plan(f"starloom: 1\ndevices: [{device}]\ntasks: {{a: {{simulate: 0}}}}\n"), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["tasks"]["completed"] == 1


# ---- bad input


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("starloom: 1\ntasks: {a: {shel: x}}\n", "Did you mean 'shell'?"),
        ("starloom: 1\ntasks: {a: {shell: x, needs: [b]}, b: {shell: x, needs: [a]}}\n", "cycle"),
        ("tasks: [", "plan.yaml"),
        ("starloom: 99\ntasks: {}\n", "version 99"),
        ("starloom: 1\ndevices: [{id: d, kind: lokal}]\ntasks: {a: {shell: x}}\n", "Did you mean 'local'?"),
    ],
)
def test_a_bad_plan_is_explained_and_ends_with_2(shell: Shell, text: str, said: str) -> None:
    plan = shell.plan(text)
    for command in ("run", "validate"):
        done = shell.run(command, plan)
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert said in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere.yaml",), "does not exist"),
        (("plan.yaml", "--fleet", "nowhere.yaml"), "does not exist"),
        (("plan.yaml", "--set", "b.timeout=3"), "there is no task 'b'"),
        (("plan.yaml", "--placement", "best"), "--placement"),
        (("plan.yaml", "--max-concurrency", "0"), "--max-concurrency"),
        (("plan.yaml", "--max-concurrency", "many"), "--max-concurrency"),
        (("plan.yaml", "--speeds", "1,2"), "--speeds"),
        (("plan.yaml", "--simulate", "--speeds", "fast"), "'fast' is not a speed"),
        (("plan.yaml", "--output", "plan.yaml/x"), "--output"),
        (("plan.yaml", "--nonsense"), "--nonsense"),
        ((), "PLAN"),
    ],
)
def test_a_bad_option_is_explained_and_ends_with_2(shell: Shell, arguments: tuple[str, ...], said: str) -> None:
    shell.plan("starloom: 1\ntasks: {a: {simulate: 0}}\n")
    done = shell.run("run", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_bad_setting_is_explained_and_ends_with_2(shell: Shell) -> None:
    plan = shell.plan("starloom: 1\ntasks: {a: {simulate: 0}}\n")
    done = shell.run("run", plan, STARLOOM_SCHEDULER_MAX_CONCURRENCY="lots")
    assert (done.returncode, done.stdout) == (2, "")
    assert "STARLOOM_SCHEDULER_MAX_CONCURRENCY" in done.stderr
    assert "Traceback" not in done.stderr


# ---- interrupts


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_cancels_the_run_stops_its_processes_and_still_sums_up(shell: Shell, number: int) -> None:
    plan = shell.plan(
        "starloom: 1\nname: long\ndevices: [{id: d, kind: local, slots: 2}]\ntasks:\n"
        "  long: {shell: 'sleep 600 & echo $$ $! > pids; wait'}\n"
        "  next: {shell: touch next, needs: [long]}\n"
    )
    with shell.started("run", plan, "--json") as process:
        pids = until(lambda: numbers(shell.folder / "pids"), "the task runs")
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in err
    found = json.loads(out)
    assert (found["state"], found["tasks"]["cancelled"]) == ("cancelled", 2)
    assert all(is_gone(pid) for pid in pids)
    assert not (shell.folder / "next").exists()


@posix
def test_a_second_interrupt_kills_what_does_not_want_to_stop(shell: Shell) -> None:
    grace = 300.0  # so long nobody waits: it is the second Ctrl-C that ends it
    plan = shell.plan(
        f"starloom: 1\ndevices: [{{id: d, kind: local, grace: {grace}}}]\ntasks:\n"
        "  stubborn: {shell: 'trap \"\" TERM; sleep 600 & echo $$ $! > pids; while :; do wait; sleep 0.1; done'}\n"
    )
    with shell.started("run", plan) as process:
        pids = until(lambda: numbers(shell.folder / "pids"), "the task runs")
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        assert "Press Ctrl-C again" in process.stderr.readline()
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "cancelled" in out
    until(lambda: all(is_gone(pid) for pid in pids), "the killed processes are gone")


@posix
def test_an_interrupt_that_is_switched_off_stays_so(shell: Shell) -> None:
    plan = shell.plan("starloom: 1\ntasks: {a: {shell: 'echo 1 > pids; while ! test -e go; do sleep 0.02; done'}}\n")
    command = f'trap "" INT; exec {sys.executable} -m starloom.cli run {plan} --quiet'
    with subprocess.Popen(["/bin/sh", "-c", command], cwd=shell.folder, env=shell.env, stdout=-1, text=True) as process:
        until(lambda: numbers(shell.folder / "pids"), "the task runs")
        process.send_signal(signal.SIGINT)
        (shell.folder / "go").touch()
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "completed" in out


# ---- where it writes


@posix
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_reader_that_goes_away_is_no_error(shell: Shell, stream: str) -> None:
    plan = shell.plan("starloom: 1\ntasks: {a: {shell: 'test $STARLOOM_ATTEMPT = 3 && touch ran', retry: 2}}\n")
    reading, writing = os.pipe()
    os.close(reading)
    with shell.started("run", plan, **{stream: writing}) as process:
        os.close(writing)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "Traceback" not in (out or "") + (err or "")
    assert "Exception" not in (out or "") + (err or "")
    assert (shell.folder / "ran").exists()


@posix
def test_the_schema_may_be_read_in_part(shell: Shell) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with shell.started("schema", stdout=writing) as process:
        os.close(writing)
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_result_that_cannot_be_written_is_a_failure(shell: Shell) -> None:
    plan = shell.plan("starloom: 1\ntasks: {a: {simulate: 0}}\n")
    with Path("/dev/full").open("w") as full, shell.started("run", plan, "--json", stdout=full) as process:
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert "could not be written" in err
    assert "Traceback" not in err


def test_an_encoding_that_lacks_a_character_ends_nothing(shell: Shell) -> None:
    plan = shell.plan("starloom: 1\nname: Käse\ntasks: {ä: {simulate: 0}, b: {simulate: 0, needs: [ä]}}\n")
    done = shell.run("run", plan, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0, done.stderr
    assert "K\\xe4se" in done.stdout


@posix
@pytest.mark.parametrize("no_color", [False, True])
def test_a_terminal_gets_progress_and_colours_unless_it_wants_none(shell: Shell, no_color: bool) -> None:
    import pty  # not there on Windows

    if no_color:
        shell.env["NO_COLOR"] = "1"
    ours, theirs = pty.openpty()
    with shell.started("run", shell.plan(MIXED), stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        shown = _read_terminal(ours)
        process.wait(PATIENCE)
    os.close(ours)
    assert process.returncode == 1
    assert "8 tasks" in shown
    assert "partially failed: mixed" in shown
    assert ("\x1b[31m" in shown) is not no_color
    assert "\x1b[31mtwo" not in shown  # what a task prints colours nothing


def _read_terminal(descriptor: int) -> str:
    shown = b""
    while True:
        try:
            data = os.read(descriptor, 65536)
        except OSError:  # so Linux says that the other side is closed
            data = b""
        if not data:
            return shown.decode(errors="replace")
        shown += data


# ---- simulations


@pytest.mark.skipif(not TRACES, reason=f"there are no recorded workflows in {traces_folder()}")
@pytest.mark.parametrize("trace", TRACES, ids=lambda path: path.stem)
def test_a_recorded_workflow_is_simulated_in_no_time(shell: Shell, trace: Path) -> None:
    options = ("--speeds", "1,1,2,4", "--placement", "critical_path", "--json")
    done = shell.run("run", str(trace), "--simulate", *options)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["state"] == "completed"
    assert found["tasks"]["completed"] == found["tasks"]["total"] == len(load_plan(trace).tasks)
    assert [device["id"] for device in found["devices"]] == ["sim-1", "sim-2", "sim-3", "sim-4"]
    assert found["statistics"]["critical_path_length"] <= found["makespan_s"] + 1e-6
    assert all(0 <= device["utilization"] <= 1 + 1e-9 for device in found["devices"])


@posix
def test_a_simulation_runs_nothing(shell: Shell) -> None:
    plan = shell.plan("starloom: 1\ntasks: {a: {shell: touch ran, estimate: 1h}}\n")
    found = json.loads(shell.run("run", plan, "--simulate", "--json").stdout)
    assert (found["state"], found["makespan_s"]) == ("completed", 3600.0)
    assert not (shell.folder / "ran").exists()


# ---- the other commands


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_good_and_completes(shell: Shell, example: Path) -> None:
    checked = shell.run("validate", str(example))
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "good" in checked.stdout
    done = shell.run("run", str(example), "--simulate", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["state"] == "completed"


@posix
def test_the_shorter_examples_run(shell: Shell) -> None:
    for name in ("hello.yaml", "pipeline.yaml"):
        done = shell.run("run", str(next(path for path in EXAMPLES if path.name == name)), "--json")
        assert done.returncode == 0, done.stderr


@posix
def test_the_demo_shows_what_it_promises_and_completes(shell: Shell) -> None:
    done = shell.run("demo", "--json")
    assert done.returncode == 0, done.stderr
    first, *rest = done.stderr.splitlines()
    assert "The demo runs" in first
    found = json.loads(done.stdout)
    assert found["state"] == "completed"
    assert 25 <= found["tasks"]["total"] <= 40
    assert (found["tasks"]["failed"], found["tasks"]["skipped"]) == (1, 2)
    assert 8 <= found["makespan_s"] <= 40
    assert {device["id"] for device in found["devices"] if device["busy_s"] > 0} == {"local", "north", "south"}
    for word in ("done", "retry", "warning", "skipped"):
        assert any(line.startswith(word) for line in rest), word
    assert sorted(path.name for path in shell.folder.iterdir()) == ["settings.toml"]


def test_all_plans_are_checked_even_after_a_bad_one(shell: Shell) -> None:
    bad = shell.plan("starloom: 1\ntasks: {a: {}}\n", "bad.yaml")
    good = shell.plan("starloom: 1\ntasks: {a: {simulate: 0}, b: {simulate: 0, needs: [a]}}\n", "good.yaml")
    done = shell.run("validate", bad, good)
    assert done.returncode == 2
    assert done.stdout == f"{good}: good: 2 tasks, 1 dependency, 0 devices\n"
    assert "bad.yaml" in done.stderr


def test_the_schema_is_json(shell: Shell) -> None:
    done = shell.run("schema")
    assert done.returncode == 0
    assert json.loads(done.stdout)["$schema"].startswith("https://json-schema.org/")


def test_the_version_is_told(shell: Shell) -> None:
    done = shell.run("--version")
    assert done.returncode == 0
    assert re.fullmatch(r"starloom \d+\.\d+\.\d+\S*\n", done.stdout)


def test_the_installed_program_is_the_same() -> None:
    program = Path(sys.executable).with_name("starloom")
    if not program.exists():
        pytest.skip(f"there is no {program}: the package is not installed in this environment")
    done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout.split()[0]) == (0, "starloom")


def test_alone_it_opens_an_installed_console(shell: Shell) -> None:
    (shell.folder / "aconsole.py").write_text("def start():\n    print('the console is open')\n    return 5\n")
    info = shell.folder / "aconsole-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: aconsole\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[starloom.console]\na = aconsole:start\n")
    done = shell.run(PYTHONPATH=str(shell.folder))
    assert (done.returncode, done.stdout) == (5, "the console is open\n"), done.stderr


def test_a_broken_console_is_named(shell: Shell) -> None:
    info = shell.folder / "aconsole-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: aconsole\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[starloom.console]\na = aconsole:start\n")
    done = shell.run(PYTHONPATH=str(shell.folder))
    assert done.returncode == 1
    assert "aconsole:start" in done.stderr
    assert "Traceback" not in done.stderr
