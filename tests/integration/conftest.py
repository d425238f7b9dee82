"""Fixtures for the tests with real processes."""

from __future__ import annotations

from tests.integration.local_harness import door, wrapped_only

__all__ = ["door", "wrapped_only"]
