"""Starloom: run task graphs on many devices at once, and edit them while they run."""
