"""While a plan file is read the garbage collector rests, and many tasks are validated together, to the same effect."""

from __future__ import annotations

import gc
import json
from typing import TYPE_CHECKING, Any

import pytest

from starloom import PlanError
from starloom.bulk_loading import collector_at_rest
from starloom.formats import native
from starloom.formats.files import load_plan, parse_plan
from starloom.model.plan import Plan, PlanIndex

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starloom.errors import Problem

GOOD = '{"starloom": 1, "tasks": [{"id": "a", "call": "noop"}]}'
BAD = '{"starloom": 1, "tasks": [{"id": "a", "call": "noop", "needs": ["nobody"]}]}'


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    was_on = gc.isenabled()
    yield
    (gc.enable if was_on else gc.disable)()


@pytest.mark.parametrize("is_on", [True, False])
@pytest.mark.parametrize("text", [GOOD, BAD])
def test_the_collector_rests_while_a_plan_is_read(
    text: str, is_on: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (gc.enable if is_on else gc.disable)()
    file = tmp_path / "plan.json"
    file.write_text(text)
    seen: list[bool] = []
    read = native.read_plan

    def watched(document: Any) -> Any:
        seen.append(gc.isenabled())
        return read(document)

    monkeypatch.setattr(native, "read_plan", watched)
    if text == BAD:
        with pytest.raises(PlanError, match="nobody"):
            load_plan(file)
    else:
        load_plan(file)
    assert seen == [False]
    assert gc.isenabled() is is_on


def test_what_was_loaded_in_bulk_is_taken_for_old_unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    gc.enable()
    monkeypatch.setattr("starloom.bulk_loading.BULK", 1_000)
    gc.unfreeze()
    with collector_at_rest():
        loaded = [[number] for number in range(5_000)]
    gc.disable()
    ages = [[one for one in gc.get_objects(age) if one is loaded[0] or one is loaded[-1]] for age in range(3)]
    assert ages == [[], [], [[0], [4_999]]]
    assert gc.get_freeze_count() == 0


def test_what_somebody_has_frozen_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    gc.enable()
    monkeypatch.setattr("starloom.bulk_loading.BULK", 1_000)
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        with collector_at_rest():
            loaded = [[number] for number in range(5_000)]
        assert loaded
        assert gc.get_freeze_count() <= frozen
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()


TASKS: list[dict[str, Any]] = [
    {"id": "plain", "call": "x"},
    {"id": "b", "shell": "y", "needs": ["plain"], "priority": "high", "retry": 2, "timeout": "1h"},
    {"id": "c", "simulate": "3s", "needs": [{"task": "b", "kind": "always"}], "device": {"prefer": "d"}},
    {"id": "d", "prompt": "${c.value}", "needs": "c", "expects": "json", "env": {"A": "1"}, "groups": "g"},
]
WRONG: list[dict[str, Any]] = [
    {},
    {"needs": []},
    {"call": "x"},
    {"id": "a", "call": "x", "colour": "red"},
    {"id": "a", "call": None},
    {"id": "a", "call": "x", "name": None},
    {"id": "a", "call": "x", "shell": "y"},
    {"id": "a", "call": "x", "priority": 1_000},
    {"id": "a", "call": "x", "timeout": "soon", "priority": -3},
    {"id": "\n", "call": "x"},
    {"id": "a", "call": "x", "needs": ["plain", "nobody"]},
    {"id": "a", "call": "x", "needs": ["plain", "plain"]},
    {"id": "a", "call": "x", "needs": ["a"]},
    {"id": "plain", "call": "x"},
    {"id": "a", "call": "x", "needs": [3, {"kind": "always"}]},
]


def read(tasks: list[dict[str, Any]], defaults: dict[str, Any]) -> Plan | list[Problem]:
    try:
        return parse_plan(json.dumps({"starloom": 1, "defaults": defaults, "tasks": tasks}))
    except PlanError as error:
        return list(error.problems)


def one_by_one(*_: object) -> None:
    raise ValueError


@pytest.mark.parametrize("defaults", [{}, {"timeout": "2h", "tips": ["t"]}, {"cwd": None}])
@pytest.mark.parametrize("wrong", [[], *([one] for one in WRONG), WRONG])
def test_tasks_validated_together_are_those_validated_one_by_one(
    wrong: list[dict[str, Any]], defaults: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = [*TASKS, *wrong]
    together = read(tasks, defaults)
    monkeypatch.setattr(native, "tasks_from_columns", one_by_one)
    if wrong:
        monkeypatch.setattr(PlanIndex, "of_legal", lambda *_: None)
    assert together == read(tasks, defaults)
    assert isinstance(together, Plan) is not bool(wrong)
    if isinstance(together, Plan):
        assert [(task.priority, task.retry.attempts) for task in together.tasks[:2]] == [(50, 1), (80, 3)]
        checked = Plan(tasks=together.tasks, dependencies=together.dependencies)
        assert together.index.parents == checked.index.parents
        assert together.index.special == checked.index.special


def test_one_bad_task_does_not_have_all_of_a_large_plan_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    before = native._Reader._tasks_one_by_one

    def noting(self: Any, entries: list[Any], *rest: Any) -> None:
        seen.append(len(entries))
        before(self, entries, *rest)

    monkeypatch.setattr(native._Reader, "_tasks_one_by_one", noting)
    tasks = [{"id": f"t{number}", "call": "x"} for number in range(3 * native._AT_ONCE)]
    tasks[0]["colour"] = "red"
    found = read(tasks, {})
    assert not isinstance(found, Plan)
    assert [one.message for one in found] == ["unknown field 'colour'."]
    assert seen == [native._AT_ONCE]
