"""While a plan file is read the garbage collector rests; afterwards it is as it was before."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

import pytest

from starloom import PlanError
from starloom.formats import native
from starloom.formats.files import load_plan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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
