"""What a policy says to a request for permission: by the declared kind, and by where the named places really are."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from starloom.devices.acp.messages import Location, PermissionOption, ToolCall
from starloom.devices.acp.permissions import Ruling, option_for, places_of, verdict
from starloom.devices.acp.places import LocalSeat
from starloom.devices.base import TaskContext
from starloom.devices.scratch_folder import ScratchFolder
from starloom.model.status import PermissionPolicy
from starloom.model.task import Task

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("policy", "words", "expected"),
    [
        ("ask", "read inside", "ask"),
        ("allow_reads", "read inside", "allow"),
        ("allow_reads", "search /etc/hosts", "allow"),
        ("allow_reads", "read", "ask"),
        ("allow_reads", "edit inside", "ask"),
        ("allow_reads", "read nul\0", "ask"),
        ("allow_within_cwd", "edit inside", "allow"),
        ("allow_within_cwd", "edit .", "allow"),
        ("allow_within_cwd", "edit new/file", "allow"),
        ("allow_within_cwd", "edit ../work2/x", "ask"),
        ("allow_within_cwd", "edit out/x", "ask"),
        ("allow_within_cwd", "edit dangling", "ask"),
        ("allow_within_cwd", "edit inside /etc/passwd", "ask"),
        ("allow_within_cwd", "move inside", "ask"),
        ("allow_within_cwd", "move inside new", "allow"),
        ("allow_within_cwd", "execute inside", "ask"),
        ("allow_within_cwd", "fetch inside", "ask"),
        ("allow_within_cwd", "other inside", "ask"),
        ("allow_within_cwd", "invented inside", "ask"),
        ("allow_within_cwd", "edit", "ask"),
        ("reject", "read inside", "reject"),
        ("reject", "execute", "reject"),
    ],
)
def test_execute_unknown_kinds_unknown_places_and_places_outside_always_ask(
    policy: str, words: str, expected: str, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "inside").touch()
    (work / "out").symlink_to(tmp_path)
    (work / "dangling").symlink_to(tmp_path / "nothing")
    (tmp_path / "link").symlink_to(work)
    kind, *places = words.split(" ")
    call = ToolCall("c", kind=kind, locations=[Location(place) for place in places])
    seat = LocalSeat(
        Task(id="t", prompt="p"), TaskContext("r", "t", 1, "d", 0), str(tmp_path / "link"), {}, ScratchFolder("d")
    )
    resolved = asyncio.run(seat.resolve((seat.cwd, *places_of(call))))
    assert verdict(PermissionPolicy(policy), call, resolved, resolved[seat.cwd] or "") == expected


def test_a_folder_whose_name_only_begins_alike_is_outside() -> None:
    call = ToolCall("c", kind="edit", locations=[Location("/work2/x")])
    assert verdict(PermissionPolicy.ALLOW_WITHIN_CWD, call, {"/work2/x": "/work2/x"}, "/work") is Ruling.ASK
    assert verdict(PermissionPolicy.ALLOW_WITHIN_CWD, call, {"/work2/x": "/work2/x"}, "/") is Ruling.ALLOW


def test_a_policy_never_allows_for_good() -> None:
    always, once, never = (
        PermissionOption(kind, kind=kind) for kind in ("allow_always", "allow_once", "reject_always")
    )
    assert option_for([always, once], allow=True) is once
    assert option_for([always], allow=True) is None
    assert option_for([always, never], allow=False) is never
