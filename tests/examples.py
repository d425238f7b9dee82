"""Fewer examples for a law whose examples are dear; `make test-thorough` looks at as many as of every other law."""

from __future__ import annotations

from hypothesis import settings

_USUAL = 100
"""More than the profile of `make test` has."""


def few_examples(count: int) -> settings:
    """Settings with so many examples in `make test`."""
    whole = settings.default.max_examples if settings.default is not None else count
    return settings(max_examples=count if whole <= _USUAL else whole)
