"""What a plan would run is said in full, and the digest changes with exactly that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.driver import plan, task
from tests.gui.documents.plans import commands, small

from starloom.model.device import DeviceSpec
from starloom_gui.dialogs.first_look import lines_of
from starloom_gui.documents.would_run import digest_of, would_run
from starloom_gui.text import translations

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication


def test_tasks_that_run_the_same_are_one_step_and_what_only_takes_time_is_counted():
    all_of_it = would_run(replace(commands(), tasks=(*commands().tasks, *small("s", "t").tasks)))
    assert [(step.action, step.text, step.titles) for step in all_of_it.steps] == [
        ("command", "echo 'hi there'", ("a", "b")),
        ("call", "noop", ("c",)),
    ]
    assert all_of_it.simulated == 2


def test_nothing_of_a_command_is_left_out():
    long = "x" * 5000
    one = task("a", shell=f"set -e\n{long}", env={"LD_PRELOAD": "/x.so"}, cwd="/srv", inputs={"n": [1]}, device="lab")
    said = "\n".join(line.said() for line in lines_of(would_run(plan([one]))))
    for part in (long, "set -e", "LD_PRELOAD=/x.so", "cwd=/srv", "n=[1]", "on lab"):
        assert part in said


@pytest.mark.parametrize(
    ("hidden", "seen"),
    [
        ("rm -rf \u202ekcab", r"rm -rf \u202ekcab"),
        ("a\u2066b\u2069", r"a\u2066b\u2069"),
        ("a\u200bb", r"a\u200bb"),
        ("a\rb", r"a\rb"),
        ("a\x1b[8mb", r"a\x1b[8mb"),
        ("a\U000e0041b", r"a\U000e0041b"),
        ("caf\u00e9 \U0001f680", "caf\u00e9 \U0001f680"),
        ("one\n\ttwo", "one\n\ttwo"),
    ],
)
def test_nothing_can_hide_or_turn_round_what_is_run(hidden: str, seen: str) -> None:
    one = task("a", name=hidden, shell=hidden, env={"A": hidden})
    (line,) = lines_of(would_run(plan([one])))
    assert (line.title, f"A={seen}" in line.lines, line.lines[-1]) == (seen, True, f"on any device · {seen}")


def test_what_is_run_is_called_as_in_the_inspector(spoken: QApplication) -> None:
    translations.install(spoken, "de")
    (line,) = lines_of(would_run(plan([task("a", command=("make", "docs"))])))
    assert line.mark == "Befehl"


def test_devices_are_said_with_their_options():
    device = DeviceSpec(id="lab", kind="ssh", slots=2, options={"host": "lab.example", "user": "root"})
    said = [line.said() for line in lines_of(would_run(replace(commands(), devices=(device,))))]
    assert said[0] == "Device lab · ssh\n    slots=2\n    host=lab.example\n    user=root"


CHANGES = {
    "another argument": lambda one: replace(one, command=("echo", "ho")),
    "a variable": lambda one: replace(one, env={"A": "b"}),
    "another device": lambda one: replace(one, device="lab"),
    "another folder": lambda one: replace(one, cwd="/"),
    "another input": lambda one: replace(one, inputs={"a": 1}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_changes_what_is_run_changes_the_digest(change):
    first, *others = commands().tasks
    assert digest_of(replace(commands(), tasks=(change(first), *others))) != digest_of(commands())


def test_a_device_of_the_plan_changes_the_digest():
    lab = DeviceSpec(id="lab", kind="ssh", options={"host": "a"})
    digests = {digest_of(replace(commands(), devices=devices)) for devices in ((), (lab,))}
    other = replace(lab, options={"host": "b"})
    assert len(digests | {digest_of(replace(commands(), devices=(other,)))}) == 3


def test_what_runs_nothing_else_does_not():
    first, *others = commands().tasks
    later = replace(first, priority=90, timeout=5.0, name="a", description="words", retry=3)
    assert digest_of(replace(commands(), tasks=(later, *others), name="other")) == digest_of(commands())


def test_a_plan_that_only_simulates_needs_no_look():
    assert digest_of(small()) == ""
    assert digest_of(replace(small(), devices=(DeviceSpec(id="s", kind="simulated"),))) == ""
    assert digest_of(replace(small(), devices=(DeviceSpec(id="s", kind="ssh", options={"host": "h"}),)))


def test_what_the_rules_of_a_plan_bring_is_listed_and_counts_for_the_digest():
    rule = {
        "name": "sneaky",
        "on": {"task": "one", "status": "completed"},
        "do": [
            {"add_task": {"id": "hidden", "shell": "rm -rf /", "env": {"A": "1"}, "needs": ["one"]}},
            {"update_task": {"task": "two", "command": ["echo", "two words"]}},
            {"remove_task": "three"},
        ],
    }
    base = plan([task("one", shell="true"), task("two", shell="true"), task("three", shell="true")])
    ruled = replace(base, rules=(rule,))
    found = {step.text: step for step in would_run(ruled).steps}
    assert set(found) == {"true", "rm -rf /", "echo 'two words'"}
    assert (found["rm -rf /"].action, found["rm -rf /"].details) == ("shell", ('env={"A": "1"}',))
    assert found["rm -rf /"].titles == ("rule “sneaky”",)
    assert digest_of(ruled) != digest_of(base)
    simulated = replace(plan([task("one", simulate=1.0)]), rules=(rule,))
    assert digest_of(simulated), "it is to be looked at"
