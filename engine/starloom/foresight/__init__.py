"""Projection: the same scheduler in virtual time."""
