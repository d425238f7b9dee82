"""What `starloom validate` says of a plan that could be started, and of what would wait for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from starloom.cli.app import app

if TYPE_CHECKING:
    from pathlib import Path

_WRAPPED = "devices: [{id: box, kind: wrapped, options: {wrapper: [env]}}]\n"
_INSIDE = "devices: [{id: host, kind: inprocess}]\n"


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (
            "tasks: {a: {call: greet}}",
            "'a': A local device, on which it runs if no other is given, never runs the handler",
        ),
        (_WRAPPED + "tasks: {a: {python: 'm:f'}, b: {shell: x}}", "'a': No device of the plan runs `python` tasks."),
        (_WRAPPED + "tasks: {a: {shell: x}, b: {gate: go?}}", ""),
        (_INSIDE + "tasks: {a: {call: greet}}", ""),
    ],
)
def test_tasks_that_no_device_can_do_are_warned_of(tmp_path: Path, plan: str, said: str) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(f"starloom: 1\nname: p\n{plan}\n")
    done = CliRunner().invoke(app, ["validate", str(path)])
    assert done.exit_code == 0
    told = " ".join(done.stderr.split())
    assert said in told if said else not told
