"""Recorded workflows in WfFormat, if they are beside the project; tests that need them are skipped otherwise."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

SHARED: Final = Path(os.environ.get("STARLOOM_SHARED") or Path(__file__).parents[2] / "shared")
TRACES: Final = sorted((SHARED / "data" / "wfinstances").glob("*.json"))
needs_traces: Final = pytest.mark.skipif(not TRACES, reason=f"no recorded workflows in {SHARED}; see STARLOOM_SHARED")
