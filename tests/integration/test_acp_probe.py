"""An agent is probed by greeting it: one that merely prints is no agent, and none of them is left behind."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from tests.integration.acp_harness import device, on
from tests.integration.acp_harness import log as log
from tests.integration.local_harness import alive

from starloom.devices.acp import AcpDevice
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any


def printing(text: str, *, more: str = "", **options: Any) -> AcpDevice:
    """A program that prints, and does something more."""
    return AcpDevice(
        "dev", command=[sys.executable, "-c", f"print({text!r}, flush=True)\n{more}"], grace=1.0, **options
    )


def test_an_agent_that_answers_is_greeted_and_nothing_else_is_asked_of_it(log: Callable[[], list[Any]]) -> None:
    there = device()
    on(there, there.probe)
    assert [one["method"] for one in log()] == ["initialize"]
    assert there.about == "Scripted agent 1"


def test_a_program_that_prints_a_banner_and_ends_is_no_agent() -> None:
    there = printing("Welcome to the shop")
    with pytest.raises(DeviceError, match=r"is no agent .*: it ended before it answered\. It printed .*Welcome to"):
        on(there, there.probe)


def test_one_that_goes_on_without_an_answer_is_no_agent_and_is_ended(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    stay = f"import os, time\nopen({str(pid)!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)"
    there = printing("Welcome", more=stay, start_timeout=1.5)
    with pytest.raises(DeviceError, match=r"did not answer within 1\.5 s\. It printed .*Welcome"):
        on(there, there.probe)
    assert not alive(int(pid.read_text()))


def test_one_that_speaks_another_version_says_which() -> None:
    there = device("new")
    with pytest.raises(DeviceError, match="speaks version 99 of the Agent Client Protocol"):
        on(there, there.probe)
