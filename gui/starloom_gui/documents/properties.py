"""The properties of a plan besides its tasks, as plain values of its file, checked by the reader of files.

So a form and a file can say the same, and what is wrong with either is said in the same sentences.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from starloom.errors import PlanError, Problem
from starloom.formats import parse_plan
from starloom.formats.native import VERSION
from starloom.formats.native_writer import plain_json, plan_value
from starloom_gui.documents.change import PROPERTIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.model.plan import Plan


def properties_of(plan: Plan) -> dict[str, Any]:
    """The values of a plan's properties as its file has them, by the names of `PROPERTIES`.

    Raises:
        PlanError: it holds a value that a file cannot.
    """
    value = plan_value(plan.edited((), ()))
    return {name: value[name] for name in PROPERTIES if name in value}


def read_properties(said: Mapping[str, Any]) -> Plan:
    """A plan without tasks that has these properties.

    Args:
        said: as `properties_of` gives it, or as somebody has written it.

    Raises:
        PlanError: a file could not say it; lists everything that is wrong, each with its place.
    """
    text = json.dumps({"starloom": VERSION, **plain_json(said, "")})
    return parse_plan(text, format="json")


def problems_of(said: Mapping[str, Any]) -> dict[str, list[Problem]]:
    """The problems of these properties, by property; empty: there are none."""
    try:
        read_properties(said)
    except PlanError as error:
        found: dict[str, list[Problem]] = {}
        for problem in error.problems:
            found.setdefault(_property_of(problem), []).append(problem)
        return found
    return {}


def _property_of(problem: Problem) -> str:
    """The property that a problem is about; the name, where it names none."""
    first = problem.where.partition(".")[0].partition("[")[0]
    return first if first in PROPERTIES else "name"
