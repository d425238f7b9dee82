"""Every test of the command line gets a folder of its own to start it in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.end2end.shell import Shell

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)
