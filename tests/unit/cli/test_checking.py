"""What `starloom validate` says of a plan that could be started, and of what would wait for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from starloom.cli.app import app

if TYPE_CHECKING:
    from pathlib import Path

_WRAPPED = "devices: [{id: box, kind: wrapped, options: {wrapper: [env]}}]\n"
_DASK = "devices: [{id: pool, kind: dask}]\n"
_SSH = "devices: [{id: there, kind: ssh, options: {host: there.example}}]\n"
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
        ("tasks: {a: {shell: x, device: lab}}", "'a': The plan has no device 'lab'. They wait until one of that name"),
        ("tasks: {a: {shell: x, device: local}}", ""),
        (_WRAPPED + "tasks: {a: {shell: x, device: lab}, b: {shell: x, device: box}}", "'a': The plan has no device"),
        (_WRAPPED + "tasks: {a: {python: 'm:f', device: box}}", "'a': No device of the plan runs `python` tasks."),
        (_DASK + "tasks: {a: {shell: x, device: pool-0}}", ""),
        (_INSIDE + "tasks: {a: {call: greet}}", ""),
        (
            _INSIDE + "tasks: {a: {call: greet, files: {send: x}}}",
            "'a': No device of the plan runs the handler 'greet' with files.",
        ),
        (_SSH + "tasks: {a: {shell: x, files: {send: x}}}", ""),
        (_WRAPPED + "tasks: {a: {shell: x, files: {send: x}}}", ""),
        ("tasks: {a: {python: 'm:f', files: {send: x}}}", ""),
        (
            _DASK + "tasks: {a: {shell: x, files: {send: x}}, b: {shell: x}, c: {gate: go?, files: {fetch: x}}}",
            "'a': No device of the plan runs `shell` tasks with files. They wait",
        ),
        (
            _SSH + "tasks: {a: {shell: x, metadata: {ssh: {upload: [x]}}}}",
            "'a': metadata.ssh still says which files are copied, but will not for ever; write files:",
        ),
    ],
)
def test_tasks_that_no_device_can_do_are_warned_of(tmp_path: Path, plan: str, said: str) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(f"starloom: 1\nname: p\n{plan}\n")
    done = CliRunner().invoke(app, ["validate", str(path)])
    assert done.exit_code == 0
    told = " ".join(done.stderr.split())
    assert said in told if said else not told
