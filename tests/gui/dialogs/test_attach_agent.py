"""The dialog that attaches agents: what it makes, what is wrong stands under its field, and trying an endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from shiboken6 import isValid
from tests.gui.event_loop.loops import run_on
from tests.waiting import until

from starloom.agents.llm import LlmAgent
from starloom.agents.python import PythonAgent
from starloom.agents.rules import RuleAgent
from starloom.constellation.edits import ALL_KINDS
from starloom.errors import AgentError
from starloom.model.agent_terms import NO_TERMS, AgentTerms, EditScope, EndFilter, OnConflict, ScopeKind
from starloom.model.status import TaskStatus
from starloom.scheduling.commands import AttachAgent, Command
from starloom_gui.dialogs.agent_forms import PYTHON, agent_forms
from starloom_gui.dialogs.attach_agent import AttachAgentDialog
from starloom_gui.event_loop import QtEventLoop
from starloom_gui.specs.action_spec import Verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Coroutine
    from pathlib import Path

    from starloom.agents.base import Agent

RULES = ({"on": {"task": "a"}, "do": [{"remove_task": "b"}]},)


class Engine:
    """Takes every agent whose name is not taken."""

    def __init__(self, *taken: str) -> None:
        self.taken = set(taken)
        self.attached: list[tuple[str, Agent, tuple[str, ...]]] = []
        self.terms: list[AgentTerms] = []

    def can(self, command: Command) -> Verdict:
        assert isinstance(command, AttachAgent)
        name = command.agent
        return Verdict(name not in self.taken, f"The run has an agent {name}.", "Give it another name.")

    def attach_agent(self, run_id: str, agent: Agent, asks: Collection[str] = (), terms: AgentTerms = NO_TERMS) -> int:
        self.attached.append((run_id, agent, tuple(asks)))
        self.terms.append(terms)
        return 1


class Bench:
    """A dialog over such an engine."""

    def __init__(self, appearance: Any, *taken: str, rules: Any = (), goal: str = "") -> None:
        self.engine = Engine(*taken)
        self.dialog = AttachAgentDialog(appearance, "r", self.engine, rules=rules, goal=goal)
        self.dialog.show()

    def fill(self, kind: str, **values: Any) -> None:
        self.dialog.kinds.choose(kind)
        self.dialog.kinds.form.fill(values)

    def write(self, field: str, value: Any) -> None:
        """Have a value stand in a field of the terms as if it had been typed."""
        editor = self.dialog.terms.form.editor(field)
        editor.show_value(value)
        editor.edited.emit()

    async def pressed(self) -> None:
        """Press the default button and wait for what comes of it."""
        self.dialog.default.click()
        await until(lambda: self.dialog._task is None)

    @property
    def made(self) -> Agent:
        ((_, agent, _),) = self.engine.attached
        return agent


def scenario(main: Any) -> None:
    def begin() -> Coroutine[Any, Any, None]:
        made: Coroutine[Any, Any, None] = main()
        return made

    run_on(QtEventLoop, begin)


def test_the_rules_of_the_plan_are_there_without_a_file(app, appearance):
    async def main() -> None:
        bench = Bench(appearance, rules=RULES)
        assert bench.dialog.default.isEnabled()
        await bench.pressed()
        assert isinstance(bench.made, RuleAgent)
        assert bench.engine.attached[0][2] == ALL_KINDS
        assert not isValid(bench.dialog) or not bench.dialog.isVisible()

    scenario(main)


def test_rules_come_from_a_file_that_may_hold_nothing_else(app, appearance, tmp_path: Path):
    async def main() -> None:
        path = tmp_path / "rules.yaml"
        path.write_text("starloom: 1\nrules:\n  - {on: {task: a}, do: [{remove_task: b}]}\n", encoding="utf-8")
        bench = Bench(appearance)
        assert bench.dialog.reason == "File is missing"
        bench.fill("rules", path=str(path), name="tidy")
        bench.dialog.trust.choose(2)
        await bench.pressed()
        assert bench.made.name == "tidy"
        assert bench.engine.attached[0][2] == ()

    scenario(main)


def test_some_kinds_of_edits_can_be_trusted(app, appearance):
    async def main() -> None:
        bench = Bench(appearance)
        bench.fill("python", target="m:f", time_limit=5.0)
        bench.dialog.trust.choose(1)
        bench.dialog.trust.kinds["add_task"].show_value(False)
        await bench.pressed()
        assert isinstance(bench.made, PythonAgent)
        assert bench.made.name == "m:f"
        assert bench.engine.attached[0][2] == tuple(kind for kind in ALL_KINDS if kind != "add_task")

    scenario(main)


def test_a_model_is_made_with_its_goal_and_limits_and_without_a_key(app, appearance):
    async def main() -> None:
        bench = Bench(appearance, goal="a release")
        bench.fill("llm", model="m", tokens=1000, seconds=7.0)
        await bench.pressed()
        assert isinstance(bench.made, LlmAgent)
        assert (bench.made._goal, bench.made._limits.tokens, bench.made._limits.seconds) == ("a release", 1000, 7.0)
        assert "key" not in {name for form in bench.dialog.kinds.forms for name in form.names}

    scenario(main)


def test_the_terms_say_which_ends_it_is_asked_about_and_what_it_may_change(app, appearance):
    async def main() -> None:
        bench = Bench(appearance, rules=RULES)
        for field, value in {"on.task": ["a", "b-*"], "on.status": "failed", "on.when": "attempts > 1"}.items():
            bench.write(field, value)
        bench.write("scope", {"tasks": ["c", "d-*"]})
        bench.write("on_conflict", "replace")
        await bench.pressed()
        (terms,) = bench.engine.terms
        assert terms.on == (EndFilter(("a", "b-*"), (TaskStatus.FAILED,), "attempts > 1"),)
        assert terms.scope == EditScope(ScopeKind.TASKS, ("c", "d-*"))
        assert terms.on_conflict is OnConflict.REPLACE

    scenario(main)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [("on.when", "nope >", "condition"), ("scope", {"group": []}, "scope")],
)
def test_wrong_terms_stand_under_their_field_and_nothing_is_attached(app, appearance, field, value, words):
    async def main() -> None:
        bench = Bench(appearance, rules=RULES)
        bench.write(field, value)
        assert words in bench.dialog.terms.form.reason(field)
        await bench.pressed()
        assert not bench.engine.attached
        bench.write(field, None)
        await bench.pressed()
        assert bench.engine.terms == [NO_TERMS]

    scenario(main)


@pytest.mark.parametrize(
    ("kind", "values", "field", "words"),
    [
        ("rules", {"path": "/no/such/plan.yaml"}, "path", "The file or its folder does not exist."),
        ("python", {"target": "no function"}, "target", "does not name a function"),
        ("python", {"target": "m:f", "cwd": "/no/such/folder"}, "cwd", "There is no folder /no/such/folder."),
        ("python", {"target": "m:f", "time_limit": "0"}, "time_limit", "above 0"),
        ("python", {"target": "m:f", "time_limit": "long"}, "time_limit", "is no number"),
        ("llm", {"model": "m", "url": "ftp://x"}, "url", "is not the address of an endpoint"),
        ("llm", {"model": "m", "url": "https://me:secret@x/v1"}, "url", "more than host, port and path"),
        ("llm", {"model": "m", "tokens": "0"}, "tokens", "above 0"),
        ("python", {"target": "m:taken", "name": "taken"}, "name", "Give it another name."),
    ],
)
def test_what_is_wrong_stands_under_its_field_and_nothing_is_attached(app, appearance, kind, values, field, words):
    async def main() -> None:
        bench = Bench(appearance, "taken")
        bench.fill(kind, **values)
        await bench.pressed()
        assert words in bench.dialog.kinds.form.reason(field)
        assert "secret" not in bench.dialog.kinds.form.reason(field)
        assert not bench.engine.attached
        assert bench.dialog.isVisible()

    scenario(main)


def test_a_plan_without_rules_says_so(app, appearance, tmp_path: Path):
    async def main() -> None:
        path = tmp_path / "plan.yaml"
        path.write_text("starloom: 1\ntasks:\n  a: {simulate: 1s}\n", encoding="utf-8")
        bench = Bench(appearance)
        bench.fill("rules", path=str(path))
        await bench.pressed()
        assert "declares no rules" in bench.dialog.kinds.form.reason("path")

    scenario(main)


@pytest.mark.parametrize("answer", [True, False, AgentError("the endpoint http://x/v1 cannot be reached.")])
def test_an_endpoint_is_tried_and_what_came_of_it_is_said(app, appearance, monkeypatch, answer):
    async def probe(_agent: LlmAgent) -> bool:
        if isinstance(answer, AgentError):
            raise answer
        return bool(answer)

    monkeypatch.setattr(LlmAgent, "probe", probe)

    async def main() -> None:
        bench = Bench(appearance)
        assert not bench.dialog.test.isVisible()
        bench.fill("llm", model="m")
        assert bench.dialog.test.isVisible()
        bench.dialog.test.click()
        assert bench.dialog.reason == "Connecting…"
        await until(lambda: bench.dialog._task is None)
        if answer is True:
            assert bench.dialog.reason.startswith("Answered in ")
        elif answer is False:
            assert "does not list this model" in bench.dialog.kinds.form.reason("model")
        else:
            assert bench.dialog.kinds.form.reason("url") == "The endpoint http://x/v1 cannot be reached."
        assert bench.dialog.default.isEnabled()
        assert bench.dialog.isVisible()

    scenario(main)


def test_what_is_being_tried_is_given_up_with_the_dialog(app, appearance, monkeypatch):
    async def main() -> None:
        never = __import__("asyncio").Event()

        async def probe(_agent: LlmAgent) -> bool:
            return bool(await never.wait())

        monkeypatch.setattr(LlmAgent, "probe", probe)
        bench = Bench(appearance)
        bench.fill("llm", model="m")
        bench.dialog.test.click()
        task = bench.dialog._task
        assert task is not None
        bench.dialog.reject()
        await until(task.done)
        assert task.cancelled()

    scenario(main)


def test_the_form_of_a_python_agent_says_what_it_gets_and_returns(app) -> None:
    (form,) = (one for one in agent_forms((), "") if one.kind == PYTHON)
    (target,) = (field for field in form.fields if field.name == "target")
    assert '{"edits": [{"remove_task": "id"}, …], "reason": "…"}' in target.help
    assert "dicts" in target.help
