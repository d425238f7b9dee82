"""Starloom's own format: what is read, what is written, and that each bad plan is told with line and remedy."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from starloom.errors import PlanError, Problem
from starloom.formats import dump_plan, load_fleet, load_plan, parse_plan, save_fleet, save_plan
from starloom.formats.fields import describe
from starloom.model.dependency import Dependency
from starloom.model.device import DeviceSpec
from starloom.model.note import Note
from starloom.model.plan import Limits, Plan
from starloom.model.status import DependencyKind, Fence, GateDefault
from starloom.model.task import Gate, Prefer, Retry, Simulate, Task

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLE = """\
starloom: 1
name: demo
devices:
  box: {slots: 4, host: example.org}
limits: {max_concurrency: 3, groups: {db: 1}}
defaults: {timeout: 10m}
tasks:
  - {id: fetch, command: [fetch, --all], priority: high, timeout: 1h30m}
  - id: build
    shell: |
      make
      make test
    needs: fetch
  - id: report
    prompt: Look at ${build.value.summary}
    needs:
      - {task: build, condition: value.score > 0.8}
      - {task: fetch, kind: always}
"""


def problems(text: str | bytes, **known: Any) -> tuple[Problem, ...]:
    with pytest.raises(PlanError) as caught:
        parse_plan(text, **known)
    return caught.value.problems


def one(text: str | bytes, **known: Any) -> Problem:
    found = problems(text, **known)
    assert len(found) == 1, found
    return found[0]


def tasks(*lines: str) -> str:
    return "\n".join(["starloom: 1", "tasks:", *(f"  - {line}" for line in lines)])


def test_the_example_is_read() -> None:
    plan = parse_plan(EXAMPLE)
    assert plan.devices == (DeviceSpec(id="box", slots=4, options={"host": "example.org"}),)
    assert plan.limits == Limits(max_concurrency=3, groups={"db": 1})
    assert [task.timeout for task in plan.tasks] == [5400, 600, 600]
    assert plan.tasks[1].shell == "make\nmake test\n"
    assert plan.dependencies == (
        Dependency(parent="fetch", child="build"),
        Dependency(parent="build", child="report", kind=DependencyKind.CONDITION, condition="value.score > 0.8"),
        Dependency(parent="fetch", child="report", kind=DependencyKind.ALWAYS),
    )


def test_tasks_may_be_a_mapping_and_dependencies_a_list() -> None:
    text = "starloom: 1\ntasks: {a: {shell: x}, b: {shell: x}}\ndependencies: [{parent: a, child: b, kind: failure}]"
    plan = parse_plan(text)
    assert [task.id for task in plan.tasks] == ["a", "b"]
    assert plan.dependencies[0].kind is DependencyKind.FAILURE


def test_yaml_words_that_are_no_booleans_stay_text() -> None:
    metadata = parse_plan("starloom: 1\nmetadata: {a: no, b: 2026-01-01, c: 1:30, d: 1e3, e: 0x10, f: ~}").metadata
    assert metadata == {"a": "no", "b": "2026-01-01", "c": "1:30", "d": 1000.0, "e": 16, "f": None}


FULL = Plan(
    name="full",
    description="all there is",
    devices=(
        DeviceSpec(id="a", kind="ssh", slots=2, capabilities=frozenset({"gpu"}), speed=2.5, options={"host": "h"}),
        DeviceSpec(id="b", options={"slots": "taken"}),
    ),
    limits=Limits(max_concurrency=0, groups={"db": 2}),
    fence=Fence.DESCENDANTS,
    rules=({"on": {"task": "d*"}, "do": [{"remove_task": "e"}]},),
    notes=(
        Note(text="<b>bold</b> & so\n\n  on: ${e.value}", x=-12.5, y=80, width=240, task="two"),
        Note(text="- 1"),
    ),
    layout={"two": (-120, 40), "1": (0, 0), "3 #: x": (1_000_000, -1_000_000)},
    metadata={"on": "off", "1": ["0o17", "1e5", "~", "", " x", "a\tb", "ä\u2028", "null", 10**30]},
    tasks=(
        Task(id="1", name="one", description="d", tips=("t",), command=("a", "-1", "yes"), env={"A": "1"}, cwd="/"),
        Task(id="two", shell="a\n  b\n\nc \n", retry=Retry(3), requires=frozenset({"x", "y"}), device="a"),
        Task(id="3 #: x", python="m:f", inputs={"a": [1, 2.5, None, True]}, device=Prefer("b"), upstream=True),
        Task(id="d", call="h", retry=Retry(1, delay=1e-9, cap=0.1 + 0.2), timeout=0.25, estimate=90061, priority=33),
        Task(id="e", prompt="p", severity="critical", join="any", on_interrupt="ask", groups=("db",)),  # type: ignore[arg-type]
        Task(id="f", simulate=Simulate()),
        Task(id="g", simulate=Simulate(5400, "failed", 2, {"v": 1}), metadata={"m": {"n": []}}),
        Task(id="h", gate=Gate("yes"), breakpoint=True),
        Task(id="i", gate=Gate()),
        Task(id="j", gate=Gate("Ship it?", 90, GateDefault.SKIP)),
    ),
    dependencies=(
        Dependency(parent="1", child="two"),
        Dependency(parent="1", child="g", kind=DependencyKind.CONDITION, condition="status == 'x'"),
        Dependency(parent="two", child="g", metadata={"note": "n"}),
        Dependency(parent="1", child="d", kind=DependencyKind.ALWAYS),
    ),
)


@pytest.mark.parametrize("suffix", [".yaml", ".yml", ".json"])
def test_a_saved_plan_is_loaded_equal(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"plan{suffix}"
    save_plan(FULL, path)
    assert load_plan(path) == FULL
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_what_is_written_is_short_and_readable() -> None:
    text = dump_plan(parse_plan(EXAMPLE))
    assert "command: [fetch, --all]" in text
    assert "timeout: 1h30m" in text
    assert "priority: high" in text
    assert "needs: [fetch]" in text
    assert "severity" not in text
    assert "    make test\n" in text


def test_saving_keeps_the_old_file_when_it_cannot_write_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "plan.yaml"
    save_plan(FULL, path)
    bad = Plan(metadata={"x": {1: 2}})
    with pytest.raises(PlanError, match="the key 1 is not text"):
        save_plan(bad, path)
    assert load_plan(path) == FULL


def test_an_unknown_suffix_is_refused_but_a_format_may_be_given(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"'\.txt' says no format"):
        save_plan(FULL, tmp_path / "plan.txt")
    save_plan(FULL, tmp_path / "plan.txt", format="json")
    assert load_plan(tmp_path / "plan.txt") == FULL
    with pytest.raises(PlanError, match="no format"):
        dump_plan(FULL, "toml")


def test_saving_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.yaml", tmp_path / "link.yaml"
    save_plan(FULL, real)
    try:
        link.symlink_to(real)
    except OSError:
        pytest.skip("links cannot be made here")
    save_plan(Plan(name="new"), link)
    assert link.is_symlink()
    assert load_plan(real).name == "new"


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        (tasks("{id: a, comand: [x]}"), 3, "unknown field 'comand'. Did you mean 'command'?"),
        (tasks("{id: a, shell: x, severity: fatal}"), 3, "must be warning, error or critical, not 'fatal'."),
        (tasks("{id: a, shell: x, timeout: soon}"), 3, "tasks.a.timeout: 'soon' is not a duration"),
        (tasks("{id: a, shell: x, env: {A: 1}}"), 3, "tasks.a.env.A: must be text, not 1. Put it in quotes."),
        (tasks("{id: a, command: make}"), 3, "must be a list, not 'make'"),
        (tasks("{id: a, shell: x, device: {prefr: b}}"), 3, "must be the id of a device, or a mapping with prefer"),
        (tasks("{id: a, shell: x, retry: {atempts: 3}}"), 3, "Did you mean 'attempts'?"),
        (tasks("{id: a, shell: x, depends_on: b}"), 3, "Did you mean 'needs'?"),
        (tasks("{id: a, shell: x, after: b}"), 3, "Did you mean 'needs'?"),
        (tasks("{id: a}"), 3, "has no action; give exactly one of command"),
        (tasks("{id: a, shell: x, prompt: y}"), 3, "has shell and prompt"),
        (tasks("{shell: x}"), 3, "the field 'id' is missing"),
        (tasks("{id: a, python: x}"), 3, "module:function"),
        (tasks("{id: a, shell: x}", "{id: a, shell: x}"), 4, "used by more than one task; the first is on line 3"),
        (
            tasks("{id: a, shell: x, needs: [biuld]}", "{id: build, shell: x}"),
            3,
            "'biuld', which is not a task. Did you mean",
        ),
        (tasks("{id: a, shell: x}", "{id: b, shell: x, needs: [a, a]}"), 4, "depends on 'a' twice"),
        (tasks("{id: a, shell: x, needs: b}", "{id: b, shell: x, needs: a}"), 3, "a → b → a"),
        (tasks("{id: a, shell: x}", "{id: b, shell: x, needs: {task: a, knd: x}}"), 4, "Did you mean 'kind'?"),
        (
            tasks("{id: a, shell: x}", "{id: b, shell: x, needs: {task: a, condition: 'foo > 1'}}"),
            4,
            "names 'foo', which is not known",
        ),
        (tasks("{id: a, shell: x}", "{id: b, command: ['${a.value.x}']}"), 4, "does not wait for it. Add needs: [a]."),
        (tasks("{id: a, prompt: '${a.value}'}"), 3, "reads its own result"),
        ("starloom: 2\ntasks: []", 1, "version 2"),
        ("starloom: 1\ntaks: []", 2, "Did you mean 'tasks'?"),
        ("tasks: []", None, "'starloom' is missing"),
        ("starloom: 1\ndefaults: {shell: x}", 2, "cannot be a default"),
        ("starloom: 1\ndevices: [{id: d, slots: many}]", 2, "devices.d.slots: must be a whole number, not 'many'."),
        ("starloom: 1\nlimits: {groups: {a: -1}}", 2, "limits.groups.a: must be 0 or more, not -1."),
        (
            tasks("{id: a, gate: {mesage: x}}"),
            3,
            "unknown field 'mesage'. Did you mean 'message'?",
        ),
        (tasks("{id: a, gate: {after: 3, then: abrt}}"), 3, "must be proceed, skip or abort, not 'abrt'."),
        (tasks("{id: a, gate: {after: 3}}"), 3, "tasks.a.gate: a gate with after needs then"),
        (tasks("{id: a, gate: {then: skip}}"), 3, "tasks.a.gate: a gate with then needs after"),
        (tasks("{id: a, shell: x, breakpoint: 2}"), 3, "tasks.a.breakpoint: must be true or false, not 2."),
        ("starloom: 1\nfence: all", 2, "fence: must be global, descendants, scope, optimistic or none, not 'all'."),
        (
            "starloom: 1\nplacement: best",
            2,
            "placement: must be round_robin, capability_match, load_balance or critical_path, not 'best'.",
        ),
        ("starloom: 1\nrules:\n- on: {}\n  do: [{remov: a}]", 4, "rules[0].do[0]"),
        ("starloom: 1\nrules:\n- on: {status: done}\n  do: [{remove_task: a}]", 3, "must be completed or failed"),
        ("starloom: 1\nrules: 3", 2, "rules: must be a list, not 3."),
        ("starloom: 1\nnotes: 3", 2, "notes: must be a list, not 3."),
        ("starloom: 1\nnotes:\n- x: 1", 3, "notes[0].text: the field 'text' is missing."),
        ("starloom: 1\nnotes:\n- text: ' '", 3, "a note must not be empty; remove it instead."),
        ("starloom: 1\nnotes:\n- text: a\n  with: 3", 4, "Did you mean 'width'?"),
        ("starloom: 1\nnotes:\n- text: a\n  width: 9", 4, "notes[0].width: must be 96 or more, not 9."),
        ("starloom: 1\nnotes:\n- text: a\n- text: b\n  x: .inf", 5, "is not a number that can be used"),
        ("starloom: 1\nnotes:\n- text: a\n  x: 1.0e+9", 4, "notes[0].x: must be 1000000 or less, not 1000000000"),
        ('starloom: 1\nnotes:\n- text: "a\\u202Eb"', 3, "must not hold control characters"),
        (f"starloom: 1\nnotes:\n- text: {'a' * 2001}", 3, "notes[0].text: must have at most 2000 characters"),
        ("starloom: 1\nlayout: 3", 2, "layout: must be a mapping, not 3. Write key: value, one a line."),
        ("starloom: 1\nlayout: [[1, 2]]", 2, "layout: must be a mapping, not a list."),
        ("starloom: 1\nlayout:\n  a: 3", 3, "layout.a: a position is two whole numbers, as in [120, -40]."),
        ("starloom: 1\nlayout:\n  a: [1, 2, 3]", 3, "layout.a: a position is two whole numbers, as in [120, -40]."),
        ("starloom: 1\nlayout:\n  a: [1, 2]\n  b: [1.5, 2]", 4, "layout.b: a position has whole numbers only"),
        ("starloom: 1\nlayout:\n  a: [true, 2]", 3, "layout.a: a position has whole numbers only"),
        ("starloom: 1\nlayout:\n  a: ['1', 2]", 3, "layout.a: a position has whole numbers only"),
        ("starloom: 1\nlayout:\n  a: [1000001, 2]", 3, "layout.a: a position has numbers from -1000000 to 1000000"),
        ("starloom: 1\nlayout:\n  '': [1, 2]", 3, "must not be empty"),
        ("starloom: 1\nnotes:\n" + "- text: a\n" * 201, 2, "notes: must have at most 200 entries"),
        ('{"starloom": 1,\n"tasks": [\n{"id": "a",\n"comand": []}]}', 4, "Did you mean 'command'?"),
    ],
)
def test_a_bad_plan_is_told_with_line_and_remedy(text: str, line: int | None, told: str) -> None:
    found = problems(text)
    match = [problem for problem in found if told in str(problem)]
    assert match, [str(problem) for problem in found]
    assert match[0].line in ((line,) if line else (None, 1))
    assert "pydantic" not in str(found)
    assert "Input should" not in str(found)


def test_every_problem_is_told_at_once_in_the_order_of_the_lines() -> None:
    text = tasks("{id: a, comand: x}", "{id: b, shell: x, needs: [zz, c]}", "{id: c, shell: x, needs: b, timeout: x}")
    found = problems(text)
    assert [problem.line for problem in found] == sorted(problem.line or 0 for problem in found)
    assert {problem.code for problem in found} == {"unknown_field", "unknown_task", "cycle", "field"}


def test_a_bad_default_is_told_once() -> None:
    text = "starloom: 1\ndefaults: {timeout: soon}\ntasks: [{id: a, shell: x}, {id: b, shell: x}]"
    assert one(text).where == "defaults.timeout"


def test_a_grandparent_s_result_may_be_read() -> None:
    lines = ("{id: a, shell: x}", "{id: b, shell: x, needs: a}", "{id: c, prompt: '${a.value}', needs: b}")
    assert len(parse_plan(tasks(*lines)).tasks) == 3


def test_many_tasks_may_read_one_distant_result_quickly() -> None:
    lines = ["{id: t0, shell: x}"]
    lines += [f"{{id: t{n}, prompt: '${{t0.value}}', needs: t{n - 1}}}" for n in range(1, 3000)]
    assert len(parse_plan(tasks(*lines)).tasks) == 3000


DEEP = 101


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("", None, "is empty"),
        ("# only this", None, "empty but for comments"),
        (b"starloom: 1\nname: \xff", 2, "not UTF-8"),
        ("starloom: 1\nname: &a x", 2, "anchor &a"),
        ("starloom: 1\nname: *a", 2, "alias *a"),
        ("starloom: 1\nname: !!python/name:os.system x", 2, "the tag"),
        ("starloom: 1\nmetadata: !!map {}", 2, "the tag"),
        ("starloom: 1\n---\nstarloom: 1", 2, "several YAML documents"),
        ("starloom: 1\nname: a\nname: b", 3, "the key 'name' appears twice in the same mapping; it is on line 2"),
        ('{"starloom": 1,\n"name": "a",\n"name": "b"}', 3, "'name' appears twice"),
        ('{"starloom": 1,\n"metadata": {"a": NaN}}', 2, "NaN is not a number"),
        ('{"starloom": 1,\n"metadata": {"a": 1e999}}', 2, "1e999 is not a number"),
        ("starloom: 1\nmetadata: {a: .inf}", 2, ".inf is not a number"),
        ("starloom: 1\nmetadata: {a: " + "9" * 5000 + "}", 2, "is not a number"),
        ('{"starloom": 1, "metadata": {"a": ' + "9" * 5000 + "}}", 1, "is not a number"),
        ('{"starloom": 1, "name": "\\ud800"}', None, "half a character"),
        ("starloom: 1\n\tname: x", 2, "Indent with spaces"),
        ('{"starloom": 1,\n"name": }', 2, "not valid JSON"),
        ('{"starloom": 1,\n"name": "x"', 2, "ends too early"),
        ("starloom: 1\n[a]: x", 2, "a key must be text"),
        ('{"starloom": 1,\n"metadata": ' + "[" * DEEP + "]" * DEEP + "}", 2, "deeper than 100"),
        ("starloom: 1\nmetadata: " + "[" * DEEP + "]" * DEEP, 2, "deeper than 100"),
        ("[" * 100_000, 1, "deeper than 100"),
        ('{"a":' * 100_000, 1, "deeper than 100"),
        ("- " * 100_000, 1, "deeper than 100"),
        ("{a: 1}", None, "WfFormat"),
        ("[1, 2]", 1, "is a mapping of fields, not a list"),
        ("just text", 1, "not 'just text'"),
    ],
)
def test_text_that_is_no_plan_is_refused_with_a_sentence(text: str | bytes, line: int | None, told: str) -> None:
    problem = problems(text)[0]
    assert told in str(problem)
    assert problem.line == line


def test_a_huge_text_is_refused_before_it_is_read() -> None:
    assert one("#" * 50_000_001).code == "too_large"


def test_json_may_be_yaml_flow_and_the_suffix_decides_in_doubt() -> None:
    assert parse_plan("{starloom: 1, name: x}").name == "x"
    assert one("{starloom: 1, name: x}", source="x.json").code == "syntax"


def test_files_that_cannot_be_read_are_told_plainly(tmp_path: Path) -> None:
    for path, told in [(tmp_path / "none.yaml", "does not exist"), (tmp_path, "a folder, not a file")]:
        with pytest.raises(PlanError, match=told) as caught:
            load_plan(path)
        assert caught.value.source == str(path)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the administrator may read everything")
def test_a_file_without_permission_is_told_plainly(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("starloom: 1")
    path.chmod(0)
    with pytest.raises(PlanError, match="no permission"):
        load_plan(path)


def test_a_fleet_file_has_devices_and_limits_only(tmp_path: Path) -> None:
    path = tmp_path / "fleet.yaml"
    path.write_text("starloom: 1\ndevices: [{id: a, host: h}]\nlimits: {max_concurrency: 2}\n")
    assert load_fleet(path) == ((DeviceSpec(id="a", options={"host": "h"}),), Limits(max_concurrency=2))
    path.write_text(json.dumps({"starloom": 1, "tasks": []}))
    with pytest.raises(PlanError, match="unknown field 'tasks'"):
        load_fleet(path)


def test_text_that_is_quoted_and_cut_keeps_its_closing_quote() -> None:
    assert describe("x" * 100).endswith("…'")


def test_a_list_without_entries_is_called_empty() -> None:
    with pytest.raises(PlanError, match="not an empty list"):
        parse_plan('{"starloom": 1, "tasks": {"a": {"command": []}}}')


def test_a_fleet_is_written_as_it_is_read(tmp_path: Path) -> None:
    devices = (
        DeviceSpec(id="a", kind="ssh", slots=2, capabilities=frozenset({"gpu"}), options={"host": "h", "port": 2222}),
        DeviceSpec(id="b", trip_after=0, cool_down=90.0),
    )
    for name in ("fleet.yaml", "fleet.json"):
        assert save_fleet(devices, tmp_path / name, Limits(max_concurrency=2, groups={"g": 1})) == ()
        assert load_fleet(tmp_path / name) == (devices, Limits(max_concurrency=2, groups={"g": 1}))
    assert "cool_down: 1m30s" in (tmp_path / "fleet.yaml").read_text()
    assert save_fleet((), tmp_path / "empty.yaml") == ()
    assert load_fleet(tmp_path / "empty.yaml") == ((), Limits())


def test_no_secret_gets_into_a_fleet_file(tmp_path: Path) -> None:
    options = {"host": "h", "api_key": "s3cret", "Password": "s3cret", "keys": "/home/me/.ssh/id"}
    told = save_fleet([DeviceSpec(id="a", kind="x", options=options)], tmp_path / "fleet.yaml")
    text = (tmp_path / "fleet.yaml").read_text()
    assert "s3cret" not in text
    assert "/home/me/.ssh/id" in text
    assert told == tuple(
        f"The option {name!r} of device 'a' is a secret and was left out." for name in ("api_key", "Password")
    )


def test_a_fleet_is_not_written_in_a_format_for_plans(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="holds no fleet"):
        save_fleet((), tmp_path / "fleet.dot")
    with pytest.raises(PlanError, match="written"):
        save_fleet((), tmp_path / "none" / "fleet.yaml")


def test_a_bad_entry_does_not_make_a_list_empty() -> None:
    found = one(tasks("{id: a, command: [[1]]}"))
    assert found.where == "tasks.a.command[0]"
