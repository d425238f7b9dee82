"""A schema cannot hold up the program: what may take long is checked apart, and given up with a sentence."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import psutil
import pytest
from tests.integration.acp_harness import device, error_of, outcome_of
from tests.integration.local_harness import BOUND
from tests.waiting import until

from starloom.devices import schema_check
from starloom.devices.prompting import value_of
from starloom.devices.schema_check import NotChecked, misfit
from starloom.model.expected import JsonSchema, read_expects
from starloom.model.result import ErrorCode

ONE = {"$ref": "#/$defs/a"}
ENDLESS = {"$defs": {"a": {"items": {"anyOf": [ONE] * 3}, "not": {"const": 0}}}, **ONE}
"""Each level of a value is looked at three times as often as the one around it."""
DEEP = "[" * 40 + "0" + "]" * 40


def schema(plain: Any) -> JsonSchema:
    made = read_expects(plain)
    assert isinstance(made, JsonSchema)
    return made


def checked(plain: Any, value: Any, length: int = 10) -> str:
    async def check() -> str:
        async with asyncio.timeout(BOUND):
            return await misfit(schema(plain), value, length)

    return asyncio.run(check())


@pytest.mark.parametrize("length", [10, 10**9])
def test_here_and_apart_the_same_is_found(length: int) -> None:
    plain = {"required": ["ä"]}
    assert checked(plain, {"ä": 1}, length) == ""
    assert checked(plain, {}, length) == schema(plain).misfit({})
    assert checked({"pattern": "^a"}, "b", length) == ': "b" does not match "^a"'


def test_a_check_without_end_is_given_up_and_nothing_else_waits_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema_check, "SECONDS", 1.0)
    gaps: list[float] = []

    async def watch() -> None:
        while True:
            begun = time.monotonic()
            await asyncio.sleep(0.02)
            gaps.append(time.monotonic() - begun)

    async def check() -> Any:
        watching = asyncio.create_task(watch())
        try:
            return await value_of(DEEP, schema(ENDLESS))
        finally:
            watching.cancel()

    value, error = asyncio.run(asyncio.wait_for(check(), BOUND))
    assert (value, error.code) == (None, ErrorCode.AGENT)
    assert "was not found out within 1 s; simplify the schema's patterns" in error.message
    assert max(gaps) < 0.5
    assert not psutil.Process().children(), "its process has ended"


def test_one_that_is_cancelled_ends_its_process() -> None:
    async def cancel() -> None:
        checking = asyncio.create_task(misfit(schema(ENDLESS), [[0]], 10**9))
        await until(lambda: psutil.Process().children())
        checking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await checking

    asyncio.run(asyncio.wait_for(cancel(), BOUND))
    assert not psutil.Process().children()


def test_a_process_that_breaks_off_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema_check, "command_line", lambda: ("false",))
    with pytest.raises(NotChecked, match="broke off"):
        checked({"pattern": "a"}, "b")


def test_an_agents_answer_is_given_up_with_a_true_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema_check, "SECONDS", 1.0)
    outcome = outcome_of(device("answer", DEEP), expects=ENDLESS)
    assert error_of(outcome).code == ErrorCode.AGENT
    assert "was not found out within 1 s" in error_of(outcome).message
