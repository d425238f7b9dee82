"""Editing a graph, running or not: steps, staging and undo."""
