"""`starloom run --script` and `starloom report … .script.yaml`: what was done to one run is done to the next."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import yaml
from tests.end2end.shell import posix
from tests.end2end.test_cli_agents import ask

if TYPE_CHECKING:
    from tests.end2end.shell import Shell

pytestmark = posix

PLAN = """
starloom: 1
name: firmware
devices: [{id: here, kind: local, slots: 4}]
tasks:
  broken: {shell: 'test -e mended', cwd: FOLDER}
  build: {shell: echo built, needs: [{task: broken, kind: always}]}
  ship: {gate: 'Ship it?', needs: [build]}
  tell: {command: [echo, '${ship.value}'], needs: [ship]}
"""
SCRIPT = """
script: 1
entries:
  - do: {hold: tell}
  - started: ship
    do: {answer_gate: {task: ship, approve: true, note: all green}}
  - after: broken
    why: it was mended
    do: {edit: [{add_task: {id: mend, shell: 'touch mended', cwd: FOLDER, before: tell}}]}
  - after: mend
    do: {retry: broken}
  - after: [broken]
    do: {release: tell}
  - do: {drain_device: there}
"""


def given(shell: Shell) -> tuple[str, str]:
    folder = str(shell.folder)
    return shell.plan(PLAN.replace("FOLDER", folder)), shell.plan(SCRIPT.replace("FOLDER", folder), "mend.yaml")


def told(shell: Shell) -> tuple[list[tuple[str, str]], Any]:
    """What was done to the newest run by whom, and its script; both from its journal."""
    run = json.loads(shell.run("runs", "--json").stdout)[0]["id"]
    for name in ("told.json", "told.script.yaml"):
        done = shell.run("report", run, "-o", name)
        assert done.returncode == 0, done.stderr
    report = json.loads((shell.folder / "told.json").read_bytes())
    did = [(one["who"], one["what"]) for one in report["interventions"]]
    return did, yaml.safe_load((shell.folder / "told.script.yaml").read_text(encoding="utf-8"))


def test_a_script_is_carried_out_told_written_down_and_carried_out_again(shell: Shell) -> None:
    plan, script = given(shell)
    done = ask(shell, "", "run", plan, "--script", script, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["tasks"]["completed"] == 5
    assert "The script: 5 entries done, 1 refused." in done.stderr
    assert 'Entry 6 of the script, {"drain_device": "there"}, was refused: There is no device \'there\'.' in done.stderr
    assert "Nobody answers" not in done.stderr
    did, written = told(shell)
    assert {who for who, _ in did} == {"script mend.yaml"}
    assert [one["do"] for one in written["entries"]][:2] == [
        {"hold": "tell"},
        {"answer_gate": {"task": "ship", "approve": True, "note": "all green"}},
    ]
    (shell.folder / "mended").unlink()
    done = ask(shell, "", "run", plan, "--script", "told.script.yaml", "--json")
    assert done.returncode == 0, done.stderr
    again, rewritten = told(shell)
    assert [what for _, what in again] == [what for _, what in did]
    assert {who for who, _ in again} == {"script told.script.yaml"}
    assert [one["do"] for one in rewritten["entries"]] == [one["do"] for one in written["entries"]]
