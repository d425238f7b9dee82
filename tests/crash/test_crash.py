"""A program that is killed at any moment loses nothing and runs nothing twice. `make test-crash` tries it 200 times."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest
from tests.crash.harness import check, disturbed, undisturbed

if TYPE_CHECKING:
    from pathlib import Path

RUNS = int(os.environ.get("STARLOOM_CRASH_RUNS", "8"))


@pytest.mark.skipif(sys.platform == "win32", reason="the scripts are for a POSIX shell")
@pytest.mark.parametrize("seed", range(RUNS))
def test_nothing_is_lost_and_nothing_runs_twice(tmp_path: Path, seed: int) -> None:
    check(disturbed(seed, tmp_path / "disturbed"), undisturbed(seed, tmp_path / "peaceful"))
