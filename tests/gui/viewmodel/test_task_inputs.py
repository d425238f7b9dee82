"""Inputs are offered where something reads them: a shell script that is given some never hears of them."""

from __future__ import annotations

from typing import Any, Final

import pytest

from starloom.model.task import Task
from starloom_gui.viewmodel.task_specs import SPEC_OF

READERS: Final[list[dict[str, Any]]] = [{"python": "json:dumps"}, {"call": "host"}, {"prompt": "Say hello."}]
PROGRAMS: Final[list[dict[str, Any]]] = [{"command": ("make",)}, {"shell": "make"}]


@pytest.mark.parametrize("work", [*READERS, *PROGRAMS], ids=lambda work: next(iter(work)))
def test_inputs_are_offered_where_something_reads_them_and_stay_where_they_are(work: dict[str, Any]) -> None:
    applies = SPEC_OF["inputs"].applies
    assert applies(Task(id="t", **work)) == (work in READERS)
    assert applies(Task(id="t", inputs={"n": 1}, **work)), "what is there can be seen and removed"
