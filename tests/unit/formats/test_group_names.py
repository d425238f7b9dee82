"""A group that has no limit though one of nearly its name has is told when the plan is read."""

from __future__ import annotations

import pytest

from starloom.formats import parse_plan
from starloom.formats.losses import assumptions


@pytest.mark.parametrize(
    ("groups", "limits", "told"),
    [
        ("board", "{boards: 2}", True),
        ("boards, board", "{boards: 2}", True),
        ("Rigs", "{rigs: 1}", True),
        ("raks", "{racks: 1}", True),
        ("rig-a, rig-b", "{rig-a: 1}", False),
        ("boards", "{boards: 2}", False),
        ("gpu", "{boards: 2}", False),
        ("gpu", "{}", False),
    ],
)
def test_a_typing_error_in_the_name_of_a_group(groups: str, limits: str, told: bool) -> None:
    text = f"starloom: 1\nlimits: {{groups: {limits}}}\ntasks: {{a: {{shell: ls, groups: [{groups}]}}}}\n"
    said = assumptions(parse_plan(text, format="yaml"), "yaml")
    assert [one for one in said if "has no limit" in one] == said
    assert bool(said) is told
