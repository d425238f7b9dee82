"""Fixtures for the tests with real processes."""

from __future__ import annotations

from tests.integration.local_harness import door

__all__ = ["door"]
