"""References to secrets in plans, edits and journals, and looking them up."""

from __future__ import annotations

import asyncio
import json
import sys
import types
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

from starloom.cli.secret_checks import missing_secrets
from starloom.constellation.edits import AddTask, UpdateTask
from starloom.devices.secret_sources import SERVICE, SecretError, look_up, read_secret
from starloom.errors import PlanError
from starloom.formats import dump_plan, parse_plan
from starloom.formats.edit_forms import read_edits
from starloom.formats.edit_writer import edit_forms
from starloom.formats.schema import plan_schema
from starloom.journal.plans import tasks_to_columns
from starloom.model.plan import Plan
from starloom.model.secret import Secret
from starloom.model.task import Task
from starloom.model.task_columns import tasks_from_columns

if TYPE_CHECKING:
    from pathlib import Path

PLAN = """\
starloom: 1
name: p
tasks:
- id: a
  shell: deploy
  env:
    TOKEN: {secret: keyring:deploy}
    PLAIN: text
"""


def task(*references: str, **fields: Any) -> Task:
    env = {f"V{number}": Secret(reference) for number, reference in enumerate(references)}
    return Task(**{"id": "a", "shell": ":", "env": env, **fields})


def test_a_plan_file_names_a_secret_and_is_written_back_as_it_was() -> None:
    plan = parse_plan(PLAN)
    assert plan.tasks[0].env == {"TOKEN": Secret("keyring:deploy"), "PLAIN": "text"}
    for syntax in ("yaml", "json"):
        assert parse_plan(dump_plan(plan, syntax)) == plan
    assert str(plan.tasks[0].env["TOKEN"]) == "secret keyring:deploy"


@pytest.mark.parametrize("bad", ["hunter22", "vault:hunter22", "env:", "env:hunter22=1", "file:hunter22\0"])
def test_what_names_no_secret_is_refused_without_repeating_it(bad: str) -> None:
    with pytest.raises(PlanError) as refused:
        parse_plan(PLAN.replace("keyring:deploy", json.dumps(bad)))
    said = str(refused.value)
    assert "write keyring:NAME, env:NAME or file:PATH" in said
    assert "TOKEN" in said
    assert "hunter22" not in said


@pytest.mark.parametrize("bad", ["{}", "{secret: 7}", "{secret: env:A, more: 1}", "{key: v}"])
def test_a_mapping_that_is_no_reference_is_refused_in_a_sentence(bad: str) -> None:
    with pytest.raises(PlanError, match=r"is text, or \{secret: …\}"):
        parse_plan(PLAN.replace("{secret: keyring:deploy}", bad))


def test_a_number_is_still_refused_as_text() -> None:
    with pytest.raises(PlanError, match=r"must be text, not 7\. Put it in quotes"):
        parse_plan(PLAN.replace("{secret: keyring:deploy}", "7"))


def test_a_typing_error_in_the_source_has_a_guess() -> None:
    with pytest.raises(ValidationError, match="Did you mean 'keyring'"):
        Secret("keyrng:x")


def test_edits_carry_references() -> None:
    edits = (AddTask(task("env:A")), UpdateTask("b", env={"T": Secret("file:x")}))
    forms = edit_forms(edits)
    assert forms[0]["add_task"]["env"] == {"V0": {"secret": "env:A"}}
    assert forms[1]["update_task"]["env"] == {"T": {"secret": "file:x"}}
    again, problems = read_edits(json.loads(json.dumps(forms)))
    assert not problems
    assert again[0] == edits[0]


def test_a_journal_keeps_the_reference() -> None:
    tasks = [task("env:A", "keyring:b"), Task(id="b", shell=":")]
    assert tasks_from_columns(tasks_to_columns(tasks)) == tasks


def test_the_schema_allows_a_reference() -> None:
    values = plan_schema()["$defs"]["task"]["properties"]["env"]["additionalProperties"]["anyOf"]
    assert [value["type"] for value in values] == ["string", "object"]
    assert values[1]["required"] == ["secret"]


# ---- looking up


def test_values_come_from_the_environment_and_from_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MY_TOKEN", "from env")
    (tmp_path / "token").write_text("from file\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert read_secret(Secret("env:MY_TOKEN")) == "from env"
    assert read_secret(Secret(f"file:{tmp_path}/token")) == read_secret(Secret("file:~/token")) == "from file"


@pytest.mark.parametrize(
    ("reference", "sentence"),
    [
        ("env:NOT_SET_HERE", r"no secret env:NOT_SET_HERE: this program was started without the variable"),
        ("env:EMPTY_HERE", "secret env:EMPTY_HERE is empty"),
        ("file:nowhere/token", r"file:nowhere/token cannot be read: No such file or directory \(/.*/nowhere/token\)"),
        ("file:.", "cannot be read: "),
        ("file:large", "more than 65,536 bytes"),
        ("file:binary", "no text in UTF-8"),
        ("file:nul", "holds a NUL character"),
    ],
)
def test_what_cannot_be_looked_up_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, reference: str, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EMPTY_HERE", "")
    for name, data in {"large": b"x" * 70_000, "binary": b"\xff\xfe", "nul": b"a\0b"}.items():
        (tmp_path / name).write_bytes(data)
    with pytest.raises(SecretError, match=sentence):
        asyncio.run(look_up(Secret(reference)))


class Keyring:
    """A keyring that is put in the place of the package."""

    def __init__(self, get: Any) -> None:
        self.errors = types.ModuleType("keyring.errors")
        self.errors.KeyringError = type("KeyringError", (Exception,), {})  # type: ignore[attr-defined]
        self.module = types.ModuleType("keyring")
        self.module.errors = self.errors  # type: ignore[attr-defined]
        self.module.get_password = get  # type: ignore[attr-defined]

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "keyring", self.module)
        monkeypatch.setitem(sys.modules, "keyring.errors", self.errors)


def test_a_keyring_is_asked_for_the_name_under_our_service(monkeypatch: pytest.MonkeyPatch) -> None:
    Keyring(lambda service, name: f"{service}/{name}").install(monkeypatch)
    assert asyncio.run(look_up(Secret("keyring:deploy"))) == f"{SERVICE}/deploy"


def test_a_keyring_that_has_nothing_is_locked_or_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = Keyring(lambda _service, _name: None)
    keyring.install(monkeypatch)
    with pytest.raises(SecretError, match="keyring set starloom deploy"):
        asyncio.run(look_up(Secret("keyring:deploy")))

    def locked(_service: str, _name: str) -> str:
        raise keyring.errors.KeyringError("it is locked")

    keyring.module.get_password = locked  # type: ignore[attr-defined]
    with pytest.raises(SecretError, match="cannot be had from the keyring: it is locked"):
        asyncio.run(look_up(Secret("keyring:deploy")))

    def broken(_service: str, _name: str) -> str:
        raise OSError("hunter22")

    keyring.module.get_password = broken  # type: ignore[attr-defined]
    with pytest.raises(SecretError, match="the keyring raised OSError") as told:
        asyncio.run(look_up(Secret("keyring:deploy")))
    assert "hunter22" not in str(told.value)


def test_without_the_package_a_sentence_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(SecretError, match=r"pip install 'starloom\[secrets\]'"):
        asyncio.run(look_up(Secret("keyring:deploy")))


def test_a_keyring_that_never_answers_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    unlocked = threading.Event()
    Keyring(lambda _service, _name: "late" if unlocked.wait(60) else "never").install(monkeypatch)
    try:
        with pytest.raises(SecretError, match=r"not been given within 0\.01 s"):
            asyncio.run(look_up(Secret("keyring:deploy"), 0.01))
    finally:
        unlocked.set()
        for thread in threading.enumerate():
            if thread.name == "starloom-secret":
                thread.join(30)


# ---- before a run


def test_what_is_missing_is_told_once_with_the_tasks_that_would_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERE", "a value")
    tasks = [task("env:THERE", "env:NOT_SET_HERE", id=f"t{number}") for number in range(5)]
    simulated = Task(id="s", simulate=1, env={"X": Secret("env:NOT_HERE_EITHER")})  # type: ignore[arg-type]
    (sentence,) = missing_secrets(Plan(tasks=(*tasks, simulated)))
    assert sentence.startswith("There is no secret env:NOT_SET_HERE")
    assert sentence.endswith("Tasks 't0', 't1', 't2' and 2 more would fail.")
