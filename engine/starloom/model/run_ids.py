"""The ids of runs."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime


def new_run_id(name: str) -> str:
    """A readable id that no other run has: time, name, four random characters."""
    words = "".join(ch if ch.isalnum() else "-" for ch in name.lower()).strip("-")[:40] or "run"
    return f"{datetime.now(tz=UTC).strftime('%Y%m%d-%H%M%S')}-{words}-{secrets.token_hex(2)}"
