"""Queries to the state for people: why a task waits, its place in the queue, the summary of a run."""
